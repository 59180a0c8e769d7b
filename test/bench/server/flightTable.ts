import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { askClickhouse } from '../../support/databases/clickhouseServer.ts';
import type { DatabaseServer } from '../../support/databases/serverProcess.ts';
import { sampleReply } from '../results/sampleReply.ts';

/** Columns with the words that every engine understands, and their field type codes. */
const columns = [
  ['FlightId', 'BIGINT', 'num'],
  ['FlightDate', 'TIMESTAMP', 'dtz'],
  ['Airline', 'VARCHAR(60)', 'cha'],
  ['Origin', 'VARCHAR(60)', 'cha'],
  ['Destination', 'VARCHAR(60)', 'cha'],
  ['Ticket', 'VARCHAR(60)', 'cha'],
  ['Remark', 'VARCHAR(60)', 'cha'],
  ['DelayMinutes', 'INTEGER', 'num'],
  ['DistanceMiles', 'INTEGER', 'num'],
  ['Fare', 'DECIMAL(10, 2)', 'cur'],
  ['LoadFactor', 'DOUBLE PRECISION', 'per'],
  ['IsOnTime', 'BOOLEAN', 'cha'],
] as const;

/** Name of the table on every engine. */
export const tableName = 'flight';
/** Field type codes by column. */
export const fieldTypes = Object.fromEntries(columns.map(([name, , code]) => [name, code]));

type Row = readonly (string | number | null)[];
type SentRow = Readonly<Record<string, string | number | boolean | null>>;

/** Batches of rows of `sampleReply`, in the order of the columns; moments without their T, booleans as 0 and 1. */
function* rowBatches(rowCount: number): Generator<Row[]> {
  const value = (sent: SentRow, name: string) => {
    const found = sent[name] ?? null;
    if (typeof found === 'boolean') return Number(found);
    return name === 'FlightDate' && typeof found === 'string' ? found.replace('T', ' ') : found;
  };
  for (const block of sampleReply(rowCount)) {
    const text = block.toString();
    if (!/^,?\{"FlightId"/.test(text)) continue;
    const rows = JSON.parse(`[${text.replace(/^,/, '')}]`) as SentRow[];
    yield rows.map((row) => columns.map(([name]) => value(row, name)));
  }
}

function createTable(quote: string, types: Readonly<Record<string, string>> = {}): string {
  const definitions = columns.map(([name, type]) => `${quote}${name}${quote} ${types[type] ?? type}`);
  return `CREATE TABLE ${tableName} (${definitions.join(', ')})`;
}

/** Writes the rows as a CSV file that anybody may read; null is an empty field. */
export async function writeCsv(file: string, rowCount: number): Promise<void> {
  const out = createWriteStream(file);
  const field = (value: Row[number]) =>
    typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : (value ?? '');
  for (const rows of rowBatches(rowCount)) {
    if (!out.write(rows.map((row) => `${row.map(field).join(',')}\n`).join(''))) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
  await chmod(file, 0o644);
}

/** A DuckDB file with the table. */
export async function writeDuckdb(folder: string, csv: string): Promise<string> {
  const file = path.join(folder, 'flight.duckdb');
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(createTable('"'));
  await connection.run(`COPY ${tableName} FROM '${csv}' (FORMAT csv, HEADER false)`);
  connection.closeSync();
  instance.closeSync();
  return file;
}

/** A SQLite file with the table. */
export function writeSqlite(folder: string, rowCount: number): string {
  const file = path.join(folder, 'flight.sqlite');
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; ${createTable('"')}`);
  const insert = database.prepare(`INSERT INTO ${tableName} VALUES (${columns.map(() => '?').join(', ')})`);
  for (const rows of rowBatches(rowCount)) for (const row of rows) insert.run(...row);
  database.exec('COMMIT');
  database.close();
  return file;
}

/** Fills a PostgreSQL database, which reads the CSV file itself. */
export async function fillPostgresql({ login: user, ...server }: DatabaseServer, csv: string): Promise<void> {
  const client = new pg.Client({ ...server, user });
  await client.connect();
  await client.query(createTable('"'));
  await client.query(`COPY ${tableName} FROM '${csv}' (FORMAT csv)`);
  await client.query(`ANALYZE ${tableName}`);
  await client.end();
}

/** Fills a MariaDB database. */
export async function fillMariadb(server: DatabaseServer, rowCount: number): Promise<void> {
  const { host, port, database, password, login: user } = server;
  const client = await mysql.createConnection({ host, port, database, password, user });
  await client.query(createTable('`', { TIMESTAMP: 'DATETIME' }));
  await client.query('SET autocommit = 0');
  for (const rows of rowBatches(rowCount)) await client.query(`INSERT INTO ${tableName} VALUES ?`, [rows]);
  await client.query('COMMIT');
  await client.end();
}

const clickhouseTypes: Readonly<Record<string, string>> = {
  BIGINT: 'Int64',
  INTEGER: 'Int32',
  TIMESTAMP: 'DateTime',
  'VARCHAR(60)': 'String',
  'DOUBLE PRECISION': 'Float64',
  BOOLEAN: 'Bool',
};

/** Fills a recent ClickHouse, which reads the CSV file itself. */
export async function fillClickhouse(server: DatabaseServer, csv: string): Promise<void> {
  const definitions = columns.map(([name, type]) => `${name} Nullable(${clickhouseTypes[type] ?? type})`).join(', ');
  await askClickhouse(server, `CREATE TABLE ${tableName} (${definitions}) ENGINE = MergeTree ORDER BY tuple()`);
  await askClickhouse(server, `INSERT INTO ${tableName} SELECT * FROM file('${csv}', 'CSV', '${definitions}')`);
}
