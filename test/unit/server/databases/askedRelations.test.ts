import { describe, expect, it } from 'vitest';
import { clickhouseRelations } from '../../../../src/server/databases/clickhouse/relations.ts';
import {
  type Database,
  DatabaseError,
  type JsonRows,
  type QueryOptions,
} from '../../../../src/server/databases/database.ts';
import { mssqlRelations } from '../../../../src/server/databases/mssql/relations.ts';
import { mysqlRelations } from '../../../../src/server/databases/mysql/relations.ts';
import { oracleRelations } from '../../../../src/server/databases/oracle/relations.ts';
import { postgresqlRelations } from '../../../../src/server/databases/postgresql/relations.ts';
import { isSameData, sharedRows } from '../../../../src/server/databases/relations.ts';
import { trinoRelations } from '../../../../src/server/databases/trino/relations.ts';

/* What is made of the answers of a database, whose own tests are live: here each query is known by a table that it reads. */

const notNeeded = () => {
  throw new Error('Not needed here');
};
const options: QueryOptions = { signal: new AbortController().signal, timeoutMs: 5 };

type Answers = Readonly<Record<string, readonly object[] | Error>>;

/** A database that gives the rows of the one answer whose key stands in the query; it insists on {@link options}. */
function telling(answers: Answers): Database {
  const readJson: Database['readJson'] = ({ sql, values }, given) => {
    expect([values, given]).toEqual([[], options]);
    const [answer, ...others] = Object.keys(answers).filter((key) => sql.includes(key));
    if (answer === undefined || others.length > 0) throw new Error(`No answer to ${sql}`);
    const rows = answers[answer];
    if (rows instanceof Error) throw rows;
    async function* batches(): AsyncGenerator<JsonRows> {
      for (const row of rows as readonly object[]) yield { count: 1, json: JSON.stringify(row) };
    }
    return Promise.resolve(batches());
  };
  return { readJson, tables: notNeeded, columns: notNeeded, relations: notNeeded, close: notNeeded };
}

const opaque = (owner: string, name: string) => ({ owner, name, reads: [], isComplete: false });

describe('relations that SQL Server tells', () => {
  const synonym = { owner: 'dbo', name: 'n', target: 'sales', targetOwner: 'shop', elsewhere: null };
  const place = { guid: 'G', server: 'S', name: 'D', own: 'shop' };
  const answers = {
    'sys.views': [
      { owner: 'dbo', name: 'v', definition: 'SELECT id FROM Shop.sales.id' },
      { owner: 'dbo', name: 'hidden', definition: null },
    ],
    'sys.synonyms': [
      synonym,
      { ...synonym, targetOwner: null },
      { ...synonym, elsewhere: 'far' },
      { ...synonym, target: null },
    ],
    'sys.tables': [{ owner: 'dbo', name: 'external' }],
    'SELECT name FROM sys.schemas': [{ name: 'dbo' }, { name: 'SHOP' }],
    "IN ('U', 'V', 'SN')": [
      { owner: 'dbo', name: 'Sales' },
      { owner: 'SHOP', name: 'v' },
    ],
    'sys.databases': [place],
  };

  it('are views, synonyms and tables whose rows lie elsewhere', async () => {
    const { derived } = await mssqlRelations(telling(answers), options);
    const [view, hidden, ...rest] = derived;
    expect(view).toMatchObject({ owner: 'dbo', name: 'v', isComplete: true });
    expect(view?.reads).toContainEqual({ owner: '', name: 'sales' });
    expect(hidden).toEqual(opaque('dbo', 'hidden'));
    const target = { owner: 'shop', name: 'sales' };
    expect(rest).toEqual([
      { owner: 'dbo', name: 'n', reads: [target], isComplete: true },
      { owner: 'dbo', name: 'n', reads: [{ ...target, owner: '' }], isComplete: true },
      { owner: 'dbo', name: 'n', reads: [target], isComplete: false },
      opaque('dbo', 'n'),
      opaque('dbo', 'external'),
    ]);
  });

  it.each([
    ['sales', '', true],
    ['SALES', 'DBO', true],
    ['V', '', true],
    ['sales', 'shop', false],
    // All of these are `Sales` to a collation that does without accents and widths.
    ['\uff53\uff41\uff4c\uff45\uff53', 'dbo', false],
    ['sal\u00e9s', '', false],
    ['sales\u00ad', 'dbo', false],
  ])('are told by their exact names: %j in %j', async (name, owner, isComplete) => {
    const relations = await mssqlRelations(telling(answers), options);
    expect(sharedRows({ owner, name }, relations).isComplete).toBe(isComplete);
  });

  it.each([
    [[place], 'mssql:["G"]', ['shop', 'dbo']],
    [[{ ...place, guid: null, own: 'dbo' }], 'mssql:["S","D"]', ['dbo']],
    [[{ ...place, guid: null, server: null, own: null }], 'mssql:[null,"D"]', ['dbo']],
    [[], 'mssql:[null,null]', ['dbo']],
  ])('lie at %j: %s', async (told, identity, searchPath) => {
    const database = telling({ ...answers, 'sys.databases': told });
    expect(await mssqlRelations(database, options)).toMatchObject({ identity, searchPath });
  });
});

