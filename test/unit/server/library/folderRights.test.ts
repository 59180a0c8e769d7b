import { beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../../src/server/calls/caller.ts';
import { assignApplication } from '../../../../src/server/identity/applicationRoles.ts';
import { callerOf } from '../../../../src/server/identity/callers.ts';
import { addMember, insertGroup } from '../../../../src/server/identity/groups.ts';
import { adminUserId, allUsersGroupId, identitySchema } from '../../../../src/server/identity/identitySchema.ts';
import { findUser, insertUser } from '../../../../src/server/identity/users.ts';
import { visibleFolder, visibleFolders } from '../../../../src/server/library/folderRights.ts';
import { insertFolder, scopeFolder, setFolderScope } from '../../../../src/server/library/folders.ts';
import {
  deleteItem,
  insertDashboard,
  insertReport,
  readableReport,
  reportsOfDashboard,
} from '../../../../src/server/library/items.ts';
import { librarySchema, publicLibraryId } from '../../../../src/server/library/librarySchema.ts';
import { settingsSchema } from '../../../../src/server/store/settings.ts';
import { Store } from '../../../../src/server/store/store.ts';

let store: Store;
let annId: string;
let west: string;
let east: string;
beforeEach(() => {
  store = Store.open(':memory:', [settingsSchema, identitySchema, librarySchema]);
  annId = insertUser(store, { loginName: 'ann' });
  west = insertGroup(store, { name: 'West' });
  east = insertGroup(store, { name: 'East' });
});

function caller(userId = annId): Caller {
  const user = findUser(store, userId);
  if (!user) throw new Error('missing');
  return callerOf(store, user, false);
}

const folder = (name: string, parentId: string | null = null, more: object = {}) =>
  insertFolder(store, { name, parentId, kind: 'public', ownerId: null, ...more });
const seen = (id: string) => visibleFolder(store, caller(), id)?.rights;

describe('rights on folders', () => {
  const nothing = undefined;
  const view = { admin: false, view: true, modify: false, delete: false };

  it.each([
    ['0', nothing],
    ['1', { admin: true, view: true, modify: true, delete: true }],
    ['2', view],
    ['3', { ...view, modify: true }],
    ['4', { ...view, modify: true, delete: true }],
  ])('follow role %s', (roleId, rights) => {
    const id = folder('Scoped');
    scopeFolder(store, id, west);
    expect(seen(id)).toBeUndefined();
    addMember(store, west, annId, roleId);
    expect(seen(id)).toEqual(rights);
  });

  it('are the best of all groups that the folder belongs to', () => {
    const id = folder('Scoped');
    setFolderScope(store, id, [west, east]);
    addMember(store, west, annId, '2');
    addMember(store, east, annId, '3');
    expect(seen(id)).toEqual({ ...view, modify: true });
  });

  it('come from the parent unless the folder has groups of its own or does not inherit', () => {
    const parent = folder('Parent');
    scopeFolder(store, parent, west);
    const child = folder('Child', parent);
    const own = folder('Own', parent);
    scopeFolder(store, own, east);
    const open = folder('Open', parent, { inherits: false });
    addMember(store, west, annId, '3');
    expect(seen(child)).toEqual({ ...view, modify: true });
    expect(seen(own)).toBeUndefined();
    expect(seen(open), 'All Users, by the role there').toEqual(view);
  });

  it('stay hidden below a hidden folder, whatever their own groups are', () => {
    const parent = folder('Parent');
    scopeFolder(store, parent, east);
    const child = folder('Child', parent);
    scopeFolder(store, child, west);
    addMember(store, west, annId, '1');
    expect(seen(child)).toBeUndefined();
  });

  it('leave the root as a way to scoped folders for those without rights in All Users', () => {
    addMember(store, allUsersGroupId, annId, '0');
    const id = folder('Scoped');
    scopeFolder(store, id, west);
    addMember(store, west, annId, '2');
    expect(seen(id)).toEqual(view);
    expect(seen(publicLibraryId)).toBeUndefined();
    expect(visibleFolders(store, caller()).has(publicLibraryId)).toBe(true);
  });

  it('on personal folders are the owner’s and the super-admin’s', () => {
    const id = insertFolder(store, { name: 'Mine', parentId: null, kind: 'personal', ownerId: annId });
    const bob = insertUser(store, { loginName: 'bob', isAdmin: true });
    expect(seen(id)).toMatchObject({ admin: true });
    expect(visibleFolder(store, caller(bob), id)).toBeUndefined();
    expect(visibleFolder(store, caller(adminUserId), id)).toBeDefined();
    expect(visibleFolder(store, { ...caller(), isGuest: true }, id)).toBeUndefined();
  });
});

describe('readableReport', () => {
  const report = (folderId: string) =>
    insertReport(store, {
      definition: { Reportname: 'Sales', Description: 'By month', FieldList: [], Extra: 1 },
      folderId,
      createdBy: adminUserId,
      applicationId: '7',
    });

  it('gives the definition with id, folder, authors and what it does not know itself', () => {
    assignApplication(store, annId, '7', '6');
    const id = report(publicLibraryId);
    expect(readableReport(store, caller(), id)).toMatchObject({
      id,
      folderId: publicLibraryId,
      applicationId: '7',
      rights: { view: true, modify: false, delete: false },
      definition: { ReportID: id, folderid: 1, Reportname: 'Sales', CreatedBy: { LoginName: 'admin' }, Extra: 1 },
    });
  });

  it('needs a role on the application and the view of the folder', () => {
    const scoped = folder('Scoped');
    scopeFolder(store, scoped, west);
    const id = report(scoped);
    expect(readableReport(store, caller(), id)).toBeUndefined();
    assignApplication(store, annId, '7', '6');
    expect(readableReport(store, caller(), id)).toBeUndefined();
    addMember(store, west, annId, '2');
    expect(readableReport(store, caller(), id)).toBeDefined();
    expect(readableReport(store, { ...caller(), applications: [{ applicationId: '8', roleId: '7' }] }, id)).toBe(
      undefined,
    );
    expect(readableReport(store, caller(adminUserId), id)).toBeDefined();
  });

  it('knows no dashboards, and dashboards forget deleted reports', () => {
    const kept = report(publicLibraryId);
    const doomed = report(publicLibraryId);
    const dashboard = insertDashboard(store, {
      name: 'All',
      description: '',
      folderId: publicLibraryId,
      reportIds: [doomed, kept],
    });
    expect(readableReport(store, caller(adminUserId), dashboard)).toBeUndefined();
    expect(reportsOfDashboard(store, dashboard)).toEqual([doomed, kept]);
    deleteItem(store, doomed);
    expect(reportsOfDashboard(store, dashboard)).toEqual([kept]);
  });
});
