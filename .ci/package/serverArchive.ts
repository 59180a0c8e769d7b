import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, lutimes, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import * as z from 'zod';
import { sampleLeftOut } from './stage.ts';

const run = promisify(execFile);
const manifest = z.object({ version: z.string(), license: z.string() });

/** What the server needs of dist/. */
const built = ['server.js', 'sqliteReader.js', 'server', 'sample', 'duckdb', 'THIRD-PARTY-NOTICES.txt'];
/** Name of the only folder in the archive. */
const top = 'analytics-server';

/** What is packed, and where to. */
export interface ServerArchive {
  /** The project, built. */
  root: string;
  /** Keeps what is staged. */
  cache: string;
  /** Seconds since 1970 that every entry carries. */
  time: string;
  /** Folder that the archive is written to. */
  target: string;
  /** Level of the compression; the usual one if undefined. */
  level?: number;
}

/**
 * Packs the built server for this platform: an archive that runs wherever Node.js does. The same sources, sample and time
 * give the same bytes.
 * @returns the archive and its size in bytes.
 * @throws Error when the project is not built, or without GNU tar.
 */
export async function packServer(archive: ServerArchive): Promise<{ file: string; size: number }> {
  const { version, tar } = await tarServer(archive);
  const file = path.join(archive.target, `${top}-${version}-${process.platform}-${process.arch}.tar.gz`);
  await writeFile(file, await promisify(gzip)(await readFile(tar), { level: archive.level }));
  await rm(tar);
  return { file, size: (await stat(file)).size };
}

/** Writes the archive before its compression. */
export async function tarServer({
  root,
  cache,
  time,
}: Omit<ServerArchive, 'target' | 'level'>): Promise<{ version: string; tar: string }> {
  const folder = path.join(cache, 'stage', 'server');
  const { version } = await stageServer(root, path.join(folder, top));
  const entries = (await readdir(folder, { recursive: true })).toSorted();
  for (const entry of entries) await lutimes(path.join(folder, entry), Number(time), Number(time));
  const list = path.join(folder, '..', 'server.txt');
  await writeFile(list, entries.join('\n'));
  const tar = path.join(folder, '..', 'server.tar');
  const owners = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  const form = ['--format=gnu', '--no-recursion', ...owners];
  await run('tar', ['-c', ...form, '-C', folder, '-T', list, '-f', tar]).catch((cause: unknown) => {
    throw new Error('The archive could not be written: GNU tar is needed.', { cause });
  });
  return { version, tar };
}

async function stageServer(root: string, folder: string): Promise<{ version: string }> {
  const dist = path.join(root, 'dist');
  if (!existsSync(path.join(dist, 'server.js'))) throw new Error('The project is not built: npm run build');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const hasDuckdb = existsSync(path.join(dist, 'duckdb'));
  const leftOut = path.join(dist, 'sample', hasDuckdb ? sampleLeftOut.platform : sampleLeftOut.universal);
  for (const name of built) {
    if (!existsSync(path.join(dist, name))) continue;
    const filter = (source: string) => source !== leftOut && !source.endsWith('.map');
    await cp(path.join(dist, name), path.join(folder, name), { recursive: true, filter });
  }
  await cp(path.join(import.meta.dirname, 'server'), folder, { recursive: true });
  await cp(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  const { version, license } = manifest.parse(JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')));
  const engines = { node: '>=22.15' };
  // Its scripts are CommonJS, whatever lies above the folder.
  const own = { name: top, version, license, private: true, type: 'commonjs', engines };
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
  return { version };
}
