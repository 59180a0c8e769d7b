import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { capabilities } from '../../../../src/editor/nodes/capabilities.ts';
import type { TreeNode } from '../../../../src/editor/nodes/treeNode.ts';
import { activeState } from './treeConnection.ts';
import { ScriptedConnection, ShownTree } from './shownTree.ts';

/*
 * Menus of rows are gated by words of the context value. Written out here, by what an account may do: a word too many
 * offers what the server refuses, a word too few hides it.
 */

let server: ScriptedConnection;
let shown: ShownTree;

beforeEach(() => {
  server = new ScriptedConnection('1', 'Shop');
  shown = new ShownTree(server);
  const report = { id: 7, ReportName: 'Delays', itemtype: 2 };
  const folder = { id: 3, text: 'Sales', children: [] };
  const replies = {
    'library/GetAllLibraryTree': [
      { rootnode: { id: 1, text: 'Public', libtype: 1, children: [folder] } },
      { rootnode: { id: 2, text: 'Mine', libtype: 2, children: [] } },
    ],
    'library/GetListByFolderID': [report, { id: 8, ReportName: 'Board', itemtype: 0 }],
    'Contact/GetContactList': [{ ID: '5', LoginName: 'nora' }],
    'Group/GetAllSecurityGroups': [{ GroupId: 6, GroupName: 'North', Membership: [{ ID: '5', LoginName: 'nora' }] }],
    'DataTag/GetAllDataTags': [{ ID: 4, Label: 'State' }],
    'Shield/GetAllShieldPolicies': [{ id: 9, Name: 'Scope', isActive: true }],
  };
  for (const [endpoint, value] of Object.entries(replies)) server.replies.set(endpoint, () => value);
});

afterEach(() => shown.dispose());

async function wordsOf(...path: readonly string[]): Promise<string[]> {
  const [kind = '', ...words] = String(shown.tree.getTreeItem(await shown.row('Shop', ...path)).contextValue).split(
    ';',
  );
  return [kind, ...words.sort()];
}

const groups = ['Security', 'Groups'] as const;
const rows: Record<string, { path: readonly string[]; all: string; few: string }> = {
  'the list of users': { path: ['Security', 'Users'], all: 'list import newUser refresh', few: 'list refresh' },
  'the list of groups': { path: groups, all: 'list newGroup refresh', few: 'list refresh' },
  'the list of policies': { path: ['Security', 'Policies'], all: 'list newPolicy refresh', few: 'list refresh' },
  'a user': {
    path: ['Security', 'Users', 'nora'],
    all: 'user addToGroup assignPolicy changeRole clone copy delete edit grantRole open pin',
    few: 'user copy open',
  },
  'a member': {
    path: [...groups, 'North', 'nora'],
    all: 'member addToGroup assignPolicy changeRole copy edit grantRole open pin removeFromGroup',
    few: 'member copy open',
  },
  'a group': {
    path: [...groups, 'North'],
    all: 'group addMembers assignPolicy changeRole clone copy delete edit grantRole open',
    few: 'group copy open',
  },
  'a tag': {
    path: ['Security', 'Data Tags', 'State'],
    all: 'dataTag clone copy delete edit open policyOf values',
    few: 'dataTag copy open',
  },
  'a policy': {
    path: ['Security', 'Policies', 'Scope'],
    all: 'policy assign clone copy deactivate delete edit open',
    few: 'policy copy open',
  },
  'the instance settings': {
    path: ['Administration', 'Instance Settings'],
    all: 'setting open refresh secret',
    few: 'setting refresh',
  },
  'the licences of a server of another kind': {
    path: ['Administration', 'Licences'],
    all: 'setting copyInstallationId refresh refreshLicences',
    few: 'setting refresh',
  },
};

describe.each(Object.keys(rows))('%s', (name) => {
  const { path, all, few } = rows[name] ?? { path: [], all: '', few: '' };

  it('offers an administrator all', async () => {
    expect((await wordsOf(...path)).join(' ')).toBe(all);
  });

  it('offers other accounts what they may do', async () => {
    server.become({ isAdmin: false, isSuperAdmin: false });
    expect((await wordsOf(...path)).join(' ')).toBe(few);
  });
});

