import type { Database, DatabaseAddress } from '../../../src/server/databases/database.ts';
import { Databases } from '../../../src/server/databases/databases.ts';
import type { Dialect } from '../../../src/server/reports/sql/dialect.ts';
import { dialectOf } from '../../../src/server/reports/sql/dialects.ts';
import { columnTypes, literal, type ShopData } from '../reports/shopData.ts';
import { anyFolder } from './anyFolder.ts';
import type { DatabaseServer } from './serverProcess.ts';

/** A database that holds a shop and is read through the server's own driver and dialect. */
export interface ShopEngine {
  /** Platform and, where several releases of it run, the release. */
  name: string;
  dialect: Dialect;
  database: Database;
  /** Puts other rows in place of all that were there. */
  write: (data: ShopData) => Promise<void>;
  /** Where the database restricts rows itself: makes it show, of each table, only the rows that meet an SQL condition. */
  restrict?: (conditions: Readonly<Record<keyof ShopData, string>>) => Promise<void>;
  stop: () => Promise<void>;
}

export function dialect(platform: string): Dialect {
  const found = dialectOf(platform);
  if (!found) throw new Error(`There is no dialect ${platform}`);
  return found;
}

/** How to write to a server beside its driver. */
export interface ShopWriter {
  run: (statements: string[]) => Promise<void>;
  end: () => Promise<void>;
}

export async function serverShop(
  { name, platform }: { name: string; platform: string },
  server: DatabaseServer,
  writer: ShopWriter,
): Promise<ShopEngine> {
  const databases = new Databases(anyFolder);
  const { host, port, login, database, password } = server;
  return {
    name,
    dialect: dialect(platform),
    database: await databases.at(address(platform, { host: `${host}:${port}`, login, database }), () => password),
    write: (data) => writer.run(refill(data)),
    stop: async () => {
      await databases.close();
      await writer.end();
      await server.stop();
    },
  };
}

export function address(platform: string, more: Partial<DatabaseAddress>): DatabaseAddress {
  const where = { host: '', database: '', login: '', params: '', ...more };
  return { id: platform, displayName: platform, platform, commandTimeout: 30, connectionTimeout: 10, ...where };
}

/** `types` are the engine's own words for DuckDB's types. */
export function createTables(types: Readonly<Record<string, string>>): string[] {
  return Object.entries(columnTypes).map(([table, columns]) => {
    const definition = Object.entries(columns).map(([name, type]) => `${name} ${types[type] ?? type}`);
    return `CREATE TABLE ${table} (${definition.join(', ')})`;
  });
}

export function refill(data: ShopData): string[] {
  return Object.entries(columnTypes).flatMap(([table, columns]) => {
    const rows = data[table as keyof ShopData];
    const names = Object.keys(columns);
    const values = rows.map((row) => `(${names.map((name) => literal(row[name] ?? null)).join(', ')})`);
    return [`DELETE FROM ${table}`, ...(rows.length > 0 ? [`INSERT INTO ${table} VALUES ${values.join(', ')}`] : [])];
  });
}
