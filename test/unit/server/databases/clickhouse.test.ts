import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { describe, expect, it } from 'vitest';
import { BrokenReply } from '../../../../src/server/databases/clickhouse/failures.ts';
import { ClickhouseRows } from '../../../../src/server/databases/clickhouse/json.ts';
import { ReplyBody, ReplyLines } from '../../../../src/server/databases/clickhouse/reply.ts';
import { derivedFrom } from '../../../../src/server/databases/clickhouse/relations.ts';

const meta = ['id', 'a"b', 'list'].map((name) => ({ name, type: 'String' }));
const head = `{\n\t"meta":\n\t${JSON.stringify(meta)},\n\n\t"data":\n\t[\n`;
const tailOf = (rows: number, more = '') => `\n\t],\n\n\t"rows": ${rows}${more}\n}\n`;
const tail = tailOf(2);

/** Reads a reply that comes in pieces of `size` bytes. @returns all its rows and their number, if it has any. */
async function read(text: string | Buffer, size = 7, tag?: string): Promise<unknown[]> {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const rows = await ClickhouseRows.open(new ReplyLines(chunks()), tag);
  const found: string[] = [];
  let count = 0;
  // As reports are read: the next rows are requested before these are sent.
  let ahead = rows.next();
  for (let batch = await ahead; batch; batch = await ahead) {
    ahead = rows.next();
    await ahead.catch(() => undefined);
    found.push(String(batch.json));
    count += batch.count;
  }
  return count > 0 ? [`[${found.join(',')}]`, count] : [];
}

