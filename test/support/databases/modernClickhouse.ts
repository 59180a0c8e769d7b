import path from 'node:path';
import { askClickhouse } from './clickhouseServer.ts';
import { npmEngine } from './npmEngine.ts';
import { type DatabaseServer, freePort, serverFolder, startProcess, stopProcess } from './serverProcess.ts';

const user = { login: 'owner', password: 'secret of clickhouse', database: 'shop' };

/** Starts the engine of a recent ClickHouse with an empty database; undefined where it cannot be installed. @throws Error in CI there. */
export async function startModernClickhouse(): Promise<DatabaseServer | undefined> {
  const engine = await npmEngine('chdb');
  if (engine === undefined) return undefined;
  const folder = await serverFolder('clickhouse-engine');
  const port = await freePort();
  const front = path.join(import.meta.dirname, 'clickhouseFront.ts');
  const args = [front, '--package', engine, '--port', String(port), '--login', user.login];
  const env = { ...process.env, ENGINE_PASSWORD: user.password };
  const child = await startProcess(process.execPath, args, folder, /Ready for connections/, env);
  const server = { host: '127.0.0.1', port, ...user, stop: () => stopProcess(child, 'SIGTERM', folder) };
  await askClickhouse({ ...server, database: 'default' }, `CREATE DATABASE ${user.database}`);
  return server;
}
