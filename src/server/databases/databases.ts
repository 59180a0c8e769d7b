import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Database, type DatabaseAddress, type DatabaseDriver, DatabaseError } from './database.ts';
import { fileIdentity } from './relations.ts';

/** Drivers by platform, each loaded on its first use. */
const drivers: Record<string, (() => Promise<DatabaseDriver>) | undefined> = {
  duckdb: async () => (await import('./duckdbDriver.ts')).duckdbDriver,
  sqlite: async () => (await import('./sqliteDriver.ts')).sqliteDriver,
  postgresql: async () => (await import('./postgresqlDriver.ts')).postgresqlDriver,
  mysql: async () => (await import('./mysqlDriver.ts')).mysqlDriver,
  mssql: async () => (await import('./mssqlDriver.ts')).mssqlDriver,
  oracle: async () => (await import('./oracleDriver.ts')).oracleDriver,
  trino: async () => (await import('./trinoDriver.ts')).trinoDriver,
  clickhouse: async () => (await import('./clickhouseDriver.ts')).clickhouseDriver,
};

/** Platforms whose databases are files. */
const filePlatforms: readonly string[] = ['duckdb', 'sqlite'];

/** A database in use, and what tells its file from one that is put in its place. */
interface OpenDatabase {
  file: string;
  database: Promise<Database>;
}

/**
 * The databases in use: each is opened once, on first use, and closed when the server stops. One whose file is replaced is
 * opened anew: what is known of its file would be true of another one.
 */
export class Databases {
  readonly #ownFolder: string | undefined;
  readonly #open = new Map<string, OpenDatabase>();
  #isClosed = false;

  /**
   * @param ownFolder Folder of the server's own state, which no report may read: whoever may register a database
   * could otherwise read everybody's password hashes.
   */
  constructor(ownFolder?: string) {
    this.#ownFolder = ownFolder === undefined ? undefined : realpathSync.native(ownFolder);
  }

  /**
   * The database at an address. `password` is asked for only when it has to be opened.
   * @throws {DatabaseError} of kind `unreachable`; the next call tries again.
   */
  async at(address: DatabaseAddress, password: () => string | undefined = () => undefined): Promise<Database> {
    const { id, displayName, platform, host, database, login, params } = address;
    if (this.#isClosed) throw new DatabaseError('unreachable', `${displayName}: the server is stopping`);
    const key = JSON.stringify([id, platform, host, database, login, params]);
    const file = filePlatforms.includes(platform) ? fileMark(database) : '';
    const known = this.#open.get(key);
    if (known?.file === file) return known.database;
    const opening = { file, database: this.openApart(address, password()) };
    this.#open.set(key, opening);
    opening.database.catch(() => {
      if (this.#open.get(key) === opening) this.#open.delete(key);
    });
    // Nobody waits for the end of what the file was before.
    if (known) closeAll([known]).catch(() => undefined);
    return opening.database;
  }

  /** Opens a database for a use of its own; whoever asked closes it. @throws {DatabaseError} of kind `unreachable`. */
  async openApart(address: DatabaseAddress, password: string | undefined): Promise<Database> {
    const { platform, displayName } = address;
    const load = Object.hasOwn(drivers, platform) ? drivers[platform] : undefined;
    if (!load)
      throw new DatabaseError(
        'unreachable',
        `${displayName}: this server has no driver for the platform "${platform}"`,
      );
    if (filePlatforms.includes(platform) && this.#isOwnFile(address.database)) {
      throw new DatabaseError('unreachable', `${displayName}: the server's own files are no database to report on`);
    }
    return (await load()).open(address, password);
  }

  /** Whether a path leads to the server's own state, be it through links. */
  #isOwnFile(file: string): boolean {
    const found = statSync(file, { throwIfNoEntry: false });
    if (this.#ownFolder === undefined || !found) return false;
    if (!path.relative(this.#ownFolder, realpathSync.native(file)).startsWith('..')) return true;
    const own = this.#ownFolder;
    return readdirSync(own).some((name) => {
      const other = statSync(path.join(own, name), { throwIfNoEntry: false });
      return other?.ino === found.ino && other.dev === found.dev;
    });
  }

  /** Closes the databases of a registered server, so that its next use opens it with the current password. */
  async forget(serverId: string): Promise<void> {
    const own = [...this.#open].filter(([key]) => key.startsWith(`[${JSON.stringify(serverId)},`));
    for (const [key] of own) this.#open.delete(key);
    await closeAll(own.map(([, opening]) => opening));
  }

  /** Closes every database. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#open.values()];
    this.#open.clear();
    await closeAll(all);
  }
}

/** Empty where there is no file. */
function fileMark(file: string): string {
  return existsSync(file) ? fileIdentity(file) : '';
}

async function closeAll(openings: readonly OpenDatabase[]): Promise<void> {
  // One that never opened has nothing to close.
  const opened = await Promise.allSettled(openings.map(({ database }) => database));
  const open = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  await Promise.all(open.map((database) => database.close()));
}
