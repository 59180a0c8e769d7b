import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import {
  type Registered,
  registerServer,
  registerTable,
  type Setup,
  startAllReleases,
  tableReport,
} from '../databases/livePlatforms.ts';
import { type SignedIn, startServer, type TestServer } from '../server.ts';

/*
 * Two tenants over one table on every platform that this machine has. Whatever belongs to South holds the word `hidden` or a number above
 * 9,000,000; North has rows 1 and 2 of 10 and 20. So a leak shows in the text of a reply, whatever its form, sums included.
 */

export type Json = Record<string, unknown>;
const record = z.record(z.string(), z.unknown());
export const password = 'a long enough passphrase 1';
export const columns = { id: 'num', tenant: 'cha', amount: 'num', note: 'cha' };
/** A report as it is sent. */
export interface SentReport extends Json {
  FieldList: (Json & { DbFieldName: string })[];
}

/** Whether a text tells something of South. */
export const isLeak = (text: string): boolean => /hidden|\b\d{7,}\b/i.test(text);

const setup: Setup = (platform) => {
  const [text, whole, engine] =
    platform === 'clickhouse'
      ? ['Nullable(String)', 'Int32', ' ENGINE = MergeTree ORDER BY id']
      : ['VARCHAR(40)', 'INTEGER', ''];
  const columnsSql = `(id ${whole}, tenant ${text}, amount ${whole}, note ${text})${engine}`;
  return [
    `CREATE TABLE sales ${columnsSql}`,
    `INSERT INTO sales VALUES (1, 'North', 10, '11'), (2, 'North', 20, '22'), (3, 'South hidden', 9100001, 'hidden a'),
      (4, 'South hidden', 9100002, 'hidden b'), (5, NULL, 9100003, 'hidden c'), (6, 'north', 9100004, 'hidden d'), (7, '', 9100005, 'hidden e')`,
    `CREATE TABLE words ${columnsSql}`,
    "INSERT INTO words VALUES (1, 'free', 1, 'free')",
    'CREATE VIEW over_sales AS SELECT id, tenant, amount, note FROM sales WHERE id > 0',
  ];
};

export interface TenantScene {
  server: TestServer;
  /** Folder of the database files `live.duckdb` and `live.sqlite`. */
  folder: string;
  admin: SignedIn;
  /** An Architect of the tenant North, restricted to its rows. */
  member: SignedIn;
  memberId: string;
  southerner: Json;
  groups: { north: string; south: string };
  /** By name of the platform, and of its release where there are two. */
  apps: { name: string; owner: string; app: Registered }[];
  ask: (endpoint: EndpointPath, body?: object) => Promise<Json>;
  /** Makes a user of all applications. */
  newUser: (LoginName: string, more?: Json) => Promise<Json>;
  newFolder: (fname: string, group: string) => Promise<Json>;
  newReport: (report: object, folder: Json) => Promise<Json>;
  stop: () => Promise<void>;
}

/** An entry that relates something to a group. */
const related = (RelationType: string, RightID: string, Option1 = '') => ({
  ...{ ErrorCode: 0, ErrorMessage: '', LeftID: '', RightID, RelationshipType: RelationType, RelationType, Option1 },
  PermissionTypeEnum: RelationType === 'fld_grp' ? 2 : 0,
});

/** A report of all columns; formulas stand in place of columns. */
export const salesReport = (app: Registered, formulas: Record<string, string> = {}, type = 'sales'): SentReport =>
  tableReport(app, type, Object.keys(columns), formulas);

/** The schema of the tables. */
function ownerOf(platform: string, database: string): string {
  if (platform === 'postgresql') return 'public';
  if (platform === 'trino') return database.split('.').at(-1) ?? '';
  return platform === 'duckdb' || platform === 'sqlite' ? 'main' : database;
}

/** Starts the scene. */
export async function startTenantScene(): Promise<TenantScene> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tenants-'));
  const platforms = await startAllReleases(folder, setup);
  const server = await startServer({ allowOldEngines: true });
  const admin = await server.login('admin', server.adminPassword);
  const ask: TenantScene['ask'] = async (endpoint, body = {}) => record.parse((await admin.call(endpoint, body)).json);

  const apps: TenantScene['apps'] = [];
  for (const { platform, name, regserver } of platforms) {
    const app = await registerServer(admin, name, platform, regserver);
    for (const table of ['sales', 'words', 'over_sales']) await registerTable(admin, app, { name: table, columns });
    apps.push({ name, owner: ownerOf(platform, String(regserver.DatabaseName)), app });
  }
  const newGroup = async (GroupName: string) =>
    String(
      (await ask('Group/SaveSecurityGroup', { group: { ...(await ask('Group/NewSecurityGroup')), GroupName } }))
        .GroupId,
    );
  const groups = { north: await newGroup('North'), south: await newGroup('South hidden') };
  const SecurityGroups = [related('tag_grp', groups.north, 'North'), related('tag_grp', groups.south, 'South hidden')];
  const datatag = { ...(await ask('DataTag/NewDataTag')), Label: 'tenant', isGroup: true, SecurityGroups };
  await ask('DataTag/SaveDataTag', { datatag });

  const newUser: TenantScene['newUser'] = async (LoginName, more = {}) => {
    const UserApplications = apps.map(({ app }) => ({ ApplicationID: app.moduleId, ApplicationRoleID: '7' }));
    const user = { ...(await ask('Contact/NewContact')), LoginName, Pin: password, UserApplications, ...more };
    return ask('Contact/SaveContact', { withpin: true, user });
  };
  const join = (GroupId: string, { ID }: Json) =>
    admin.call('Group/AddUser', { GroupId, ContactId: String(ID), RoleId: '3' });
  const user = await newUser('member');
  const southerner = await newUser('hiddenUser', { FirstName: 'Hidden', EmailAddress: 'hidden@x.org' });
  await join(groups.north, user);
  await join(groups.south, southerner);
  const memberId = String(user.ID);
  const Constraints = [{ TableName: 'sales', ColumnName: 'tenant', Operator: '=', Value: '/#tenant#/' }];
  const policy = {
    ...(await ask('Shield/NewPolicy')),
    ...{ Name: 'Tenants', isActive: true, Constraints, Groups: [], Users: [] },
  };
  await ask('Shield/SaveShieldPolicy', { policy, isDeepSave: true, groups: [], users: [memberId] });

  const newFolder: TenantScene['newFolder'] = async (fname, group) => {
    const libraryfolder = {
      ...(await ask('library/NewLibraryFolder')),
      ...{ fname, Permissions: [related('fld_grp', group)], InheritPermissions: false },
    };
    return ask('library/SaveLibraryFolder', { libraryfolder, isShared: true });
  };
  const newReport: TenantScene['newReport'] = async (report, { id }) => {
    const template = await ask('Report/NewReport');
    const sent = { ...template, ...report, Permissions: [], FormLayout: [], folderid: id };
    return ask('Report/SaveReport', { report: sent, processlinks: true });
  };
  const stop = async () => {
    await server.stop();
    await Promise.all(platforms.map((platform) => platform.stop()));
    await rm(folder, { recursive: true });
  };
  const member = await server.login('member', password);
  return {
    ...{ server, folder, admin, member, memberId, southerner, groups, apps, ask, newUser, newFolder, newReport, stop },
  };
}
