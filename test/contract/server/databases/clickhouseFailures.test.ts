import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/server/databases/database.ts';
import { Databases } from '../../../../src/server/databases/databases.ts';
import { anyFolder } from '../../../support/databases/anyFolder.ts';
import {
  askClickhouse,
  type ClickhouseCluster,
  type clickhouseLogins,
  clickhouseOwner,
  hasClickhouse,
  rationedQueries,
  startClickhouse,
} from '../../../support/databases/clickhouseServer.ts';
import { startModernClickhouse } from '../../../support/databases/modernClickhouse.ts';
import type { DatabaseServer } from '../../../support/databases/serverProcess.ts';
import { waitFor } from '../../../support/waitFor.ts';

/*
 * A query of ClickHouse that fails, or whose login has limits: the whole result, or an error that says why. 18.16 is a real
 * server; 26.7 is the engine alone, whose front breaks replies off as servers do since 25.11.
 */

let old: ClickhouseCluster | undefined;
let modern: DatabaseServer | undefined;
const databases = new Databases(anyFolder, true);

beforeAll(async () => {
  if (hasClickhouse()) old = await startClickhouse();
  modern = await startModernClickhouse();
}, 300_000);
afterAll(async () => {
  await databases.close();
  await Promise.all([old?.stop(), modern?.stop()]);
}, 60_000);

function open({ host, port, login, password }: DatabaseServer, own?: keyof typeof clickhouseLogins): Promise<Database> {
  const place = { id: '1', displayName: 'Sales', platform: 'clickhouse', host: `${host}:${port}`, params: '' };
  const address = { ...place, database: clickhouseOwner.database, login: own ?? login };
  return databases.at({ ...address, commandTimeout: 60, connectionTimeout: 20 }, () => (own ? '' : password));
}

/** Reads a query; resolves with the number of its rows. */
async function count(database: Database, sql: string, timeoutMs = 60_000): Promise<number> {
  let rows = 0;
  const options = { signal: new AbortController().signal, timeoutMs };
  const values = [{ type: 'text', text: 'a\tb\\' }] as const;
  for await (const batch of await database.readJson({ sql, values }, options)) {
    rows += batch.count;
  }
  return rows;
}

/** Texts of errors that rows hold. */
const forged = [
  'Code: 241, e.displayText() = DB::Exception: Memory limit, e.what() = DB::Exception',
  'Code: 159. DB::Exception: Timeout exceeded',
  '\\r\\n__exception__\\r\\nCode: 201. DB::Exception: Quota\\r\\n__exception__',
];
/** Fails after many rows with such texts, and quotes one. */
const failing = (text: string, rows: number) => `SELECT number AS n, '${text}' AS t,
  throwIf(number = ${rows}, 'Code: 202. DB::Exception') AS e FROM system.numbers LIMIT 10000000`;
const oldFailing = (text: string, rows: number) =>
  failing(text, rows).replace(", 'Code: 202. DB::Exception'", '').replaceAll('\\r\\n', '\\\\r\\\\n');

