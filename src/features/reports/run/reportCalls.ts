import type { AnalyticsClient } from '../../../client/client.ts';
import { isClientError, type ClientErrorKind } from '../../../client/clientError.ts';
import type { ReadResultOptions } from '../../../client/results/readResult.ts';
import { runReport, type RunningResult } from '../../../client/runReport.ts';
import { errorCodes } from '../../../contract/errorCodes.ts';
import type { Prompt, Report, ReportMetadata } from '../../../contract/resources/report.ts';
import type { FieldValue } from '../prompts/promptChoices.ts';
import { type RegisteredServer, findProduct } from '../../../contract/resources/application.ts';

/** The row that a drill-down comes from. API description, GetReportData. */
export interface DrillOrigin {
  /** The report that holds the row, as it was run. */
  source: ReportMetadata;
  /** The row, by the keys of its columns. */
  criteria: Record<string, unknown>;
}

/** How a report is run. */
export interface RunHow {
  /** Whether the server may answer from its cache. */
  isCacheOk: boolean;
  /** Leaves the prompts out, so that they filter nothing. */
  isUnprompted?: boolean;
  /** Runs the report as the target of a drill-down. */
  drill?: DrillOrigin;
}

/** The calls that running a report takes. API description, Report run sequence. */
export interface ReportCalls {
  /** @throws {ClientError} also when there is no such report. */
  metadata(reportId: string, signal?: AbortSignal, isTarget?: boolean): Promise<ReportMetadata>;
  fieldValues(metadata: ReportMetadata, prompt: Prompt): Promise<readonly FieldValue[]>;
  /** Puts the values of all prompts into the report's criteria. */
  answer(metadata: ReportMetadata, prompts: readonly Prompt[], signal: AbortSignal): Promise<ReportMetadata>;
  /** SQL of a report, in the platform's dialect. */
  sql(report: Report): Promise<string>;
  /** The kind of database that the report reads, as the server names it; undefined where that cannot be told. */
  platform(report: Report): Promise<string | undefined>;
  run(metadata: ReportMetadata, how: RunHow, options: ReadResultOptions): Promise<RunningResult>;
}

/** {@link ReportCalls} on a server. `client` is asked for each call: the local server may have started anew. */
export function reportCalls(client: () => Promise<AnalyticsClient>): ReportCalls {
  return {
    async metadata(reportId, signal, isTarget = false) {
      const body = { ReportID: reportId, isTarget, PreviousMetadata: null, Criteria: null };
      return (await client()).call('Report/GetReportMetadataById', body, { signal });
    },
    async fieldValues(metadata, prompt) {
      return (await client()).call('Report/GetFieldValues', { Reportobj: metadata, Prompt: prompt });
    },
    async answer(metadata, prompts, signal) {
      return answer(await client(), metadata, prompts, signal);
    },
    async sql(report) {
      return (await client()).call('Report/GetSQL', { Reportobj: report });
    },
    async platform(report) {
      return readPlatform(await client(), report);
    },
    async run(metadata, { isCacheOk, isUnprompted = false, drill }, options) {
      const body = {
        Reportobj: drill?.source ?? metadata,
        IsDrillDown: drill !== undefined,
        DrillDownCriteria: drill?.criteria ?? null,
        TargetReportobj: drill === undefined ? null : metadata,
        supressprompts: isUnprompted,
        cacheok: isCacheOk,
      };
      return runReport(await client(), body, options);
    },
  };
}

/** Whether the server has no such report, or none that it shows to this account. API description, GetReportMetadataById. */
export function isNoSuchReport(error: unknown): boolean {
  return isClientError(error, 'refused') && error.code === errorCodes.noSuchReport;
}

/** The same calls for a report that is not saved: `draft` gives it in place of the server, as long as there is one. */
export function withDraft(draft: () => ReportMetadata | undefined, calls: ReportCalls): ReportCalls {
  return { ...calls, metadata: async (...asked) => draft() ?? calls.metadata(...asked) };
}

/**
 * Failures that say nothing about the values, only that this server has no such call or not in this form. The call is
 * described as one without a token; a server that wants one all the same rejects it as not signed in.
 */
const unsupported: readonly ClientErrorKind[] = ['notFound', 'notTheApi', 'malformed', 'noPermission', 'notSignedIn'];

/** All prompts at once; where the server cannot do that, one after the other. */
async function answer(
  client: AnalyticsClient,
  metadata: ReportMetadata,
  prompts: readonly Prompt[],
  signal: AbortSignal,
): Promise<ReportMetadata> {
  try {
    const body = { Reportobj: metadata, Prompts: [...prompts] };
    const answered = await client.call('Report/ReplacePromptCollection', body, { signal });
    if (answered.Report) return answered;
  } catch (error) {
    if (!isClientError(error) || !unsupported.includes(error.kind)) throw error;
  }
  let current = metadata;
  for (const prompt of prompts) {
    current = await client.call('Report/ReplacePrompt', { Reportobj: current, Prompt: prompt }, { signal });
  }
  return current;
}

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
