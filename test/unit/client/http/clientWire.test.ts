import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { AnalyticsClient } from '../../../../src/client/client.ts';
import { isClientError } from '../../../../src/client/clientError.ts';
import type { SessionVault, StoredSession } from '../../../../src/client/session/sessionState.ts';
import { figure } from '../../../support/run/figure.ts';
import { handled, startScriptedServer } from '../../../support/scriptedServer.ts';

const stored: StoredSession = {
  token: 'token',
  timeoutMs: 1_200_000,
  expiresAt: new Date(Date.now() + 1_200_000).toISOString(),
  account: { userId: '7', loginName: 'ada', fullName: '', isAdmin: false, isGuest: false, productVersion: '' },
};
const cleanups: (() => Promise<void>)[] = [];
const ends: number[] = [];
const cancels: number[] = [];
const halfClosed: number[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
afterAll(() => {
  expect(ends.length).toBeGreaterThanOrEqual(100);
  figure(
    'R12',
    `${ends.length} calls against ${stalls.length} kinds of silence ended by their deadline, at most ${slowest(ends)} ms after it`,
  );
  figure(
    'R12',
    `${halfClosed.length} calls whose reply was half-closed ended, at most ${slowest(halfClosed)} ms after it began`,
  );
  figure('R12', `${cancels.length} calls cancelled, at most ${slowest(cancels)} ms after it`);
});

function slowest(values: number[]): number {
  return Math.round(Math.max(...values));
}

type Reply = (response: ServerResponse, socket: Socket) => void;

/** A client whose session is good, and a server that answers every call but CheckSession with `reply`. */
async function connect(reply: Reply, vault: Partial<SessionVault> = {}) {
  const server = await startScriptedServer((request, response) => {
    if (request.path.endsWith('CheckSession')) return { ErrorCode: 0, SessionToken: 'token' };
    if (response.socket) reply(response, response.socket);
    return handled;
  });
  cleanups.push(() => server.close());
  const client = new AnalyticsClient({
    target: { connectionId: 'c', name: 'Test Server', apiBase: `${server.url}/api` },
    vault: { read: async () => stored, write: async () => undefined, withLock: (work) => work(), ...vault },
    credentials: async () => undefined,
  });
  cleanups.push(() => client.close());
  await client.session.restore();
  return { client, server };
}

const head = { 'content-type': 'application/json' };
const stalls: [string, Reply][] = [
  ['no headers', () => undefined],
  ['slow headers', (_response, socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-type: appl')],
  ['a stalled body', (response) => void response.writeHead(200, head).write('[{"RoleId":')],
  [
    'a stalled compressed body',
    (response) =>
      void response.writeHead(200, { ...head, 'content-encoding': 'gzip' }).write(gzipSync('[1,2,3]').subarray(0, 15)),
  ],
  [
    'a dripping body',
    (response) => {
      response.writeHead(200, head);
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    },
  ],
];

describe('the deadline', () => {
  it.each(stalls)('ends %s', async (_name, reply) => {
    const { client } = await connect(reply);
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const startedAt = performance.now();
        const call = client.call('Contact/GetRolesList', {}, { deadlineMs: 300 });
        await expect(call).rejects.toMatchObject({ kind: 'timeout' });
        ends.push(performance.now() - startedAt - 300);
      }),
    );
    expect(slowest(ends)).toBeLessThan(1000);
  });

  /** The server ends its side of the connection, and keeps the other open. */
  const halves: [string, string][] = [
    ['before a byte', ''],
    ['in the headers', 'HTTP/1.1 200 OK\r\ncontent-type: appl'],
    ['in a body of known length', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n[{'],
    ['in a chunk', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n9\r\n[{'],
    [
      'between chunks',
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\r\n[{\r\n',
    ],
  ];
  it.each(halves)('is not needed for a reply half-closed %s', async (_name, text) => {
    const { client } = await connect((_response, socket) => void socket.end(text));
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        const startedAt = performance.now();
        const call = client.call('Contact/GetRolesList', {}, { deadlineMs: 20_000 });
        await expect(call).rejects.toMatchObject({ kind: 'unreachable' });
        halfClosed.push(performance.now() - startedAt);
      }),
    );
    expect(slowest(halfClosed)).toBeLessThan(10_000);
  });

  it('covers waiting for the lock between windows', async () => {
    const { client } = await connect(() => undefined, { read: async () => undefined, withLock: () => never() });
    const call = client.call('Contact/GetRolesList', {}, { deadlineMs: 100 });
    await expect(call).rejects.toMatchObject({ kind: 'timeout', isUnsent: true });
  });
});

describe('cancelling', () => {
  it.each(stalls)('ends %s', async (_name, reply) => {
    const { client, server } = await connect(reply);
    await cancelled(client, () => expect.poll(() => server.count('GetRolesList'), { interval: 1 }).toBe(1));
  });

  it('ends waiting for the lock between windows', async () => {
    const { client } = await connect(() => undefined, { read: async () => undefined, withLock: () => never() });
    await cancelled(client, async () => undefined);
  });

  it('ends the pause before a retry', async () => {
    const { client, server } = await connect((response) => response.destroy());
    // The second attempt comes 100 ms after the first; the pause after it takes 200.
    await cancelled(client, () => expect.poll(() => server.count('GetRolesList'), { interval: 1 }).toBe(2));
  });

  it('before the call starts sends nothing', async () => {
    const { client, server } = await connect(() => undefined);
    const call = client.call('Contact/GetRolesList', {}, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ kind: 'cancelled' });
    expect(server.requests).toHaveLength(0);
  });
});

async function cancelled(client: AnalyticsClient, reached: () => Promise<unknown>): Promise<void> {
  const controller = new AbortController();
  const call = client.call('Contact/GetRolesList', {}, { signal: controller.signal }).catch((error: unknown) => error);
  await reached();
  const startedAt = performance.now();
  controller.abort();
  const error = await call;
  cancels.push(performance.now() - startedAt);
  expect(isClientError(error, 'cancelled')).toBe(true);
  expect(slowest(cancels)).toBeLessThan(200);
}

describe('a damaged reply', () => {
  const gzip = { ...head, 'content-encoding': 'gzip' };
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20));
  const emptyBlocks = Buffer.concat([
    gzipSync('').subarray(0, 10),
    Buffer.alloc(2_000_000, Buffer.from([0, 0, 0, 255, 255])),
  ]);
  const cases: [string, Reply, string][] = [
    ['gzip bomb', (response) => void response.writeHead(200, gzip).end(bomb), 'tooLarge'],
    ['gzip of blocks that hold nothing', (response) => void response.writeHead(200, gzip).end(emptyBlocks), 'tooLarge'],
    [
      'truncated gzip',
      (response) => void response.writeHead(200, gzip).end(gzipSync('[{"a":1}]').subarray(0, 20)),
      'malformed',
    ],
    ['no gzip at all', (response) => void response.writeHead(200, gzip).end('[{"a":1}]'), 'malformed'],
    [
      'another encoding',
      (response) => void response.writeHead(200, { ...head, 'content-encoding': 'br' }).end('[]'),
      'malformed',
    ],
    ['oversized', (response) => void response.writeHead(200, head).end(`[${' '.repeat(2_000_000)}]`), 'tooLarge'],
    ['truncated JSON', (response) => void response.writeHead(200, head).end('[{"RoleId":"1"'), 'malformed'],
    [
      'half-closed',
      (_response, socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n[{'),
      'unreachable',
    ],
    [
      'half-closed in the headers',
      (_response, socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-le'),
      'unreachable',
    ],
  ];

  it.each(cases)('%s', async (name, reply, kind) => {
    const { client } = await connect(reply);
    const call = client.call('Contact/GetRolesList', {}, { maxBytes: 1_000_000 });
    await expect(call).rejects.toMatchObject({ kind, message: expect.stringMatching(/\S/) as string });
    figure('R14', `${name}: ${kind}`);
  });
});

/** Work that does not end. */
function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}
