import { beforeEach, describe, expect, it } from 'vitest';
import { confirmingWrites } from '../../../../../src/features/documents/save/confirmSave.ts';
import type { ConfirmRisk } from '../../../../../src/editor/pickers/confirmRisk.ts';
import type { JsonObject } from '../../../../../src/objects/json.ts';
import { editableView } from '../../../../../src/objects/merge/editableView.ts';
import { saveObject } from '../../../../../src/objects/save/saveObject.ts';
import { policyKind, userKind } from '../../../../../src/objects/kinds/securityKinds.ts';
import { reportTypeKind } from '../../../../../src/objects/kinds/reportTypeKind.ts';
import { registeredServerKind, settingsKind } from '../../../../../src/objects/kinds/administrationKinds.ts';
import { AccessStub } from '../../../../support/access/accessStub.ts';

/* What a save is asked about is what it will write: merged with what others changed, also while the question is open. */

const user = (ID: string, LoginName: string, ...groups: string[]): JsonObject => ({
  ...{ ID, LoginName },
  SecurityGroups: groups.map((GroupId) => ({ GroupId, GroupName: GroupId, GroupRoles: [{ RoleId: '2' }] })),
});
const groups = (...ids: string[]) => ids.map((GroupId) => ({ GroupId, GroupName: GroupId }));
const own: JsonObject = {
  ...{
    ModuleID: '',
    TableOwner: '',
    TableName: 'flights',
    ColumnName: 'state',
    Operator: '=',
    Value: 'NC',
    Value2: '',
  },
  ...{ Logical: 'AND', ColumnType: '' },
};
const policy = (...ids: string[]): JsonObject => ({
  ...{ id: '7', Name: 'Own states', Description: '', isActive: true, Constraints: [own], Groups: groups(...ids) },
  Users: [],
});

let server: AccessStub;
let asked: (readonly string[])[];
let named: string[];
/** What others do while a question is open, question by question; undefined declines it. */
let meanwhile: (() => void)[];

beforeEach(() => {
  server = new AccessStub();
  asked = [];
  named = [];
  meanwhile = [];
});

const ask: ConfirmRisk = async (_changes, name, _server, rows) => {
  named.push(name);
  asked.push(rows);
  const change = meanwhile.shift();
  change?.();
  return change !== undefined;
};

async function save(base: JsonObject, change: JsonObject): Promise<string> {
  const target = { connectionId: 'shop', kind: 'policy', id: '7', name: 'Own states' };
  const view = editableView(base, policyKind.shape);
  const confirm = confirmingWrites({ kind: policyKind, server, target }, ask);
  const mine = { ...view, ...change };
  const request = { kind: policyKind, id: '7', base: view, mine, askSecret: async () => '', confirm };
  return (await saveObject(server, request)).kind;
}

describe('a save of a policy asks', () => {
  it('about the merged groups, not about those in the text', async () => {
    server.users = [user('1', 'nora', '10', '11')];
    // Another administrator has removed group 10 since.
    server.policies = [policy('11', '12')];
    expect(await save(policy('10', '11', '12'), { Groups: groups('10', '12') })).toBe('unconfirmed');
    expect(asked).toEqual([['nora will see all rows of flights.']]);
    expect(server.calls).not.toContain('Shield/SaveShieldPolicy');
  });

  it('again if the effect changes while the question is open', async () => {
    server.users = [user('1', 'nora', '11')];
    server.policies = [policy('10', '11')];
    meanwhile = [() => server.users.push(user('2', 'omar', '11')), () => undefined];
    expect(await save(policy('10', '11'), { Groups: groups('10') })).toBe('saved');
    expect(asked).toEqual([
      ['nora will see all rows of flights.'],
      ['2 users will see all rows of flights: nora and omar.'],
    ]);
    expect(server.policies).toMatchObject([{ Groups: groups('10') }]);
  });

  it('again if another user of 300 gains rows, although the sentence looks the same', async () => {
    server.users = Array.from({ length: 300 }, (_, index) => user(String(index), `user ${index}`, '11'));
    server.policies = [policy('10', '11')];
    meanwhile = [() => void server.users.splice(299, 1, user('999', 'stranger', '11')), () => undefined];
    expect(await save(policy('10', '11'), { Groups: groups('10') })).toBe('saved');
    expect(asked).toHaveLength(2);
    expect(asked[0]).toEqual(asked[1]);
  });

  it('once if nothing changes, and not if nothing opens', async () => {
    server.users = [user('1', 'nora', '11')];
    server.policies = [policy('10', '11')];
    meanwhile = [() => undefined];
    expect(await save(policy('10', '11'), { Groups: groups('10') })).toBe('saved');
    expect(await save(policy('10'), { Description: 'Changed' })).toBe('saved');
    expect(asked).toHaveLength(1);
  });

  it('once if a member leaves while the question is open and changes nothing else', async () => {
    server.users = [user('1', 'nora', '11'), user('2', 'omar', '11')];
    server.policies = [policy('10', '11')];
    meanwhile = [() => void server.users.pop()];
    expect(await save(policy('10', '11'), { Groups: groups('10') })).toBe('saved');
    expect(asked).toHaveLength(1);
  });
});