describe('relations that Oracle tells', () => {
  const edge = { owner: 'SHOP', name: 'V', readOwner: 'SHOP', readName: 'SALES', readType: 'TABLE', link: null };
  const place = { database: 'D', domain: 'example', container: 'C', own: 'SHOP' };
  const answers = {
    'FROM all_views': [
      { owner: 'SHOP', name: 'V' },
      { owner: 'SHOP', name: 'HIDDEN' },
    ],
    'FROM all_dependencies': [edge],
    'FROM all_synonyms': [{ ...edge, name: 'S', readName: 'V', readType: 'SYNONYM' }],
    'FROM all_mview_logs': [{ ...edge, name: 'MLOG$_SALES' }],
    'FROM all_external_tables': [{ owner: 'SHOP', name: 'FILES' }],
    'FROM dual': [place],
  };

  it('are views, synonyms, logs and tables whose rows lie elsewhere', async () => {
    const reading = (name: string, read: string) => ({
      owner: 'SHOP',
      name,
      reads: [{ owner: 'SHOP', name: read }],
      isComplete: true,
    });
    expect(await oracleRelations(telling(answers), options)).toMatchObject({
      identity: 'oracle:["D","example","C"]',
      searchPath: ['SHOP', 'PUBLIC'],
      derived: [
        reading('V', 'SALES'),
        opaque('SHOP', 'HIDDEN'),
        reading('S', 'V'),
        reading('MLOG$_SALES', 'SALES'),
        opaque('SHOP', 'FILES'),
      ],
    });
  });

  it.each([
    [[{ ...place, own: null }], 'oracle:["D","example","C"]'],
    [[], 'oracle:[null,null,null]'],
  ])('lie at %j: %s', async (told, identity) => {
    const found = await oracleRelations(telling({ ...answers, 'FROM dual': told }), options);
    expect(found).toMatchObject({ identity, searchPath: ['PUBLIC'] });
  });
});