describe('objects with a state', () => {
  it.each([
    [{ lockdate: '2026-01-02T03:04:05' }, true],
    [{ lockdate: null }, false],
  ])('a user of whom %j is known is unlocked: %s', async (fields, isOffered) => {
    server.replies.set('Contact/GetContactList', () => [{ ID: '5', LoginName: 'nora', ...fields }]);
    expect((await wordsOf('Security', 'Users', 'nora')).includes('unlock')).toBe(isOffered);
  });

  it.each([
    [{ isActive: true, Groups: [], Users: [] }, ['deactivate']],
    [{ isActive: false, Groups: [], Users: [] }, ['activate']],
    [{ isActive: true, Groups: [{ GroupId: 6, GroupName: 'North' }] }, ['deactivate', 'unassign']],
    [{ isActive: false, Users: [{ ID: '5' }] }, ['activate', 'unassign']],
  ])('a policy %j is offered %j', async (fields, offered) => {
    server.replies.set('Shield/GetAllShieldPolicies', () => [{ id: 9, Name: 'Scope', ...fields }]);
    const words = await wordsOf('Security', 'Policies', 'Scope');
    expect(words.filter((word) => ['activate', 'deactivate', 'unassign'].includes(word))).toEqual(offered);
  });
});

describe('rows of the library', () => {
  const place = ['Library', 'Public'] as const;

  it('a report is changed, moved and deleted by who may modify and delete it', async () => {
    const words = async (fields: object) => {
      server.replies.set('library/GetListByFolderID', () => [{ id: 7, ReportName: 'Delays', itemtype: 2, ...fields }]);
      await shown.tree.refresh();
      return (await wordsOf(...place, 'Delays')).join(' ');
    };
    const plain = 'report browse clone copy favourite open run sql';
    expect(await words({ isUserModify: false, isUserDelete: false })).toBe(plain);
    expect(await words({ isUserModify: true, isUserDelete: false })).toBe(
      'report browse clone copy describe edit favourite move open run sql',
    );
    expect(await words({ isUserModify: false, isUserDelete: true })).toBe(
      'report browse clone copy delete favourite open run sql',
    );
    expect(await words({ isUserModify: false, isUserDelete: false, isFav: true })).toBe(
      'report browse clone copy open run sql unfavourite',
    );
  });

  it('a dashboard opens its reports together, and is edited where its reports come in our form', async () => {
    const words = async (fields: object) => {
      server.replies.set('library/GetListByFolderID', () => [{ id: 8, ReportName: 'Board', itemtype: 0, ...fields }]);
      await shown.tree.refresh();
      return (await wordsOf(...place, 'Board')).join(' ');
    };
    const plain = 'dashboard browse copy favourite together';
    for (const item_flags of [null, '', '{"panels":[7]}', '{"reports":{"7":1}}', '{"reports":[{}]}', '[7]', '{']) {
      expect(await words({ item_flags }), String(item_flags)).toBe(plain);
    }
    const item_flags = '{"reports":[7]}';
    expect(await words({ item_flags, isUserModify: false, isUserDelete: false })).toBe(
      'dashboard browse clone copy favourite open together',
    );
    expect(await words({ item_flags, isUserModify: true, isUserDelete: false })).toBe(
      'dashboard browse clone copy edit favourite open together',
    );
    expect(await words({ item_flags: '{"reports":[]}', isUserModify: true, isUserDelete: true })).toBe(
      'dashboard browse clone copy delete edit favourite open together',
    );
  });
});

describe('a server', () => {
  it.each([
    [activeState, 'server browse refresh remote remove session signOut'],
    [{ kind: 'expired', account: activeState.account } as const, 'server refresh remote remove signIn'],
    [{ kind: 'signedOut' } as const, 'server refresh remote remove signIn'],
    [{ kind: 'takenOver', account: activeState.account } as const, 'server refresh remote remove signIn'],
  ])('in the state %j offers what fits its session', async (state, words) => {
    server.state = state;
    expect((await wordsOf()).join(' ')).toBe(words);
  });
});

it.each(['dataTag', 'reportType', 'field'])('offers a policy of a %s to administrators only', (kind) => {
  const wordsFor = (isAdmin: boolean) => {
    const connection = { state: { kind: 'active', account: { isAdmin } } };
    return capabilities({ kind, column: 'f.state', connection } as unknown as TreeNode).split(';');
  };
  expect(wordsFor(true)).toContain('policyOf');
  expect(wordsFor(false)).not.toContain('policyOf');
});
