import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { residentBytes } from '../../../support/processes/residentMemory.ts';
import { type SignedIn, startServer, type TestServer } from '../../../support/server.ts';

/*
 * Clients that send a body slowly, or never the end of it: each is told 408 and cut off after half a minute, here after six
 * seconds, what it sent is let go of, and everybody else is served meanwhile.
 */

let server: TestServer;
let admin: SignedIn;

async function start(nodeArgs: readonly string[] = []): Promise<void> {
  server = await startServer({ nodeArgs });
  admin = await server.login('admin', server.adminPassword);
}

const megabyte = 1024 * 1024;

/** Begins a call whose body is to have `length` bytes, or chunks where that is undefined. */
async function begin(length: number | undefined, endpoint = 'Session/CheckSession'): Promise<Socket> {
  const { port } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const extent = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  const headers = `Host: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n${extent}`;
  socket.write(`POST /api/${endpoint} HTTP/1.1\r\n${headers}\r\n\r\n`);
  return socket;
}

/** What a client hears until it is cut off. */
async function outcome(socket: Socket): Promise<{ status: string; ms: number }> {
  const started = performance.now();
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(socket, 'close');
  return { status: text.slice(0, 12), ms: performance.now() - started };
}

describe('a request that does not end', () => {
  beforeAll(() => start(['--import', new URL('../../../support/run/shortTimeouts.ts', import.meta.url).href]));
  afterAll(() => server.stop());

  it('is given up with 408 when its headers do not come', async () => {
    const { port } = new URL(server.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('POST /api/Session/CheckSession HTTP/1.1\r\nHost: 127.0.0.1\r\n');
    const { status, ms } = await outcome(socket);
    expect(status).toBe('HTTP/1.1 408');
    expect(ms).toBeGreaterThan(1_500);
    expect(ms).toBeLessThan(3_500);
  });
  it('is given up after its time with 408, and others are served meanwhile', async () => {
    const start = '{"sessionToken":"';
    const silent = await begin(1_000);
    silent.write(start);
    const chunked = await begin(undefined);
    chunked.write(`${start.length.toString(16)}\r\n${start}\r\n`);
    const signingIn = await begin(60_000, 'login/DoLogin');
    const dripping = await begin(100_000);
    const large = await Promise.all(Array.from({ length: 8 }, () => begin(15 * megabyte)));
    const before = residentBytes(server.process.pid);
    for (const socket of large) socket.write(Buffer.alloc(14 * megabyte, 0x20));
    const drip = setInterval(() => dripping.write(' '), 100);
    const all = [silent, chunked, signingIn, dripping, ...large];
    let open = all.length;
    const outcomes = all.map(async (socket) => {
      const heard = await outcome(socket);
      open -= 1;
      return heard;
    });
    let slowest = 0;
    let replies = 0;
    let most = 0;
    while (open > 0) {
      const asked = performance.now();
      expect((await admin.call('Session/CheckSession')).json).toMatchObject({ ErrorCode: 0 });
      slowest = Math.max(slowest, performance.now() - asked);
      most = Math.max(most, residentBytes(server.process.pid));
      replies += 1;
    }
    clearInterval(drip);
    for (const { status, ms } of await Promise.all(outcomes)) {
      expect(status).toBe('HTTP/1.1 408');
      expect(ms).toBeGreaterThan(5_000);
      expect(ms).toBeLessThan(12_000);
    }
    expect(replies).toBeGreaterThan(100);
    // A machine that runs other tests beside this one is not quick.
    expect(slowest).toBeLessThan(5_000);
    // What they sent, and no more of it than once.
    expect(most - before).toBeLessThan((8 * 14 * 1.5 + 60) * megabyte);
  });
});

describe('the memory that bodies take', () => {
  beforeAll(() => start());
  afterAll(() => server.stop());

  it('is little more than their bytes, in however small pieces they come', { timeout: 60_000 }, async () => {
    const before = residentBytes(server.process.pid);
    const socket = await begin(undefined);
    const pieces = Buffer.from('1\r\n \r\n'.repeat(100_000));
    for (let sent = 0; sent < 20; sent += 1) {
      if (!socket.write(pieces)) await once(socket, 'drain');
    }
    const heard = outcome(socket);
    socket.once('data', () => socket.end());
    socket.write('0\r\n\r\n');
    expect((await heard).status).toBe('HTTP/1.1 200');
    // 2 MB in pieces of one byte, of which each took 400 as an object of its own.
    expect(residentBytes(server.process.pid) - before).toBeLessThan(250 * megabyte);
  });

  it('is no more than is set aside for all together, and comes back', { timeout: 60_000 }, async () => {
    const before = residentBytes(server.process.pid);
    const crowd = await Promise.all(Array.from({ length: 60 }, () => begin(8 * megabyte)));
    const gone = crowd.map(outcome);
    for (const socket of crowd) socket.write(Buffer.alloc(8 * megabyte - 1, 0x20));
    // What is still free is less than one of them takes.
    const body = { more: Array.from({ length: 12 }, () => ' '.repeat(megabyte)) };
    const status = async () => (await admin.call('Session/CheckSession', body)).status;
    await expect.poll(status, { timeout: 20_000 }).toBe(503);
    // A short one, as most are, finds room nevertheless.
    for (let count = 0; count < 20; count += 1) {
      expect((await admin.call('Session/CheckSession')).json).toMatchObject({ ErrorCode: 0 });
    }
    // 480 MB were sent, of which 256 may be held; what was let go of takes a while to be collected.
    expect(residentBytes(server.process.pid) - before).toBeLessThan(600 * megabyte);
    for (const socket of crowd) socket.destroy();
    await Promise.all(gone);
    await expect.poll(status, { timeout: 10_000 }).toBe(200);
  });
});
