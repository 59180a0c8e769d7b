import type { ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { AnalyticsClient } from '../../../src/client/client.ts';
import { isClientError } from '../../../src/client/clientError.ts';
import { inspectCertificate } from '../../../src/client/http/inspectCertificate.ts';
import { probeServer } from '../../../src/client/http/probe.ts';
import { runReport } from '../../../src/client/runReport.ts';
import type { SessionVault, StoredSession } from '../../../src/client/session/sessionState.ts';
import { abortSoonAfter, runWithSignal, runInScope } from '../../../src/client/http/cancelScope.ts';
import { asAnswered, writeOnce, type Write } from '../../../src/client/writes/writes.ts';
import { sendUsers } from '../../../src/features/userImport/sendUsers.ts';
import { deleteObject } from '../../../src/objects/save/deleteObject.ts';
import { dataTagKind } from '../../../src/objects/kinds/securityKinds.ts';
import { objectServer } from '../../../src/objects/objectServer.ts';
import { saveObject } from '../../../src/objects/save/saveObject.ts';
import { loadChildren } from '../../../src/features/sidebar/nodes/nodeChildren.ts';
import type { ListNode, TreeConnection } from '../../../src/editor/nodes/treeNode.ts';
import { reportCalls } from '../../../src/features/reports/run/reportCalls.ts';
import { figure } from '../../support/run/figure.ts';
import { handled, startScriptedServer, type ScriptedServer } from '../../support/scriptedServer.ts';

/*
 * Everything that a person can cancel ends within 200 ms, however the server stalls: one row for each way into the
 * client, with the time that it took.
 */

/** Above the promised 200 ms, so that a busy machine passes; a wait that ignores the cancel lasts far longer. */
const limitMs = 1_000;

/** Lets `cancel` act and waits for `ended`; gives the time until then, and how late a timer came beside it: the machine's share. */
async function timed<T>(cancel: () => void, ended: Promise<T>): Promise<{ result: T; ms: number; lateMs: number }> {
  const timerMs = 100;
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const timer = new Promise<number>((resolve) => setTimeout(() => resolve(elapsed() - timerMs), timerMs));
  cancel();
  const result = await ended;
  const ms = elapsed();
  return { result, ms, lateMs: Math.max(0, await timer) };
}
const stored: StoredSession = {
  token: 'token',
  timeoutMs: 1_200_000,
  expiresAt: new Date(Date.now() + 1_200_000).toISOString(),
  account: { userId: '7', loginName: 'ada', fullName: '', isAdmin: false, isGuest: false, productVersion: '' },
};
const credentials = { userName: 'ada', password: 'p', isGuest: false };
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Scene {
  client: AnalyticsClient;
  server: ScriptedServer;
  /** Waits until the server has been asked so often at a path, and left it without an answer. */
  stalled: (path: string, times?: number) => Promise<void>;
}

/** A server that answers by `answers`, and stalls on everything else. */
async function scene(
  answers: Record<string, (response: ServerResponse) => unknown>,
  vault: Partial<SessionVault> = {},
): Promise<Scene> {
  const server = await startScriptedServer(({ path }, response) => {
    const answer = Object.entries(answers).find(([name]) => path.endsWith(name))?.[1];
    return answer ? answer(response) : handled;
  });
  cleanups.push(() => server.close());
  const client = new AnalyticsClient({
    target: { connectionId: 'c', name: 'Test Server', apiBase: `${server.url}/api` },
    vault: { read: async () => stored, write: async () => undefined, withLock: (work) => work(), ...vault },
    credentials: async () => credentials,
  });
  cleanups.push(() => client.close());
  await client.session.restore();
  const stalled = (path: string, times = 1) => expect.poll(() => server.count(path), { interval: 1 }).toBe(times);
  return { client, server, stalled };
}

/** Starts something and waits until it hangs; gives what it is to become. */
type Start = (signal: AbortSignal) => Promise<{ outcome: Promise<unknown>; becomes?: string }>;

const tag = { ID: '7', Label: 'region', DefaultValue: 'West' };

function change(client: AnalyticsClient): Write<'DataTag/SaveDataTag', typeof tag> {
  return {
    kind: 'change',
    path: 'DataTag/SaveDataTag',
    body: { datatag: tag },
    object: 'the data tag region',
    read: async (signal) => {
      const all = await client.call('DataTag/GetAllDataTags', {}, { signal });
      return all.filter((found) => found.Label === 'region') as (typeof tag)[];
    },
    idOf: ({ ID }) => ID,
    hasContent: ({ DefaultValue }) => DefaultValue === 'East',
  };
}

const broken = (response: ServerResponse) => {
  response.destroy();
  return handled;
};

/** Waits as the editor does for what it gives no way to cancel: with a notification, whose Cancel fires `signal`. */
function inNotice<T>(signal: AbortSignal, waits: string[], work: () => Promise<T>): Promise<T> {
  const waitsFor = (server: string) => {
    waits.push(server);
    return () => void waits.splice(waits.indexOf(server), 1);
  };
  return runInScope({ signal, waitsFor }, work);
}

/** A save of the document of the tag, which its user changed. */
function saveTag(client: AnalyticsClient) {
  const base = { ...tag };
  const mine = { ...tag, DefaultValue: 'East' };
  const request = { kind: dataTagKind, id: '7', base, mine, askSecret: async () => undefined };
  return saveObject(objectServer(client), request).then(({ kind }) => kind);
}

/** What the editor gives no way to cancel: whoever waits is told of the server, and can give up. */
const noticed: [name: string, start: (signal: AbortSignal, waits: string[]) => ReturnType<Start>][] = [
  [
    'a list of the sidebar',
    async (signal, waits) => {
      const { client, stalled } = await scene({});
      const connection: TreeConnection = {
        id: 'c',
        name: 'Test Server',
        userName: 'ada',
        state: client.session.state,
        client: async () => client,
      } as never;
      const parent = { kind: 'section', id: 's', connection, parent: undefined, section: 'security' } as never;
      const node: ListNode = { kind: 'list', id: 'l', connection, parent, list: 'dataTags' };
      const outcome = inNotice(signal, waits, () => loadChildren(node));
      await stalled('GetAllDataTags');
      return {
        outcome: outcome.then(([child]) => (child?.kind === 'failure' ? child.message : child)),
        becomes: 'Cancelled',
      };
    },
  ],
  [
    'the save of a document before it is sent',
    async (signal, waits) => {
      const { client, stalled } = await scene({});
      const outcome = inNotice(signal, waits, () => saveTag(client));
      await stalled('GetAllDataTags');
      return { outcome };
    },
  ],
  [
    'the save of a document under way',
    async (signal, waits) => {
      const { client, stalled } = await scene({ GetAllDataTags: () => [tag] });
      const outcome = inNotice(signal, waits, () => saveTag(client));
      await stalled('SaveDataTag');
      return { outcome, becomes: 'unknown' };
    },
  ],
  [
    'the save of a document whose reply was lost, before it is looked for',
    async (signal, waits) => {
      const { client, stalled } = await scene({ SaveDataTag: broken, GetAllDataTags: () => [tag] });
      const outcome = inNotice(signal, waits, () => saveTag(client));
      await stalled('SaveDataTag');
      return { outcome, becomes: 'unknown' };
    },
  ],
  [
    'a deletion under way',
    async (signal, waits) => {
      const { client, stalled } = await scene({ GetAllDataTags: () => [tag] });
      const outcome = inNotice(signal, waits, () => deleteObject(objectServer(client), dataTagKind, '7'));
      await stalled('DeleteDataTag');
      return { outcome, becomes: 'unknownOutcome' };
    },
  ],
  [
    'signing in with a kept password',
    async (signal, waits) => {
      const { client, stalled } = await scene({});
      const outcome = inNotice(signal, waits, () => client.session.signIn(credentials));
      await stalled('DoLogin');
      return { outcome };
    },
  ],
  [
    'signing out, while another window has the lock',
    async (signal, waits) => {
      const { client } = await scene({}, { withLock: () => new Promise(() => undefined) });
      return { outcome: inNotice(signal, waits, () => client.session.signOut()) };
    },
  ],
];

/** Rows of an import, each of a user of its own. */
function rowOf(line: number) {
  const names = { loginName: `user${line}`, firstName: '', lastName: '', email: '', company: '', description: '' };
  const row = { ...names, line, password: 'first', tags: ['', '', '', ''], memberships: [], problems: [] };
  return { row: row as never, userId: '', wasSent: false };
}

const surfaces: [name: string, start: Start][] = [
  [
    'a read',
    async (signal) => {
      const { client, stalled } = await scene({});
      const outcome = client.call('Contact/GetRolesList', {}, { signal });
      await stalled('GetRolesList');
      return { outcome };
    },
  ],
  [
    'a read that checks the session after an empty list',
    async (signal) => {
      const { client, stalled } = await scene({ GetRolesList: () => [] });
      const outcome = client.call('Contact/GetRolesList', {}, { signal });
      await stalled('CheckSession');
      return { outcome };
    },
  ],
  [
    'a read that waits for the sign-in of another call',
    async (signal) => {
      const { client, stalled } = await scene({}, { read: async () => undefined });
      const first = client.call('Contact/GetRolesList', {});
      first.catch(() => undefined);
      await stalled('DoLogin');
      return { outcome: client.call('Contact/GetRolesList', {}, { signal }) };
    },
  ],
  [
    'signing in, which the server does not answer',
    async (signal) => {
      const { client, stalled } = await scene({});
      const outcome = client.session.signIn(credentials, signal);
      await stalled('DoLogin');
      return { outcome };
    },
  ],
  [
    'signing in, while another window has the lock',
    async (signal) => {
      const { client } = await scene({}, { withLock: () => new Promise(() => undefined) });
      return { outcome: client.session.signIn(credentials, signal) };
    },
  ],
  [
    'looking for a server at an address',
    async (signal) => {
      const { server, stalled } = await scene({});
      const outcome = probeServer(server.url, { signal });
      await stalled('GetInstallationID');
      return { outcome };
    },
  ],
  [
    'looking at a certificate',
    async (signal) => {
      const sockets: Socket[] = [];
      const silent = createServer((socket) => void sockets.push(socket));
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      cleanups.push(async () => {
        for (const socket of sockets) socket.destroy();
        await new Promise<void>((resolve) => void silent.close(() => resolve()));
      });
      const outcome = inspectCertificate(`https://127.0.0.1:${(silent.address() as AddressInfo).port}`, { signal });
      await expect.poll(() => sockets.length, { interval: 1 }).toBe(1);
      return { outcome };
    },
  ],
  [
    'reading the metadata of a report',
    async (signal) => {
      const { client, stalled } = await scene({});
      const outcome = reportCalls(async () => client).metadata('7', signal);
      await stalled('GetReportMetadataById');
      return { outcome };
    },
  ],
  [
    'a report run that no result has come of',
    async (signal) => {
      const { client, stalled } = await scene({});
      const outcome = runReport(client, { Reportobj: {}, Prompts: [] } as never, { signal });
      await stalled('GetReportData');
      return { outcome };
    },
  ],
  [
    'a report run in the middle of its rows',
    async (signal) => {
      const rows = `{"Columns":[{"ColumnName":"a"}],"Data":[${'{"a":1},'.repeat(2000)}`;
      const answer = (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write(rows);
        return handled;
      };
      const { client } = await scene({ GetReportData: answer });
      const running = await runReport(client, { Reportobj: {}, Prompts: [] } as never, { signal });
      await expect.poll(() => running.store.rowCount, { interval: 1 }).toBeGreaterThan(0);
      return { outcome: running.done.then(({ kind }) => kind) };
    },
  ],
  [
    'a test of a registered database server',
    async (signal) => {
      const { client, stalled } = await scene({});
      const outcome = objectServer(client, { signal }).call('RegServers/TestConnection', { regserver: {} });
      await stalled('TestConnection');
      return { outcome };
    },
  ],
  [
    'a write before it is sent',
    async (signal) => {
      const { client, stalled } = await scene({});
      const outcome = writeOnce(client, { ...change(client), kind: 'create' }, asAnswered, { signal });
      await stalled('GetAllDataTags');
      return { outcome };
    },
  ],
  [
    'a write under way',
    async (signal) => {
      const { client, stalled } = await scene({ GetAllDataTags: () => [tag] });
      const outcome = writeOnce(client, change(client), asAnswered, { signal });
      await stalled('SaveDataTag');
      return { outcome, becomes: 'unknownOutcome' };
    },
  ],
  [
    'a write whose reply was lost, before it is looked for',
    async (signal) => {
      const { client, stalled } = await scene({ SaveDataTag: broken, GetAllDataTags: () => [tag] });
      const outcome = writeOnce(client, change(client), asAnswered, { signal, pauses: [60_000] });
      await stalled('SaveDataTag');
      return { outcome, becomes: 'unknownOutcome' };
    },
  ],
  [
    'a write whose reply was lost, while it is looked for',
    async (signal) => {
      const { client, stalled } = await scene({ SaveDataTag: broken });
      const outcome = writeOnce(client, change(client), asAnswered, { signal, pauses: [0, 60_000] });
      await stalled('GetAllDataTags');
      return { outcome, becomes: 'unknownOutcome' };
    },
  ],
];

describe('stopping an import', () => {
  it('cuts off the rows that hang, notes their outcome as unknown and sends no other', async () => {
    const { client, server, stalled } = await scene({
      GetContactList: () => [],
    });
    const stop = new AbortController();
    const outcomes: string[] = [];
    const done = runWithSignal(abortSoonAfter(stop.signal), () =>
      sendUsers({
        client,
        template: { ID: null, SecurityGroups: [] },
        rows: Array.from({ length: 13 }, (_, line) => rowOf(line)),
        groupIds: new Map(),
        roles: new Map(),
        initialPassword: 'first',
        signal: stop.signal,
        onStart: async () => undefined,
        onOutcome: async ({ kind }) => void outcomes.push(kind),
      }),
    );
    await stalled('SaveContact', 10);
    const { ms, lateMs } = await timed(() => stop.abort(), done);
    expect(ms - lateMs).toBeLessThan(limitMs);
    expect(outcomes.sort()).toEqual([...Array<string>(3).fill('notTried'), ...Array<string>(10).fill('unknown')]);
    expect(server.count('SaveContact')).toBe(10);
    figure('R12', `cancelled within ${Math.ceil(ms)} ms: an import of users, 10 of them under way`);
  });
});

describe('cancelling ends', () => {
  it.each(noticed)('%s, which the editor cannot cancel', async (name, start) => {
    const controller = new AbortController();
    const waits: string[] = [];
    const { outcome, becomes } = await start(controller.signal, waits);
    const ended = outcome.catch((error: unknown) => error);
    expect(new Set(waits)).toEqual(new Set(['Test Server']));
    const { result, ms, lateMs } = await timed(() => controller.abort(), ended);
    expect(isClientError(result) ? result.kind : result).toBe(becomes ?? 'cancelled');
    expect(ms - lateMs).toBeLessThan(limitMs);
    expect(waits).toEqual([]);
    figure('R12', `cancelled within ${Math.ceil(ms)} ms: ${name}`);
  });

  it.each(surfaces)('%s', async (name, start) => {
    const controller = new AbortController();
    const { outcome, becomes } = await start(controller.signal);
    const failure = outcome.catch((error: unknown) => error);
    const { result: error, ms, lateMs } = await timed(() => controller.abort(), failure);
    expect(isClientError(error) ? error.kind : error).toBe(becomes ?? 'cancelled');
    expect(ms - lateMs).toBeLessThan(limitMs);
    figure('R12', `cancelled within ${Math.ceil(ms)} ms: ${name}`);
  });
});
