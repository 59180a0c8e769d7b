import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import { reportTypeOf, type Json, type Person, type Scene, type Side } from './scene.ts';

/** How one endpoint is called in the matrix, and what everybody is to be answered. */
export interface EndpointCase {
  /** Body without the token; may make what the call is about. */
  body: (scene: Scene, side: Side, who: Person) => object | Promise<object>;
  /**
   * Outcomes for guest, stranger, viewer, editor, group admin, administrator and super-admin, on the own tenant and on
   * the other one; one text where the call is about nobody's tenant. Signed-out callers follow from the contract.
   */
  access: string | Readonly<Record<Side, string>>;
}

const everybody = '+++++++';
const administrators = '-----++';
const nothing = () => ({});
/** A call that has no object. */
const open: EndpointCase = { body: nothing, access: everybody };
const administrative: EndpointCase = { body: nothing, access: administrators };

/** A case about something of a tenant. */
const about = (body: EndpointCase['body'], own: string, other: string): EndpointCase => ({
  body,
  access: { own, other },
});

const ownUser = (scene: Scene, who: Person): Promise<Json> =>
  scene.ask('Contact/GetContactById', { ContactId: who.userId });
/** The caller's own account, or somebody else's. */
const userOf = (scene: Scene, side: Side, who: Person): Promise<Json> =>
  side === 'own' ? ownUser(scene, who) : scene.newUser('other');

const identity = {
  'login/DoLogin': {
    body: (_scene, _side, { kind }) => ({
      ...{ UserId: kind, UserPassword: 'wrong', isGuest: kind === 'guest' },
      bolForceLogin: true,
    }),
    // Everybody else gives a wrong password: signing in for real is the session tests' business.
    access: '+111111',
  },
  'Session/CheckSession': open,
  'Session/RefreshSession': open,
  'Session/ResetPassport': { body: () => ({ withReturn: false }), access: everybody },
  'login/DoLogout': open,
  'Contact/NewContact': open,
  'Contact/SaveContact': about(
    async (scene, side, who) => ({ withpin: false, user: await userOf(scene, side, who) }),
    administrators,
    administrators,
  ),
  'Contact/SaveMYContact': about(
    async (scene, side, who) => ({ withpin: false, user: await userOf(scene, side, who) }),
    '-++++++',
    '-------',
  ),
  'Contact/GetContactList': administrative,
  'Contact/GetContactById': about(
    async (scene, side, who) => ({ ContactId: side === 'own' ? who.userId : scene.tenants.other.memberId }),
    everybody,
    administrators,
  ),
  // Nobody deletes the account that they are signed in with.
  'Contact/DeleteContact': about(
    async (scene, side, who) => ({ user: await userOf(scene, side, who) }),
    '-----!!',
    administrators,
  ),
  'Contact/UnlockContact': about(
    async (scene, side, who) => ({ user: await userOf(scene, side, who) }),
    administrators,
    administrators,
  ),
  'Contact/GetRolesList': open,
  'Group/GetAllSecurityGroups': administrative,
  'Group/GetSecurityGroupById': about(
    (scene, side) => ({ GroupId: scene.tenants[side].groupId }),
    administrators,
    administrators,
  ),
  'Group/NewSecurityGroup': open,
  'Group/SaveSecurityGroup': about(
    async (scene, side) => ({ group: await scene.newGroup(side) }),
    administrators,
    administrators,
  ),
  'Group/DeleteSecurityGroup': about(
    async (scene, side) => ({ group: await scene.newGroup(side) }),
    administrators,
    administrators,
  ),
  'Group/AddUser': about(
    async (scene, side, who) => ({ GroupId: (await scene.newGroup(side)).GroupId, ContactId: who.userId, RoleId: '1' }),
    administrators,
    administrators,
  ),
  'Group/RemoveUser': about(removable, administrators, administrators),
  'DataTag/NewDataTag': open,
  'DataTag/SaveDataTag': about(
    async (scene, side) => ({ datatag: await scene.newTag(side) }),
    administrators,
    administrators,
  ),
  'DataTag/GetAllDataTags': administrative,
  'DataTag/DeleteDataTag': about(
    async (scene, side) => ({ datatag: await scene.newTag(side) }),
    administrators,
    administrators,
  ),
  'Shield/NewPolicy': open,
  'Shield/GetAllShieldPolicies': administrative,
  'Shield/SaveShieldPolicy': about(
    async (scene, side) => ({ policy: await scene.newPolicy(side), isDeepSave: true, groups: [], users: [] }),
    administrators,
    administrators,
  ),
  'Shield/DeletePolicy': about(
    async (scene, side) => ({ policy: await scene.newPolicy(side) }),
    administrators,
    administrators,
  ),
  'Shield/AddGroup': about(policyAndGroup, administrators, administrators),
  'Shield/RemoveGroup': about(policyAndGroup, administrators, administrators),
} satisfies Partial<Record<EndpointPath, EndpointCase>>;

