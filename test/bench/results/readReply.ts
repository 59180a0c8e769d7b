import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Measured, Method } from './measured.ts';

const part = (file: string) => join(import.meta.dirname, file);
const run = promisify(execFile);

/** A process that serves one reply: where, and how large it is, plain and compressed. */
export interface ReplyServer {
  root: string;
  bytes: number;
  packedBytes: number;
  stop: () => void;
}

/** Starts replyServer.ts. */
export async function startReplyServer(rowCount: number): Promise<ReplyServer> {
  const child = spawn(process.execPath, [part('replyServer.ts'), String(rowCount)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const ready = JSON.parse(line) as { port: number; bytes: number; packedBytes: number };
  return { root: `http://127.0.0.1:${ready.port}`, ...ready, stop: () => void child.kill() };
}

/** Reads the reply once in a fresh process. */
export async function readReply(method: Method, root: string, path = '/identity'): Promise<Measured> {
  const { stdout } = await run(process.execPath, ['--expose-gc', part('readerProcess.ts'), method, root + path]);
  return JSON.parse(stdout) as Measured;
}
