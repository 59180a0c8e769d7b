import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { ServersTree } from '../../src/features/sidebar/serversTree.ts';
import { hostFigure } from '../support/hostFigure.ts';
import { TreeEditor } from '../support/workbench/treeEditor.ts';
import { Dice, TreeServer } from '../support/workbench/treeServer.ts';
import { waitFor } from '../support/waitFor.ts';

/** A sidebar, the editor that shows it, and all that it told the editor: ids of rows, or `everything`. */
class Sidebar {
  readonly server = new TreeServer(new Dice(1));
  readonly tree: ServersTree;
  readonly editor: TreeEditor;
  readonly told: string[][] = [];

  /** @param showsScopes whether folders say who sees them. */
  constructor(showsScopes: boolean) {
    for (const objects of Object.values(this.server.objects)) objects.length = 0;
    this.tree = new ServersTree({
      connections: this.server.connections,
      localServer: { state: 'stopped' },
      showsScopes: () => showsScopes,
    });
    this.editor = new TreeEditor(this.tree);
    this.tree.onDidChangeTreeData((changed) => {
      this.told.push(changed === undefined ? ['everything'] : [changed].flat().map(({ id }) => id));
    });
    this.server.signIn();
  }

  /** Fills a list, or the Public Library. */
  fill(kind: 'folder' | 'user', count: number): void {
    for (let index = 0; index < count; index++) {
      this.server.objects[kind].push({
        id: 1_000 + index,
        name: `${kind} ${1_000 + index}`,
        in: kind === 'folder' ? 1 : 0,
      });
    }
  }

  /** Opens the row of a place, by the end of its id. */
  async open(...places: readonly string[]): Promise<void> {
    for (const place of places) {
      const row = this.editor.rows().find(({ id }) => id === place || id.endsWith(`/${place}`));
      assert.ok(row, place);
      await this.editor.expand(row);
    }
    await this.editor.settled();
  }

  /** Counts anew. */
  forgetCounts(): void {
    this.told.length = 0;
    Object.assign(this.editor.asked, { places: 0, rows: 0 });
  }

  dispose(): void {
    this.editor.dispose();
    this.tree.dispose();
  }
}

/** A sidebar whose folders are on display and say who sees them. */
async function openFolders(count: number): Promise<Sidebar> {
  const sidebar = new Sidebar(true);
  sidebar.fill('folder', count);
  await sidebar.editor.start();
  await sidebar.open('s');
  await waitFor('who sees each folder', async () => sidebar.told.flat().length >= count);
  return sidebar;
}

type Rows = ReturnType<TreeEditor['rows']>;

/** Rows stay the objects that the editor passes to commands, and by which it knows what is selected. */
function keepsRows(before: Rows, now: Rows): void {
  assert.deepEqual(
    now.map(({ id }) => id),
    before.map(({ id }) => id),
  );
  now.forEach(({ node, id }, index) => assert.equal(node, before[index]?.node, id));
}

describe('the sidebar and the editor', () => {
  let sidebar: Sidebar | undefined;
  afterEach(() => sidebar?.dispose());

  it('opens 500 folders with one call for each list, one question for each place and one for each row', async () => {
    sidebar = new Sidebar(true);
    const { server, editor, told } = sidebar;
    sidebar.fill('folder', 500);
    await editor.start();
    sidebar.forgetCounts();
    await sidebar.open('s');
    const rows = editor.rows().length - 1;
    assert.ok(rows > 500);
    // The server, its library and the public one, which are open from the start.
    assert.deepEqual(editor.asked, { places: 3, rows });
    assert.deepEqual(told, [], 'before who sees the folders is known');
    assert.equal(server.count('library/GetAllLibraryTree'), 1);
    assert.equal(server.count('library/GetListByFolderID'), 1);

    await waitFor('who sees each folder', async () => told.flat().length >= 500);
    await editor.settled();
    assert.equal(server.count('library/GetFolderById'), 500);
    assert.equal(new Set(told.flat()).size, 500);
    assert.deepEqual(editor.asked, { places: 3, rows: rows + 500 }, 'one more for each folder');
    const words = `3 places and ${rows} rows asked for once, 2 calls, who sees them told ${told.length} times`;
    hostFigure('sidebar', `the first opening of 500 folders: ${words}`);
  });

  it('does not ask who sees folders that are read again before it gives their rows', async () => {
    sidebar = await openFolders(60);
    const { server, editor, tree } = sidebar;
    const asked = server.count('library/GetFolderById');
    await tree.refresh();
    await editor.settled();
    assert.equal(server.count('library/GetFolderById'), asked);
    await waitFor('the question', async () => server.count('library/GetFolderById') === 2 * asked);
  });

  it('draws 60 folders anew whose readers changed, and nothing else', async () => {
    sidebar = await openFolders(60);
    const { server, editor, told, tree } = sidebar;
    await editor.settled();
    const before = editor.rows();
    for (const { id } of server.objects.folder) server.closed.add(id);
    sidebar.forgetCounts();
    await tree.refresh();
    await waitFor('who sees each folder now', async () => told.flat().length >= 60);
    await editor.settled();
    assert.equal(told.flat().includes('everything'), false);
    assert.deepEqual(editor.asked, { places: 0, rows: 60 });
    const folders = editor.rows().filter(({ node }) => node.kind === 'folder');
    assert.equal(folders.filter(({ item }) => item.description === 'no one').length, 60);
    keepsRows(before, editor.rows());
  });

  it('draws 60 users anew who were locked meanwhile, and keeps every row that one may be about to click', async () => {
    sidebar = new Sidebar(false);
    const { server, editor, told, tree } = sidebar;
    sidebar.fill('user', 60);
    await editor.start();
    await sidebar.open('s', 'security', 'users');
    const before = editor.rows();
    for (const { id } of server.objects.user) server.locked.add(id);
    sidebar.forgetCounts();
    await tree.refresh();
    await editor.settled();
    assert.equal(told.flat().length, 60);
    assert.deepEqual(editor.asked, { places: 0, rows: 60 });
    const locked = editor.rows().filter(({ item }) => item.resourceUri?.query === 'locked');
    assert.equal(locked.length, 60);
    keepsRows(before, editor.rows());
  });

  it('reads everything anew where more than 40 places have other rows, and keeps each row that is still there', async () => {
    sidebar = new Sidebar(false);
    const { editor, told, tree } = sidebar;
    sidebar.fill('folder', 60);
    await editor.start();
    await sidebar.open('s');
    for (const row of editor.rows().filter(({ node }) => node.kind === 'folder')) await editor.expand(row);
    const before = editor.rows().filter(({ node }) => node.kind !== 'notice');
    for (const { id } of sidebar.server.objects.folder) {
      sidebar.server.objects.report.push({ id: id + 1_000, name: `report ${id}`, in: id });
    }
    sidebar.forgetCounts();
    await tree.refresh();
    await editor.settled();
    assert.deepEqual(told, [['everything']]);
    const reports = editor.rows().filter(({ node }) => node.kind === 'report');
    assert.equal(reports.length, 60);
    keepsRows(
      before,
      editor.rows().filter(({ node }) => node.kind !== 'report'),
    );
  });
});
