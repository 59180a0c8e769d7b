import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections/connection.ts';
import { documentUri } from '../../../../src/editor/documentUri.ts';
import { objectTargetOf } from '../../../../src/editor/nodes/objectTarget.ts';
import { SetupJournalStore } from '../../../../src/features/applications/setupJournal.ts';
import { ReportBuilder } from '../../../../src/features/builder/reportBuilder.ts';
import { BaseStore } from '../../../../src/features/documents/files/openDocuments.ts';
import { RunHistory } from '../../../../src/features/reports/history/runHistory.ts';
import { persistRuns } from '../../../../src/features/reports/history/runStore.ts';
import { PromptMemory } from '../../../../src/features/reports/prompts/promptMemory.ts';
import { removeServer } from '../../../../src/features/servers/removeServer.ts';
import { TagDrafts } from '../../../../src/features/tagValues/tagDrafts.ts';
import { ImportJournalStore } from '../../../../src/features/userImport/importJournal.ts';
import { showInterruptedImports } from '../../../../src/features/userImport/interruptedImports.ts';
import { createOn, openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { useDocuments } from '../../../support/documents/documentServices.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { Disposable } from '../../../support/vscode/basics.ts';
import { documents, documentWorkspace } from '../../../support/vscode/documents.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';
import { Uri } from '../../../support/vscode/uri.ts';
import { closePanels, WebviewPanel } from '../../../support/vscode/webviews.ts';

let servers: LocalTestServer[];
let scene: CommandScene;
const endings: (() => void)[] = [];

beforeAll(async () => {
  servers = [await startLocalServer(), await startLocalServer()];
});

beforeEach(async () => {
  scene = await openCommandScene();
  endings.push(useDocuments(scene).close);
});

afterEach(async () => {
  closePanels();
  for (const end of endings.splice(0)) end();
  await scene.close();
  person.leave();
});

afterAll(() => Promise.all(servers.map((server) => server.stop())));

/** Everything that this computer keeps, by place: keys and values of states and secrets, and files. */
async function kept(): Promise<Map<string, string>> {
  const { globalState, workspaceState, secrets, folder } = scene;
  const found = new Map(secrets.values);
  for (const state of [globalState, workspaceState]) {
    for (const key of state.keys()) found.set(key, `${key} ${JSON.stringify(state.get(key))}`);
  }
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const file = path.join(parentPath, name);
    found.set(file.slice(folder.length), `${file} ${await readFile(file, 'utf8')}`);
  }
  return found;
}

/** Where a server is mentioned. */
async function mentions({ id }: Connection): Promise<string[]> {
  return [...(await kept())].filter(([place, text]) => `${place} ${text}`.includes(id)).map(([place]) => place);
}

/** A document with unsaved changes. */
async function edit(connection: Connection): Promise<void> {
  const name = `Group of ${connection.name}`;
  await createOn(connection, 'group', name);
  const target = objectTargetOf(await scene.row(connection, 'groups', name));
  if (!target) throw new Error('It has no document.');
  await (await scene.services.documents()).open(target);
  const document = documents.active();
  if (document) documents.type(document, '"GroupDescription": ""', '"GroupDescription": "typed"');
}

/** A builder of a report on disk, for which this server is chosen. */
async function build(connection: Connection): Promise<void> {
  const registered = documentWorkspace.registerFileSystemProvider('file', {
    stat: () => ({ type: 1, ctime: 0, mtime: 0, size: 2 }),
    readFile: () => Buffer.from('{}'),
    writeFile: () => undefined,
    onDidChangeFile: () => new Disposable(() => undefined),
  });
  endings.push(() => registered.dispose());
  const document = await documentWorkspace.openTextDocument(Uri.file(`/reports/${connection.name}.report.json`));
  const nothing = async () => undefined;
  const { connections, workspaceState: state } = scene;
  const builder = new ReportBuilder({
    connections,
    state,
    extensionUri: Uri.file('/') as unknown as vscode.Uri,
    preview: nothing,
    showSql: nothing,
    refreshSql: () => undefined,
  });
  const panel = new WebviewPanel('analytics.builder', 'Report');
  builder.open(document as unknown as vscode.TextDocument, panel as unknown as vscode.WebviewPanel);
  person.answers('Select a server to build this report on', connection.name);
  await panel.ask('chooseServer');
}

