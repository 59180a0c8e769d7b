import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EndpointPath } from '../../../../src/contract/endpoints.ts';
import { reportOf, reportTypeOf, Scene, type CallerKind, type Json } from '../../../support/matrix/scene.ts';

/*
 * Objects are sent whole, so every save is an occasion to send more than one may: rights, other people's identifiers,
 * fields that the server keeps. Whatever is answered, nobody's rights and nothing of the other tenant may change.
 */

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const noGain: readonly CallerKind[] = ['guest', 'stranger', 'viewer', 'editor', 'groupAdmin'];

const rights = ['LoginName', 'isAdmin', 'isSuperAdmin', 'isBuilder', 'isAgent', 'isArchitect', 'lockdate'];
const heldByServer = ['Tag1', 'Tag2', 'Tag3', 'Tag4', 'SecurityGroups', 'UserApplications', 'UserState', 'CreateDate'];
const userRights = (user: Json) => [...rights, ...heldByServer].map((name) => user[name]);

/** Everybody's rights, and all that belongs to the other tenant, as a super-admin reads it. */
async function whatMustStay(): Promise<unknown> {
  const { other } = scene.tenants;
  const { folderId, moduleId: moduleid, serverId: regserverid, reportId } = other;
  const folders = [scene.tenants.own.folderId, folderId];
  return {
    users: (await scene.list('Contact/GetContactList')).map(userRights),
    scopes: await Promise.all(
      folders.map(async (folderid) => (await scene.ask('library/GetFolderById', { folderid })).Permissions),
    ),
    policies: await scene.list('Shield/GetAllShieldPolicies'),
    tags: await scene.list('DataTag/GetAllDataTags'),
    otherFolder: await scene.ask('library/GetFolderById', { folderid: folderId }),
    otherItems: await scene.list('library/GetListByFolderID', { LibraryID: folderId }),
    otherReport: await scene.ask('Report/GetReport', { ReportId: reportId }),
    otherModule: await scene.ask('AppBuilder/GetAnyDbModule', { moduleid, regserverid }),
    otherServers: (await scene.list('RegServers/GetAdminRegisteredServers')).filter(({ ID }) => ID === regserverid),
  };
}

const everything: Json = {
  ...{ LoginName: 'somebody.else', isAdmin: true, isSuperAdmin: true, isBuilder: true, isAgent: true },
  ...{ isArchitect: true, Tag1: 'x', Tag2: 'x', Tag3: 'x', Tag4: 'x', UserState: 7, CreateDate: '2001-01-01T00:00:00' },
  ...{ lockdate: '0001-01-01T00:00:00', FirstName: 'Changed' },
};

interface Attack {
  endpoint: EndpointPath;
  body: (who: { userId: string }) => Promise<object>;
  /** Who tries it; otherwise everybody who administers nothing. */
  by?: readonly CallerKind[];
}

const otherPermission = () => ({
  ...{ LeftID: '', RightID: scene.tenants.other.groupId, RelationshipType: 'fld_grp', RelationType: 'fld_grp' },
  PermissionTypeEnum: 2,
});
const ownFolder = () => scene.ask('library/GetFolderById', { folderid: scene.tenants.own.folderId });
const ownReport = () => scene.ask('Report/GetReport', { ReportId: scene.tenants.own.reportId });

