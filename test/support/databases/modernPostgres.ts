import { chmod, cp, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { keptFolder } from './keptFolder.ts';
import { npmEngine } from './npmEngine.ts';
import { runPostgresql } from './postgresqlServer.ts';
import { type DatabaseServer, serverFolder } from './serverProcess.ts';

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Starts PostgreSQL 18 from npm on a folder of its own. @returns undefined if it cannot be installed. @throws Error in CI if it
 * cannot be installed.
 */
export async function startModernPostgres(): Promise<DatabaseServer | undefined> {
  const engine = await npmEngine('postgresql');
  if (engine === undefined) return undefined;
  const folder = await serverFolder('postgresql-18');
  // A copy: the user that runs the server may be unable to read this project's folder.
  const native = path.join(folder, 'native');
  await keptFolder('postgresql-18', [engine], native, () => copyPrograms(path.join(engine, 'native'), folder));
  return runPostgresql(path.join(native, 'bin'), folder);
}

async function copyPrograms(from: string, folder: string): Promise<void> {
  await cp(from, path.join(folder, 'native'), { recursive: true });
  // npm keeps neither symbolic links nor the right to execute.
  const list = await readFile(path.join(from, 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of links.parse(JSON.parse(list)))
    await symlink(path.basename(source), path.join(folder, target));
  for (const program of ['initdb', 'postgres', 'pg_ctl'])
    await chmod(path.join(folder, 'native', 'bin', program), 0o755);
}
