import { describe, expect, it } from 'vitest';
import type { SessionAccount } from '../../../../../src/client/session/sessionState.ts';
import type { FolderNode, NoticeNode, NoticeReason, ServerNode } from '../../../../../src/editor/nodes/treeNode.ts';
import { treeItem } from '../../../../../src/features/sidebar/rows/treeItem.ts';
import { activeState, treeConnection } from '../treeConnection.ts';

const facts = {
  localServer: 'running',
  isUnreachable: () => false,
  scopeOf: () => undefined,
  countOf: () => 0,
  changeOf: () => undefined,
} as const;

function server(account: Partial<SessionAccount>): ServerNode {
  const state = { ...activeState, account: { ...activeState.account, ...account } };
  return { kind: 'server', id: 'test', connection: treeConnection('http://127.0.0.1:9', state), parent: undefined };
}

function empty(reason: NoticeReason, account: Partial<SessionAccount>): string {
  const parent = server(account);
  const node: NoticeNode = { kind: 'notice', id: 'n', connection: parent.connection, parent, reason, detail: '' };
  const { tooltip } = treeItem(node, facts);
  if (typeof tooltip !== 'string') throw new Error('The tooltip is not plain text.');
  return tooltip;
}

describe('tenant mode and the licence of a server', () => {
  it('are in the tooltip of the server', () => {
    const account = { tenantMode: true, licenceState: 'Exceeded\u202e', licences: 'Agent 25, Shield 1' };
    const { tooltip } = treeItem(server(account), facts);
    expect(tooltip).toContain('Tenant mode is on\nLicence state: Exceeded\nLicences: Agent 25, Shield 1');
    expect(treeItem(server({}), facts).tooltip).not.toMatch(/Tenant|Licence/);
  });

  it('explain an empty place and a refused one, but nothing to an account that they do not restrict', () => {
    const restricted = { isSuperAdmin: false, tenantMode: true };
    expect(empty('noneVisible', restricted)).toContain('Tenant mode is on');
    expect(empty('noPermission', restricted)).toContain('Tenant mode is on');
    expect(empty('none', restricted)).not.toContain('Tenant mode');
    expect(empty('noneVisible', { ...restricted, isSuperAdmin: true })).not.toContain('Tenant mode');
    expect(empty('noPermission', { licenceState: 'Exceeded' })).toContain('Licence state: Exceeded');
  });
});

describe('a hidden folder', () => {
  it('says so beside those who can view it, also to a screen reader', () => {
    const parent = server({});
    const node = { kind: 'folder', id: 'f', connection: parent.connection, folderId: '1', name: 'F' } as FolderNode;
    const item = (isHidden: boolean) =>
      treeItem(node, { ...facts, scopeOf: () => ({ openTo: 'groups', groups: ['North'], isHidden }) });
    expect(item(true).description).toBe('North · hidden');
    expect([item(true).contextValue, item(false).contextValue]).toEqual([
      expect.stringMatching(/;hidden$/),
      expect.stringMatching(/;notHidden$/),
    ]);
    expect(item(true).tooltip).toBe('F\nVisible only to members of North\nhidden');
    expect(item(true).accessibilityInformation?.label).toBe('Folder F, Visible only to members of North, hidden');
    expect(item(false).description).toBe('North');
  });
});
