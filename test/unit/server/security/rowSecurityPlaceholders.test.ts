import { describe, expect, it } from 'vitest';
import { policyConstraint, type PolicyConstraint } from '../../../../src/server/security/policyConstraint.ts';
import { noOtherPaths, secure, type SourceTable } from '../../../../src/server/security/rowSecurity.ts';
import type { Predicate } from '../../../../src/server/security/rowSecurityPredicate.ts';

/* How placeholders are read and filled, down to the predicate that runs. */

const table: SourceTable = {
  moduleId: '7',
  owner: '',
  name: 'sales',
  alias: 's',
  columns: [
    { name: 'tenant', kind: 'text' },
    { name: 'pieces', kind: 'number' },
  ],
  otherPaths: noOtherPaths,
};
const none = { kind: 'constant', value: false };
const text = (value: string) => ({ type: 'text', text: value });

interface Restricted {
  /** The condition as a whole. */
  whole: Predicate<string> | undefined;
  /** What of it runs. */
  actual: Predicate<string> | undefined;
  /** Labels that values were asked for. */
  asked: string[];
}

function restricted(fields: Partial<PolicyConstraint>, tags: Readonly<Record<string, readonly string[]>>): Restricted {
  const given = { TableName: 'sales', ColumnName: 'tenant', Operator: '=', Value: '', ...fields };
  const asked: string[] = [];
  const { restriction: whole } = secure(table, {
    policies: [{ constraints: [policyConstraint.parse(given)] }],
    tagValues: (label) => {
      asked.push(label);
      return tags[label];
    },
    today: '2026-03-18',
  });
  return { whole, actual: whole?.kind === 'template' ? whole.actual : whole, asked };
}

describe('placeholders', () => {
  it('are asked for by their label alone, blanks around it dropped', () => {
    expect(restricted({ Value: '/# the tag #/' }, { 'the tag': ['x'] })).toEqual({
      whole: {
        kind: 'template',
        operand: 'tenant',
        operator: '=',
        placeholders: ['/# the tag #/'],
        actual: { kind: 'in', operand: 'tenant', values: [text('x')], isNegated: false },
      },
      actual: { kind: 'in', operand: 'tenant', values: [text('x')], isNegated: false },
      asked: ['the tag'],
    });
  });

  it.each<[string, string[], string[]]>([
    ['a/#t#/b', ['t'], ['a1b', 'a2b']],
    ['/#t#//#u#/', ['t', 'u'], ['1x', '2x']],
    ['/#t#/-/#t#/', ['t', 't'], ['1-1', '1-2', '2-1', '2-2']],
    ['no placeholder', [], ['no placeholder']],
    ['long enough', [], ['long enough']],
    ['/ # t # /', [], ['/ # t # /']],
    ['line\n/#t#/', ['t'], ['line\n1', 'line\n2']],
    ['/#a\nb#/', ['a b'], ['newline']],
    ['/#x#/', ['x'], ['short']],
  ])('in %j ask for %j', (Value, asked, values) => {
    const tags = { t: ['1', '2'], u: ['x'], 'a b': ['newline'], x: ['short'] };
    const { actual, asked: seen } = restricted({ Value }, tags);
    expect(seen).toEqual(expect.arrayContaining(asked));
    expect(seen).toHaveLength(asked.length);
    expect(actual).toEqual({ kind: 'in', operand: 'tenant', values: values.map(text), isNegated: false });
  });

  it.each([
    ['/#t'],
    ['a /#'],
    ['#/ closes nothing'],
    ['t#/ /#t#/'],
    ['／#t#/'],
    ['/#\u200bt#/'],
    ['/#/'],
    ['/#t#/ and /#u'],
    ['/##/'],
  ])('that are not whole let no row through: %j', (Value) => {
    expect(restricted({ Value }, { t: ['1'], u: ['2'] }).actual).toEqual(none);
  });

  it('begin and end as a whole: what only begins or only ends like one asks for no tag', () => {
    const tags = { t: ['1'], '': ['2'] };
    for (const Value of ['/#txx', '/##/', 'xxt#/'])
      expect(restricted({ Value }, tags)).toMatchObject({ actual: none, asked: [] });
  });

  it('hide no failure of the server behind an empty result', () => {
    const constraints = [
      policyConstraint.parse({ TableName: 'sales', ColumnName: 'tenant', Operator: '=', Value: '/#t#/' }),
    ];
    const tagValues = () => {
      throw new Error('the store is broken');
    };
    expect(() => secure(table, { policies: [{ constraints }], tagValues, today: '2026-03-18' })).toThrow(
      'the store is broken',
    );
  });

  it('of the second value alone are shown, too', () => {
    const { whole, actual } = restricted(
      { Operator: 'between', Value: '1', Value2: '/#t#/', ColumnName: 'pieces' },
      { t: ['5'] },
    );
    expect(whole).toMatchObject({
      ...{ kind: 'template', placeholders: ['{policy}', '/#t#/'], operator: 'between' },
      unmasked: { kind: 'template', placeholders: ['1', '/#t#/'], operator: 'between' },
    });
    const bound = (operator: string, value: string) => ({
      kind: 'compare',
      operand: 'pieces',
      operator,
      value: { type: 'number', text: value },
    });
    expect(actual).toEqual({ kind: 'and', predicates: [bound('>=', '1'), bound('<=', '5')] });
  });

  it('leave empty values out and let no row through without one', () => {
    expect(restricted({ Value: '/#t#/' }, { t: ['', 'x', ''] }).actual).toEqual({
      kind: 'in',
      operand: 'tenant',
      values: [text('x')],
      isNegated: false,
    });
    expect(restricted({ Value: 'a/#t#/' }, { t: [''] }).actual).toEqual(none);
  });

  it('let no row through when their values combine too often, and do so up to 10,000 times', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => String(index));
    const many = restricted({ Value: '/#t#//#t#/' }, { t: hundred }).actual;
    expect(many?.kind === 'in' && many.values.length).toBe(10_000);
    expect(restricted({ Value: '/#t#//#u#/' }, { t: hundred, u: [...hundred, 'x'] }).actual).toEqual(none);
  });
});

