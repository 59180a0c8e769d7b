import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  dashboardEntry,
  folder as folderSchema,
  libraryItem,
  libraryTreeEntry,
  type Folder,
  type LibraryItem,
  type LibraryNode,
} from '../../../src/contract/resources/library.ts';
import { securityGroup } from '../../../src/contract/resources/securityGroup.ts';
import { anyOf, textLike } from '../../support/matchers.ts';
import { startServer, type ServerReply, type SignedIn, type TestServer } from '../../support/server.ts';

let server: TestServer;
let admin: SignedIn;
const people = new Map<string, SignedIn>();

/** A sample user by login name, signed in once per file: a second sign-in would end the first session. */
async function person(name: string): Promise<SignedIn> {
  const known = people.get(name) ?? (await server.login(name, server.adminPassword));
  people.set(name, known);
  return known;
}

beforeAll(async () => {
  server = await startServer({ sample: true });
  admin = await person('admin');
});
afterAll(() => server.stop());

async function tree(who: SignedIn, body: object = {}): Promise<LibraryNode[]> {
  const reply = await who.call('library/GetAllLibraryTree', { includefav: true, includePersonal: true, ...body });
  return libraryTreeEntry
    .array()
    .parse(reply.json)
    .map(({ rootnode }) => rootnode ?? {});
}

/** Names of the folders in the Public Library as somebody sees them. */
async function shownTo(name: string): Promise<(string | null | undefined)[]> {
  const [root] = await tree(await person(name));
  return (root?.children ?? []).map(({ text }) => text);
}

async function folderId(name: string): Promise<string> {
  const [root] = await tree(admin);
  return String((root?.children ?? []).find(({ text }) => text === name)?.id);
}

async function search(who: SignedIn, searchstring: string): Promise<LibraryItem[]> {
  return libraryItem.array().parse((await who.call('library/SearchReports', { searchstring })).json);
}

async function itemsIn(who: SignedIn, LibraryID: string): Promise<LibraryItem[]> {
  return libraryItem.array().parse((await who.call('library/GetListByFolderID', { LibraryID })).json);
}

async function groupId(GroupName: string): Promise<string> {
  const groups = securityGroup.array().parse((await admin.call('Group/GetAllSecurityGroups')).json);
  return String(groups.find((group) => group.GroupName === GroupName)?.GroupId);
}

const scopedTo = (RightID: string) => ({
  ErrorCode: 0,
  ErrorMessage: '',
  LeftID: '',
  RightID,
  RelationshipType: 'fld_grp',
  RelationType: 'fld_grp',
  PermissionTypeEnum: 2,
});

async function newFolder(fname: string, more: object = {}): Promise<Folder> {
  const template = folderSchema.parse((await admin.call('library/NewLibraryFolder')).json);
  return { ...template, fname, ...more };
}

const save = (who: SignedIn, libraryfolder: object, more: object = { isShared: true }): Promise<ServerReply> =>
  who.call('library/SaveLibraryFolder', { libraryfolder, ...more });

describe('the tree', () => {
  it('holds the Public Library, the personal one and favourites, as asked for', async () => {
    const titles = async (body: object) => (await tree(admin, body)).map(({ text, libtype }) => [text, libtype]);
    expect(await titles({})).toEqual([
      ['Public Library', 1],
      ['Personal Library', 2],
      ['Favorites', 3],
    ]);
    expect(await titles({ includefav: false })).toHaveLength(2);
    expect(await titles({ includefav: undefined, includePersonal: false })).toEqual([['Public Library', 1]]);
  });

  it('shows scoped folders to members whose role lets them view', async () => {
    const open = ['Bird Strikes', 'Dashboards', 'Flights'];
    expect(await shownTo('admin')).toEqual([...open, 'North', 'South']);
    expect(await shownTo('sample.admin')).toEqual([...open, 'North', 'South']);
    expect(await shownTo('north.viewer')).toEqual([...open, 'North']);
    expect(await shownTo('south.modifier')).toEqual([...open, 'South']);
    expect(await shownTo('north.none')).toEqual(open);
    expect(await shownTo('sample.agent')).toEqual(open);
  });

  it.each([
    ['north.viewer', { isUserAdmin: false, isUserView: true, isUserModify: false, isUserDelete: false }],
    ['north.modifier', { isUserAdmin: false, isUserView: true, isUserModify: true, isUserDelete: false }],
    ['north.deleter', { isUserAdmin: false, isUserView: true, isUserModify: true, isUserDelete: true }],
    ['sample.admin', { isUserAdmin: true, isUserView: true, isUserModify: true, isUserDelete: true }],
    ['admin', { isUserAdmin: true, isUserView: true, isUserModify: true, isUserDelete: true }],
  ])('gives %s the rights of the role', async (name, rights) => {
    const [root] = await tree(await person(name));
    expect(root?.children?.find(({ text }) => text === 'North')).toMatchObject({ ...rights, isPublicView: false });
    const folder = await (await person(name)).call('library/GetFolderById', { folderid: await folderId('North') });
    expect(folder.json).toMatchObject({ ...rights, fname: 'North', isRestricted: true });
  });

  it('keeps personal libraries to their owners', async () => {
    const modifier = await person('north.modifier');
    const [, personal] = await tree(modifier);
    expect(personal?.children).toMatchObject([{ text: 'Drafts', libtype: 2, isUserAdmin: true }]);
    const drafts = String(personal?.children?.[0]?.id);
    expect(await itemsIn(modifier, drafts)).toMatchObject([{ isPrivate: true, isPublicView: false }]);
    const other = await person('north.deleter');
    expect((await other.call('library/GetListByFolderID', { LibraryID: drafts })).status).toBe(204);
    expect((await other.call('library/GetFolderById', { folderid: drafts })).status).toBe(204);
  });
});