async function removable(scene: Scene, side: Side, who: Person): Promise<object> {
  const { GroupId } = await scene.newGroup(side);
  const membership = { GroupId, ContactId: who.userId };
  await scene.asSuperAdmin('Group/AddUser', { ...membership, RoleId: '2' });
  return membership;
}

async function policyAndGroup(scene: Scene, side: Side): Promise<object> {
  const policy = await scene.newPolicy(side);
  return { policyid: policy.id, groupid: scene.tenants[side].groupId };
}

const report = async (scene: Scene, side: Side) => ({ report: await scene.newReport(side) });
const bareReport = async (scene: Scene, side: Side) => ({ Reportobj: (await scene.metadata(side)).Report });
const promptOf = async (scene: Scene, side: Side): Promise<{ Reportobj: Json; Prompt: Json }> => {
  const Reportobj = await scene.metadata(side);
  const [first] = Array.isArray(Reportobj.Prompts) ? (Reportobj.Prompts as Json[]) : [];
  return { Reportobj, Prompt: { ...first, LowValue: 'a' } };
};

const content = {
  'App/GetApplicationList': { body: nothing, access: '00+++0+' },
  'RegServers/GetAdminRegisteredServers': { body: nothing, access: '0000+0+' },
  'RegServers/GetTimeZones': open,
  'RegServers/InsertAnyDbModule': {
    body: (scene) => ({ appname: scene.name('own'), description: '' }),
    access: administrators,
  },
  'RegServers/SaveRegSrv': about(
    (scene, side) => ({ regserver: scene.tenants[side].regserver, bsaveasanydb: true }),
    '----+-+',
    '------+',
  ),
  'RegServers/TestConnection': about(
    (scene, side) => ({ regserver: scene.tenants[side].regserver }),
    '----+-+',
    '------+',
  ),
  'library/GetListByFolderID': about(
    (scene, side) => ({ LibraryID: scene.tenants[side].folderId }),
    '--+++-+',
    '------+',
  ),
  'library/GetAllLibraryTree': { body: () => ({ includefav: true, includePersonal: true }), access: everybody },
  'library/NewLibraryFolder': open,
  'library/SaveLibraryFolder': about(
    async (scene, side) => ({ libraryfolder: await scene.newFolder(side), isShared: true }),
    '---++-+',
    '------+',
  ),
  'library/GetFolderById': about((scene, side) => ({ folderid: scene.tenants[side].folderId }), '--+++-+', '------+'),
  'library/DelFolder': about(
    async (scene, side) => ({ folderid: String((await scene.newFolder(side)).id) }),
    '----+-+',
    '------+',
  ),
  // A report that the caller does not see is answered like one that does not exist.
  'library/DelReport': about(
    async (scene, side) => ({ ReportId: (await scene.newReport(side)).ReportID }),
    '!!--+!+',
    '!!!!!!+',
  ),
  'library/SearchReports': about((scene, side) => ({ searchstring: scene.tenants[side].name }), '00+++0+', '000000+'),
  'Dashboard/SearchDashboardList': about((scene, side) => ({ search: scene.tenants[side].name }), '00+++0+', '000000+'),
  'Dashboard/NewDashboard': open,
  'Dashboard/GetDashboard': about(
    (scene, side) => ({ DashboardId: scene.tenants[side].dashboardId }),
    '!!+++!+',
    '!!!!!!+',
  ),
  'Dashboard/SaveDashboard': about(
    async (scene, side) => ({ dashboard: await scene.newDashboard(side) }),
    '!!-++!+',
    '!!!!!!+',
  ),
  'Dashboard/DelDashboard': about(
    async (scene, side) => ({ DashboardId: String((await scene.newDashboard(side)).id) }),
    '!!--+!+',
    '!!!!!!+',
  ),
  'library/FavDash': about((scene, side) => ({ DashboardId: scene.tenants[side].dashboardId }), '--+++-+', '------+'),
  'library/UnFavDash': about((scene, side) => ({ DashboardId: scene.tenants[side].dashboardId }), '--+++-+', '------+'),
  'library/FavReport': about((scene, side) => ({ ReportId: scene.tenants[side].reportId }), '--+++-+', '------+'),
  'library/UnFavReport': about((scene, side) => ({ ReportId: scene.tenants[side].reportId }), '--+++-+', '------+'),
  'AppBuilder/GetAnyDbModulesList': { body: nothing, access: '0000+0+' },
  'AppBuilder/GetAnyDbModule': about(
    (scene, side) => ({ moduleid: scene.tenants[side].moduleId, regserverid: scene.tenants[side].serverId }),
    '----+-+',
    '------+',
  ),
  'AppBuilder/SaveAnyDbModule': about(
    async (scene, side) => ({ anydbmodule: { ReportTypes: [await storedReportType(scene, side)] } }),
    '----+-+',
    '------+',
  ),
  'AppBuilder/GetTableDef': about(
    (scene, side) => ({ tablename: 'sales', tableowner: '', regserverid: scene.tenants[side].serverId }),
    '----+-+',
    '------+',
  ),
  'AppBuilder/GetDataTypes': open,
  'RegServers/GetReportTypes': about(
    (scene, side) => {
      const { serverId, moduleId } = scene.tenants[side];
      return { ModuleType: 'ANYDB', RegServerID: serverId, ReportModuleID: moduleId };
    },
    '00+++0+',
    '000000+',
  ),
  'RegServers/GetReportTree': about(
    (scene, side) => ({ RegServerID: scene.tenants[side].serverId, ReportType: 'Sales' }),
    '--+++-+',
    '------+',
  ),
  'Report/NewReport': open,
  'Report/NewField': {
    body: () => ({
      field: { id: 1, text: 'Note', type: 'Field', dbfieldname: 'note', dbtablealias: 's', fieldtype: 'cha' },
      bAdvRpt: false,
    }),
    access: everybody,
  },
  'Report/NewCriteria': open,
  'Report/NewTotals': open,
  'Report/SaveReport': about(report, '!!-++!+', '!!!!!!+'),
  'Report/UpdateReport': about(report, '!!-++!+', '!!!!!!+'),
  'Report/GetReport': about((scene, side) => ({ ReportId: scene.tenants[side].reportId }), '!!+++!+', '!!!!!!+'),
  'Report/GetSQL': about(bareReport, '--+++-+', '------+'),
  'Report/ReportProcUI': about(
    async (scene, side) => ({ db_platform: 'sqlite', report: (await scene.metadata(side)).Report }),
    '--+++-+',
    '------+',
  ),
  'Report/GetSQLFunctions': { body: () => ({ db_plat: 'sqlite' }), access: everybody },
  'Report/GetReportMetadataById': about(
    (scene, side) => ({ ReportID: scene.tenants[side].reportId }),
    '!!+++!+',
    '!!!!!!+',
  ),
  'Report/GetFieldValues': about(promptOf, '--+++-+', '------+'),
  // Prompts are answered within what the caller sends; nothing stored is read.
  'Report/ReplacePrompt': { body: (scene) => promptOf(scene, 'own'), access: everybody },
  'Report/ReplacePromptCollection': {
    body: async (scene) => {
      const { Reportobj, Prompt } = await promptOf(scene, 'own');
      return { Reportobj, Prompts: [Prompt] };
    },
    access: everybody,
  },
  'Report/GetReportData': about(
    async (scene, side) => ({ Reportobj: await scene.metadata(side), supressprompts: true }),
    '!!+++!+',
    '!!!!!!+',
  ),
  'Report/GetOutputTypes': open,
  'SMTP/GetSMTP': administrative,
  'SMTP/SaveSMTP': {
    body: async (scene) => ({ smtp: { ...(await scene.ask('SMTP/GetSMTP')), SMTPHost: 'mail.invalid' } }),
    access: administrators,
  },
  'SMTP/DeleteSMTP': { body: async (scene) => ({ smtp: await scene.ask('SMTP/GetSMTP') }), access: administrators },
  'AppSettings/GetAppSettings': administrative,
  'AppSettings/SaveAppSettings': {
    body: async (scene) => ({ appsettings: await scene.ask('AppSettings/GetAppSettings') }),
    access: administrators,
  },
  'Audit/GetAuditTypes': administrative,
  'Audit/GetAuditTrail': administrative,
  'Audit/SaveAuditTypes': {
    body: async (scene) => ({ AuditTypeList: await scene.list('Audit/GetAuditTypes') }),
    access: administrators,
  },
  'LicenseManager/RefreshInstalledLicenses': administrative,
  'LicenseManager/GetInstallationID': open,
  'LicenseManager/GetLicence': administrative,
  'LicenseManager/SaveLicence': {
    body: () => ({ licence: { State: 'Normal', IsExpired: false, Seats: 1_000, Applications: [] } }),
    access: administrators,
  },
} satisfies Partial<Record<EndpointPath, EndpointCase>>;

async function storedReportType(scene: Scene, side: Side): Promise<Json> {
  const tenant = scene.tenants[side];
  const module = await scene.ask('AppBuilder/GetAnyDbModule', {
    moduleid: tenant.moduleId,
    regserverid: tenant.serverId,
  });
  const [stored] = Array.isArray(module.ReportTypes) ? (module.ReportTypes as Json[]) : [];
  return { ...reportTypeOf(tenant), RepTypeID: stored?.RepTypeID };
}

/** Every endpoint of the contract; the compiler misses the one that is forgotten. */
export const endpointCases: Readonly<Record<EndpointPath, EndpointCase>> = { ...identity, ...content };
