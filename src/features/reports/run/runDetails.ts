import { isClientError } from '../../../client/clientError.ts';
import type { Report } from '../../../contract/resources/report.ts';
import type { PromptValue } from '../../../contract/pages/promptForm.ts';
import type { PromptChip, RunPhase } from '../../../contract/pages/resultsPage.ts';
import type { KeyedArrangement } from '../view/resultView.ts';
import type { ReportCalls } from './reportCalls.ts';
import type { RunPlace } from './runOptions.ts';
import type { ReportTarget } from '../../../editor/commands/services.ts';

/** What rows were asked for with. */
export interface RowsOrigin {
  place: RunPlace;
  chips: PromptChip[];
  values: readonly PromptValue[] | undefined;
  startedAt: Date | undefined;
  /** How the run ended that gave them; undefined where it did not, or was cancelled. */
  phase: RunPhase | undefined;
}

/** What is known of a run that has ended. */
export interface EndedRun extends RowsOrigin {
  target: ReportTarget;
  arrangement: KeyedArrangement | undefined;
  report: Report | undefined;
}

/** What rows were made from, for whoever keeps them; where the server gives no SQL, why. */
export async function runDetails(run: EndedRun, calls: Pick<ReportCalls, 'sql'>): Promise<object> {
  const { target, place, chips, values, startedAt, phase, arrangement, report } = run;
  return {
    report: target.name,
    reportId: target.reportId,
    ...place,
    // The words are cut for display: what was sent stands beside them.
    prompts: chips.map((chip, index) => ({ ...chip, sent: values?.[index] })),
    ranAt: startedAt?.toISOString(),
    isFromCache: phase?.kind === 'done' && phase.isCached,
    arrangement,
    ...(report && (await sqlOf(report, calls))),
  };
}

async function sqlOf(
  report: Report,
  calls: Pick<ReportCalls, 'sql'>,
): Promise<{ sql: string } | { sqlUnavailable: string }> {
  try {
    return { sql: await calls.sql(report) };
  } catch (error) {
    if (!isClientError(error)) throw error;
    // The rows were shown and are still worth taking away.
    return { sqlUnavailable: error.message };
  }
}
