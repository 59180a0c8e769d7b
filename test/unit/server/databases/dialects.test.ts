import { describe, expect, it } from 'vitest';
import type { Report } from '../../../../src/contract/resources/report.ts';
import { dialectOf, dialects } from '../../../../src/server/reports/sql/dialects.ts';
import { clickhouseDialect } from '../../../../src/server/reports/sql/clickhouseDialect.ts';
import { spokenBy } from '../../../../src/server/reports/sql/dialect.ts';
import { statementOf } from '../../../../src/server/reports/sql/emit.ts';
import { plan } from '../../../support/reports/runPlan.ts';
import { shopField, shopReport, where } from '../../../support/reports/shopData.ts';

const report = shopReport([
  shopField('s.note', { Criteria: [where('contains', '50%'), where('<', 'b', { Index: 1, sortorder: 'asc' })] }),
  shopField('s.pieces', { strGroup: 'AVG', Criteria: [where('>', '2')] }),
]);

const mssqlNote = 'CAST([s].[note] AS nvarchar(max)) COLLATE Latin1_General_100_BIN2';
/** A column that is registered as a text, in a criterion on ClickHouse. */
const compared = clickhouseDialect.comparedText?.('`s::note`') ?? '';

const written: Record<string, string> = {
  duckdb:
    'SELECT "s"."note" AS "s_note", avg("s"."pieces") AS "s_pieces" FROM "sales" AS "s" ' +
    `WHERE (regexp_full_match("s"."note", $1, 's') AND "s"."note" < $2) GROUP BY "s"."note" HAVING avg("s"."pieces") > $3 ` +
    'ORDER BY "s_note" NULLS LAST LIMIT 1000',
  postgresql:
    'SELECT CAST("s"."note" AS text) COLLATE "C" AS "s_note", avg("s"."pieces") AS "s_pieces" FROM "sales" AS "s" ' +
    `WHERE ("s"."note" LIKE $1::text ESCAPE '\\' AND "s"."note" < $2::text COLLATE "C") ` +
    'GROUP BY CAST("s"."note" AS text) COLLATE "C" HAVING avg("s"."pieces") > $3::numeric ' +
    'ORDER BY "s_note" NULLS LAST LIMIT 1000',
  sqlite:
    'SELECT "s"."note" COLLATE BINARY AS "s_note", avg("s"."pieces") AS "s_pieces" FROM "sales" AS "s" ' +
    'WHERE ("s"."note" GLOB (?1 COLLATE BINARY) AND "s"."note" < (?2 COLLATE BINARY)) ' +
    'GROUP BY "s"."note" COLLATE BINARY HAVING avg("s"."pieces") > ?3 ORDER BY "s_note" NULLS LAST LIMIT 1000',
  mysql:
    'SELECT CONVERT(`s`.`note` USING utf8mb4) COLLATE utf8mb4_nopad_bin AS `s_note`, ' +
    'avg(CAST(`s`.`pieces` AS DOUBLE)) AS `s_pieces` FROM `sales` AS `s` ' +
    "WHERE (`s`.`note` LIKE CONVERT(?1 USING utf8mb4) COLLATE utf8mb4_nopad_bin ESCAPE '!' " +
    'AND `s`.`note` < CONVERT(?2 USING utf8mb4) COLLATE utf8mb4_nopad_bin) ' +
    'GROUP BY CONVERT(`s`.`note` USING utf8mb4) COLLATE utf8mb4_nopad_bin ' +
    'HAVING avg(CAST(`s`.`pieces` AS DOUBLE)) > CAST(?3 AS DECIMAL(65, 20)) ' +
    'ORDER BY CONVERT(`s`.`note` USING utf8mb4) COLLATE utf8mb4_nopad_bin IS NULL, ' +
    'CONVERT(`s`.`note` USING utf8mb4) COLLATE utf8mb4_nopad_bin LIMIT 1000',
  mssql:
    `SELECT TOP (1000) ${mssqlNote} AS [s_note], AVG(CAST([s].[pieces] AS float)) AS [s_pieces] FROM [sales] AS [s] ` +
    `WHERE (${mssqlNote} LIKE @t1 ESCAPE N'\\' AND ${mssqlNote} < @t2) GROUP BY ${mssqlNote} ` +
    'HAVING AVG(CAST([s].[pieces] AS float)) > CAST(@n3 AS decimal(38, 10)) ' +
    `ORDER BY CASE WHEN ${mssqlNote} IS NULL THEN 1 ELSE 0 END, ${mssqlNote}`,
  oracle:
    'SELECT "s"."note" AS "s_note", avg("s"."pieces") AS "s_pieces" FROM "sales" "s" ' +
    `WHERE ("s"."note" LIKE :v1 ESCAPE '\\' AND "s"."note" < :v2) GROUP BY "s"."note" ` +
    'HAVING avg("s"."pieces") > TO_NUMBER(:v3) ORDER BY "s_note" NULLS LAST FETCH FIRST 1000 ROWS ONLY',
  trino:
    'SELECT "s"."note" AS "s_note", avg(CAST("s"."pieces" AS double)) AS "s_pieces" FROM "sales" AS "s" ' +
    `WHERE ("s"."note" LIKE ?1 ESCAPE '\\' AND "s"."note" < ?2) GROUP BY "s"."note" ` +
    'HAVING avg(CAST("s"."pieces" AS double)) > ?3 ORDER BY "s_note" NULLS LAST LIMIT 1000',
  clickhouse:
    'SELECT `s::note` AS `s_note`, avg(toFloat64(toNullable(`s::pieces`))) AS `s_pieces` ' +
    'FROM (SELECT `note` AS `s::note`, `pieces` AS `s::pieces` FROM `sales`) AS `s` ' +
    `WHERE (${compared} LIKE (SELECT p1 FROM _bound) AND ${compared} < (SELECT p2 FROM _bound)) GROUP BY \`s_note\` ` +
    'HAVING ifNull(avg(toFloat64(toNullable(`s::pieces`))) > toInt64((SELECT p3 FROM _bound)), 0) ' +
    'ORDER BY `s_note` NULLS LAST LIMIT 1000',
};
const patterns: Record<string, string> = {
  sqlite: '*50%*',
  mysql: '%50!%%',
  duckdb: '.*50%.*',
  postgresql: '%50\\%%',
  mssql: '%50\\%%',
  oracle: '%50\\%%',
  trino: '%50\\%%',
  clickhouse: '%50\\%%',
};
/** What a quoted name becomes that holds the mark which ends it; Oracle has no way to write one. */
const quoted: Record<string, readonly [name: string, text: string]> = {
  duckdb: ['a"b', '"a""b"'],
  postgresql: ['a"b', '"a""b"'],
  sqlite: ['a"b', '"a""b"'],
  mysql: ['a`b', '`a``b`'],
  mssql: ['a]b[', '[a]]b[]'],
  oracle: ["a'b", `"a'b"`],
  trino: ['a"b', '"a""b"'],
  clickhouse: ['a`b', '`a\\`b`'],
};

