import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { Target } from './targets.ts';

const run = promisify(execFile);
const lockFile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), integrity: z.string().optional() })),
});
const packed = z.tuple([z.object({ filename: z.string() })]);

/**
 * The folder of DuckDB's library for a platform: the one that npm installed here, or else fetched from npm into `cache` and
 * held against the hash in package-lock.json.
 * @throws Error when the lock file does not list it or what came is not what the lock file says.
 */
export async function duckdbLibrary(
  target: Exclude<Target, 'universal'>,
  root: string,
  cache: string,
): Promise<string> {
  const name = `@duckdb/node-bindings-${target}`;
  const installed = path.join(root, 'node_modules', name);
  if (existsSync(installed)) return installed;
  const lock = lockFile.parse(JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')));
  const { version, integrity } = lock.packages[`node_modules/${name}`] ?? {};
  if (version === undefined || integrity === undefined) throw new Error(`package-lock.json does not list ${name}`);
  const folder = path.join(cache, `${target}-${version}`);
  if (existsSync(folder)) return path.join(folder, 'package');
  const work = `${folder}.${process.pid}`;
  await mkdir(work, { recursive: true });
  try {
    const { stdout } = await run('npm', ['pack', `${name}@${version}`, '--json', '--pack-destination', work]);
    const [{ filename }] = packed.parse(JSON.parse(stdout));
    const file = path.join(work, path.basename(filename));
    const hash = `sha512-${createHash('sha512')
      .update(await readFile(file))
      .digest('base64')}`;
    if (hash !== integrity) throw new Error(`${name}@${version} is not what package-lock.json says`);
    await run('tar', ['-xzf', file, '-C', work]);
    await rm(file);
    await rename(work, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return path.join(folder, 'package');
}
