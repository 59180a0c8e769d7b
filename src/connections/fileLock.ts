import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ClientError } from '../client/clientError.ts';
import { say } from '../l10n/l10n.ts';

const heartbeatMs = 2_000;
const pollMs = 40;
/**
 * A lock that shows no sign of life in so many looks is free, even if its process id is in use again: 20 s of this
 * process's running time, whatever the clock of the computer does meanwhile.
 */
const silentLooks = 20_000 / pollMs;

/** How long a lock is waited for, and when it counts as left behind. */
export interface LockTimeouts {
  /** Name of the server that the lock is about, for messages. */
  server: string;
  /** Fires when whoever waits gives up; once the lock is held, the work goes on. */
  signal?: AbortSignal | undefined;
  waitMs?: number;
  /** For tests: looks without a sign of life. */
  silentLooks?: number;
}

/**
 * Runs `work` while no other process of this machine holds the lock `file`. A lock left by a dead process is taken over.
 * @throws {ClientError} of kind cancelled when `signal` fires while it waits; of kind storage, naming server and file, when the holder does not let go in time or the file cannot be
 * made; then `work` was not begun.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>, patience: LockTimeouts): Promise<T> {
  const mark = `${process.pid} ${randomUUID()}`;
  await acquire(file, mark, patience);
  const heartbeat = setInterval(() => void touch(file), heartbeatMs);
  heartbeat.unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await release(file, mark);
  }
}

async function acquire(file: string, mark: string, patience: LockTimeouts): Promise<void> {
  try {
    await fs.mkdir(path.dirname(file), { recursive: true });
    await take(file, mark, patience);
  } catch (cause) {
    if (cause instanceof ClientError) throw cause;
    const { server } = patience;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ClientError('storage', say('{0} cannot be used: the lock {1} cannot be made: {2}', server, file, why), {
      server,
      isUnsent: true,
      remedy: say('Make room on the disk, or free the folder, and try again.'),
      cause,
    });
  }
}

async function take(file: string, mark: string, patience: LockTimeouts): Promise<void> {
  const { server, signal, waitMs = 60_000, silentLooks: mostSilent = silentLooks } = patience;
  const startedAt = performance.now();
  let seen = '';
  let silent = 0;
  for (;;) {
    try {
      await fs.writeFile(file, mark, { flag: 'wx', mode: 0o600 });
      return;
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    }
    const holder = await content(file);
    if (holder === undefined) continue;
    const sign = `${holder} ${await beatOf(file)}`;
    silent = sign === seen ? silent + 1 : 0;
    seen = sign;
    if (isDead(holder) || silent >= mostSilent) await breakLock(file, holder);
    else if (performance.now() - startedAt > waitMs) {
      const message = say('{0} cannot be used: another window holds {1} and does not let go.', server, file);
      const remedy = say('Wait until the other window is done, or close it, and try again.');
      throw new ClientError('storage', message, { server, isUnsent: true, remedy });
    } else await delay(pollMs);
    if (signal?.aborted) {
      throw new ClientError('cancelled', say('Cancelled: {0}.', file), { server, isUnsent: true });
    }
  }
}

/** Gives the lock back; one that stays behind is taken over once this process is gone or silent. */
async function release(file: string, mark: string): Promise<void> {
  try {
    if ((await content(file)) === mark) await fs.rm(file, { force: true });
  } catch {
    // What was done under the lock stands.
  }
}

/** Takes the stale lock away, unless it changed hands since it was looked at. */
async function breakLock(file: string, holder: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await fs.rename(file, aside);
    // Somebody else was faster and this is their fresh lock: put it back.
    if ((await content(aside)) !== holder) await fs.link(aside, file);
  } catch (error) {
    if (!isCode(error, 'ENOENT') && !isCode(error, 'EEXIST')) throw error;
  }
  await fs.rm(aside, { force: true });
}

function isDead(holder: string): boolean {
  const pid = Number.parseInt(holder, 10);
  return Number.isInteger(pid) && !isProcessAlive(pid);
}

/** Changes with every heartbeat of the holder; the moment itself is not looked at, as clocks jump. */
async function beatOf(file: string): Promise<number | undefined> {
  try {
    return (await fs.stat(file)).mtimeMs;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Whether a process with this id runs on this machine. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs, but belongs to somebody else.
    return isCode(error, 'EPERM');
  }
}

/**
 * Whether a process with this id runs that this user may signal: one of somebody else is no process of the extension's.
 */
export function isOwnProcessAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The file's text, or undefined when there is no such file. */
async function content(file: string): Promise<string | undefined> {
  try {
    return await fs.readFile(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function touch(file: string): Promise<void> {
  const now = new Date();
  // A failing heartbeat only means that the lock may be taken over later.
  await fs.utimes(file, now, now).catch(() => undefined);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
