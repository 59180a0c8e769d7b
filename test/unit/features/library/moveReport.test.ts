import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections/connection.ts';
import { CommandError } from '../../../../src/editor/commandError.ts';
import { objectOf, type TreeNode } from '../../../../src/editor/nodes/treeNode.ts';
import { addFavourite, moveReport, removeFavourite } from '../../../../src/features/library/commands.ts';
import { commandFor, treeDragAndDrop } from '../../../../src/features/sidebar/treeDragAndDrop.ts';
import { createOn, openCommandScene, rowsBelow, type CommandScene } from '../../../support/commandScene.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { ran } from '../../../support/vscode/index.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

/** On a busy machine, what follows by itself takes its time. */
const soon = <T>(look: () => T) => expect.poll(look, { timeout: 20_000 });

let servers: LocalTestServer[];
let scene: CommandScene;
let shop: Connection;
let other: Connection;
let count = 0;
/** Name of an empty folder. */
let target: string;

beforeAll(async () => {
  servers = [await startLocalServer(true), await startLocalServer(true)];
  scene = await openCommandScene();
  const [one, two] = servers;
  if (!one || !two) throw new Error('Two servers are needed.');
  shop = await scene.addServer('Shop', one.apiBase, one.adminPassword);
  other = await scene.addServer('Other', two.apiBase, two.adminPassword);
});

beforeEach(async () => {
  target = `Folder ${(count += 1)}`;
  const library = objectOf(await scene.find(shop, 'library', 'public'));
  await createOn(shop, 'folder', target, {}, library?.id);
});

afterEach(() => {
  ran.length = 0;
  person.leave();
});

afterAll(async () => {
  await scene.close();
  for (const server of servers) await server.stop();
});

const folder = (name: string, connection = shop) => scene.find(connection, 'library', 'public', name);
const report = (place: string, name: string, connection = shop) =>
  scene.find(connection, 'library', 'public', place, name);

async function reportsIn(name: string, connection = shop): Promise<string[]> {
  return (await rowsBelow(await folder(name, connection))).flatMap((node) => objectOf(node)?.name ?? []);
}