/** An import that stopped before its first row, which the user was told about. */
async function importHalf(connection: Connection, installation: string): Promise<void> {
  const row = { line: 2, loginName: 'ina', firstName: '', lastName: 'L', email: '', company: '', description: '' };
  const rest = {
    tags: ['', '', '', ''] as [string, string, string, string],
    memberships: [],
    problems: [],
    password: '',
  };
  const facts = { connectionId: connection.id, installation, file: 'file:///u.csv', fileName: 'u.csv' };
  const store = new ImportJournalStore(path.join(scene.folder, 'imports'));
  await store.begin({ ...facts, startedAt: '2026-01-01T00:00:00Z' }, [{ ...row, ...rest }]);
  person.answers(`into ${connection.name} was interrupted`, dismiss);
  await showInterruptedImports(scene.services);
}

/** Does with a server what keeps something on this computer. */
async function use(connection: Connection, history: RunHistory): Promise<void> {
  const { globalState, workspaceState, folder } = scene;
  const client = await connection.client();
  const installation = await client.call('LicenseManager/GetInstallationID', {});
  await edit(connection);
  await build(connection);
  await importHalf(connection, installation);
  // Unsaved in a window that was closed: nothing here has it open.
  const target = { connectionId: connection.id, kind: 'group', id: '99', name: 'Elsewhere' };
  await new BaseStore(workspaceState).keep(documentUri(target, installation), { text: '{}', mtime: 1, size: 2 });
  const prompts = new PromptMemory(globalState);
  const [shape, value] = [{ name: 'State', mode: 'one', isSkipable: false } as never, { low: 'Kept' } as never];
  await prompts.keep(connection.id, '7', [shape], [value]);
  await prompts.keepPreset({ connectionId: connection.id, reportId: '7' }, 'North', [shape], [value]);
  await new TagDrafts(workspaceState).keep(`${connection.id}/3`, {
    defaultValue: { from: '', to: 'x' },
    groups: [],
    users: [],
  });
  const database = { displayName: '', platform: '', host: '', database: '', owner: '', login: '', timeZone: 1 };
  const setup = { connectionId: connection.id, installation, name: 'Shop', description: '', database };
  await new SetupJournalStore(path.join(folder, 'applications')).begin(setup);
  await scene.services.unknownWrites.journalOf(connection).begin({ kind: 'change', object: 'group "North"' });
  history.add({
    target: { connectionId: connection.id, reportId: '7', name: 'Report' },
    state: 'done',
    startedAt: new Date(),
  } as never);
}

it('leaves nothing about a removed server, and all about the others', async () => {
  const history = new RunHistory();
  const runs = persistRuns(history, scene.workspaceState, (id) => scene.connections.get(id) !== undefined);
  await runs.restored;
  const removals = scene.connections.onDidChange(() => runs.serversChanged());
  endings.push(() => {
    removals.dispose();
    runs.dispose();
  });
  const [one, other] = servers;
  if (!one || !other) throw new Error('Two servers are needed.');
  const gone = await scene.addServer('Gone', one.apiBase, one.adminPassword, { keepsPassword: true });
  const stays = await scene.addServer('Stays', other.apiBase, other.adminPassword, { keepsPassword: true });
  for (const connection of [gone, stays]) await use(connection, history);
  const [ofGone, ofOthers] = [await mentions(gone), await mentions(stays)];
  // Each flow leaves something: one that writes nothing any more would test nothing.
  expect(ofGone.length).toBeGreaterThanOrEqual(13);
  expect(ofGone).toHaveLength(ofOthers.length);
  person.answers('Remove Gone from the list of servers?', 'Remove');
  await removeServer(scene.services, { connectionId: gone.id });
  expect(await mentions(gone)).toEqual([]);
  expect(await mentions(stays)).toEqual(ofOthers);
  expect(person.texts('message').at(-1)).toContain(
    'Closes documents with unsaved changes: 1. Discards unsaved data tag',
  );
});
