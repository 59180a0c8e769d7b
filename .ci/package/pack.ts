import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { stage } from './stage.ts';
import { mostBytes, type Target } from './targets.ts';

const run = promisify(execFile);

/** What is packed, for whom, and where to. */
export interface Package {
  /** The project, built. */
  root: string;
  target: Target;
  /** Keeps what is staged, and what was fetched for other platforms. */
  cache: string;
  /** Seconds since 1970 that every entry of the package carries. */
  time: string;
  /** The VSIX file that is written. */
  file: string;
}

/**
 * Packs the built extension. The same sources, sample and time give the same bytes.
 * @returns the size in bytes.
 * @throws Error when the package weighs more than its platform's packages may.
 */
export async function pack({ root, target, cache, time, file }: Package): Promise<number> {
  const folder = path.join(cache, 'stage', target);
  await stage({ root, target, folder, cache });
  const platform = target === 'universal' ? [] : ['--target', target];
  await run(
    process.execPath,
    [
      path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce'),
      'package',
      ...platform,
      ...['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--out', file],
    ],
    { cwd: folder, env: { ...process.env, SOURCE_DATE_EPOCH: time } },
  );
  const { size } = await stat(file);
  if (size > mostBytes[target]) throw new Error(`${target} weighs more than ${mostBytes[target] / 1e6} MB.`);
  return size;
}
