import { anyDbModuleType, insertApplication } from '../catalogue/applications.ts';
import { insertRegisteredServer } from '../catalogue/registeredServers.ts';
import { saveReportType } from '../catalogue/reportTypes.ts';
import { adminUserId, guestUserId } from '../identity/identitySchema.ts';
import { insertFolder, personalLibraryOf, scopeFolder } from '../library/folders.ts';
import { insertDashboard, insertReport } from '../library/items.ts';
import type { Store } from '../store/store.ts';
import { draftReport, flightReports, tenantReport } from './flightReports.ts';
import { sampleDefinition, type SampleReport, type StoredSampleReport } from './sampleReport.ts';
import { flightsType, strikesType } from './sampleReportTypes.ts';
import { strikeReports } from './strikeReports.ts';
import type { RoomSchema } from '../store/migrations.ts';
import { assignApplication, applicationRoleIds } from '../identity/applicationRoles.ts';
import { addMember, insertGroup } from '../identity/groups.ts';
import { insertUser, passwordHashOf, setPassword, type NewUser } from '../identity/users.ts';
import { insertDataTag, setGroupTagValue, setUserTagValue } from '../security/dataTags.ts';
import { insertPolicy } from '../security/policies.ts';
import { policyConstraint } from '../security/policyConstraint.ts';

/** State of the sample: that it was added, once, and the registered server of its data. */
export const sampleSchema: RoomSchema = {
  room: 'sample',
  steps: ['CREATE TABLE sample (only INTEGER PRIMARY KEY CHECK (only = 1), server_id INTEGER NOT NULL)'],
};

/** Name of the sample's application. */
const sampleApplicationName = 'Flight Operations';
/** Display name of the sample's registered server. */
const sampleServerName = 'Flight Data';

const dashboards = [
  {
    name: 'Flight Operations at a Glance',
    description: 'Traffic, punctuality and where the delays are.',
    reports: ['flights.count', 'flights.onTime', 'flights.daily', 'flights.map', 'flights.distances'],
  },
  {
    name: 'Bird Strikes at a Glance',
    description: 'How often, where and at what cost.',
    reports: ['strikes.years', 'strikes.states', 'strikes.costs'],
  },
] as const;

/**
 * Adds the sample once per store: application, registered server, report types, tenants with their users, folders,
 * reports and dashboards. Later calls change nothing, even if the sample was changed or deleted.
 * @returns whether this call added it.
 */
export function seedSample(store: Store, now: Date): boolean {
  return store.transaction(() => {
    if (store.get('SELECT only FROM sample')) return false;
    const applicationId = insertApplication(store, {
      name: sampleApplicationName,
      description: 'US flights, airports and bird strikes',
    });
    const serverId = insertRegisteredServer(store, applicationId, serverDefinition);
    for (const reportType of [flightsType, strikesType]) saveReportType(store, applicationId, reportType);
    const tenants = seedTenants(store, applicationId, now);
    seedLibrary(store, applicationId, tenants, now);
    store.run('INSERT INTO sample (only, server_id) VALUES (1, ?)', serverId);
    return true;
  });
}

const serverDefinition = {
  TimeZone: 0,
  DaylightSavings: false,
  DatabaseOwner: '',
  DatabaseServer: '',
  DatabaseLogin: '',
  DatabaseName: '',
  DatabaseDriver: 'duckdb',
  DatabasePlatform: 'duckdb',
  CommandTimeout: 30,
  ConnectionTimeout: 10,
  Permissions: [],
  MappedAnyDB: '',
  DisplayName: sampleServerName,
  allowstoredproc: 0,
  allowdirectsql: 0,
  datasources: [],
  additionalparams: '',
};

