import { describe, expect, it } from 'vitest';
import { accessEffect } from '../../../../src/access/rows/accessEffect.ts';
import { changing, creatingUsers, deleting, saving } from '../../../../src/access/rows/accessEdits.ts';
import { snapshotOf } from '../../../../src/access/rows/snapshot.ts';
import type { Json, JsonObject } from '../../../../src/objects/json.ts';
import { AccessStub } from '../../../support/access/accessStub.ts';

/* Other releases write flags, lists and names otherwise. What cannot be read is unknown and asked about, never 'no change'. */

const north = { GroupId: '10', GroupName: 'North', GroupRoles: [{ RoleId: '2' }] };
const allUsers = { GroupId: '1', GroupName: 'All Users', GroupRoles: [{ RoleId: '2' }] };
const nora: JsonObject = { ID: '1', LoginName: 'nora', SecurityGroups: [allUsers, north] };
const own: JsonObject = {
  ...{
    ModuleID: '',
    TableOwner: '',
    TableName: 'flights',
    ColumnName: 'state',
    Operator: '=',
    Value: 'NC',
    Value2: '',
  },
  ...{ Logical: 'AND', ColumnType: '' },
};
const policy = (more: JsonObject = {}): JsonObject => ({
  ...{ id: '7', Name: 'Own states', isActive: true, Constraints: [own], Groups: [{ GroupId: '10' }], Users: [] },
  ...more,
});

function server(policies: JsonObject[], users: JsonObject[] = [nora]): AccessStub {
  return Object.assign(new AccessStub(), { policies, users });
}

const withoutPolicy = deleting([{ kind: 'policy', id: '7' }]);
const allRows = 'nora will see all rows of flights.';
const unknown = 'nora may see more rows: it is unknown what Own states restricts.';

describe('a policy that is deleted', () => {
  it.each<[string, JsonObject, string[]]>([
    ['is active as text', { isActive: 'True' }, [allRows]],
    ['is active as a number', { isActive: 1 }, [allRows]],
    ['is inactive as text', { isActive: 'false' }, []],
    ['is inactive as a number', { isActive: 0 }, []],
    ['is active or not', { isActive: null }, [unknown]],
    ['has constraints that are null', { Constraints: null }, [unknown]],
    ['has a joiner in lower case', { Constraints: [{ ...own, Logical: 'or' }, own] }, [allRows]],
    ['has a joiner of its own', { Constraints: [{ ...own, Logical: 'XOR' }, own] }, [unknown]],
    ['has no users, as null', { Users: null }, [allRows]],
    ['has unknown assignments', { Groups: null, Users: null }, [unknown]],
    ['has a group without id', { Groups: [{ GroupName: 'North' }] }, [unknown]],
  ])('%s', async (_, more, lines) => {
    const effect = await accessEffect(server([policy(more)]), withoutPolicy);
    expect(effect).toMatchObject({ lines, givesRows: lines.length > 0 });
  });

  it('joins alternatives in lower case as in upper case', () => {
    const [read] = snapshotOf({
      ...{ users: [], tags: [], grantsAllUsers: true },
      policies: [policy({ Constraints: [{ ...own, Logical: 'or' }, own] })],
    }).policies;
    expect(read?.constraints?.map(({ isOr }) => isOr)).toEqual([true, false]);
  });
});

it.each<[string, Json]>([
  ['isActive', null],
  ['Constraints', null],
])('asks when a save makes %s unreadable', async (field, value) => {
  const base = policy();
  const edit = saving('policy', '7', { ...base, [field]: value }, base);
  if (!edit) throw new Error('Nothing changes.');
  const { lines, givesRows } = await accessEffect(server([base]), edit);
  expect(givesRows).toBe(true);
  expect(lines).toEqual(['nora may see other rows of flights.']);
});

describe('memberships', () => {
  const groups = (Membership: Json): JsonObject[] => [
    { GroupId: '1', GroupName: 'All Users', Membership },
    { GroupId: '10', GroupName: 'North', Membership },
  ];
  const omar: JsonObject = { ID: '2', LoginName: 'omar', SecurityGroups: null };

  it('come from the groups for users whose own list is null', async () => {
    const shop = Object.assign(server([policy()], [nora, omar]), { groups: groups([{ ID: '1' }, { ID: '2' }]) });
    const { lines } = await accessEffect(shop, withoutPolicy);
    expect(lines).toEqual(['2 users will see all rows of flights: nora and omar.']);
  });

  it.each<[string, JsonObject[], Json]>([
    ['neither list has them', [{ ...nora, SecurityGroups: null }], null],
    ['both lists are empty', [{ ...nora, SecurityGroups: [] }], []],
    ['those of one user are missing', [nora, omar], null],
  ])('are unknown if %s', async (_, users, Membership) => {
    const shop = Object.assign(server([policy()], users), { groups: groups(Membership) });
    expect(await accessEffect(shop, withoutPolicy)).toMatchObject({
      lines: ['It is unknown who will see more rows: Shop does not return which users are in which groups.'],
      givesRows: true,
    });
  });
});

