import * as z from 'zod';
import { anyObject } from './fields.ts';
import { id, listReply, numberReply, objectReply, optionalFlag, optionalText, textReply } from './endpointRow.ts';
import { auditType, instanceSettings, smtp } from './resources/administration.ts';
import { application, registeredServer } from './resources/application.ts';
import { dashboard } from './resources/dashboard.ts';
import { codeMessage, dataTag } from './resources/dataTag.ts';
import { licence } from './resources/licence.ts';
import { dashboardEntry, folder, libraryItem, libraryTreeEntry, returnMessage } from './resources/library.ts';
import { policy } from './resources/policy.ts';
import {
  criteria,
  fieldValue,
  outputType,
  prompt,
  report,
  reportEcho,
  reportField,
  reportMetadata,
  sqlFunction,
  totals,
} from './resources/report.ts';
import { reportResult } from './resources/reportResult.ts';
import { securityGroup } from './resources/securityGroup.ts';
import {
  anyDbModule,
  fieldType,
  newModule,
  reportTree,
  reportTreeNode,
  reportType,
  tableColumn,
  timeZone,
} from './resources/semanticLayer.ts';
import { loginResponse, passport, session } from './resources/session.ts';
import { role, user } from './resources/user.ts';

const safe = { isSafe: true } as const;

/**
 * The 81 endpoints of the API description and {@link ownPaths}, keyed by their path below the API base. The client derives its typed calls
 * and decoders from this table, the embedded server its routes and request checks.
 */
