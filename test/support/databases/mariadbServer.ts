import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
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

const program = '/usr/sbin/mariadbd';
const installer = '/usr/bin/mariadb-install-db';
const installersHelp = '/usr/bin/my_print_defaults';

/** Whether MariaDB is installed here. @throws Error in CI where it is not. */
export function hasMariadb(): boolean {
  const isFound = [program, installer, installersHelp].every((file) => existsSync(file));
  if (!isFound) mayMiss('MariaDB');
  return isFound;
}

/**
 * Starts MariaDB on a folder of its own, with encryption where it is given a certificate.
 * @throws Error when it is not installed.
 */
export async function startMariadb(tls?: MadeCertificate): Promise<DatabaseServer> {
  const folder = await serverFolder('mariadb');
  const data = path.join(folder, 'data');
  // Two that are installed at once lose the temporary tables that they share.
  const places = [`--datadir=${data}`, `--tmpdir=${folder}`];
  const { stdout: release } = await promisify(execFile)(program, ['--version']);
  await keptFolder('mariadb-data', [release], data, () =>
    runAsServer(installer, ['--no-defaults', ...places, '--auth-root-authentication-method=normal'], folder),
  );
  const setup = path.join(folder, 'setup.sql');
  const statements = [
    'CREATE DATABASE shop CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;',
    `CREATE USER 'owner'@'%' IDENTIFIED BY 'secret of mariadb';`,
    `GRANT ALL ON shop.* TO 'owner'@'%';`,
  ];
  await writeFile(setup, `${statements.join('\n')}\n`, { mode: 0o644 });
  const port = await freePort();
  const args = [
    '--no-defaults',
    `--datadir=${data}`,
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    `--socket=${path.join(folder, 'socket')}`,
    `--pid-file=${path.join(folder, 'pid')}`,
    `--init-file=${setup}`,
    '--skip-name-resolve',
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-doublewrite=0',
    ...(tls ? await tlsArguments(folder, tls) : []),
  ];
  const child = await startProcess(program, args, folder, /ready for connections/);
  return {
    host: '127.0.0.1',
    port,
    login: 'owner',
    password: 'secret of mariadb',
    database: 'shop',
    stop: () => stopProcess(child, 'SIGTERM', folder),
  };
}

async function tlsArguments(folder: string, { certificate, key }: MadeCertificate): Promise<string[]> {
  const [certificateFile, keyFile] = [path.join(folder, 'tls.pem'), path.join(folder, 'tls.key')];
  await writeFile(certificateFile, certificate, { mode: 0o644 });
  await writeFile(keyFile, key, { mode: 0o600 });
  if (serverUser) await chown(keyFile, serverUser.uid, serverUser.gid);
  return [`--ssl-cert=${certificateFile}`, `--ssl-key=${keyFile}`];
}