describe('the group All Users', () => {
  const tag = (group: string): JsonObject => ({
    ...{ ID: '5', Label: 'states', isActive: true, DefaultValue: '', Contacts: [] },
    SecurityGroups: [{ RightID: group, Option1: 'WA' }],
  });
  const placeholder = { ...own, Operator: 'in', Value: '/#states#/' };

  it('is the one of two with that name that all users are in', async () => {
    const namesake = { ...north, GroupName: 'all users' };
    const shop = server(
      [policy({ Constraints: [own], Groups: [], Users: [{ ID: '1' }] })],
      [
        { ...nora, SecurityGroups: [allUsers, namesake] },
        { ID: '2', LoginName: 'omar', SecurityGroups: [allUsers] },
      ],
    );
    Object.assign(shop, { tags: [tag('10')], settings: { enableallusersgrp: false } });
    const edit = changing('policy', ['7'], (object) => ({ ...object, Constraints: [placeholder] }));
    expect((await accessEffect(shop, edit)).lines).toEqual(['nora may see other rows of flights.']);
    shop.tags = [tag('1')];
    expect((await accessEffect(shop, edit)).lines).toEqual(['nora will see no rows of flights.']);
  });

  it('is the only group that a new user is in, although all users so far are also in another', async () => {
    const edit = creatingUsers([{ fields: { LoginName: 'omar' }, groups: [] }]);
    expect((await accessEffect(server([policy()]), edit)).lines).toEqual(['omar will see all rows of flights.']);
    const forAll = server([policy({ Groups: [{ GroupId: '1' }] })]);
    expect((await accessEffect(forAll, edit)).lines).toEqual([]);
  });
});

it('says of a new user that it may see rows if it is unknown what a policy restricts', async () => {
  const unclear = policy({ id: '8', Name: 'Unclear', Constraints: null, Groups: [{ GroupId: '1' }] });
  const edit = creatingUsers([{ fields: { LoginName: 'omar' }, groups: [] }]);
  const { lines, givesRows } = await accessEffect(server([policy(), unclear]), edit);
  expect({ lines, givesRows }).toEqual({ lines: ['omar may see other rows of flights.'], givesRows: true });
});

it('says that a view opens in one application although a policy for another one restricts its table', async () => {
  const on = (TableName: string, ModuleID = '') => ({ ...own, TableName, ModuleID });
  const lifted = policy({ Constraints: [on('notes'), on('deals')] });
  const same = policy({ id: '8', Name: 'Same', Constraints: [on('deals'), on('deals_view')] });
  const elsewhere = policy({ id: '9', Name: 'Elsewhere', Constraints: [on('deals', '2')] });
  const { lines } = await accessEffect(server([lifted, same, elsewhere]), withoutPolicy);
  expect(lines).toContain('nora may see other rows of deals_view.');
});

it('says that a view opens where only a policy for one application closed it', async () => {
  const on = (TableName: string, ModuleID = '') => ({ ...own, TableName, ModuleID });
  const lifted = policy({ Constraints: [on('deals', '2')] });
  const same = policy({ id: '8', Name: 'Same', Constraints: [on('deals'), on('deals_view')] });
  const { lines } = await accessEffect(server([lifted, same]), withoutPolicy);
  expect(lines).toContain('nora may see other rows of deals_view.');
});

it('does not call a policy readable that compares with values of users in another form', () => {
  const labels = policy({ Constraints: [{ ...own, Value: '/#state#/' }] });
  const read = (Contacts: JsonObject[]) =>
    snapshotOf({
      ...{ users: [nora], grantsAllUsers: true, policies: [labels] },
      tags: [{ ID: '3', Label: 'State', isActive: true, DefaultValue: '', Contacts }],
    }).policies[0];
  const [one, two] = ['NC', 'SC'].map((value) => read([{ Holder: { Key: '1' }, Text: value }]));
  expect(one?.constraints).toBeUndefined();
  expect(two?.text).not.toBe(one?.text);
  expect(read([{ RightID: '1', Option1: 'NC' }])?.constraints).toHaveLength(1);
});
