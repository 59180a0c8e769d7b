import { anyDbModuleType, insertApplication } from '../catalogue/applications.ts';
import { insertRegisteredServer } from '../catalogue/registeredServers.ts';
import { saveReportType } from '../catalogue/reportTypes.ts';
import { adminUserId } from '../identity/identitySchema.ts';
import { insertFolder, personalLibraryOf, scopeFolder } from '../library/folders.ts';
import { insertDashboard, insertReport } from '../library/items.ts';
import type { Store } from '../store/store.ts';
import { draftReport, flightReports, tenantReport } from './flightReports.ts';
import { sampleDefinition, type SampleReport, type StoredSampleReport } from './sampleReport.ts';
import { flightsType, strikesType } from './sampleReportTypes.ts';
import { sampleTenants, seedTenants } from './sampleTenants.ts';
import { strikeReports } from './strikeReports.ts';

/** Name of the sample's application. */
export const sampleApplicationName = 'Flight Operations';
/** Display name of the sample's registered server. */
export const sampleServerName = 'Flight Data';

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
 * Puts the sample in, once per store: application, registered server, report types, tenants with their users, folders,
 * reports and dashboards. Later calls change nothing, whatever became of the sample since.
 * @returns whether it was put in by this call.
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

/** Folders, reports and dashboards: open to all, scoped to each tenant, and personal ones. */
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
