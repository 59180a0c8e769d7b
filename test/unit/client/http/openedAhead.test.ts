import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Transport } from '../../../../src/client/http/transport.ts';

/* Connections that are opened before there is a request for them, as several requests are sent or a password is typed. */

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Wire {
  readonly transport: Transport;
  /** Every connection that was opened, with the requests that came over it. */
  readonly connections: { readonly socket: Socket; readonly requests: string[] }[];
  readonly server: Server;
  /** Answers the requests that wait. */
  answer(): void;
}

/** A server that answers when told to. `opened` is what it does with a connection before any request. */
async function serve(opened: (socket: Socket, number: number) => void = () => undefined): Promise<Wire> {
  const connections: { socket: Socket; requests: string[] }[] = [];
  const waiting: Socket[] = [];
  const server = createServer((socket) => {
    const entry = { socket, requests: [] as string[] };
    connections.push(entry);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      for (const [, path = ''] of chunk.toString('latin1').matchAll(/POST \/api\/(\S+)/g)) {
        entry.requests.push(path);
        waiting.push(socket);
      }
    });
    opened(socket, connections.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const apiBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  const transport = new Transport({ connectionId: 'c', name: 'Reports', apiBase });
  cleanups.push(async () => {
    await transport.close();
    for (const { socket } of connections) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  });
  let number = 0;
  const answer = () => {
    for (const socket of waiting.splice(0)) {
      const body = `{"number":${++number}}`;
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
    }
  };
  return { transport, connections, server, answer };
}

async function read(transport: Transport, path: string, manner: 'read' | 'once' | 'new' = 'read'): Promise<string> {
  const reply = await transport.send(path, '{}', { deadlineMs: 10_000, maxBytes: 1_000, manner });
  let text = '';
  for await (const chunk of reply.body) text += Buffer.from(chunk).toString();
  return `${reply.status} ${text}`;
}

const arrived = ({ connections }: Wire) => connections.flatMap(({ requests }) => requests).length;
const open = ({ connections }: Wire) => connections.filter(({ socket }) => !socket.destroyed).length;

let asked = 0;
/** Sends different reads side by side. */
async function together(wire: Wire, count: number): Promise<string[]> {
  const before = arrived(wire);
  const replies = Promise.all(Array.from({ length: count }, () => read(wire.transport, `read${++asked}`)));
  await vi.waitFor(() => expect(arrived(wire)).toBe(before + count));
  wire.answer();
  return replies;
}

async function one(wire: Wire): Promise<void> {
  expect(await together(wire, 1)).toHaveLength(1);
}

/** Moves the clock of the client. */
function later(ms: number): void {
  const real = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + ms);
  cleanups.push(() => void clock.mockRestore());
}

describe('connections that are opened ahead', () => {
  it('carry more requests at the same time than were sent before, and nothing until then', async () => {
    const wire = await serve();
    await one(wire);
    await together(wire, 3);
    await vi.waitFor(() => expect(wire.connections).toHaveLength(6));
    const silent = wire.connections.filter(({ requests }) => requests.length === 0);
    expect(silent.map(({ socket }) => socket.bytesRead)).toEqual([0, 0, 0]);
    const before = wire.connections.length;
    const replies = await together(wire, 6);
    expect(new Set(replies).size).toBe(6);
    expect(wire.connections.slice(0, before).every(({ requests }) => requests.length > 0)).toBe(true);
    // Each of the six found a connection; more were opened for what may follow.
    expect(wire.connections.slice(before).flatMap(({ requests }) => requests)).toEqual([]);
  });

  it('are not opened for one or two requests, nor kept beyond twelve in all', async () => {
    const wire = await serve();
    for (let count = 0; count < 5; count++) await together(wire, 2);
    expect(wire.connections).toHaveLength(2);
    for (let count = 0; count < 3; count++) await together(wire, 12);
    await vi.waitFor(() => expect(open(wire)).toBe(12));
    expect(wire.connections.length).toBeLessThanOrEqual(15);
  });

  it('do no harm when the server takes no more', async () => {
    const wire = await serve();
    await one(wire);
    // It listens no longer, and keeps the connection that it has.
    const closed = new Promise((resolve) => wire.server.close(resolve));
    await wire.transport.openAhead();
    await one(wire);
    expect(wire.connections).toHaveLength(1);
    wire.connections[0]?.socket.destroy();
    await closed;
  });

  it('are tried once a minute with a server that closes them at once', async () => {
    const wire = await serve((socket, number) => number > 1 && socket.end());
    await one(wire);
    await wire.transport.openAhead();
    await vi.waitFor(() => expect(open(wire)).toBe(1));
    const tried = wire.connections.length;
    for (let count = 0; count < 5; count++) {
      await wire.transport.openAhead();
      await one(wire);
    }
    expect(wire.connections).toHaveLength(tried);
    later(61_000);
    await wire.transport.openAhead();
    expect(wire.connections.length).toBeGreaterThan(tried);
  });

  it('are opened again after a server has closed them in its own time', async () => {
    const wire = await serve();
    await one(wire);
    await wire.transport.openAhead();
    await vi.waitFor(() => expect(wire.connections).toHaveLength(3));
    later(12_000);
    for (const { socket, requests } of wire.connections)
      if (requests.length === 0) socket.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n');
    await vi.waitFor(() => expect(open(wire)).toBe(1));
    await wire.transport.openAhead();
    await vi.waitFor(() => expect(open(wire)).toBe(3));
    await one(wire);
  });

  it('carry a read for 25 s, a sign-in for 8 s and a write for 4 s', async () => {
    for (const [manner, ms, isTaken] of [
      ['read', 24_000, true],
      ['read', 26_000, false],
      ['new', 7_000, true],
      ['new', 9_000, false],
      ['once', 3_000, true],
      ['once', 5_000, false],
    ] as const) {
      const wire = await serve();
      await wire.transport.openAhead();
      await vi.waitFor(() => expect(wire.connections).toHaveLength(3));
      later(ms);
      const reply = read(wire.transport, 'x', manner);
      await vi.waitFor(() => expect(arrived(wire)).toBe(1));
      wire.answer();
      await reply;
      expect(wire.connections.length > 3, `${manner} after ${ms} ms`).toBe(!isTaken);
      vi.restoreAllMocks();
    }
  });

  it('are closed with the rest, also while they connect', async () => {
    const wire = await serve();
    await one(wire);
    const opening = wire.transport.openAhead();
    await wire.transport.drain();
    await opening;
    await vi.waitFor(() => expect(open(wire)).toBe(0));
    await wire.transport.openAhead();
    expect(open(wire)).toBe(0);
  });

  it('whose server answers 408 before the request came do not answer a read with it', async () => {
    const wire = await serve();
    await wire.transport.openAhead();
    const reply = read(wire.transport, 'x');
    await vi.waitFor(() => expect(arrived(wire)).toBe(1));
    const first = wire.connections.find(({ requests }) => requests.length > 0);
    first?.socket.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    await vi.waitFor(() => expect(arrived(wire)).toBe(2));
    wire.answer();
    // The first answer goes to the closed connection.
    expect(await reply).toBe('200 {"number":2}');
    const write = read(wire.transport, 'y', 'once');
    await vi.waitFor(() => expect(arrived(wire)).toBe(3));
    wire.connections
      .find(({ requests }) => requests.includes('y'))
      ?.socket.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    expect(await write).toBe('408 ');
    expect(arrived(wire)).toBe(3);
  });
});
