import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type DatabaseServer,
  freePort,
  runAsServer,
  serverFolder,
  startProcess,
  stopProcess,
} from './serverProcess.ts';

const versions = '/usr/lib/postgresql';

/** Folder of PostgreSQL's programs, or undefined where it is not installed. */
export function postgresqlPrograms(): string | undefined {
  const found = existsSync(versions) ? readdirSync(versions).map((version) => path.join(versions, version, 'bin')) : [];
  return found.findLast((folder) => existsSync(path.join(folder, 'postgres')));
}

/** Starts PostgreSQL on a folder of its own. @throws Error when it is not installed. */
export async function startPostgresql(): Promise<DatabaseServer> {
  const programs = postgresqlPrograms();
  if (!programs) throw new Error('PostgreSQL is not installed');
  const folder = await serverFolder('postgresql');
  const data = path.join(folder, 'data');
  const passwordFile = path.join(folder, 'password');
  await writeFile(passwordFile, 'secret of postgresql\n', { mode: 0o644 });
  const options = [
    '-D',
    data,
    '-U',
    'owner',
    '-A',
    'scram-sha-256',
    '--pwfile',
    passwordFile,
    '-E',
    'UTF8',
    '--no-sync',
  ];
  // A collation that is not the order of bytes, as databases usually have.
  await runAsServer(
    path.join(programs, 'initdb'),
    [...options, '--locale-provider=icu', '--icu-locale=en', '--locale=C.UTF-8'],
    folder,
  );
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'off',
    autovacuum: 'off',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = await startProcess(
    path.join(programs, 'postgres'),
    ['-D', data, ...flags],
    folder,
    /ready to accept connections/,
  );
  return {
    host: '127.0.0.1',
    port,
    login: 'owner',
    password: 'secret of postgresql',
    database: 'postgres',
    stop: () => stopProcess(child, 'SIGINT', folder),
  };
}
