import path from 'node:path';
import { askClickhouse, clickhouseOwner } from './clickhouseServer.ts';
import { npmEngine } from './npmEngine.ts';
import { type DatabaseServer, freePort, serverFolder, startProcess, stopProcess } from './serverProcess.ts';

/**
 * Starts the engine of a recent ClickHouse with an empty database. @returns undefined if it cannot be installed. @throws Error
 * in CI if it cannot be installed.
 */
export async function startModernClickhouse(): Promise<DatabaseServer | undefined> {
  const engine = await npmEngine('chdb');
  if (engine === undefined) return undefined;
  const folder = await serverFolder('clickhouse-engine');
  const port = await freePort();
  const front = path.join(import.meta.dirname, 'clickhouseFront.ts');
  const args = [front, '--package', engine, '--port', String(port), '--login', clickhouseOwner.login];
  const env = { ...process.env, ENGINE_PASSWORD: clickhouseOwner.password };
  const child = await startProcess(process.execPath, args, folder, /Ready for connections/, { env });
  const server = { host: '127.0.0.1', port, ...clickhouseOwner, stop: () => stopProcess(child, 'SIGTERM', folder) };
  await askClickhouse({ ...server, database: 'default' }, `CREATE DATABASE ${clickhouseOwner.database}`);
  return server;
}