describe('relations that PostgreSQL tells', () => {
  const longest = 'sales'.padEnd(63, '_');
  const answers = {
    'pg_catalog.pg_rewrite': [
      { owner: 'shop', name: 'v', isComplete: true, reads: '[{"owner":"shop","name":"sales"}]' },
      { owner: 'shop', name: 'f', isComplete: false, reads: '[]' },
    ],
    "relkind IN ('r'": [
      { owner: 'shop', name: 'v' },
      { owner: 'shop', name: 'f' },
      { owner: 'shop', name: longest },
    ],
    'current_schemas(true)': [{ database: '16384', path: '["pg_catalog","shop"]' }],
    'pg_control_system()': [{ cluster: '7000' }],
    'pg_postmaster_start_time()': [{ cluster: '2026-03-18' }],
  };

  it('are as it tells them', async () => {
    expect(await postgresqlRelations(telling(answers), options)).toMatchObject({
      identity: 'postgresql:7000:16384',
      searchPath: ['pg_catalog', 'shop'],
      derived: [
        { owner: 'shop', name: 'v', reads: [{ owner: 'shop', name: 'sales' }], isComplete: true },
        opaque('shop', 'f'),
      ],
    });
  });

  it('are told by their whole names: of a longer one it takes the first 63 bytes', async () => {
    const relations = await postgresqlRelations(telling(answers), options);
    const isComplete = (name: string) => sharedRows({ owner: '', name }, relations).isComplete;
    expect([longest, `${longest}x`, 'v', 'V'].map(isComplete)).toEqual([true, false, true, true]);
  });

  it('lie nowhere known when it tells no place', async () => {
    const database = telling({
      ...answers,
      'current_schemas(true)': [],
      'pg_control_system()': [],
      'pg_postmaster_start_time()': [],
    });
    expect(await postgresqlRelations(database, options)).toMatchObject({
      identity: 'postgresql:undefined:undefined',
      searchPath: [],
    });
  });

  it('lie where a server started at that moment, if its number is refused, and nowhere if it fails', async () => {
    const failing = (error: Error) => telling({ ...answers, 'pg_control_system()': error });
    const refused = failing(new DatabaseError('refused', 'not allowed'));
    const told = await postgresqlRelations(refused, options);
    expect(told.identity).toBe('postgresql:2026-03-18:16384');
    // It is the same to a login that is told the number.
    const allowed = await postgresqlRelations(telling(answers), options);
    expect(isSameData(told, allowed)).toBe(true);
    const elsewhere = telling({ ...answers, 'current_schemas(true)': [{ database: '2', path: '[]' }] });
    expect(isSameData(told, await postgresqlRelations(elsewhere, options))).toBe(false);
    for (const error of [
      new DatabaseError('failed', 'gone'),
      Object.assign(new Error('a defect'), { kind: 'refused' }),
    ]) {
      await expect(postgresqlRelations(failing(error), options)).rejects.toBe(error);
    }
  });
});

describe('relations that MySQL tells', () => {
  const place = { database: 'shop', host: 'h', port: '3306', folder: '/data/' };
  const answers = {
    'information_schema.views': [{ owner: 'shop', name: 'v', definition: 'select `s`.`sales`' }],
    'information_schema.tables': [{ owner: 'shop', name: 'federated' }],
    '@@hostname': [place],
  };

  it.each([
    [[place], 'mysql:["h","3306","/data/"]', ['shop']],
    [[{ ...place, database: null }], 'mysql:["h","3306","/data/"]', []],
    [[], 'mysql:[null,null,null]', []],
  ])('are views, and tables that others fill, at %j', async (told, identity, searchPath) => {
    expect(await mysqlRelations(telling({ ...answers, '@@hostname': told }), options)).toMatchObject({
      identity,
      searchPath,
      derived: [
        { owner: 'shop', name: 'v', reads: [{ owner: 's', name: 'sales' }], isComplete: true },
        opaque('shop', 'federated'),
      ],
    });
  });
});

