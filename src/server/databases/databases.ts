import { existsSync } from 'node:fs';
import { type Database, type DatabaseAddress, type DatabaseDriver, DatabaseError } from './database.ts';
import { DatabaseFileRefused, type DatabaseFolders } from './databaseFolders.ts';
import { requireAcceptedRelease } from './engineReleases.ts';
import { fileIdentity } from './relations.ts';

/** Drivers by platform, each loaded on first use. */
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
/** DuckDB's name for an empty database without a file. */
const memoryDatabase = ':memory:';

/** An open database, and a mark that tells its file from a replacement. */
interface OpenDatabase {
  file: string;
  platform: string;
  database: Promise<Database>;
  /** Set once it is open. */
  opened?: Database;
}

/** Open databases of one platform, and their queries; see {@link Database.load}. */
export interface EngineLoad {
  platform: string;
  open: number;
  /** Undefined where the platform does not tell. */
  queries: { waiting: number; reading: number } | undefined;
}

/**
 * The open databases: each is opened on first use and closed when the server stops. If its file is replaced, a database
 * is reopened: cached information about the old file would be wrong for the new one.
 */
export class Databases {
  /** Files that reports may read. */
  readonly folders: DatabaseFolders;
  readonly #open = new Map<string, OpenDatabase>();
  readonly #allowsOldEngines: boolean;
  #isClosed = false;

  /** @param allowsOldEngines whether releases older than those of `engineReleases` are used. */
  constructor(folders: DatabaseFolders, allowsOldEngines = false) {
    this.folders = folders;
    this.#allowsOldEngines = allowsOldEngines;
  }

  /**
   * The database at an address, opened if necessary; only then `password` is called.
   * @throws {DatabaseError} of kind `unreachable`, also for an engine that is too old; the next call tries again.
   */
  async at(address: DatabaseAddress, password: () => string | undefined = () => undefined): Promise<Database> {
    const { id, displayName, platform, host, database, login, params } = address;
    if (this.#isClosed) throw new DatabaseError('unreachable', `${displayName}: the server is stopping`);
    const key = JSON.stringify([id, platform, host, database, login, params]);
    const file = isFile(address) ? fileMark(this.folders.find(database)) : '';
    const known = this.#open.get(key);
    if (known?.file === file) return known.database;
    const opening: OpenDatabase = { file, platform, database: this.openApart(address, password()) };
    this.#open.set(key, opening);
    opening.database.then(
      (opened) => (opening.opened = opened),
      () => {
        if (this.#open.get(key) === opening) this.#open.delete(key);
      },
    );
    // Closing the replaced database is not awaited.
    if (known) closeAll([known]).catch(() => undefined);
    return opening.database;
  }

  /** Opens a separate database, which the caller closes. @throws {DatabaseError} of kind `unreachable`. */
  async openApart(address: DatabaseAddress, password: string | undefined): Promise<Database> {
    const { platform, displayName } = address;
    const load = Object.hasOwn(drivers, platform) ? drivers[platform] : undefined;
    if (!load)
      throw new DatabaseError(
        'unreachable',
        `${displayName}: this server has no driver for the platform "${platform}"`,
      );
    const driver = await load();
    if (!isFile(address)) return this.#accepted(address, await driver.open(address, password, this.folders));
    const database = this.folders.find(address.database);
    if (database === undefined) throw new DatabaseFileRefused(displayName);
    return driver.open({ ...address, database }, password, this.folders);
  }

  /** @throws {OldEngine} after closing the database. */
  async #accepted({ platform, displayName }: DatabaseAddress, database: Database): Promise<Database> {
    try {
      if (!this.#allowsOldEngines) requireAcceptedRelease(platform, displayName, database.version ?? '');
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** Closes the databases of a registered server, so that its next use opens it with the current password. */
  async forget(serverId: string): Promise<void> {
    const own = [...this.#open].filter(([key]) => key.startsWith(`[${JSON.stringify(serverId)},`));
    for (const [key] of own) this.#open.delete(key);
    await closeAll(own.map(([, opening]) => opening));
  }

  /** What is open and running now, by platform. */
  loads(): EngineLoad[] {
    const opened = [...this.#open.values()].filter((each) => each.opened !== undefined);
    return [...Map.groupBy(opened, ({ platform }) => platform)].map(([platform, all]) => ({
      platform,
      open: all.length,
      queries: sumOf(all.flatMap(({ opened }) => opened?.load ?? [])),
    }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#open.values()];
    this.#open.clear();
    await closeAll(all);
  }
}

function sumOf(loads: readonly NonNullable<Database['load']>[]): EngineLoad['queries'] {
  if (loads.length === 0) return undefined;
  const total = { waiting: 0, reading: 0 };
  for (const { waiting, reading } of loads) {
    total.waiting += waiting;
    total.reading += reading;
  }
  return total;
}

function isFile({ platform, database }: DatabaseAddress): boolean {
  return filePlatforms.includes(platform) && !(platform === 'duckdb' && database === memoryDatabase);
}

/** Empty if there is no readable file. */
function fileMark(file: string | undefined): string {
  return file !== undefined && existsSync(file) ? fileIdentity(file) : '';
}

async function closeAll(openings: readonly OpenDatabase[]): Promise<void> {
  // A database that failed to open has nothing to close.
  const opened = await Promise.allSettled(openings.map(({ database }) => database));
  const open = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  await Promise.all(open.map((database) => database.close()));
}
