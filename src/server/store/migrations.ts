import { existsSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { backupBefore } from './stateBackup.ts';
import type { StateVersions } from './stateVersions.ts';

/**
 * Tables of one feature; `version` counts up and `steps[version - 1]` migrates from the version before. Only append
 * steps: never change a released one.
 */
export interface RoomSchema {
  room: string;
  steps: readonly string[];
}

/** Whether a state lacks steps of these schemas. */
export function hasPendingSteps(versions: StateVersions, schemas: readonly RoomSchema[]): boolean {
  return schemas.some(({ room, steps }) => (versions.rooms.get(room) ?? 0) < steps.length);
}

/** A later release has migrated the state. */
export class NewerData extends Error {
  override readonly name = 'NewerData';
  /** That release. */
  readonly newerRelease: string;

  constructor(message: string, newerRelease: string) {
    super(message);
    this.newerRelease = newerRelease;
  }
}

/** @throws NewerData when a newer release has migrated the state, or the backup of it in the file `upgraded`. */
export function refuseNewer(
  stateFile: string,
  versions: StateVersions,
  { schemas, release, upgraded = stateFile }: { schemas: readonly RoomSchema[]; release: string; upgraded?: string },
): void {
  const known = new Map(schemas.map(({ room, steps }) => [room, steps.length]));
  const isNewer = [...versions.rooms].some(([room, version]) => version > (known.get(room) ?? -1));
  if (!isNewer) return;
  const newer = versions.release ?? 'unknown';
  const copy = backupBefore(stateFile, newer);
  const wayBack =
    upgraded === stateFile && existsSync(copy)
      ? ` Or go back to the data before that upgrade: server.js restore --data ${path.dirname(stateFile)} --from ${copy}`
      : '';
  throw new NewerData(
    `Release ${newer} has upgraded ${upgraded}, and this is release ${release}, which cannot read it. Nothing was changed. ` +
      `Install release ${newer} or later.${wayBack}`,
    newer,
  );
}

/** Runs the missing steps of all schemas in one transaction and records the release. */
export function migrate(database: DatabaseSync, schemas: readonly RoomSchema[], release: string): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(`
      CREATE TABLE IF NOT EXISTS schema_version (room TEXT PRIMARY KEY, version INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS migration (id INTEGER PRIMARY KEY, release TEXT NOT NULL, moment TEXT NOT NULL);`);
    for (const schema of schemas) runSteps(database, schema);
    database
      .prepare("INSERT INTO migration (release, moment) VALUES (?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))")
      .run(release);
    database.exec(stopRelease010(release));
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function runSteps(database: DatabaseSync, { room, steps }: RoomSchema): void {
  const row = database.prepare('SELECT version FROM schema_version WHERE room = ?').get(room);
  const current = Number(row?.version ?? 0);
  if (current >= steps.length) return;
  for (const step of steps.slice(current)) database.exec(step);
  database
    .prepare(
      'INSERT INTO schema_version (room, version) VALUES (?, ?) ON CONFLICT (room) DO UPDATE SET version = excluded.version',
    )
    .run(room, steps.length);
}

/**
 * Release 0.1.0 does not check the versions: at each start it writes the versions that it knows. This trigger stops it
 * with an error message before it changes anything: no other release writes a version that is not higher.
 */
function stopRelease010(release: string): string {
  const reason =
    `Release ${release} has upgraded this data, which an earlier release cannot read. Nothing was changed. Install release ` +
    `${release} or later, or restore the copy backups/before-${release}.db in the data folder, if there is one.`;
  return `
    DROP TRIGGER IF EXISTS versions_only_rise;
    CREATE TRIGGER versions_only_rise BEFORE UPDATE ON schema_version WHEN NEW.version <= OLD.version
    BEGIN SELECT RAISE(ABORT, '${reason.replaceAll("'", "''")}'); END;`;
}
