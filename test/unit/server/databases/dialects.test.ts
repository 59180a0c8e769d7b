import { describe, expect, it } from 'vitest';
import { dialects } from '../../../../src/server/reports/sql/dialects.ts';
import { statementOf } from '../../../../src/server/reports/sql/emit.ts';
import { plan } from '../../../support/reports/runPlan.ts';
import { shopField, shopReport, where } from '../../../support/reports/shopData.ts';

const report = shopReport([
  shopField('s.note', { Criteria: [where('contains', '50%'), where('<', 'b', { Index: 1, sortorder: 'asc' })] }),
  shopField('s.pieces', { strGroup: 'AVG', Criteria: [where('>', '2')] }),
]);

const written: Record<string, string> = {
  duckdb:
    'SELECT "s"."note" AS "s_note", avg("s"."pieces") AS "s_pieces" FROM "sales" AS "s" ' +
    `WHERE ("s"."note" LIKE $1 ESCAPE '\\' AND "s"."note" < $2) GROUP BY "s"."note" HAVING avg("s"."pieces") > $3 ` +
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
  clickhouse:
    'SELECT `s::note` AS `s_note`, avg(toFloat64(toNullable(`s::pieces`))) AS `s_pieces` ' +
    'FROM (SELECT `note` AS `s::note`, `pieces` AS `s::pieces` FROM `sales`) ' +
    'WHERE (`s::note` LIKE (SELECT p1 FROM _bound) AND `s::note` < (SELECT p2 FROM _bound)) GROUP BY `s_note` ' +
    'HAVING ifNull(avg(toFloat64(toNullable(`s::pieces`))) > toInt64((SELECT p3 FROM _bound)), 0) ' +
    'ORDER BY `s_note` NULLS LAST LIMIT 1000',
};
const patterns: Record<string, string> = {
  sqlite: '*50%*',
  mysql: '%50!%%',
  duckdb: '%50\\%%',
  postgresql: '%50\\%%',
  clickhouse: '%50\\%%',
};

describe('a dialect', () => {
  it.each(dialects.map((dialect) => [dialect.displayName, dialect] as const))('writes SQL for %s', (_, dialect) => {
    const { sql, values } = statementOf(plan(report).select, dialect);
    expect(sql.replace(/\s+/g, ' ')).toBe(written[dialect.platform]);
    expect(values.map(({ text }) => text)).toEqual([patterns[dialect.platform], 'b', '2']);
  });

  it.each(dialects.map((dialect) => [dialect.displayName, dialect] as const))('quotes names for %s', (_, dialect) => {
    const mark = dialect.quote('x').slice(0, 1);
    const escape = dialect.platform === 'clickhouse' ? '\\' : mark;
    expect(dialect.quote(`a${mark}b`)).toBe(`${mark}a${escape}${mark}b${mark}`);
    expect(() => dialect.quote('a\0b')).toThrow('NUL');
  });
});
