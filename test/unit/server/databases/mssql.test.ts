import { describe, expect, it } from 'vitest';
import { mssqlColumn } from '../../../../src/server/databases/mssql/json.ts';
import { readsOfMssqlView } from '../../../../src/server/databases/mssql/relations.ts';
import { plainNumber } from '../../../../src/server/databases/plainNumber.ts';

describe('a column of SQL Server', () => {
  const written = (type: string, value: unknown) => mssqlColumn('c', type, 'Shop').write(value);

  it.each([
    ['decimal(38,10)', 'nvarchar(60)', '-0.5000000000', '-0.5000000000'],
    ['bigint', 'bigint', '9007199254740993', '9007199254740993'],
    ['float', 'float', 0.30000000000000004, '0.30000000000000004'],
    ['money', 'money', -12.5, '-12.5'],
    ['bit', 'bit', true, 'true'],
    ['date', 'nvarchar(60)', '2026-03-01', '"2026-03-01"'],
    ['datetime2(7)', 'nvarchar(60)', '2026-03-01 10:30:00.1234560', '"2026-03-01 10:30:00.123456"'],
    ['datetimeoffset(7)', 'nvarchar(60)', '2026-03-01 10:30:00.0000000 +02:00', '"2026-03-01 10:30:00 +02:00"'],
    ['datetime', 'datetime2(3)', new Date('2026-03-01T10:30:00.030Z'), '"2026-03-01 10:30:00.03"'],
    ['smalldatetime', 'datetime2(3)', new Date('2026-03-01T10:30:00Z'), '"2026-03-01 10:30:00"'],
    ['varchar(20)', 'nvarchar(max)', 'it\'s "日本"', '"it\'s \\"日本\\""'],
    ['varbinary(max)', 'varbinary(max)', Buffer.from([1, 171]), '"01AB"'],
    ['xml', 'xml', '<a/>', '"<a/>"'],
  ])('of type %s is asked for as %s and keeps every digit', (type, sentAs, value, json) => {
    expect(mssqlColumn('c', type, 'Shop').sentAs).toBe(sentAs);
    expect(written(type, value)).toBe(json);
  });

  it('is refused where the driver has rounded its money', () => {
    expect(() => written('money', 922_337_203_685_477.5)).toThrow('Shop: column "c" holds money too large');
  });
});

describe('a number without an exponent', () => {
  it.each([
    ['12.50', '12.50'],
    ['1e2', '100'],
    ['-1.25E1', '-12.5'],
    ['1.5e-3', '0.0015'],
    ['12e-2', '0.12'],
    ['0.5e1', '5'],
    ['-7e0', '-7'],
  ])('is %s written as %s', (text, plain) => {
    expect(plainNumber(text)).toBe(plain);
    expect(Number(plainNumber(text))).toBe(Number(text));
  });
});

describe('a view of SQL Server', () => {
  const owners = new Set(['dbo', 'other schema']);
  const derived = (definition: string) => readsOfMssqlView({ owner: 'dbo', name: 'v' }, definition, owners);

  it('may read whatever is named behind its own name, and nothing else', () => {
    const { reads } = derived('CREATE OR ALTER VIEW dbo.v AS SELECT id FROM sales');
    expect(reads).toEqual(['AS', 'SELECT', 'id', 'FROM', 'sales'].map((name) => ({ owner: '', name })));
  });

  it('names what it reads, in any form', () => {
    const view = derived(
      `CREATE VIEW dbo.v AS SELECT s.id, UPPER(s.[no]]te]) AS n FROM [other schema] . sales AS s -- not.this(
      /* nor.that( */ JOIN "pla""ces" AS p ON p.name <> 'o''neil.fn(' WHERE dbo.sales.id IN (1, 2)`,
    );
    expect(view).toMatchObject({ owner: 'dbo', name: 'v', isComplete: true });
    const names = view.reads.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['sales', 'no]te', 'pla"ces', 'other schema']));
    expect(names).not.toContain('v');
    expect(names).not.toContain('CREATE');
    expect(names).not.toContain('not');
    expect(view.reads.every(({ owner }) => owner === '')).toBe(true);
  });

  it.each([
    'CREATE VIEW dbo.v AS SELECT id FROM sales.v',
    'create or alter view[v]as SELECT id FROM "V".v',
    '-- dbo.v\nCREATE /* a */ VIEW v AS SELECT id FROM v',
  ])('reads a table of its own name in another schema: %s', (definition) => {
    const { reads, isComplete } = readsOfMssqlView({ owner: 'dbo', name: 'v' }, definition, new Set(['sales', 'v']));
    expect([reads, isComplete]).toEqual([expect.arrayContaining([{ owner: '', name: 'v' }]), true]);
  });

  it.each([
    `SELECT s.id AS [it's] FROM sales AS s WHERE s.name <> 'x'`,
    `SELECT s.id AS [a -- b] FROM sales AS s`,
    `SELECT s.id AS "/*" FROM sales AS s /* all */`,
    `SELECT s.id AS [a]]'] FROM sales AS s WHERE s.name <> 'x'`,
  ])('takes no name for the beginning of a text or a comment: %s', (definition) => {
    expect(derived(definition).reads).toContainEqual({ owner: '', name: 'sales' });
  });

  it.each(['SELECT myOpenQuery(1)', 'SELECT openQueryOf(1)'])('calls what SQL Server knows: %s', (definition) => {
    expect(derived(definition).isComplete).toBe(true);
  });

  it('tells words apart that only a comment parts', () => {
    const { reads } = derived('SELECT id FROM/* all */sales');
    expect(reads.map(({ name }) => name)).toEqual(['SELECT', 'id', 'FROM', 'sales']);
  });

  it.each([
    ['a function of a user', 'SELECT * FROM dbo.rowsOf(1)'],
    ['a function of a user, apart from its name', 'SELECT [dbo] . [rowsOf] (1) AS x'],
    ['another database', 'SELECT * FROM archive.dbo.sales'],
    ['the default schema of another database', 'SELECT * FROM archive..sales'],
    ['another server', 'SELECT * FROM far.archive.dbo.sales'],
    ['a query that is a text', "SELECT * FROM OPENQUERY(far, 'SELECT 1')"],
    ['a file', "SELECT * FROM openrowset(BULK 'x', SINGLE_CLOB) AS t"],
    ['the catalog', 'SELECT text FROM sys.dm_exec_cached_plans'],
    ['the catalog, in quotes', 'SELECT name FROM [SYS] . [objects]'],
    ['the catalog of the standard', 'SELECT TABLE_NAME FROM Information_Schema.TABLES'],
    ['the log of all changes', 'SELECT [RowLog Contents 0] FROM fn_dblog(NULL, NULL)'],
    ['what its hidden definition says', ''],
    ['what its blank definition says', ' \n'],
  ])('reads what cannot be seen: %s', (_name, definition) => {
    expect(derived(definition).isComplete).toBe(false);
  });
});
