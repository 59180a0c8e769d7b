import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { DuckDBConnection } from '@duckdb/node-api';
import * as z from 'zod';

/** Of the flights, one in so many is kept, evenly over the sorted rows; the other tables are kept whole. */
export const flightsKept = 30;
const tables = ['airports', 'flights', 'birdstrikes'] as const;
/** What the columns of each type are declared as, and how their values are written. Days and times are text in SQLite. */
const declared: Record<string, { type: string; value: (column: string) => string }> = {
  VARCHAR: { type: 'VARCHAR', value: (column) => column },
  DATE: { type: 'DATE', value: (column) => `strftime(${column}, '%Y-%m-%d')` },
  TIMESTAMP: { type: 'TIMESTAMP', value: (column) => `strftime(${column}, '%Y-%m-%d %H:%M:%S')` },
  DOUBLE: { type: 'DOUBLE', value: (column) => column },
  SMALLINT: { type: 'INTEGER', value: (column) => `${column}::INTEGER` },
  INTEGER: { type: 'INTEGER', value: (column) => column },
};
const columnRow = z.tuple([z.string(), z.string()]);

/**
 * Writes the sample's tables, fewer flights among them, into a new SQLite file, for platforms that have no DuckDB. The same
 * tables give the same bytes.
 * @throws Error when a table has a type that has no counterpart here.
 */
export async function writeSqliteSample(connection: DuckDBConnection, file: string): Promise<void> {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA journal_mode = OFF; PRAGMA page_size = 8192');
    for (const table of tables) await copyTable(connection, database, table);
    database.exec(`
      CREATE INDEX flights_by_state ON flights (origin_state);
      CREATE INDEX airports_by_code ON airports (iata);
      VACUUM`);
  } finally {
    database.close();
  }
}

async function copyTable(connection: DuckDBConnection, database: DatabaseSync, table: string): Promise<void> {
  const described = await connection.runAndReadAll(
    `SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = '${table}' ORDER BY column_index`,
  );
  const columns = described.getRows().map((row) => {
    const [name, type] = columnRow.parse(row);
    const counterpart = declared[type];
    if (!counterpart) throw new Error(`Sample data: SQLite has no counterpart for ${table}.${name}, a ${type}`);
    return { name, type: counterpart.type, value: counterpart.value(name) };
  });
  database.exec(`CREATE TABLE ${table} (${columns.map(({ name, type }) => `${name} ${type}`).join(', ')})`);
  const kept = table === 'flights' ? `WHERE rowid % ${flightsKept} = 0` : '';
  const values = columns.map(({ value }) => value).join(', ');
  const read = await connection.runAndReadAll(`SELECT ${values} FROM ${table} ${kept} ORDER BY rowid`);
  const insert = database.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`);
  database.exec('BEGIN');
  for (const row of read.getRows()) insert.run(...row.map(sqliteValue));
  database.exec('COMMIT');
}

function sqliteValue(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  throw new Error(`Sample data: a value of type ${typeof value} cannot be written to SQLite`);
}