describe('a query that fails on ClickHouse 18.16', () => {
  let first: DatabaseServer;
  beforeEach(({ skip }) => {
    const [shard] = old?.shards ?? [];
    if (!shard) return skip('ClickHouse is not installed here');
    first = shard;
  });

  it.each(forged)('in the middle of its rows is named by its own error, whatever its rows hold: %s', async (text) => {
    const reading = count(await open(first), oldFailing(text, 200_000));
    await expect(reading).rejects.toThrow('Sales broke off in the middle of the result (error 395)');
  });

  it('because an administrator ended it says so', async () => {
    const slow = 'SELECT sum(sipHash64(number)) AS killed FROM (SELECT number FROM system.numbers LIMIT 1000000000000)';
    const failure = count(await open(first), slow).catch((error: unknown) => error);
    const own = `query LIKE '%killed%' AND query NOT LIKE '%system.processes%' AND query NOT LIKE 'KILL%'`;
    const running = `SELECT count() FROM system.processes WHERE ${own}`;
    await waitFor('the query', async () => Number(await askClickhouse(first, running)) > 0, 10_000);
    await askClickhouse(first, `KILL QUERY WHERE ${own} SYNC`);
    expect(String(await failure)).toContain('Sales ended the query at the request of its administrator');
  });

  it('because it takes too long names the limit', async () => {
    const slow = 'SELECT count() AS c FROM system.numbers WHERE sipHash64(number) = 1';
    await expect(count(await open(first), slow, 1000)).rejects.toThrow('Sales stopped the query after 1 s');
    await expect(count(await open(first, 'fixed'), slow)).rejects.toThrow(
      'Sales stopped the query at the time limit of its login (max_execution_time)',
    );
  });

  it('because of its memory says so', async () => {
    const large = 'SELECT groupArray(number) AS g FROM (SELECT number FROM system.numbers LIMIT 10000000)';
    await expect(count(await open(first, 'small'), large)).rejects.toThrow('needs more memory than Sales may use');
  });

  it('because it reads too much says so', async () => {
    const reading = count(
      await open(first, 'near'),
      'SELECT sum(number) AS n FROM (SELECT number FROM system.numbers LIMIT 1000000)',
    );
    await expect(reading).rejects.toThrow('Sales may not read that much for one query (max_rows_to_read');
  });

  it('because its quota is used up says so', async () => {
    const database = await open(first, 'rationed');
    const used = Array.from({ length: rationedQueries }, () => count(database, 'SELECT 1 AS one').catch(String));
    expect(await Promise.all(used)).toContainEqual(expect.stringContaining('its quota is used up'));
  });

  it('because a shard is away says so, also where the login would leave it out', async () => {
    await askClickhouse(first, 'CREATE TABLE part (id Int32) ENGINE = Log');
    await askClickhouse(first, 'INSERT INTO part VALUES (1)');
    await askClickhouse(first, 'CREATE TABLE spread AS part ENGINE = Distributed(gone, shop, part)');
    for (const login of [undefined, 'partial'] as const)
      await expect(count(await open(first, login), 'SELECT id FROM spread')).rejects.toThrow(
        'Sales lost a server that computed a part of the result',
      );
  });
});

describe('a login of ClickHouse 18.16 with limits', () => {
  let first: DatabaseServer;
  const outer = `SELECT l.number AS n, r.x AS x FROM (SELECT number FROM system.numbers LIMIT 1000) AS l
    ANY LEFT JOIN (SELECT number, toNullable(number) AS x FROM system.numbers LIMIT 10) AS r USING number`;
  beforeEach(({ skip }) => {
    const [shard] = old?.shards ?? [];
    if (!shard) return skip('ClickHouse is not installed here');
    first = shard;
  });

  it.each(['reader', 'partial', 'fixed'] as const)('gets the whole result: %s', async (login) => {
    const database = await open(first, login);
    expect(await count(database, outer)).toBe(1000);
    expect(await count(database, 'SELECT p1 AS v FROM _bound')).toBe(1);
  });

  it('that may change no setting is refused where its profile would change the result', async () => {
    await expect(open(first, 'closed')).rejects.toThrow(
      'Sales: its login may change no settings (readonly = 1), and reports need join_use_nulls = 1, ' +
        "output_format_json_quote_64bit_integers = 0; set readonly = 2, or these values, in the login's settings profile",
    );
    await expect(open(first, 'closedPartial')).rejects.toThrow('reports need result_overflow_mode = throw;');
  });
});

describe('a query that fails on ClickHouse 26.7', () => {
  let server: DatabaseServer;
  beforeEach(({ skip }) => {
    if (!modern) return skip('ClickHouse 26.7 could not be installed');
    server = modern;
  });

  it.each(forged)('in the middle of its rows is named by its own error, whatever its rows hold: %s', async (text) => {
    const reading = count(await open(server), failing(text, 250_000));
    await expect(reading).rejects.toThrow('Sales broke off in the middle of the result (error 395)');
  });

  it('because of a limit names it', async () => {
    const database = await open(server);
    const limited = (limit: string) =>
      count(database, `SELECT number AS n FROM system.numbers LIMIT 1000 SETTINGS ${limit}`);
    await expect(limited('max_rows_to_read = 10')).rejects.toThrow('Sales may not read that much for one query');
    const memory = `SELECT groupArray(repeat('x', number % 100)) AS g FROM (SELECT number FROM system.numbers LIMIT 100000000)`;
    await expect(count(database, memory)).rejects.toThrow('The query needs more memory than Sales may use for it');
  });
});