describe('items', () => {
  it('are listed with every documented field', async () => {
    const [dashboard] = await itemsIn(admin, await folderId('Dashboards'));
    expect(Object.keys(dashboard ?? {}).sort()).toEqual(Object.keys(libraryItem.shape).sort());
    expect(dashboard).toMatchObject({
      id: anyOf(Number),
      itemtype: 0,
      folderpath: 'Public Library/Dashboards',
      CreatedDate: textLike(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      CreatedBy: 'admin',
      isPublicView: true,
      isPrivate: false,
      item_flags: textLike(/^\{"reports":\[\d+(,\d+)*\]\}$/),
    });
    const reports = await itemsIn(admin, await folderId('Flights'));
    expect(reports.length).toBeGreaterThan(5);
    for (const report of reports) {
      expect(report).toMatchObject({ AppDisplayName: 'Flight Operations', item_flags: null, error_code: 0 });
      expect(report.itemtype).toBeGreaterThan(0);
    }
  });

  it('are found by a part of their name in any case, where the caller may see them', async () => {
    const all = await search(admin, '');
    expect(all.some(({ itemtype }) => itemtype === 0)).toBe(true);
    const [north] = await itemsIn(admin, await folderId('North'));
    const name = north?.ReportName ?? '';
    expect(await search(admin, name.slice(1).toUpperCase())).toContainEqual(expect.objectContaining({ id: north?.id }));
    expect(await search(await person('south.viewer'), name)).not.toContainEqual(
      expect.objectContaining({ id: north?.id }),
    );
    expect(await search(admin, 'no such report anywhere')).toEqual([]);
    expect(await search(admin, '100%_')).toEqual([]);
  });

  it('of an application without a role for the caller stay hidden', async () => {
    const guest = await server.loginAsGuest();
    const users = (await admin.call('Contact/GetContactList')).json as Record<string, unknown>[];
    const user = { ...users.find(({ LoginName }) => LoginName === 'guest'), UserApplications: [] };
    expect((await admin.call('Contact/SaveContact', { withpin: false, user })).json).toMatchObject({ ErrorCode: 0 });
    const flights = await itemsIn(guest, await folderId('Flights'));
    expect(flights).toEqual([]);
    const dashboards = await itemsIn(guest, await folderId('Dashboards'));
    expect(dashboards.map(({ item_flags }) => item_flags)).toEqual(dashboards.map(() => '{"reports":[]}'));
  });

  it('of folders that the caller may not see answer 204', async () => {
    const south = await person('south.viewer');
    const LibraryID = await folderId('North');
    expect((await south.call('library/GetListByFolderID', { LibraryID })).status).toBe(204);
    expect((await south.call('library/GetListByFolderID', { LibraryID: '9999' })).status).toBe(204);
    expect((await admin.call('library/GetListByFolderID', { LibraryID: '9999' })).text).toBe('[]');
  });

  it('are deleted by DelReport: 0, 9000 when unknown, 204 without the right', async () => {
    const [report] = await itemsIn(admin, await folderId('North'));
    const ReportId = String(report?.id);
    const remove = async (name: string, id = ReportId) => {
      const reply = await (await person(name)).call('library/DelReport', { ReportId: id });
      return [reply.status, reply.text];
    };
    expect(await remove('south.viewer')).toEqual([200, '9000']);
    expect(await remove('north.viewer')).toEqual([204, '']);
    expect(await remove('north.modifier')).toEqual([204, '']);
    expect(await remove('north.deleter')).toEqual([200, '0']);
    expect(await remove('north.deleter')).toEqual([200, '9000']);
    const [dashboard] = await itemsIn(admin, await folderId('Dashboards'));
    expect(await remove('admin', String(dashboard?.id))).toEqual([200, '9000']);
  });
});

describe('favourites', () => {
  it('are marked and unmarked per user, confirmed by search and listed below the tree entry', async () => {
    const viewer = await person('north.viewer');
    const [report] = await itemsIn(viewer, await folderId('Flights'));
    const ReportId = String(report?.id);
    expect((await viewer.call('library/FavReport', { ReportId })).text).toBe('1');
    expect(await search(viewer, report?.ReportName ?? '')).toContainEqual(expect.objectContaining({ isFav: true }));
    expect((await search(admin, report?.ReportName ?? '')).map(({ isFav }) => isFav)).not.toContain(true);
    const favourites = (await tree(viewer)).find(({ text }) => text === 'Favorites');
    expect((await itemsIn(viewer, String(favourites?.id))).map(({ id }) => id)).toEqual([report?.id]);
    await viewer.call('library/UnFavReport', { ReportId });
    expect(await itemsIn(viewer, String(favourites?.id))).toEqual([]);
  });

  it('of dashboards show in the dashboard search', async () => {
    const viewer = await person('north.viewer');
    const list = async (body: object) =>
      dashboardEntry.array().parse((await viewer.call('Dashboard/SearchDashboardList', body)).json);
    const all = await list({ search: '' });
    expect(all).toEqual(await list({}));
    const DashboardId = String(all[0]?.id);
    expect((await viewer.call('library/FavDash', { DashboardId })).text).toBe('1');
    expect((await list({ search: '' })).map(({ isFav }) => isFav)).toEqual([1, 0]);
    expect((await viewer.call('library/UnFavDash', { DashboardId })).text).toBe('1');
    expect(await list({ search: 'GLANCE' })).toMatchObject([
      { name: 'Bird Strikes at a Glance', isFav: 0, isPersonal: 0, weight: 0 },
      { name: 'Flight Operations at a Glance', isFav: 0 },
    ]);
  });

  it('cannot be given to what the caller does not see, or by guests', async () => {
    const viewer = await person('north.viewer');
    const [south] = await itemsIn(admin, await folderId('South'));
    expect((await viewer.call('library/FavReport', { ReportId: String(south?.id) })).status).toBe(204);
    expect((await viewer.call('library/FavDash', { DashboardId: '9999' })).status).toBe(204);
    const guest = await server.loginAsGuest();
    const [dashboard] = await itemsIn(admin, await folderId('Dashboards'));
    expect((await guest.call('library/FavDash', { DashboardId: String(dashboard?.id) })).status).toBe(204);
  });
});

describe('folders', () => {
  it('start from the template that the description shows', async () => {
    expect(await newFolder('New Folder')).toMatchObject({
      error_code: 0,
      id: 0,
      fname: 'New Folder',
      Permissions: [],
      isPersonalFolder: false,
    });
  });

  it('are created, scoped, renamed and deleted with their content', async () => {
    const North = await groupId('North');
    const created = await save(admin, await newFolder('Plans', { Permissions: [scopedTo(North)] }));
    const folder = folderSchema.parse(created.json);
    expect(folder).toMatchObject({
      error_code: 0,
      fname: 'Plans',
      folderpath: 'Public Library/Plans',
      Permissions: [{ LeftID: String(folder.id), RightID: North, RelationType: 'fld_grp', PermissionTypeEnum: 2 }],
    });
    expect(await shownTo('north.viewer')).toContain('Plans');
    expect(await shownTo('south.viewer')).not.toContain('Plans');

    const inside = await save(admin, await newFolder('Inside', { ParentLibrary: String(folder.id) }));
    expect(inside.json).toMatchObject({ folderpath: 'Public Library/Plans/Inside', isRestricted: false });
    const hidden = await (
      await person('south.viewer')
    ).call('library/GetFolderById', {
      folderid: String(folderSchema.parse(inside.json).id),
    });
    expect(hidden.status, 'a folder within takes over its parent’s groups').toBe(204);

    const renamed = await save(admin, { ...folder, fname: 'Old Plans', Permissions: [] });
    expect(renamed.json).toMatchObject({ id: folder.id, fname: 'Old Plans', Permissions: [], isPublicView: true });
    expect(await shownTo('south.viewer')).toContain('Old Plans');

    const deleted = await admin.call('library/DelFolder', { folderid: String(folder.id) });
    expect(deleted.json).toEqual({ returncode: 0, message: '2 items deleted.' });
    expect(await shownTo('admin')).not.toContain('Old Plans');
    const again = await admin.call('library/DelFolder', { folderid: String(folder.id) });
    expect(again.json).toMatchObject({ returncode: 9001 });
  });

  it('close, instead of opening to all, when their last group is deleted', async () => {
    const template = securityGroup.parse((await admin.call('Group/NewSecurityGroup')).json);
    const group = (await admin.call('Group/SaveSecurityGroup', { group: { ...template, GroupName: 'Passing' } })).json;
    const { GroupId } = securityGroup.parse(group);
    await save(admin, await newFolder('Secret Plans', { Permissions: [scopedTo(String(GroupId))] }));
    await admin.call('Group/DeleteSecurityGroup', { group });
    expect(await shownTo('north.viewer')).not.toContain('Secret Plans');
    expect(await shownTo('admin')).toContain('Secret Plans');
  });

  it('may be created where the caller may modify, with groups of the caller only', async () => {
    const modifier = await person('north.modifier');
    const viewer = await person('north.viewer');
    const ParentLibrary = await folderId('North');
    expect((await save(viewer, await newFolder('No', { ParentLibrary }))).status).toBe(204);
    expect((await save(modifier, await newFolder('No'))).status, 'the Public Library itself').toBe(204);
    const made = await save(modifier, await newFolder('Mine', { ParentLibrary }));
    expect(made.json).toMatchObject({ error_code: 0, ParentLibrary, isUserModify: true, isUserDelete: false });
    const foreign = [scopedTo(await groupId('South'))];
    const refused = await save(modifier, await newFolder('No', { ParentLibrary, Permissions: foreign }));
    expect(refused.json).toMatchObject({ error_code: 9001 });
    const opened = await save(modifier, { ...(made.json as object), Permissions: foreign });
    expect(opened.json).toMatchObject({ error_code: 9001 });
    expect((await modifier.call('library/DelFolder', { folderid: ParentLibrary })).status).toBe(204);
  });

  it('go into the personal library when they are not shared', async () => {
    const modifier = await person('north.modifier');
    const own = await save(modifier, await newFolder('Notes'), { isShared: false });
    expect(own.json).toMatchObject({ isPersonalFolder: true, folderpath: 'Personal Library/Notes' });
    const others = await save(modifier, await newFolder('Notes'), { isShared: false, currentUserId: '1' });
    expect(others.status).toBe(204);
    const guest = await server.loginAsGuest();
    expect((await save(guest, await newFolder('Notes'), { isShared: false })).status).toBe(204);
  });

  it('are refused when they would end up wrong', async () => {
    const flights = folderSchema.parse(
      (await admin.call('library/GetFolderById', { folderid: await folderId('Flights') })).json,
    );
    const inside = folderSchema.parse(
      (await save(admin, await newFolder('Inside', { ParentLibrary: String(flights.id) }))).json,
    );
    const refusedWith = async (libraryfolder: object) => (await save(admin, libraryfolder)).json;
    expect(await refusedWith({ ...flights, ParentLibrary: String(inside.id) })).toMatchObject({ error_code: 9001 });
    expect(await refusedWith({ ...flights, fname: ' ' })).toMatchObject({ error_code: 9001 });
    expect(await refusedWith({ ...flights, Permissions: [scopedTo('999')] })).toMatchObject({ error_code: 9001 });
    expect(await refusedWith({ ...flights, Permissions: undefined })).toMatchObject({ error_code: 9000 });
    expect(await refusedWith({ ...flights, id: 1 })).toMatchObject({ error_code: 9001 });
    expect(await refusedWith({ ...flights, id: 9999 })).toMatchObject({ error_code: 9001 });
    expect((await admin.call('library/DelFolder', { folderid: '1' })).json).toMatchObject({ returncode: 9001 });
    const stale = await save(admin, flights, { isShared: true, expectedRevision: 99 });
    expect(stale.json).toMatchObject({ error_code: 9001 });
  });

  it('open to All Users are read-only for Builders and Architects in Tenant Mode', async () => {
    const members = (await admin.call('Group/GetSecurityGroupById', { GroupId: '1' })).json;
    const { Membership } = securityGroup.parse(members);
    const ContactId = String(Membership?.find(({ LoginName }) => LoginName === 'sample.builder')?.ID);
    await admin.call('Group/AddUser', { GroupId: '1', ContactId, RoleId: '4' });
    const settings = (await admin.call('AppSettings/GetAppSettings')).json as object;
    const rights = async () => {
      const builder = await server.login('sample.builder', server.adminPassword);
      const reply = await builder.call('library/GetFolderById', { folderid: await folderId('Flights') });
      const { isUserView, isUserModify, isUserDelete } = folderSchema.parse(reply.json);
      return { isUserView, isUserModify, isUserDelete };
    };
    expect(await rights()).toEqual({ isUserView: true, isUserModify: true, isUserDelete: true });
    const tenantMode = { ...settings, TENANT_MODE_ENABLED: 'True' };
    await admin.call('AppSettings/SaveAppSettings', { appsettings: tenantMode });
    expect(await rights()).toEqual({ isUserView: true, isUserModify: false, isUserDelete: false });
    await admin.call('AppSettings/SaveAppSettings', { appsettings: settings });
  });
});
