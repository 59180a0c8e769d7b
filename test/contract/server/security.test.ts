import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataTag, type DataTag } from '../../../src/contract/resources/dataTag.ts';
import { policy as policySchema, type Policy } from '../../../src/contract/resources/policy.ts';
import { securityGroup } from '../../../src/contract/resources/securityGroup.ts';
import { anyOf, listWith, textLike } from '../../support/matchers.ts';
import { startServer, type SignedIn, type TestServer } from '../../support/server.ts';

let server: TestServer;
let admin: SignedIn;
beforeAll(async () => {
  server = await startServer({ sample: true });
  admin = await server.login('admin', server.adminPassword);
});
afterAll(() => server.stop());

async function groupId(GroupName: string): Promise<string> {
  const groups = securityGroup.array().parse((await admin.call('Group/GetAllSecurityGroups')).json);
  return String(groups.find((group) => group.GroupName === GroupName)?.GroupId);
}

describe('data tags', () => {
  const template = async (): Promise<DataTag> => dataTag.parse((await admin.call('DataTag/NewDataTag')).json);
  const save = async (datatag: object, more: object = {}) =>
    (await admin.call('DataTag/SaveDataTag', { datatag, ...more })).json;
  const list = async (): Promise<DataTag[]> => dataTag.array().parse((await admin.call('DataTag/GetAllDataTags')).json);
  const value = (RightID: string, Option1: string, type = 'tag_grp') => ({
    LeftID: '',
    RightID,
    RelationshipType: type,
    RelationType: type,
    Option1,
    PermissionTypeEnum: 0,
  });

  it('start from the template that the description shows', async () => {
    expect(await template()).toMatchObject({
      ID: '',
      Label: 'New Data Tag',
      SecurityGroups: [],
      Contacts: [],
      DataTypeEnum: 1,
      isGroup: false,
      isUser: true,
      isActive: true,
      DefaultValue: '',
    });
  });

  it('are saved with their values per group and user, and read back', async () => {
    const North = await groupId('North');
    const saved = await save({
      ...(await template()),
      Label: 'region',
      DefaultValue: 'none',
      SecurityGroups: [value(North, 'N')],
      Contacts: [value('1', 'everything', 'tag_usr')],
    });
    expect(saved).toMatchObject({
      ErrorCode: 0,
      ID: textLike(/^\d+$/),
      SecurityGroups: [{ RightID: North, Option1: 'N', RelationType: 'tag_grp', PermissionTypeEnum: 20 }],
      Contacts: [{ RightID: '1', Option1: 'everything' }],
    });
    expect(await list()).toContainEqual(saved);
    const changed = await save({ ...(saved as object), SecurityGroups: [value(North, 'NN')], Contacts: [] });
    expect(changed).toMatchObject({ SecurityGroups: [{ Option1: 'NN', LeftID: (saved as DataTag).ID }], Contacts: [] });
    const deleted = await admin.call('DataTag/DeleteDataTag', { datatag: changed });
    expect(deleted.json).toEqual({ Code: 0, Message: 'Data Tag Successfully Deleted' });
    expect((await list()).map(({ Label }) => Label)).not.toContain('region');
    const again = await admin.call('DataTag/DeleteDataTag', { datatag: changed });
    expect(again.json).toMatchObject({ Code: 9001 });
  });

  it.each([
    ['an empty label', { Label: '' }, 9001],
    ['a label that is taken, in another case', { Label: 'STATE' }, 9001],
    ['a label that means a profile field', { Label: 'Tag1' }, 9001],
    ['a label that no placeholder can hold', { Label: 'a/#b' }, 9001],
    ['an unknown group', { SecurityGroups: [{ RightID: '999', Option1: 'x' }] }, 9001],
    ['an unknown user', { Contacts: [{ RightID: '999', Option1: 'x' }] }, 9001],
    ['an unknown id', { ID: '999' }, 9001],
    ['missing collections', { SecurityGroups: undefined }, 9000],
    ['collections that are null', { Contacts: null }, 9000],
  ])('are refused with %s, and nothing of them is kept', async (_name, change, code) => {
    const before = await list();
    expect(await save({ ...(await template()), Label: 'refused', ...change })).toMatchObject({ ErrorCode: code });
    expect(await list()).toEqual(before);
  });

  it('are refused from an older revision when they say so', async () => {
    const saved = (await save({ ...(await template()), Label: 'revised' })) as DataTag;
    await save({ ...saved, DefaultValue: 'first' });
    const stale = await save({ ...saved, DefaultValue: 'second' }, { expectedRevision: saved.Revision });
    expect(stale).toMatchObject({ ErrorCode: 9001 });
  });
});

