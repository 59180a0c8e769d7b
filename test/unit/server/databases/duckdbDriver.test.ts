import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance, DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BoundValue, Database, QueryOptions } from '../../../../src/server/databases/database.ts';
import { DatabaseError } from '../../../../src/server/databases/database.ts';
import { DatabaseFolders } from '../../../../src/server/databases/databaseFolders.ts';
import { Databases } from '../../../../src/server/databases/databases.ts';
import { ChunkTexts } from '../../../../src/server/databases/duckdb/text.ts';
import { duckdbDialect } from '../../../../src/server/reports/sql/duckdbDialect.ts';
import { patternOf } from '../../../../src/server/security/rowSecurityConditions.ts';
import { fileIdentity } from '../../../../src/server/databases/relations.ts';
import { openDuckdb } from '../../../support/reports/runPlan.ts';
import { anyFolder } from '../../../support/databases/anyFolder.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'duckdb-driver-'));
const file = path.join(folder, 'data.duckdb');
const databases = new Databases(anyFolder);
let database: Database;

beforeAll(async () => {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(`COPY (SELECT 1 AS one) TO '${path.join(folder, 'listed.parquet')}'`);
  await connection.run(`COPY (SELECT 2 AS two) TO '${path.join(folder, 'other.parquet')}'`);
  await connection.run(`CREATE VIEW listed AS FROM read_parquet('${path.join(folder, 'listed.parquet')}')`);
  await connection.run(`CREATE TABLE numbers AS SELECT range AS n, 'canary ' || range AS text FROM range(100000)`);
  connection.closeSync();
  instance.closeSync();
  database = await openDuckdb(databases, file);
});

afterAll(async () => {
  await databases.close();
  rmSync(folder, { recursive: true });
});

function options(more: Partial<QueryOptions> = {}): QueryOptions {
  return { signal: new AbortController().signal, timeoutMs: 30_000, ...more };
}

async function json(sql: string, values: BoundValue[] = [], more?: Partial<QueryOptions>): Promise<string> {
  const texts: string[] = [];
  for await (const rows of await database.readJson({ sql, values }, options(more))) texts.push(String(rows.json));
  return texts.join(',');
}

function failure(work: Promise<unknown>): Promise<DatabaseError> {
  return work.then(
    () => {
      throw new Error('It should have failed');
    },
    (error: unknown) => {
      if (error instanceof DatabaseError) return error;
      throw error;
    },
  );
}

const endless = 'SELECT count(*) AS n FROM numbers a, numbers b WHERE a.text < b.text';