const attacks: Readonly<Record<string, Attack>> = {
  'rights in the own profile': {
    endpoint: 'Contact/SaveMYContact',
    body: async ({ userId }) => {
      const { groupId, moduleId } = scene.tenants.other;
      const SecurityGroups = [{ GroupId: groupId, GroupRoles: [{ RoleId: '1', RoleName: 'Admin' }] }];
      const UserApplications = [{ ApplicationID: moduleId, ApplicationRoleID: '7' }];
      const user = await scene.ask('Contact/GetContactById', { ContactId: userId });
      return { withpin: false, user: { ...user, ...everything, SecurityGroups, UserApplications } };
    },
  },
  'somebody else’s ID in the own profile': {
    endpoint: 'Contact/SaveMYContact',
    body: async () => {
      const user = await scene.ask('Contact/GetContactById', { ContactId: scene.tenants.other.memberId });
      return { withpin: true, user: { ...user, ...everything, Pin: 'taken over by somebody' } };
    },
  },
  'the other tenant’s group on the own folder': {
    endpoint: 'library/SaveLibraryFolder',
    body: async () => ({ libraryfolder: { ...(await ownFolder()), Permissions: [otherPermission()] }, isShared: true }),
  },
  'no group on the own folder, so that all see it': {
    endpoint: 'library/SaveLibraryFolder',
    body: async () => ({
      libraryfolder: { ...(await ownFolder()), Permissions: [], isUserAdmin: true },
      isShared: true,
    }),
    // The admins of a folder may do that.
    by: noGain.filter((kind) => kind !== 'groupAdmin'),
  },
  'the other tenant’s folder as parent': {
    endpoint: 'library/SaveLibraryFolder',
    body: async () => ({
      libraryfolder: { ...(await ownFolder()), ParentLibrary: scene.tenants.other.folderId },
      isShared: true,
    }),
  },
  'a folder in somebody else’s personal library': {
    endpoint: 'library/SaveLibraryFolder',
    body: async () => ({
      libraryfolder: { ...(await scene.ask('library/NewLibraryFolder')), fname: 'Planted', isPersonalFolder: true },
      isShared: false,
      currentUserId: scene.tenants.other.memberId,
    }),
  },
  'the other tenant’s folder for the own report': {
    endpoint: 'Report/SaveReport',
    body: async () => ({ report: { ...(await ownReport()), folderid: Number(scene.tenants.other.folderId) } }),
  },
  'the other tenant’s ReportID': {
    endpoint: 'Report/SaveReport',
    body: async () => ({ report: { ...(await ownReport()), ReportID: scene.tenants.other.reportId } }),
  },
  'the other tenant’s application for a new report': {
    endpoint: 'Report/SaveReport',
    body: async () => {
      const { own, other } = scene.tenants;
      return { report: reportOf({ name: other.name, folderId: own.folderId }, 'Borrowed application') };
    },
  },
  'another author of a report': {
    endpoint: 'Report/SaveReport',
    body: async () => {
      const author = { LoginName: 'admin', FullName: 'Administrator' };
      return { report: { ...(await ownReport()), CreatedBy: author, LastModifiedBy: author } };
    },
  },
  'the other tenant’s server with the own application': {
    endpoint: 'RegServers/SaveRegSrv',
    body: async () => ({ regserver: { ...scene.tenants.own.regserver, ID: scene.tenants.other.serverId } }),
  },
  'the own server with the other tenant’s application': {
    endpoint: 'RegServers/SaveRegSrv',
    body: async () => ({
      regserver: { ...scene.tenants.other.regserver, ID: scene.tenants.own.serverId },
      bsaveasanydb: true,
    }),
  },
  'a report type of the other tenant by its number': {
    endpoint: 'AppBuilder/SaveAnyDbModule',
    body: async () => {
      const { own, other } = scene.tenants;
      const ids = { moduleid: other.moduleId, regserverid: other.serverId };
      const { ReportTypes } = await scene.ask('AppBuilder/GetAnyDbModule', ids);
      const [theirs] = Array.isArray(ReportTypes) ? (ReportTypes as Json[]) : [];
      const changed = { ...reportTypeOf(own), RepTypeID: theirs?.RepTypeID, RepTypeName: 'Taken over' };
      return { anydbmodule: { ReportTypes: [changed, { ...changed, Moduleid: Number(other.moduleId) }] } };
    },
  },
};

describe('what is sent beside what may be changed', () => {
  it.each(Object.entries(attacks))('%s', async (_name, { endpoint, body, by = noGain }) => {
    const before = await whatMustStay();
    for (const kind of by) {
      const who = scene.person(kind);
      const reply = await who.call(endpoint, await body(who));
      expect([200, 204], `${endpoint} by ${kind}`).toContain(reply.status);
      expect(await whatMustStay(), `${endpoint} by ${kind}`).toEqual(before);
    }
  });

  it('keeps the author of a report, whoever the report says it was', async () => {
    const { CreatedBy } = await ownReport();
    expect(CreatedBy).toMatchObject({ LoginName: 'admin' });
    const { own } = scene.tenants;
    const editor = scene.person('editor');
    const report = { ...reportOf(own, 'By the editor'), CreatedBy: { LoginName: 'admin', FullName: '' } };
    const saved = (await editor.call('Report/SaveReport', { report })).json;
    expect(saved).toMatchObject({ CreatedBy: { LoginName: 'editor' }, LastModifiedBy: { LoginName: 'editor' } });
  });

  it('lets an administrator who is no super-admin make none, and reach none', async () => {
    const administrator = scene.person('administrator');
    const user = await scene.ask('Contact/GetContactById', { ContactId: administrator.userId });
    const reply = await administrator.call('Contact/SaveContact', {
      withpin: false,
      user: { ...user, isSuperAdmin: true },
    });
    expect(reply.json).toMatchObject({ ErrorCode: 9001 });
    const boss = await scene.ask('Contact/GetContactById', { ContactId: scene.person('superAdmin').userId });
    for (const endpoint of ['Contact/SaveContact', 'Contact/DeleteContact', 'Contact/UnlockContact'] as const) {
      expect((await administrator.call(endpoint, { withpin: false, user: boss })).status, endpoint).toBe(204);
    }
  });
});
