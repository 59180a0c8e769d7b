import { existsSync, readdirSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { backupFolder, isBackup } from './stateBackup.ts';

/** The state cannot be used as it is on the disk; nothing of it was changed. */
export class DamagedState extends Error {
  constructor(stateFile: string, what: string, options?: ErrorOptions) {
    super(`${stateFile} ${what}. Nothing was changed. ${waysOut(stateFile)}`, options);
    this.name = 'DamagedState';
  }
}

/**
 * Looks at every page. It takes 5 s for 1 GB and some milliseconds for the few MB of most states, so it is done at each start:
 * disks damage files of servers that stopped cleanly, too.
 * @throws DamagedState saying what is damaged.
 */
export function checkIntegrity(stateFile: string, database: DatabaseSync): void {
  const found = database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
  if (found !== 'ok') throw new DamagedState(stateFile, `is damaged (${String(found).replaceAll('\n', ' ')})`);
}

/** What SQLite says of a file that it cannot read, as damage; any other error as it is. */
export function asDamage(stateFile: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error)) return error;
  const code = Number(error.errcode) & 0xff;
  if (code === sqliteNotADatabase) return new DamagedState(stateFile, 'is not a database', { cause: error });
  if (code !== sqliteCorrupt && code !== sqliteError) return error;
  return new DamagedState(stateFile, `is damaged (${error.message})`, { cause: error });
}

/** Statements that the state must understand fail with it: a table or its definition is damaged. */
const sqliteError = 1;
const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;

/** How to get data back. */
export function waysOut(stateFile: string): string {
  const folder = backupFolder(stateFile);
  const copies = existsSync(folder) ? readdirSync(folder).filter(isBackup) : [];
  const replace = `delete ${stateFile} and ${stateFile}-wal and copy it to ${stateFile}`;
  return copies.length > 0
    ? `To restore a copy of ${folder} (${copies.join(', ')}), ${replace}.`
    : `There is no copy in ${folder}; to restore one of your own, ${replace}.`;
}
