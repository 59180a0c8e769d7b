import { describe, expect, it, vi } from 'vitest';
import type { ClientError } from '../../../../src/client/clientError.ts';
import { Transport } from '../../../../src/client/http/transport.ts';
import { frames, startHttp2Server, type Http2Request } from '../../../support/faults/http2Server.ts';
import {
  useHttp2Scenes,
  begun,
  certificate,
  cleanups,
  eventually,
  inParts,
  scene,
  send,
  whole,
  type Answer,
} from '../../../support/faults/http2Scene.ts';
import { canMakeCertificates } from '../../../support/tls.ts';

/* Servers that choose HTTP/2, answered frame by frame. */

useHttp2Scenes();

describe.skipIf(!canMakeCertificates)('HTTP/2', () => {
  it('carries many requests over one connection, each with its own reply', async () => {
    const waiting: Http2Request[] = [];
    const place = await scene((request) => {
      waiting.push(request);
      if (waiting.length < 8) return;
      // In reverse.
      for (const each of waiting.splice(0).reverse()) whole(each);
    });
    const first = send(place, 'first');
    await eventually(() => expect(waiting).toHaveLength(1));
    whole(waiting.shift()!);
    expect(await first).toBe('"/api/first"');
    const paths = Array.from({ length: 8 }, (_, index) => `list${index}`);
    const replies = await Promise.all(paths.map((path) => send(place, path)));
    expect(replies).toEqual(paths.map((path) => `"/api/${path}"`));
    expect(place.server.connections).toEqual(['h2']);
    expect(place.server.requests.map(({ headers }) => headers[':method'])).toEqual(Array(9).fill('POST'));
  });

  it('checks a pinned certificate before it is used', async () => {
    const server = await startHttp2Server(certificate, whole);
    cleanups.push(() => server.close());
    const transport = new Transport({
      connectionId: 'c',
      name: 'Reports',
      apiBase: server.apiBase,
      tls: { pinnedFingerprint: 'AA'.repeat(32) },
    });
    cleanups.push(() => transport.close());
    await expect(send({ server, transport }, 'a')).rejects.toMatchObject({ kind: 'tls', isUnsent: true });
    expect(server.requests).toHaveLength(0);
    await eventually(() => expect(server.open()).toBe(0));
  });

  it('also repeats a read and writes at once over it', async () => {
    const place = await scene(whole);
    for (const manner of ['new', 'read', 'read', 'once', 'once', 'stream', 'new'] as const) {
      expect(await send(place, 'a', { manner })).toBe('"/api/a"');
    }
    expect(place.server.connections).toEqual(['h2']);
  });

  it('takes another connection for a write when the last reply is some time ago', async () => {
    let ahead = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
    const place = await scene(whole);
    await send(place, 'a');
    ahead += 5_000;
    await send(place, 'b');
    ahead += 3_000;
    await send(place, 'b', { manner: 'once' });
    expect(place.server.connections).toHaveLength(1);
    ahead += 5_000;
    await send(place, 'c', { manner: 'once' });
    expect(place.server.requests.map(({ connection }) => connection)).toEqual([1, 1, 1, 2]);
    // The first one is given up.
    await eventually(() => expect(place.server.open()).toBe(1));
    await send(place, 'd');
    expect(place.server.requests.at(-1)?.connection).toBe(2);
  });

  // RFC 9113, 7: NO_ERROR, PROTOCOL_ERROR, INTERNAL_ERROR, REFUSED_STREAM, CANCEL, ENHANCE_YOUR_CALM.
  const codes = [0, 1, 2, 7, 8, 11];
  const long = 'x'.repeat(16_000);
  const cuts: [string, Answer][] = codes.flatMap((code): [string, Answer][] => [
    [`reset ${code} at once`, ({ socket, id }) => socket.write(Buffer.concat([...begun(id), frames.reset(id, code)]))],
    [`reset ${code} later`, inParts(begun, (id, socket) => socket.write(frames.reset(id, code)))],
    [
      `reset ${code} after much`,
      inParts(
        (id) => [...begun(id), ...Array.from({ length: 20 }, () => frames.data(id, long))],
        (id, socket) => socket.write(frames.reset(id, code)),
      ),
    ],
    [
      `reset ${code} after the head`,
      ({ socket, id }) => socket.write(Buffer.concat([frames.head(id), frames.reset(id, code)])),
    ],
    [`reset ${code} without a head`, ({ socket, id }) => socket.write(frames.reset(id, code))],
  ]);
  cuts.push(
    ['end of the connection', inParts(begun, (_, socket) => socket.end())],
    ['connection destroyed', inParts(begun, (_, socket) => socket.destroy())],
    ['connection destroyed without a head', ({ socket }) => socket.destroy()],
    [
      'GOAWAY, then the end',
      inParts(
        (id) => [...begun(id), frames.goAway(id)],
        (_, socket) => socket.end(),
      ),
    ],
    ['GOAWAY for an error that excludes it', ({ socket, id }) => socket.write(frames.goAway(Math.max(0, id - 2), 11))],
    [
      'fewer bytes than announced',
      ({ socket, id }) =>
        socket.write(Buffer.concat([frames.head(id, { 'content-length': '9' }), frames.end(id, '[1,2')])),
    ],
    ['bytes that are no frames', inParts(begun, (_, socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'.repeat(9)))],
  );
  it.each(cuts)('takes no reply that is cut off for a whole one: %s', async (_name, answer) => {
    const place = await scene(answer);
    for (const manner of ['once', 'stream'] as const) {
      const before = place.server.requests.length;
      const error = await send(place, 'a', { manner }).catch((cause: ClientError) => cause);
      expect(error).toMatchObject({ kind: 'unreachable', isUnsent: false });
      // It is not sent again.
      expect(place.server.requests).toHaveLength(before + 1);
    }
  });

  describe('GOAWAY that excludes a request', () => {
    const exclude: Answer = ({ socket, id }) => socket.write(frames.goAway(Math.max(0, id - 2)));

    it.each(['once', 'stream', 'read'] as const)('sends it again over another connection: %s', async (manner) => {
      const place = await scene((request) => (request.connection === 1 ? exclude : whole)(request));
      expect(await send(place, 'a', { manner, body: '{"first":1}' })).toBe('"/api/a"');
      expect(place.server.requests.map(({ connection, body }) => [connection, body])).toEqual([
        [1, '{"first":1}'],
        [2, '{"first":1}'],
      ]);
    });

    it('leaves those that it includes to be answered', async () => {
      const first: Http2Request[] = [];
      const place = await scene((request) => {
        if (request.connection > 1) return whole(request);
        first.push(request);
        const [included, ...excluded] = first;
        if (!included || excluded.length < 3) return;
        included.socket.write(frames.goAway(included.id));
        setImmediate(() => whole(included));
      });
      // It connects alone.
      const include = send(place, 'included', { manner: 'once' });
      await eventually(() => expect(first).toHaveLength(1));
      const excluded = ['b', 'c', 'd'].map((path) => send(place, path, { manner: 'once' }));
      expect(await Promise.all([include, ...excluded])).toEqual(['included', 'b', 'c', 'd'].map((p) => `"/api/${p}"`));
      const paths = place.server.requests.map(({ path }) => path);
      expect(paths.filter((path) => path === '/api/included')).toHaveLength(1);
      expect(paths).toHaveLength(7);
    });

    it('gives up when every connection excludes it, and says that nothing was sent', async () => {
      const place = await scene(exclude);
      await expect(send(place, 'a', { manner: 'once' })).rejects.toMatchObject({ kind: 'unreachable', isUnsent: true });
      expect(place.server.requests).toHaveLength(3);
    });

    it('does not send again what was cancelled meanwhile', async () => {
      const place = await scene(() => undefined);
      const cancelled = new AbortController();
      const sent = send(place, 'a', { manner: 'once', signal: cancelled.signal });
      await eventually(() => expect(place.server.requests).toHaveLength(1));
      const [request] = place.server.requests;
      cancelled.abort();
      if (request) exclude(request);
      await expect(sent).rejects.toMatchObject({ kind: 'cancelled', isUnsent: false });
      expect(place.server.requests).toHaveLength(1);
    });
  });

  it('takes a whole reply that a reset or GOAWAY follows', async () => {
    for (const code of [0, 8]) {
      const place = await scene(({ socket, id }) =>
        socket.write(Buffer.concat([frames.head(id), frames.end(id, '[]'), frames.reset(id, code)])),
      );
      expect(await send(place, 'a')).toBe('[]');
      expect(await send(place, 'b')).toBe('[]');
    }
    const place = await scene(({ socket, id }) =>
      socket.write(Buffer.concat([frames.goAway(id), frames.head(id), frames.end(id, '[]')])),
    );
    expect(await send(place, 'a')).toBe('[]');
    // The server takes no more on that connection.
    expect(await send(place, 'b')).toBe('[]');
    expect(place.server.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  it('takes no second reply, nor one to a request that was cancelled', async () => {
    let first: Http2Request | undefined;
    const place = await scene((request) => {
      const { socket, id, path } = request;
      if (path === '/api/slow') first = request;
      else if (first) {
        const late = [frames.head(first.id), frames.end(first.id, '"late"')];
        const own = [frames.head(id), frames.end(id, '"own"')];
        socket.write(Buffer.concat([...late, ...own, ...own]));
      } else whole(request);
    });
    await send(place, 'warm');
    const stop = new AbortController();
    const slow = send(place, 'slow', { signal: stop.signal }).catch((cause: ClientError) => cause.kind);
    await eventually(() => expect(first).toBeDefined());
    stop.abort();
    expect(await slow).toBe('cancelled');
    await eventually(() => expect(first?.isCancelled()).toBe(true));
    expect(await send(place, 'next')).toBe('"own"');
    expect(await send(place, 'after')).toBe('"own"');
  });

  it('cancels a reply that is arriving, and keeps the others', async () => {
    let result: Http2Request | undefined;
    const place = await scene((request) => {
      if (request.path !== '/api/result') return whole(request);
      result = request;
      request.socket.write(Buffer.concat(begun(request.id)));
    });
    await send(place, 'warm');
    const reply = await place.transport.send('result', '{}', { deadlineMs: 10_000, maxBytes: 1_000, manner: 'stream' });
    for await (const chunk of reply.body) {
      expect(Buffer.from(chunk).toString()).toBe('[1,2');
      break;
    }
    await eventually(() => expect(result?.isCancelled()).toBe(true));
    expect(await send(place, 'next')).toBe('"/api/next"');
    expect(place.server.connections).toHaveLength(1);
  });

  it('reads a long reply in full while the reader is slow', async () => {
    const pieces = 1_500;
    const place = await scene((request) => {
      const { socket, id, path } = request;
      if (path === '/api/warm') return whole(request);
      // All at once, as the window of a reply allows.
      const parts = Array.from({ length: pieces }, (_, index) => frames.data(id, String(index % 10).repeat(1_000)));
      socket.write(Buffer.concat([frames.head(id), ...parts, frames.end(id)]));
    });
    // The first reply follows on the settings, which make the window.
    await send(place, 'warm');
    const reply = await place.transport.send('long', '{}', { deadlineMs: 10_000, maxBytes: 100_000_000 });
    let [size, sum] = [0, 0];
    for await (const chunk of reply.body) {
      size += chunk.byteLength;
      for (const byte of chunk) sum += byte - 48;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect([size, sum]).toEqual([pieces * 1_000, 4_500 * pieces]);
  });
});
