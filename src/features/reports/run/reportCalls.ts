import { isDeepStrictEqual } from 'node:util';
import type { AnalyticsClient } from '../../../client/client.ts';
import { isClientError, type ClientErrorKind } from '../../../client/clientError.ts';
import type { ReadResultOptions } from '../../../client/results/readResult.ts';
import { runReport, type RunningResult } from '../../../client/runReport.ts';
import { errorCodes } from '../../../contract/errorCodes.ts';
import type { Prompt, Report, ReportMetadata } from '../../../contract/resources/report.ts';
import type { FieldValue } from '../prompts/promptChoices.ts';
import type { RegisteredServer } from '../../../contract/resources/application.ts';
import { type CellZones, readZones, serverOf } from './reportZones.ts';

/** The row that a drill-down starts from. API description, GetReportData. */
export interface DrillOrigin {
  /** The report that contains the row, as it was run. */
  source: ReportMetadata;
  /** The row's values by column key. */
  criteria: Record<string, unknown>;
}

/** Options for running a report. */
export interface RunHow {
  /** Whether the server may answer from its cache. */
  isCacheOk: boolean;
  /** Skips the prompts, so that they do not filter. */
  isUnprompted?: boolean;
  /** Runs the report as a drill-down target. */
  drill?: DrillOrigin;
}

/** The calls for running a report. API description, Report run sequence. */
export interface ReportCalls {
  /** @throws {ClientError} also if there is no such report. */
  metadata(reportId: string, signal?: AbortSignal, isTarget?: boolean): Promise<ReportMetadata>;
  fieldValues(metadata: ReportMetadata, prompt: Prompt): Promise<readonly FieldValue[]>;
  /** Applies the values of all prompts to the report's criteria. */
  answer(metadata: ReportMetadata, prompts: readonly Prompt[], signal: AbortSignal): Promise<ReportMetadata>;
  /** Whether there is no SQL to show. */
  readonly hasNoSql?: true | undefined;
  /** The SQL of a report, in the platform's dialect. */
  sql(report: Report): Promise<string>;
  /** The report's database type, as the server names it; undefined if unknown. */
  platform(report: Report): Promise<string | undefined>;
  /** The zones of the report's `dat` columns, and that of the signed-in user. */
  zones(report: Report | null | undefined, signal: AbortSignal): Promise<CellZones>;
  run(metadata: ReportMetadata, how: RunHow, options: ReadResultOptions): Promise<RunningResult>;
}

/** {@link ReportCalls} on a server. Gets `client` for each call because the local server may have been restarted. */
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
    async zones(report, signal) {
      return readZones(await client(), report, signal);
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

/** Reads a report repeatedly. It rarely changes, so that what depends on it is asked for beside it. */
export class ReportReader {
  readonly #calls: ReportCalls;
  /** The report as last read. */
  #last: ReportMetadata | undefined;

  constructor(calls: ReportCalls) {
    this.#calls = calls;
  }

  /** Reads a report and the zones of its columns. @throws {ClientError} also if there is no such report. */
  async read(
    reportId: string,
    signal: AbortSignal,
    isTarget: boolean,
  ): Promise<{ metadata: ReportMetadata; zones: CellZones }> {
    const early = this.beside((last) => this.#calls.zones(last.Report, signal));
    const metadata = await this.#calls.metadata(reportId, signal, isTarget);
    const zones = await (early?.(metadata) ?? this.#calls.zones(metadata.Report, signal));
    this.#last = metadata;
    return { metadata, zones };
  }

  /**
   * Asks for something of the report as last read.
   * @returns what gives the reply if it holds for the report as it is now; undefined before the first reading.
   */
  beside<T>(ask: (last: ReportMetadata) => Promise<T>): ((now: ReportMetadata) => Promise<T> | undefined) | undefined {
    const last = this.#last;
    if (last === undefined) return undefined;
    const asked = ask(last);
    // Of no account if the report has changed.
    asked.catch(() => undefined);
    return (now) => (isDeepStrictEqual(now, last) ? asked : undefined);
  }
}

/** Whether the report does not exist or is not visible to this account. API description, GetReportMetadataById. */
export function isNoSuchReport(error: unknown): boolean {
  return isClientError(error, 'refused') && error.code === errorCodes.noSuchReport;
}

/** The same calls for an unsaved report: `draft` replaces the server's report while it exists. */
export function withDraft(draft: () => ReportMetadata | undefined, calls: ReportCalls): ReportCalls {
  return { ...calls, metadata: async (...asked) => draft() ?? calls.metadata(...asked) };
}

/**
 * Failures that do not concern the values but mean that this server lacks the call or supports it in a different form.
 * The call is documented as needing no token; a server that requires one rejects it as not signed in.
 */
const unsupported: readonly ClientErrorKind[] = ['notFound', 'notTheApi', 'malformed', 'noPermission', 'notSignedIn'];

/** Answers all prompts at once, or one by one if the server does not support that. */
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
 * The database platform of a report's SQL, as a server names it (`postgresql`, `oracle`, `mssql` …): that of the
 * report's registered server, else of its application, else the report's own driver. API description, Registered
 * server.
 */
export function reportPlatform(report: Report, servers: readonly RegisteredServer[]): string | undefined {
  const found = serverOf(report, servers);
  return (
    [found?.DatabasePlatform, found?.DatabaseDriver, report.DbDriver].find(
      (name) => typeof name === 'string' && name !== '',
    ) ?? undefined
  );
}

/**
 * Like `reportPlatform`, but requests the registered servers; undefined if this user may not list them. API
 * description, GetAdminRegisteredServers.
 */
export async function readPlatform(client: AnalyticsClient, report: Report): Promise<string | undefined> {
  try {
    return reportPlatform(report, await client.call('RegServers/GetAdminRegisteredServers', {}));
  } catch (error) {
    // The platform only affects how SQL is written, so continue without it.
    if (isClientError(error) && error.kind !== 'cancelled') return reportPlatform(report, []);
    throw error;
  }
}
