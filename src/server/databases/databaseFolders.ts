import { accessSync, constants, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseError } from './database.ts';

/** Files that tell the data folder of a server, this one or another. */
const serverFiles = ['server.lock', 'secret.key', 'state.db'];

/**
 * A database file is absent, unreadable or not within the folders of databases. The message does not say which, because
 * callers could otherwise find out which files this machine has.
 */
export class DatabaseFileRefused extends DatabaseError {
  constructor(displayName: string) {
    super(
      'unreachable',
      `${displayName}: its database file is not there, or not in a folder of databases. ` +
        'The operator adds a folder by --database-folder, in the editor by the setting analytics.localServer.databaseFolders',
    );
  }
}

/** The folders whose files reports may read. */
export class DatabaseFolders {
  /** The folders, as they were given, whole. */
  readonly list: readonly string[];
  readonly #dataFolder: string | undefined;

  /** @param dataFolder of this server: of what is in it, only what is in a folder of `folders` below it may be read. */
  constructor(folders: readonly string[], dataFolder?: string) {
    this.list = folders.map((folder) => path.resolve(folder));
    this.#dataFolder = dataFolder;
  }

  /**
   * The whole path of a file without links, if reports may read it. What does not even look to be within a folder is
   * not looked at: nothing tells whether it is there, not the time that it takes either.
   */
  find(file: string): string | undefined {
    const folders = [...this.list, ...this.list.flatMap((folder) => realPath(folder) ?? [])];
    const isWithin = (found: string) => folders.some((folder) => holds(folder, found));
    if (!isWithin(path.resolve(file))) return undefined;
    try {
      const real = realpathSync.native(file);
      accessSync(real, constants.R_OK);
      // A pipe would wait for who writes to it.
      return isWithin(real) && statSync(real).isFile() && !this.#isOfServer(real) ? real : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether a file is part of the state of a server: of this one under any name, of another one where it lies. */
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

/** Whether `file` is in a folder of databases that is itself below the data folder. */
function isOwnSubfolder(dataFolder: string, folder: string | undefined, file: string): boolean {
  return folder !== undefined && holds(dataFolder, folder) && holds(folder, file);
}

/** Whether the whole path `inner` is below `folder`. */
function holds(folder: string, inner: string): boolean {
  const way = path.relative(folder, inner);
  return way !== '' && way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/** As the system follows links: before "..". Undefined where there is nothing. */
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
