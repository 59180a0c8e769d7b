import { hash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSample, flightsKept } from '../../../../src/server/sample/build/buildSample.ts';

const source = path.resolve(import.meta.dirname, '../../../../node_modules/vega-datasets/data');
let folder: string;
let target: string;
let instance: DuckDBInstance;
let connection: DuckDBConnection;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sample-'));
  target = path.join(folder, 'sample');
  expect(await buildSample({ source, target })).toBe(true);
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
  await attach();
}, 60_000);

afterAll(async () => {
  connection.closeSync();
  instance.closeSync();
  await rm(folder, { recursive: true });
});

async function attach(): Promise<void> {
  await connection.run(`ATTACH '${path.join(target, 'sample.duckdb')}' AS sample (READ_ONLY); USE sample`);
}

/** What is in each file of the target. */
async function hashes(): Promise<Record<string, string>> {
  const names = await readdir(target);
  const contents = await Promise.all(names.map((name) => readFile(path.join(target, name))));
  return Object.fromEntries(names.map((name, index) => [name, hash('sha256', contents[index] ?? '')]));
}

async function value(sql: string): Promise<unknown> {
  const [row] = (await connection.runAndReadAll(sql)).getRowsJson();
  return row?.length === 1 ? row[0] : row;
}

describe('buildSample', { timeout: 60_000 }, () => {
  it('takes over every row and value of its sources', async () => {
    // Order-independent: the sum of the rows' hashes.
    const fingerprint = (columns: string, from: string) =>
      value(`SELECT [count(*), sum(hash(${columns}))] FROM ${from}`);
    const flights = `read_parquet('${path.join(source, 'flights-3m.parquet')}')`;
    expect(await fingerprint('departure, delay::BIGINT, distance::BIGINT, origin, destination', 'flights')).toEqual(
      await fingerprint('date, delay, distance, origin, destination', flights),
    );
    expect(await value('SELECT count(*) FROM airports')).toBe('3376');
    const strikes = path.join(source, 'birdstrikes.csv');
    expect(await value('SELECT [count(*), sum(cost_total), count(speed_knots)] FROM birdstrikes')).toEqual(
      await value(
        `SELECT [count(*), sum("Cost Total $"), count("Speed IAS in knots")] FROM read_csv('${strikes}', header = true)`,
      ),
    );
  });

  it('takes states from the airports and leaves them out where the source has none', async () => {
    const wrong = `SELECT count(*) FROM flights JOIN airports ON iata = origin WHERE state IS DISTINCT FROM origin_state`;
    expect(await value(wrong)).toBe('0');
    expect(await value(`SELECT list(DISTINCT origin) FROM flights WHERE origin_state IS NULL`)).toEqual(['MQT']);
    expect(await value(`SELECT count(*) FROM airports WHERE 'NA' IN (state, city, state_name)`)).toBe('0');
  });

  it('finds the airport of every bird strike, in the state reported but for those of Washington', async () => {
    const elsewhere = `SELECT list(DISTINCT strike.airport ORDER BY strike.airport) FROM birdstrikes AS strike
      JOIN airports ON iata = airport WHERE strike.state <> airports.state`;
    expect(await value(elsewhere)).toEqual(['DCA', 'IAD']);
    const unlisted = `SELECT list(DISTINCT airport_name) FROM birdstrikes WHERE airport NOT IN (SELECT iata FROM airports)`;
    expect(await value(unlisted)).toEqual(['BARKSDALE AIR FORCE BASE ARPT']);
  });

  it('gives the shapes of the map codes and names', async () => {
    const map = await readFile(path.join(target, 'us-10m.json'), 'utf8');
    expect(map).toContain('"id":36,"properties":{"code":"NY","name":"New York"}');
    expect(map.match(/"properties"/g)).toHaveLength(53);
  });

  it('keeps every thirtieth flight and all else in the SQLite database, value by value', async () => {
    const sqlite = new DatabaseSync(path.join(target, 'sample.sqlite'), { readOnly: true });
    try {
      const tables = { flights: `WHERE rowid % ${flightsKept} = 0`, airports: '', birdstrikes: '' };
      for (const [table, kept] of Object.entries(tables)) {
        const rows = sqlite.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all();
        const original = await connection.runAndReadAll(`SELECT * FROM sample.${table} ${kept} ORDER BY rowid`);
        const expected = original.getRowObjectsJson();
        expect(rows).toHaveLength(expected.length);
        const text = (value: unknown) => (typeof value === 'string' ? value.replace(/\.0+$/, '') : value);
        const differing = rows.findIndex((row, index) =>
          Object.entries(row).some(([name, value]) => text(value) !== text(expected[index]?.[name])),
        );
        expect(rows[differing]).toBeUndefined();
      }
    } finally {
      sqlite.close();
    }
  });

  it('does nothing when nothing has changed, and builds the same bytes again when something has', async () => {
    const file = path.join(target, 'sample.duckdb');
    const { mtimeMs } = await stat(file);
    expect(await buildSample({ source, target })).toBe(false);
    expect((await stat(file)).mtimeMs).toBe(mtimeMs);

    const before = await hashes();
    await writeFile(path.join(target, 'recipe'), 'outdated');
    await connection.run('USE memory; DETACH sample');
    expect(await buildSample({ source, target })).toBe(true);
    await attach();
    expect(await hashes()).toEqual(before);
  }, 60_000);

  it('says which input is missing', async () => {
    await expect(buildSample({ source: folder, target: path.join(folder, 'none') })).rejects.toThrow(
      'flights-3m.parquet',
    );
  });
});