/** Creates folders, reports and dashboards: open to all, scoped to each tenant, and personal ones. */
function seedLibrary(
  store: Store,
  applicationId: string,
  { groupIds, userIds }: ReturnType<typeof seedTenants>,
  now: Date,
): void {
  const application = {
    name: sampleApplicationName,
    moduleType: anyDbModuleType,
    serverName: sampleServerName,
  };
  const stored = new Map<string, StoredSampleReport>();
  const add = (report: SampleReport, folderId: string, createdBy = adminUserId) => {
    const definition = sampleDefinition(report, application, stored);
    const id = insertReport(store, { definition, folderId, createdBy, applicationId }, now);
    stored.set(report.key, { id, name: report.name });
  };
  const publicFolder = (name: string) =>
    insertFolder(store, { name, parentId: null, kind: 'public', ownerId: null }, now);

  const flights = publicFolder('Flights');
  for (const report of flightReports) add(report, flights);
  const strikes = publicFolder('Bird Strikes');
  for (const report of strikeReports) add(report, strikes);

  const overview = publicFolder('Dashboards');
  for (const { name, description, reports } of dashboards) {
    const ids = reports.flatMap((key) => stored.get(key)?.id ?? []);
    insertDashboard(store, { name, description, folderId: overview, reportIds: ids, createdBy: adminUserId }, now);
  }
  for (const { name } of sampleTenants) {
    const folder = publicFolder(name);
    scopeFolder(store, folder, groupIds.get(name) ?? '');
    add(tenantReport(name), folder);
  }
  for (const ownerId of [adminUserId, userIds.get('north.modifier') ?? '']) {
    const drafts = { name: 'Drafts', parentId: personalLibraryOf(store, ownerId, now), kind: 'personal' } as const;
    const folder = insertFolder(store, { ...drafts, ownerId }, now);
    add(draftReport, folder, ownerId);
  }
}

const { builder, agent, architect } = applicationRoleIds;
/** Roles within a group. API description, Role. */
const groupRoles = { none: '0', admin: '1', view: '2', modify: '3', delete: '4' } as const;

/** The tenants, with the states whose rows they may see. */
export const sampleTenants = [
  { name: 'North', states: ['CT', 'IL', 'MA', 'MI', 'MN', 'NJ', 'NY', 'PA'] },
  { name: 'South', states: ['FL', 'GA', 'LA', 'NC', 'TN', 'TX'] },
] as const;

/** The tenants' zones differ from the database's, and from each other's. */
const zones = {
  North: { timezone: -5, timezoneName: 'America/New_York' },
  South: { timezone: -6, timezoneName: 'America/Chicago' },
} as const;

type TenantName = (typeof sampleTenants)[number]['name'];

interface SampleUser extends NewUser {
  firstName: string;
  lastName: string;
  applicationRole: string;
  memberships: readonly (readonly [tenant: TenantName, roleId: string])[];
}

function user(
  loginName: string,
  lastName: string,
  applicationRole: string,
  memberships: SampleUser['memberships'] = [],
  more: Partial<NewUser> = {},
): SampleUser {
  const [tenant] = memberships.length === 1 ? (memberships[0] ?? []) : [];
  const email = `${loginName}@example.com`;
  const zone = tenant ? zones[tenant] : {};
  return { loginName, firstName: tenant ?? 'Sample', lastName, email, applicationRole, memberships, ...zone, ...more };
}

/** One user per role, and each tenant's own users. Users without a tenant see every row. */
export const sampleUsers: readonly SampleUser[] = [
  user(
    'sample.admin',
    'Admin',
    architect,
    [
      ['North', groupRoles.admin],
      ['South', groupRoles.admin],
    ],
    { isAdmin: true },
  ),
  user('sample.builder', 'Builder', builder),
  user('sample.agent', 'Agent', agent),
  user('sample.architect', 'Architect', architect),
  user('north.viewer', 'Viewer', agent, [['North', groupRoles.view]], { company: 'North' }),
  user('north.modifier', 'Modifier', builder, [['North', groupRoles.modify]], { company: 'North' }),
  user('north.deleter', 'Deleter', builder, [['North', groupRoles.delete]], { company: 'North' }),
  user('north.none', 'None', agent, [['North', groupRoles.none]], { company: 'North' }),
  user('south.viewer', 'Viewer', agent, [['South', groupRoles.view]], { company: 'South' }),
  user('south.modifier', 'Modifier', builder, [['South', groupRoles.modify]], { company: 'South' }),
  // Tenants of one person, without a group: a policy reads the states from the profile, or from the user's own tag value.
  user('west.viewer', 'Viewer', agent, [], { firstName: 'West', company: 'West', tags: ['CA', '', '', ''] }),
  user('coast.viewer', 'Viewer', agent, [], { firstName: 'Coast', company: 'Coast' }),
];

