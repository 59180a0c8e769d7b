import { existsSync } from 'node:fs';
import { type Database, type DatabaseAddress, type DatabaseDriver, DatabaseError } from './database.ts';
import { DatabaseFileRefused, type DatabaseFolders } from './databaseFolders.ts';
import { fileIdentity } from './relations.ts';

/** Drivers by platform, each loaded on its first use. */
const drivers: Record<string, (() => Promise<DatabaseDriver>) | undefined> = {
  duckdb: async () => (await import('./duckdb/driver.ts')).duckdbDriver,
  sqlite: async () => (await import('./sqlite/driver.ts')).sqliteDriver,
  postgresql: async () => (await import('./postgresql/driver.ts')).postgresqlDriver,
  mysql: async () => (await import('./mysql/driver.ts')).mysqlDriver,
  mssql: async () => (await import('./mssql/driver.ts')).mssqlDriver,
  oracle: async () => (await import('./oracle/driver.ts')).oracleDriver,
  trino: async () => (await import('./trino/driver.ts')).trinoDriver,
  clickhouse: async () => (await import('./clickhouse/driver.ts')).clickhouseDriver,
};

/** Platforms whose databases are files. */
const filePlatforms: readonly string[] = ['duckdb', 'sqlite'];
/** DuckDB's name of an empty database without a file. */
const memoryDatabase = ':memory:';

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
  /** What files reports may read. */
  readonly folders: DatabaseFolders;
  readonly #open = new Map<string, OpenDatabase>();
  #isClosed = false;

  constructor(folders: DatabaseFolders) {
    this.folders = folders;
  }

  /**
   * The database at an address. `password` is asked for only when it has to be opened.
   * @throws {DatabaseError} of kind `unreachable`; the next call tries again.
   */
  async at(address: DatabaseAddress, password: () => string | undefined = () => undefined): Promise<Database> {
    const { id, displayName, platform, host, database, login, params } = address;
    if (this.#isClosed) throw new DatabaseError('unreachable', `${displayName}: the server is stopping`);
    const key = JSON.stringify([id, platform, host, database, login, params]);
    const file = isFile(address) ? fileMark(this.folders.find(database)) : '';
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
    const driver = await load();
    if (!isFile(address)) return driver.open(address, password, this.folders);
    const database = this.folders.find(address.database);
    if (database === undefined) throw new DatabaseFileRefused(displayName);
    return driver.open({ ...address, database }, password, this.folders);
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

function isFile({ platform, database }: DatabaseAddress): boolean {
  return filePlatforms.includes(platform) && !(platform === 'duckdb' && database === memoryDatabase);
}

/** Empty where there is no file that may be read. */
function fileMark(file: string | undefined): string {
  return file !== undefined && existsSync(file) ? fileIdentity(file) : '';
}

async function closeAll(openings: readonly OpenDatabase[]): Promise<void> {
  // One that never opened has nothing to close.
  const opened = await Promise.allSettled(openings.map(({ database }) => database));
  const open = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  await Promise.all(open.map((database) => database.close()));
}
