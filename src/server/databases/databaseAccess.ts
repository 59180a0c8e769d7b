import type { DatabaseAddress, DatabaseColumn, DatabaseTable, QueryOptions } from './database.ts';
import type { Databases } from './databases.ts';

/** A look into the database of a registered server, saved or not. Every method may throw a DatabaseError. */
export interface DatabaseInspection {
  /** Connects with this password and asks something trivial. */
  test(address: DatabaseAddress, password: string, signal: AbortSignal): Promise<void>;
  tables(address: DatabaseAddress, password: string, signal: AbortSignal): Promise<DatabaseTable[]>;
  columns(
    address: DatabaseAddress,
    password: string,
    table: DatabaseTable,
    signal: AbortSignal,
  ): Promise<DatabaseColumn[]>;
}

/** Looks into databases through the drivers. */
export function createDatabaseInspection(databases: Databases): DatabaseInspection {
  return {
    async test(address, password, signal) {
      // Apart from the others: an open database would pass with any password.
      const database = await databases.openApart(address, password);
      try {
        const sql = database.trivialSql ?? 'SELECT 1 AS one';
        const rows = await database.readJson({ sql, values: [] }, limits(address, signal));
        for await (const _ of rows) continue;
      } finally {
        await database.close();
      }
    },
    async tables(address, password, signal) {
      return (await databases.at(address, () => password)).tables(limits(address, signal));
    },
    async columns(address, password, table, signal) {
      return (await databases.at(address, () => password)).columns(table, limits(address, signal));
    },
  };
}

/** How long a query on a database may take; see CommandTimeout. */
export function limits(address: DatabaseAddress, signal: AbortSignal): QueryOptions {
  return { signal, timeoutMs: address.commandTimeout * 1000 };
}
