import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { libraryItem } from '../../../../src/contract/resources/library.ts';
import { securityGroup } from '../../../../src/contract/resources/securityGroup.ts';
import { loginResponse, session } from '../../../../src/contract/resources/session.ts';
import { user as userSchema } from '../../../../src/contract/resources/user.ts';
import { anyOf, textLike } from '../../../support/matchers.ts';
import { missingFields } from '../../../support/matrix/documentedFields.ts';
import { startServer, type SignedIn, type TestServer } from '../../../support/server.ts';

const failed = 'Login Failed - Username or Password is invalid.';

describe('sign-in and session', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ sample: true });
  });
  afterAll(() => server.stop());

  const signIn = (body: object) =>
    server.call('login/DoLogin', {
      UserId: 'admin',
      UserPassword: server.adminPassword,
      isGuest: false,
      bolForceLogin: true,
      ...body,
    });
  const check = (sessionToken: string) => server.call('Session/CheckSession', { sessionToken });

  it('answers a sign-in with session, user, product and licences', async () => {
    const { reply } = await server.login('north.modifier', server.adminPassword);
    const parsed = loginResponse.parse(reply);
    expect(parsed).toMatchObject({ ErrorCode: 0, Tenant_Mode: false, maustate: 'Normal', maxrecords: '500000' });
    expect(parsed.ProductVersion).toMatch(/^\d+\.\d+\.\d+$/);
    expect(parsed.LoginSession).toMatchObject({ isGuestSession: false, SessionTimeLeft: 1200 });
    expect(parsed.LoginSession?.SessionToken).toMatch(/^[\w-]{43}$/);
    const user = parsed.LoginUser;
    expect(user).toMatchObject({
      LoginName: 'north.modifier',
      ComboName: 'Modifier, North',
      FullName: 'North Modifier',
      Pin: null,
      lockdate: '0001-01-01T00:00:00',
      isBuilder: true,
      isAgent: false,
      UserApplications: [{ ApplicationName: 'Flight Operations', ApplicationRoleID: '5' }],
    });
    expect(user?.SecurityGroups?.map((group) => [group.GroupName, group.GroupRoles?.[0]?.RoleName])).toEqual([
      ['All Users', 'View'],
      ['North', 'Modify'],
    ]);
    expect(user?.Language?.phraselist?.length).toBeGreaterThan(50);
    expect(parsed.LicensedFeatures).toContainEqual({ Feature: 'Builder', count: anyOf(String), id: '5' });
  });

  it.each([
    ['a wrong password', { UserPassword: 'wrong' }],
    ['an empty password', { UserPassword: '' }],
    ['an unknown user', { UserId: 'nobody.at.all' }],
    ['the reserved account scheduler', { UserId: 'scheduler' }],
    ['the reserved account of the product', { UserId: 'Service' }],
    ['the account named after the product', { UserId: 'Analytics Studio' }],
    ['the reserved account Productname', { UserId: 'productname' }],
    ['the guest account by password', { UserId: 'guest', UserPassword: '' }],
  ])('answers 101 to %s', async (_name, body) => {
    const reply = await signIn(body);
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({ ErrorCode: 101, ErrorMessage: failed, LoginSession: null });
    expect(missingFields(loginResponse, reply.json)).toEqual([]);
  });

  it('keeps out an account that the product comes to be named after', async () => {
    const admin = await server.login('admin', server.adminPassword);
    const settings = (await admin.call('AppSettings/GetAppSettings')).json as object;
    const rename = (Productname: string) =>
      admin.call('AppSettings/SaveAppSettings', { appsettings: { ...settings, Productname } });
    const template = userSchema.parse((await admin.call('Contact/NewContact')).json);
    const create = (LoginName: string) =>
      admin.call('Contact/SaveContact', { withpin: true, user: { ...template, LoginName, Pin: 'a PIN' } });
    const signInAs = async (UserId: string) => (await signIn({ UserId, UserPassword: 'a PIN' })).json;
    expect((await create('Fleet Reports')).json).toMatchObject({ ErrorCode: 0 });
    expect(await signInAs('fleet reports')).toMatchObject({ ErrorCode: 0 });
    await rename('FLEETREPORTS');
    expect(await signInAs('fleet reports')).toMatchObject({ ErrorCode: 101, ErrorMessage: failed });
    for (const name of ['fleetReports', 'Product Name', 'Analytics  Studio', 'scheduler\u200b']) {
      expect((await create(name)).json, name).toMatchObject({ ErrorCode: 9001, ErrorMessage: textLike(/reserved/) });
    }
    await rename('admin');
    // The built-in account is not shut out by a name.
    expect((await signIn({})).json).toMatchObject({ ErrorCode: 0 });
    const again = await server.login('admin', server.adminPassword);
    await again.call('AppSettings/SaveAppSettings', { appsettings: settings });
    expect(await signInAs('Fleet Reports')).toMatchObject({ ErrorCode: 0 });
    const user = userSchema.array().parse((await again.call('Contact/GetContactList')).json);
    await again.call('Contact/DeleteContact', { user: user.find(({ LoginName }) => LoginName === 'Fleet Reports') });
  });

  it('takes login names in any case', async () => {
    expect((await signIn({ UserId: 'ADMIN' })).json).toMatchObject({ ErrorCode: 0 });
  });

  it('answers 9000 when bolForceLogin is left out', async () => {
    const { json } = await signIn({ bolForceLogin: undefined });
    expect(json).toMatchObject({ ErrorCode: 9000, LoginSession: null, LoginUser: null });
    expect(missingFields(loginResponse, json)).toEqual([]);
  });

  it('ends the earlier session of the same user only', async () => {
    const first = await server.login('north.viewer', server.adminPassword);
    const other = await server.login('south.viewer', server.adminPassword);
    const second = await server.login('north.viewer', server.adminPassword);
    expect((await check(first.token)).json).toEqual({
      ErrorCode: 101,
      ErrorMessage: 'Session Expired',
      SessionToken: null,
      SessionFlag: 0,
      isGuestSession: false,
      SessionExpir: '0001-01-01T00:00:00',
    });
    expect((await check(second.token)).json).toMatchObject({ ErrorCode: 0 });
    expect((await check(other.token)).json).toMatchObject({ ErrorCode: 0 });
  });

  it('leaves the earlier session in force when bolForceLogin is false', async () => {
    const first = await server.login('sample.agent', server.adminPassword);
    const refused = await signIn({ UserId: 'sample.agent', bolForceLogin: false });
    expect(refused.json).toMatchObject({ ErrorCode: 9001 });
    expect((await check(first.token)).json).toMatchObject({ ErrorCode: 0 });
    const wrong = await signIn({ UserId: 'sample.agent', UserPassword: 'wrong', bolForceLogin: false });
    expect(wrong.json, 'says nothing without the password').toMatchObject({ ErrorCode: 101 });
  });

  it('moves the expiry on with every call', async () => {
    const { call } = await server.login('admin', server.adminPassword);
    const before = expiryOf((await call('Session/CheckSession')).json);
    await call('Contact/GetRolesList');
    const after = session.parse((await call('Session/RefreshSession')).json);
    expect(after.ErrorCode).toBe(0);
    expect(expiryOf(after)).toBeGreaterThanOrEqual(before);
    expect(Math.abs(expiryOf(after) - Date.now() - 20 * 60_000)).toBeLessThan(5_000);
  });

  it('sets the expiry by SESSION_TIMEOUT', async () => {
    const { call } = await server.login('admin', server.adminPassword);
    const settings = (await call('AppSettings/GetAppSettings')).json as object;
    await call('AppSettings/SaveAppSettings', { appsettings: { ...settings, SESSION_TIMEOUT: 90 } });
    const expiry = expiryOf((await call('Session/CheckSession')).json);
    expect(Math.abs(expiry - Date.now() - 90 * 60_000)).toBeLessThan(5_000);
    await call('AppSettings/SaveAppSettings', { appsettings: settings });
  });

  it('ends with DoLogout, which answers a bare 0', async () => {
    const { call, token } = await server.login('admin', server.adminPassword);
    expect((await call('login/DoLogout')).text).toBe('0');
    expect((await check(token)).json).toMatchObject({ ErrorCode: 101 });
    expect((await call('login/DoLogout')).status).toBe(204);
  });

  it('gives guests sessions of their own, which see what is open to all and change nothing', async () => {
    const one = await server.loginAsGuest();
    const other = await server.loginAsGuest();
    for (const guest of [one, other]) {
      expect((await guest.call('Session/CheckSession')).json).toMatchObject({ ErrorCode: 0, isGuestSession: true });
    }
    const tree = (await one.call('library/GetAllLibraryTree', { includePersonal: true })).json;
    expect(JSON.stringify(tree)).toContain('Public Library');
    expect(JSON.stringify(tree)).not.toContain('Personal Library');
    const me = await one.call('Contact/GetContactById', { ContactId: '2' });
    expect(me.json).toMatchObject({ LoginName: 'guest' });
    expect((await one.call('Contact/SaveMYContact', { withpin: false, user: me.json })).status).toBe(204);
  });

  it('locks an account after five failures, for the right password too, until it is unlocked', async () => {
    const admin = await server.login('admin', server.adminPassword);
    for (let attempt = 0; attempt < 4; attempt += 1) await signIn({ UserId: 'sample.builder', UserPassword: 'guess' });
    await server.login('sample.builder', server.adminPassword);
    for (let attempt = 0; attempt < 5; attempt += 1) await signIn({ UserId: 'sample.builder', UserPassword: 'guess' });
    const locked = await signIn({ UserId: 'sample.builder' });
    expect(locked.json).toMatchObject({ ErrorCode: 101, ErrorMessage: failed });

    const users = userSchema.array().parse((await admin.call('Contact/GetContactList')).json);
    const user = users.find((one) => one.LoginName === 'sample.builder');
    expect(user).toMatchObject({ lockdate: textLike(/^20\d\d-/) });
    const unlocked = await admin.call('Contact/UnlockContact', { user });
    expect(unlocked.json).toMatchObject({
      ErrorCode: 0,
      lockdate: '0001-01-01T00:00:00',
      SecurityGroups: [],
      UserApplications: [],
    });
    await server.login('sample.builder', server.adminPassword);
  });

  it('counts failures that run side by side', async () => {
    await Promise.all(Array.from({ length: 8 }, () => signIn({ UserId: 'sample.architect', UserPassword: 'guess' })));
    expect((await signIn({ UserId: 'sample.architect' })).json).toMatchObject({ ErrorCode: 101 });
  });

  it('counts the groups and the roles in them as they are at every call', async () => {
    const admin = await server.login('admin', server.adminPassword);
    const user = await server.login('north.none', server.adminPassword);
    const northIsShown = async () => {
      const tree = await user.call('library/GetAllLibraryTree', { includePersonal: false });
      return tree.text.includes('"North"');
    };
    const { GroupId, ContactId } = { GroupId: await groupId(admin, 'North'), ContactId: idOf(user) };
    expect(await northIsShown()).toBe(false);
    await admin.call('Group/AddUser', { GroupId, ContactId, RoleId: '2' });
    expect(await northIsShown()).toBe(true);
    await admin.call('Group/AddUser', { GroupId, ContactId, RoleId: '0' });
    expect(await northIsShown()).toBe(false);
    const passport = await user.call('Session/ResetPassport', { withReturn: false });
    expect(passport.json).toMatchObject({
      ErrorCode: 0,
      isShieldLicensed: true,
      TotalUserCount: 14,
      ServiceModuleProfiles: [{ isLicensed: true }],
      RegisteredServerList: [{ DatabasePassword: '' }],
    });
  });

  it('takes an application role at once and gives one with the passport', async () => {
    const admin = await server.login('admin', server.adminPassword);
    const architect = await server.login('north.modifier', server.adminPassword);
    const isShown = async () => (await architect.call('App/GetApplicationList')).text.includes('Flight Operations');
    const record = userSchema.parse((await admin.call('Contact/GetContactById', { ContactId: idOf(architect) })).json);
    const give = (UserApplications: unknown) =>
      admin.call('Contact/SaveContact', { withpin: false, user: { ...record, UserApplications } });
    const group = { GroupId: await groupId(admin, 'South'), ContactId: idOf(architect), RoleId: '2' };
    const ways = {
      ResetPassport: () => architect.call('Session/ResetPassport', { withReturn: false }),
      AddUser: () => admin.call('Group/AddUser', group),
      RemoveUser: () => admin.call('Group/RemoveUser', group),
    };
    for (const [name, renew] of Object.entries(ways)) {
      expect(await isShown(), name).toBe(true);
      await give([]);
      expect(await isShown(), name).toBe(false);
      // Gone from the passport, too, so that the role given again is one that is gained.
      await architect.call('Session/ResetPassport', { withReturn: false });
      await give(record.UserApplications);
      expect(await isShown(), name).toBe(false);
      await renew();
      expect(await isShown(), name).toBe(true);
    }
  });

  it('renews the passport when a report is saved', async () => {
    const admin = await server.login('admin', server.adminPassword);
    const modifier = await server.login('north.modifier', server.adminPassword);
    const found = (await modifier.call('library/SearchReports', { searchstring: '' })).json;
    const [item] = libraryItem
      .array()
      .parse(found)
      .filter((one) => one.isUserModify && one.itemtype !== 0);
    const report = (await modifier.call('Report/GetReport', { ReportId: String(item?.id), isbuilder: true })).json;
    const record = userSchema.parse((await admin.call('Contact/GetContactById', { ContactId: idOf(modifier) })).json);
    const agent = { ...record.UserApplications?.[0], ApplicationRoleID: '6' };
    const UserApplications = [...(record.UserApplications ?? []), agent];
    await admin.call('Contact/SaveContact', { withpin: false, user: { ...record, UserApplications } });
    const isAgent = async () => {
      const items = (await modifier.call('library/SearchReports', { searchstring: '' })).json;
      return libraryItem
        .array()
        .parse(items)
        .some((one) => one.isUserAgent);
    };
    expect(await isAgent()).toBe(false);
    expect((await modifier.call('Report/SaveReport', { report })).json).toMatchObject({ ErrorCode: 0 });
    expect(await isAgent()).toBe(true);
    await admin.call('Contact/SaveContact', { withpin: false, user: record });
  });
});

function idOf({ reply }: SignedIn): string {
  return String((reply.LoginUser as { ID: string }).ID);
}

async function groupId({ call }: SignedIn, name: string): Promise<string> {
  const groups = securityGroup.array().parse((await call('Group/GetAllSecurityGroups')).json);
  return String(groups.find(({ GroupName }) => GroupName === name)?.GroupId);
}

function expiryOf(reply: unknown): number {
  return Date.parse(session.parse(reply).SessionExpir ?? '');
}
