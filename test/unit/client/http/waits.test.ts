import dns from 'node:dns';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { AnalyticsClient } from '../../../../src/client/client.ts';
import { isClientError } from '../../../../src/client/clientError.ts';
import { decodeInSlices } from '../../../../src/client/http/reply/decode.ts';
import type { StoredSession } from '../../../../src/client/session/sessionState.ts';
import { withFileLock } from '../../../../src/connections/fileLock.ts';
import { SecretVault } from '../../../../src/connections/secrets/secretVault.ts';
import { figure } from '../../../support/run/figure.ts';
import { MemorySecrets } from '../../../support/memorySecrets.ts';
import { handled, startScriptedServer } from '../../../support/scriptedServer.ts';

/*
 * Every wait of the client and of the connections ends within 200 ms when whoever waits gives up: here the waits below a call, one
 * by one; in cancellation.test.ts the ways into the client.
 */

/** Above the promised 200 ms, so that a busy machine passes; a wait that ignores the cancel lasts far longer. */
const limitMs = 1_000;
const longest = { name: '', ms: 0 };
const cleanups: (() => Promise<unknown>)[] = [];
let walked = 0;

// The first call of all loads and compiles what every other uses.
beforeAll(async () => {
  const warm = new AbortController();
  const { outcome } = (await waits['the head of a reply']?.(warm.signal)) ?? {};
  warm.abort();
  await outcome?.catch(() => undefined);
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
afterAll(() =>
  figure(
    'R12',
    `${walked} waits below a call cancelled, the longest within ${Math.ceil(longest.ms)} ms: ${longest.name}`,
  ),
);

const stored: StoredSession = {
  token: 'token',
  timeoutMs: 1_200_000,
  expiresAt: new Date(Date.now() + 1_200_000).toISOString(),
  account: { userId: '7', loginName: 'ada', fullName: '', isAdmin: false, isGuest: false, productVersion: '' },
};

function clientOf(apiBase: string, more: { proxy?: string; vault?: SecretVault } = {}): AnalyticsClient {
  const { proxy, vault } = more;
  const client = new AnalyticsClient({
    target: { connectionId: 'c', name: 'Test Server', apiBase, ...(proxy !== undefined && { proxy: { url: proxy } }) },
    vault: vault ?? { read: async () => stored, write: async () => undefined, withLock: (work) => work() },
    credentials: async () => ({ userName: 'ada', password: 'p', isGuest: false }),
  });
  cleanups.push(() => client.close());
  return client;
}

/** Takes connections and says nothing; `whenTaken` settles with the first. */
async function silence(behave: (socket: Socket) => void = () => undefined) {
  const sockets: Socket[] = [];
  let taken: () => void = () => undefined;
  const whenTaken = new Promise<void>((resolve) => (taken = resolve));
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    behave(socket);
    taken();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, whenTaken };
}

/** Starts something and waits until it hangs. */
type Start = (signal: AbortSignal) => Promise<{ outcome: Promise<unknown> }>;

async function callOf(client: AnalyticsClient, signal: AbortSignal, hangs: Promise<unknown>) {
  await client.session.restore();
  const call = client.call('Contact/GetRolesList', {}, { signal });
  call.catch(() => undefined);
  await hangs;
  return { outcome: call };
}

async function heldLock(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'analytics-waits-'));
  // The client may still be writing into it.
  cleanups.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const file = path.join(folder, 'one.lock');
  // As another window of this machine leaves it while it works.
  await writeFile(file, `${process.ppid} other`);
  return file;
}

/** A list of some 25 MB, which takes long to read, and its entries to check. */
const largeReply = JSON.stringify(
  Array.from({ length: 400_000 }, (_, index) => ({ ERROR_CODE: 0, RoleId: String(index), RoleName: `Role ${index}` })),
);

