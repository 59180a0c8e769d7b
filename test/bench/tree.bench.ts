/**
 * The sidebar at size: 10,000 reports in 500 folders and 5,000 users. Opening a place against the calls that it needs, each
 * called alone in the same run; the filter; and the memory of everything opened. First the sidebar's own part, then all of it
 * in a real VS Code against the embedded server, to the frame that shows it: there the editor draws the rows, which for
 * thousands takes it longer than the call. Ratios hold on a busy machine, too.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadChildren } from '../../src/features/sidebar/nodes/nodeChildren.ts';
import { TreeFilter } from '../../src/features/sidebar/treeFilter.ts';
import { serverNode, type TreeNode } from '../../src/editor/nodes/treeNode.ts';
import { measureLargeTree, openLargeTree } from '../support/large/largeTree.ts';
import { startScriptedServer } from '../support/scriptedServer.ts';
import { treeConnection } from '../unit/features/sidebar/treeConnection.ts';
import { median } from './results/median.ts';
import { goal } from './server/goals.ts';

const counts = { folders: 500, reportsPerFolder: 20, users: 5_000 };
const runs = 9;

const folders = Array.from({ length: counts.folders }, (_, index) => ({
  id: index + 10,
  text: `Folder ${index}`,
  children: [],
  level: '1',
  libtype: 1,
  isUserModify: true,
  isUserDelete: true,
}));
const libraryTree = [{ rootnode: { id: 1, text: 'Public Library', level: '0', libtype: 1, children: folders } }];
const users = Array.from({ length: counts.users }, (_, index) => ({
  ErrorCode: 0,
  ID: String(index + 1),
  LoginName: `user.${index}`,
  FirstName: `First ${index}`,
  LastName: 'Last',
  FullName: `First ${index} Last`,
  EmailAddress: `user.${index}@example.com`,
  Company: 'Example',
  lockdate: '0001-01-01T00:00:00',
  LoginDate: '2026-01-02T03:04:05',
  isAdmin: false,
  SecurityGroups: [{ GroupId: '2', GroupName: 'North', GroupRoles: [{ RoleId: '2', RoleName: 'View' }] }],
  UserApplications: [],
}));

function itemsOf(folderId: string): object[] {
  if (folderId === '1') return [];
  return Array.from({ length: counts.reportsPerFolder }, (_, index) => ({
    id: Number(folderId) * 100 + index,
    ReportName: `Report ${folderId} ${index}`,
    ReportType: 'Flights',
    AppDisplayName: 'Flights',
    Description: 'What the report tells',
    folderid: Number(folderId),
    folderpath: `Public/Folder ${folderId}`,
    itemtype: 1,
    LastModified: '2026-01-02T03:04:05Z',
    ModifiedBy: 'admin',
    isUserModify: true,
    isUserDelete: true,
    isFav: false,
  }));
}

const server = await startScriptedServer(({ path, body }) => {
  if (path.endsWith('DoLogin')) {
    return {
      ErrorCode: 0,
      LoginSession: { SessionToken: 't', SessionTimeLeft: 20 },
      LoginUser: { LoginName: 'admin' },
    };
  }
  if (path.endsWith('CheckSession')) return { ErrorCode: 0 };
  if (path.endsWith('GetAllLibraryTree')) return libraryTree;
  if (path.endsWith('GetListByFolderID')) return itemsOf(String(body.LibraryID));
  return path.endsWith('GetContactList') ? users : [];
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Opening a place, and the calls it needs alone, by turns. */
async function compare(name: string, open: () => Promise<unknown>, calls: () => Promise<unknown>): Promise<void> {
  const times = { open: [] as number[], calls: [] as number[] };
  for (let run = 0; run < runs; run++) {
    times.calls.push(await timed(calls));
    times.open.push(await timed(open));
  }
  goal('ratio', `tree-open-${name}/calls`, median(times.open) / median(times.calls), 1.5);
}

const connection = treeConnection(server.url);
const client = await connection.client();
const root = serverNode(connection);
const child = async (parent: TreeNode, fits: (node: TreeNode) => boolean): Promise<TreeNode> => {
  const found = (await loadChildren(parent)).find(fits);
  if (!found) throw new Error(`Nothing fits below ${parent.id}`);
  return found;
};
const library = await child(root, (node) => node.kind === 'section' && node.section === 'library');
const security = await child(root, (node) => node.kind === 'section' && node.section === 'security');
const userList = await child(security, (node) => node.kind === 'list' && node.list === 'users');

await compare(
  'library',
  async () => loadChildren(await child(library, (node) => node.kind === 'libraryRoot')),
  async () => {
    await client.call('library/GetAllLibraryTree', { includefav: true, includePersonal: true });
    await client.call('library/GetListByFolderID', { LibraryID: '1' });
  },
);
await compare(
  'users',
  () => loadChildren(userList),
  () => client.call('Contact/GetContactList', {}),
);

collect();
const idle = process.memoryUsage().heapUsed;
const loaded = new Map<string, TreeNode[]>();
async function openAll(node: TreeNode): Promise<void> {
  const children = await loadChildren(node);
  loaded.set(node.id, children);
  for (const below of children) if (below.kind === 'libraryRoot' || below.kind === 'folder') await openAll(below);
}
await openAll(library);
await openAll(userList);
const nodes = [...loaded.values()].reduce((sum, children) => sum + children.length, 0);
if (nodes < counts.folders * (counts.reportsPerFolder + 1) + counts.users) throw new Error(`Only ${nodes} nodes`);
collect();
goal('figure', 'tree-memory-mb', (process.memoryUsage().heapUsed - idle) / 2 ** 20, 50);

const filter = new TreeFilter(({ id }) => loaded.get(id));
const filterTimes: number[] = [];
for (let run = 0; run < runs; run++) {
  const started = performance.now();
  filter.text = `report ${run + 10} 1`;
  const shown = [...loaded.values()].flatMap((children) => filter.apply(children));
  filterTimes.push(performance.now() - started);
  if (shown.length === 0) throw new Error('The filter finds nothing');
}
goal('figure', 'tree-filter-ms', median(filterTimes), 100);

await server.close();

const large = await openLargeTree();
try {
  const found = await measureLargeTree(large);
  goal('ratio', 'tree-drawn-library/calls', found.library / found.libraryCalls, 1.5);
  goal('ratio', 'tree-drawn-users/calls', found.users / found.usersCalls, 1.5);
  // Rows with nothing but names, that nobody is asked for: what is the editor's own.
  console.log(`ratio tree-drawn-library/plain ${(found.library / found.plainLibrary).toFixed(2)}`);
  console.log(`ratio tree-drawn-users/plain-5000 ${(found.users / found.plainUsers).toFixed(2)}`);
  goal('figure', 'tree-drawn-filter-ms', found.filter, 100);
  goal('figure', 'tree-host-memory-mb', found.memoryMb, 50);
} finally {
  await large.stop();
}
process.exit(0);