/** The states of the tenant that has a value of its own of the tag. */
const coastStates = ['OR', 'WA'];

const tagLabel = 'state';
/** The column of each table that assigns its rows to a state. */
const stateColumns = [
  ['flights', 'origin_state'],
  ['airports', 'state'],
  ['birdstrikes', 'state'],
] as const;

/** A policy per kind of tenant: where its states come from. */
const policies: readonly {
  name: string;
  description: string;
  value: string;
  groups: readonly TenantName[];
  users: readonly string[];
}[] = [
  {
    name: 'Own States Only',
    description: 'Tenants see the flights, airports and bird strikes of their own states.',
    value: `/#${tagLabel}#/`,
    groups: ['North', 'South'],
    users: [],
  },
  {
    name: 'State of the Profile',
    description: 'Users without a group see the rows of the state in their profile (Tag1).',
    value: '/#tag1#/',
    groups: [],
    users: ['west.viewer'],
  },
  {
    name: 'States of the User',
    description: 'Users without a group see the rows of the states that the tag holds for each of them.',
    value: `/#${tagLabel}#/`,
    groups: [],
    users: ['coast.viewer'],
  },
];

/**
 * Creates the tenants' groups, the tag with each one's states, the users, who all get the password of the built-in
 * admin, and the policies that compare the rows' states with the tag or the profile. Returns the groups' ids by tenant
 * and the users' by login name.
 */
function seedTenants(
  store: Store,
  applicationId: string,
  now: Date,
): { groupIds: ReadonlyMap<TenantName, string>; userIds: ReadonlyMap<string, string> } {
  const groupIds = new Map<TenantName, string>();
  const tagId = insertDataTag(store, { label: tagLabel, isGroup: true, isUser: true }, now);
  for (const { name, states } of sampleTenants) {
    const description = `Sample tenant: sees ${states.join(', ')}`;
    const groupId = insertGroup(store, { name, description }, now);
    setGroupTagValue(store, tagId, groupId, states.join(','));
    groupIds.set(name, groupId);
  }
  const userIds = seedUsers(store, applicationId, groupIds, now);
  setUserTagValue(store, tagId, userIds.get('coast.viewer') ?? '', coastStates.join(','));
  for (const { value, groups, users, ...policy } of policies) {
    const constraints = stateColumns.map(([TableName, ColumnName]) =>
      policyConstraint.parse({ ModuleID: applicationId, TableName, ColumnName, Operator: 'in', Value: value }),
    );
    const assigned = {
      groupIds: groups.map((name) => groupIds.get(name) ?? ''),
      userIds: users.map((login) => userIds.get(login) ?? ''),
    };
    insertPolicy(store, { ...policy, ...assigned, isActive: true, constraints, authorId: adminUserId }, now);
  }
  return { groupIds, userIds };
}

function seedUsers(
  store: Store,
  applicationId: string,
  groupIds: ReadonlyMap<TenantName, string>,
  now: Date,
): ReadonlyMap<string, string> {
  const passwordHash = passwordHashOf(store, adminUserId);
  const userIds = new Map<string, string>();
  for (const { applicationRole, memberships, ...profile } of sampleUsers) {
    const userId = insertUser(store, { description: 'Sample user', ...profile }, now);
    setPassword(store, userId, passwordHash);
    assignApplication(store, userId, applicationId, applicationRole);
    for (const [tenant, roleId] of memberships) addMember(store, groupIds.get(tenant) ?? '', userId, roleId);
    userIds.set(profile.loginName, userId);
  }
  // A guest sees every row, as users without a tenant do: the sample is public data.
  assignApplication(store, guestUserId, applicationId, agent);
  return userIds;
}
