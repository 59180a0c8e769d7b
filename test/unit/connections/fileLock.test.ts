import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isProcessAlive, withFileLock } from '../../../src/connections/fileLock.ts';

const server = 'Reports';
let folder: string;
let lock: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'analytics-lock-'));
  lock = path.join(folder, 'deep', 'lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('withFileLock', () => {
  it('lets one at a time in and gives the lock back', async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
    };
    await Promise.all(Array.from({ length: 20 }, () => withFileLock(lock, work, { server })));
    expect(most).toBe(1);
    await expect(stat(lock)).rejects.toThrow('ENOENT');
  });

  it('gives the lock back when the work fails', async () => {
    await expect(withFileLock(lock, () => Promise.reject(new Error('no')), { server })).rejects.toThrow('no');
    await expect(withFileLock(lock, async () => 'yes', { server })).resolves.toBe('yes');
  });

  it('takes over what a dead process left, and only one waiter gets it', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    await withFileLock(lock, async () => undefined, { server });
    await writeFile(lock, `${child.pid} gone`);
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
    };
    await Promise.all(Array.from({ length: 10 }, () => withFileLock(lock, work, { server })));
    expect(most).toBe(1);
  });

  it('takes over a lock whose holder gives no sign of life while it is watched', async () => {
    await withFileLock(lock, async () => undefined, { server });
    await writeFile(lock, `${process.pid} asleep`);
    await expect(withFileLock(lock, async () => 'in', { server, silentLooks: 3 })).resolves.toBe('in');
  });

  it('leaves a lock to a holder that is alive, wherever the clock jumps', async () => {
    await withFileLock(
      lock,
      async () => {
        for (const jumpMs of [-86_400_000, 86_400_000]) {
          const moment = new Date(Date.now() + jumpMs);
          await utimes(lock, moment, moment);
          const waiting = withFileLock(lock, async () => 'in', { server, waitMs: 200 });
          await expect(waiting).rejects.toMatchObject({ kind: 'storage' });
        }
      },
      { server },
    );
  });

  it('is not waited for by whoever gives up, within 200 ms', async () => {
    await withFileLock(
      lock,
      async () => {
        const controller = new AbortController();
        let ran = false;
        const work = async () => (ran = true);
        const waiting = withFileLock(lock, work, { server, signal: controller.signal });
        const startedAt = performance.now();
        controller.abort();
        await expect(waiting).rejects.toMatchObject({ kind: 'cancelled', isUnsent: true });
        expect(performance.now() - startedAt).toBeLessThan(200);
        expect(ran).toBe(false);
      },
      { server },
    );
  });

  it('names lock, server and a way on when its holder does not let go, or it cannot be made', async () => {
    await withFileLock(
      lock,
      async () => {
        const held: unknown = await withFileLock(lock, async () => undefined, { server, waitMs: 100 }).catch(
          (error: unknown) => error,
        );
        expect(held).toMatchObject({ kind: 'storage', server, isUnsent: true });
        expect(held).toMatchObject({ message: expect.stringContaining(lock) as string });
        expect(held).toMatchObject({ remedy: expect.stringContaining('other window') as string });
      },
      { server },
    );
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    const below = path.join(file, 'lock');
    const unmade: unknown = await withFileLock(below, async () => undefined, { server }).catch(
      (error: unknown) => error,
    );
    expect(unmade).toMatchObject({ kind: 'storage', server, isUnsent: true, cause: expect.any(Error) as Error });
    expect(unmade).toMatchObject({ message: expect.stringContaining(below) as string });
  });

  it('holds between processes', async () => {
    const module = path.join(import.meta.dirname, '../../../src/connections/fileLock.ts');
    const counter = path.join(folder, 'counter');
    await writeFile(counter, '0');
    const script = `
      const { withFileLock } = await import(${JSON.stringify(module)});
      const fs = await import('node:fs/promises');
      for (let i = 0; i < 25; i++) await withFileLock(${JSON.stringify(lock)}, async () => {
        const value = Number(await fs.readFile(${JSON.stringify(counter)}, 'utf8'));
        await new Promise((resolve) => setImmediate(resolve));
        await fs.writeFile(${JSON.stringify(counter)}, String(value + 1));
      }, { server: 'Reports' });`;
    const children: ChildProcess[] = [1, 2, 3].map(() =>
      spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as number));
    expect(codes).toEqual([0, 0, 0]);
    expect(await readFile(counter, 'utf8')).toBe('75');
  }, 30_000);
});

describe('isProcessAlive', () => {
  it('knows this process and one that has ended', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    expect(isProcessAlive(process.pid)).toBe(true);
    expect(isProcessAlive(child.pid ?? 0)).toBe(false);
  });
});
