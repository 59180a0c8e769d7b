import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import { insertDashboard } from '../../../src/server/library/items.ts';
import { newCriteria, newField, newReport } from '../../../src/server/reports/reportTemplates.ts';
import { stateSchemas } from '../../../src/server/schemas.ts';
import { Store } from '../../../src/server/store/store.ts';
import { startServer, type ServerReply, type SignedIn, type TestServer } from '../server.ts';
import { readServerState } from '../serverState.ts';

/*
 * Two tenants that must not know of each other, and the kinds of people who call. All of it is made through the API,
 * but for dashboards, which it has no call for.
 */

/** Kinds of callers, in the order of the letters of an access rule. */
export const callerKinds = [
  'signedOut',
  'guest',
  'stranger',
  'viewer',
  'editor',
  'groupAdmin',
  'administrator',
  'superAdmin',
] as const;
export type CallerKind = (typeof callerKinds)[number];
/** Whether a call is about the caller's own tenant, or about the other one. */
export const sides = ['own', 'other'] as const;
export type Side = (typeof sides)[number];

/** Stands in every name and text of the other tenant: no caller but administrators may ever be answered it. */
export const canary = 'Canary7f3';

/** Somebody who calls. */
export interface Person {
  kind: CallerKind;
  userId: string;
  call: SignedIn['call'];
}

/** What belongs to one tenant. */
export interface Tenant {
  name: string;
  groupId: string;
  moduleId: string;
  serverId: string;
  regserver: Json;
  folderId: string;
  reportId: string;
  dashboardId: string;
  memberId: string;
}

type NewTenant = Omit<Tenant, 'dashboardId'>;

export type Json = Record<string, unknown>;
const record = z.record(z.string(), z.unknown());
/** Everybody signs in with it. */
export const password = 'a long enough passphrase 1';

/** A server with both tenants and everybody signed in. */
export class Scene {
  readonly server: TestServer;
  readonly #folder: string;
  readonly #people = new Map<CallerKind, Person>();
  readonly tenants: Record<Side, Tenant>;
  readonly #admin: SignedIn;
  #made = 0;
  /** What was last read, and the size and time of the files that it was read from. */
  #stored = { written: '', state: '' };

  private constructor(server: TestServer, folder: string, admin: SignedIn, tenants: Record<Side, Tenant>) {
    this.server = server;
    this.#folder = folder;
    this.#admin = admin;
    this.tenants = tenants;
  }

  static async open(): Promise<Scene> {
    const folder = await mkdtemp(path.join(tmpdir(), 'scene-'));
    const file = path.join(folder, 'sales.sqlite');
    const database = new DatabaseSync(file);
    database.exec(`CREATE TABLE sales (tenant TEXT, amount INTEGER, note TEXT);
      INSERT INTO sales VALUES ('North', 1, 'a'), ('North', 2, 'b'), ('${canary}', 4, '${canary} row')`);
    database.close();
    const dataFolder = path.join(folder, 'data');
    const first = await startServer({ dataFolder });
    const founder = await first.login('admin', first.adminPassword);
    const made = { own: await newTenant(founder, 'North', file), other: await newTenant(founder, canary, file) };
    await first.stop();
    const tenants = withDashboards(dataFolder, made);
    const server = await startServer({ dataFolder });
    const scene = new Scene(server, folder, await server.login('admin', server.adminPassword), tenants);
    await scene.#restrict();
    await scene.#signEverybodyIn();
    return scene;
  }

