import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections/connection.ts';
import { ownPaths } from '../../../../src/contract/endpoints.ts';
import { CommandError } from '../../../../src/editor/commandError.ts';
import { objectOf, type TreeNode } from '../../../../src/editor/nodes/treeNode.ts';
import { deleteObjects } from '../../../../src/features/documents/deleteObjects.ts';
import { newObject } from '../../../../src/features/documents/newObjects.ts';
import { newDashboard } from '../../../../src/features/library/dashboards.ts';
import { createOn, openCommandScene, rowsBelow, type CommandScene } from '../../../support/commandScene.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { handled, startScriptedServer, type ScriptedServer } from '../../../support/scriptedServer.ts';
import { ran } from '../../../support/vscode/index.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

let servers: LocalTestServer[];
let release: ScriptedServer;
let scene: CommandScene;
let shop: Connection;
/** A server that answers all calls of the API, and 404 to our own. */
let other: Connection;
let count = 0;
let place: string;

beforeAll(async () => {
  servers = [await startLocalServer(true), await startLocalServer(true)];
  scene = await openCommandScene();
  const [one, two] = servers;
  if (!one || !two) throw new Error('Two servers are needed.');
  release = await startScriptedServer(async ({ path, body }, response) => {
    if (ownPaths.some((own) => path.endsWith(own))) {
      response.writeHead(404).end();
      return handled;
    }
    const headers = { 'content-type': 'application/json' };
    const url = two.apiBase + path.slice('/api'.length);
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' });
    response.end(await reply.text());
    return handled;
  });
  shop = await scene.addServer('Shop', one.apiBase, one.adminPassword);
  other = await scene.addServer('Other', `${release.url}/api`, two.adminPassword);
});

beforeEach(async () => {
  place = `Folder ${(count += 1)}`;
  await createOn(shop, 'folder', place, {}, objectOf(await scene.find(shop, 'library', 'public'))?.id ?? '1');
});

afterEach(() => {
  ran.length = 0;
  person.leave();
});

afterAll(async () => {
  await scene.close();
  await release.close();
  for (const server of servers) await server.stop();
});

const folder = (name = place) => scene.find(shop, 'library', 'public', name);
const inFolder = async (name = place) =>
  (await rowsBelow(await folder(name))).flatMap((row) => objectOf(row)?.name ?? []);

async function reportsOf(row: TreeNode): Promise<string[]> {
  const client = await shop.client();
  const { reports } = await client.call('Dashboard/GetDashboard', { DashboardId: objectOf(row)?.id ?? '' });
  const items = await client.call('library/SearchReports', { searchstring: '' });
  return (reports ?? []).map(({ ReportID }) => String(items.find(({ id }) => String(id) === ReportID)?.ReportName));
}

