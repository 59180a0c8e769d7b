import type { DatabaseSync } from 'node:sqlite';
import { checkJournal } from './journalCheck.ts';
import { checkSeal } from './stateSeal.ts';
import { asDamage, checkIntegrity, DamagedState, hasContent, readUnchanged } from './stateBackup.ts';

/** Version information in a state file. */
export interface StateVersions {
  /** Version of each feature's tables. */
  rooms: ReadonlyMap<string, number>;
  /** Release that migrated it last; undefined for 0.1.0, which did not record it. */
  release: string | undefined;
}

/**
 * Reads the versions in a state file without changing it; undefined if there is none yet, or its first start was killed
 * before the first commit.
 * @throws DamagedState when it is damaged or is not a state file.
 */
export function readVersions(file: string): StateVersions | undefined {
  if (!hasContent(file)) return undefined;
  try {
    return readUnchanged(file, (database) => versionsIn(file, database));
  } catch (error) {
    throw asDamage(file, error);
  }
}

/** @throws DamagedState when a page of the state or its journal is damaged, or its seal does not match. */
export function checkState(file: string): void {
  checkSeal(file);
  checkJournal(file);
  try {
    readUnchanged(file, (database) => checkIntegrity(file, database));
  } catch (error) {
    throw asDamage(file, error);
  }
}

function versionsIn(file: string, database: DatabaseSync): StateVersions | undefined {
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const tables = new Set(names.map(({ name }) => name));
  if (tables.size === 0) return undefined;
  if (!tables.has('schema_version')) throw new DamagedState(file, 'is a database, but not the state of this server');
  const versions = database.prepare('SELECT room, version FROM schema_version').all();
  const last = tables.has('migration')
    ? database.prepare('SELECT release FROM migration ORDER BY id DESC LIMIT 1').get()
    : undefined;
  return {
    rooms: new Map(versions.map(({ room, version }) => [String(room), Number(version)])),
    release: typeof last?.release === 'string' ? last.release : undefined,
  };
}
