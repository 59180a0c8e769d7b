import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, QueryOptions } from '../../../../src/server/databases/database.ts';
import { frameSize } from '../../../../src/server/databases/rowFrames.ts';
import { Databases } from '../../../../src/server/databases/databases.ts';
import { anyFolder } from '../../../support/databases/anyFolder.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sqlite-driver-'));
const file = path.join(folder, 'data.sqlite');
const databases = new Databases(anyFolder);
let database: Database;

function open(name: string, from = databases): Promise<Database> {
  const where = { host: '', login: '', params: '', commandTimeout: 30, connectionTimeout: 10 };
  return from.at({ id: name, displayName: 'Shop', platform: 'sqlite', database: name, ...where });
}

beforeAll(async () => {
  const writer = new DatabaseSync(file);
  writer.exec(`CREATE TABLE numbers (n INTEGER NOT NULL, text VARCHAR(9));
    WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 20000)
    INSERT INTO numbers SELECT x, 'canary ' || x FROM c;
    CREATE TABLE anything (i INTEGER, r REAL, t TEXT, n NUMERIC, b BLOB)`);
  const insert = writer.prepare('INSERT INTO anything VALUES (?1, ?1, ?1, ?1, ?1)');
  for (const value of anything) insert.run(value);
  writer.close();
  database = await open(file);
});

afterAll(async () => {
  await databases.close();
  rmSync(folder, { recursive: true });
});

function options(more: Partial<QueryOptions> = {}): QueryOptions {
  return { signal: new AbortController().signal, timeoutMs: 30_000, ...more };
}

async function json(sql: string, more?: Partial<QueryOptions>, from = database): Promise<string> {
  const texts: string[] = [];
  for await (const rows of await from.readJson({ sql, values: [] }, options(more))) texts.push(String(rows.json));
  return texts.join(',');
}

/** Values that a column of any type may hold. */
const anything = [
  1.5,
  -7,
  Infinity,
  -Infinity,
  'Inf',
  '9e999',
  '',
  'text',
  Buffer.from('a0', 'hex'),
  Buffer.alloc(0),
  null,
];

const endless = 'SELECT count(*) AS n FROM numbers a, numbers b, numbers c WHERE a.text < b.text';