describe('a new dashboard', () => {
  it('is created in the folder of its row with the reports that are ticked', async () => {
    person
      .answers('New dashboard on Shop', ' Overview ')
      .answers('Reports of "Overview" on Shop', ['Routes', 'All Flights']);
    await newDashboard(scene.services, await folder());
    expect(await inFolder()).toEqual(['Overview']);
    const row = await scene.find(shop, 'library', 'public', place, 'Overview');
    expect(row.kind).toBe('dashboard');
    expect((await reportsOf(row)).sort()).toEqual(['All Flights', 'Routes']);
    expect(person.texts('status')).toEqual(['Dashboard Overview created on Shop']);
  });

  it('asks for server and folder if it has no row, and may begin without reports', async () => {
    person.answers('New Dashboard: select a server', 'Shop').answers('New Dashboard', place);
    person.answers('New dashboard on Shop', 'Empty').answers('Reports of "Empty"', []);
    await newDashboard(scene.services);
    expect(await inFolder()).toEqual(['Empty']);
  });

  it('offers reports, and no dashboards', async () => {
    person.answers('New dashboard on', 'First').answers('Reports of', dismiss);
    await newDashboard(scene.services, await folder());
    const offered = person.shown.find(({ text }) => text.includes('Reports of'))?.choices ?? [];
    expect(offered).toContain('Routes');
    expect(offered).not.toContain('Flight Operations at a Glance');
  });

  it('is not created if server, folder, name or reports are not given', async () => {
    person.answers('New Dashboard: select a server', dismiss);
    await newDashboard(scene.services);
    person.answers('New Dashboard: select a server', 'Shop').answers('New Dashboard', dismiss);
    await newDashboard(scene.services);
    person.answers('New dashboard on', dismiss);
    await newDashboard(scene.services, await folder());
    person.answers('New dashboard on', 'Never').answers('Reports of', dismiss);
    await newDashboard(scene.services, await folder());
    expect(await inFolder()).toEqual([]);
  });

  it('is not created on another installation than the one that showed the folder', async () => {
    const stale = { ...(await folder()), installation: 'another' } as TreeNode;
    await expect(newDashboard(scene.services, stale)).rejects.toThrow(CommandError);
    expect(person.texts('box')).toEqual([]);
  });

  it('is offered where objects are created, and then asks for the rest', async () => {
    person.answers('Select a server for the new object', 'Shop').answers('New object on Shop', 'Dashboard');
    person.answers('New Dashboard', place);
    await newObject(scene.services);
    const id = objectOf(await folder())?.id;
    const [, ...given] = ran.find(([command]) => command === 'analytics.dashboard.new') ?? [];
    expect(given).toEqual([{ connectionId: shop.id, folderId: id }]);
    person.answers('New dashboard on Shop', 'From here').answers('Reports of', ['Routes']);
    await newDashboard(scene.services, ...given);
    expect(await inFolder()).toEqual(['From here']);
  });
});

describe('a dashboard', () => {
  it('is deleted after a question that says what stays', async () => {
    const report = objectOf(await scene.find(shop, 'library', 'public', 'Flights', 'Routes'))?.id ?? '';
    const parent = objectOf(await folder())?.id;
    await createOn(shop, 'dashboard', 'Old', { reports: [{ ReportID: report }] }, parent);
    const row = await scene.find(shop, 'library', 'public', place, 'Old');
    person.answers('Delete dashboard "Old" on Shop?', dismiss);
    await deleteObjects(scene.services, row, [row]);
    expect(await inFolder()).toEqual(['Old']);
    expect(person.texts('message')[0]).toContain('Everyone who sees it loses it, also from the favourites.');
    expect(person.texts('message')[0]).toContain('The reports that it shows are kept.');
    person.answers('Delete dashboard "Old" on Shop?', 'Delete');
    await deleteObjects(scene.services, row, [row]);
    expect(await inFolder()).toEqual([]);
    expect(await inFolder('Flights')).toContain('Routes');
  });
});

describe('a server without the calls', () => {
  const message = 'Other does not support editing dashboards.';
  /** What a command fails with. */
  const failure = async (command: Promise<unknown>) =>
    command.then(
      () => 'nothing failed',
      (error: unknown) => (error instanceof CommandError && error.cause instanceof Error ? error.cause.message : error),
    );

  it('says so before anything is asked', async () => {
    const row = await scene.find(other, 'library', 'public', 'Flights');
    expect(await failure(newDashboard(scene.services, row))).toBe(message);
    expect(person.shown).toEqual([]);
  });

  it('says so of a deletion', async () => {
    const row = await scene.find(other, 'library', 'public', 'Dashboards', 'Bird Strikes at a Glance');
    expect(await failure(deleteObjects(scene.services, row, [row]))).toBe(message);
    expect(person.texts('message')).toEqual([]);
  });

  it('is not asked again in the same session', async () => {
    const row = await scene.find(other, 'library', 'public', 'Flights');
    const asked = () => release.count('Dashboard/NewDashboard');
    for (let time = 0; time < 3; time++) expect(await failure(newDashboard(scene.services, row))).toBe(message);
    const known = asked();
    expect(await failure(newDashboard(scene.services, row))).toBe(message);
    expect(asked()).toBe(known);
  });
});
