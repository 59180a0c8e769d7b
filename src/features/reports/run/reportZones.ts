import type { AnalyticsClient } from '../../../client/client.ts';
import { isClientError } from '../../../client/clientError.ts';
import { type RegisteredServer, findProduct } from '../../../contract/resources/application.ts';
import type { Report } from '../../../contract/resources/report.ts';
import { zoneOfServer, zoneOfUser } from '../../../contract/zones/zoneNames.ts';
import type { CellLocale } from '../view/format/cellFormat.ts';

/** The zones of a report's `dat` columns. `storedZone` is absent if the server does not tell this user. */
export type CellZones = Pick<CellLocale, 'timeZone' | 'storedZone'>;

/**
 * The zones of a report's `dat` columns: that of its registered server, and that of the signed-in user. Asks for the
 * registered servers only if the report may have such a column. API description, Registered server, User.
 */
export async function readZones(
  client: AnalyticsClient,
  report: Report | null | undefined,
  signal: AbortSignal,
): Promise<CellZones> {
  const { state } = client.session;
  const timeZone = zoneOfUser('account' in state ? state.account : {});
  const mayHaveTimes = (report?.FieldList ?? []).some(
    ({ Fieldtype, Formula }) => Fieldtype === 'dat' || Fieldtype === 'for' || Boolean(Formula?.trim()),
  );
  const server = report && mayHaveTimes ? await readServer(client, report, signal) : undefined;
  return { timeZone, ...(server !== undefined && { storedZone: zoneOfServer(server) }) };
}

/** The report's registered server, from the list of administrators, else from those of the applications that a user has. */
async function readServer(
  client: AnalyticsClient,
  report: Report,
  signal: AbortSignal,
): Promise<RegisteredServer | undefined> {
  const lists = [
    () => client.call('RegServers/GetAdminRegisteredServers', {}, { signal }),
    async () =>
      (await client.call('App/GetApplicationList', {}, { signal })).flatMap(
        ({ RegisteredServers }) => RegisteredServers ?? [],
      ),
  ];
  for (const list of lists) {
    try {
      const found = serverOf(report, await list());
      if (found !== undefined) return found;
    } catch (error) {
      // Rows are shown without their zone rather than not at all.
      if (!isClientError(error) || signal.aborted) throw error;
    }
  }
  return undefined;
}

/** The registered server that a report runs on: the one that it names, else that of its application, else the only one. */
export function serverOf(report: Report, servers: readonly RegisteredServer[]): RegisteredServer | undefined {
  const isNamed = ({ DisplayName, ID, DatabaseServer, DatabaseName }: RegisteredServer) =>
    [DisplayName, ID, DatabaseServer, DatabaseName].some((name) => same(name, report.ServerName));
  const isOfApplication = (server: RegisteredServer) => same(findProduct(server)?.Name, report.ModuleName);
  return servers.find(isNamed) ?? servers.find(isOfApplication) ?? (servers.length === 1 ? servers[0] : undefined);
}

function same(one: string | number | null | undefined, other: string | null | undefined): boolean {
  const text = String(one ?? '')
    .trim()
    .toLowerCase();
  return text !== '' && text === (other ?? '').trim().toLowerCase();
}
