import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { mayMiss } from '../run/mayMiss.ts';
import { keptFolder } from './keptFolder.ts';
import type { MadeCertificate } from '../tls.ts';
import {
  type DatabaseServer,
  freePort,
  runAsServer,
  serverFolder,
  serverUser,
  startProcess,
  stopProcess,
} from './serverProcess.ts';

const versions = '/usr/lib/postgresql';

/** Folder of PostgreSQL's programs, or undefined where it is not installed. @throws Error in CI where it is not. */
export function postgresqlPrograms(): string | undefined {
  const found = existsSync(versions) ? readdirSync(versions).map((version) => path.join(versions, version, 'bin')) : [];
  const programs = found.findLast((folder) => existsSync(path.join(folder, 'postgres')));
  if (!programs) mayMiss('PostgreSQL');
  return programs;
}

/**
 * Starts PostgreSQL on a folder of its own, with encryption where it is given a certificate.
 * @throws Error when it is not installed.
 */
export async function startPostgresql(tls?: MadeCertificate): Promise<DatabaseServer> {
  const programs = postgresqlPrograms();
  if (!programs) throw new Error('PostgreSQL is not installed');
  return runPostgresql(programs, await serverFolder('postgresql'), tls);
}

/** Makes a database cluster with the programs of a folder and starts it; `folder` is removed when it stops. */
export async function runPostgresql(programs: string, folder: string, tls?: MadeCertificate): Promise<DatabaseServer> {
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
  const initdb = path.join(programs, 'initdb');
  const locale = ['--locale-provider=icu', '--icu-locale=en', '--locale=C.UTF-8'];
  const { stdout: release } = await promisify(execFile)(initdb, ['--version']);
  await keptFolder('postgresql-data', [release, ...locale], data, () =>
    runAsServer(initdb, [...options, ...locale], folder),
  );
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'off',
    autovacuum: 'off',
    ...(tls && (await tlsSettings(folder, tls))),
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

/** PostgreSQL takes a key only where nobody but its owner may read it. */
async function tlsSettings(folder: string, { certificate, key }: MadeCertificate): Promise<Record<string, string>> {
  const files = { ssl_cert_file: path.join(folder, 'tls.pem'), ssl_key_file: path.join(folder, 'tls.key') };
  await writeFile(files.ssl_cert_file, certificate, { mode: 0o644 });
  await writeFile(files.ssl_key_file, key, { mode: 0o600 });
  if (serverUser) await chown(files.ssl_key_file, serverUser.uid, serverUser.gid);
  return { ssl: 'on', ...files };
}
