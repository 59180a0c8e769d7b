import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import type { CopyProgress } from '../store/copyDatabase.ts';

/*
 * How `server.js backup` asks the server that uses the data folder for a copy, because only that process can read the
 * database: one line of JSON each way over loopback. Only the owner of the data folder can read the token. Closing the
 * connection cancels the copy.
 */

const controlNote = z.object({ port: z.int(), token: z.string() });
const request = z.object({ token: z.string(), target: z.string() });
const reply = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), copied: z.number(), total: z.number() }),
  z.object({ kind: z.literal('done') }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
]);

const loopback = '127.0.0.1';
const longestRequest = 16 * 1024;
const askWithinMs = 5_000;

function noteFile(dataFolder: string): string {
  return path.join(dataFolder, 'server.control');
}

/** Takes requests for copies of the state until {@link ControlServer.close}. */
export interface ControlServer {
  /** Cancels running copies; resolves when none reads the database any more. */
  close(): Promise<void>;
}

/** Starts to take requests for copies of the state, which `copyTo` makes. */
export async function openControl(
  dataFolder: string,
  copyTo: (target: string, onProgress: CopyProgress) => Promise<void>,
): Promise<ControlServer> {
  const token = randomBytes(32).toString('hex');
  const sockets = new Set<Socket>();
  const running = new Set<Promise<void>>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    socket.setTimeout(askWithinMs, () => socket.destroy());
    const answering = answer(socket, token, copyTo).finally(() => running.delete(answering));
    running.add(answering);
  });
  server.maxConnections = 4;
  server.listen(0, loopback);
  await once(server, 'listening');
  // The server must be able to stop while a client is connected.
  server.unref();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The control server has no port');
  writeFileSync(noteFile(dataFolder), JSON.stringify({ port: address.port, token }), { mode: 0o600 });
  return {
    close: async () => {
      rmSync(noteFile(dataFolder), { force: true });
      server.close();
      for (const socket of sockets) socket.destroy();
      await Promise.allSettled(running);
    },
  };
}

async function answer(
  socket: Socket,
  token: string,
  copyTo: (target: string, onProgress: CopyProgress) => Promise<void>,
): Promise<void> {
  const line = await firstLine(socket);
  const asked = line === undefined ? undefined : request.safeParse(parsed(line));
  if (!asked?.success || !isSame(asked.data.token, token)) {
    socket.destroy();
    return;
  }
  socket.setTimeout(0);
  const send = (value: z.output<typeof reply>) => {
    if (!socket.destroyed) socket.write(`${JSON.stringify(value)}\n`);
  };
  try {
    await copyTo(asked.data.target, (copied, total) => {
      if (socket.destroyed) throw new Error('The client has left');
      send({ kind: 'progress', copied, total });
    });
    send({ kind: 'done' });
  } catch (error) {
    send({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
  }
  socket.end();
}

/** The first line that a client sends; undefined when it sends too much, or leaves. */
function firstLine(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      received += text;
      const end = received.indexOf('\n');
      if (end >= 0) resolve(received.slice(0, end));
      else if (received.length > longestRequest) resolve(undefined);
    });
    socket.on('close', () => resolve(undefined));
  });
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * Asks the server that uses `dataFolder` to copy its state to the empty file `target`.
 * @throws Error when the server refuses or ends.
 */
export async function requestCopy(dataFolder: string, target: string, onProgress: CopyProgress): Promise<void> {
  const { port, token } = readNote(dataFolder);
  const socket = connect({ host: loopback, port });
  const lines = createInterface({ input: socket });
  try {
    await once(socket, 'connect');
    socket.write(`${JSON.stringify({ token, target })}\n`);
    for await (const line of lines) {
      const said = reply.parse(parsed(line));
      if (said.kind === 'done') return;
      if (said.kind === 'failed') throw new Error(said.reason);
      onProgress(said.copied, said.total);
    }
    throw new Error('the server ended meanwhile');
  } finally {
    lines.close();
    socket.destroy();
  }
}

function readNote(dataFolder: string): z.output<typeof controlNote> {
  try {
    return controlNote.parse(parsed(readFileSync(noteFile(dataFolder), 'utf8')));
  } catch (cause) {
    throw new Error('the server that uses the data folder is of an earlier release: stop it first', { cause });
  }
}
