import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database, DatabaseAddress, RowQuery } from '../../../../src/server/databases/database.ts';
import { Databases } from '../../../../src/server/databases/databases.ts';
import { sharedRows } from '../../../../src/server/databases/relations.ts';
import { trinoLiteral, withTrinoValues } from '../../../../src/server/databases/trino/values.ts';
import { startTrinoDouble, type TrinoDouble } from '../../../support/databases/trinoDouble.ts';
import { anyFolder } from '../../../support/databases/anyFolder.ts';

let double: TrinoDouble;
let databases: Databases;
beforeEach(async () => {
  double = await startTrinoDouble();
  databases = new Databases(anyFolder);
});
afterEach(async () => {
  await databases.close();
  await double.stop();
});

const addressOf = (more: Partial<DatabaseAddress> = {}): DatabaseAddress => ({
  ...{ id: '1', displayName: 'Lake', platform: 'trino', host: double.host, database: 'hive.shop', login: 'ann' },
  ...{ commandTimeout: 5, connectionTimeout: 5, params: '', ...more },
});
const open = (): Promise<Database> => databases.at(addressOf());
const query: RowQuery = { sql: 'SELECT x FROM t', values: [] };

async function read(database: Database, wanted = query, signal = new AbortController().signal): Promise<string[]> {
  const found: string[] = [];
  for await (const { json } of await database.readJson(wanted, { signal, timeoutMs: 5000 })) found.push(String(json));
  return found;
}

