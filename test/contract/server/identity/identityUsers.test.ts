import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { securityGroup, type SecurityGroup } from '../../../../src/contract/resources/securityGroup.ts';
import { user as userSchema, type User } from '../../../../src/contract/resources/user.ts';
import { anyOf, textLike, textWith } from '../../../support/matchers.ts';
import { startServer, type SignedIn, type TestServer } from '../../../support/server.ts';

let server: TestServer;
let admin: SignedIn;
/** An administrator who is no super-admin. */
let officer: SignedIn;

beforeAll(async () => {
  server = await startServer({ sample: true, realHashes: true });
  admin = await server.login('admin', server.adminPassword);
  officer = await server.login('sample.admin', server.adminPassword);
});
afterAll(() => server.stop());

async function template(): Promise<User> {
  return userSchema.parse((await admin.call('Contact/NewContact')).json);
}

/** Creates a user from the template; returns the record that the save answered. */
async function create(LoginName: string, more: object = {}, by = admin): Promise<User> {
  const user = { ...(await template()), LoginName, Pin: `pin of ${LoginName}`, ...more };
  const reply = await by.call('Contact/SaveContact', { withpin: true, user });
  const saved = userSchema.parse(reply.json);
  expect(saved.ErrorMessage).toBeNull();
  return saved;
}

async function find(LoginName: string): Promise<User | undefined> {
  const list = userSchema.array().parse((await admin.call('Contact/GetContactList')).json);
  return list.find((user) => user.LoginName === LoginName);
}

/** Names of groups by id, for tests that name them. */
async function groupId(GroupName: string): Promise<string> {
  const groups = securityGroup.array().parse((await admin.call('Group/GetAllSecurityGroups')).json);
  return String(groups.find((group) => group.GroupName === GroupName)?.GroupId);
}

const save = (user: object, by = admin, withpin = false) => by.call('Contact/SaveContact', { withpin, user });

