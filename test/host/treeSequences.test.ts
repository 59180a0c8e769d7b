import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { ServersTree } from '../../src/features/sidebar/serversTree.ts';
import { objectOf, type TreeNode } from '../../src/editor/nodes/treeNode.ts';
import { hostFigure } from '../support/hostFigure.ts';
import { TreeEditor } from '../support/workbench/treeEditor.ts';
import { Dice, TreeServer } from '../support/workbench/treeServer.ts';

const sequences = 1_000;
const stepsAtMost = 25;
const kinds = ['folder', 'report', 'user', 'group', 'tag', 'policy'] as const;

/** One step of somebody at the sidebar, or of the world behind it. */
type Step = (scene: Scene) => Promise<void> | void;

interface Scene {
  dice: Dice;
  server: TreeServer;
  tree: ServersTree;
  editor: TreeEditor;
}

const steps: Record<string, Step> = {
  expand: async ({ editor, dice }) => {
    const row = dice.pick(foldedRows(editor));
    const opening = row && editor.expand(row);
    if (dice.roll(2) === 0) await opening;
  },
  expandMore: async ({ editor, dice }) => {
    for (let count = 0; count < 3; count++) {
      const row = dice.pick(foldedRows(editor));
      if (row) await editor.expand(row);
    }
  },
  collapse: ({ editor, dice }) => {
    const row = dice.pick(editor.rows().filter(({ id }) => editor.open.has(id)));
    if (row) editor.collapse(row);
  },
  select: ({ editor, dice }) => {
    editor.selected = dice.pick(editor.rows())?.id;
  },
  refresh: async ({ tree, editor, dice }) => {
    const reading = tree.refresh(dice.roll(2) === 0 ? undefined : dice.pick(editor.rows())?.node);
    if (dice.roll(2) === 0) await reading;
  },
  refreshUsers: async ({ tree, server, dice }) => {
    const reading = tree.refreshObjects(
      server.connection,
      dice.pick(['user', 'group', 'policy', 'library'] as const) ?? 'user',
    );
    if (dice.roll(2) === 0) await reading;
  },
  retry: ({ tree, editor }) => {
    const failure = editor.rows().find(({ node }) => node.kind === 'failure');
    if (failure) tree.retry(failure.node);
  },
  add: ({ server, dice }) => server.add(dice.pick(kinds) ?? 'user'),
  rename: ({ server, dice }) => server.rename(dice.pick(kinds) ?? 'user'),
  remove: ({ server, dice }) => server.remove(dice.pick(kinds) ?? 'user'),
  move: ({ server }) => server.move(),
  outage: ({ server }) => {
    server.isUp = !server.isUp;
  },
  signOut: ({ server }) => server.signOut(),
  signIn: ({ server, dice }) => server.signIn(String(1 + dice.roll(2))),
  filter: ({ tree, dice }) => {
    tree.filter = dice.pick(['', '1', 'user', 'report 2', 'nothing is called so']) ?? '';
  },
  pause: async ({ editor }) => editor.settled(),
};

/** What the sidebar has to show below a node. */
function expected(server: TreeServer, { kind, ...node }: TreeNode): string[] | undefined {
  if (kind === 'libraryRoot' && 'library' in node && node.library === 'public') return inFolder(server, 1);
  if (kind === 'folder' && 'folderId' in node) return inFolder(server, Number(node.folderId));
  if (kind === 'group') return server.names('user');
  if (kind !== 'list' || !('list' in node)) return undefined;
  const names = { users: 'user', groups: 'group', dataTags: 'tag', policies: 'policy' } as const;
  return server.names(names[node.list]);
}

function inFolder(server: TreeServer, id: number): string[] {
  return [...server.names('folder', id), ...server.names('report', id)];
}

function foldedRows(editor: TreeEditor) {
  const leaf = vscode.TreeItemCollapsibleState.None;
  return editor.rows().filter(({ id, item }) => item.collapsibleState !== leaf && !editor.open.has(id));
}

/** Open lists that say a number of objects beside a row that says why they could not be read. */
function numberedHindrances(editor: TreeEditor): string[] {
  const rows = editor.rows();
  return rows
    .filter(({ id, node, item }) => {
      const isNumbered = node.kind === 'list' && item.description !== undefined && editor.open.has(id);
      return isNumbered && rows.some((below) => below.node.parent?.id === id && isHindrance(below.node));
    })
    .map(({ id, item }) => `${id}: ${String(item.description)}`);
}

/** Whether a row only says why its place could not be read. */
function isHindrance(node: TreeNode): boolean {
  return node.kind === 'failure' || (node.kind === 'notice' && ['signedOut', 'expired'].includes(node.reason));
}

