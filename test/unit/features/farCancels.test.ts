import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { Connection } from '../../../src/connections/connection.ts';
import type { ResultsSnapshot } from '../../../src/contract/pages/resultsPage.ts';
import { endpoints } from '../../../src/contract/endpoints.ts';
import type { EndpointRow } from '../../../src/contract/endpointRow.ts';
import type { TreeNode } from '../../../src/editor/nodes/treeNode.ts';
import { RunHistory } from '../../../src/features/reports/history/runHistory.ts';
import { ReportRunner } from '../../../src/features/reports/run/reportRunner.ts';
import { SqlPreview } from '../../../src/features/reports/sql/sqlPreview.ts';
import { registerCommands } from '../../../src/registry.ts';
import { createOn, openCommandScene, rowsBelow, type CommandScene } from '../../support/commandScene.ts';
import { useDocuments } from '../../support/documents/documentServices.ts';
import { startFarProxy, type FarProxy } from '../../support/far/farProxy.ts';
import { startLocalServer, type LocalTestServer } from '../../support/localServer.ts';
import { figure } from '../../support/run/figure.ts';
import { documents } from '../../support/vscode/documents.ts';
import { commands } from '../../support/vscode/index.ts';
import { dismiss, person } from '../../support/vscode/person.ts';
import { closePanels, panels } from '../../support/vscode/webviews.ts';

/*
 * The commands as registered, on a server that stops answering at each of their calls: within 100 ms the wait shows, a
 * second later it can be cancelled, and then the command ends within a second and shows no error. The clock is the test's.
 */

let server: LocalTestServer;
let proxy: FarProxy;
let scene: CommandScene;
let far: Connection;
const parts: { dispose(): void }[] = [];
const realTurn = setImmediate;
let deletions = 0;

beforeAll(async () => {
  server = await startLocalServer(true);
  proxy = await startFarProxy({ target: server.apiBase });
  scene = await openCommandScene();
  far = await scene.addServer('Far', proxy.apiBase, server.adminPassword);
  await createOn(far, 'group', 'Far Group', { GroupDescription: 'Sales' });
  await createOn(far, 'user', 'far.user', { FirstName: 'Nora', LastName: 'Far', EmailAddress: 'nora@example.com' });
  await createOn(far, 'policy', 'Far Policy', { isActive: true });
  const opened = useDocuments(scene);
  const { connections, globalState: values, services } = scene;
  const sql = new SqlPreview(connections);
  const { extensionUri } = services.context;
  const runner = new ReportRunner({ connections, sql, history: new RunHistory(), extensionUri, values });
  Object.assign(services, {
    runReport: (target: Parameters<ReportRunner['run']>[0]) => runner.run(target),
    showSql: (target: Parameters<SqlPreview['show']>[0]) => sql.show(target),
  });
  Object.assign(services.tree, { siblings: () => [], commandOf: () => undefined });
  const registered = registerCommands(services as unknown as Parameters<typeof registerCommands>[0]);
  parts.push(registered, runner, sql, { dispose: () => opened.close() });
});

afterEach(() => {
  vi.useRealTimers();
  proxy.answerOnly(Infinity);
  closePanels();
  documents.closeAll();
  person.leave();
});

afterAll(async () => {
  for (const part of parts) part.dispose();
  await scene.close();
  await proxy.close();
  await server.stop();
});

/** Lets everything happen that needs no time to pass, the replies of the server included, until something holds. */
async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error('What was waited for did not come.');
    await vi.advanceTimersByTimeAsync(0);
    await new Promise<void>((resolve) => realTurn(resolve));
  }
}

/** A write that was sent may have arrived when it is cancelled, which is said. */
const isWrite = (endpoint: string) => !(endpoints as Record<string, EndpointRow>)[endpoint]?.isSafe;

/** The editor asks for the reason of a save that did not happen. */
const unsaved = expect.stringMatching(
  /^Cancelled\. Nothing was sent\.( Could not save group "Far Group" on Far\.)?$/,
) as string;

/** What is said of a write whose outcome is not known. */
const uncertain = /unknown whether|may or may not|could not be (read back|checked)/;

interface Gesture {
  readonly name: string;
  /** Prepares it, with a server that answers. */
  readonly begin: () => Promise<() => Promise<unknown>>;
  /** Shows the wait in a panel of its own, which has Cancel. */
  readonly hasPanel?: boolean;
}

const run = (id: string, ...given: unknown[]) => commands.executeCommand(id, ...given);
const row = (list: Parameters<CommandScene['row']>[1], name: string) => scene.row(far, list, name);
const field = async () => {
  const below = async (node: TreeNode): Promise<TreeNode> => {
    const [first] = await rowsBelow(node);
    if (!first) throw new Error('There is no field.');
    return first.kind === 'field' ? first : below(first);
  };
  return below(await scene.find(far, 'semanticLayer'));
};
const report = (name: string) => scene.find(far, 'library', 'public', 'Flights', name);

