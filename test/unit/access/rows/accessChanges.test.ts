import { describe, expect, it } from 'vitest';
import { accessChanges } from '../../../../src/access/rows/accessChanges.ts';
import {
  changing,
  creating,
  creatingUsers,
  deleting,
  joining,
  leaving,
  saving,
  unassigning,
  type AccessEdit,
} from '../../../../src/access/rows/accessEdits.ts';
import { rowChangeLines } from '../../../../src/access/rows/accessWords.ts';
import { snapshotOf, type AccessLists } from '../../../../src/access/rows/snapshot.ts';
import type { JsonObject } from '../../../../src/objects/json.ts';

const north = { GroupId: '10', GroupName: 'North', GroupRoles: [{ RoleId: '2' }] };
const user = (ID: string, LoginName: string, groups: JsonObject[] = [north], more: JsonObject = {}): JsonObject => ({
  ID,
  LoginName,
  SecurityGroups: groups,
  ...more,
});
const on = (TableName: string, more: JsonObject = {}): JsonObject => ({
  ...{ ModuleID: '', TableOwner: '', TableName, ColumnName: 'state', Operator: 'in', Value: '/#states#/', Value2: '' },
  ...{ Logical: 'AND', ColumnType: '' },
  ...more,
});
const policy = (id: string, Constraints: JsonObject[], more: JsonObject = {}): JsonObject => ({
  ...{ id, Name: `Policy ${id}`, isActive: true, Constraints, Groups: [{ GroupId: '10' }], Users: [] },
  ...more,
});
const states = (Option1: string, more: JsonObject = {}): JsonObject => ({
  ...{ ID: '5', Label: 'states', isActive: true, DefaultValue: '', SecurityGroups: [{ RightID: '10', Option1 }] },
  Contacts: [],
  ...more,
});
const lists = (more: Partial<AccessLists> = {}): AccessLists => ({
  users: [user('1', 'north.viewer')],
  tags: [states('NC,SC')],
  policies: [policy('7', [on('flights'), on('airports'), on('birdstrikes')])],
  grantsAllUsers: true,
  ...more,
});

/** What is said about an edit. */
function said(edit: AccessEdit | undefined, before: AccessLists = lists()): string[] {
  if (!edit) return [];
  return rowChangeLines(accessChanges(snapshotOf(before), snapshotOf(edit(before))));
}

const allThree = ['north.viewer will see all rows of airports, birdstrikes and flights.'];
const fields = (kind: string, id: string, change: JsonObject) =>
  changing(kind, [id], (object) => ({ ...object, ...change }));

describe('users see all rows of every table of the policy', () => {
  it.each<[string, AccessEdit]>([
    ['who leave the group of a policy', leaving([{ userId: '1', groupId: '10' }])],
    ['when the group is deleted', deleting([{ kind: 'group', id: '10' }])],
    ['when the policy is deleted', deleting([{ kind: 'policy', id: '7' }])],
    ['when the policy is deactivated', fields('policy', '7', { isActive: false })],
    ['when the policy is unassigned from the group', unassigning(['7'], [{ kind: 'group', id: '10' }])],
    ['when the policy loses its constraints', fields('policy', '7', { Constraints: [] })],
  ])('%s', (_, edit) => {
    expect(said(edit)).toEqual(allThree);
  });

  it('who leave one of two groups of the policy only when they leave both', () => {
    const south = { ...north, GroupId: '11', GroupName: 'South' };
    const before = lists({
      users: [user('1', 'north.viewer', [north, south])],
      policies: [policy('7', [on('flights')], { Groups: [{ GroupId: '10' }, { GroupId: '11' }] })],
    });
    const leavesNorth = leaving([{ userId: '1', groupId: '10' }]);
    expect(said(leavesNorth, before)).toEqual(['north.viewer will see no rows of flights.']);
    expect(said((all) => leaving([{ userId: '1', groupId: '11' }])(leavesNorth(all)), before)).toEqual([
      'north.viewer will see all rows of flights.',
    ]);
  });

  it('of a table that is misspelt in the policy from now on', () => {
    const misspelt = [on('flights'), on('airports'), on('birdstrike')];
    expect(said(saving('policy', '7', { Constraints: misspelt }, { Constraints: [] }))).toEqual([
      'north.viewer will see all rows of birdstrikes.',
      'north.viewer may see other rows of birdstrike.',
    ]);
  });

  it('also in other applications, when the policy is for one application from now on', () => {
    const before = lists({ policies: [policy('7', [on('flights')])] });
    expect(said(fields('policy', '7', { Constraints: [on('flights', { ModuleID: '3' })] }), before)).toEqual([
      'north.viewer will see all rows of flights (in some applications).',
    ]);
  });
});