describe('a new user', () => {
  const create = (...ids: string[]) => {
    const target = { connectionId: 'shop', kind: 'user', id: 'new-1', name: 'New User' };
    const confirm = confirmingWrites({ kind: userKind, server, target }, ask);
    return confirm({ before: {}, after: { ...user('', 'omar', ...ids), ID: null } });
  };

  beforeEach(() => {
    server.users = [user('1', 'nora', '10'), { ...user('9', 'admin'), isSuperAdmin: true }];
    server.policies = [policy('10')];
  });

  it('is asked about if its groups open folders', async () => {
    server.folders = [{ id: '4', fname: 'Plans', ParentLibrary: '90', Permissions: [{ RightID: '10' }] }];
    expect(await create('10')).toBe('unconfirmed');
    expect(asked).toEqual([
      [
        `If ${server.name} takes the groups of the new user:`,
        '– omar will see the content of Plans.',
        'If it ignores them:',
        '– omar will see all rows of flights.',
      ],
    ]);
    expect(named).toEqual(['omar']);
    expect(server.calls.filter((path) => path === 'Contact/GetContactList')).toHaveLength(1);
  });

  it('reads no folders for one without groups', async () => {
    await create();
    expect(server.calls.filter((path) => path.startsWith('library/'))).toEqual([]);
  });

  it('is asked about if no policy restricts it, also when copied from one that a policy names', async () => {
    expect(await create()).toBe('unconfirmed');
    expect(asked).toEqual([['omar will see all rows of flights.']]);
  });

  it('is asked about as a member of a group of the policy, which the server may ignore', async () => {
    expect(await create('10')).toBe('unconfirmed');
    expect(asked).toEqual([['If it ignores them:', '– omar will see all rows of flights.']]);
  });
});

it.each([
  [
    reportTypeKind,
    { Moduleid: 3, SQLTables: [{ tablename: 'flights', tableowner: '', tablealias: 'f' }] },
    { Moduleid: 3, SQLTables: [{ tablename: 'flights_all', tableowner: '', tablealias: 'f' }] },
    'nora may see other rows of flights_all.',
  ],
  [registeredServerKind, { DatabaseName: 'shop' }, { DatabaseName: 'other' }, 'It is unknown who will see more rows'],
])('asks if an edit leads to a table that policies do not restrict (%#)', async (kind, before, after, line) => {
  server.users = [user('1', 'nora', '10')];
  server.policies = [policy('10')];
  const target = { connectionId: 'shop', kind: kind.name, id: '7', name: 'Flights' };
  expect(await confirmingWrites({ kind, server, target }, ask)({ before, after })).toBe('unconfirmed');
  expect(asked).toEqual([[expect.stringContaining(line)]]);
});

it('asks about each value of a setting', async () => {
  const target = { connectionId: 'shop', kind: 'settings', id: 'settings', name: 'Settings' };
  const confirm = confirmingWrites({ kind: settingsKind, server, target }, ask);
  const write = (now: string) => ({ before: { SSOEnabled: 'False' }, after: { SSOEnabled: now } });
  meanwhile = [() => undefined];
  expect(await confirm(write('True'))).toBe('asked');
  expect(await confirm(write('True'))).toBe('sure');
  expect(await confirm(write('Perhaps'))).toBe('unconfirmed');
});
