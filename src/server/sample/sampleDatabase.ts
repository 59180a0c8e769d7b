import path from 'node:path';
import { findRegisteredServer, updateRegisteredServer } from '../catalogue/registeredServers.ts';
import { idOf } from '../store/columns.ts';
import type { Store } from '../store/store.ts';

/** Name of the sample's database within the folder that the build writes. */
export const sampleDatabaseFile = 'sample.duckdb';

/**
 * Points the sample's registered server at the database in `folder`; an update of the extension moves it. The database is
 * read where it lies, so nothing is copied or opened here. Without a sample, or when the server was deleted, it does nothing.
 */
export function connectSampleDatabase(store: Store, folder: string): void {
  const sample = store.get('SELECT server_id FROM sample');
  const server = sample && findRegisteredServer(store, idOf(sample, 'server_id'));
  const DatabaseName = path.resolve(folder, sampleDatabaseFile);
  if (!server || server.definition.DatabaseName === DatabaseName) return;
  updateRegisteredServer(store, server.id, server.applicationId, { ...server.definition, DatabaseName });
}