describe('values', () => {
  const onFlights = lists({ policies: [policy('7', [on('flights')])] });
  const valued = (Option1: string) => fields('tag', '5', { SecurityGroups: [{ RightID: '10', Option1 }] });

  it.each([
    ['NC,SC,WA', 'more rows'],
    ['NC', 'fewer rows'],
    ['WA', 'other rows'],
    ['', 'no rows'],
  ])('%j in the place of NC,SC shows %s', (value, rows) => {
    const verb = rows === 'other rows' ? 'may' : 'will';
    expect(said(valued(value), onFlights)).toEqual([`north.viewer ${verb} see ${rows} of flights.`]);
  });

  it('in another order change nothing', () => {
    expect(said(valued('SC, NC'), onFlights)).toEqual([]);
  });

  it('of a group are gained by who joins it, but not with the role None', () => {
    const before = lists({
      users: [user('1', 'nora', [])],
      policies: [policy('7', [on('flights')], { Groups: [], Users: [{ ID: '1' }] })],
    });
    expect(said(joining('10', 'North', ['1'], '2'), before)).toEqual(['nora will see more rows of flights.']);
    expect(said(joining('10', 'North', ['1'], '0'), before)).toEqual([]);
  });

  it('of a new tag count where a policy compares with its label already', () => {
    const before = lists({ tags: [], policies: [policy('7', [on('flights')])] });
    expect(said(creating('tag', { Label: 'States', DefaultValue: 'NC', isActive: true }), before)).toEqual([
      'north.viewer will see more rows of flights.',
    ]);
  });

  it('that users set themselves count when an administrator confirms them', () => {
    const before = lists({
      users: [user('1', 'nora', [north], { Company: 'NC', SelfSetFields: ['Company'] })],
      policies: [policy('7', [on('flights', { Value: '/#company#/' })])],
    });
    expect(said(saving('user', '1', { SelfSetFields: [] }, { SelfSetFields: ['Company'] }), before)).toEqual([
      'nora will see more rows of flights.',
    ]);
  });
});

describe('the save of a document', () => {
  it('confirms the value that a user had set and an administrator changes', () => {
    const before = lists({
      users: [user('1', 'nora', [north], { Company: 'NC', SelfSetFields: ['Company'] })],
      policies: [policy('7', [on('flights', { Value: '/#company#/' })])],
    });
    const base = { Company: 'NC', SelfSetFields: ['Company'] };
    expect(said(saving('user', '1', { ...base, Company: 'SC' }, base), before)).toEqual([
      'nora will see more rows of flights.',
    ]);
  });

  it.each(['Groups', 'Constraints', 'isActive'])('takes %s away with its field', (field) => {
    const base: JsonObject = { Groups: [{ GroupId: '10' }], Constraints: [on('flights')], isActive: true };
    const mine = Object.fromEntries(Object.entries(base).filter(([name]) => name !== field));
    expect(said(saving('policy', '7', mine, base))).toEqual(allThree);
  });

  it('of the settings can give users the values of All Users', () => {
    const everyone = { GroupId: '1', GroupName: 'All Users', GroupRoles: [{ RoleId: '2' }] };
    const before = lists({
      users: [user('1', 'nora', [everyone, north])],
      tags: [states('NC', { SecurityGroups: [{ RightID: '1', Option1: 'WA' }] })],
      policies: [policy('7', [on('flights')])],
      grantsAllUsers: false,
    });
    const save = saving('settings', '', { enableallusersgrp: 'True' }, { enableallusersgrp: 'False' });
    expect(said(save, before)).toEqual(['nora will see more rows of flights.']);
  });
});