  async close(): Promise<void> {
    await this.server.stop();
    await rm(this.#folder, { recursive: true });
  }

  person(kind: CallerKind): Person {
    const found = this.#people.get(kind);
    if (!found) throw new Error(`${kind} is not signed in`);
    return found;
  }

  /** Signs somebody in again, whose session a call has ended. */
  async signIn(kind: CallerKind): Promise<void> {
    if (kind === 'signedOut') return;
    const { server } = this;
    const session = kind === 'guest' ? await server.loginAsGuest() : await server.login(kind, password);
    const user = record.parse(session.reply.LoginUser);
    this.#people.set(kind, { kind, userId: String(user.ID), call: session.call });
  }

  /** What the super-admin is answered; preparations of a call go through it. */
  async ask(endpoint: EndpointPath, body: object = {}): Promise<Json> {
    return record.parse((await this.asSuperAdmin(endpoint, body)).json);
  }

  asSuperAdmin(endpoint: EndpointPath, body: object): Promise<ServerReply> {
    return this.#admin.call(endpoint, body);
  }

  async list(endpoint: EndpointPath, body: object = {}): Promise<Json[]> {
    return z.array(record).parse((await this.asSuperAdmin(endpoint, body)).json);
  }

  /** A name that was not given yet; the other tenant's hold the canary. */
  name(side: Side): string {
    this.#made += 1;
    return `${side === 'other' ? canary : 'Made'} ${this.#made}`;
  }

  /** A user whom a call may change or delete. */
  async newUser(side: Side): Promise<Json> {
    const user = { ...(await this.ask('Contact/NewContact')), LoginName: this.name(side), LastName: this.name(side) };
    return this.ask('Contact/SaveContact', { withpin: false, user });
  }

  async newGroup(side: Side): Promise<Json> {
    const group = { ...(await this.ask('Group/NewSecurityGroup')), GroupName: this.name(side) };
    return this.ask('Group/SaveSecurityGroup', { group });
  }

  async newTag(side: Side): Promise<Json> {
    const datatag = { ...(await this.ask('DataTag/NewDataTag')), Label: this.name(side) };
    return this.ask('DataTag/SaveDataTag', { datatag });
  }

  /** A policy without effect, as lists show it. */
  async newPolicy(side: Side): Promise<Json> {
    const Name = this.name(side);
    const policy = { ...(await this.ask('Shield/NewPolicy')), Name, Groups: [], Users: [] };
    await this.ask('Shield/SaveShieldPolicy', { policy, isDeepSave: true, groups: [], users: [] });
    const saved = (await this.list('Shield/GetAllShieldPolicies')).find((found) => found.Name === Name);
    if (!saved) throw new Error(`Policy ${Name} was not saved`);
    return saved;
  }

  async newFolder(side: Side): Promise<Json> {
    return newFolder(this.#admin, this.tenants[side], this.name(side));
  }

  /** A saved report in the tenant's folder, as GetReport answers it. */
  async newReport(side: Side): Promise<Json> {
    const report = reportOf(this.tenants[side], this.name(side));
    const saved = await this.ask('Report/SaveReport', { report, processlinks: true });
    return this.ask('Report/GetReport', { ReportId: saved.ReportID, isbuilder: false });
  }

  /** A saved dashboard of the tenant's report, in the tenant's folder. */
  async newDashboard(side: Side): Promise<Json> {
    const { folderId, reportId } = this.tenants[side];
    const dashboard = { name: this.name(side), folderid: Number(folderId), reports: [{ ReportID: reportId }] };
    return this.ask('Dashboard/SaveDashboard', { dashboard });
  }

  /** The tenant's report prepared to run. */
  async metadata(side: Side): Promise<Json> {
    return this.ask('Report/GetReportMetadataById', { ReportID: this.tenants[side].reportId });
  }

  /** Everything that is stored, without sessions, audit trail and moments of sign-in. */
  storedState(): string {
    const written = ['state.db', 'state.db-wal']
      .map((name) => statSync(path.join(this.server.dataFolder, name), { bigint: true }))
      .map(({ size, mtimeNs }) => `${size} ${mtimeNs}`)
      .join();
    if (written !== this.#stored.written) this.#stored = { written, state: this.#readState() };
    return this.#stored.state;
  }

  #readState(): string {
    return readServerState(this.server.dataFolder, (database) => {
      const passing = ['session', 'audit_entry', 'audit_head'];
      const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
      const rows = tables
        .map(({ name }) => String(name))
        .filter((name) => !passing.includes(name))
        .map((name) => [name, database.prepare(`SELECT * FROM "${name}"`).all()] as const);
      return JSON.stringify(rows, (key, value: unknown) => (key === 'last_login' ? undefined : value));
    });
  }

  /** Each tenant's members see the rows that carry the tenant's name. */
  async #restrict(): Promise<void> {
    const relation = { LeftID: '', RelationshipType: 'tag_grp', RelationType: 'tag_grp', PermissionTypeEnum: 0 };
    const groups = sides.map((side) => this.tenants[side]);
    const SecurityGroups = groups.map(({ groupId, name }) => ({ ...relation, RightID: groupId, Option1: name }));
    const datatag = { ...(await this.ask('DataTag/NewDataTag')), Label: 'tenant', isGroup: true, SecurityGroups };
    await this.ask('DataTag/SaveDataTag', { datatag });
    const Constraints = [
      { ModuleID: '', TableOwner: '', TableName: 'sales', ColumnName: 'tenant', Operator: '=', Value: '/#tenant#/' },
    ];
    const template = await this.ask('Shield/NewPolicy');
    const policy = { ...template, Name: 'Own Rows', isActive: true, Constraints, Groups: [], Users: [] };
    const groupIds = groups.map(({ groupId }) => groupId);
    await this.ask('Shield/SaveShieldPolicy', { policy, isDeepSave: true, groups: groupIds, users: [] });
  }

  async #signEverybodyIn(): Promise<void> {
    const { own } = this.tenants;
    const people = { stranger: {}, viewer: { group: '2', application: '6' }, editor: { group: '3', application: '5' } };
    const more = { groupAdmin: { group: '1', application: '7' }, administrator: { isAdmin: true } };
    const boss = { superAdmin: { isAdmin: true, isSuperAdmin: true } };
    for (const [LoginName, rights] of Object.entries({ ...people, ...more, ...boss })) {
      await newUser(this.#admin, { LoginName, ...rights }, own);
    }
    this.#people.set('signedOut', {
      kind: 'signedOut',
      userId: own.memberId,
      call: (endpoint, body) => this.server.call(endpoint, { ...body, sessionToken: 'none' }),
    });
    for (const kind of callerKinds) await this.signIn(kind);
    // Personal libraries are made when they are first shown; here and now, so that later reads change nothing.
    for (const kind of callerKinds) await this.person(kind).call('library/GetAllLibraryTree');
  }
}

