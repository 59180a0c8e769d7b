import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../vscodeHost/paths.ts';

const run = promisify(execFile);

/** Copies a folder with its owners and rights. */
const copyFolder = (from: string, to: string) => run('cp', ['-a', from, to]);

/**
 * Makes a folder, or copies one that an earlier call has made: new databases of one release are alike, and take seconds.
 * @param key what the folder depends on, beside `name`.
 */
export async function keptFolder(
  name: string,
  key: readonly string[],
  folder: string,
  make: () => Promise<void>,
): Promise<void> {
  const digest = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 16);
  const kept = path.join(cacheFolder, 'engines', `${name}-${digest}`);
  if (existsSync(kept)) {
    await copyFolder(kept, folder);
    return;
  }
  await make();
  const unfinished = `${kept}.${process.pid}`;
  await mkdir(path.dirname(kept), { recursive: true });
  try {
    await copyFolder(folder, unfinished);
    // Two test files may make it at once: the first to finish is kept.
    await rename(unfinished, kept).catch((error: unknown) => {
      if (!existsSync(kept)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
