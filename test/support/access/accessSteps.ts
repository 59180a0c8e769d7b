import fc from 'fast-check';
import { policyOperators } from '../../../src/contract/operators.ts';
import { groupNames, tagLabels, userNames } from './accessWorld.ts';

/* What administrators do to users, groups, data tags and policies, as random values. */

/** Policies that exist side by side. */
export const policyCount = 3;

const tagValue = fc.constantFrom('North', 'South', 'North', 'South', 'N%', 'North,South', '', '5', '7', '2026-01-15');
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const user = fc.nat(userNames.length - 1);
const group = fc.nat(groupNames.length - 1);
const policy = fc.nat(policyCount - 1);
const onTable = fc.constantFrom('deals', 'deals', 'DEALS', 'notes', 'notes', 'deals_view', 'main.deals');
const module = fc.constantFrom('any', 'any', 'any', 'first', 'second');
const logical = fc.constantFrom('AND', 'AND', 'OR');

const usual = fc.record({
  module,
  TableName: onTable,
  ColumnName: fc.constant('tenant'),
  Operator: fc.constantFrom('=', 'in'),
  Value: fc.constantFrom('/#region#/', '/#region#/', '/#tag1#/', '/#company#/'),
  Value2: fc.constant(''),
  Logical: logical,
});
const ofKind = (ColumnName: string, operators: readonly string[], value: fc.Arbitrary<string>) =>
  fc.record({
    module,
    TableName: onTable,
    ColumnName: fc.constantFrom(ColumnName, ColumnName.toUpperCase()),
    Operator: fc.constantFrom(...operators),
    Value: value,
    Value2: value,
    Logical: logical,
  });
const text = fc.constantFrom('North', 'South', 'North,South', 'N%', "'North', 'South'", '/#region#/', '/#login#/');
const number = fc.constantFrom('5', '7', '10', '2000', '7.0', '/#limit#/', '/#limit#/');
const day = fc.constantFrom('2025-12-31', '2026-01-15', '2026-02-28', '/#limit#/', '[Today]');
const constraint = fc.oneof(
  { weight: 4, arbitrary: usual },
  { weight: 2, arbitrary: ofKind('tenant', ['=', '<>', 'in', 'not in', 'like'], text) },
  {
    weight: 2,
    arbitrary: ofKind(
      'amount',
      policyOperators.filter((each) => each !== 'like'),
      number,
    ),
  },
  { weight: 1, arbitrary: ofKind('sold', ['=', '<', '<=', '>', '>=', 'between', 'in', 'not in'], day) },
);
export type StepConstraint = typeof constraint extends fc.Arbitrary<infer T> ? T : never;

const policyContent = fc.record({
  isActive: fc.constantFrom(true, true, true, false),
  constraints: fc.array(constraint, { minLength: 1, maxLength: 3 }),
  groups: fc.array(fc.boolean(), { minLength: groupNames.length, maxLength: groupNames.length }),
  users: fc.array(fc.constantFrom(false, false, true), { minLength: userNames.length, maxLength: userNames.length }),
  allUsers: fc.constantFrom(false, false, true),
});
export type PolicyContent = typeof policyContent extends fc.Arbitrary<infer T> ? T : never;

/** One edit of the administrator. */
export const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('join'), user, group, role: fc.constantFrom('2', '2', '0') }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('leave'), user, group }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deleteGroup'), group }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('tag'),
      tag: fc.nat(tagLabels.length - 1),
      isActive: fc.constantFrom(true, true, true, false),
      fallback: fc.constantFrom('', '', 'North', '5'),
      groups: fc.array(optional(tagValue), { minLength: groupNames.length, maxLength: groupNames.length }),
      users: fc.array(optional(tagValue), { minLength: userNames.length, maxLength: userNames.length }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deleteTag'), tag: fc.nat(tagLabels.length - 1) }) },
  { weight: 7, arbitrary: fc.record({ kind: fc.constant('policy'), policy, content: policyContent }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('constraint'), policy, index: fc.nat(2), with: optional(constraint) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('activate'), policy, isActive: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deletePolicy'), policy }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('assign'), policy, group, isAssigned: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('profile'),
      user,
      Tag1: tagValue,
      Company: fc.constantFrom('North', 'South', ''),
      confirms: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('ownCompany'), user, Company: fc.constantFrom('North', '') }) },
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