describe('comparisons', () => {
  const number = (Operator: string, Value: string, Value2 = '') =>
    on('flights', { ColumnName: 'year', Operator, Value, Value2 });
  const rows = (before: JsonObject[], after: JsonObject[]) =>
    said(fields('policy', '7', { Constraints: after }), lists({ policies: [policy('7', before)] })).join();

  it.each<[string, JsonObject[], JsonObject[], string]>([
    ['a looser bound', [number('<', '5')], [number('<', '10')], 'more'],
    ['a tighter bound', [number('>=', '2000')], [number('>', '2000')], 'fewer'],
    ['a wider span', [number('between', '1', '5')], [number('between', '0', '5')], 'more'],
    ['one condition less', [number('=', '5'), on('flights')], [on('flights')], 'more'],
    ['an alternative more', [on('flights')], [on('flights', { Logical: 'OR' }), number('=', '5')], 'more'],
    ['fewer exceptions', [number('not in', '1,2')], [number('not in', '1')], 'more'],
    [
      'another column',
      [number('=', '5')],
      [on('flights', { ColumnName: 'month', Operator: '=', Value: '5' })],
      'other',
    ],
    ['a number among texts that may be numbers', [number('in', '1')], [number('in', '1,x')], 'other'],
    ['a day that may be none', [number('=', '2026-01-01')], [number('in', '2026-01-01,2026-02-30')], 'other'],
  ])('%s', (_, before, after, expected) => {
    expect(rows(before, after)).toContain(`see ${expected} rows of flights`);
  });
});

describe('what is not certain is said', () => {
  it('of a table that a policy in an unknown form may restrict too', () => {
    const before = lists({ policies: [policy('7', [on('flights')]), policy('8', [{ filter: 'x' }])] });
    expect(said(deleting([{ kind: 'policy', id: '7' }]), before)).toEqual([
      'north.viewer may see other rows of flights.',
    ]);
  });

  it('of each policy in an unknown form, with its own users', () => {
    const of = (id: string) => policy(id, [{ filter: id }], { Groups: [], Users: [{ ID: id }] });
    const before = lists({ users: [user('1', 'ann'), user('2', 'ben')], policies: [of('1'), of('2')] });
    const both = ['1', '2'].map((id) => ({ kind: 'policy', id }));
    expect(said(deleting(both), before)).toEqual([
      'ann may see more rows: it is unknown what Policy 1 restricts.',
      'ben may see more rows: it is unknown what Policy 2 restricts.',
    ]);
  });

  it('of a policy whose constraints have an unknown form', () => {
    const before = lists({ policies: [policy('7', [{ table: 'flights', filter: 'x' }])] });
    expect(said(deleting([{ kind: 'policy', id: '7' }]), before)).toEqual([
      'north.viewer may see more rows: it is unknown what Policy 7 restricts.',
    ]);
  });

  it('of a view that a policy closes until it has a constraint of its own', () => {
    const before = lists({ policies: [policy('7', [on('flights')])] });
    expect(said(fields('policy', '7', { Constraints: [on('flights'), on('flights_view')] }), before)).toEqual([
      'north.viewer may see other rows of flights_view.',
    ]);
  });

  it('of two policies that restrict alike, of which one covers more tables', () => {
    const before = lists({
      policies: [policy('7', [on('flights')]), policy('8', [on('flights'), on('flights_view')])],
    });
    expect(said(deleting([{ kind: 'policy', id: '7' }]), before)).toEqual([
      'north.viewer may see other rows of flights_view.',
    ]);
  });
});