describe('Trino', () => {
  it('is read page by page, every digit as it was sent', async () => {
    const database = await open();
    const columns = [
      { name: 'id', type: 'bigint' },
      { name: 'price', type: 'decimal(38,2)' },
      { name: 'ratio', type: 'double' },
      { name: 'at', type: 'timestamp(6) with time zone' },
      { name: 'list', type: 'array(bigint)' },
      { name: 'bytes', type: 'varbinary' },
    ];
    double.pages = [
      { columns },
      {
        columns,
        data: '[[9007199254740993, "12345678901234567890.10", "NaN", "2026-03-01 10:30:00.120000 UTC", [1], "Aas="]]',
      },
      {},
      { columns, data: '[[null, null, 1.50E300, null, null, null], [-1, "-0.50", "Infinity", null, [], null]]' },
    ];
    expect(await read(database)).toEqual([
      '{"id":9007199254740993,"price":12345678901234567890.10,"ratio":null,"at":"2026-03-01 10:30:00.12Z","list":"[1]","bytes":"01AB"}',
      '{"id":null,"price":null,"ratio":1.5e+300,"at":null,"list":null,"bytes":null},' +
        '{"id":-1,"price":-0.50,"ratio":null,"at":null,"list":"[]","bytes":null}',
    ]);
    expect(double.headers).toMatchObject({
      'x-trino-user': 'ann',
      'x-trino-catalog': 'hive',
      'x-trino-schema': 'shop',
      'x-trino-time-zone': 'UTC',
    });
  });

  it.each([
    ['bigint', '9007199254740993'],
    ['bigint', '-9223372036854775808'],
    ['array(bigint)', '[9007199254740993]'],
    ['map(varchar,bigint)', '{"a":9007199254740993}'],
    ['row(n bigint)', '[9007199254740993]'],
  ])('gives every digit of a %s in any row of a page without others', async (type, sent) => {
    const database = await open();
    const columns = [
      { name: 'id', type: 'integer' },
      { name: 'x', type },
    ];
    double.pages = [{ columns, data: `[[1, null], [2, ${sent}], [3, null]]` }];
    const shown = type === 'bigint' ? sent : JSON.stringify(sent);
    expect(await read(database)).toEqual([`{"id":1,"x":null},{"id":2,"x":${shown}},{"id":3,"x":null}`]);
  });

  it.each([
    ['{"nodeVersion":{"version":"352"}}', 'Trino 352 is too old; the oldest accepted release is 368.'],
    ['{"nodeVersion":{"version":"368"}}', undefined],
    ['{"nodeVersion":{"version":"476-e.2"}}', undefined],
    ['{"nodeVersion":{"version":"dev"}}', undefined],
    ['<html>Not Found</html>', undefined],
  ])('is refused where it is older than what tests run on: %s', async (info, problem) => {
    double.info = info;
    if (problem === undefined) await open();
    else await expect(open()).rejects.toThrow(problem);
  });

  it('is asked for pages that are parsed in no time', async () => {
    double.pages = [{ columns: [{ name: 'x', type: 'integer' }], data: '[[1]]' }];
    expect(await read(await open())).toEqual(['{"x":1}']);
    expect(double.pageUrl).toBe('/v1/statement/executing/q/0?targetResultSize=1MB');
  });

  it('is asked again while it is busy', async () => {
    const database = await open();
    double.busy = 2;
    double.pages = [{ columns: [{ name: 'x', type: 'integer' }], data: '[[1]]' }];
    expect(await read(database)).toEqual(['{"x":1}']);
  });

  it('is asked again while it starts or its queue is full', async () => {
    double.refusals = ['SERVER_STARTING_UP'];
    const database = await open();
    double.refusals = ['QUERY_QUEUE_FULL', 'SERVER_STARTING_UP'];
    double.pages = [{ columns: [{ name: 'x', type: 'integer' }], data: '[[1]]' }];
    const before = double.queries.length;
    expect(await read(database)).toEqual(['{"x":1}']);
    expect(double.queries.length - before).toBe(3);
  });

  it('is read without a time limit of its own where the login may not set one', async () => {
    double.pages = [{ columns: [{ name: 'x', type: 'integer' }], data: '[[1]]' }];
    await read(await open());
    expect(double.session).toBe('query_max_run_time=5s');
    await databases.close();
    databases = new Databases(anyFolder);
    double.refusals = ['PERMISSION_DENIED'];
    expect(await read(await open())).toEqual(['{"x":1}']);
    expect(double.session).toBeUndefined();
    await databases.close();
    databases = new Databases(anyFolder);
    double.refusals = ['PERMISSION_DENIED', 'PERMISSION_DENIED'];
    await expect(open()).rejects.toThrow('Lake');
  });

  it('is asked again for a limited time', async () => {
    double.busy = Infinity;
    const impatient = () => databases.at(addressOf({ connectionTimeout: 1 }));
    await expect(impatient()).rejects.toThrow('it is too busy, or still starting; try again in a minute');
    double.busy = 0;
    double.refusals = Array.from({ length: 100 }, () => 'SERVER_STARTING_UP');
    await expect(impatient()).rejects.toThrow('it is still starting; try again in a minute');
    double.refusals = [];
    const database = await open();
    const asked = async (timeoutMs: number) => {
      const signal = new AbortController().signal;
      for await (const _ of await database.readJson(query, { signal, timeoutMs })) continue;
    };
    double.refusals = Array.from({ length: 100 }, () => 'QUERY_QUEUE_FULL');
    await expect(asked(20_000)).rejects.toThrow('Lake has too many queries already; run the report again later');
    expect(double.refusals.length).toBeGreaterThan(80);
  }, 30_000);

  it('gets values as literals of their type', async () => {
    const database = await open();
    const values = [
      { type: 'text', text: "it's ?2 '" },
      { type: 'number', text: '1' },
    ] as const;
    await read(database, { sql: `SELECT "?1", '?1', ?1, ?2, ?1 FROM t`, values });
    expect(double.queries.at(-1)).toBe(`SELECT "?1", '?1', 'it''s ?2 ''', INTEGER '1', 'it''s ?2 ''' FROM t`);
  });

  it('is told when nobody reads any further', async () => {
    const database = await open();
    const columns = [{ name: 'x', type: 'integer' }];
    double.pages = [{ columns, data: '[[1]]' }, Promise.withResolvers<never>().promise];
    const options = { signal: new AbortController().signal, timeoutMs: 5000 };
    for await (const { json } of await database.readJson(query, options)) {
      expect(json).toBe('{"x":1}');
      break;
    }
    await databases.close();
    expect(double.cancelled).toBe(1);
  });

  it('ends a query that takes too long, and one whose caller goes away', async () => {
    const database = await open();
    double.pages = [Promise.withResolvers<never>().promise];
    const signal = new AbortController().signal;
    await expect(database.readJson(query, { signal, timeoutMs: 50 })).rejects.toMatchObject({ kind: 'timeout' });
    const caller = new AbortController();
    const reading = database.readJson(query, { signal: caller.signal, timeoutMs: 5000 });
    caller.abort();
    await expect(reading).rejects.toMatchObject({ kind: 'cancelled' });
    await databases.close();
    expect(double.cancelled).toBeGreaterThan(0);
  });

  it.each([
    ['SYNTAX_ERROR', 'USER_ERROR', 'refused', "Lake refused the query: line 1:8: mismatched input 'x'"],
    ['TYPE_MISMATCH', 'USER_ERROR', 'otherTypes', "Lake refused the query: line 1:8: mismatched input 'x'"],
    ['TABLE_NOT_FOUND', 'USER_ERROR', 'refused', "Lake refused the query: line 1:8: mismatched input 'x'"],
    ['INVALID_CAST_ARGUMENT', 'USER_ERROR', 'failed', 'Lake could not compute the result (INVALID_CAST_ARGUMENT)'],
    ['NUMERIC_VALUE_OUT_OF_RANGE', 'USER_ERROR', 'failed', 'Lake computed a number that its type cannot hold'],
    ['QUERY_TEXT_TOO_LARGE', 'USER_ERROR', 'failed', 'Lake cannot read so long a query; use fewer values'],
    ['EXCEEDED_TIME_LIMIT', 'INSUFFICIENT_RESOURCES', 'timeout', 'Lake stopped the query after 5 s'],
  ])('says what %s means and nothing of the rows', async (errorName, errorType, kind, message) => {
    const database = await open();
    double.pages = [{ error: { errorName, errorType, message: "line 1:8: mismatched input 'x'\nsecret" } }];
    const error = await read(database).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind });
    expect(String(error)).toContain(message);
    expect(String(error)).not.toContain('secret');
  });

  it('is not sent a password that others could read', async () => {
    await expect(databases.at(addressOf(), () => 'geheim')).rejects.toThrow('set tls to verify or require');
    expect(double.queries).toEqual([]);
  });

  it('is no database where nothing listens', async () => {
    await double.stop();
    await expect(open()).rejects.toThrow(`Lake: cannot connect to ${double.host}: no server is listening there`);
  });

  it('may lead anywhere, so that tables without a policy of their own close', async () => {
    const database = await open();
    const relations = await database.relations({ signal: new AbortController().signal, timeoutMs: 5000 });
    expect(relations.identity).toBe('trino');
    for (const owner of ['', 'shop', 'hive.shop', 'information_schema'])
      expect(sharedRows({ owner, name: 'sales' }, relations).isComplete).toBe(false);
  });
});

