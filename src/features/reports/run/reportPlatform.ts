import type { AnalyticsClient } from '../../../client/client.ts';
import { isClientError } from '../../../client/clientError.ts';
import type { RegisteredServer } from '../../../contract/resources/application.ts';
import { findProduct } from '../../../contract/resources/application.ts';
import type { Report } from '../../../contract/resources/report.ts';

/**
 * The database platform that a report's SQL is written for, as a server names it (`postgresql`, `oracle`, `mssql` …):
 * that of the registered server the report names, else that of its application, else the report's own driver.
 * API description, Registered server.
 */
export function reportPlatform(report: Report, servers: readonly RegisteredServer[]): string | undefined {
  const isNamed = ({ DisplayName, ID, DatabaseServer, DatabaseName }: RegisteredServer) =>
    [DisplayName, ID, DatabaseServer, DatabaseName].some((name) => same(name, report.ServerName));
  const isOfApplication = (server: RegisteredServer) => same(findProduct(server)?.Name, report.ModuleName);
  const found =
    servers.find(isNamed) ?? servers.find(isOfApplication) ?? (servers.length === 1 ? servers[0] : undefined);
  return (
    [found?.DatabasePlatform, found?.DatabaseDriver, report.DbDriver].find(
      (name) => typeof name === 'string' && name !== '',
    ) ?? undefined
  );
}

/**
 * The same, asking the server which registered servers there are; undefined where this user may not see them.
 * API description, GetAdminRegisteredServers.
 */
export async function readPlatform(client: AnalyticsClient, report: Report): Promise<string | undefined> {
  try {
    return reportPlatform(report, await client.call('RegServers/GetAdminRegisteredServers', {}));
  } catch (error) {
    // The platform only says how SQL is written: whoever asked for it goes on without.
    if (isClientError(error)) return reportPlatform(report, []);
    throw error;
  }
}

function same(one: string | number | null | undefined, other: string | null | undefined): boolean {
  const text = String(one ?? '')
    .trim()
    .toLowerCase();
  return text !== '' && text === (other ?? '').trim().toLowerCase();
}