it('says nothing of one of two equal policies, and all of both', () => {
  const before = lists({ policies: [policy('7', [on('flights')]), policy('8', [on('flights')])] });
  expect(said(deleting([{ kind: 'policy', id: '7' }]), before)).toEqual([]);
  expect(
    said(
      deleting([
        { kind: 'policy', id: '7' },
        { kind: 'policy', id: '8' },
      ]),
      before,
    ),
  ).toEqual(['north.viewer will see all rows of flights.']);
});

it('keeps a name with a line break on one line', () => {
  const before = lists({
    users: [user('1', 'nora\nben will see no rows of')],
    policies: [policy('7', [on('fli\u2028ghts')])],
  });
  expect(said(deleting([{ kind: 'policy', id: '7' }]), before)).toEqual([
    'nora ben will see no rows of will see all rows of fli ghts.',
  ]);
});

it('does not say that fewer rows are seen of a view that was closed, and opens with a restriction of its own', () => {
  const before = lists({ policies: [policy('7', [on('notes')])] });
  expect(said(fields('policy', '7', { Constraints: [on('deals_view')] }), before)).toEqual([
    'north.viewer will see all rows of notes.',
    'north.viewer may see other rows of deals_view.',
  ]);
});

it('names new users who see all rows, and counts many users', () => {
  const before = lists({ policies: [policy('7', [on('flights')])] });
  const fresh = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((LoginName) => ({ fields: { LoginName }, groups: [] }));
  const member = { fields: { LoginName: 'z' }, groups: [north] };
  const withOther = { ...before, users: [...before.users, user('2', 'other', [])] };
  expect(said(creatingUsers([...fresh, member]), withOther)).toEqual([
    '8 users will see all rows of flights: a, b, c, d, e and 3 more.',
  ]);
});

it('names new users who see all rows in one application, though a policy restricts them in another', () => {
  const ofOther = policy('8', [on('flights', { ModuleID: '4' })], { Groups: [{ GroupId: '11' }] });
  const before = lists({ policies: [policy('7', [on('flights', { ModuleID: '3' })]), ofOther] });
  expect(said(creatingUsers([{ fields: { LoginName: 'z' }, groups: [north] }]), before)).toEqual([
    'z will see all rows of flights (in some applications).',
  ]);
});

it('counts users beyond the last sentence, not sentences', () => {
  const ids = Array.from({ length: 12 }, (_, index) => String(100 + index));
  const before = lists({
    users: [...ids.map((id) => user(id, `user ${id}`, [])), user('200', 'user 200', [])],
    policies: ids.map((id) => policy(id, [on(`table ${id}`)], { Groups: [], Users: [{ ID: id }, { ID: '200' }] })),
  });
  const lines = said(deleting(ids.map((id) => ({ kind: 'policy', id }))), before);
  expect(lines).toHaveLength(9);
  expect(lines.at(-1)).toBe('and other changes for 5 users');
});

it('tells users with the same login name apart, and marks locked ones', () => {
  const before = lists({
    users: [
      user('1', 'nora'),
      user('2', 'nora', []),
      user('3', 'omar', [north], { lockdate: '2026-11-01T08:00:00' }),
      user('3', 'omar', []),
    ],
    policies: [policy('7', [on('flights')])],
  });
  expect(said(deleting([{ kind: 'policy', id: '7' }]), before)).toEqual([
    '2 users will see all rows of flights: nora (ID 1) and omar (ID 3) (locked).',
  ]);
});

it('leaves out the values of All Users while the group grants nothing', () => {
  const everyone = { GroupId: '1', GroupName: 'All Users', GroupRoles: [{ RoleId: '2' }] };
  const before = lists({
    users: [user('1', 'nora', [everyone, north])],
    tags: [states('NC', { SecurityGroups: [{ RightID: '1', Option1: 'WA' }] })],
    policies: [policy('7', [on('flights')])],
  });
  const off = { ...before, grantsAllUsers: false };
  const lines = rowChangeLines(accessChanges(snapshotOf(off), snapshotOf(before)));
  expect(lines).toEqual(['nora will see more rows of flights.']);
});
