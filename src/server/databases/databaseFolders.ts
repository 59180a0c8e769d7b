import { accessSync, constants, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseError } from './database.ts';

/** Files that identify the data folder of this or another server. */
const serverFiles = ['server.lock', 'secret.key', 'state.db'];

/**
 * A database file does not exist, is unreadable, or is outside the database folders. The message does not say which,
 * because callers could otherwise find out which files this machine has.
 */
export class DatabaseFileRefused extends DatabaseError {
  constructor(displayName: string) {
    super(
      'unreachable',
      `${displayName}: its database file does not exist, or is not in a database folder. ` +
        'Add a folder with --database-folder, or in VS Code with the setting analytics.localServer.databaseFolders',
    );
  }
}

/** The folders whose files reports may read. */
export class DatabaseFolders {
  /** The configured folders as absolute paths. */
  readonly list: readonly string[];
  readonly #dataFolder: string | undefined;

  /** @param dataFolder of this server: its files may only be read if they are in a folder of `folders` below it. */
  constructor(folders: readonly string[], dataFolder?: string) {
    this.list = folders.map((folder) => path.resolve(folder));
    this.#dataFolder = dataFolder;
  }

  /**
   * The absolute path of a file with links resolved, if reports may read it. A path outside the folders is not accessed
   * at all: not even the timing reveals whether it exists.
   */
  find(file: string): string | undefined {
    const folders = [...this.list, ...this.list.flatMap((folder) => realPath(folder) ?? [])];
    const isWithin = (found: string) => folders.some((folder) => holds(folder, found));
    if (!isWithin(path.resolve(file))) return undefined;
    try {
      const real = realpathSync.native(file);
      accessSync(real, constants.R_OK);
      // A pipe would wait for a writer.
      return isWithin(real) && statSync(real).isFile() && !this.#isOfServer(real) ? real : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether a file belongs to a server's state: this server's under any name, another one's in its data folder. */
  #isOfServer(file: string): boolean {
    const folder = path.dirname(file);
    if (serverFiles.filter((name) => isThere(path.join(folder, name))).length > 1) return true;
    if (this.#dataFolder === undefined) return false;
    const own = realpathSync.native(this.#dataFolder);
    if (holds(own, file) && !this.list.some((one) => isOwnSubfolder(own, realPath(one), file))) return true;
    const { dev, ino } = statSync(file, { bigint: true });
    return readdirSync(own).some((name) => {
      const other = statSync(path.join(own, name), { bigint: true, throwIfNoEntry: false });
      return other?.ino === ino && other.dev === dev;
    });
  }
}

/** Whether `file` is in a database folder that is itself below the data folder. */
function isOwnSubfolder(dataFolder: string, folder: string | undefined, file: string): boolean {
  return folder !== undefined && holds(dataFolder, folder) && holds(folder, file);
}

/** Whether the absolute path `inner` is below `folder`. */
function holds(folder: string, inner: string): boolean {
  const way = path.relative(folder, inner);
  return way !== '' && way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/** Resolves links before "..", as the system does. Undefined if the path does not exist. */
function realPath(file: string): string | undefined {
  try {
    return realpathSync.native(file);
  } catch {
    return undefined;
  }
}

function isThere(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}
