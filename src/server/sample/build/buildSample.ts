import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import * as z from 'zod';
import { sampleDatabaseFiles } from '../sampleDatabase.ts';
import { strikeAirports, usStates } from './places.ts';

const inputs = {
  flights: 'flights-3m.parquet',
  airports: 'airports.csv',
  strikes: 'birdstrikes.csv',
  map: 'us-10m.json',
};
/**
 * Compressions that DuckDB must not use, so that the same rows give the same bytes: FSST decides by a random sample,
 * bit packing writes uninitialized memory in place of nulls, and ALP does so after its last decimal.
 */
const chanceOf = { anyRows: 'fsst', rowsWithNulls: 'fsst,bitpacking', rowsWithDecimals: 'fsst,alp,alprd' };
const ownSources = ['buildSample.ts', 'places.ts'];
/** Stores the hash of the inputs and the recipe that the target was built from. */
const recipeFile = 'recipe';

/** Source and target folders of the sample build. */
interface SampleFolders {
  /** `data` folder of the npm package vega-datasets. */
  source: string;
  /** Folder to write; created if it does not exist. */
  target: string;
}

/**
 * Builds the sample's data: a DuckDB database, a smaller SQLite database and the map of the states. The build is
 * reproducible byte by byte; it is skipped if inputs and recipe are those of the last build.
 * @returns whether anything was built.
 * @throws Error when an input is missing or does not have the expected form.
 */
export async function buildSample({ source, target }: SampleFolders): Promise<boolean> {
  const recipe = await recipeHash(source);
  if ((await recipeOf(target)) === recipe) return false;

  const work = `${target}.${process.pid}`;
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  await writeDatabases(source, {
    duckdb: path.join(work, sampleDatabaseFiles.duckdb),
    sqlite: path.join(work, sampleDatabaseFiles.sqlite),
  });
  await writeMap(path.join(source, inputs.map), path.join(work, inputs.map));
  await writeFile(path.join(work, recipeFile), recipe);
  await replaceFolder(work, target, recipe);
  return true;
}

/** Moves the finished folder into place, unless another build of the same recipe finished first. */
async function replaceFolder(work: string, target: string, recipe: string): Promise<void> {
  try {
    await rm(target, { recursive: true, force: true });
    await rename(work, target);
  } catch (error) {
    await rm(work, { recursive: true, force: true });
    if ((await recipeOf(target)) !== recipe) throw error;
  }
}

/** Hash that a folder was built from; empty when this build did not create it. */
function recipeOf(folder: string): Promise<string> {
  return readFile(path.join(folder, recipeFile), 'utf8').catch(() => '');
}

async function recipeHash(source: string): Promise<string> {
  const files = [
    ...Object.values(inputs).map((file) => path.join(source, file)),
    ...ownSources.map((file) => path.join(import.meta.dirname, file)),
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file));
  return hash.digest('hex');
}

