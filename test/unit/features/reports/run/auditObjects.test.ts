import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import type { Connection } from '../../../../../src/connections/connection.ts';
import type { ResultsState } from '../../../../../src/contract/pages/resultsPage.ts';
import { auditTrailId } from '../../../../../src/editor/commands/services.ts';
import { activatePolicy, assignGroup } from '../../../../../src/features/security/policyAssignment.ts';
import { RunHistory } from '../../../../../src/features/reports/history/runHistory.ts';
import { PromptMemory } from '../../../../../src/features/reports/prompts/promptMemory.ts';
import { auditObjects } from '../../../../../src/features/reports/run/auditObjects.ts';
import type { PanelServices } from '../../../../../src/features/reports/run/panelHandlers.ts';
import { ResultsPanel } from '../../../../../src/features/reports/run/resultsPanel.ts';
import { addMember, removeMember } from '../../../../../src/access/membership.ts';
import { objectServer } from '../../../../../src/objects/objectServer.ts';
import { changeOn, createOn, openCommandScene, type CommandScene } from '../../../../support/commandScene.ts';
import { startLocalServer, type LocalTestServer } from '../../../../support/localServer.ts';
import { Uri } from '../../../../support/vscode/basics.ts';
import { dismiss, person } from '../../../../support/vscode/person.ts';
import { closePanels, createWebviewPanel, panels } from '../../../../support/vscode/webviews.ts';

let server: LocalTestServer;
let scene: CommandScene;
let connection: Connection;
let folder: string;
const ids: Record<string, string> = {};

beforeAll(async () => {
  server = await startLocalServer(true);
  scene = await openCommandScene();
  folder = await mkdtemp(path.join(tmpdir(), 'audit-objects-'));
  connection = await scene.addServer('Shop', server.apiBase, server.adminPassword);
  const client = await connection.client();
  const roots = await client.call('library/GetAllLibraryTree', { includefav: false, includePersonal: false });
  ids.user = await createOn(connection, 'user', 'nora');
  ids.group = await createOn(connection, 'group', 'Night Shift');
  ids.tag = await createOn(connection, 'tag', 'shift');
  ids.policy = await createOn(connection, 'policy', 'Own shift', { isActive: false });
  ids.folder = await createOn(connection, 'folder', 'Nights', {}, String(roots[0]?.rootnode?.id));
  const words = 'nora in the group';
  await addMember(client, { groupId: ids.group, userId: ids.user, roleId: '3', words });
  await removeMember(client, { groupId: ids.group, userId: ids.user, words });
  await assignGroup(client, { policyId: ids.policy, groupId: ids.group, words }, true);
  await activatePolicy(objectServer(client), ids.policy, true, async () => 'sure');
  const [report] = await client.call('library/SearchReports', { searchstring: 'Costly Species' });
  ids.report = String(report?.id);
  await changeOn(connection, 'report', ids.report, { Description: 'Of birds' });
}, 120_000);

afterEach(() => {
  closePanels();
  person.leave();
  vi.restoreAllMocks();
});

