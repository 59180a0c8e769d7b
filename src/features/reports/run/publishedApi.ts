import type { ResultOutcome } from '../../../client/results/readResult.ts';
import type { CellValue } from '../../../client/results/resultCell.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { Connection } from '../../../connections/connection.ts';
import { withUserSessionOnly } from '../../../client/session/userSession.ts';
import { isEmbedded, type ConnectionStore } from '../../../connections/connectionStore.ts';
import type { Prompt } from '../../../contract/resources/report.ts';
import { isAsked } from '../../../contract/pages/promptForm.ts';
import type { ReportCalls } from './reportCalls.ts';

/**
 * API for other extensions: `vscode.extensions.getExtension('analytics-studio.analytics-studio')?.activate()`. It only
 * reads and never changes anything on a server, and never exposes tokens, passwords or addresses. Calls use the user's
 * existing session: without one, or if it has expired, they fail even if a password is stored. Only the local server is
 * started, and signed in to with its own account, when a call needs it.
 */
export interface AnalyticsStudioApi {
  readonly version: 1;
  /** The servers in the sidebar. */
  connections(): readonly ConnectionInfo[];
  /**
   * The reports whose names contain `text`, as far as the connection's user may see them. Dashboards are excluded.
   * @throws Error that names server and cause, also if no user is signed in; Error that names the id if there is no
   *   such connection.
   */
  findReports(connectionId: string, text: string, signal?: AbortSignal): Promise<readonly ReportInfo[]>;
  /**
   * The prompts of a report, in the order of `RunRequest.answers`; empty if it has none.
   * @throws Error as `findReports`, also if there is no such report.
   */
  promptsOf(connectionId: string, reportId: string, signal?: AbortSignal): Promise<readonly PromptInfo[]>;
  /**
   * Runs a report and reads its whole result.
   * @throws Error as `promptsOf`, also if the server refuses to run it or the reply is incomplete.
   */
  runReport(connectionId: string, reportId: string, request?: RunRequest): Promise<ReportRows>;
}

/** A server in the sidebar and its account. */
export interface ConnectionInfo {
  readonly id: string;
  readonly name: string;
  /** Empty for a guest who is not signed in. */
  readonly userName: string;
  readonly isSignedIn: boolean;
}

