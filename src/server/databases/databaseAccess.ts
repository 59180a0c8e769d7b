import { setTimeout } from 'node:timers/promises';
import type { DatabaseAddress, DatabaseColumn, DatabaseTable, QueryOptions } from './database.ts';
import type { Databases } from './databases.ts';
import { OldEngine } from './engineReleases.ts';

/** Inspects the database of a registered server, saved or not. Every method may throw a DatabaseError. */
export interface DatabaseInspection {
  /** Connects with this password and runs a trivial query. */
  test(address: DatabaseAddress, password: string, signal: AbortSignal): Promise<void>;
  /**
   * Connects to a database that is to be registered. Resolves for every other failure, and when connecting takes long:
   * a database may be registered while it is down. @throws {OldEngine}
   */
  refuseOldEngine(address: DatabaseAddress, password: string): Promise<void>;
  tables(address: DatabaseAddress, password: string, signal: AbortSignal): Promise<DatabaseTable[]>;
  columns(
    address: DatabaseAddress,
    password: string,
    table: DatabaseTable,
    signal: AbortSignal,
  ): Promise<DatabaseColumn[]>;
}

/** How long registering a server waits for its database. */
const registrationWaitMs = 3000;

/** Creates an inspection that uses the drivers. */
export function createDatabaseInspection(databases: Databases): DatabaseInspection {
  return {
    async test(address, password, signal) {
      // Opened separately: an already open database would succeed with any password.
      const database = await databases.openApart(address, password);
      try {
        const sql = database.trivialSql ?? 'SELECT 1 AS one';
        const rows = await database.readJson({ sql, values: [] }, limits(address, signal));
        for await (const _ of rows) continue;
      } finally {
        await database.close();
      }
    },
    async refuseOldEngine(address, password) {
      const opening = databases.openApart(address, password).then(
        (database) => database.close(),
        (error: unknown) => {
          if (error instanceof OldEngine) throw error;
        },
      );
      await Promise.race([opening, setTimeout(registrationWaitMs, undefined, { ref: false })]);
    },
    async tables(address, password, signal) {
      return (await databases.at(address, () => password)).tables(limits(address, signal));
    },
    async columns(address, password, table, signal) {
      return (await databases.at(address, () => password)).columns(table, limits(address, signal));
    },
  };
}

/** Time limit of a query on a database; see CommandTimeout. */
export function limits(address: DatabaseAddress, signal: AbortSignal): QueryOptions {
  return { signal, timeoutMs: address.commandTimeout * 1000 };
}
