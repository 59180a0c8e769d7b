import type { RunTarget } from './runOptions.ts';

/** What starts the id of a report that is not saved. */
const draftPrefix = 'draft ';

/** The target of a report that is written in an editor and need not be saved. */
export function draftTarget({ connectionId, reportId }: RunTarget, name: string): RunTarget {
  return { connectionId, reportId: `${draftPrefix}${connectionId} ${reportId}`, name };
}

/** Whether a target is a report that is not saved: it is gone with the window. */
export function isDraft({ reportId }: Pick<RunTarget, 'reportId'>): boolean {
  return reportId.startsWith(draftPrefix);
}
