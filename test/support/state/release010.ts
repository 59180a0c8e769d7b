import { DatabaseSync } from 'node:sqlite';
import type { RoomSchema } from '../../../src/server/store/migrations.ts';

/** Opens a state with the statements of release 0.1.0, to the letter; that release cannot be changed any more. */
export function openAsRelease010(file: string, schemas: readonly RoomSchema[]): void {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true });
  try {
    database.exec(`
      PRAGMA page_size = 1024; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;
      PRAGMA wal_autocheckpoint = 4000; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000`);
    database.exec('CREATE TABLE IF NOT EXISTS schema_version (room TEXT PRIMARY KEY, version INTEGER NOT NULL)');
    database.prepare('BEGIN IMMEDIATE').run();
    try {
      for (const { room, steps } of schemas) {
        const row = database.prepare('SELECT version FROM schema_version WHERE room = ?').get(room);
        const current = Number(row?.version ?? 0);
        for (const step of steps.slice(current)) database.exec(step);
        database
          .prepare(
            'INSERT INTO schema_version (room, version) VALUES (?, ?) ON CONFLICT (room) DO UPDATE SET version = excluded.version',
          )
          .run(room, steps.length);
      }
      database.prepare('COMMIT').run();
    } catch (error) {
      if (database.isTransaction) database.prepare('ROLLBACK').run();
      throw error;
    }
  } finally {
    database.close();
  }
}
