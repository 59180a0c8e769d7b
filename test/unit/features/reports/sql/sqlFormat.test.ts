import { describe, expect, it } from 'vitest';
import { reportPlatform } from '../../../../../src/features/reports/run/reportCalls.ts';
import {
  formatSql,
  sqlLanguage,
  compiledCriteria,
  toComment,
} from '../../../../../src/features/reports/sql/sqlFormat.ts';

const platforms = [
  'duckdb',
  'sqlite',
  'postgresql',
  'mysql',
  'mariadb',
  'mssql',
  'oracle',
  'clickhouse',
  'trino',
  'other',
];

describe('layout of generated SQL', () => {
  it.each(platforms)('keeps what follows a prompt or a tag, for %s', async (platform) => {
    const sql =
      "select a from t where s = {?State} and o = '/#tag1#/' and x = /#state#/ and p = {policy} and l in ({?A list}) order by a";
    const text = await formatSql(sql, platform);
    expect(text.split('\n').length).toBeGreaterThan(5);
    expect(text.replace(/\s+/g, ' ').replaceAll('( ', '(').replaceAll(' )', ')')).toBe(sql);
  });

  it.each([
    ['mssql', 'select top 5 [order] from [dbo].[t]'],
    ['mysql', 'select `order` from `t` -- last'],
    ['oracle', 'select "a" from t where rownum <= 5'],
    ['clickhouse', 'select a from t final limit 5 by a'],
  ])('reads the dialect of %s', async (platform, sql) => {
    expect((await formatSql(sql, platform)).split('\n').length).toBeGreaterThan(2);
  });

  it('gives back exactly what the formatter cannot read', async () => {
    const sql = "select 'never closed  from   t";
    expect(await formatSql(sql, 'duckdb')).toBe(sql);
    expect(await formatSql('', 'mysql')).toBe('');
  });

  it.each([
    ['PostgreSQL', 'postgresql'],
    ['SQL Server', 'transactsql'],
    ['MS-SQL', 'transactsql'],
    ['constructor', 'sql'],
    [undefined, 'sql'],
  ])('knows %s as %s', (name, language) => {
    expect(sqlLanguage(name)).toBe(language);
  });
});

describe('platform of a report', () => {
  const servers = [
    {
      ID: '1',
      DisplayName: 'Sales',
      DatabasePlatform: 'oracle',
      service: { ID: '10', ModuleType: 'ANYDB', Name: 'CRM' },
    },
    {
      ID: '2',
      DisplayName: 'Flights',
      DatabaseDriver: 'duckdb',
      service: { ID: '11', ModuleType: 'ANYDB', Name: 'Ops' },
    },
  ];

  it('is that of the server it names', () => {
    expect(reportPlatform({ ServerName: 'flights ' }, servers)).toBe('duckdb');
    expect(reportPlatform({ ServerName: '1' }, servers)).toBe('oracle');
  });

  it('is that of its application, where it names no server that is known', () => {
    expect(reportPlatform({ ServerName: 'gone', ModuleName: 'CRM' }, servers)).toBe('oracle');
  });

  it('is that of the only server there is, or its own driver, or none', () => {
    expect(reportPlatform({}, servers.slice(1))).toBe('duckdb');
    expect(reportPlatform({ DbDriver: 'mysql' }, servers)).toBe('mysql');
    expect(reportPlatform({ DbDriver: '' }, [])).toBeUndefined();
  });
});

it('tells each condition with the operator that leads to the next', () => {
  const lines = compiledCriteria([
    { ReportFieldName: 'State', tbl10: `"state" = 'TX'`, tbl11: 'OR' },
    { ReportFieldName: 'Airport', tbl10: '', tbl11: '' },
    { DisplayFieldName: 'Miles', tbl10: null, SearchCriteria: 'Miles > 5', tbl11: 'AND' },
  ]);
  expect(lines).toEqual([`State: "state" = 'TX' OR`, 'Miles: Miles > 5']);
});

it('lets no text end the comment', () => {
  expect(toComment('a\r\nDROP TABLE x\u2028y')).toBe('-- a DROP TABLE x y');
});
