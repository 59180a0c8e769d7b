import { existsSync } from 'node:fs';
import path from 'node:path';
import { findRegisteredServer, updateRegisteredServer } from '../catalogue/registeredServers.ts';
import { idOf } from '../store/columns.ts';
import type { Store } from '../store/store.ts';

/** File names of the sample's databases in the build's target folder. A package contains one or both. */
export const sampleDatabaseFiles = { duckdb: 'sample.duckdb', sqlite: 'sample.sqlite' } as const;

/**
 * Points the sample's registered server at the database in `folder`: DuckDB's, or SQLite's if a package has only that.
 * Needed because an update of the extension moves the folder. The database is read in place, so this neither copies nor
 * opens it. Does nothing without a sample or when the server was deleted.
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