describe('a dialect', () => {
  it.each(dialects.map((dialect) => [dialect.displayName, dialect] as const))('writes SQL for %s', (_, dialect) => {
    const { sql, values } = statementOf(plan(report).select, dialect);
    expect(sql.replace(/\s+/g, ' ')).toBe(written[dialect.platform]);
    expect(values.map(({ text }) => text)).toEqual([patterns[dialect.platform], 'b', '2']);
  });

  it.each(dialects.map((dialect) => [dialect.displayName, dialect] as const))('quotes names for %s', (_, dialect) => {
    const [name = '', text = ''] = quoted[dialect.platform] ?? [];
    expect(dialect.quote(name)).toBe(text);
    expect(() => dialect.quote('a\0b')).toThrow('NUL');
  });

  it.each([
    ['18.16.1', 'toStartOfMonth(m)', 'toDate((SELECT p1 FROM _bound))'],
    ['22.8.1', 'toStartOfMonth(m)', 'toDate32((SELECT p1 FROM _bound))'],
    ['26.7.2', 'makeDate32(toYear(m), toMonth(m), 1)', 'toDate32((SELECT p1 FROM _bound))'],
  ])('of ClickHouse %s uses the date functions of its release', (version, month, day) => {
    const dialect = spokenBy(clickhouseDialect, { version });
    expect(dialect.call('MONTHSTART', ['m'])).toBe(month);
    expect(dialect.placeholder(1, { type: 'date', text: '2026-01-02' })).toBe(day);
  });

  it('of Oracle refuses names that it cannot write', () => {
    expect(() => dialectOf('oracle')?.quote('a"b')).toThrow('double quote');
  });
});

