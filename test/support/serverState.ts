import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Reads what a server has stored, in a copy of its files: it holds its database for as long as it runs. To be called while
 * nothing is written to it.
 */
export function readServerState<T>(dataFolder: string, read: (database: DatabaseSync) => T): T {
  const copy = mkdtempSync(path.join(tmpdir(), 'analytics-state-'));
  try {
    for (const name of ['state.db', 'state.db-wal']) copyFileSync(path.join(dataFolder, name), path.join(copy, name));
    const database = new DatabaseSync(path.join(copy, 'state.db'));
    try {
      return read(database);
    } finally {
      database.close();
    }
  } finally {
    rmSync(copy, { recursive: true });
  }
}
