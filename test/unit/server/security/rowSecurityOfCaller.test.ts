import { beforeEach, describe, expect, it } from 'vitest';
import { profilePlaceholders } from '../../../../src/contract/placeholders.ts';
import type { Caller } from '../../../../src/server/calls/caller.ts';
import { insertGroup } from '../../../../src/server/identity/groups.ts';
import { identitySchema } from '../../../../src/server/identity/identitySchema.ts';
import { insertUser } from '../../../../src/server/identity/users.ts';
import { insertDataTag, setGroupTagValue } from '../../../../src/server/security/dataTags.ts';
import { insertPolicy, securitySchema } from '../../../../src/server/security/policies.ts';
import { policyConstraint } from '../../../../src/server/security/policyConstraint.ts';
import { dayOfPolicies, rowSecurityOf, todayOf } from '../../../../src/server/security/rowSecurityOfCaller.ts';
import { Store } from '../../../../src/server/store/store.ts';

let store: Store;
let ann: Caller;
beforeEach(() => {
  store = Store.open(':memory:', [identitySchema, securitySchema]);
  ann = {
    userId: insertUser(store, { loginName: 'ann' }),
    loginName: 'Ann Login',
    firstName: 'Ann',
    lastName: 'Lee',
    email: 'ann@example.org',
    company: 'Example',
    selfSetFields: [],
    tags: ['one', 'two', 'three', 'four'],
    isGuest: false,
    isAdmin: false,
    isSuperAdmin: false,
    mustChangePassword: false,
    groups: [],
    applications: [],
    timezone: 0,
    timezonename: '',
  };
});

describe('what restricts a caller', () => {
  const valuesOf = (caller: Caller, label: string) => rowSecurityOf(store, caller, '2026-03-18').tagValues(label);

  it('names every profile field', () => {
    const expected = ['one', 'two', 'three', 'four', 'Ann Login', 'Ann', 'Lee', 'ann@example.org', 'Example'];
    expect(profilePlaceholders.map((label) => valuesOf(ann, label))).toEqual(expected.map((value) => [value]));
  });

  it('has no value of a field that the user has set and no administrator has confirmed', () => {
    const caller: Caller = { ...ann, selfSetFields: ['company', 'email'] };
    expect(['company', 'email'].map((label) => valuesOf(caller, label))).toEqual([undefined, undefined]);
    expect(['firstname', 'lastname', 'login', 'tag1'].map((label) => valuesOf(caller, label))).not.toContain(undefined);
  });

  it('has no value where a profile field is empty', () => {
    expect(valuesOf({ ...ann, company: '' }, 'company')).toBeUndefined();
  });

  it('hides a data tag behind the profile field of the same label, and no other', () => {
    insertDataTag(store, { label: 'Company', defaultValue: 'of the tag' });
    insertDataTag(store, { label: 'State', defaultValue: 'CA' });
    insertDataTag(store, { label: 'constructor', defaultValue: 'a plain tag' });
    expect(valuesOf(ann, 'company')).toEqual(['Example']);
    expect(valuesOf({ ...ann, company: '' }, 'company')).toBeUndefined();
    expect(valuesOf(ann, 'state')).toEqual(['CA']);
    expect(valuesOf(ann, 'constructor')).toEqual(['a plain tag']);
    expect(valuesOf(ann, 'toString')).toBeUndefined();
  });

  it('is nothing by a group in which the caller has no access', () => {
    const tagId = insertDataTag(store, { label: 'State', isGroup: true, defaultValue: 'the default' });
    const [first, second] = ['first', 'second'].map((name) => insertGroup(store, { name, description: '' }));
    if (first === undefined || second === undefined) throw new Error('There are two');
    setGroupTagValue(store, tagId, first, 'CA');
    setGroupTagValue(store, tagId, second, 'NY');
    const within = (...roles: string[]) => ({
      ...ann,
      groups: [first, second].map((groupId, index) => ({ groupId, roleId: roles[index] ?? '' })),
    });
    expect(valuesOf(within('2', '4'), 'state')).toEqual(['CA', 'NY']);
    expect(valuesOf(within('2', '0'), 'state')).toEqual(['CA']);
    expect(valuesOf(within('0', '0'), 'state')).toEqual(['the default']);
  });

  it('is the caller’s active policies, administrators’ too, and the day', () => {
    const constraints = [policyConstraint.parse({ TableName: 't', ColumnName: 'c', Operator: '=', Value: 'x' })];
    const profile = { name: 'P', description: '', isActive: true, constraints, groupIds: [] };
    insertPolicy(store, { ...profile, userIds: [ann.userId] });
    insertPolicy(store, { ...profile, isActive: false, userIds: [ann.userId] });
    for (const caller of [ann, { ...ann, isAdmin: true, isSuperAdmin: true }]) {
      const { policies, today } = rowSecurityOf(store, caller, '2026-03-18');
      expect(policies.map((policy) => policy.constraints)).toEqual([constraints]);
      expect(today).toBe('2026-03-18');
    }
  });
});

describe('the policies of a group', () => {
  it.each([
    ['a member', {}],
    ['an administrator', { isAdmin: true }],
    ['a super-admin', { isAdmin: true, isSuperAdmin: true }],
    ['a guest', { isGuest: true }],
    ['somebody without access in it', { roleId: '0' }],
  ])('restrict %s', (_name, { roleId = '2', ...more }: { roleId?: string } & Partial<Caller>) => {
    const constraints = [policyConstraint.parse({ TableName: 't', ColumnName: 'c', Operator: '=', Value: 'x' })];
    const groupId = insertGroup(store, { name: 'Northerners' });
    insertPolicy(store, { name: 'p', description: '', isActive: true, constraints, groupIds: [groupId], userIds: [] });
    const of = (caller: Caller) => rowSecurityOf(store, caller, '2026-03-18').policies;
    expect(of({ ...ann, ...more, groups: [{ groupId, roleId }] })).toHaveLength(1);
    expect(of({ ...ann, ...more })).toEqual([]);
  });
});

describe('the caller’s day', () => {
  it.each([
    [0, '2026-03-18'],
    [-5, '2026-03-17'],
    [5.5, '2026-03-18'],
    [22, '2026-03-19'],
  ])('at UTC%d is %s', (timezone, day) => {
    expect(todayOf({ ...ann, timezone }, new Date('2026-03-18T03:30:00Z'))).toBe(day);
  });

  it('is for policies that of the server, whatever time zone the caller has', () => {
    expect(dayOfPolicies(new Date('2026-03-18T23:30:00Z'))).toBe('2026-03-18');
    expect(dayOfPolicies(new Date('2026-03-18T00:30:00Z'))).toBe('2026-03-18');
  });
});
