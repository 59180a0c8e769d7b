import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { describe, expect, it, vi } from 'vitest';
import type { ClientError } from '../../../../src/client/clientError.ts';
import { Http2Connection } from '../../../../src/client/http/http2Connection.ts';
import { frames, startHttp2Server, type Http2Request } from '../../../support/faults/http2Server.ts';
import {
  certificate,
  cleanups,
  eventually,
  scene,
  send,
  useHttp2Scenes,
  whole,
} from '../../../support/faults/http2Scene.ts';
import { canMakeCertificates } from '../../../support/tls.ts';

/* How connections over HTTP/2 begin, are given up and end. */

useHttp2Scenes();

describe.skipIf(!canMakeCertificates)('connections over HTTP/2', () => {
  it.each([
    ['a reset', (id: number) => frames.reset(id, 13)],
    ['the end of the connection', (id: number) => frames.goAway(id, 13)],
  ])('repeats a read over HTTP/1.1 where a server wants that by %s, and stays there', async (_name, answer) => {
    const http1: string[] = [];
    const answerHttp1 = (socket: Socket) =>
      socket.on('data', (chunk: Buffer) => {
        for (const [, path = ''] of chunk.toString().matchAll(/POST (\S+)/g)) {
          http1.push(path);
          socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
        }
      });
    const place = await scene(({ socket, id }) => socket.write(answer(id)), { http1: answerHttp1 });
    // A write may have been handled all the same.
    await expect(send(place, 'w', { manner: 'once' })).rejects.toMatchObject({ kind: 'unreachable', isUnsent: false });
    expect(await send(place, 'b', { manner: 'once' })).toBe('{}');
    const other = await scene(({ socket, id }) => socket.write(answer(id)), { http1: answerHttp1 });
    expect(await send(other, 'a')).toBe('{}');
    expect(await send(other, 'c', { manner: 'once' })).toBe('{}');
    for (const { server } of [place, other]) expect(server.requests).toHaveLength(1);
    expect(http1).toEqual(['/api/b', '/api/a', '/api/c']);
    expect(place.server.connections[0]).toBe('h2');
    expect(new Set(place.server.connections.slice(1))).toEqual(new Set(['http/1.1']));
  });

  it('can be closed in the turn in which it begins', async () => {
    const server = await startHttp2Server(certificate, whole);
    cleanups.push(() => server.close());
    const { origin, port } = new URL(server.apiBase);
    const socket = connect({ port: Number(port), host: '127.0.0.1', ALPNProtocols: ['h2'], rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    // An error in its `connect` event would end the process.
    new Http2Connection(origin, socket, 60_000).destroy();
    await once(socket, 'close');
    await eventually(() => expect(server.open()).toBe(0));
  });

  it('is also used in the tunnel of a proxy', async () => {
    const proxy = createServer((near) => {
      near.on('error', () => undefined);
      near.once('data', (bytes: Buffer) => {
        const port = Number(/^CONNECT \S+?:(\d+)/.exec(bytes.toString())?.[1]);
        const far = new (near.constructor as typeof Socket)();
        far.on('error', () => undefined);
        far.connect(port, '127.0.0.1', () => {
          near.write('HTTP/1.1 200 OK\r\n\r\n');
          near.pipe(far).pipe(near);
        });
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    cleanups.push(() => new Promise((resolve) => proxy.close(() => resolve())));
    const place = await scene(whole, { proxy: `http://127.0.0.1:${port}` });
    expect(await send(place, 'a')).toBe('"/api/a"');
    expect(await send(place, 'b')).toBe('"/api/b"');
    expect(place.server.connections).toEqual(['h2']);
  });

  it('opens one connection ahead, and no second one while it is fresh', async () => {
    const place = await scene(whole);
    await place.transport.openAhead();
    await eventually(() => expect(place.server.open()).toBe(1));
    await place.transport.openAhead();
    expect(await send(place, 'a', { manner: 'new' })).toBe('"/api/a"');
    await Promise.all(['b', 'c', 'd', 'e'].map((path) => send(place, path)));
    expect(new Set(place.server.requests.map(({ connection }) => connection)).size).toBe(1);
    expect(place.server.open()).toBe(1);
  });

  it('ends all that is under way or waits when it is closed at once, and sends nothing more', async () => {
    const place = await scene((request) => {
      if (request.path === '/api/warm') whole(request);
      // The connection is given up, while others still use it.
      else if (request.path === '/api/old') request.socket.write(frames.reset(request.id, 13));
    });
    await send(place, 'warm');
    const calls = Array.from({ length: 20 }, (_, index) => send(place, `slow${index}`, { manner: 'once' }));
    const old = send(place, 'old', { manner: 'once' });
    const ends = Promise.allSettled([...calls, old]);
    await eventually(() => expect(place.server.requests.length).toBeGreaterThanOrEqual(12));
    const before = place.server.requests.length;
    await place.transport.close();
    expect((await ends).map(({ status }) => status)).toEqual(Array(21).fill('rejected'));
    await eventually(() => expect(place.server.open()).toBe(0));
    expect(place.server.requests).toHaveLength(before);
  });

  it('closes connections that it gave up, with what they still carry', async () => {
    const place = await scene((request) => {
      if (request.path === '/api/warm') whole(request);
      else if (request.path === '/api/refused') request.socket.write(frames.reset(request.id, 13));
    });
    await send(place, 'warm');
    const slow = send(place, 'slow', { manner: 'once' }).catch((cause: ClientError) => cause.kind);
    await eventually(() => expect(place.server.requests).toHaveLength(2));
    await expect(send(place, 'refused', { manner: 'once' })).rejects.toMatchObject({ kind: 'unreachable' });
    await place.transport.close();
    expect(await slow).toBe('unreachable');
    await eventually(() => expect(place.server.open()).toBe(0));
  });

  it('does not ask again over a connection on which nothing was heard for long', async () => {
    let ahead = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
    const place = await scene((request) => {
      if (request.path !== '/api/silent') whole(request);
    });
    await send(place, 'warm');
    for (const [waitedMs, connection] of [
      [500, 1],
      [6_000, 2],
    ] as const) {
      const stop = new AbortController();
      const silent = send(place, 'silent', { signal: stop.signal }).catch((cause: ClientError) => cause.kind);
      const asked = place.server.requests.length + 1;
      await eventually(() => expect(place.server.requests).toHaveLength(asked));
      ahead += waitedMs;
      stop.abort();
      expect(await silent).toBe('cancelled');
      // Its place is given up in the same turn.
      await new Promise(setImmediate);
      await send(place, 'next');
      expect(place.server.requests.at(-1)?.connection).toBe(connection);
    }
  });

  it('takes nothing that was not asked for', async () => {
    const place = await scene(({ socket, id }) =>
      socket.write(Buffer.concat([frames.push(id, 2), frames.reset(2, 2), frames.head(id), frames.end(id, '[]')])),
    );
    // Without acknowledged settings it would be ignored; with them it ends the connection.
    const outcome = await send(place, 'a', { manner: 'once' }).catch((cause: ClientError) => cause.kind);
    expect(['[]', 'unreachable']).toContain(outcome);
    expect(place.server.requests).toHaveLength(1);
  });

  it('closes although the server keeps its side open', async () => {
    const place = await scene(whole, { neverEnds: true });
    await send(place, 'a');
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const before = sockets();
    await place.transport.drain();
    // That of the client alone: the server never closes its own.
    await eventually(() => expect(sockets()).toBe(before - 1));
  });

  it('closes although the server takes no more requests', async () => {
    const place = await scene(({ socket, id }) => {
      socket.write(Buffer.concat([frames.atOnce(0), frames.head(id), frames.end(id, '[]')]));
    });
    await send(place, 'warm');
    const stop = new AbortController();
    const waiting = send(place, 'waiting', { signal: stop.signal }).catch((cause: ClientError) => cause.kind);
    await new Promise(setImmediate);
    stop.abort();
    expect(await waiting).toBe('cancelled');
    await place.transport.drain();
    await eventually(() => expect(place.server.open()).toBe(0));
    expect(place.server.requests).toHaveLength(1);
  });

  it('sends nothing that waits for its turn over HTTP/1.1 either, when it is closed at once', async () => {
    let asked = 0;
    const place = await scene(whole, {
      protocols: ['http/1.1'],
      http1: (socket) => socket.on('data', () => (asked += 1)),
    });
    const calls = Array.from({ length: 20 }, (_, index) => send(place, `write${index}`, { manner: 'once' }));
    const ends = Promise.allSettled(calls.map((call) => call.catch((cause: ClientError) => cause.isUnsent)));
    await eventually(() => expect(asked).toBe(12));
    await place.transport.close();
    const values = (await ends).map((end) => (end.status === 'fulfilled' ? end.value : 'failed'));
    expect(values.filter((isUnsent) => isUnsent === true)).toHaveLength(8);
    expect(values.filter((isUnsent) => isUnsent === false)).toHaveLength(12);
    await eventually(() => expect(place.server.open()).toBe(0));
    expect(asked).toBe(12);
  });

  it('answers a request that was connecting when the client was closed', async () => {
    const place = await scene(whole);
    const calls = ['a', 'b'].map((path) => send(place, path, { manner: 'once' }));
    await place.transport.drain();
    expect(await Promise.all(calls)).toEqual(['"/api/a"', '"/api/b"']);
    await eventually(() => expect(place.server.open()).toBe(0));
  });

  it('closes when the client is closed, after what is under way', async () => {
    let waiting: Http2Request | undefined;
    const place = await scene((request) => {
      if (request.path === '/api/slow') waiting = request;
      else whole(request);
    });
    await send(place, 'warm');
    const slow = send(place, 'slow');
    await eventually(() => expect(waiting).toBeDefined());
    await place.transport.drain();
    whole(waiting!);
    expect(await slow).toBe('"/api/slow"');
    await eventually(() => expect(place.server.open()).toBe(0));
  });
});
