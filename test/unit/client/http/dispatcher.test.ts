import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { ClientError } from '../../../../src/client/clientError.ts';
import { bounded } from '../../../../src/client/http/dispatcher.ts';
import { inspectCertificate } from '../../../../src/client/http/inspectCertificate.ts';
import { Transport } from '../../../../src/client/http/transport.ts';
import { asAnswered, settleWrite } from '../../../../src/client/writes/writes.ts';
import { figure } from '../../../support/run/figure.ts';
import { startScriptedServer } from '../../../support/scriptedServer.ts';

/* Servers and proxies that answer before any connection is ready for a request: with silence, or by hanging up. */

const cleanups: (() => Promise<void>)[] = [];
/** Calls that met silence before they were connected, and the longest that one outlived its deadline or its cancelling, ms. */
const met = { calls: 0, longestMs: 0 };

function ended(sinceMs: number, withinMs: number): void {
  const took = performance.now() - sinceMs;
  met.calls += 1;
  met.longestMs = Math.max(met.longestMs, took);
  expect(took).toBeLessThan(withinMs);
}

afterAll(() =>
  figure('R12', `${met.calls} calls met silence while connecting: ended at most ${Math.ceil(met.longestMs)} ms late`),
);

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** What listens and does with each connection what `behave` says. */
async function listen(behave: (socket: Socket) => void) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    behave(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { host: `127.0.0.1:${port}`, sockets };
}

function transportTo(apiBase: string, proxy?: string): Transport {
  const target = { connectionId: 'c', name: 'Reports', apiBase, ...(proxy !== undefined && { proxy: { url: proxy } }) };
  const transport = new Transport(target);
  cleanups.push(() => transport.close());
  return transport;
}

function send(transport: Transport, deadlineMs: number, signal?: AbortSignal): Promise<ClientError> {
  return transport.send('x', '{}', { deadlineMs, maxBytes: 1000, signal, manner: 'alone' }).then(
    () => expect.fail('the call succeeded'),
    (error: unknown) => error as ClientError,
  );
}

describe('a proxy that hangs up when asked for a tunnel', () => {
  it.each([
    ['breaks the connection', (socket: Socket) => socket.once('data', () => socket.destroy())],
    ['ends it', (socket: Socket) => socket.once('data', () => socket.end())],
    ['answers something else', (socket: Socket) => socket.once('data', () => socket.end('what?\r\n\r\n'))],
  ])('%s: one connection, and an error that names it', async (_what, behave) => {
    const proxy = await listen(behave);
    const error = await send(transportTo('https://reports.example/api', `http://${proxy.host}`), 30_000);
    expect(error).toMatchObject({ kind: 'proxy', reason: 'proxyUnreachable', isUnsent: true });
    expect(error.message).toContain(proxy.host);
    expect(proxy.sockets).toHaveLength(1);
  });
});

describe('what keeps silent while the connection is made', () => {
  const silent = () => undefined;
  const ways: [what: string, (host: string) => Transport][] = [
    ['a server in the handshake', (host) => transportTo(`https://${host}/api`)],
    ['a proxy asked for a tunnel', (host) => transportTo('https://reports.example/api', `http://${host}`)],
    ['an encrypted proxy in its handshake', (host) => transportTo('https://reports.example/api', `https://${host}`)],
  ];

  it.each(ways)('%s: the call ends by its deadline', async (_what, connect) => {
    const { host } = await listen(silent);
    const startedAt = performance.now();
    expect(await send(connect(host), 300)).toMatchObject({ kind: 'timeout', isUnsent: true });
    ended(startedAt + 300, 1000);
  });

  it.each(ways)('%s: the call can be cancelled at once', async (_what, connect) => {
    const controller = new AbortController();
    let cancelledAt = 0;
    const { host } = await listen(() => {
      cancelledAt = performance.now();
      controller.abort();
    });
    expect(await send(connect(host), 30_000, controller.signal)).toMatchObject({ kind: 'cancelled', isUnsent: true });
    ended(cancelledAt, 200);
  });

  it.each(ways)(
    '%s: a write that is given up there was not sent, and is not in the journal',
    async (_what, connect) => {
      const controller = new AbortController();
      const { host } = await listen(() => controller.abort());
      const notes: string[] = [];
      const journal = {
        begin: async () => ({
          settled: async () => void notes.push('settled'),
          unknown: async () => void notes.push('unknown'),
        }),
      };
      const traces = {
        kind: 'change' as const,
        object: 'x',
        read: async () => [],
        idOf: () => '',
        hasContent: () => false,
      };
      const sending = async () => {
        throw await send(connect(host), 30_000, controller.signal);
      };
      const written = settleWrite({ name: 'Reports', journal }, traces, sending, asAnswered);
      await expect(written).rejects.toMatchObject({ kind: 'cancelled', isUnsent: true });
      expect(notes).toEqual(['settled']);
    },
  );

  it('a request that has gone out and is given up may have been done', async () => {
    const controller = new AbortController();
    const { host } = await listen((socket) => socket.once('data', () => controller.abort()));
    const error = await send(transportTo(`http://${host}/api`), 30_000, controller.signal);
    expect(error).toMatchObject({ kind: 'cancelled', isUnsent: false });
  });

  it('an encrypted proxy: looking at a certificate can be cancelled at once', async () => {
    const controller = new AbortController();
    let cancelledAt = 0;
    const { host } = await listen(() => {
      cancelledAt = performance.now();
      controller.abort();
    });
    const options = { signal: controller.signal, proxy: { url: `https://${host}` } };
    await expect(inspectCertificate('https://reports.example', options)).rejects.toMatchObject({ kind: 'cancelled' });
    ended(cancelledAt, 200);
  });

  it('hears nothing of a call that was given up, once it is connected', async () => {
    const server = await startScriptedServer(() => ({ ok: true }));
    cleanups.push(() => server.close());
    const gate = Promise.withResolvers<undefined>();
    const connect = buildConnector({});
    const late: buildConnector.connector = (options, callback) =>
      void gate.promise.then(() => connect(options, callback));
    const agent = new Agent({ connect: bounded(late, 10_000), pipelining: 0 });
    cleanups.push(() => agent.destroy());
    const controller = new AbortController();
    const { signal } = controller;
    const request = agent.request({ origin: server.url, path: '/x', method: 'POST', body: '{}', signal });
    controller.abort();
    gate.resolve(undefined);
    await expect(request).rejects.toThrow();
    // The next one over the same agent shows that nothing of the first is on its way.
    await (await agent.request({ origin: server.url, path: '/y', method: 'POST', body: '{}' })).body.dump();
    expect(server.requests.map(({ path }) => path)).toEqual(['/y']);
  });
});
