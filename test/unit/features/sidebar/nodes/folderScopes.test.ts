import { afterEach, describe, expect, it } from 'vitest';
import { FolderScopes, type FolderScope } from '../../../../../src/features/sidebar/nodes/folderScopes.ts';
import { loadChildren } from '../../../../../src/features/sidebar/nodes/nodeChildren.ts';
import { serverNode, type FolderNode } from '../../../../../src/editor/nodes/treeNode.ts';
import { startScriptedServer, type ScriptedServer } from '../../../../support/scriptedServer.ts';
import { waitFor } from '../../../../support/waitFor.ts';
import { treeConnection } from '../treeConnection.ts';

let server: ScriptedServer;
/** Folders that somebody opened to others meanwhile. */
const opened = new Set<number>();
/** Whether the account may not list groups. */
let isKeptFromGroups = false;
afterEach(() => {
  opened.clear();
  isKeptFromGroups = false;
  return server.close();
});

/** Twenty folders: even ones scoped to a group, odd ones open to all but 7, whose groups are gone; `failing` ones answer with an error. */
async function folders(failing = -1): Promise<FolderNode[]> {
  server = await startScriptedServer(({ path, body }) => {
    switch (path.replace('/api/', '')) {
      case 'login/DoLogin':
        return { ErrorCode: 0, LoginSession: { SessionToken: 't' } };
      case 'library/GetAllLibraryTree':
        return [
          {
            rootnode: { id: 99, libtype: 1, children: Array.from({ length: 20 }, (_, id) => ({ id, text: `F${id}` })) },
          },
        ];
      case 'library/GetListByFolderID':
        return [{ id: 1, ReportName: 'R', itemtype: 1 }];
      case 'Group/GetAllSecurityGroups':
        if (isKeptFromGroups) return { error_code: 204, error_message: 'No permission' };
        return [{ GroupId: '16', GroupName: 'North' }];
      case 'Contact/GetContactById':
        return { ID: body.ContactId, SecurityGroups: [{ GroupId: '16', GroupName: 'North' }] };
      default: {
        const id = Number(body.folderid);
        if (id === failing) return { error_code: 9001, error_message: 'broken' };
        return {
          id,
          error_code: 0,
          isRestricted: id === 7,
          isHidden: id === 4,
          Permissions: (id % 2 === 1) === opened.has(id) ? [{ RightID: 16 }] : [],
        };
      }
    }
  });
  const [library] = await loadChildren(serverNode(treeConnection(server.url)));
  const [root] = library ? await loadChildren(library) : [];
  const children = root ? await loadChildren(root) : [];
  return children.filter((child) => child.kind === 'folder');
}

describe('FolderScopes', () => {
  it('asks once per folder and once for the names of groups', async () => {
    const nodes = await folders();
    const found = new Map<string, FolderScope | undefined>();
    let tellings = 0;
    const scopes = new FolderScopes((nodes) => {
      tellings++;
      for (const node of nodes) found.set(node.folderId, scopes.get(node));
    });
    scopes.want(nodes);
    scopes.want(nodes.slice(0, 3));
    await waitFor('all scopes', async () => found.size === nodes.length);
    expect(found.get('4')).toEqual({ openTo: 'groups', groups: ['North'], isHidden: true });
    expect(found.get('5')).toEqual({ openTo: 'allUsers', groups: [], isHidden: false });
    expect(found.get('7')).toEqual({ openTo: 'nobody', groups: [], isHidden: false });
    scopes.want(nodes);
    expect(server.count('Group/GetAllSecurityGroups')).toBe(1);
    expect(server.count('library/GetFolderById')).toBe(nodes.length);
    expect(tellings).toBeLessThan(nodes.length / 2);
  });

  it('names the groups that the account is in where it may not list groups', async () => {
    isKeptFromGroups = true;
    const [first] = await folders();
    if (!first) throw new Error('There are no folders.');
    const scopes = new FolderScopes(() => undefined);
    scopes.want([first]);
    await waitFor('the scope', async () => scopes.get(first) !== undefined);
    expect(scopes.get(first)).toEqual({ openTo: 'groups', groups: ['North'], isHidden: false });
  });

  it('asks for a folder once its row was drawn, and again after a refresh, and tells only of what is other then', async () => {
    const nodes = await folders();
    const [first, second] = nodes;
    if (!first || !second) throw new Error('There are no folders.');
    let found: readonly FolderNode[] = [];
    const scopes = new FolderScopes((shown) => void (found = shown));
    scopes.drawn(second.id);
    scopes.offer(nodes);
    await waitFor('the folder drawn before it was read', async () => found.length > 0);
    expect(found).toEqual([second]);
    scopes.drawn(first.id);
    await waitFor('the folder drawn after', async () => found[0] === first);
    expect(server.count('library/GetFolderById')).toBe(2);
    scopes.forget(first.connection);
    expect(scopes.get(first)).toBeDefined();
    opened.add(Number(second.folderId));
    scopes.offer(nodes);
    await waitFor('the folder that was opened to others', async () => found[0] === second);
    expect(found).toEqual([second]);
    expect(server.count('library/GetFolderById')).toBe(4);
    scopes.dispose();
  });

  it('lets rows come first that somebody waits for, however many folders are still to be asked for', async () => {
    const nodes = await folders();
    let rows: PromiseWithResolvers<void> | undefined;
    const isKnown = (node: FolderNode) => scopes.get(node) !== undefined;
    const scopes = new FolderScopes(
      () => undefined,
      () => rows?.promise,
    );
    scopes.want(nodes.slice(0, 5));
    await waitFor('the first folders', async () => nodes.slice(0, 5).every(isKnown));
    rows = Promise.withResolvers();
    scopes.want(nodes);
    // Behind whatever was asked before it.
    const client = await nodes[0]?.connection.client();
    await client?.call('library/GetFolderById', { folderid: '0' });
    expect(server.count('library/GetFolderById')).toBe(6);
    const { resolve } = rows;
    rows = undefined;
    resolve();
    await waitFor('all scopes', async () => nodes.every(isKnown));
    scopes.dispose();
  });

  it('stops asking a server that fails, and asks again after a refresh', async () => {
    const nodes = await folders(0);
    let found = 0;
    const scopes = new FolderScopes((shown) => void (found += shown.length));
    scopes.want(nodes);
    await waitFor('the failure', async () => scopes.get(nodes[0] as FolderNode)?.openTo === 'unknown');
    const asked = server.count('library/GetFolderById');
    expect(asked).toBeLessThan(nodes.length);
    scopes.forget(nodes[0]?.connection as FolderNode['connection']);
    scopes.want(nodes.slice(1));
    await waitFor('the other scopes', async () => found >= nodes.length - 1);
  });
});
