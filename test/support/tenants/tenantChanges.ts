import fc from 'fast-check';
import {
  type Change,
  type Deal,
  type DealColumn,
  type DealConstraint,
  groups,
  type PolicyState,
  users,
} from './tenantModel.ts';

/* What tables hold, and what administrators and users do, as random values. */

const tenantNames = ['North', 'South', 'North', 'South', 'north', ' North', 'N%', "it's", ''];
const rowTenant = fc.constantFrom('North', 'South', 'north', ' North', 'N%', "it's", '/#company#/', '日本', null);
const day = fc.constantFrom('2024-02-29', '2025-12-31', '2026-01-15', '2031-07-04', '2999-01-01');
const oddDay = fc.constantFrom('soon', '', '20260115', '01/15/2026', '[Today]', 'zzzz', '2026-1-5');

/** The rows of a table: ids count from 1. */
export const deals: fc.Arbitrary<Deal[]> = fc
  .array(
    fc.record({
      tenant: rowTenant,
      code: fc.constantFrom('7', '007', '10', '9', 'A', 'a', '1e1', '', null),
      released: fc.oneof(day, oddDay, fc.constant(null)),
      sold: fc.oneof(day, fc.constant(null)),
      amount: fc.constantFrom(-7, 0, 7, 10, 2000, 946684800, 32503680000, null),
    }),
    { minLength: 30, maxLength: 30 },
  )
  .map((rows) => rows.map((row, index) => ({ id: index + 1, ...row })));

/** Field types as an architect might register them, right or not. */
export const registeredTypes: fc.Arbitrary<Record<DealColumn, string>> = fc
  .record({
    wrong: fc.subarray(['tenant', 'code', 'released', 'sold', 'amount'] as const, { maxLength: 3 }),
    types: fc.array(fc.constantFrom('cha', 'num', 'cur', 'doz', 'dtz', 'udt', 'dat', 'tsp', 'per', 'lnk'), {
      minLength: 5,
      maxLength: 5,
    }),
  })
  .map(({ wrong, types }) => ({
    ...{ id: 'num', tenant: 'cha', code: 'cha', released: 'cha', sold: 'doz', amount: 'num' },
    ...Object.fromEntries(wrong.map((column, index) => [column, types[index] ?? 'cha'])),
  }));

/** Spellings of one placeholder, which mean the same. */
const spelt = (label: string) => {
  const blank = fc.constantFrom('', '', ' ', '  ', '\t', '\n');
  const cased = fc.constantFrom(label, label.toUpperCase(), `${label.slice(0, 1).toUpperCase()}${label.slice(1)}`);
  return fc.tuple(blank, cased, blank).map(([before, text, after]) => `/#${before}${text}${after}#/`);
};
const placeholder = fc.constantFrom('region', 'company', 'tag1').chain(spelt);
const relative = fc.constantFrom('[Today]', '[Yesterday]', '[Tomorrow]', '[This Year]', '[Last Month]', '[Next Year]');

const constraintOn = (ColumnName: DealColumn, operators: DealConstraint['Operator'][], value: fc.Arbitrary<string>) =>
  fc
    .record({
      ColumnName: fc.constant(ColumnName),
      Operator: fc.constantFrom(...operators),
      Value: value,
      Value2: value,
      Logical: fc.constantFrom('AND' as const, 'OR' as const),
    })
    .map((each) => ({ ...each, Value2: each.Operator === 'between' ? each.Value2 : '' }));
const every: DealConstraint['Operator'][] = ['=', '<>', '<', '<=', '>', '>=', 'in', 'not in', 'like', 'between'];
const number = fc.constantFrom('7', '10', '-7', '946684800', '2000.0', '1e1');
const anything = fc.oneof(placeholder, relative, number, day, fc.constantFrom('North', 'N%', 'North,South', 'A'));

export const constraint: fc.Arbitrary<DealConstraint> = fc.oneof(
  { weight: 10, arbitrary: constraintOn('tenant', ['=', '=', 'in', '<>', 'not in', 'like'], placeholder) },
  { weight: 2, arbitrary: constraintOn('released', every, fc.oneof(relative, day)) },
  { weight: 2, arbitrary: constraintOn('sold', every, fc.oneof(relative, day)) },
  { weight: 2, arbitrary: constraintOn('amount', every, fc.oneof(number, day, relative)) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('tenant', 'code', 'released', 'sold', 'amount')
      .chain((c) => constraintOn(c as DealColumn, every, anything)),
  },
);

const user = fc.constantFrom(...users);
const group = fc.constantFrom(...groups);
const tenantValue = fc.constantFrom(...tenantNames);
const maybe = fc.option(fc.constantFrom('North', 'South', 'North', 'South', 'N%', 'North,South'), {
  nil: undefined,
  freq: 3,
});
const often = fc.nat(3).map((n) => n > 0);
const flags = fc.tuple(often, often);

export const policy: fc.Arbitrary<PolicyState> = fc.record({
  constraints: fc.array(constraint, { minLength: 1, maxLength: 2 }),
  isActive: fc.nat(7).map((n) => n > 0),
  users: flags,
  groups: flags,
});

export const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('join' as const),
      user,
      group,
      role: fc.constantFrom('0', '1', '2', '3', '4'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('leave' as const), user, group }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('tag' as const),
      values: fc.record({
        users: fc.tuple(maybe, maybe),
        groups: fc.tuple(maybe, maybe),
        fallback: fc.constantFrom('', '', 'North'),
      }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('ownCompany' as const), user, value: tenantValue }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('company' as const), user, value: tenantValue, confirms: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('tag1' as const), user, value: tenantValue }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('policy' as const), policy }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('noPolicy' as const) }) },
);
