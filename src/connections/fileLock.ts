import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ClientError } from '../client/clientError.ts';
import * as l10n from '../l10n/l10n.ts';

const heartbeatMs = 2_000;
const pollMs = 40;
/**
 * A lock without a heartbeat in this many polls is free, even if its process id is in use again: 20 s of this process's
 * running time, independent of the computer's clock.
 */
const silentLooks = 20_000 / pollMs;

/** Wait and expiry times of a lock. */
export interface LockTimeouts {
  /** Name of the server that the lock belongs to, for messages. */
  server: string;
  /** Fires when the caller cancels the wait; once the lock is acquired, the work continues. */
  signal?: AbortSignal | undefined;
  waitMs?: number;
  /** For tests: polls without a heartbeat. */
  silentLooks?: number;
}

/**
 * Runs `work` while no other process of this machine has the lock `file`. Takes over a lock left by a dead process.
 * @throws {ClientError} of kind cancelled when `signal` fires during the wait; of kind storage, naming server and file,
 * when the holder does not release the lock in time or the file cannot be created; in these cases `work` was not
 * started.
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
    throw new ClientError('storage', l10n.t('{0} cannot be used: cannot create the lock {1}: {2}', server, file, why), {
      server,
      isUnsent: true,
      remedy: l10n.t('Free up disk space or unlock the folder, then try again.'),
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
      const message = l10n.t(
        '{0} cannot be used: another window holds the lock {1} and does not release it.',
        server,
        file,
      );
      const remedy = l10n.t('Wait until the other window finishes, or close it, then try again.');
      throw new ClientError('storage', message, { server, isUnsent: true, remedy });
    } else await delay(pollMs);
    if (signal?.aborted) {
      throw new ClientError('cancelled', l10n.t('Cancelled: {0}.', file), { server, isUnsent: true });
    }
  }
}

/** Releases the lock; if that fails, it is taken over once this process has exited or its heartbeat stopped. */
async function release(file: string, mark: string): Promise<void> {
  try {
    if ((await content(file)) === mark) await fs.rm(file, { force: true });
  } catch {
    // The work done under the lock is still valid.
  }
}

/** Removes a stale lock, unless it changed owner since it was checked. */
async function breakLock(file: string, holder: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await fs.rename(file, aside);
    // Another process was faster and this is its new lock: restore it.
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

/** Changes with every heartbeat of the holder; the time itself is ignored, because clocks jump. */
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
    // It is running, but belongs to another user.
    return isCode(error, 'EPERM');
  }
}

/**
 * Whether a process with this id is running that this user may signal: the extension's processes never belong to other
 * users.
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