describe('a literal of Trino', () => {
  it.each([
    ['number', '9007199254740993', "BIGINT '9007199254740993'"],
    ['number', '-12.50', "DECIMAL '-12.50'"],
    ['number', '1e2', "INTEGER '100'"],
    ['number', '1e200', "DOUBLE '1e+200'"],
    ['number', "1' OR '1'='1", undefined],
    ['text', '', "''"],
    ['text', 'a\0b', undefined],
    ['date', '2026-03-01', "DATE '2026-03-01'"],
    ['date', "2026-03-01' OR '1'='1", undefined],
    ['timestamp', '2026-03-01 10:30:00', "TIMESTAMP '2026-03-01 10:30:00.000000'"],
    ['timestamp', '2026-03-01T10:30:00.5', "TIMESTAMP '2026-03-01 10:30:00.500000'"],
    ['timestamp', '2026-03-01', "TIMESTAMP '2026-03-01 00:00:00.000000'"],
    ['timestamp', "x'", undefined],
  ] as const)('of a %s %s is %s', (type, text, literal) => {
    expect(trinoLiteral({ type, text })).toBe(literal);
  });

  it('that does not exist is refused without its text', () => {
    const values = [{ type: 'date', text: 'secret' }] as const;
    expect(() => withTrinoValues({ sql: 'SELECT ?1', values }, 'Lake')).toThrow('Lake cannot hold the value 1');
  });
});
