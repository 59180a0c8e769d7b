import { existsSync } from 'node:fs';
import path from 'node:path';
import { findRegisteredServer, updateRegisteredServer } from '../catalogue/registeredServers.ts';
import { idOf } from '../store/columns.ts';
import type { Store } from '../store/store.ts';

/** Names of the sample's databases within the folder that the build writes. A package has one of them, or both. */
export const sampleDatabaseFiles = { duckdb: 'sample.duckdb', sqlite: 'sample.sqlite' } as const;

/**
 * Points the sample's registered server at the database in `folder`, DuckDB's or, where a package comes without it,
 * SQLite's; an update of the extension moves it. The database is read where it lies, so nothing is copied or opened here.
 * Without a sample, or when the server was deleted, it does nothing.
 */
export function connectSampleDatabase(store: Store, folder: string): void {
  const sample = store.get('SELECT server_id FROM sample');
  const server = sample && findRegisteredServer(store, idOf(sample, 'server_id'));
  if (!server) return;
  const holds = (name: string) => existsSync(path.join(folder, name));
  const hasOnlySqlite = holds(sampleDatabaseFiles.sqlite) && !holds(sampleDatabaseFiles.duckdb);
  const platform = hasOnlySqlite ? 'sqlite' : 'duckdb';
  const DatabaseName = path.resolve(folder, sampleDatabaseFiles[platform]);
  if (server.definition.DatabaseName === DatabaseName) return;
  const database = { DatabaseName, DatabaseDriver: platform, DatabasePlatform: platform };
  updateRegisteredServer(store, server.id, server.applicationId, { ...server.definition, ...database });
}