const gestures: Gesture[] = [
  { name: 'open a user', begin: async () => onRow('analytics.object.open', await row('users', 'far.user')) },
  { name: 'open a policy', begin: async () => onRow('analytics.object.open', await row('policies', 'Far Policy')) },
  { name: 'open a group', begin: async () => onRow('analytics.object.open', await row('groups', 'Far Group')) },
  { name: 'open a report', begin: async () => onRow('analytics.object.open', await report('Routes')) },
  {
    name: 'add a member',
    begin: async () => {
      const given = { onto: await row('groups', 'Far Group'), dropped: [await row('users', 'far.user')] };
      person.mayAnswer('Role', 'View');
      return () => run('analytics.group.addMembers', given);
    },
  },
  {
    name: 'find reports that use a field',
    begin: async () => onRow('analytics.field.findReports', await field()),
  },
  {
    name: 'save',
    begin: async () => {
      await run('analytics.object.open', await row('groups', 'Far Group'));
      const document = documents.active();
      if (!document) throw new Error('No document is open.');
      documents.type(document, '"GroupDescription": "', '"GroupDescription": "More ');
      return () => document.save();
    },
  },
  ...['user', 'group', 'tag', 'policy'].map((kind) => ({
    name: `new ${kind}`,
    begin: async () => onRow(`analytics.${kind}.new`, scene.services.tree.serverNode(far)),
  })),
  { name: 'show SQL', begin: async () => onRow('analytics.report.showSql', await report('Delays by State')) },
  {
    name: 'run',
    hasPanel: true,
    begin: async () => {
      const node = await report('Delays by State');
      return async () => {
        await run('analytics.report.run', node);
        await until(() => panels.length > 0);
        let kind = '';
        while (!['done', 'failed', 'empty', 'cancelled'].includes(kind)) ({ kind } = (await shownRun()).state.phase);
      };
    },
  },
  {
    name: 'delete',
    begin: async () => {
      // The one before may be gone.
      const name = `far.gone${++deletions}`;
      await createOn(far, 'user', name, { FirstName: 'Gus', LastName: 'Far', EmailAddress: 'gus@example.com' });
      person.mayAnswer(`Delete user "${name}"`, 'Delete');
      return onRow('analytics.object.delete', await row('users', name));
    },
  },
  {
    name: 'assign',
    begin: async () => {
      const given = { onto: await row('policies', 'Far Policy'), dropped: [await row('groups', 'Far Group')] };
      return () => run('analytics.policy.assign', given);
    },
  },
  {
    name: 'import',
    begin: async () => {
      const file = path.join(scene.folder, 'users.csv');
      await writeFile(file, 'LoginName,LastName,Password\nfar.new,Far,Of their own 10');
      person.mayAnswer('Users to import', file);
      return onRow('analytics.user.import', scene.services.tree.serverNode(far));
    },
  },
];

const shownRun = async () => (await panels.at(-1)?.ask('ready')) as ResultsSnapshot;

function onRow(id: string, node: TreeNode | vscode.TreeItem | object): () => Promise<unknown> {
  return () => run(id, node);
}

it.each(gestures)(
  '$name: shows its wait at once, and ends on Cancel without an error',
  async ({ name, begin, hasPanel }) => {
    const stopped: string[] = [];
    for (let answered = 0; answered < 12; answered++) {
      const gesture = await begin();
      person.mayAnswer('', dismiss);
      person.shown.length = 0;
      person.waits.length = 0;
      scene.errors.length = 0;
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
      proxy.reset();
      proxy.answerOnly(answered);
      let isOver = false;
      const going = gesture()
        .catch((error: unknown) => error)
        .finally(() => (isOver = true));
      await until(() => isOver || proxy.stuck() !== undefined);
      const endpoint = proxy.stuck();
      if (endpoint === undefined) break;
      stopped.push(endpoint);
      await vi.advanceTimersByTimeAsync(100);
      if (hasPanel) {
        expect(panels).toHaveLength(1);
        void panels[0]?.ask('cancel');
      } else {
        expect(person.waits, endpoint).not.toEqual([]);
        await vi.advanceTimersByTimeAsync(1_000);
        await until(() => person.cancels.size > 0);
        for (const cancel of person.cancels) cancel();
      }
      await vi.advanceTimersByTimeAsync(1_000);
      await until(() => isOver);
      await going;
      const shown = [...person.texts('message'), ...scene.errors].filter((text) => !text.startsWith('Delete user'));
      const isSent = proxy.calls.some((call) => isWrite(call.endpoint));
      if (isSent) expect(shown.join('\n'), endpoint).toMatch(uncertain);
      else expect(shown, endpoint).toEqual(name === 'save' ? [unsaved] : []);
      proxy.answerOnly(Infinity);
      vi.useRealTimers();
      closePanels();
      documents.closeAll();
      person.leave();
    }
    proxy.answerOnly(Infinity);
    figure('R12', `${name}: cancelled while waiting for ${stopped.join(', ')}`);
    expect(stopped.length).toBeGreaterThan(0);
  },
);