export const endpoints = {
  // Authentication
  'login/DoLogin': objectReply(
    { UserId: z.string(), UserPassword: z.string(), isGuest: z.boolean(), bolForceLogin: z.boolean().nullish() },
    loginResponse,
    { needsToken: false, proof: 'LoginSession' },
  ),
  'Session/CheckSession': objectReply({}, session, { ...safe, proof: 'SessionToken' }),
  'Session/RefreshSession': objectReply({}, session, { ...safe, proof: 'SessionToken' }),
  'Session/ResetPassport': objectReply({ withReturn: optionalFlag }, passport),
  'login/DoLogout': numberReply({}, 0),

  // Users
  'Contact/NewContact': objectReply({}, user, safe),
  'Contact/SaveContact': objectReply({ withpin: z.boolean(), user }, user, { echo: ['user.ID', 'ID'] }),
  'Contact/SaveMYContact': objectReply({ withpin: z.boolean(), user }, user, { echo: ['user.ID', 'ID'] }),
  'Contact/GetContactList': listReply({}, user, safe),
  'Contact/GetContactById': objectReply({ ContactId: id }, user, { isSafe: true, echo: ['ContactId', 'ID'] }),
  'Contact/DeleteContact': objectReply({ user }, user, { echo: ['user.ID', 'ID'] }),
  'Contact/UnlockContact': objectReply({ user }, user, { echo: ['user.ID', 'ID'] }),
  'Contact/GetRolesList': listReply({}, role, { envelope: 'upper', isSafe: true }),

  // Groups
  'Group/GetAllSecurityGroups': listReply({}, securityGroup, safe),
  'Group/GetSecurityGroupById': objectReply({ GroupId: id }, securityGroup, {
    isSafe: true,
    echo: ['GroupId', 'GroupId'],
  }),
  'Group/NewSecurityGroup': objectReply({}, securityGroup, safe),
  'Group/SaveSecurityGroup': objectReply({ group: securityGroup }, securityGroup, {
    echo: ['group.GroupId', 'GroupId'],
  }),
  'Group/DeleteSecurityGroup': objectReply({ group: securityGroup }, securityGroup, {
    echo: ['group.GroupId', 'GroupId'],
  }),
  'Group/AddUser': textReply({ GroupId: id, ContactId: id, RoleId: id }, ['User Added Successfully.']),
  'Group/RemoveUser': textReply({ GroupId: id, ContactId: id }, ['User Removed Successfully.']),

  // Data security
  'DataTag/NewDataTag': objectReply({}, dataTag, safe),
  'DataTag/SaveDataTag': objectReply({ datatag: dataTag }, dataTag, { echo: ['datatag.ID', 'ID'] }),
  'DataTag/GetAllDataTags': listReply({}, dataTag, safe),
  'DataTag/DeleteDataTag': objectReply({ datatag: dataTag }, codeMessage, { envelope: 'code' }),
  'Shield/NewPolicy': objectReply({}, policy, safe),
  'Shield/GetAllShieldPolicies': listReply({}, policy, safe),
  'Shield/SaveShieldPolicy': objectReply(
    { policy, isDeepSave: z.boolean(), groups: z.array(id), users: z.array(id) },
    policy,
    { echo: ['policy.id', 'id'] },
  ),
  'Shield/DeletePolicy': textReply({ policy }, ['App Shield Policy Deleted']),
  'Shield/AddGroup': textReply({ policyid: id, groupid: id }, ['Success']),
  'Shield/RemoveGroup': textReply({ policyid: id, groupid: id }, ['Success']),

  // Applications and servers
  'App/GetApplicationList': listReply({}, application, { envelope: 'none', isSafe: true }),
  'RegServers/GetAdminRegisteredServers': listReply({}, registeredServer, safe),
  'RegServers/GetTimeZones': listReply({}, timeZone, { envelope: 'none', isSafe: true }),
  'RegServers/InsertAnyDbModule': objectReply({ appname: z.string(), description: z.string() }, newModule, {
    proof: 'ID',
  }),
  'RegServers/SaveRegSrv': objectReply(
    { regserver: registeredServer, bsaveasanydb: optionalFlag, badvrpt: optionalFlag },
    registeredServer,
    { echo: ['regserver.ID', 'ID'] },
  ),
  'RegServers/TestConnection': textReply({ regserver: registeredServer }, ['Passed'], {
    isSafe: true,
    isTriedOnce: true,
  }),

  // Library
  'library/GetListByFolderID': listReply({ LibraryID: id }, libraryItem, { envelope: 'lower', isSafe: true }),
  'library/GetAllLibraryTree': listReply(
    { includefav: optionalFlag, includePersonal: optionalFlag },
    libraryTreeEntry,
    {
      envelope: 'none',
      isSafe: true,
    },
  ),
  'library/NewLibraryFolder': objectReply({}, folder, { envelope: 'lower', isSafe: true }),
  'library/SaveLibraryFolder': objectReply(
    { libraryfolder: folder, isShared: optionalFlag, currentUserId: optionalText },
    folder,
    { envelope: 'lower', echo: ['libraryfolder.id', 'id'] },
  ),
  'library/GetFolderById': objectReply({ folderid: id }, folder, {
    envelope: 'lower',
    isSafe: true,
    echo: ['folderid', 'id'],
  }),
  'library/DelFolder': objectReply({ folderid: id }, returnMessage, { envelope: 'return' }),
  'library/DelReport': numberReply({ ReportId: id }, 0),
  'library/SearchReports': listReply({ searchstring: z.string() }, libraryItem, { envelope: 'lower', isSafe: true }),
  'Dashboard/SearchDashboardList': listReply({ search: optionalText }, dashboardEntry, {
    envelope: 'none',
    isSafe: true,
  }),
  // Our own.
  'Dashboard/NewDashboard': objectReply({}, dashboard, safe),
  'Dashboard/GetDashboard': objectReply({ DashboardId: id }, dashboard, { isSafe: true, echo: ['DashboardId', 'id'] }),
  'Dashboard/SaveDashboard': objectReply({ dashboard }, dashboard, { echo: ['dashboard.id', 'id'] }),
  'Dashboard/DelDashboard': numberReply({ DashboardId: id }, 0),
  'library/FavDash': numberReply({ DashboardId: id }, 'any'),
  'library/UnFavDash': numberReply({ DashboardId: id }, 'any'),
  'library/FavReport': numberReply({ ReportId: id }, 'any'),
  'library/UnFavReport': numberReply({ ReportId: id }, 'any'),

  // App builder and report types
  'AppBuilder/GetAnyDbModulesList': listReply({}, registeredServer, safe),
  'AppBuilder/GetAnyDbModule': objectReply({ moduleid: id, regserverid: id }, anyDbModule, {
    envelope: 'none',
    isSafe: true,
  }),
  'AppBuilder/SaveAnyDbModule': numberReply({ anydbmodule: anyDbModule }, 1),
  'AppBuilder/GetTableDef': listReply(
    { tablename: z.string(), tableowner: optionalText, regserverid: id },
    tableColumn,
    {
      envelope: 'none',
      isSafe: true,
    },
  ),
  'AppBuilder/GetDataTypes': listReply({}, fieldType, { envelope: 'none', isSafe: true }),
  'RegServers/GetReportTypes': listReply({ ModuleType: z.string(), RegServerID: id, ReportModuleID: id }, reportType, {
    envelope: 'none',
    isSafe: true,
  }),
  'RegServers/GetReportTree': objectReply({ RegServerID: id, ReportType: z.string() }, reportTree, {
    envelope: 'none',
    isSafe: true,
  }),

  // Reports
  'Report/NewReport': objectReply({}, report, safe),
  'Report/NewField': objectReply({ field: reportTreeNode, bAdvRpt: optionalFlag }, reportField, {
    envelope: 'upper',
    isSafe: true,
  }),
  'Report/NewCriteria': objectReply({ field: anyObject }, criteria, { envelope: 'none', isSafe: true }),
  'Report/NewTotals': objectReply({ type: optionalText }, totals, { envelope: 'none', isSafe: true }),
  'Report/SaveReport': objectReply({ report, processlinks: optionalFlag }, report, {
    echo: ['report.ReportID', 'ReportID'],
  }),
  'Report/UpdateReport': objectReply({ report }, reportEcho, { echo: ['report.ReportID', 'ReportID'] }),
  'Report/GetReport': objectReply({ ReportId: id, isbuilder: optionalFlag }, report, {
    isSafe: true,
    echo: ['ReportId', 'ReportID'],
  }),
  'Report/GetSQL': textReply({ Reportobj: report }, undefined, safe),
  'Report/ReportProcUI': objectReply({ db_platform: z.string(), report }, report, {
    isSafe: true,
    echo: ['report.ReportID', 'ReportID', 'ifNamed'],
  }),
  'Report/GetSQLFunctions': listReply({ db_plat: z.string() }, sqlFunction, { envelope: 'none', isSafe: true }),
  'Report/GetReportMetadataById': objectReply(
    { ReportID: id, isTarget: optionalFlag, PreviousMetadata: anyObject, Criteria: optionalText },
    reportMetadata,
    { envelope: 'metadata', isSafe: true, echo: ['ReportID', 'Report.ReportID'] },
  ),
  'Report/GetFieldValues': listReply({ Reportobj: reportMetadata, Prompt: prompt }, fieldValue, {
    envelope: 'none',
    isSafe: true,
  }),
  'Report/ReplacePrompt': objectReply({ Reportobj: reportMetadata, Prompt: prompt }, reportMetadata, {
    envelope: 'prompts',
    isSafe: true,
    echo: ['Reportobj.Report.ReportID', 'Report.ReportID', 'ifNamed'],
  }),
  'Report/ReplacePromptCollection': objectReply(
    { Reportobj: reportMetadata, Prompts: z.array(prompt) },
    reportMetadata,
    {
      envelope: 'prompts',
      isSafe: true,
      needsToken: false,
      echo: ['Reportobj.Report.ReportID', 'Report.ReportID', 'ifNamed'],
    },
  ),
  'Report/GetReportData': objectReply(
    {
      Reportobj: reportMetadata,
      IsDrillDown: optionalFlag,
      DrillDownCriteria: anyObject,
      TargetReportobj: anyObject,
      supressprompts: optionalFlag,
      cacheok: optionalFlag,
    },
    reportResult,
    { envelope: 'run', isSafe: true },
  ),
  'Report/GetOutputTypes': listReply({}, outputType, { envelope: 'none', isSafe: true }),

  // Email
  'SMTP/GetSMTP': objectReply({}, smtp, safe),
  'SMTP/SaveSMTP': objectReply({ smtp }, smtp, { proof: 'SMTPId' }),
  'SMTP/DeleteSMTP': objectReply({ smtp }, smtp),

  // Instance settings and audit
  'AppSettings/GetAppSettings': objectReply({}, instanceSettings, { envelope: 'none', isSafe: true }),
  'AppSettings/SaveAppSettings': objectReply({ appsettings: instanceSettings }, instanceSettings, { envelope: 'none' }),
  'Audit/GetAuditTypes': listReply({}, auditType, { envelope: 'none', isSafe: true }),
  /** Our own: the entries of the audit trail as a report result, newest first. */
  'Audit/GetAuditTrail': objectReply({}, reportResult, { envelope: 'run', isSafe: true }),
  'Audit/SaveAuditTypes': listReply({ AuditTypeList: z.array(auditType) }, auditType, { envelope: 'none' }),

  // Licensing
  'LicenseManager/RefreshInstalledLicenses': objectReply({}, returnMessage, { envelope: 'return' }),
  // Six groups of four digits: any other reply is not from the server.
  'LicenseManager/GetInstallationID': textReply({}, undefined, {
    needsToken: false,
    isSafe: true,
    pattern: /^\d{4}(-\d{4}){5}$/,
  }),
  // Our own.
  'LicenseManager/GetLicence': objectReply({}, licence, safe),
  'LicenseManager/SaveLicence': objectReply({ licence }, licence),
};

/** Path of an endpoint below the API base, for example `library/GetListByFolderID`. */
export type EndpointPath = keyof typeof endpoints;

/** Body that a caller passes for an endpoint, without the token. */
export type RequestOf<P extends EndpointPath> = z.input<(typeof endpoints)[P]['request']>;

/** Reply of an endpoint, as read by the client. */
export type ReplyOf<P extends EndpointPath> = z.output<(typeof endpoints)[P]['reply']>;

/** All endpoint paths, in the order of the description. */
const allPaths = Object.keys(endpoints) as EndpointPath[];

/** Calls of the embedded server that the API description does not have; other servers answer 404. */
export const ownPaths: readonly EndpointPath[] = [
  'Audit/GetAuditTrail',
  'Dashboard/NewDashboard',
  'Dashboard/GetDashboard',
  'Dashboard/SaveDashboard',
  'Dashboard/DelDashboard',
  'LicenseManager/GetLicence',
  'LicenseManager/SaveLicence',
];

export const endpointPaths = allPaths.filter((path) => !ownPaths.includes(path));