/** A report that can be run. */
export interface ReportInfo {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** A prompt of a report. */
export interface PromptInfo {
  readonly label: string;
  readonly mayBeSkipped: boolean;
  readonly isRange: boolean;
}

/** The answer to a prompt: a value, the bounds of a range, or a list as the server writes it (`IL, CA`). */
export type PromptAnswer = { readonly low: string; readonly high?: string } | 'skip';

/** How to run a report. */
export interface RunRequest {
  /** By prompt position. Prompts without an answer are skipped if they are optional. */
  readonly answers?: readonly PromptAnswer[];
  /** Whether the server may answer from its cache; true by default. */
  readonly mayUseCache?: boolean;
  readonly signal?: AbortSignal;
}

/** A complete result. */
export interface ReportRows {
  readonly columns: readonly {
    readonly key: string;
    readonly header: string;
    readonly fieldType: string | undefined;
  }[];
  readonly rowCount: number;
  /**
   * Rows from `start` to `end` (exclusive), each an array in the order of `columns`; undefined if a row lacks the key.
   */
  rows(start: number, end: number): readonly (readonly CellValue[])[];
}

/** Implements {@link AnalyticsStudioApi} for the saved connections. */
export function publishedApi(connections: ConnectionStore): AnalyticsStudioApi {
  const connectionOf = (id: string): Connection => {
    const found = connections.get(id);
    if (!found) throw new Error(`Analytics Studio has no connection with the id ${JSON.stringify(id)}.`);
    return found;
  };
  const callsOf = async (connection: Connection) => {
    // Loaded on first use to keep activation fast.
    const { reportCalls } = await import('./reportCalls.ts');
    return reportCalls(() => connection.client());
  };
  /** Uses a connection without signing in behind the user's back. */
  const using = async <T>(id: string, work: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = connectionOf(id);
    if (isEmbedded(connection)) return work(connection);
    return withUserSessionOnly(() => work(connection));
  };
  return {
    version: 1,
    connections: () => connections.list().map(describe),
    findReports: (connectionId, text, signal) =>
      using(connectionId, async (connection) => {
        const client = await connection.client();
        const items = await client.call('library/SearchReports', { searchstring: text }, { signal });
        return items
          .filter(({ itemtype }) => itemtype !== 0)
          .map(({ id, ReportName, description }) => ({
            id: String(id),
            name: ReportName ?? '',
            description: typeof description === 'string' ? description : '',
          }));
      }),
    promptsOf: (connectionId, reportId, signal) =>
      using(connectionId, async (connection) => {
        const { Prompts } = await (await callsOf(connection)).metadata(reportId, signal);
        const { promptShape } = await import('../prompts/promptFields.ts');
        return (Prompts ?? []).map((prompt) => ({
          label: prompt.PromptField?.DisplayFieldName ?? '',
          mayBeSkipped: Boolean(prompt.isSkipable) || !isAsked(promptShape(prompt)),
          isRange: Boolean(prompt.isBetween),
        }));
      }),
    runReport: (connectionId, reportId, request = {}) =>
      using(connectionId, async (connection) =>
        runToEnd(await callsOf(connection), { reportId, server: connection.name }, request),
      ),
  };
}

async function runToEnd(
  calls: ReportCalls,
  { reportId, server }: { reportId: string; server: string },
  request: RunRequest,
): Promise<ReportRows> {
  const signal = request.signal ?? new AbortController().signal;
  const asked = await calls.metadata(reportId, signal);
  const { promptShape } = await import('../prompts/promptFields.ts');
  const answers = (asked.Prompts ?? []).map((prompt, index) => {
    const answer = request.answers?.[index] ?? 'skip';
    if (answer === 'skip') return isAsked(promptShape(prompt)) ? skipped(prompt) : prompt;
    return { ...prompt, isSkipped: false, LowValue: answer.low, HighValue: answer.high ?? null };
  });
  const ready = answers.length > 0 ? await calls.answer(asked, answers, signal) : asked;
  const { store, done } = await calls.run(ready, { isCacheOk: request.mayUseCache ?? true }, { signal });
  requireComplete(await done, server);
  return rowsOf(store);
}

function describe({ id, name, userName, state }: Connection): ConnectionInfo {
  return { id, name, userName, isSignedIn: state.kind === 'active' };
}

/** @throws Error if the prompt requires an answer. */
function skipped(prompt: Prompt): Prompt {
  if (prompt.isSkipable) return { ...prompt, isSkipped: true };
  throw new Error(`The report needs an answer to ${JSON.stringify(prompt.PromptField?.DisplayFieldName ?? '')}.`);
}

/** @throws Error for any outcome except a complete result. */
function requireComplete(outcome: ResultOutcome, server: string): void {
  switch (outcome.kind) {
    case 'complete':
      return;
    case 'refused':
      throw new Error(`${server} did not run the report: ${outcome.message}`);
    case 'cancelled':
      throw outcome.reason;
    case 'failed':
      throw new Error(`The result of ${server} could not be read: ${outcome.error.message}`, { cause: outcome.error });
  }
}

function rowsOf(store: ResultStore): ReportRows {
  const { columns } = store;
  return {
    columns: columns.map(({ key, header, fieldType }) => ({ key, header, fieldType })),
    rowCount: store.rowCount,
    rows: (start, end) => {
      const first = Math.max(0, start);
      const count = Math.max(0, Math.min(end, store.rowCount) - first);
      return Array.from({ length: count }, (_, row) =>
        columns.map((_column, column) => store.cell(first + row, column)),
      );
    },
  };
}