async function writeDatabases(source: string, files: { duckdb: string; sqlite: string }): Promise<void> {
  // Two threads would write blocks in random order.
  const instance = await DuckDBInstance.create(files.duckdb, { threads: '1' });
  const connection = await instance.connect();
  try {
    await loadNames(connection, 'us_state', ['code', 'fips', 'name'], usStates);
    await loadNames(connection, 'strike_airport', ['reported_name', 'iata'], strikeAirports);
    for (const { table, rows, without } of recipes(source)) {
      await connection.run(`SET disabled_compression_methods = ${quoted(without)}`);
      await connection.run(`CREATE TABLE ${table} AS ${rows}`);
      await connection.run('CHECKPOINT');
    }
    for (const check of checks) {
      const [row] = (await connection.runAndReadAll(check.sql)).getRowsJson();
      if (row?.[0] !== null) throw new Error(`Sample data: ${check.complaint}: ${JSON.stringify(row?.[0])}`);
    }
    await writeSqliteSample(connection, files.sqlite);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function loadNames(
  connection: DuckDBConnection,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): Promise<void> {
  const values = rows.map((row) => `(${row.map((value) => quoted(String(value))).join(', ')})`);
  await connection.run(`CREATE TEMP TABLE ${table} AS FROM (VALUES ${values.join(', ')}) AS t(${columns.join(', ')})`);
}

/**
 * The query that creates each table from its source. Values stay as published, except for placeholders of missing
 * values, such as the airport list's `NA`. Rows are sorted to group equal values, which keeps the database small. A
 * query may use the tables before it.
 */
function recipes(source: string): { table: string; rows: string; without: string }[] {
  const input = (file: string) => quoted(path.join(source, file));
  return [
    {
      table: 'airports',
      without: chanceOf.rowsWithDecimals,
      rows: `
      SELECT iata, airport.name, nullif(city, 'NA') AS city, us_state.code AS state, us_state.name AS state_name, country,
        CAST(latitude AS DOUBLE) AS latitude, CAST(longitude AS DOUBLE) AS longitude
      FROM read_csv(${input(inputs.airports)}, header = true, all_varchar = true) AS airport
        LEFT JOIN us_state ON us_state.code = airport.state
      ORDER BY iata`,
    },
    {
      table: 'flights',
      without: chanceOf.anyRows,
      rows: `
      SELECT flight.date AS departure, CAST(flight.date AS DATE) AS flight_date, CAST(delay AS SMALLINT) AS delay,
        CAST(distance AS SMALLINT) AS distance, flight.origin, flight.destination, origin.state AS origin_state,
        destination.state AS destination_state
      FROM read_parquet(${input(inputs.flights)}) AS flight
        LEFT JOIN airports AS origin ON origin.iata = flight.origin
        LEFT JOIN airports AS destination ON destination.iata = flight.destination
      ORDER BY origin_state, flight.origin, flight.destination, departure, delay, distance`,
    },
    {
      table: 'birdstrikes',
      without: chanceOf.rowsWithNulls,
      rows: `
      SELECT CAST(row_number() OVER () AS INTEGER) AS strike_id, "Airport Name" AS airport_name, strike_airport.iata AS airport,
        us_state.code AS state, "Origin State" AS state_name, CAST("Flight Date" AS DATE) AS flight_date,
        "Aircraft Airline Operator" AS operator, "Aircraft Make Model" AS aircraft, "Phase of flight" AS phase_of_flight,
        "Time of day" AS time_of_day, "Wildlife Size" AS wildlife_size, "Wildlife Species" AS species,
        "Effect Amount of damage" AS damage, CAST("Speed IAS in knots" AS SMALLINT) AS speed_knots,
        CAST("Cost Repair" AS INTEGER) AS cost_repair, CAST("Cost Other" AS INTEGER) AS cost_other,
        CAST("Cost Total $" AS INTEGER) AS cost_total, CAST("Flight Date" AS TIMESTAMP) AS reported_at,
        CAST(epoch(CAST("Flight Date" AS TIMESTAMP)) AS INTEGER) AS reported_unix
      FROM read_csv(${input(inputs.strikes)}, header = true, all_varchar = true) AS strike
        LEFT JOIN strike_airport ON strike_airport.reported_name = "Airport Name"
        LEFT JOIN us_state ON us_state.name = CASE "Origin State" WHEN 'DC' THEN 'District of Columbia' ELSE "Origin State" END
      ORDER BY strike_id`,
    },
  ];
}

/** Each query returns null on success, else the problem. */
const checks = [
  {
    sql: `SELECT min(iata) FROM (SELECT iata FROM airports GROUP BY iata HAVING count(*) > 1)`,
    complaint: 'an airport is listed twice',
  },
  {
    sql: `SELECT nullif(count(*), 3000000) FROM flights`,
    complaint: 'there are not 3,000,000 flights',
  },
  {
    sql: `SELECT min(code) FROM (SELECT origin AS code FROM flights UNION SELECT destination FROM flights)
      WHERE code NOT IN (SELECT iata FROM airports)`,
    complaint: 'flights use an airport that is not listed',
  },
  {
    sql: `SELECT min(airport_name) FROM birdstrikes WHERE airport IS NULL`,
    complaint: 'a bird strike lies at an airport without a code',
  },
  {
    sql: `SELECT min(state_name) FROM birdstrikes WHERE state IS NULL`,
    complaint: 'a bird strike lies in a state that is not listed',
  },
];

/** Copies the map and adds code and name to the numbered state shapes. */
async function writeMap(source: string, target: string): Promise<void> {
  const byFips = new Map(usStates.map(([code, fips, name]) => [fips, { code, name }]));
  const map: unknown = JSON.parse(await readFile(source, 'utf8'));
  for (const shape of stateShapes(map)) {
    const properties = typeof shape.id === 'number' ? byFips.get(shape.id) : undefined;
    if (!properties) throw new Error(`Sample data: the map has a state with the unknown number ${String(shape.id)}`);
    Object.assign(shape, { properties });
  }
  await writeFile(target, JSON.stringify(map));
}

function stateShapes(map: unknown): { id?: unknown }[] {
  const objects = property(map, 'objects');
  const shapes = property(property(objects, 'states'), 'geometries');
  if (!Array.isArray(shapes)) throw new Error('Sample data: the map holds no states');
  return shapes.filter((shape): shape is { id?: unknown } => typeof shape === 'object' && shape !== null);
}

function property(holder: unknown, key: string): unknown {
  return typeof holder === 'object' && holder !== null
    ? Object.entries(holder).find(([name]) => name === key)?.[1]
    : undefined;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Keeps one in this many flights, evenly over the sorted rows; the other tables are complete. */
export const flightsKept = 30;
const tables = ['airports', 'flights', 'birdstrikes'] as const;
/** Declared type of columns of each source type, and the SQL of their values. SQLite stores dates and times as text. */
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
 * Writes the sample's tables, with fewer flights, into a new SQLite file for platforms without DuckDB. The same tables
 * give the same bytes.
 * @throws Error when a column type has no SQLite counterpart here.
 */
async function writeSqliteSample(connection: DuckDBConnection, file: string): Promise<void> {
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
