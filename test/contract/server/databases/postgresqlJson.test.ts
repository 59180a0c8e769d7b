import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/server/databases/database.ts';
import { postgresqlDriver } from '../../../../src/server/databases/postgresql/driver.ts';
import { postgresqlPrograms, startPostgresql } from '../../../support/databases/postgresqlServer.ts';
import type { DatabaseServer } from '../../../support/databases/serverProcess.ts';
import { anyFolder } from '../../../support/databases/anyFolder.ts';

/** SQL of a value, and what it becomes; a number stands for itself, its digits as they are sent. */
const values: readonly (readonly [sql: string, json: string])[] = [
  [`'ab'::char(5)`, '"ab   "'],
  [`''::text`, '""'],
  [`NULL::text`, 'null'],
  [
    `E'quote " backslash \\\\ tab \\t bell \\x07 line \\n 日本 🐘'::text`,
    '"quote \\" backslash \\\\ tab \\t bell \\u0007 line \\n 日本 🐘"',
  ],
  [`'null'::text`, '"null"'],
  [`'NaN'::text`, '"NaN"'],
  [`'infinity'::text`, '"infinity"'],
  [`12345678901234567.8900::numeric`, '12345678901234567.8900'],
  [`'NaN'::numeric`, 'null'],
  [`'Infinity'::float8`, 'null'],
  [`'-Infinity'::float4`, 'null'],
  [`0.1::float8`, '0.1'],
  [`1e300::float8`, '1e+300'],
  [`9223372036854775807::int8`, '9223372036854775807'],
  [`NULL::int4`, 'null'],
  [`true`, 'true'],
  [`false`, 'false'],
  [`NULL::boolean`, 'null'],
  [`'infinity'::timestamp`, 'null'],
  [`'-infinity'::date`, 'null'],
  [`NULL::date`, 'null'],
  [`'0044-03-15 BC'::date`, '"0044-03-15 BC"'],
  [`'2026-02-28 13:14:15.5'::timestamp`, '"2026-02-28 13:14:15.5"'],
  [`'2026-02-28 13:14:15+02'::timestamptz`, '"2026-02-28 11:14:15+00"'],
  [`'1 day 02:03:04'::interval`, '"1 day 02:03:04"'],
  [`'\\x00ff'::bytea`, '"\\\\x00ff"'],
  [`'{"a": 1}'::json`, '"{\\"a\\": 1}"'],
  [`ARRAY['x', NULL, 'y"z']`, '"{x,NULL,\\"y\\\\\\"z\\"}"'],
  [`'11111111-2222-3333-4444-555555555555'::uuid`, '"11111111-2222-3333-4444-555555555555"'],
];

describe.skipIf(!postgresqlPrograms())('rows that PostgreSQL writes as JSON', () => {
  let server: DatabaseServer;
  let database: Database;
  beforeAll(async () => {
    server = await startPostgresql();
    const { host, port, login, database: name, password } = server;
    const limits = { commandTimeout: 20, connectionTimeout: 5 };
    const address = { id: '1', displayName: 'Shop', platform: 'postgresql', host, login, database: name, ...limits };
    database = await postgresqlDriver.open({ ...address, host: `${host}:${port}`, params: '' }, password, anyFolder);
  }, 60_000);
  afterAll(async () => {
    await database?.close();
    await server?.stop();
  });

  const read = async (sql: string, ...texts: string[]): Promise<string[]> => {
    const bound = texts.map((text) => ({ type: 'text', text }) as const);
    const options = { signal: new AbortController().signal, timeoutMs: 20_000 };
    const batches: string[] = [];
    for await (const { json } of await database.readJson({ sql, values: bound }, options)) batches.push(String(json));
    return batches;
  };

  it.each(values)('%s is %s', async (sql, json) => {
    expect(await read(`SELECT ${sql} AS "value"`)).toEqual([`{"value":${json}}`]);
  });

  it('names columns as the query does, whatever stands in their names', async () => {
    const names = [`it's "quoted"`, 'back\\slash', 'percent % dollar $1 colon :', 'tab\tline\n', 'C0', 'result'];
    const sql = names.map((name, place) => `${place} AS "${name.replaceAll('"', '""')}"`).join(', ');
    const [json = ''] = await read(`SELECT ${sql}`);
    expect(JSON.parse(json)).toEqual(Object.fromEntries(names.map((name, place) => [name, place])));
  });

  it('holds more columns than a call has arguments, and binds values', async () => {
    const count = 230;
    const sql = Array.from({ length: count }, (_, place) => `${place} + $1::int AS "n${place}"`).join(', ');
    const [json = ''] = await read(`SELECT ${sql}`, '7');
    const expected = Array.from({ length: count }, (_, place) => [`n${place}`, place + 7]);
    expect(JSON.parse(json)).toEqual(Object.fromEntries(expected));
  });

  it('keeps the order of the rows, of which there are many', async () => {
    const batches = await read('SELECT n AS "n" FROM generate_series(1, 25000) AS n ORDER BY n % 7, n DESC');
    const rows = JSON.parse(`[${batches.join(',')}]`) as { n: number }[];
    const expected = Array.from({ length: 25_000 }, (_, index) => index + 1).sort((a, b) => (a % 7) - (b % 7) || b - a);
    expect(rows.map(({ n }) => n)).toEqual(expected);
  });

  it('says what is wrong with a query in the words of the database', async () => {
    await expect(read('SELECT missing FROM nowhere')).rejects.toThrow(/Shop refused the query: .*"nowhere"/);
  });
});