describe('users', () => {
  it('gives the template that the description shows', async () => {
    expect(await template()).toMatchObject({
      ID: null,
      SecurityGroups: [],
      UserApplications: [],
      Preferences: [],
      isAdmin: false,
      isSuperAdmin: false,
      bforcepasschange: false,
      timezone: 0,
      Pin: null,
    });
  });

  it('lists the roles 0 to 7 in their own envelope', async () => {
    const roles = (await admin.call('Contact/GetRolesList')).json as Record<string, unknown>[];
    expect(roles.map((role) => [role.RoleId, role.RoleName])).toEqual([
      ['0', 'None'],
      ['1', 'Admin'],
      ['2', 'View'],
      ['3', 'Modify'],
      ['4', 'Delete'],
      ['5', 'Builder'],
      ['6', 'Agent'],
      ['7', 'Architect'],
    ]);
    expect(roles[0]).toMatchObject({ ERROR_CODE: 0, ERROR_MESSAGE: '' });
  });

  it('creates a user who can sign in, and never returns the PIN', async () => {
    const applications = (await find('sample.builder'))?.UserApplications;
    const created = await create('ann', {
      FirstName: 'Ann',
      LastName: 'Other',
      EmailAddress: 'ann@example.com',
      Tag1: 'one',
      Tag4: 'four',
      timezone: -5,
      UserApplications: applications,
      Preferences: [{ theme: 'dark' }],
    });
    expect(created).toMatchObject({
      ID: textLike(/^\d+$/),
      Pin: null,
      FullName: 'Ann Other',
      ComboName: 'Other, Ann',
      Tag1: 'one',
      Tag4: 'four',
      timezone: -5,
      isBuilder: true,
      Preferences: [{ theme: 'dark' }],
      CreateDate: textLike(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
      LoginDate: '0001-01-01T00:00:00',
    });
    const { reply } = await server.login('ann', 'pin of ann');
    expect(reply.LoginUser).toMatchObject({ ID: created.ID });
    const read = await admin.call('Contact/GetContactById', { ContactId: String(created.ID) });
    expect(userSchema.parse(read.json)).toMatchObject({ LoginName: 'ann', UserApplications: applications });
  });

  it('changes what is sent and keeps the password without withpin', async () => {
    const created = await create('bob', { FirstName: 'Bob' });
    await save({ ...created, FirstName: 'Robert', Pin: 'ignored' });
    expect(await find('bob')).toMatchObject({ FirstName: 'Robert', ID: created.ID });
    await server.login('bob', 'pin of bob');
  });

  it('ends the sessions of a user who gets a new password', async () => {
    const created = await create('eve');
    const session = await server.login('eve', 'pin of eve');
    await save({ ...created, Pin: 'a new one' }, admin, true);
    expect((await session.call('Session/CheckSession')).json).toMatchObject({ ErrorCode: 101 });
    await expect(server.login('eve', 'pin of eve')).rejects.toThrow('Sign-in failed');
    await server.login('eve', 'a new one');
  });

  it('answers 9000 to a hand-built object without its collections', async () => {
    for (const collection of ['SecurityGroups', 'UserApplications', 'Preferences']) {
      for (const value of [undefined, null, 'text']) {
        const reply = await save({ ...(await template()), LoginName: 'x', [collection]: value });
        expect(reply.json, collection).toMatchObject({ ErrorCode: 9000 });
      }
    }
    const stored = await find('north.viewer');
    const bare = { ID: stored?.ID, LoginName: 'north.viewer' };
    expect((await admin.call('Contact/DeleteContact', { user: bare })).json).toMatchObject({ ErrorCode: 9000 });
    expect((await admin.call('Contact/UnlockContact', { user: bare })).json).toMatchObject({ ErrorCode: 9000 });
    expect(await find('north.viewer')).toBeDefined();
  });

  it.each([
    ['an empty login name', { LoginName: ' ' }],
    ['a login name that is taken, in another case', { LoginName: 'NORTH.viewer' }],
    ['a reserved login name', { LoginName: 'Scheduler' }],
    ['an unknown application', { UserApplications: [{ ApplicationID: '99', ApplicationRoleID: '5' }] }],
    ['a group role on an application', { UserApplications: [{ ApplicationID: '1', ApplicationRoleID: '4' }] }],
    ['an unknown id', { ID: '12345' }],
  ])('refuses %s', async (_name, change) => {
    const reply = await save({ ...(await template()), LoginName: 'refused', ...change });
    expect(reply.json).toMatchObject({ ErrorCode: 9001, ErrorMessage: textLike(/\w/) });
    expect(await find('refused')).toBeUndefined();
  });

  it('refuses an empty PIN, and a weak one where the settings ask for strong ones', async () => {
    const user = { ...(await template()), LoginName: 'weak' };
    expect((await save({ ...user, Pin: '' }, admin, true)).json).toMatchObject({ ErrorCode: 9001 });
    const settings = (await admin.call('AppSettings/GetAppSettings')).json as object;
    const strict = { ...settings, enforcestrongpassword: 'True' };
    await admin.call('AppSettings/SaveAppSettings', { appsettings: strict });
    expect((await save({ ...user, Pin: 'onlylowercase' }, admin, true)).json).toMatchObject({ ErrorCode: 9001 });
    expect((await save({ ...user, Pin: 'Long3nough&Mixed' }, admin, true)).json).toMatchObject({ ErrorCode: 0 });
    await admin.call('AppSettings/SaveAppSettings', { appsettings: settings });
  });

  it('refuses a save from an older revision when it is told one', async () => {
    const created = await create('dora');
    await save({ ...created, FirstName: 'first' });
    const stale = await admin.call('Contact/SaveContact', {
      withpin: false,
      user: { ...created, FirstName: 'second' },
      expectedRevision: created.Revision,
    });
    expect(stale.json).toMatchObject({ ErrorCode: 9001, ErrorMessage: textWith('in the meantime') });
    expect(await find('dora')).toMatchObject({ FirstName: 'first' });
    // Without it the last save wins, as the description has it.
    expect((await save({ ...created, FirstName: 'third' })).json).toMatchObject({ FirstName: 'third' });
  });

  it('deletes a user with groups and seats and ends the session', async () => {
    const application = (await find('sample.builder'))?.UserApplications;
    const created = await create('gone', { UserApplications: application });
    await admin.call('Group/AddUser', { GroupId: await groupId('North'), ContactId: String(created.ID), RoleId: '3' });
    const session = await server.login('gone', 'pin of gone');
    const consumed = await seatsTaken();
    const deleted = await admin.call('Contact/DeleteContact', { user: await find('gone') });
    expect(deleted.json).toMatchObject({
      ErrorCode: 0,
      ID: created.ID,
      LoginName: 'gone',
      SecurityGroups: null,
      UserApplications: [],
    });
    expect(await find('gone')).toBeUndefined();
    expect(await seatsTaken()).toBe(consumed - 1);
    expect((await session.call('Session/CheckSession')).json).toMatchObject({ ErrorCode: 101 });
  });

  it('keeps the built-in accounts and the one signed in', async () => {
    for (const name of ['admin', 'guest']) {
      const reply = await admin.call('Contact/DeleteContact', { user: await find(name) });
      expect(reply.json, name).toMatchObject({ ErrorCode: 9001 });
    }
    const own = await officer.call('Contact/DeleteContact', { user: await find('sample.admin') });
    expect(own.json).toMatchObject({ ErrorCode: 9001 });
    const demoted = await save({ ...(await find('admin')), isSuperAdmin: false });
    expect(demoted.json).toMatchObject({ ErrorCode: 9001 });
    expect((await save({ ...(await find('guest')), isAdmin: true })).json).toMatchObject({ ErrorCode: 9001 });
  });

  async function seatsTaken(): Promise<number> {
    const [application] = (await admin.call('App/GetApplicationList')).json as {
      ModuleProfile: { ConsumedQuanity: number };
    }[];
    return application?.ModuleProfile.ConsumedQuanity ?? Number.NaN;
  }
});

describe('who may change whom', () => {
  it('keeps super-admins out of the reach of other administrators', async () => {
    const superAdmin = await find('admin');
    expect((await save({ ...superAdmin, Pin: 'stolen' }, officer, true)).status).toBe(204);
    expect((await officer.call('Contact/DeleteContact', { user: superAdmin })).status).toBe(204);
    expect((await officer.call('Contact/UnlockContact', { user: superAdmin })).status).toBe(204);
    await server.login('admin', server.adminPassword).then((session) => (admin = session));
    const promoted = await save({ ...(await find('north.viewer')), isSuperAdmin: true }, officer);
    expect(promoted.json).toMatchObject({ ErrorCode: 9001 });
    expect(await find('north.viewer')).toMatchObject({ isSuperAdmin: false });
  });

  it('looks again once a new password is hashed: what a caller could do before counts no more', async () => {
    const signIn = (name: string) => server.login(name, `pin of ${name}`);
    // The second call is answered while the first one still computes.
    const secondFirst = async (first: Promise<{ status: number; json: unknown }>, second: () => Promise<unknown>) => {
      await second();
      return first;
    };
    const rising = await create('rising');
    const risen = await secondFirst(save({ ...rising, Pin: 'stolen', isSuperAdmin: false }, officer, true), () =>
      save({ ...rising, isSuperAdmin: true }),
    );
    expect(risen.status).toBe(204);
    expect(await find('rising')).toMatchObject({ isSuperAdmin: true });
    await signIn('rising');

    const leaver = await create('leaver');
    const thief = await signIn('leaver');
    const late = await secondFirst(
      thief.call('Contact/SaveMYContact', { withpin: true, user: { ...leaver, FirstName: 'X', Pin: 'stolen' } }),
      () => thief.call('login/DoLogout'),
    );
    expect(late.json).toMatchObject({ ErrorCode: 101, ErrorMessage: 'Session Expired' });
    expect(await find('leaver')).toMatchObject({ FirstName: '' });

    const account = await create('demoted', { isAdmin: true });
    const demoted = await signIn('demoted');
    const victim = await create('victim');
    const refused = await secondFirst(save({ ...victim, Pin: 'stolen' }, demoted, true), () =>
      save({ ...account, isAdmin: false }),
    );
    expect(refused.status).toBe(204);
    await signIn('victim');
  });

  it('shows users to administrators, and to others only themselves', async () => {
    const viewer = await server.login('north.viewer', server.adminPassword);
    const own = String((await find('north.viewer'))?.ID);
    expect((await viewer.call('Contact/GetContactById', { ContactId: own })).json).toMatchObject({ ID: own });
    expect((await viewer.call('Contact/GetContactById', { ContactId: '1' })).status).toBe(204);
    expect((await viewer.call('Contact/GetContactById', { ContactId: '999' })).status).toBe(204);
    expect((await admin.call('Contact/GetContactById', { ContactId: '999' })).json).toMatchObject({ ErrorCode: 9001 });
  });

  it('lets users change their own name and password, and nothing that gives rights', async () => {
    const before = await create('selma', { Tag1: 'mine' });
    const selma = await server.login('selma', 'pin of selma');
    const attempt = {
      ...before,
      FirstName: 'Selma',
      timezone: 2,
      Pin: 'chosen',
      LoginName: 'root',
      isAdmin: true,
      isSuperAdmin: true,
      Tag1: 'theirs',
      SecurityGroups: [{ GroupId: '1', GroupRoles: [{ RoleId: '1' }] }],
      UserApplications: [{ ApplicationID: '1', ApplicationRoleID: '7' }],
    };
    const saved = await selma.call('Contact/SaveMYContact', { withpin: true, user: attempt });
    expect(saved.json).toMatchObject({
      FirstName: 'Selma',
      timezone: 2,
      LoginName: 'selma',
      isAdmin: false,
      isSuperAdmin: false,
      Tag1: 'mine',
      UserApplications: [],
    });
    const again = await server.login('selma', 'chosen');
    const other = await again.call('Contact/SaveMYContact', { withpin: false, user: await find('bob') });
    expect(other.status).toBe(204);
  });

  it('refuses own changes of fields that row security compares with', async () => {
    const template = (await admin.call('Shield/NewPolicy')).json as object;
    const constraint = { TableName: 't', ColumnName: 'c', Operator: '=', Value: '/#company#/' };
    await admin.call('Shield/SaveShieldPolicy', {
      policy: { ...template, Name: 'By company', Constraints: [constraint], Groups: [], Users: [] },
      isDeepSave: true,
      groups: [],
      users: [],
    });
    const viewer = await server.login('north.viewer', server.adminPassword);
    const own = (await viewer.call('Contact/GetContactById', { ContactId: String((await find('north.viewer'))?.ID) }))
      .json as object;
    const moved = await viewer.call('Contact/SaveMYContact', { withpin: false, user: { ...own, Company: 'South' } });
    expect(moved.json).toMatchObject({ ErrorCode: 9001, ErrorMessage: textWith('Company') });
    const renamed = await viewer.call('Contact/SaveMYContact', { withpin: false, user: { ...own, FirstName: 'Nora' } });
    expect(renamed.json).toMatchObject({ ErrorCode: 0, FirstName: 'Nora', Company: 'North' });
  });

  it.each([
    ['firstname', 'FirstName', 'First name'],
    ['LASTNAME', 'LastName', 'Last name'],
    ['email', 'EmailAddress', 'Email address'],
    ['company', 'Company', 'Company'],
  ])('and refuses each of them: %s', async (placeholder, field, label) => {
    const template = (await admin.call('Shield/NewPolicy')).json as object;
    // In a list, beside others, and in a policy that is not active yet.
    const constraint = { TableName: 't', ColumnName: 'c', Operator: 'in', Value: `a,/#${placeholder}#/` };
    const saved = await admin.call('Shield/SaveShieldPolicy', {
      policy: { ...template, Name: `By ${placeholder}`, Constraints: [constraint], Groups: [], Users: [] },
      ...{ isDeepSave: true, groups: [], users: [] },
    });
    const viewer = await server.login('south.viewer', server.adminPassword);
    const own = userSchema.parse(viewer.reply.LoginUser);
    const moved = await viewer.call('Contact/SaveMYContact', { withpin: false, user: { ...own, [field]: 'North' } });
    expect(moved.json).toMatchObject({
      ErrorCode: 9001,
      ErrorMessage: textWith(`${label} decides which data you see`),
    });
    await admin.call('Shield/DeletePolicy', { policy: saved.json });
  });
});

describe('groups', () => {
  const createGroup = async (GroupName: string): Promise<SecurityGroup> => {
    const template = securityGroup.parse((await admin.call('Group/NewSecurityGroup')).json);
    expect(template).toMatchObject({ GroupId: null, Membership: [], AllUsers: [], AllRoles: [], GroupStatus: 0 });
    const reply = await admin.call('Group/SaveSecurityGroup', { group: { ...template, GroupName } });
    return securityGroup.parse(reply.json);
  };

  it('creates, changes and deletes', async () => {
    const created = await createGroup('East');
    expect(created).toMatchObject({ ErrorCode: 0, GroupId: textLike(/^\d+$/), GroupName: 'East' });
    const changed = await admin.call('Group/SaveSecurityGroup', { group: { ...created, GroupDescription: 'Rising' } });
    expect(changed.json).toMatchObject({ GroupId: created.GroupId, GroupDescription: 'Rising' });
    const deleted = await admin.call('Group/DeleteSecurityGroup', { group: changed.json });
    expect(deleted.json).toMatchObject({ ErrorCode: 0, GroupId: created.GroupId, GroupName: 'East' });
    const read = await admin.call('Group/GetSecurityGroupById', { GroupId: String(created.GroupId) });
    expect(read.json).toMatchObject({ ErrorCode: 9001 });
  });

  it('has everyone in All Users, which stays', async () => {
    const all = securityGroup.parse((await admin.call('Group/GetSecurityGroupById', { GroupId: '1' })).json);
    const users = (await admin.call('Contact/GetContactList')).json as unknown[];
    expect(all.Membership).toHaveLength(users.length);
    expect(all.Membership?.[0]).toMatchObject({ UserApplications: anyOf(Array), Pin: null });
    expect((await admin.call('Group/DeleteSecurityGroup', { group: all })).json).toMatchObject({ ErrorCode: 9001 });
    const renamed = await admin.call('Group/SaveSecurityGroup', { group: { ...all, GroupName: 'Some Users' } });
    expect(renamed.json).toMatchObject({ ErrorCode: 9001 });
    const left = await admin.call('Group/RemoveUser', { GroupId: '1', ContactId: '1' });
    expect(left.text).not.toBe('User Removed Successfully.');
  });

  it('adds, changes and removes members in plain text', async () => {
    const { GroupId } = await createGroup('West');
    const ContactId = String((await find('south.viewer'))?.ID);
    const body = { GroupId: String(GroupId), ContactId };
    const roleOf = async () => {
      const user = userSchema.parse((await admin.call('Contact/GetContactById', { ContactId })).json);
      return user.SecurityGroups?.find((group) => group.GroupId === GroupId)?.GroupRoles;
    };
    expect((await admin.call('Group/AddUser', { ...body, RoleId: '2' })).text).toBe('User Added Successfully.');
    expect(await roleOf()).toEqual([{ RoleId: '2', RoleName: 'View' }]);
    await admin.call('Group/AddUser', { ...body, RoleId: '4' });
    expect(await roleOf()).toEqual([{ RoleId: '4', RoleName: 'Delete' }]);
    expect((await admin.call('Group/RemoveUser', body)).text).toBe('User Removed Successfully.');
    expect(await roleOf()).toBeUndefined();
    expect((await admin.call('Group/RemoveUser', body)).text).toContain('is not a member');
  });

  it('answers a text that says what is unknown', async () => {
    const add = async (change: object) =>
      (await admin.call('Group/AddUser', { GroupId: '1', ContactId: '1', RoleId: '1', ...change })).text;
    expect(await add({ ContactId: '999' })).toBe('There is no user with the id 999.');
    expect(await add({ GroupId: '999' })).toBe('There is no group with the id 999.');
    expect(await add({ RoleId: '5' })).toContain('Role 5 cannot be assigned in a group');
  });

  it('refuses names that are empty or taken, and objects without their collections', async () => {
    const created = await createGroup('Center');
    const save = async (group: object) => (await admin.call('Group/SaveSecurityGroup', { group })).json;
    expect(await save({ ...created, GroupName: '' })).toMatchObject({ ErrorCode: 9001 });
    expect(await save({ ...created, GroupId: null, GroupName: 'CENTER' })).toMatchObject({ ErrorCode: 9001 });
    expect(await save({ GroupId: null, GroupName: 'Bare' })).toMatchObject({ ErrorCode: 9000 });
  });
});
