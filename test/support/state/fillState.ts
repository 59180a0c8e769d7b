import * as z from 'zod';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import type { SignedIn } from '../server.ts';
import { keptPassword } from './keptState.ts';

export type Json = Record<string, unknown>;
const record = z.record(z.string(), z.unknown());
const hostile = `Ω "'; DROP TABLE user; -- </script><img src=x> [a](command:b) $(gear) \u202Eabc 😀 ＝1+1`;

export async function json(reply: ReturnType<SignedIn['call']>): Promise<Json> {
  const { json: content, text } = await reply;
  const found = record.safeParse(content);
  if (!found.success || found.data.ErrorMessage || found.data.error_message)
    throw new Error(`Refused: ${text.slice(0, 300)}`);
  return found.data;
}

export async function list(admin: SignedIn, endpoint: EndpointPath, body: object = {}): Promise<Json[]> {
  return z.array(record).parse((await admin.call(endpoint, body)).json);
}

/** A hostile object of each kind, with all relations, beside the sample's. */
export async function fillState(admin: SignedIn, login: (name: string) => Promise<SignedIn>): Promise<void> {
  const group = await json(
    admin.call('Group/SaveSecurityGroup', {
      group: {
        ...(await json(admin.call('Group/NewSecurityGroup'))),
        GroupName: hostile,
        Description: hostile,
        GroupRoles: [1, 'kept'],
      },
    }),
  );
  const module = await json(admin.call('RegServers/InsertAnyDbModule', { appname: hostile, description: hostile }));
  const regserver = {
    ...{
      service: module,
      ModuleType: 'AnyDB',
      DisplayName: hostile,
      DatabasePlatform: 'postgresql',
      DatabaseServerName: 'db.example.org',
    },
    ...{ DatabaseName: 'sales', DatabaseUserName: 'reader', DatabasePassword: 'a stored password', Unlisted: hostile },
    ...{ CommandTimeout: 30, ConnectionTimeout: 10, Permissions: [], datasources: [] },
  };
  await json(admin.call('RegServers/SaveRegSrv', { regserver, bsaveasanydb: true }));
  const fields = { Tenant: ['tenant', 'cha'], Amount: ['amount', 'num'], [hostile]: ['note', 'cha'] };
  const FieldTree = Object.entries(fields).map(([fname, [sqlfieldname, datatype]], index) => ({
    ...{
      id: index + 1,
      idx_order: index + 1,
      fname,
      flevel: '0',
      nodetype: 'F',
      tablealias: 's',
      sqlfieldname,
      datatype,
    },
  }));
  const reportType = {
    ...{ Moduleid: Number(module.ID), RepTypeID: 0, RepTypeName: hostile, FieldTree },
    SQLTables: [{ tablename: 'sales', tableowner: '', tablealias: 's' }],
  };
  await admin.call('AppBuilder/SaveAnyDbModule', { anydbmodule: { ReportTypes: [reportType] } });
  const user = await json(
    admin.call('Contact/SaveContact', {
      withpin: true,
      user: {
        ...(await json(admin.call('Contact/NewContact'))),
        ...{
          LoginName: 'hostile.user',
          FirstName: hostile,
          LastName: hostile,
          Company: 'O\'Brien, "Sons"',
          Description: hostile,
        },
        ...{ Email: 'a@example.org', Tag1: 'a,b', Tag2: hostile, timezone: -3, Pin: keptPassword },
        UserApplications: [
          { ApplicationID: String(module.ID), ApplicationRoleID: '7', applicationUserDataSourceID: '' },
        ],
      },
    }),
  );
  await admin.call('Group/AddUser', { GroupId: group.GroupId, ContactId: user.ID, RoleId: '3' });
  const relation = (RelationType: string, RightID: unknown, more: object = {}) => ({
    ...{ LeftID: '', RightID: String(RightID), RelationshipType: RelationType, RelationType, PermissionTypeEnum: 0 },
    ...more,
  });
  await json(
    admin.call('DataTag/SaveDataTag', {
      datatag: {
        ...(await json(admin.call('DataTag/NewDataTag'))),
        ...{ Label: 'hostile tag', DefaultValue: hostile, isGroup: true, isUser: true },
        SecurityGroups: [relation('tag_grp', group.GroupId, { Option1: 'x,y', Option2: 'kept' })],
        Contacts: [relation('tag_usr', user.ID, { Option1: "it's" })],
      },
    }),
  );
  const constraint = {
    TableOwner: '',
    TableName: 'sales',
    ColumnName: 'tenant',
    Operator: 'in',
    Value: '/#hostile tag#/',
    Unlisted: 1,
  };
  const policy = {
    ...(await json(admin.call('Shield/NewPolicy'))),
    ...{ Name: hostile, Description: hostile, isActive: true, Groups: [], Users: [] },
    Constraints: [{ ModuleID: String(module.ID), ...constraint }],
  };
  await json(
    admin.call('Shield/SaveShieldPolicy', { policy, isDeepSave: true, groups: [group.GroupId], users: [user.ID] }),
  );
  const libraryfolder = {
    ...(await json(admin.call('library/NewLibraryFolder'))),
    ...{
      fname: hostile,
      fmodtype: 'kept',
      Permissions: [relation('fld_grp', group.GroupId, { PermissionTypeEnum: 2 })],
    },
  };
  const folder = await json(admin.call('library/SaveLibraryFolder', { libraryfolder, isShared: true }));
  const reportField = {
    ...(await json(admin.call('Report/NewField', { field: FieldTree[0] }))),
    ...{ text: 'Tenant', type: 'Field', dbfieldname: 'tenant', dbtablealias: 's', fieldtype: 'cha', fieldindex: 1 },
  };
  const report = {
    ...(await json(admin.call('Report/NewReport'))),
    ...{ Reportname: hostile, Description: hostile, ModuleName: hostile, ReportType: hostile, ServerName: hostile },
    ...{ folderid: Number(folder.id), FieldList: [reportField] },
  };
  const saved = await json(admin.call('Report/SaveReport', { report, processlinks: true }));
  for (const name of ['hostile.user', 'sample.builder']) {
    const person = await login(name);
    await person.call('library/FavReport', { ReportId: saved.ReportID });
  }
  await admin.call('library/FavReport', { ReportId: saved.ReportID });
  for (const dashboard of await list(admin, 'Dashboard/SearchDashboardList', { search: '' })) {
    await admin.call('library/FavDash', { DashboardId: String(dashboard.id) });
  }
  await json(
    admin.call('SMTP/SaveSMTP', {
      smtp: {
        ...(await json(admin.call('SMTP/GetSMTP'))),
        SMTPHost: 'mail.example.org',
        SMTPPort: '25',
        SMTPUserName: hostile,
        SMTPPassword: 'mail password',
      },
    }),
  );
  const settings = await json(admin.call('AppSettings/GetAppSettings'));
  await json(
    admin.call('AppSettings/SaveAppSettings', { appsettings: { ...settings, SESSION_TIMEOUT: 45, DebugLevel: 2 } }),
  );
}