const waits: Readonly<Record<string, Start>> = {
  'looking up and connecting': async (signal) => {
    let asked: () => void = () => undefined;
    const whenAsked = new Promise<void>((resolve) => (asked = resolve));
    vi.spyOn(dns, 'lookup').mockImplementation(() => asked());
    return callOf(clientOf('http://reports.example/api'), signal, whenAsked);
  },
  'the handshake of the encryption': async (signal) => {
    const { host, whenTaken } = await silence();
    return callOf(clientOf(`https://${host}/api`), signal, whenTaken);
  },
  'the tunnel through a proxy': async (signal) => {
    const { host, whenTaken } = await silence();
    return callOf(clientOf('https://reports.example/api', { proxy: `http://${host}` }), signal, whenTaken);
  },
  'the handshake with an encrypted proxy': async (signal) => {
    const { host, whenTaken } = await silence();
    return callOf(clientOf('https://reports.example/api', { proxy: `https://${host}` }), signal, whenTaken);
  },
  'a body that the server does not take': async (signal) => {
    const { host, whenTaken } = await silence((socket) => socket.pause());
    const client = clientOf(`http://${host}/api`);
    await client.session.restore();
    const searchstring = 'x'.repeat(32 * 1024 * 1024);
    const call = client.call('library/SearchReports', { searchstring }, { signal });
    call.catch(() => undefined);
    await whenTaken;
    return { outcome: call };
  },
  'the head of a reply': async (signal) => {
    const { host, whenTaken } = await silence();
    return callOf(clientOf(`http://${host}/api`), signal, whenTaken);
  },
  'the rest of a reply': async (signal) => {
    const server = await startScriptedServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('[{"RoleId":');
      return handled;
    });
    cleanups.push(() => server.close());
    const hangs = expect.poll(() => server.count('GetRolesList'), { interval: 1 }).toBe(1);
    return callOf(clientOf(`${server.url}/api`), signal, hangs);
  },
  'the reading of a large reply': async (signal) => {
    const raw = { status: 200, contentType: 'application/json', text: largeReply };
    const limits = { signal, deadlineMs: 60_000 };
    return { outcome: decodeInSlices('Contact/GetRolesList', raw, 'Test Server', limits) };
  },
  'the pause before a read is tried again': async (signal) => {
    const server = await startScriptedServer((_request, response) => {
      response.destroy();
      return handled;
    });
    cleanups.push(() => server.close());
    const hangs = expect.poll(() => server.count('GetRolesList'), { interval: 1 }).toBe(2);
    return callOf(clientOf(`${server.url}/api`), signal, hangs);
  },
  'the lock of another window': async (signal) => {
    const file = await heldLock();
    return { outcome: withFileLock(file, async () => undefined, { server: 'Test Server', signal }) };
  },
  'a rejected token while another window has the lock': async (signal) => {
    const server = await startScriptedServer(() => ({ ErrorCode: 101, ErrorMessage: 'Session Expired' }));
    cleanups.push(() => server.close());
    const secrets = new MemorySecrets();
    await secrets.store('k', JSON.stringify({ realm: 'r', ...stored }));
    const vault = new SecretVault({ server: 'Test Server', secrets, key: 'k', realm: 'r', lockFile: await heldLock() });
    const hangs = expect.poll(() => server.count('GetRolesList'), { interval: 1 }).toBe(1);
    return callOf(clientOf(`${server.url}/api`, { vault }), signal, hangs);
  },
  'a renewal while another window has the lock': async (signal) => {
    const lockFile = await heldLock();
    const options = { server: 'Test Server', secrets: new MemorySecrets(), key: 'k', realm: 'r', lockFile };
    const client = clientOf('http://127.0.0.1:9/api', { vault: new SecretVault(options) });
    return callOf(client, signal, Promise.resolve());
  },
};

it.each(Object.entries(waits))('cancelling ends %s', async (name, start) => {
  const controller = new AbortController();
  const outcome = (await start(controller.signal)).outcome.then(
    () => expect.fail('it was not waiting'),
    (error: unknown) => error,
  );
  // The turn in between lets it come to its wait.
  await new Promise<void>((resolve) => setTimeout(resolve, 10));
  const startedAt = performance.now();
  const timer = new Promise<number>((resolve) => setTimeout(() => resolve(performance.now() - startedAt - 100), 100));
  controller.abort();
  const error = await outcome;
  const ms = performance.now() - startedAt;
  // The machine's share: how late a timer came.
  const lateMs = Math.max(0, await timer);
  expect(isClientError(error) ? error.kind : error).toBe('cancelled');
  expect(ms - lateMs).toBeLessThan(limitMs);
  walked += 1;
  if (ms > longest.ms) Object.assign(longest, { name, ms });
  figure('R12', `cancelled within ${Math.ceil(ms)} ms: ${name}`);
});
