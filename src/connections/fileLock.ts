import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { say } from '../words/say.ts';

const heartbeatMs = 2_000;
/** A lock whose holder gives no sign of life for this long is free, even if its process id is in use again. */
const staleMs = 20_000;
const pollMs = 40;

/**
 * Runs `work` while no other process of this machine holds the lock `file`. A lock left by a dead process is taken over.
 * @param waitMs how long to wait for the holder.
 * @throws {Error} naming the file when the holder does not let go in time.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>, waitMs = 60_000): Promise<T> {
  const mark = `${process.pid} ${randomUUID()}`;
  await acquire(file, mark, Date.now() + waitMs);
  const heartbeat = setInterval(() => void touch(file), heartbeatMs);
  heartbeat.unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if ((await content(file)) === mark) await fs.rm(file, { force: true });
  }
}

async function acquire(file: string, mark: string, deadline: number): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true });
  for (;;) {
    try {
      await fs.writeFile(file, mark, { flag: 'wx', mode: 0o600 });
      return;
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    }
    const holder = await content(file);
    if (holder !== undefined && (await isStale(file, holder))) await breakLock(file, holder);
    else if (Date.now() > deadline) throw new Error(say('Another window holds {0} and does not let go.', file));
    else await delay(pollMs);
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

async function isStale(file: string, holder: string): Promise<boolean> {
  const pid = Number.parseInt(holder, 10);
  if (Number.isInteger(pid) && !isProcessAlive(pid)) return true;
  try {
    return Date.now() - (await fs.stat(file)).mtimeMs > staleMs;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
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