describe('a reply of ClickHouse', () => {
  it('keeps every digit and character', async () => {
    const rows = '\t\t[9007199254740993, "it\'s \\"],[ \\u0000 日本", [1,["]"]]],\n\t\t[-1.50e300, null, []]';
    expect(await read(head + rows + tail, 3)).toEqual([
      '[{"id":9007199254740993,"a\\"b":"it\'s \\"],[ \\u0000 日本","list":"[1,[\\"]\\"]]"},' +
        '{"id":-1.50e300,"a\\"b":null,"list":"[]"}]',
      2,
    ]);
  });

  it.each([1, 7, 1000, 1_000_000])('has all its rows, in order, in pieces of %i bytes', async (size) => {
    const texts = ['', 'a', '\\"],', '[{', '日本', 'x'.repeat(3000)];
    const rows = Array.from({ length: 500 }, (_, row) => [row, texts[row % 6], [[texts[(row + 1) % 6]]]]);
    const lines = rows.map((row) => `\t\t[${row.map((value) => JSON.stringify(value)).join(', ')}]`);
    const [json, count] = await read(head + lines.join(',\n') + tailOf(500), size);
    expect(count).toBe(500);
    const expected = rows.map(([id, text, list]) => ({ id, 'a"b': text, list: JSON.stringify(list) }));
    expect(JSON.parse(String(json))).toEqual(expected);
  });

  it('shows no zero bytes that fill a text, and all that are in it', async () => {
    const types = ['FixedString(8)', 'LowCardinality(Nullable(FixedString(8)))', 'String'];
    const columns = JSON.stringify(types.map((type, index) => ({ name: `c${index}`, type })));
    const of = (...values: string[]) =>
      read(`{\n\t"meta":\n\t${columns},\n\n\t"data":\n\t[\n\t\t[${values.join(', ')}]${tailOf(1)}`);
    const filled = String.raw`"a\u0000b\u0000\u0000"`;
    expect(await of(filled, filled, filled)).toEqual([
      String.raw`[{"c0":"a\u0000b","c1":"a\u0000b","c2":"a\u0000b\u0000\u0000"}]`,
      1,
    ]);
    // The text of an escape.
    const spelled = String.raw`"\\u0000"`;
    expect(await of(spelled, 'null', '[]')).toEqual([String.raw`[{"c0":"\\u0000","c1":null,"c2":"[]"}]`, 1]);
  });

  it('replaces bytes that are no text', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${head}\t\t[1, "a`),
      Buffer.from([0xff]),
      Buffer.from(`b", []]${tailOf(1)}`),
    ]);
    expect(await read(bytes)).toEqual(['[{"id":1,"a\\"b":"a\ufffdb","list":"[]"}]', 1]);
  });

  it.each(['nan', '[1', '1 2', '"a\tb"', '{"a":"}', 'nulls', ''])('is no result with the value %j', async (value) => {
    await expect(read(`${head}\t\t[1, ${value}, []]${tailOf(1)}`)).rejects.toBeInstanceOf(BrokenReply);
  });

  it('may have no rows', async () => {
    expect(await read(head + tailOf(0))).toEqual([]);
  });

  it.each([
    ['behind a row', '\t\t[1, "", []]Code: 395, e.displayText() = DB::Exception', '395'],
    ['within a row', '\t\t[1, "', ''],
    ['without a word', '\t\t[1, "", []],\n', ''],
    ['with a row that is too short', `\t\t[1, ""]${tail}`, ''],
    ['with fewer rows than it counts', `\t\t[1, "", []]${tail}`, ''],
    ['without an end', `\t\t[1, "", []]\n\t],\n\n\t"rows": 1`, ''],
    [
      'with an exception in its JSON',
      `\t\t[1, "", []]${tailOf(1, ',\n\n\t"exception": "Code: 395. DB::Exception: no"')}`,
      '395',
    ],
    [
      'with an exception after its rows',
      '\t\t[1, "", []]\r\n__exception__\r\nabcdefgh\r\nCode: 159. DB::Exception: Timeout\n24 abcdefgh\r\n__exception__\r\n',
      '159',
    ],
  ])('is no result when it breaks off %s', async (_name, rest, number) => {
    const error = await read(head + rest).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(BrokenReply);
    expect(error).toMatchObject({ number });
  });

  it.each([
    ['before its rows', '', 'Code: 241. DB::Exception: no', '241'],
    ['before its rows, behind a mark', '', '\r\n__exception__\r\nCode: 241. DB::Exception: no', '241'],
    ['in the middle of a row', head, '\t\t[1, "a", Code: 241. DB::Exception: no', '241'],
    ['behind its rows', `${head}\t\t[1, "", []]\n\t],\n\n`, '\t"rows": 1Code: 241. DB::Exception: no', '241'],
    ['behind a mark of 2024', head, '\t\t[1, "", []]\r\n__exception__\r\nCode: 241. DB::Exception: no', '241'],
    ['in a text of a row', head, '\t\t[1, "Code: 159. DB::Exception: x', ''],
    ['in a text of a row, before a line break', head, '\t\t[1, "\nCode: 159. DB::Exception: x', ''],
    [
      'behind a row with the text of one',
      head,
      '\t\t[1, "Code: 159. DB::Exception: x", []]Code: 241, e.displayText() =',
      '241',
    ],
    [
      'that quotes another',
      head,
      '\t\t[1, "", []]Code: 241. DB::Exception: \n__exception__\nCode: 159. DB::Exception',
      '241',
    ],
    ['without a number', head, '\t\t[1, "", []]Poco::Exception. Code: 1000, e.code() = 104', ''],
  ])('names its error %s', async (_name, before, rest, number) => {
    await expect(read(`${before}${rest}`)).rejects.toMatchObject({ number });
  });

  it('names the error with the tag of its header alone', async () => {
    const block = (tag: string, number: number) =>
      `\r\n__exception__\r\n${tag}\r\nCode: ${number}. DB::Exception: no\n`;
    const reading = (rest: string) => read(`${head}\t\t[1, "${rest}`, 7, 'abcdefghijklmnop');
    await expect(reading(block('abcdefghijklmnop', 241))).rejects.toMatchObject({ number: '241' });
    await expect(reading(block('zzzzzzzzzzzzzzzz', 159))).rejects.toMatchObject({ number: '' });
    const both = block('zzzzzzzzzzzzzzzz', 159) + block('abcdefghijklmnop', 241) + block('abcdefghijklmnop', 159);
    await expect(reading(both)).rejects.toMatchObject({ number: '241' });
  });

  it('is no result when it breaks off before its rows', async () => {
    await expect(read('{\n\t"meta":')).rejects.toBeInstanceOf(BrokenReply);
  });
});