describe('moving', () => {
  it('asks for the folder, and moves what was selected on this server only', async () => {
    const [routes, far] = [await report('Flights', 'Routes'), await report('Flights', 'Routes', other)];
    const all = await report('Flights', 'All Flights');
    person.answers('Move Report to Folder', target);
    await moveReport(scene.services, routes, [routes, far, all]);
    expect(await reportsIn(target)).toEqual(['All Flights', 'Routes']);
    expect(await reportsIn('Flights')).not.toContain('Routes');
    expect(await reportsIn('Flights', other)).toEqual(expect.arrayContaining(['Routes', 'All Flights']));
    expect(person.texts('status')).toEqual([`2 reports moved to ${target} on Shop`]);
  });

  it('moves nothing if the list of folders is dismissed', async () => {
    person.answers('Move Report to Folder', dismiss);
    await moveReport(scene.services, await report('Bird Strikes', 'Costly Species'));
    expect(await reportsIn('Bird Strikes')).toContain('Costly Species');
  });

  it('asks before a dropped report is moved, with who sees it there', async () => {
    const drop = { dropped: [await report('Bird Strikes', 'Costly Species')], onto: await folder(target) };
    person.answers(`Move report "Costly Species" to ${target} on Shop?`, dismiss);
    await moveReport(scene.services, drop);
    expect(await reportsIn(target)).toEqual([]);
    expect(person.texts('message')[0]).toContain(`Everyone who can see ${target} can run them there.`);
    person.answers(`Move report "Costly Species" to ${target} on Shop?`, 'Move');
    await moveReport(scene.services, drop);
    expect(await reportsIn(target)).toEqual(['Costly Species']);
  });

  it('counts several dropped reports, without those that are there already', async () => {
    const [first, second] = [await report('Flights', 'Map of Delays'), await report('Flights', 'On-Time Share')];
    person.answers('Move report "Map of Delays"', 'Move');
    await moveReport(scene.services, { dropped: [first], onto: await folder(target) });
    const there = await report(target, 'Map of Delays');
    const third = await report('Flights', 'Flights by Distance');
    person.answers(`Move 2 reports to ${target} on Shop?`, 'Move');
    await moveReport(scene.services, { dropped: [there, second, third], onto: await folder(target) });
    expect(await reportsIn(target)).toEqual(['Flights by Distance', 'Map of Delays', 'On-Time Share']);
  });

  it('says that a report is there already, and asks nothing', async () => {
    await moveReport(scene.services, {
      dropped: [await report('North', 'Airports of North')],
      onto: await folder('North'),
    });
    expect(person.texts()).toEqual(['Already in North on Shop: Airports of North']);
  });

  it.each(['dropped', 'onto'] as const)('moves nothing when %s was shown by another installation', async (part) => {
    const drop = { dropped: [await report('North', 'Airports of North')], onto: await folder(target) };
    const stale = (node: TreeNode): TreeNode => ({ ...node, installation: 'another' });
    const changed =
      part === 'onto' ? { ...drop, onto: stale(drop.onto) } : { ...drop, dropped: drop.dropped.map(stale) };
    await expect(moveReport(scene.services, changed)).rejects.toThrow(CommandError);
    expect(await reportsIn('North')).toEqual(['Airports of North']);
  });

  it('asks who sees a report only in the other folder', async () => {
    const [routes, words] = [await report('North', 'Airports of North'), 'will see the content of Airports of North'];
    person.answers('Move Report to Folder', target).answers(words, dismiss);
    await moveReport(scene.services, routes);
    expect(await reportsIn('North')).toEqual(['Airports of North']);
    expect(person.texts('message').at(-1)).toMatch(
      /^9 users will see the content of Airports of North: coast\.viewer, guest/m,
    );
  });

  it('goes on after one that fails, and retries only that one', async () => {
    const [gone, stays] = [
      await report('Flights', 'Number of Flights'),
      await report('Flights', 'Flights from an Airport'),
    ];
    if (gone.kind !== 'report') throw new Error('It is no report.');
    const missing = { ...gone, item: { ...gone.item, itemId: '99999', name: 'Missing' } };
    person.answers('Move Report to Folder', target).answers('Moving reports to', dismiss);
    await moveReport(scene.services, missing, [missing, stays]);
    await soon(() => person.texts('message')).toHaveLength(1);
    expect(person.texts('message')[0]).toMatch(/1 of 2 done\. Could not move report "Missing"/);
    expect(await reportsIn(target)).toEqual(['Flights from an Airport']);
    expect(await reportsIn('Flights')).toContain('Number of Flights');
  });
});

describe('favourites', () => {
  async function favourites(connection = shop): Promise<string[]> {
    return (await rowsBelow(await scene.find(connection, 'library', 'favourites')))
      .flatMap((node) => (node.kind === 'report' || node.kind === 'dashboard' ? [node.item.name] : []))
      .sort();
  }
  const dashboard = () => scene.find(shop, 'library', 'public', 'Dashboards', 'Bird Strikes at a Glance');

  it('hold reports and dashboards that were added, and no longer those that were removed', async () => {
    const rows = [await report('Bird Strikes', 'Find Bird Strikes'), await dashboard()];
    await addFavourite(scene.services, rows[0], rows);
    expect(await favourites()).toEqual(['Bird Strikes at a Glance', 'Find Bird Strikes']);
    expect(await favourites(other)).toEqual([]);
    await removeFavourite(scene.services, await dashboard());
    expect(await favourites()).toEqual(['Find Bird Strikes']);
    await removeFavourite(scene.services, await report('Bird Strikes', 'Find Bird Strikes'));
    expect(await favourites()).toEqual([]);
  });

  it('of a mixed selection change only where something is to change', async () => {
    await addFavourite(scene.services, await report('South', 'Airports of South'));
    const rows = [
      await report('South', 'Airports of South'),
      await report('Bird Strikes', 'All Bird Strikes'),
      await report('Bird Strikes', 'Bird Strikes by State'),
    ];
    await addFavourite(scene.services, rows[0], rows);
    expect(person.texts('status').at(-1)).toBe('2 favourites added on Shop');
    await removeFavourite(scene.services, rows[1], [await report('Bird Strikes', 'All Bird Strikes')]);
    expect(await favourites()).toEqual(['Airports of South', 'Bird Strikes by State']);
  });

  it('are not changed on another installation', async () => {
    const row = { ...(await report('North', 'Airports of North')), installation: 'another' };
    await expect(addFavourite(scene.services, row)).rejects.toThrow(CommandError);
    expect(await favourites()).not.toContain('Airports of North');
  });
});