describe('SQL Server', () => {
  const sqlOf = (wanted: Report) => {
    const dialect = dialectOf('mssql');
    if (!dialect) throw new Error('SQL Server has no dialect');
    return statementOf(plan(wanted).select, dialect).sql.replace(/\s+/g, ' ');
  };
  const sorted = (sortorder: string) => ({ Criteria: [{ Op: '', sortorder }] });

  it('sorts distinct rows by what they show, in a query around them', () => {
    const sql = sqlOf(shopReport([shopField('s.pieces', sorted('desc'))], { Distinct: 1 }));
    expect(sql).toBe(
      'SELECT TOP (1000) * FROM ( SELECT DISTINCT [s].[pieces] AS [s_pieces] FROM [sales] AS [s] ) AS [rows] ' +
        'ORDER BY CASE WHEN [s_pieces] IS NULL THEN 1 ELSE 0 END, [s_pieces] DESC',
    );
  });

  it('neither groups nor sorts by constants', () => {
    const constant = shopField('s.note', { Formula: "'x'", ...sorted('asc') });
    const sql = sqlOf(shopReport([constant, shopField('s.pieces', { strGroup: 'COUNT' })]));
    expect(sql).toBe('SELECT TOP (1000) @t1 AS [s_note], COUNT_BIG([s].[pieces]) AS [s_pieces] FROM [sales] AS [s]');
  });

  it('sorts once by what two fields show', () => {
    const twice = [
      shopField('s.pieces', sorted('2')),
      shopField('s.pieces', { RenamedField: 'again', ...sorted('-1') }),
    ];
    const sql = sqlOf(shopReport(twice));
    expect(sql.slice(sql.indexOf('ORDER BY'))).toBe(
      'ORDER BY CASE WHEN [s].[pieces] IS NULL THEN 1 ELSE 0 END, [s].[pieces] DESC',
    );
  });
});

describe('a list of numbers for ClickHouse', () => {
  const listed = (values: string[], isNegated: boolean) => clickhouseDialect.oneOf('n', values, isNegated, 'number');
  const wholes = (count: number) => Array.from({ length: count }, (_, index) => `toInt64(${index})`);

  it('compares whole numbers exactly, also beside fractions', () => {
    expect(listed(['toFloat64(4.25)', 'toInt64(7)'], false)).toBe('(toFloat64(n) = toFloat64(4.25) OR n = toInt64(7))');
    expect(listed(['toFloat64(4.25)', 'toInt64(7)'], true)).toBe(
      '(toFloat64(n) <> toFloat64(4.25) AND n <> toInt64(7))',
    );
  });

  it('does so in long lists', () => {
    const many = [...wholes(500), 'toFloat64(4.25)'];
    expect(listed(many, true)).toMatch(
      /^CASE WHEN n IS NOT NULL THEN n NOT IN \(toInt64\(0\), .*\) AND toFloat64\(n\) NOT IN \(toFloat64\(4\.25\)\) END$/,
    );
    expect(listed(wholes(500), false)).not.toContain('toFloat64');
  });
});