describe('a connection of ClickHouse that breaks', () => {
  const reason = '\r\n__exception__\r\nabcdefghijklmnop\r\nCode: 241. DB::Exception: no\n';
  const row = '\t\t[1, "", []]';
  const rows = Array.from({ length: 5000 }, () => row).join(',\n');

  /** Reads a reply whose connection ends without its end, when it is certainly there. */
  async function readLate(text: string): Promise<unknown> {
    const server = createServer((_request, response) => {
      response.writeHead(200).write(text, () => response.socket?.end());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const body = new ReplyBody();
    const ended = pool.stream({ path: '/', method: 'GET' }, () => body).catch((error: unknown) => error);
    try {
      const found = await ClickhouseRows.open(new ReplyLines(body), 'abcdefghijklmnop');
      for (let batch = await found.next(); batch; batch = await found.next()) {
        // The end of the connection is known before the rows are read.
        await new Promise((resolve) => setImmediate(resolve));
      }
      return undefined;
    } catch (error) {
      return error;
    } finally {
      await ended;
      await pool.destroy();
      server.close();
    }
  }

  it('says why, however late its reader is', async () => {
    expect(await readLate(head + rows + reason)).toMatchObject({ number: '241' });
    expect(await readLate(head + row + reason)).toMatchObject({ number: '241' });
  });

  it('is lost where it does not say why', async () => {
    for (const text of [head + rows, `${head}${rows},`, head, `${head}\t\t[1, "Code: 241. DB::Exception: `]) {
      const error = await readLate(text);
      expect(error).not.toBeInstanceOf(BrokenReply);
      expect(error).toMatchObject({ code: 'UND_ERR_SOCKET' });
    }
  });
});

describe('a table of ClickHouse', () => {
  const table = { owner: 'shop', name: 'v' };
  const visible = new Set(['v', 'sales', 'places', 'a`b', 'a b', "c'd", 'two words']);
  const derived = (engine: string, definition = '', name = 'v') =>
    derivedFrom({ owner: 'shop', name }, engine, definition, visible);

  it('has rows of its own, or names what it reads', () => {
    expect(derived('ReplacingMergeTree')).toBeUndefined();
    const speaking = "CREATE TABLE shop.v (id Int32) ENGINE = MergeTree ORDER BY id COMMENT 'select id from sales'";
    expect(derived('MergeTree', speaking)).toBeUndefined();
    const view = derived('View', "CREATE VIEW shop.v AS SELECT `a\\`b` FROM other.sales WHERE x = 'places'");
    expect(view).toMatchObject({ ...table, isComplete: true });
    expect(view?.reads.map(({ name }) => name)).toEqual(expect.arrayContaining(['sales', 'a`b', 'places']));
    expect(view?.reads.map(({ name }) => name)).not.toContain('v');
  });

  it('names what it reads in any quotes, in any database', () => {
    const { reads } = derived('View', `SELECT "a b", 'c\\'d' FROM "other db"."two words"`) ?? {};
    const names = ['a b', "c'd", 'two words'];
    expect(reads).toEqual(names.map((name) => ({ owner: '', name })));
  });

  it('reads a table of its own name in another database', () => {
    const ownNames = (definition: string) => derived('View', definition)?.reads.filter(({ name }) => name === 'v');
    expect(ownNames('CREATE VIEW shop.v AS SELECT id FROM archive.v')).toEqual([{ owner: '', name: 'v' }]);
    expect(ownNames('CREATE VIEW shop.v AS SELECT id FROM archive.w')).toEqual([]);
  });

  it.each([
    ['View', 'CREATE VIEW shop.v AS SELECT query FROM system.processes'],
    ['View', 'CREATE VIEW shop.v AS SELECT * FROM INFORMATION_SCHEMA.tables'],
    ['Distributed', "CREATE TABLE shop.v (query String) ENGINE = Distributed('two', 'system', 'query_log')"],
    ['Buffer', 'CREATE TABLE shop.v (query String) ENGINE = Buffer(system, query_log, 1, 1, 1, 1, 1, 1, 1)'],
  ])('of engine %s reads what the database itself keeps: %s', (engine, definition) => {
    expect(derived(engine, definition)?.isComplete).toBe(false);
  });

  it.each(['ALIAS', 'DEFAULT', 'MATERIALIZED'])('with a column that is computed (%s) reads what that names', (kind) => {
    const table = (expression: string) =>
      derived(
        'MergeTree',
        `CREATE TABLE shop.v (id Int32, x String ${kind} ${expression}) ENGINE = MergeTree ORDER BY id`,
      );
    const found = table('(SELECT max(tenant) FROM sales)');
    expect(found).toMatchObject({ isComplete: true });
    expect(found?.reads).toContainEqual({ owner: '', name: 'sales' });
    expect(table("joinGet('joined', 'tenant', id)")?.isComplete).toBe(false);
  });

  it.each(['x * 2', "if(x > 1, 'a', 'b')", "concat('sales', y)", 'today()'])(
    'computes %s from its own row',
    (expression) => {
      const table = (kind: string) =>
        `CREATE TABLE shop.v (sales Int32, y String ${kind} ${expression}) ENGINE = MergeTree`;
      for (const kind of ['ALIAS', 'DEFAULT', 'MATERIALIZED'])
        expect(derived('MergeTree', table(kind))).toBeUndefined();
    },
  );

  it.each([
    'id IN sales',
    'in(id, sales)',
    'id GLOBAL NOT IN (Select id FROM shop.sales)',
    'nullInIgnoreSet(id, sales)',
  ])('computes %s from another table', (expression) => {
    const definition = `CREATE TABLE shop.v (id Int32, y String ALIAS ${expression}) ENGINE = Log`;
    expect(derived('Log', definition)?.reads).toEqual([{ owner: '', name: 'sales' }]);
  });

  it('may read what the login does not see where it reads with other rights', () => {
    const unseen = (before: string, engine = 'View') =>
      derived(engine, `CREATE VIEW shop.v ${before} AS SELECT id FROM raw.unseen`)?.reads.some(
        ({ name }) => name === 'unseen',
      );
    expect(unseen('')).toBe(false);
    expect(unseen('DEFINER = boss SQL SECURITY DEFINER')).toBe(true);
    expect(unseen('SQL SECURITY NONE')).toBe(true);
    expect(unseen('', 'MaterializedView')).toBe(true);
    expect(unseen('', 'Buffer')).toBe(true);
  });

  it.each([
    ['Distributed(two, shop, `un seen`, rand())', ['un seen']],
    [`Distributed('two', 'shop', 'unseen')`, ['unseen']],
  ])('of another server is the one that it names: %s', (engine, expected) => {
    const { reads } = derived('Distributed', `CREATE TABLE shop.v (sales Int32) ENGINE = ${engine}`) ?? {};
    expect(reads?.map(({ name }) => name)).toEqual(expected);
  });

  it.each([
    'CREATE TABLE shop.v (id Int32 ALIAS (SELECT 1 FROM unseen)) ENGINE = Distributed(two, shop, places)',
    "CREATE TABLE shop.v (id Int32 COMMENT 'ENGINE = Distributed(two, shop, places)') ENGINE = Distributed(two, '', unseen)",
    'CREATE TABLE shop.v (id Int32) ENGINE = Distributed(two, database(), unseen)',
  ])('of another server that cannot be told may be any: %s', (definition) => {
    expect(derived('Distributed', definition)?.reads).toContainEqual({ owner: '', name: 'unseen' });
  });

  it('of another server is known however its definition is spaced', () => {
    const definition = 'CREATE TABLE shop.v (sales Int32) ENGINE=Distributed(two, shop, unseen)';
    expect(derived('Distributed', definition)?.reads).toEqual([{ owner: '', name: 'unseen' }]);
  });

  it('is open with a column of the name that the catalog has', () => {
    expect(derived('View', 'CREATE VIEW shop.v AS SELECT id, system FROM shop.t')?.isComplete).toBe(true);
  });

  it('is the hidden one of a materialised view by the beginning of its name only', () => {
    expect(derived('MergeTree', '', 'my.inner')).toBeUndefined();
    expect(derived('MergeTree', '', '.inner.kept')).toEqual({
      owner: 'shop',
      name: '.inner.kept',
      reads: [],
      isComplete: false,
    });
  });

  it('of an engine that reads elsewhere is not read for names', () => {
    const table = { owner: 'shop', name: 'v', reads: [], isComplete: false };
    expect(derived('MySQL', 'CREATE TABLE shop.v (id Int32) ENGINE = Unknown')).toEqual(table);
  });

  const own = [
    'MergeTree',
    'SharedMergeTree',
    'Log',
    'TinyLog',
    'StripeLog',
    'Memory',
    'Set',
    'Join',
    'EmbeddedRocksDB',
  ];
  it.each(own)('of engine %s has rows of its own', (engine) => {
    expect(derived(engine)).toBeUndefined();
  });

  it.each(['MergeTreeOf', 'MyLog', 'LogOf', 'MyMemory', 'MemoryOf', 'Merge', 'Dictionary'])(
    'of engine %s reads what cannot be seen',
    (engine) => {
      expect(derived(engine, 'CREATE TABLE shop.v (id Int32)')).toMatchObject({ reads: [], isComplete: false });
    },
  );

  it.each(['View', 'MaterializedView', 'Distributed', 'Buffer'])('of engine %s names what it reads', (engine) => {
    expect(derived(engine, 'sales')).toEqual({ ...table, reads: [{ owner: '', name: 'sales' }], isComplete: true });
  });

  it.each([
    ...[
      'remote',
      'anyremote',
      'remoteSecure',
      'cluster',
      'clusterAllReplicas',
      'merge',
      'MERGE ',
      'mysql',
      'postgresql',
    ],
    ...[
      'odbc',
      'jdbc',
      'mongodb',
      'redis',
      'sqlite',
      'url',
      'urlCluster',
      'file',
      'fileCluster',
      's3',
      's3Cluster',
      'gcs',
    ],
    ...[
      'azure',
      'azureBlobStorage',
      'hdfs',
      'hdfsCluster',
      'delta',
      'deltaLake',
      'iceberg',
      'icebergS3',
      'hudi',
      'hudiAny',
    ],
    ...['executable', 'dictionary', 'dictHas', 'joinGet', 'joinGetOrNull', 'view', 'viewIfPermitted', 'loop', 'input'],
    'mergeTreeIndex',
  ])('reads what cannot be seen by %s()', (call) => {
    expect(derived('View', `SELECT * FROM ${call}(1)`)?.isComplete).toBe(false);
    expect(derived('View', `SELECT * FROM ${call}`)?.isComplete).toBe(true);
  });

  it.each([
    ['an engine that reads elsewhere', 'MySQL', '', 'v'],
    ['a function that reads tables', 'View', "SELECT * FROM merge('shop', '^s')", 'v'],
    ['a dictionary', 'View', "SELECT dictGet('d', 'x', 1)", 'v'],
    ['a hidden definition', 'View', '', 'v'],
    ['the hidden table of a materialised view', 'MergeTree', '', '.inner.kept'],
  ])('reads what cannot be seen: %s', (_name, engine, definition, name) => {
    expect(derived(engine, definition, name)?.isComplete).toBe(false);
  });
});