describe('the sidebar in any order of events', function () {
  this.timeout(300_000);

  it(`R20: equals the server after ${sequences} random sequences, and keeps ids, what is open and what is selected`, async () => {
    let taken = 0;
    let compared = 0;
    let signIns = 0;
    let slowest = 0;
    for (let seed = 1; seed <= sequences; seed++) {
      const dice = new Dice(seed);
      const server = new TreeServer(dice);
      const tree = new ServersTree({
        connections: server.connections,
        localServer: { state: 'stopped' },
        showsScopes: () => false,
      });
      const editor = new TreeEditor(tree);
      const scene = { dice, server, tree, editor };
      const done: string[] = [];
      const fail = (what: string) => `seed ${seed}, ${done.join(' ')}: ${what}`;
      await editor.start();
      for (let count = 0; count < 5; count++) await steps.expandMore?.(scene);
      for (let count = 5 + dice.roll(stepsAtMost - 5); count > 0; count--) {
        const name = dice.pick(Object.keys(steps)) ?? 'pause';
        done.push(name);
        await steps[name]?.(scene);
        taken++;
      }
      await editor.settled();
      assert.deepEqual(numberedHindrances(editor), [], fail('a number that nobody knows'));
      const { open: openBefore, selected } = { open: new Set(editor.open), selected: editor.selected };
      server.isUp = true;
      tree.filter = '';
      if (!server.isSignedIn) {
        server.signIn();
        await editor.settled();
        const hindered = editor.rows().filter(({ node }) => isHindrance(node));
        assert.deepEqual(hindered, [], fail('a hindrance that signing in took away'));
        signIns++;
      }
      const started = performance.now();
      await tree.refresh();
      await editor.settled();
      slowest = Math.max(slowest, performance.now() - started);

      assert.deepEqual(editor.faults, [], fail('ids'));
      const rows = editor.rows();
      assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length, fail('a row twice'));
      assert.deepEqual(
        rows.filter(({ node }) => node.kind === 'failure').map(({ id }) => id),
        [],
        fail('a failure that is over'),
      );
      for (const row of rows) {
        const wanted = editor.open.has(row.id) ? expected(server, row.node) : undefined;
        if (!wanted) continue;
        const shown = (row.children ?? []).map((id) => rows.find((other) => other.id === id));
        const objects = shown.filter((below) => below && objectOf(below.node));
        const names = objects.flatMap((below) => (typeof below?.item.label === 'string' ? [below.item.label] : []));
        assert.deepEqual(names.sort(), wanted.sort(), fail(`what is in ${row.id}`));
        const number = row.node.kind === 'list' ? row.item.description : undefined;
        if (number !== undefined) assert.equal(number, String(wanted.length), fail(`the number of ${row.id}`));
        const meant = objects.flatMap((below) => (below && objectOf(tree.current(below.node))?.name) ?? []);
        assert.deepEqual(meant.sort(), wanted, fail(`what commands are given in ${row.id}`));
        compared += 1;
      }
      const stillThere = new Set(rows.map(({ id }) => id));
      for (const id of openBefore) assert.ok(editor.open.has(id), fail(`${id} was folded`));
      if (selected !== undefined && stillThere.has(selected)) assert.equal(editor.selected, selected);
      editor.dispose();
      tree.dispose();
    }
    assert.ok(compared > sequences, 'Too few open places were compared.');
    assert.ok(slowest < 1_000, `A refresh took ${slowest} ms`);
    const words = `${sequences} sequences of ${taken} steps: ${compared} open places equal the server, 0 ids twice or changed, ${signIns} recoveries by signing in alone`;
    hostFigure('R20', `${words}, the slowest refresh ${slowest.toFixed(0)} ms`);
  });

  it('lets the editor keep its rows where nothing changed, and all but one where one did', async () => {
    const server = new TreeServer(new Dice(1));
    const tree = new ServersTree({
      connections: server.connections,
      localServer: { state: 'stopped' },
      showsScopes: () => false,
    });
    const editor = new TreeEditor(tree);
    for (const [index, user] of server.objects.user.entries()) user.name = `user ${10 * index + 10}`;
    server.signIn();
    await editor.start();
    for (let level = 0; level < 4; level++) for (const row of foldedRows(editor)) await editor.expand(row);
    await editor.settled();
    const told: string[] = [];
    const listening = tree.onDidChangeTreeData((changed) => {
      const rows = changed === undefined ? ['everything'] : [changed].flat().map(({ id }) => id);
      told.push(...rows);
    });

    await tree.refresh();
    await editor.settled();
    assert.deepEqual(told, [], 'nothing changed');

    const [, user] = server.objects.user;
    assert.ok(user);
    user.name = 'user 21';
    await tree.refresh();
    await editor.settled();
    const changed = editor.rows().filter(({ item }) => item.label === 'user 21');
    assert.ok(changed.length > 1, 'as a user, and as a member of groups');
    assert.deepEqual(told.sort(), changed.map(({ id }) => id).sort());
    for (const { node } of changed) assert.equal(objectOf(tree.current(node))?.name, 'user 21');
    listening.dispose();
    editor.dispose();
    tree.dispose();
  });
});