async function json(reply: Promise<ServerReply>): Promise<Json> {
  return record.parse((await reply).json);
}

interface NewPerson {
  LoginName: string;
  isAdmin?: boolean;
  isSuperAdmin?: boolean;
  /** Role in the tenant's group. */
  group?: string;
  /** Role on the tenant's application. */
  application?: string;
}

async function newUser(admin: SignedIn, person: NewPerson, tenant: Pick<Tenant, 'groupId' | 'moduleId'>) {
  const { LoginName, isAdmin = false, isSuperAdmin = false, group, application } = person;
  const UserApplications = application
    ? [{ ApplicationID: tenant.moduleId, ApplicationRoleID: application, applicationUserDataSourceID: '' }]
    : [];
  const template = await json(admin.call('Contact/NewContact'));
  const user = { ...template, LoginName, LastName: LoginName, isAdmin, isSuperAdmin, UserApplications, Pin: password };
  const saved = await json(admin.call('Contact/SaveContact', { withpin: true, user }));
  const ContactId = String(saved.ID);
  if (group) await admin.call('Group/AddUser', { GroupId: tenant.groupId, ContactId, RoleId: group });
  return ContactId;
}

async function newFolder(admin: SignedIn, { groupId }: Pick<Tenant, 'groupId'>, fname: string): Promise<Json> {
  const Permissions = [
    { LeftID: '', RightID: groupId, RelationshipType: 'fld_grp', RelationType: 'fld_grp', PermissionTypeEnum: 2 },
  ];
  const template = await json(admin.call('library/NewLibraryFolder'));
  return json(
    admin.call('library/SaveLibraryFolder', { libraryfolder: { ...template, fname, Permissions }, isShared: true }),
  );
}