describe('policies', () => {
  const constraint = {
    ModuleID: '',
    TableOwner: '',
    TableName: 'flights',
    ColumnName: 'origin_state',
    Operator: 'in',
    Value: '/#state#/',
    Value2: '',
    Logical: 'AND',
  };
  const template = async (): Promise<Policy> => policySchema.parse((await admin.call('Shield/NewPolicy')).json);
  const list = async (): Promise<Policy[]> =>
    policySchema.array().parse((await admin.call('Shield/GetAllShieldPolicies')).json);
  const find = async (Name: string) => (await list()).find((policy) => policy.Name === Name);
  const save = async (policy: object, more: object = {}) =>
    (
      await admin.call('Shield/SaveShieldPolicy', {
        policy: { ...(await template()), Groups: [], Users: [], Constraints: [constraint], ...policy },
        isDeepSave: true,
        groups: [],
        users: [],
        ...more,
      })
    ).json;

  it('start from the template that the description shows', async () => {
    const first = await template();
    expect(first).toMatchObject({ id: null, Constraints: [], Groups: null, Users: null, isActive: false });
    expect(first.Name).toMatch(/^New Policy /);
    expect(first.Description).toMatch(/^Created \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/);
  });

  it('are listed compactly and saved with whole groups and users', async () => {
    const North = await groupId('North');
    const saved = await save({ Name: 'Listed', isActive: true }, { groups: [North], users: ['1'] });
    expect(saved).toMatchObject({
      ErrorCode: '0',
      id: textLike(/^\d+$/),
      isActive: true,
      Constraints: [constraint],
      Groups: [{ GroupId: North, Membership: listWith({ Pin: null }) }],
      Users: [{ ID: '1', SecurityGroups: anyOf(Array) }],
      CreatedBy: { LoginName: 'admin', FullName: 'Administrator' },
      CreatedDate: textLike(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      ModifiedDate: textLike(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/),
    });
    const listed = await find('Listed');
    expect(listed).toMatchObject({ ErrorCode: '0', Groups: [{ GroupId: North }], Users: [{ ID: '1' }] });
    expect(JSON.stringify(listed)).not.toContain('Membership');
  });

  it('keep their constraints in a shallow save', async () => {
    await save({ Name: 'Shallow' });
    const listed = await find('Shallow');
    const saved = await save({ ...listed, Description: 'changed', Constraints: [] }, { isDeepSave: false });
    expect(saved).toMatchObject({ Description: 'changed', Constraints: [constraint] });
    expect(await save({ ...listed, Constraints: [] })).toMatchObject({ Constraints: [] });
  });

  it('are assigned to groups and taken from them in plain text', async () => {
    await save({ Name: 'Assigned' });
    const policyid = String((await find('Assigned'))?.id);
    const groupid = await groupId('South');
    const change = async (path: 'Shield/AddGroup' | 'Shield/RemoveGroup', body: object) =>
      (await admin.call(path, { policyid, groupid, ...body })).text;
    expect(await change('Shield/AddGroup', {})).toBe('Success');
    expect(await find('Assigned')).toMatchObject({ Groups: [{ GroupId: groupid }] });
    expect(await change('Shield/AddGroup', { groupid: '999' })).toBe('Success');
    expect(await find('Assigned')).toMatchObject({ Groups: [{ GroupId: groupid }] });
    expect(await change('Shield/AddGroup', { policyid: '999' })).toBe('Policy not found');
    expect(await change('Shield/RemoveGroup', { policyid: '999' })).toBe('Policy not found');
    expect(await change('Shield/RemoveGroup', { groupid: '999' })).toBe('Success');
    expect(await change('Shield/RemoveGroup', {})).toBe('Success');
    expect((await find('Assigned'))?.Groups).toEqual([]);
  });

  it('are deleted with a plain text', async () => {
    await save({ Name: 'Doomed' });
    const policy = await find('Doomed');
    expect((await admin.call('Shield/DeletePolicy', { policy })).text).toBe('App Shield Policy Deleted');
    expect(await find('Doomed')).toBeUndefined();
    expect((await admin.call('Shield/DeletePolicy', { policy })).text).toBe('Policy not found');
  });

  it.each([
    ['constraints that are null', { Constraints: null }, {}, 9000],
    ['groups that are null', { Groups: null }, {}, 9000],
    ['users that are left out', { Users: undefined }, {}, 9000],
    ['a constraint without a column', { Constraints: [{ ...constraint, ColumnName: '' }] }, {}, 9000],
    ['an unknown operator', { Constraints: [{ ...constraint, Operator: '= 1 OR 1' }] }, {}, 9000],
    ['a constraint that is no object', { Constraints: ['x'] }, {}, 9000],
    ['an empty name', { Name: '' }, {}, 9001],
    ['an unknown id', { id: '999' }, {}, 9001],
    ['an unknown group', {}, { groups: ['999'] }, 9001],
    ['an unknown user', {}, { users: ['999'] }, 9001],
  ])('are refused with %s, and nothing of them is kept', async (_name, change, more, code) => {
    const before = await list();
    expect(await save({ Name: 'Refused', ...change }, more)).toMatchObject({ ErrorCode: code });
    expect(await list()).toEqual(before);
  });

  it('keep unknown fields of constraints', async () => {
    const saved = await save({ Name: 'Extended', Constraints: [{ ...constraint, Comment: 'kept' }] });
    expect(saved).toMatchObject({ Constraints: [{ Comment: 'kept' }] });
  });
});
