import { describe, expect, it } from 'vitest';
import { type Operator, readOperator } from '../../../../src/contract/operators.ts';
import { conditionOn, valueTexts } from '../../../../src/server/security/rowSecurityConditions.ts';
import type { ColumnKind } from '../../../../src/server/security/rowSecurityPredicate.ts';
import { ValueError } from '../../../../src/contract/policyValues.ts';
import { duckdbDialect } from '../../../../src/server/reports/sql/duckdbDialect.ts';
import { readableConditions } from '../../../../src/server/reports/sql/emit.ts';

function sql(kind: ColumnKind, operator: Operator, ...texts: string[]): string {
  const operand = { kind: 'column', source: 't', column: 'c', holds: kind } as const;
  const condition = conditionOn({ operand, kind, today: '2026-03-18' }, operator, texts);
  return readableConditions(duckdbDialect)(condition).replaceAll('"t"."c"', 'c');
}

describe('conditions', () => {
  const [day, next] = [`DATE '2026-02-28'`, `DATE '2026-03-01'`];
  it.each<[Operator, string]>([
    ['=', `(c >= ${day} AND c < ${next})`],
    ['<>', `(c < ${day} OR c >= ${next})`],
    ['<', `c < ${day}`],
    ['<=', `c < ${next}`],
    ['>', `c >= ${next}`],
    ['>=', `c >= ${day}`],
    ['in', `(c >= ${day} AND c < ${next})`],
    ['not in', `(c < ${day} OR c >= ${next})`],
  ])('compares a whole day by %s', (operator, expected) => {
    expect(sql('date', operator, '2026-02-28')).toBe(expected);
  });

  it('compares several days and ranges of days', () => {
    const later = [`DATE '2026-03-05'`, `DATE '2026-03-06'`];
    expect(sql('date', 'in', '2026-02-28', '2026-03-05')).toBe(
      `((c >= ${day} AND c < ${next}) OR (c >= ${later[0]} AND c < ${later[1]}))`,
    );
    expect(sql('date', 'not in', '2026-02-28', '2026-03-05')).toBe(
      `((c < ${day} OR c >= ${next}) AND (c < ${later[0]} OR c >= ${later[1]}))`,
    );
    expect(sql('date', 'between', '2026-02-28', '2026-03-05')).toBe(`(c >= ${day} AND c < ${later[1]})`);
    expect(sql('date', 'not between', '2026-02-28', '2026-03-05')).toBe(`(c < ${day} OR c >= ${later[1]})`);
  });

  it('compares a moment exactly, and Unix time by its seconds', () => {
    expect(sql('timestamp', '<=', '2026-02-28 10:00')).toBe(`c <= TIMESTAMP '2026-02-28 10:00:00'`);
    expect(sql('unixTime', '=', '1970-01-02')).toBe('(c >= 86400 AND c < 172800)');
  });

  it('compares numbers and texts', () => {
    expect(sql('number', 'not in', '1', '2.50')).toBe('c NOT IN (1, 2.50)');
    expect(sql('text', 'not contains', 'a_')).toBe(`NOT regexp_full_match(c, '.*a_.*', 's')`);
    expect(sql('text', 'ends with', 'a')).toBe(`regexp_full_match(c, '.*a', 's')`);
    expect(() => sql('number', '=', 'a')).toThrow(ValueError);
    expect(() => sql('date', 'like', '2026%')).toThrow(ValueError);
    expect(() => sql('text', 'not in')).toThrow(ValueError);
  });

  it('reads operators however they are spelled', () => {
    expect([' IS_NOT-NULL ', 'Is Not  Null', '!=', 'In List', 'begins with'].map(readOperator)).toEqual([
      'is not null',
      'is not null',
      '<>',
      'in',
      'starts with',
    ]);
    expect(readOperator('constructor')).toBeUndefined();
    expect(readOperator('')).toBeUndefined();
  });

  it('takes as many values as the operator needs', () => {
    expect(valueTexts('is null', 'a', 'b')).toEqual([]);
    expect(valueTexts('=', 'a,b', 'c')).toEqual(['a,b']);
    expect(valueTexts('between', 'a', 'b')).toEqual(['a', 'b']);
    expect(valueTexts('in', "a,'b,c'", 'd')).toEqual(['a', 'b,c']);
  });
});
