import { existsSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** What a state file says about itself. */
export interface StateVersions {
  /** Version of each room's tables. */
  rooms: ReadonlyMap<string, number>;
  /** Release that migrated it last; undefined for 0.1.0, which did not record it. */
  release: string | undefined;
}

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

/**
 * The versions in a state file, which is not changed; undefined when there is none yet, or its first start was killed before
 * anything was committed.
 * @throws Error when the file is a database of something else.
 */
export function readVersions(file: string): StateVersions | undefined {
  if (!hasContent(file)) return undefined;
  return readUnchanged(file, (database) => {
    const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const tables = new Set(names.map(({ name }) => name));
    if (tables.size === 0) return undefined;
    if (!tables.has('schema_version')) throw new Error(`${file} is a database, but not the state of this server.`);
    const versions = database.prepare('SELECT room, version FROM schema_version').all();
    const last = tables.has('migration')
      ? database.prepare('SELECT release FROM migration ORDER BY id DESC LIMIT 1').get()
      : undefined;
    return {
      rooms: new Map(versions.map(({ room, version }) => [String(room), Number(version)])),
      release: typeof last?.release === 'string' ? last.release : undefined,
    };
  });
}
