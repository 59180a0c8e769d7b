import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { findProduct } from '../../../../src/contract/resources/application.ts';
import { textLike } from '../../../support/matchers.ts';
import { type SignedIn, startServer, type TestServer } from '../../../support/server.ts';

/* How far an account reaches by what it may change itself. */

const record = z.record(z.string(), z.unknown());
const list = z.array(record);
const password = 'For the First Day 1';
let server: TestServer;
let admin: SignedIn;
beforeAll(async () => {
  server = await startServer({ sample: true });
  admin = await server.login('admin', server.adminPassword);
});
afterAll(() => server.stop());

async function idOf(path: 'Contact/GetContactList' | 'Group/GetAllSecurityGroups', name: string): Promise<string> {
  const all = list.parse((await admin.call(path)).json);
  const found = all.find(({ LoginName, GroupName }) => (LoginName ?? GroupName) === name);
  return String(found?.ID ?? found?.GroupId);
}

/** An account with a role on the sample's application. */
async function addAccount(LoginName: string, isAdmin = false): Promise<SignedIn> {
  const template = record.parse((await admin.call('Contact/NewContact')).json);
  const [regserver] = list.parse((await admin.call('RegServers/GetAdminRegisteredServers')).json);
  const ApplicationID = findProduct(record.parse(regserver))?.ID;
  const UserApplications = [{ ApplicationID, ApplicationRoleID: '6', applicationUserDataSourceID: '' }];
  const user = { ...template, LoginName, isAdmin, UserApplications, Pin: password };
  expect((await admin.call('Contact/SaveContact', { withpin: true, user })).json).toMatchObject({ ErrorCode: 0 });
  return server.login(LoginName, password);
}

const rowsOf = (json: unknown): unknown[] => z.array(z.unknown()).parse(record.parse(json).Data);

describe('a member without access', () => {
  it('sees none of the rows that a value of the group lets through', async () => {
    const South = await idOf('Group/GetAllSecurityGroups', 'South');
    const [found] = list.parse((await admin.call('library/SearchReports', { searchstring: 'Delays by State' })).json);
    const Reportobj = record.parse(
      (await admin.call('Report/GetReportMetadataById', { ReportID: String(found?.id) })).json,
    );
    const member = await addAccount('south.member');
    const states = async (RoleId: string) => {
      const sent = { GroupId: South, ContactId: await idOf('Contact/GetContactList', 'south.member'), RoleId };
      expect((await admin.call('Group/AddUser', sent)).text).toMatch(/Successfully/);
      return rowsOf((await member.call('Report/GetReportData', { Reportobj })).json).length;
    };
    expect(await states('2')).toBeGreaterThan(0);
    expect(await states('0')).toBe(0);
  });
});

describe('an administrator who is no super-admin', () => {
  it('changes no membership of one who is', async () => {
    const helper = await addAccount('helper', true);
    const North = await idOf('Group/GetAllSecurityGroups', 'North');
    const GroupId = await idOf('Group/GetAllSecurityGroups', 'All Users');
    const ContactId = await idOf('Contact/GetContactList', 'admin');
    for (const [path, body] of [
      ['Group/AddUser', { GroupId, ContactId, RoleId: '0' }],
      ['Group/AddUser', { GroupId: North, ContactId, RoleId: '2' }],
      ['Group/RemoveUser', { GroupId: North, ContactId }],
    ] as const) {
      expect((await helper.call(path, body)).status, path).toBe(204);
    }
  });

  it('is told of the folder that was created for a group of others', async () => {
    const helper = await server.login('helper', password);
    const template = record.parse((await helper.call('library/NewLibraryFolder')).json);
    const South = await idOf('Group/GetAllSecurityGroups', 'South');
    const Permissions = [{ LeftID: '', RightID: South, RelationshipType: 'fld_grp', PermissionTypeEnum: 0 }];
    const libraryfolder = { ...template, fname: 'For South', Permissions };
    const { json } = await helper.call('library/SaveLibraryFolder', { libraryfolder, isShared: true });
    expect(json).toMatchObject({ error_code: 0, fname: 'For South', isUserView: false, isUserModify: false });
    const seen = await admin.call('library/GetFolderById', { folderid: String(record.parse(json).id) });
    expect(seen.json).toMatchObject({ fname: 'For South' });
  });
});

it('a personal folder of nobody is refused with a reason', async () => {
  const libraryfolder = record.parse((await admin.call('library/NewLibraryFolder')).json);
  const sent = { libraryfolder: { ...libraryfolder, fname: 'Nowhere' }, isShared: false, currentUserId: '999' };
  const { json } = await admin.call('library/SaveLibraryFolder', sent);
  expect(json).toMatchObject({ error_code: 9001, error_message: textLike(/no user with the id 999/) });
});

it('folders have so many levels that they can still be deleted', async () => {
  const template = record.parse((await admin.call('library/NewLibraryFolder')).json);
  const add = async (ParentLibrary: string) => {
    const libraryfolder = { ...template, fname: 'Deeper', ParentLibrary };
    return record.parse((await admin.call('library/SaveLibraryFolder', { libraryfolder, isShared: true })).json);
  };
  const top = await add('1');
  let last = top;
  let levels = 0;
  while (last.error_code === 0 && levels < 60) {
    last = await add(String(last.id));
    levels += 1;
  }
  expect(last).toMatchObject({ error_code: 9001, error_message: textLike(/at most 50 levels/) });
  const { json } = await admin.call('library/DelFolder', { folderid: String(top.id) });
  expect(JSON.stringify(json)).not.toMatch(/9000/);
  expect((await admin.call('library/GetFolderById', { folderid: String(top.id) })).json).not.toMatchObject({
    fname: 'Deeper',
  });
});