describe('operators of constraints', () => {
  const values = { t: ['a', 'b'] };
  it.each<[Partial<PolicyConstraint>, object]>([
    [
      { Operator: '=', Value: 'a, b' },
      { kind: 'in', values: [text('a, b')], isNegated: false },
    ],
    [
      { Operator: '<>', Value: '/#t#/' },
      { kind: 'in', values: [text('a'), text('b')], isNegated: true },
    ],
    [
      { Operator: 'in', Value: "x, '/#t#/'" },
      { kind: 'in', values: ['x', 'a', 'x', 'b'].map(text), isNegated: false },
    ],
    [
      { Operator: 'not in', Value: 'x, /#t#/' },
      { kind: 'in', values: ['x', 'a', 'x', 'b'].map(text), isNegated: true },
    ],
    [
      { Operator: 'like', Value: 'N%_' },
      { kind: 'like', pattern: [{ literal: 'N' }, { any: 'many' }, { any: 'one' }], isNegated: false },
    ],
  ])('%o', (fields, expected) => {
    expect(restricted(fields, values).actual).toEqual({ operand: 'tenant', ...expected });
  });

  it('match any of several patterns, wildcards only where the constraint has them', () => {
    const { actual } = restricted({ Operator: 'like', Value: '/#t#/_%' }, { t: ['%', '_x'] });
    const like = (literal: string) => ({
      kind: 'like',
      operand: 'tenant',
      pattern: [{ literal }, { any: 'one' }, { any: 'many' }],
      isNegated: false,
    });
    expect(actual).toEqual({ kind: 'or', predicates: [like('%'), like('_x')] });
  });

  it('that ask for an order take one value each', () => {
    const numbers = { t: ['1', '2'], one: ['1'] };
    const pieces = { ColumnName: 'pieces' };
    expect(restricted({ ...pieces, Operator: 'between', Value: '1', Value2: '/#t#/' }, numbers).actual).toEqual(none);
    expect(restricted({ ...pieces, Operator: '>', Value: '/#t#/' }, numbers).actual).toEqual(none);
    expect(restricted({ ...pieces, Operator: '>', Value: '/#one#/' }, numbers).actual).toEqual({
      kind: 'compare',
      operand: 'pieces',
      operator: '>',
      value: { type: 'number', text: '1' },
    });
  });

  it.each<[string, Record<string, string[]>, string[]]>([
    ['/#company#/', { company: ['North, South'] }, ['North, South']],
    ['West, /#Company#/, East', { company: ['Acme, "Inc."'] }, ['West', 'Acme, "Inc."', 'East']],
    ["'/#login#/'", { login: ["o'neil, x"] }, ["o'neil, x"]],
    ['/#email#/', { email: ['a@b.example'] }, ['a@b.example']],
    ['/#tag1#/', { tag1: ['North, South'] }, ['North', 'South']],
    ['/#region#/', { region: ['North, South'] }, ['North', 'South']],
    ['West,\n/#company#/', { company: ['x, North, y'] }, ['West', 'x, North, y']],
    ['/#login#/, /#company#/', { login: ['a,b'], company: ["c'd"] }, ['a,b', "c'd"]],
    ["x/#login#/, 'Lee, /#login#/'", { login: ['ann'] }, ['xann', 'Lee, ann']],
    ['/#login#/', { login: [' ann '] }, [' ann ']],
  ])('fill the list %s with one item for each text of a profile', (Value, tags, items) => {
    const values = items.map(text);
    expect(restricted({ Operator: 'in', Value }, tags).actual).toMatchObject({ kind: 'in', values });
    expect(restricted({ Operator: 'not in', Value }, tags).actual).toMatchObject({ isNegated: true, values });
  });

  // In the last one the commas beside the placeholder are within quotes, so they separate nothing.
  it.each([
    'x/#company#/',
    '/#company#/x',
    "'/#company#/",
    "'a'/#company#/'b'",
    '/#login#//#company#/',
    "'Lee, /#company#/, Jr'",
  ])('let no row through where a profile would break the items of %s', (Value) => {
    const tags = { company: ["', North, '"], login: ['ann'] };
    expect(restricted({ Operator: 'in', Value }, tags).actual).toEqual(none);
  });
});