describe('the DuckDB driver', () => {
  it('groups by a formula over an outer join with an empty table', async () => {
    const shop = path.join(folder, 'shop.duckdb');
    const instance = await DuckDBInstance.create(shop);
    const connection = await instance.connect();
    await connection.run(`
      CREATE TABLE stores (id INTEGER, opened DATE);
      CREATE TABLE clerks AS SELECT unnest([NULL, 1]) AS id;
      CREATE TABLE sales (id INTEGER, store_id INTEGER, clerk_id INTEGER, sold_on DATE);
      INSERT INTO sales VALUES (1, NULL, 1, '2025-12-31'), (1, NULL, 2, '2025-12-31')`);
    connection.closeSync();
    instance.closeSync();
    const years = 'TRY((year(s.sold_on) - year(st.opened)))';
    const sql = `SELECT ${years} AS years, s.id FROM sales s LEFT JOIN stores st ON s.store_id = st.id
      INNER JOIN clerks c ON s.clerk_id = c.id WHERE ${years} = 0 GROUP BY ${years}, s.id`;
    const read = await (await openDuckdb(databases, shop)).readJson({ sql, values: [] }, options());
    for await (const rows of read) expect(rows.count).toBe(0);
  });

  it('writes every type as JSON that says what is stored', async () => {
    const columns = {
      big: '9007199254740993::BIGINT',
      huge: '170141183460469231731687303715884105727::HUGEINT',
      exact: '12345678901234567890.12345678::DECIMAL(38, 8)',
      nan: `'nan'::DOUBLE`,
      infinite: `'-inf'::FLOAT`,
      day: `DATE '0044-03-15'`,
      moment: `TIMESTAMP '2026-01-01 00:01:00'`,
      zoned: `TIMESTAMPTZ '2026-01-01 00:00:00+02'`,
      text: `'"\\' || chr(10)`,
      list: '[1, NULL]',
      nothing: 'NULL',
    };
    const sql = Object.entries(columns).map(([name, value]) => `${value} AS ${name}`);
    expect(await json(`SELECT ${sql.join(', ')}`)).toBe(
      '{"big":9007199254740993,"huge":170141183460469231731687303715884105727,"exact":12345678901234567890.12345678,' +
        '"nan":null,"infinite":null,"day":"0044-03-15","moment":"2026-01-01 00:01:00","zoned":"2025-12-31 22:00:00+00",' +
        '"text":"\\"\\\\\\n","list":"[1, NULL]","nothing":null}',
    );
  });

  it('refuses a query that needs more memory than it may take, and goes on', async () => {
    const error = await failure(json(`SELECT length(string_agg(repeat(text, 300), chr(44))) AS l FROM numbers`));
    expect([error.kind, error.message]).toEqual([
      'failed',
      expect.stringMatching(/^The query needs more memory than .+ may use for it \(400 MB\); ask for fewer rows/),
    ]);
    expect(await json('SELECT 1 AS one')).toBe('{"one":1}');
  });

  it('matches patterns of any number of wildcards in a time that grows with the text alone', async () => {
    const pattern = ['a', 'b'].flatMap((letter) => Array.from({ length: 50 }, () => ['many', letter] as const));
    const parts = pattern.flatMap(([any, literal]) => [{ any }, { literal }]);
    const text = duckdbDialect.likeText([...parts, { any: 'one' }, { literal: 'z' }]);
    const condition = duckdbDialect.like(`repeat('ab', 500) || n`, '$1', false);
    // DuckDB's LIKE tries every place for each wildcard; not even the timeout would end it.
    const found = await json(`SELECT count(*) AS n FROM numbers WHERE n < 2000 AND ${condition}`, [
      { type: 'text', text },
    ]);
    expect(found).toBe('{"n":0}');
  });

  it.each([
    ['%a_c%', 'xabc', true],
    ['%a_c%', 'xac', false],
    ['_', '\n', true],
    ['_', '😀', true],
    ['a%', 'a\nb', true],
    ['.*', 'ab', false],
    ['(a|b)[c]{1}^$+?\\', '(a|b)[c]{1}^$+?\\', true],
    ['a', 'ab', false],
    ['', '', true],
    ['%%', '', true],
  ])('matches %j as it does everywhere: %j', async (pattern, value, isFound) => {
    const text = duckdbDialect.likeText(patternOf(pattern));
    const values = [text, value].map((each) => ({ type: 'text', text: each }) as const);
    expect(await json(`SELECT ${duckdbDialect.like('$2::VARCHAR', '$1', false)} AS f`, values)).toBe(
      `{"f":${isFound}}`,
    );
    expect(await json(`SELECT ${duckdbDialect.like('$2::VARCHAR', '$1', true)} AS f`, values)).toBe(
      `{"f":${!isFound}}`,
    );
  });

  it('refuses rows that are too long to be copied, before they are', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const chunk = async (characters: number) => {
      const result = await connection.stream(`SELECT repeat('x', ${characters}) AS l FROM range(64)`);
      const next = await result.fetchChunk();
      if (!next) throw new Error('There are no rows');
      return next;
    };
    expect(new ChunkTexts('Shop').take(await chunk(1024 * 1024))).toHaveLength(64 * 1024 * 1024);
    const long = await chunk(1024 * 1024 + 1);
    expect(() => new ChunkTexts('Shop').take(long)).toThrow(
      'The rows from Shop hold texts that are too long: over 64 MB at once',
    );
    connection.closeSync();
    instance.closeSync();
  });

  it('passes rows of every length on as they are', async () => {
    // Objects of fewer than 12 bytes lie elsewhere in DuckDB's memory than longer ones.
    const sql = `SELECT CASE WHEN n % 7 = 0 THEN NULL ELSE repeat(CASE WHEN n % 3 = 0 THEN 'ü' ELSE 'x' END, n % 41) END AS "t"
      FROM numbers ORDER BY n`;
    const expected = Array.from({ length: 100_000 }, (_, n) => ({
      t: n % 7 === 0 ? null : (n % 3 === 0 ? 'ü' : 'x').repeat(n % 41),
    }));
    expect(JSON.parse(`[${await json(sql)}]`)).toEqual(expected);
    expect(await json('SELECT 1 AS a FROM numbers LIMIT 3')).toBe('{"a":1},{"a":1},{"a":1}');
  });

  it('binds numbers without rounding them', async () => {
    const texts = ['5', '9007199254740993', '-0.10', '123456789012345678901234567890.12345678', '1e3'];
    const values = texts.map((text) => ({ type: 'number', text }) as const);
    const sql = `SELECT ${texts.map((_, index) => `$${index + 1} AS v${index}`).join(', ')}`;
    expect(await json(sql, values)).toMatch(
      /^\{"v0":5,"v1":9007199254740993,"v2":-0\.10?,"v3":123456789012345678901234567890\.12345678,"v4":1000\.0\}$/,
    );
  });

  it('gives rows in order, no more at once than the database makes at once', async () => {
    let next = 0;
    const rows = await database.readJson({ sql: 'SELECT n FROM numbers ORDER BY n', values: [] }, options());
    for await (const batch of rows) {
      const numbers = (JSON.parse(`[${String(batch.json)}]`) as { n: number }[]).map(({ n }) => n);
      expect(numbers.length).toBe(batch.count);
      expect(batch.count).toBeLessThanOrEqual(2048);
      expect([numbers[0], numbers.at(-1)]).toEqual([next, next + batch.count - 1]);
      next += batch.count;
    }
    expect(next).toBe(100_000);
  });

  it.each([
    'INSERT INTO numbers VALUES (1, NULL)',
    `COPY numbers TO '${path.join(folder, 'stolen.csv')}'`,
    'SELECT 1; SELECT 2',
    'SET threads = 1',
    `SELECT * FROM read_csv('/etc/passwd')`,
    `SELECT * FROM read_parquet('${path.join(folder, 'other.parquet')}')`,
    `SELECT * FROM getenv('HOME')`,
  ])('refuses %s', async (sql) => {
    expect(['refused', 'failed']).toContain((await failure(json(sql))).kind);
  });

  it('reads the files that a view of the database reads', async () => {
    expect(await json('SELECT * FROM listed')).toBe('{"one":1}');
  });

  it('never quotes values in errors', async () => {
    const error = await failure(json('SELECT CAST(text AS INTEGER) AS n FROM numbers'));
    expect(error.kind).toBe('failed');
    expect(error.message).toBe('Shop could not compute the result (Conversion error)');
    expect(error.cause).toBeUndefined();
  });

  it('ends a query that takes too long', async () => {
    const error = await failure(json(endless, [], { timeoutMs: 100 }));
    expect([error.kind, error.message]).toEqual(['timeout', expect.stringContaining('after 0.1 s')]);
  });

  it('ends a query whose client goes away', async () => {
    const gone = new AbortController();
    const running = failure(json(endless, [], { signal: gone.signal }));
    setTimeout(() => gone.abort(), 50);
    expect((await running).kind).toBe('cancelled');
    expect((await failure(json('SELECT 1', [], { signal: gone.signal }))).kind).toBe('cancelled');
  });

  it('tells of a query that takes too long behind its first rows: what DuckDB then gives looks like the end', async () => {
    const query = { sql: 'SELECT * FROM numbers', values: [] };
    const reader = (await database.readJson(query, options({ timeoutMs: 500 })))[Symbol.asyncIterator]();
    expect((await reader.next()).done).toBe(false);
    const ends = () => new Promise<null>((resolve) => setTimeout(() => resolve(null), 1000));
    const fetches = vi.spyOn(DuckDBResult.prototype, 'fetchChunk').mockImplementation(ends);
    try {
      expect((await failure(drain(reader))).kind).toBe('timeout');
    } finally {
      fetches.mockRestore();
    }
  });

  it('does not count the time that its reader takes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const rows = await database.readJson({ sql: 'SELECT * FROM numbers', values: [] }, options());
      const reader = rows[Symbol.asyncIterator]();
      await reader.next();
      // Until the database has read ahead.
      await vi.waitUntil(() => vi.getTimerCount() === 0);
      vi.advanceTimersByTime(600_000);
      for (let batch = 0; batch < 40; batch += 1) expect((await reader.next()).done).toBe(false);
      await reader.return?.();
    } finally {
      vi.useRealTimers();
    }
  });

  it('describes tables and views', async () => {
    expect(await database.tables(options())).toEqual([
      { owner: 'main', name: 'listed' },
      { owner: 'main', name: 'numbers' },
    ]);
    expect(await database.columns({ owner: '', name: 'NUMBERS' }, options())).toEqual([
      { name: 'n', nativeType: 'BIGINT', maxLength: 0, isNullable: true },
      { name: 'text', nativeType: 'VARCHAR', maxLength: 0, isNullable: true },
    ]);
    expect(await database.columns({ owner: 'main', name: 'none' }, options())).toEqual([]);
  });

  it('opens a database once and closes it with running queries', async () => {
    const own = new Databases(anyFolder);
    const [one, other] = await Promise.all([openDuckdb(own, file), openDuckdb(own, file)]);
    expect(one).toBe(other);
    const rows = await one.readJson({ sql: 'SELECT * FROM numbers', values: [] }, options());
    const reader = rows[Symbol.asyncIterator]();
    await reader.next();
    await own.close();
    expect((await failure(drain(reader))).kind).toBe('cancelled');
    expect((await failure(openDuckdb(own, file))).kind).toBe('unreachable');
  });

  it('leaves no failure of a query to nobody when the client goes away while its relations are read', async () => {
    const unheard: unknown[] = [];
    const onUnheard = (reason: unknown) => unheard.push(reason);
    process.on('unhandledRejection', onUnheard);
    const apart = new Databases(anyFolder);
    try {
      const asked = await openDuckdb(apart, file);
      // The client leaves at its first query, then at its second, until it stays for all of them.
      const leavesAt = async (last: number) => {
        const client = new AbortController();
        let queries = 0;
        await asked.relations({
          timeoutMs: 30_000,
          get signal() {
            queries += 1;
            if (queries === last) client.abort();
            return client.signal;
          },
        });
      };
      let left = 0;
      while (
        await leavesAt(left + 1).then(
          () => false,
          () => true,
        )
      )
        left += 1;
      expect(left).toBeGreaterThanOrEqual(4);
      // What nobody hears of is told when the turn ends.
      await new Promise(setImmediate);
      expect(unheard).toEqual([]);
    } finally {
      process.off('unhandledRejection', onUnheard);
      await apart.close();
    }
  });

  it('is closed after the queries that are about to begin, and takes no more', async () => {
    for (let round = 0; round < 20; round += 1) {
      const own = new Databases(anyFolder);
      const opened = await openDuckdb(own, file);
      const count = { sql: 'SELECT count(*) AS n FROM numbers', values: [] };
      const beginning = Array.from({ length: 4 }, () =>
        opened.readJson(count, options()).catch((error: unknown) => error),
      );
      const columns = failure(opened.columns({ owner: 'main', name: 'numbers' }, options()));
      await own.close();
      for (const result of await Promise.all(beginning)) {
        if (result instanceof Error) expect(result).toMatchObject({ name: 'DatabaseError', kind: 'cancelled' });
      }
      expect((await columns).kind).toBe('cancelled');
      expect((await failure(opened.readJson(count, options()))).kind).toBe('cancelled');
    }
  });

  it('opens its file anew after an error that makes DuckDB useless', async () => {
    const own = new Databases(anyFolder);
    const broken = await openDuckdb(own, file);
    const message = 'FATAL Error: Failed: database has been invalidated because of a previous fatal error. canary';
    const fails = vi.spyOn(DuckDBPreparedStatement.prototype, 'stream').mockRejectedValueOnce(new Error(message));
    const opens = vi.spyOn(DuckDBInstance, 'create');
    const query = { sql: 'SELECT 1 AS one', values: [] };
    try {
      const error = await failure(broken.readJson(query, options()));
      expect(error.message).toBe('Shop could not compute the result (FATAL error)');
      for await (const { json: text } of await broken.readJson(query, options()))
        expect(String(text)).toBe('{"one":1}');
      expect(opens).toHaveBeenCalledTimes(1);
    } finally {
      fails.mockRestore();
      opens.mockRestore();
      await own.close();
    }
  });

  it('says why a database cannot be opened', async () => {
    for (const [name, problem] of [
      ['missing.duckdb', 'Shop: its database file does not exist, or is not in a database folder.'],
      ['', 'Shop: its database file does not exist, or is not in a database folder.'],
      ['listed.parquet', 'not a DuckDB file'],
    ] as const) {
      const { kind, message } = await failure(openDuckdb(databases, path.join(folder, name)));
      expect([kind, message]).toEqual(['unreachable', expect.stringContaining(problem)]);
    }
  });

  it('opens no file of another database, and fetches nothing that could', async () => {
    const foreign = path.join(folder, 'foreign.sqlite');
    const sqlite = new DatabaseSync(foreign);
    sqlite.exec('CREATE TABLE sales (id INTEGER)');
    sqlite.close();
    const creates = vi.spyOn(DuckDBInstance, 'create');
    try {
      const { kind, message } = await failure(openDuckdb(databases, foreign));
      expect([kind, message]).toEqual(['unreachable', expect.stringContaining('not a DuckDB file')]);
      expect(creates).not.toHaveBeenCalled();
    } finally {
      creates.mockRestore();
    }
    const sql = `SELECT name, CAST(value AS VARCHAR) AS value FROM duckdb_settings()
      WHERE name IN ('autoinstall_known_extensions', 'autoload_known_extensions', 'enable_external_access')`;
    expect([...(await json(sql)).matchAll(/"value":"(\w+)"/g)].map(([, value]) => value)).toEqual(
      Array.from({ length: 3 }, () => 'false'),
    );
  });

  it('opens a file anew that was put in the place of the one it had open', async () => {
    const place = path.join(folder, 'place.duckdb');
    await make(place, 'first');
    const before = await look(place);
    await make(`${place}.new`, 'second');
    renameSync(`${place}.new`, place);
    const after = await look(place);
    expect(before.rows).toEqual(['{"name":"first"}']);
    expect(after.rows).toEqual(['{"name":"second"}']);
    expect([before.views, after.views]).toEqual([new Set(['of_first']), new Set(['of_second'])]);
    expect(after.identity).toBe(fileIdentity(place));
    expect(after.identity).not.toBe(before.identity);
  });

  it('reads the file that it tells the identity of, where a path goes up from behind a link', async () => {
    const [own, below] = [path.join(folder, 'own'), path.join(folder, 'deep', 'below')];
    for (const each of [own, below]) mkdirSync(each, { recursive: true });
    symlinkSync(below, path.join(folder, 'linked'));
    await make(path.join(folder, 'both.duckdb'), 'beside');
    const behind = path.join(folder, 'deep', 'both.duckdb');
    await make(behind, 'behind');
    await make(path.join(folder, 'deep', 'one.duckdb'), 'alone');
    expect(await look(`${folder}/linked/../both.duckdb`)).toEqual({
      identity: fileIdentity(behind),
      rows: ['{"name":"behind"}'],
      views: new Set(['of_behind']),
    });
    const guarded = new Databases(new DatabaseFolders([folder], own));
    expect((await look(`${folder}/linked/../one.duckdb`, guarded)).rows).toEqual(['{"name":"alone"}']);
    await guarded.close();
  });
});

/** A database with one row, and a view of it, that tell which one it is. */
async function make(target: string, value: string): Promise<void> {
  const instance = await DuckDBInstance.create(target);
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE made AS SELECT '${value}' AS name`);
  await connection.run(`CREATE VIEW of_${value} AS FROM made`);
  connection.closeSync();
  instance.closeSync();
}

/** What a database of {@link make} shows of itself. */
async function look(place: string, among = databases) {
  const found = await openDuckdb(among, place);
  const { identity, derived } = await found.relations(options());
  const rows: string[] = [];
  for await (const each of await found.readJson({ sql: 'SELECT name FROM made', values: [] }, options())) {
    rows.push(String(each.json));
  }
  const views = new Set(derived.map(({ name }) => name).filter((name) => name.startsWith('of_')));
  return { identity, rows, views };
}

async function drain(reader: AsyncIterator<unknown>): Promise<void> {
  while (!(await reader.next()).done) continue;
}