describe('the SQLite driver', () => {
  it('writes every type as JSON that says what is stored', async () => {
    const sql = `SELECT 9007199254740993 AS big, 0.1 + 0.2 AS sum, 9e999 AS infinite, x'00ff' AS bytes, NULL AS empty, '"\\' AS text`;
    expect(await json(sql)).toBe(
      '{"big":9007199254740993,"sum":0.30000000000000004,"infinite":null,"bytes":"00FF","empty":null,"text":"\\"\\\\"}',
    );
  });

  it('binds whole numbers without rounding them, as far as the database has them', async () => {
    const texts = ['5', '9007199254740993', '-9007199254740993', '9223372036854775807', '-9223372036854775808', '-0.5'];
    const values = texts.map((text) => ({ type: 'number', text }) as const);
    const sql = `SELECT ${texts.map((_, index) => `?${index + 1} AS v${index}`).join(', ')}`;
    const parts: string[] = [];
    for await (const rows of await database.readJson({ sql, values }, options())) parts.push(String(rows.json));
    expect(parts.join()).toBe(`{${texts.map((text, index) => `"v${index}":${text}`).join(',')}}`);
  });

  it('tells infinity and bytes from all else that columns of any type may hold', async () => {
    const written = await json('SELECT i, r, t, n, b FROM anything ORDER BY rowid LIMIT 100');
    const rows = JSON.parse(`[${written}]`) as Record<string, unknown>[];
    const shown = (column: string) => rows.map((row) => row[column]);
    const rest = ['', 'text', 'A0', '', null];
    // Where the column makes a number of a text, an infinite one is no number of JSON either.
    for (const column of ['i', 'r', 'n']) {
      expect(shown(column)).toEqual([1.5, -7, null, null, 'Inf', null, ...rest]);
    }
    expect(shown('b')).toEqual([1.5, -7, null, null, 'Inf', '9e999', ...rest]);
    expect(shown('t')).toEqual(['1.5', '-7.0', 'Inf', '-Inf', 'Inf', '9e999', ...rest]);
  });

  it('writes what a column holds, whatever type it is said to have', async () => {
    // The first part of a union gives the column its type, and the second one values of any kind.
    const all = (first: string) =>
      `SELECT u FROM (SELECT ${first} AS u FROM anything WHERE 0 UNION ALL SELECT b FROM anything)`;
    const untyped = await json(all('NULL'));
    expect(JSON.parse(`[${untyped}]`)).toEqual(
      [1.5, -7, null, null, 'Inf', '9e999', '', 'text', 'A0', '', null].map((u) => ({ u })),
    );
    for (const column of ['i', 'r', 't', 'n']) expect(await json(all(column))).toBe(untyped);
  });

  it.each([
    ['a text', `SELECT replace(hex(zeroblob(5000000)), '0', 'aaaaaaaaaa') AS t`],
    ['a text that is only looked at', `SELECT length(replace(hex(zeroblob(5000000)), '0', 'aaaaaaaaaa')) AS n`],
    ['a joined text', 'SELECT group_concat(hex(zeroblob(5000))) AS t FROM numbers'],
    ['a row', `SELECT ${['a', 'b'].map((name) => `hex(zeroblob(18000000)) AS ${name}`).join(', ')}`],
    ['a later row', `SELECT CASE WHEN n = 20000 THEN hex(zeroblob(40000000)) END AS t FROM numbers ORDER BY n`],
  ])('refuses a text of over 64 MB: %s', async (_, sql) => {
    await expect(json(sql)).rejects.toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/^The rows from .+ hold texts that are too long: over 64 MB at once/) as string,
    });
    expect(await json('SELECT 1 AS one')).toBe('{"one":1}');
  });

  it('writes more columns than one function takes', async () => {
    const columns = Array.from({ length: 120 }, (_, index) => `${index} AS c${index}`);
    const row = JSON.parse(await json(`SELECT ${columns.join(', ')}`)) as Record<string, number>;
    expect(Object.values(row)).toEqual(columns.map((_, index) => index));
  });

  it('knows the spread of values and capital letters beyond ASCII', async () => {
    const sql = `SELECT var_samp(n) AS v, stddev_samp(DISTINCT n % 2) AS s, upper('é') AS u FROM numbers WHERE n <= 4`;
    const { v, s, u } = JSON.parse(await json(sql)) as Record<'v' | 's' | 'u', unknown>;
    expect(v).toBeCloseTo(5 / 3, 9);
    expect(s).toBeCloseTo(Math.SQRT1_2, 9);
    expect(u).toBe('É');
  });

  it('gives rows in order and in small batches', async () => {
    let next = 1;
    for await (const batch of await database.readJson(
      { sql: 'SELECT n FROM numbers ORDER BY n', values: [] },
      options(),
    )) {
      const numbers = (JSON.parse(`[${String(batch.json)}]`) as { n: number }[]).map(({ n }) => n);
      expect([numbers.length, numbers[0]]).toEqual([batch.count, next]);
      expect(batch.json.length).toBeLessThanOrEqual(frameSize);
      next += batch.count;
    }
    expect(next).toBe(20_001);
  });

  it.each([
    `INSERT INTO numbers VALUES (1, '')`,
    `ATTACH '${file}.other' AS other`,
    'PRAGMA query_only = 0',
    'SELECT nope FROM numbers',
  ])('refuses %s', async (sql) => {
    await expect(json(sql)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('never quotes values in errors', async () => {
    const failed = expect(json('SELECT json_extract(text, text) AS j FROM numbers')).rejects;
    await failed.toMatchObject({ kind: 'failed', message: 'Shop could not compute the result' });
  });

  it('ends a query that takes too long, and one whose client goes away, at once', async () => {
    await expect(json(endless, { timeoutMs: 100 })).rejects.toMatchObject({ kind: 'timeout' });
    const gone = new AbortController();
    const running = json(endless, { signal: gone.signal });
    setTimeout(() => gone.abort(), 100);
    await expect(running).rejects.toMatchObject({ kind: 'cancelled' });
    expect(await json('SELECT 1 AS one')).toBe('{"one":1}');
  });

  it('describes tables', async () => {
    expect(await database.tables(options())).toEqual(['anything', 'numbers'].map((name) => ({ owner: 'main', name })));
    expect(await database.columns({ owner: '', name: 'NUMBERS' }, options())).toEqual([
      { name: 'n', nativeType: 'INTEGER', maxLength: 0, isNullable: false },
      { name: 'text', nativeType: 'VARCHAR(9)', maxLength: 9, isNullable: true },
    ]);
  });

  it('closes with running queries, and says why a file cannot be opened', async () => {
    const own = new Databases(anyFolder);
    const running = expect(json(endless, {}, await open(file, own))).rejects.toMatchObject({ kind: 'cancelled' });
    await own.close();
    await running;
    await expect(open(path.join(folder, 'missing'))).rejects.toThrow('its database file does not exist');
    const other = path.join(folder, 'other');
    writeFileSync(other, 'no database at all, but long enough to look like one'.repeat(50));
    await expect(open(other)).rejects.toThrow('not a SQLite file');
  });
});
