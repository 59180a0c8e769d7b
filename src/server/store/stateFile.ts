import { existsSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** Whether a file is there and holds anything. */
export function hasContent(file: string): boolean {
  return existsSync(file) && statSync(file).size > 0;
}

/**
 * Reads a database without changing a byte of its folder. To be called while no other process has it open.
 * Without a journal it is opened as immutable, for which SQLite creates and locks nothing. A journal that a killed server
 * left is read along; the index that SQLite creates for it is removed afterwards.
 */
export function readUnchanged<T>(file: string, read: (database: DatabaseSync) => T): T {
  const location = pathToFileURL(file);
  const index = `${file}-shm`;
  const createsIndex = hasContent(`${file}-wal`) && !existsSync(index);
  if (!hasContent(`${file}-wal`)) location.searchParams.set('immutable', '1');
  const database = new DatabaseSync(location, { readOnly: true });
  try {
    return read(database);
  } finally {
    database.close();
    if (createsIndex) rmSync(index, { force: true });
  }
}
