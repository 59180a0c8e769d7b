/**
 * `npm run package [-- TARGET…]` packs the built extension: for all platforms and for this one, or for the targets named, or
 * for `all`; `server` is the archive of a server for this platform. The same sources and sample give the same bytes: what is written into the package carries the time of the last
 * commit.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { pack } from './pack.ts';
import { packServer } from './serverArchive.ts';
import { ownTarget, type Target, targets } from './targets.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '..', '..');
const cache = path.join(root, '.vscode-test', 'package');

function wanted(names: readonly string[]): Target[] {
  if (names.includes('all')) return [...targets];
  const unknown = names.filter((name) => !targets.some((target) => target === name));
  if (unknown.length > 0)
    throw new Error(`There is no target ${unknown.join(', ')}: ${targets.join(', ')}, all, server.`);
  const own = ownTarget();
  const usual: Target[] = own ? ['universal', own] : ['universal'];
  return names.length > 0 ? targets.filter((target) => names.includes(target)) : usual;
}

/** Seconds since 1970 of the last commit; a fixed time outside a repository. */
async function sourceTime(): Promise<string> {
  if (process.env.SOURCE_DATE_EPOCH) return process.env.SOURCE_DATE_EPOCH;
  const git = await run('git', ['log', '-1', '--format=%ct'], { cwd: root }).catch(() => undefined);
  return git?.stdout.trim() ?? '946684800';
}

const time = await sourceTime();
const names = process.argv.slice(2);
if (names.includes('server')) {
  const { file, size } = await packServer({ root, cache, time, target: path.join(root, 'dist') });
  console.log(`${path.relative(root, file)}: ${(size / 1e6).toFixed(1)} MB`);
}
const others = names.filter((name) => name !== 'server');
for (const target of names.length > 0 && others.length === 0 ? [] : wanted(others)) {
  const file = path.join(root, 'dist', `analytics-studio-${target}.vsix`);
  const size = await pack({ root, target, cache, time, file });
  console.log(`${path.relative(root, file)}: ${(size / 1e6).toFixed(1)} MB`);
}
