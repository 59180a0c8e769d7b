import type { Report } from '../../contract/resources/report.ts';
import { zoneOfUser } from '../../contract/zones/zoneNames.ts';
import type { SignedInContext } from '../calls/handlers.ts';
import { databasePassword, registeredServer, type ServerModel } from '../catalogue/registeredServers.ts';
import type { ReportTypeModel } from '../catalogue/reportTypeModel.ts';
import { findReportType } from '../catalogue/reportTypes.ts';
import { tableOwner } from '../catalogue/tableOwner.ts';
import type { SecretBox } from '../catalogue/secretBox.ts';
import type { Database } from '../databases/database.ts';
import { limits } from '../databases/databaseAccess.ts';
import type { Databases } from '../databases/databases.ts';
import { mayUseApplication } from '../identity/applicationRoles.ts';
import { needsDescription, type OtherPaths, type RowSecurity, type SourceColumn } from '../security/rowSecurity.ts';
import { dayOfPolicies, rowSecurityOf, todayOf } from '../security/rowSecurityOfCaller.ts';
import { readSettings } from '../store/settings.ts';
import type { PromptUse } from './criteriaPlan.ts';
import { otherPathsOf } from './otherPaths.ts';
import { type PlannedReport, planReport, type ReportReading } from './planReport.ts';
import { ReportError } from './reportError.ts';
import { ReportTables, sourceColumns } from './reportTables.ts';
import type { Dialect } from './sql/dialect.ts';
import { dialectOf } from './sql/dialects.ts';

/** Dependencies of the report handlers in addition to the store. */
export interface ReportParts {
  databases: Databases;
  /** Decrypts the stored database passwords. */
  secrets: SecretBox;
}

/** The caller has no role on the report's application. */
export class ReportAccessError extends Error {
  constructor(applicationName: string) {
    super(`You have no role on the application "${applicationName}"; an administrator can assign one`);
    this.name = 'ReportAccessError';
  }
}

/** A report's context, looked up by its names only and never taken from its other contents. */
export interface ReportGround {
  tables: ReportTables;
  server: ServerModel;
  dialect: Dialect;
  security: RowSecurity;
  /** What dates in criteria are based on. */
  dates: Pick<ReportReading, 'today' | 'zones'>;
  database: () => Promise<Database>;
  /** Plans a report of this report type for the caller. @throws {ReportError} */
  plan: (report: Report, promptUse: PromptUse, more?: Partial<ReportReading>) => PlannedReport;
}

/**
 * Finds the report type that a report names, its server and the caller's row security. The report may be unsaved and
 * comes from the client: only its names are used.
 * @throws {ReportAccessError} when the caller may not use the application.
 * @throws {ReportError} when the report type or its server does not exist or cannot be queried.
 */
export async function openReport(parts: ReportParts, context: SignedInContext, report: Report): Promise<ReportGround> {
  const { store, caller, now } = context;
  const name = report.ReportType ?? '';
  const moduleName = report.ModuleName ?? '';
  const serverName = report.ServerName ?? '';
  const reportType = findReportType(store, { name, moduleName, serverName });
  if (!reportType) throw new ReportError(`The application "${moduleName}" has no report type "${name}"`);
  if (!mayUseApplication(caller, reportType.moduleId)) throw new ReportAccessError(moduleName);
  const server = registeredServer(store, reportType.serverId);
  if (!server) throw new ReportError(`The report type "${name}" has no registered server to run on`);
  const dialect = dialectOf(server.platform);
  if (!dialect)
    throw new ReportError(`${server.displayName}: reports cannot be written for the platform "${server.platform}"`);

  const dates = { today: todayOf(caller, now), zones: { stored: server.zone, shown: zoneOfUser(caller) } };
  const security = rowSecurityOf(store, caller, dayOfPolicies(now));
  const database = () => parts.databases.at(server, () => databasePassword(store, server.id, parts.secrets));
  const owned = {
    ...reportType,
    tables: reportType.tables.map((table) => ({ ...table, ...tableOwner(server, table.owner) })),
  };
  const otherPaths = await otherPathsOf(parts, context, server, new ReportTables(owned), security);
  const tables = await withDescribedColumns(owned, otherPaths, security, async (owner, table) =>
    sourceColumns(
      server.platform,
      await (await database()).columns({ owner, name: table }, limits(server, context.signal)),
    ),
  );
  return {
    tables,
    server,
    dialect,
    security,
    dates,
    database,
    plan: (planned, promptUse, more) =>
      planReport(planned, tables, security, {
        ...dates,
        ...{ promptUse, maxRecords: readSettings(store).MaxRecords },
        ...more,
      }),
  };
}

/** Asks the database to describe the tables that have a column compared by a policy. */
async function withDescribedColumns(
  reportType: ReportTypeModel,
  otherPaths: (owner: string, table: string) => OtherPaths,
  { policies }: RowSecurity,
  describe: (owner: string, table: string) => Promise<SourceColumn[]>,
): Promise<ReportTables> {
  const tables = new ReportTables(reportType, () => [], otherPaths);
  const compared = new Map(
    tables.reportType.tables.flatMap(({ owner, name, alias }) => {
      const table = tables.table(alias);
      return table && needsDescription(table, policies) ? [[JSON.stringify([owner, name]), { owner, name }]] : [];
    }),
  );
  const described = new Map(
    await Promise.all([...compared].map(async ([key, { owner, name }]) => [key, await describe(owner, name)] as const)),
  );
  if (described.size === 0) return tables;
  return new ReportTables(reportType, (owner, name) => described.get(JSON.stringify([owner, name])) ?? [], otherPaths);
}
