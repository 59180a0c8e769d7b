import fs from 'node:fs/promises';
import path from 'node:path';

/**
 * Id of the process that has the data folder of a server; undefined when none has. The lock decides, which the system takes
 * from a process that ends: a noted id alone may be another program's by now.
 */
export async function holderOf(dataFolder: string): Promise<string | undefined> {
  if (!(await isLocked(path.join(dataFolder, 'server.lock')))) return undefined;
  return (await readIfThere(path.join(dataFolder, 'server.pid')))?.trim() ?? '?';
}

/** The text of a file; undefined where there is none. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await fs.readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether a server holds the lock, which it takes on an SQLite file. */
async function isLocked(lockFile: string): Promise<boolean> {
  if ((await readIfThere(lockFile)) === undefined) return false;
  // A runtime without SQLite runs no server either.
  const sqlite = process.getBuiltinModule('node:sqlite');
  if (!sqlite) return false;
  const lock = new sqlite.DatabaseSync(lockFile, { readOnly: true });
  try {
    lock.exec('SELECT count(*) FROM sqlite_schema');
    return false;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return true;
    throw error;
  } finally {
    lock.close();
  }
}

const sqliteBusy = 5;
