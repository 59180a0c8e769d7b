import { isJsonObject, parseExact, type Json, type JsonObject } from '../../../src/objects/json.ts';
import type { ObjectServer } from '../../../src/objects/objectServer.ts';

/** One kind of object as a stub server holds it: the text of an object in which `West` is what tests change. */
interface StubKind {
  /** Id under which documents open the object. */
  readonly id: string;
  readonly object: object;
  /** Endpoint that reads it, and whether it answers a list. */
  readonly read: string;
  readonly isList?: boolean;
  /** Endpoint that saves it, and the field of the request that carries it. */
  readonly save: string;
  readonly field: string;
}

/** Every kind of document. */
export const stubKinds: Readonly<Record<string, StubKind>> = {
  policy: {
    id: '7',
    object: { id: '7', Name: 'Tenants', Description: 'West', Constraints: [], Groups: [], Users: [], isActive: false },
    read: 'Shield/GetAllShieldPolicies',
    isList: true,
    save: 'Shield/SaveShieldPolicy',
    field: 'policy',
  },
  tag: {
    id: '7',
    object: { ID: '7', Label: 'state', DefaultValue: 'West', SecurityGroups: [], Contacts: [] },
    read: 'DataTag/GetAllDataTags',
    isList: true,
    save: 'DataTag/SaveDataTag',
    field: 'datatag',
  },
  group: {
    id: '7',
    object: { GroupId: '7', GroupName: 'North', GroupDescription: 'West', Membership: [] },
    read: 'Group/GetSecurityGroupById',
    save: 'Group/SaveSecurityGroup',
    field: 'group',
  },
  user: {
    id: '7',
    object: { ID: '7', LoginName: 'ada', Company: 'West', Pin: null },
    read: 'Contact/GetContactById',
    save: 'Contact/SaveContact',
    field: 'user',
  },
  profile: {
    id: '7',
    object: { ID: '7', LoginName: 'ada', Company: 'West', Pin: null },
    read: 'Contact/GetContactById',
    save: 'Contact/SaveMYContact',
    field: 'user',
  },
  folder: {
    id: '7',
    object: { id: 7, fname: 'West', Permissions: [] },
    read: 'library/GetFolderById',
    save: 'library/SaveLibraryFolder',
    field: 'libraryfolder',
  },
  report: {
    id: '7',
    object: { ReportID: '7', Reportname: 'Delays', Description: 'West', FieldList: [] },
    read: 'Report/GetReport',
    save: 'Report/SaveReport',
    field: 'report',
  },
  dashboard: {
    id: '7',
    object: { id: 7, name: 'Overview', descr: 'West', folderid: 3, reports: [{ ReportID: '5' }] },
    read: 'Dashboard/GetDashboard',
    save: 'Dashboard/SaveDashboard',
    field: 'dashboard',
  },
  server: {
    id: '7',
    object: { ID: '7', DisplayName: 'West', DatabaseLogin: 'reader', DatabasePassword: '' },
    read: 'RegServers/GetAdminRegisteredServers',
    isList: true,
    save: 'RegServers/SaveRegSrv',
    field: 'regserver',
  },
  smtp: {
    id: 'smtp',
    object: { SMTPId: '1', SMTPHost: 'West', SMTPUserName: 'mailer', SMTPPassword: '' },
    read: 'SMTP/GetSMTP',
    save: 'SMTP/SaveSMTP',
    field: 'smtp',
  },
  settings: {
    id: 'settings',
    object: { SSOHeader: 'West', MaxRecords: 5000, mfa_clientsecret: '' },
    read: 'AppSettings/GetAppSettings',
    save: 'AppSettings/SaveAppSettings',
    field: 'appsettings',
  },
  audit: {
    id: 'audit',
    object: { ID: 1, type: 1, symbol: 'login', recorded: -1, retention: 30, options: 'West' },
    read: 'Audit/GetAuditTypes',
    isList: true,
    save: 'Audit/SaveAuditTypes',
    field: 'AuditTypeList',
  },
  licence: {
    id: 'licence',
    object: { State: 'West', IsExpired: false, Seats: 5, Applications: [{ ApplicationID: '9', Seats: null }] },
    read: 'LicenseManager/GetLicence',
    save: 'LicenseManager/SaveLicence',
    field: 'licence',
  },
  reporttype: {
    id: '2.3.7',
    object: { Moduleid: 3, RepTypeID: 7, RepTypeName: 'West', SQLTables: [], FieldTree: [] },
    read: 'AppBuilder/GetAnyDbModule',
    save: 'AppBuilder/SaveAnyDbModule',
    field: 'anydbmodule',
  },
};

/** A server that holds one object of one kind, in memory. */
export class ObjectStub implements ObjectServer {
  readonly name = 'Test';
  /** What every save carried, in order. */
  readonly saves: JsonObject[] = [];
  readonly #kind: StubKind;
  #text: string;

  /** @throws Error for a kind that has no row. */
  constructor(kind: string) {
    const found = stubKinds[kind];
    if (!found) throw new Error(`There is no stub of ${kind}.`);
    this.#kind = found;
    this.#text = JSON.stringify(found.object);
  }

  async installation(): Promise<string> {
    return 'one';
  }

  /** Does what another client does: puts a text in the place of another one. */
  change(from: string, to: string): void {
    if (!this.#text.includes(from)) throw new Error(`${from} is not in ${this.#text}`);
    this.#text = this.#text.replace(from, to);
  }

  async call(path: string, body: object): Promise<Json> {
    const { read, save, isList, field } = this.#kind;
    const object = parseExact(this.#text);
    if (path === read) {
      if (path === 'AppBuilder/GetAnyDbModule') return { ReportTypes: [object], DBSQLTableList: { AllDbtables: [] } };
      return isList ? [object] : object;
    }
    // What decides about rows, read before a save: no other objects.
    if (['Contact/GetContactList', 'DataTag/GetAllDataTags', 'Shield/GetAllShieldPolicies'].includes(path)) return [];
    if (path === 'AppSettings/GetAppSettings') return {};
    const sent = parseExact(JSON.stringify(body));
    if (path !== save || !isJsonObject(sent)) throw new Error(`Unexpected call of ${path}`);
    const saved = savedIn(sent[field]);
    this.saves.push(saved);
    this.#text = JSON.stringify(saved);
    if (path === 'AppBuilder/SaveAnyDbModule') return 1;
    return isList && field === 'AuditTypeList' ? [saved] : saved;
  }
}

/** The object that a save carries, out of the list or module around it. */
function savedIn(sent: Json | undefined): JsonObject {
  const list = isJsonObject(sent) && Array.isArray(sent.ReportTypes) ? sent.ReportTypes : sent;
  const object = Array.isArray(list) ? list[0] : list;
  if (!isJsonObject(object)) throw new Error('The save carries no object.');
  return object;
}
