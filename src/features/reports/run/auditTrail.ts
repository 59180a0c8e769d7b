import type { AnalyticsClient } from '../../../client/client.ts';
import { ClientError, isClientError } from '../../../client/clientError.ts';
import { readAuditTrail } from '../../../client/runReport.ts';
import { zoneOfUser } from '../../../contract/zones/zoneNames.ts';
import * as l10n from '../../../l10n/l10n.ts';
import { auditObjectColumn } from './auditObjects.ts';
import type { ReportCalls } from './reportCalls.ts';

/**
 * The calls that show a server's audit trail as a result, with the filters, sorting and exports of reports. It has no
 * prompts and no SQL. Gets `client` for each call because the local server may have been restarted.
 */
export function auditTrailCalls(client: () => Promise<AnalyticsClient>): ReportCalls {
  const unused = async () => {
    const server = (await client()).target.name;
    throw new ClientError('refused', l10n.t('The audit trail is not a report: it has no SQL and no prompts.'), {
      server,
    });
  };
  return {
    metadata: async (ReportID) => {
      // A row opens its object like a linked report.
      const linkreports = [{ ReportID, Name: l10n.t('its object'), links: [{ field: auditObjectColumn }] }];
      return { Report: { ReportID, Reportname: '', OutputType: 1, FieldList: [], linkreports }, Prompts: [] };
    },
    fieldValues: unused,
    answer: unused,
    hasNoSql: true,
    sql: unused,
    platform: async () => undefined,
    zones: async () => {
      const { state } = (await client()).session;
      return { timeZone: zoneOfUser('account' in state ? state.account : {}), storedZone: 'UTC' };
    },
    run: async (_metadata, _how, options) => {
      const from = await client();
      try {
        return await readAuditTrail(from, options);
      } catch (error) {
        if (!isClientError(error, 'notFound')) throw error;
        const server = from.target.name;
        const words = l10n.t(
          '{0} does not offer its audit trail to this extension: the API has no call for it. Read it in the pages of the server.',
          server,
        );
        throw new ClientError('notFound', words, { server, cause: error });
      }
    },
  };
}
