import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readUnchanged } from './stateFile.ts';

/** Copies kept of those made before migrations. */
const copiesKept = 3;
const copyName = /^before-.+\.db$/;

/** Folder of the copies of a state file. */
export function backupFolder(stateFile: string): string {
  return path.join(path.dirname(stateFile), 'backups');
}

/** Whether a file of that folder is such a copy. */
export function isBackup(name: string): boolean {
  return copyName.test(name);
}

/** The copy that is made before `release` migrates the state. */
export function backupBefore(stateFile: string, release: string): string {
  return path.join(backupFolder(stateFile), `before-${release}.db`);
}

/**
 * Copies the state before `release` migrates it. The copy is checked, durable and readable by its owner only; it gets its name
 * when it is complete. To be called while no other process has the state open.
 * @throws Error when there is no room, or the state is damaged.
 */
export function backUpBefore(stateFile: string, release: string): void {
  const target = backupBefore(stateFile, release);
  const draft = `${target}.new`;
  try {
    mkdirSync(backupFolder(stateFile), { recursive: true, mode: 0o700 });
    removeDatabase(draft);
    try {
      closeSync(openSync(draft, 'wx', 0o600));
      readUnchanged(stateFile, (database) => database.prepare('VACUUM INTO ?').run(draft));
      checkCopy(draft);
      syncFile(draft);
      renameSync(draft, target);
    } finally {
      removeDatabase(draft);
    }
    syncFolder(backupFolder(stateFile));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `${stateFile} was not upgraded to release ${release}, because the copy to make first failed: ${reason}. Nothing was ` +
        `changed. Check the space and rights of ${backupFolder(stateFile)}, and start again.`,
      { cause },
    );
  }
}

/** Deletes all but the latest copies, and what copies that were interrupted left. */
export function deleteOldBackups(stateFile: string): void {
  const folder = backupFolder(stateFile);
  const names = readdirSync(folder);
  const writtenAt = (name: string) => statSync(path.join(folder, name)).mtimeMs;
  const copies = names.filter(isBackup).sort((one, other) => writtenAt(other) - writtenAt(one));
  const unfinished = names.filter((name) => /\.db\.new$/.test(name));
  for (const name of [...copies.slice(copiesKept), ...unfinished]) removeDatabase(path.join(folder, name));
}

/** Also sets WAL mode, so that a copy that is restored is in the mode that the server opens it in. */
function checkCopy(file: string): void {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA journal_mode = WAL');
    const found = database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
    if (found !== 'ok') throw new Error(`the copy is damaged (${String(found)})`);
  } finally {
    database.close();
  }
}

function removeDatabase(file: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
}

function syncFile(file: string): void {
  const opened = openSync(file, 'r+');
  fsyncSync(opened);
  closeSync(opened);
}

/** Makes the names in a folder durable; Windows has no such call. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  fsyncSync(opened);
  closeSync(opened);
}