const fields = { Tenant: ['tenant', 'cha'], Amount: ['amount', 'num'], Note: ['note', 'cha'] } as const;

/** A report of a tenant's rows that asks for a note, made from the templates as the description wants it. */
export function reportOf(tenant: Pick<Tenant, 'name' | 'folderId'>, Reportname: string): Json {
  const asks = { ...newCriteria(null), Field: 'Note', Op: '=', Logical: 'AND', bprompt: true, bskip: true };
  return {
    ...newReport(),
    Reportname,
    ModuleName: tenant.name,
    ReportType: 'Sales',
    ServerName: `${tenant.name} server`,
    folderid: Number(tenant.folderId),
    FieldList: Object.entries(fields).map(([text, [dbfieldname, fieldtype]], index) => ({
      ...newField({ id: index, text, type: 'Field', dbfieldname, dbtablealias: 's', fieldtype }),
      fieldindex: index + 1,
      Criteria: text === 'Note' ? [asks] : [],
    })),
  };
}

/** The report type of a tenant's application, as SaveAnyDbModule takes it. */
export function reportTypeOf(tenant: Pick<Tenant, 'moduleId'>, RepTypeID = 0): Json {
  return {
    Moduleid: Number(tenant.moduleId),
    RepTypeID,
    RepTypeName: 'Sales',
    SQLTables: [{ tablename: 'sales', tableowner: '', tablealias: 's' }],
    FieldTree: Object.entries(fields).map(([fname, [sqlfieldname, datatype]], index) => ({
      ...{ id: index + 1, idx_order: index + 1, fname, flevel: '0', nodetype: 'F', tablealias: 's' },
      ...{ sqlfieldname, datatype },
    })),
  };
}

async function newTenant(admin: SignedIn, name: string, file: string): Promise<NewTenant> {
  const group = await json(admin.call('Group/NewSecurityGroup'));
  const saved = await json(admin.call('Group/SaveSecurityGroup', { group: { ...group, GroupName: name } }));
  const groupId = String(saved.GroupId);
  const module = await json(admin.call('RegServers/InsertAnyDbModule', { appname: name, description: name }));
  const moduleId = String(module.ID);
  const wanted = {
    ...{ service: module, ModuleType: 'AnyDB', DisplayName: `${name} server`, DatabasePlatform: 'sqlite' },
    ...{ DatabaseName: file, CommandTimeout: 30, ConnectionTimeout: 10, Permissions: [], datasources: [] },
  };
  const regserver = await json(admin.call('RegServers/SaveRegSrv', { regserver: wanted, bsaveasanydb: true }));
  await admin.call('AppBuilder/SaveAnyDbModule', { anydbmodule: { ReportTypes: [reportTypeOf({ moduleId })] } });
  const folder = await newFolder(admin, { groupId }, `${name} folder`);
  const folderId = String(folder.id);
  const report = await json(
    admin.call('Report/SaveReport', { report: reportOf({ name, folderId }, `${name} report`), processlinks: true }),
  );
  const reportId = String(report.ReportID);
  const memberId = await newUser(
    admin,
    { LoginName: `${name} member`, group: '1', application: '7' },
    { groupId, moduleId },
  );
  return {
    ...{ name, groupId, moduleId, serverId: String(regserver.ID), regserver },
    ...{ folderId, reportId, memberId },
  };
}

/** The API has no call that makes a dashboard: they are put into the state of a server that does not run. */
function withDashboards(dataFolder: string, tenants: Record<Side, NewTenant>): Record<Side, Tenant> {
  const store = Store.open(path.join(dataFolder, 'state.db'), stateSchemas);
  const added = (tenant: NewTenant): Tenant => {
    const { name, folderId, reportId } = tenant;
    const dashboard = { name: `${name} dashboard`, description: '', folderId, reportIds: [reportId] };
    return { ...tenant, dashboardId: insertDashboard(store, dashboard) };
  };
  try {
    return { own: added(tenants.own), other: added(tenants.other) };
  } finally {
    store.close();
  }
}