afterAll(async () => {
  await scene.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Shows the audit trail. @returns its page, and what arranges its rows. */
async function open() {
  const made = createWebviewPanel('analytics.results', 'Audit Trail');
  const panel = panels.at(-1);
  if (panel === undefined || panel !== made) throw new Error('No panel was opened.');
  const services = {
    connections: { get: () => connection },
    memory: new PromptMemory({ get: () => undefined, update: async () => undefined }),
    history: new RunHistory(),
    sql: { show: async () => undefined, refresh: () => undefined },
    extensionUri: Uri.file(folder),
    draft: () => undefined,
  } as unknown as PanelServices;
  const target = { connectionId: connection.id, reportId: auditTrailId, name: 'Audit Trail of Shop' };
  await new ResultsPanel(panel as unknown as vscode.WebviewPanel, target, services).start();
  await expect.poll(() => (panel.last('state') as ResultsState | undefined)?.phase.kind).toBe('done');
  const grid = async () => ((await panel.ask('ready')) as { grid: { view: number; rows: number } }).grid;
  const search = (text: string) => panel.ask('arrange', { sort: [], filters: {}, search: text });
  return { panel, grid, search };
}

/** The document that opens from the only row with these words; undefined if none does. */
async function opened(words: string): Promise<unknown> {
  const { panel, grid, search } = await open();
  await search(words);
  const execute = vi.spyOn(vscode.commands, 'executeCommand').mockResolvedValue(undefined);
  await panel.ask('drill', { view: (await grid()).view, row: 0, column: 3 });
  const [command, target] = (execute.mock.calls.at(-1) ?? []) as unknown[];
  execute.mockRestore();
  if (command === undefined) return undefined;
  expect(command).toBe('analytics.object.open');
  return target;
}

describe('an entry of the audit trail', () => {
  it.each([
    ['created user nora', 'user', 'user'],
    ['created group Night Shift', 'group', 'group'],
    ['created data tag shift', 'tag', 'tag'],
    ['created policy Own shift', 'policy', 'policy'],
    ['Nights', 'folder', 'folder'],
    ['report "Costly Species"', 'report', 'report'],
  ])('"%s" opens its %s', async (words, kind, id) => {
    expect(await opened(words)).toMatchObject({ connectionId: connection.id, kind, id: ids[id] });
  });

  it.each([
    ['made user nora', 'nora', 'user'],
    ['removed user nora', 'Night Shift', 'group'],
    ['assigned policy Own shift', 'Own shift', 'policy'],
  ])('"%s" asks which of its two objects to open', async (words, label, kind) => {
    person.answers('Open the Object of the Entry', label);
    expect(await opened(words)).toMatchObject({ kind, id: ids[kind], name: label });
  });

  it('opens nothing when that question is left, or its object is gone', async () => {
    person.answers('Open the Object of the Entry', dismiss);
    expect(await opened('made user nora')).toBeUndefined();
    const id = await createOn(connection, 'group', 'Short-lived');
    const group = await (await connection.client()).call('Group/GetSecurityGroupById', { GroupId: id });
    await objectServer(await connection.client()).call('Group/DeleteSecurityGroup', { group }, guard);
    const { panel, grid, search } = await open();
    await search('created group Short-lived');
    await expect(panel.ask('drill', { view: (await grid()).view, row: 0, column: 3 })).rejects.toThrow(
      'Shop shows no Short-lived now: it was deleted, renamed or never saved, or this account cannot see it.',
    );
  });
});

const guard = { answeredEmpty: () => undefined, beforeResend: async () => undefined };

it('is filtered, and exported as it is shown', async () => {
  const { panel, grid, search } = await open();
  const { rows: all } = await grid();
  await search('Night Shift');
  const { rows: found } = await grid();
  expect([found > 0, found < all]).toEqual([true, true]);
  const file = path.join(folder, 'trail.csv');
  person.answers('Export Audit', 'CSV').answers('Export "Audit', file).answers('Exported', dismiss);
  await panel.ask('exportRows', { hasPicture: false });
  const [head, ...rows] = (await readFile(file, 'utf8')).trim().split('\r\n');
  expect(head).toBe('Moment,Event,User,Detail,Entry');
  expect(rows).toHaveLength(found);
  expect(rows.every((row) => row.includes('Night Shift'))).toBe(true);
});

it.each<[object, object[]]>([
  [{ Event: 'Login Success', User: 'nora', Detail: 'nora' }, [{ kind: 'user', name: 'nora' }]],
  [{ Event: 'Report Execution', User: 'nora', Detail: 'Delays, refused' }, [{ kind: 'report', name: 'Delays' }]],
  [{ Event: 'Report Execution SQL', User: 'nora', Detail: 'SELECT 1' }, []],
  [{ Event: 'Administration', Detail: 'saved settings' }, [{ setting: 'settings' }]],
  [{ Event: 'Administration', Detail: 'saved licence: valid, 3 seats' }, [{ setting: 'licences' }]],
  [{ Event: 'Administration', Detail: 'Registered server 7 saved' }, [{ kind: 'server', name: '7' }]],
  [{ Event: 'Administration', Detail: 'Report type 4 "Birds" saved' }, [{ kind: 'reporttype', name: 'Birds' }]],
  [{ Event: 'Administration', Detail: 'deleted folder A/B with 3 items' }, [{ kind: 'folder', name: 'A/B' }]],
  [{ Event: 'Administration', Detail: 'constructed user nora' }, []],
  [{ Event: 7, Detail: null }, []],
])('reads what an entry is about: %j', (row, objects) => {
  expect(auditObjects(row as Record<string, unknown>)).toEqual(objects);
});