describe('relations that ClickHouse tells', () => {
  const answers = {
    'system.tables': [
      { owner: 'shop', name: 'sales', engine: 'MergeTree', definition: 'CREATE TABLE shop.sales' },
      { owner: 'shop', name: 'far', engine: 'MySQL', definition: 'CREATE TABLE shop.far' },
    ],
    'system.databases': [{ host: 'h', folder: '/data/metadata/shop/', database: 'shop' }],
  };

  it.each([
    ['/data/metadata/other/', '/data/'],
    ['/data/store/6d1/6d1f-uuid/', '/data/'],
    ['/data/store/metadata/shop/', '/data/'],
    ['store/6d1/6d1f-uuid/', '/'],
  ])('lie in the same place for logins that see other databases: %s', async (folder, expected) => {
    const database = telling({ ...answers, 'system.databases': [{ host: 'h', folder, database: 'shop' }] });
    expect((await clickhouseRelations(database, options)).identity).toBe(`clickhouse:["h","${expected}"]`);
  });

  it.each([
    [answers['system.databases'], 'clickhouse:["h","/data/"]', ['shop']],
    [[], 'clickhouse:[null,null]', []],
  ])('are those that read others, at %j', async (told, identity, searchPath) => {
    const database = telling({ ...answers, 'system.databases': told });
    expect(await clickhouseRelations(database, options)).toMatchObject({
      identity,
      searchPath,
      derived: [opaque('shop', 'far')],
    });
  });

  it('are what views read of the tables that the login sees, in whatever case', async () => {
    const seeing = {
      owner: 'shop',
      name: 'seeing',
      engine: 'View',
      definition: 'CREATE VIEW shop.seeing AS SELECT id FROM shop.SALES, shop.Unseen',
    };
    const database = telling({ ...answers, 'system.tables': [...answers['system.tables'], seeing] });
    const { derived } = await clickhouseRelations(database, options);
    const found = derived.find(({ name }) => name === 'seeing')?.reads.map(({ name }) => name);
    expect(found).toEqual(['SALES']);
  });

  it('are tables that a materialised view fills, too', async () => {
    const filling = {
      owner: 'shop',
      name: 'filling',
      engine: 'MaterializedView',
      definition: 'CREATE MATERIALIZED VIEW shop.filling TO archive.`odd to` (id Int32) AS SELECT id FROM shop.sales',
    };
    const broken = { ...filling, definition: 'CREATE MATERIALIZED VIEW shop.filling TO archive' };
    const plain = {
      ...filling,
      engine: 'View',
      definition: 'CREATE VIEW shop.filling AS SELECT 1 AS TO FROM shop.sales',
    };
    const database = telling({ ...answers, 'system.tables': [filling, broken, plain] });
    const { derived } = await clickhouseRelations(database, options);
    expect(derived.filter(({ name }) => name !== 'filling')).toEqual([
      { owner: 'archive', name: 'odd to', reads: [{ owner: 'shop', name: 'filling' }], isComplete: true },
    ]);
    expect(derived).toHaveLength(4);
  });
});

describe('what a database itself keeps about all rows', () => {
  const readers = {
    mssql: mssqlRelations,
    oracle: oracleRelations,
    postgresql: postgresqlRelations,
    mysql: mysqlRelations,
    clickhouse: clickhouseRelations,
    trino: () => Promise.resolve(trinoRelations),
  };

  it.each<[keyof typeof readers, string[], string[]]>([
    ['mssql', ['sys.partitions', 'INFORMATION_SCHEMA.TABLES', 'dbo.sysindexes'], ['dbo.sales', 'dbo.systems']],
    [
      'oracle',
      ['SYS.HIST_HEAD$', 'SHOP.ALL_TAB_HISTOGRAMS', 'SHOP.USER_TABLES', 'PUBLIC.V$SQL', 'PUBLIC.GV_$SQL'],
      ['SYS.DUAL', 'SHOP.ALL_SALES', 'SHOP.V_SALES'],
    ],
    [
      'postgresql',
      ['pg_catalog.pg_stats', 'pg_toast.x', 'public.pg_stats', 'information_schema.tables'],
      ['public.sales', 'shop.pages'],
    ],
    [
      'mysql',
      ['mysql.column_stats', 'INFORMATION_SCHEMA.PROCESSLIST', 'performance_schema.x', 'sys.x'],
      ['shop.sys', 'system.sales'],
    ],
    ['clickhouse', ['system.query_log', 'INFORMATION_SCHEMA.tables'], ['shop.system', 'systems.sales']],
    ['trino', ['information_schema.tables'], ['shop.information_schema', 'my_information_schema.sales']],
  ])('%s: is told from tables', async (platform, kept, tables) => {
    const { catalog } = await readers[platform](telling({ '': [] }), options);
    expect(kept.filter((name) => !catalog.test(name))).toEqual([]);
    expect(tables.filter((name) => catalog.test(name))).toEqual([]);
  });
});
