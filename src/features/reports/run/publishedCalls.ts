import type { ResultOutcome } from '../../../client/results/readResult.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import { withUserSessionOnly } from '../../../client/session/userSession.ts';
import { isEmbedded, type ConnectionStore } from '../../../connections/connectionStore.ts';
import { isAsked } from '../../../contract/pages/promptForm.ts';
import type { Prompt } from '../../../contract/resources/report.ts';
import { promptShape } from '../prompts/promptFields.ts';
import type { PromptInfo, ReportInfo, ReportRows, RunRequest } from './publishedApi.ts';
import { reportCalls, type ReportCalls } from './reportCalls.ts';

/**
 * The calls of {@link AnalyticsStudioApi} on one connection.
 * @throws Error that names the id if there is no such connection.
 */
export function publishedCalls(connections: ConnectionStore, id: string) {
  const connection = connections.get(id);
  if (!connection) throw new Error(`Analytics Studio has no connection with the id ${JSON.stringify(id)}.`);
  const calls = reportCalls(() => connection.client());
  /** Uses the connection without signing in behind the user's back. */
  const using = <T>(work: () => Promise<T>): Promise<T> =>
    isEmbedded(connection) ? work() : withUserSessionOnly(work);
  return {
    findReports: (text: string, signal?: AbortSignal): Promise<ReportInfo[]> =>
      using(async () => {
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
    promptsOf: (reportId: string, signal?: AbortSignal): Promise<PromptInfo[]> =>
      using(async () => {
        const { Prompts } = await calls.metadata(reportId, signal);
        return (Prompts ?? []).map((prompt) => ({
          label: prompt.PromptField?.DisplayFieldName ?? '',
          mayBeSkipped: Boolean(prompt.isSkipable) || !isAsked(promptShape(prompt)),
          isRange: Boolean(prompt.isBetween),
        }));
      }),
    runReport: (reportId: string, request: RunRequest = {}): Promise<ReportRows> =>
      using(() => runToEnd(calls, { reportId, server: connection.name }, request)),
  };
}

async function runToEnd(
  calls: ReportCalls,
  { reportId, server }: { reportId: string; server: string },
  request: RunRequest,
): Promise<ReportRows> {
  const signal = request.signal ?? new AbortController().signal;
  const asked = await calls.metadata(reportId, signal);
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
