import { describe, expect, it } from 'vitest';
import { type Operator, valuesTaken } from '../../../../src/contract/operators.ts';
import { conditionOn, patternOf } from '../../../../src/server/security/rowSecurityConditions.ts';
import {
  allOf,
  anyOf,
  type ColumnKind,
  joinChain,
  type Predicate,
} from '../../../../src/server/security/rowSecurityPredicate.ts';

const test = (operand: string): Predicate<string> => ({ kind: 'null', operand, isNegated: false });
const [a, b, c] = [test('a'), test('b'), test('c')];

describe('predicates', () => {
  it('stand alone or together', () => {
    expect([allOf([a]), anyOf([a])]).toEqual([a, a]);
    expect(allOf([a, b])).toEqual({ kind: 'and', predicates: [a, b] });
    expect(anyOf([a, b])).toEqual({ kind: 'or', predicates: [a, b] });
    expect([allOf([]), anyOf([])]).toEqual([
      { kind: 'and', predicates: [] },
      { kind: 'or', predicates: [] },
    ]);
  });

  it('join in a chain in which AND binds tighter and gaps restrict nothing', () => {
    const link = (predicate: Predicate<string> | undefined, joiner: 'AND' | 'OR') => ({ predicate, joiner });
    expect(joinChain([])).toBeUndefined();
    expect(joinChain([link(undefined, 'OR'), link(undefined, 'AND')])).toBeUndefined();
    expect(joinChain([link(a, 'OR')])).toEqual(a);
    expect(joinChain([link(a, 'AND'), link(undefined, 'AND'), link(b, 'OR')])).toEqual(allOf([a, b]));
    expect(joinChain([link(a, 'OR'), link(undefined, 'OR'), link(b, 'AND')])).toEqual(anyOf([a, b]));
    expect(joinChain([link(a, 'OR'), link(b, 'AND'), link(c, 'OR')])).toEqual(anyOf([a, allOf([b, c])]));
  });
});

describe('conditions on text', () => {
  const on = (operator: Operator, ...texts: string[]) =>
    conditionOn({ operand: 'x', kind: 'text', today: '2026-03-18' }, operator, texts);
  const [many, one] = [{ any: 'many' }, { any: 'one' }] as const;
  const like = (pattern: object[], isNegated: boolean) => ({ kind: 'like', operand: 'x', pattern, isNegated });

  it.each<[Operator, object]>([
    ['like', like([{ literal: 'a' }, many, one, { literal: 'b' }], false)],
    ['not like', like([{ literal: 'a' }, many, one, { literal: 'b' }], true)],
    ['contains', like([many, { literal: 'a%_b' }, many], false)],
    ['not contains', like([many, { literal: 'a%_b' }, many], true)],
    ['starts with', like([{ literal: 'a%_b' }, many], false)],
    ['ends with', like([many, { literal: 'a%_b' }], false)],
    ['is null', { kind: 'null', operand: 'x', isNegated: false }],
    ['is not null', { kind: 'null', operand: 'x', isNegated: true }],
  ])('are read by %s', (operator, expected) => {
    expect(on(operator, 'a%_b')).toEqual(expected);
  });

  it('take a value that is left out for empty', () => {
    const value = { type: 'text', text: '' };
    const compare = (operator: string) => ({ kind: 'compare', operand: 'x', operator, value });
    expect(on('=')).toEqual(compare('='));
    expect(on('between')).toEqual({ kind: 'and', predicates: [compare('>='), compare('<=')] });
  });

  it('refuse patterns on what is no text, and say so', () => {
    const kinds: ColumnKind[] = ['number', 'date', 'timestamp', 'unixTime'];
    for (const kind of kinds) {
      expect(() => conditionOn({ operand: 'x', kind, today: '2026-03-18' }, 'contains', ['1'])).toThrow(
        'LIKE and similar operators compare text only',
      );
    }
    expect(() => on('in')).toThrow('The list has no values');
  });

  it('split patterns at their wildcards', () => {
    expect(patternOf('')).toEqual([]);
    expect(patternOf('%%')).toEqual([many, many]);
    expect(patternOf('_a')).toEqual([one, { literal: 'a' }]);
  });
});

describe('operators', () => {
  it.each<[Operator, string]>([
    ['is null', 'none'],
    ['is not null', 'none'],
    ['between', 'two'],
    ['not between', 'two'],
    ['in', 'list'],
    ['not in', 'list'],
    ['=', 'one'],
    ['not like', 'one'],
  ])('%s takes %s', (operator, taken) => {
    expect(valuesTaken(operator)).toBe(taken);
  });
});