describe('a drop', () => {
  /** A row of Shop, unless another server is given. */
  const node = (kind: string, more: object = {}, connection: object = shop) =>
    ({ kind, id: kind, connection, parent: undefined, ...more }) as TreeNode;
  it.each([
    ['reports onto a folder', ['report', 'report'], 'folder', {}, 'analytics.item.move'],
    ['reports onto a library', ['report'], 'libraryRoot', { folderId: '1' }, 'analytics.item.move'],
    ['reports onto the favourites', ['report'], 'libraryRoot', { folderId: '' }, undefined],
    ['dashboards onto a folder', ['dashboard'], 'folder', {}, undefined],
    ['a folder onto a folder', ['folder'], 'folder', {}, undefined],
    ['a report and a group onto a folder', ['report', 'group'], 'folder', {}, undefined],
    ['groups onto a folder', ['group'], 'folder', { isPersonal: false }, 'analytics.folder.setPermissions'],
    ['groups onto a personal folder', ['group'], 'folder', { isPersonal: true }, undefined],
    ['groups onto a library', ['group'], 'libraryRoot', { folderId: '1' }, undefined],
    ['users and members onto a group', ['user', 'member'], 'group', {}, 'analytics.group.addMembers'],
    ['groups onto a group', ['group'], 'group', {}, undefined],
    ['groups, users and members onto a policy', ['group', 'user', 'member'], 'policy', {}, 'analytics.policy.assign'],
    ['a report onto a policy', ['report'], 'policy', {}, undefined],
    ['users onto a folder', ['user'], 'folder', {}, undefined],
  ] as const)('of %s runs the command of the menu', (_case, kinds, onto, more, command) => {
    const dropped = kinds.map((kind) => node(kind));
    expect(commandFor(dropped, node(onto, more))).toBe(command);
    expect(commandFor([...dropped.slice(0, -1), node(kinds.at(-1) ?? '', {}, other)], node(onto, more))).toBe(
      undefined,
    );
  });

  /** Drags rows onto another row, as the editor passes them on. */
  async function drag(rows: readonly TreeNode[], onto: TreeNode | undefined): Promise<void> {
    const transfer = new Map<string, { value: unknown }>();
    const token = {} as never;
    await treeDragAndDrop.handleDrag?.(rows, transfer as never, token);
    await treeDragAndDrop.handleDrop?.(onto, transfer as never, token);
  }

  it('passes on what was dragged', async () => {
    const [policy, dropped] = [node('policy'), ['group', 'user', 'member'].map((kind) => node(kind))];
    await drag(dropped, policy);
    expect(ran).toEqual([['analytics.policy.assign', { dropped, onto: policy }]]);
  });

  it('beside every row does nothing', async () => {
    await drag([node('group')], undefined);
    expect([...ran, ...person.texts()]).toEqual([]);
  });

  it('that means nothing says what would', async () => {
    const place = node('folder', { name: 'Ours', isPersonal: false });
    await drag([node('user')], place);
    await drag([node('group', {}, other)], place);
    await drag([node('group')], node('folder', { name: 'Mine', isPersonal: true }));
    expect(ran).toEqual([]);
    expect(person.texts()).toEqual([
      expect.stringContaining('Drag reports onto a folder'),
      'Objects cannot be dragged from one server to another.',
      expect.stringContaining('"Mine" on Shop is a personal folder'),
    ]);
  });
});
