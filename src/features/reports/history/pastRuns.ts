import * as vscode from 'vscode';
import { showInformationMessage, showWarningMessage } from '../../../editor/messages.ts';
import { showQuickPick } from '../../../editor/quickInput.ts';
import type { PastRun, RunHistory } from './runHistory.ts';
import { displayText } from '../../../editor/displayText.ts';
import type { CommandServices } from '../../../editor/commands/services.ts';
import { selectedRow } from '../../../editor/selectedRow.ts';
import type { ReportRunner } from '../run/reportRunner.ts';
import type { RunNode } from './runsTree.ts';

/** Services for the commands of the Runs view. */
export interface RunServices extends CommandServices {
  runsView: vscode.TreeView<RunNode>;
  /** Report runs of this window. */
  runs: RunHistory;
  /** Runs reports. Loaded on first use. */
  reportRunner(): Promise<ReportRunner>;
}

/** Shows the panel of a run. Reopens it with the run's values if it was closed. */
export async function revealRun(services: RunServices, argument?: unknown): Promise<void> {
  const run = runOf(services, argument) ?? (await pickRun(services));
  if (run) (await services.reportRunner()).reveal(run.id);
}

/** Reruns a report with the same values. */
export async function rerun(services: RunServices, argument?: unknown): Promise<void> {
  const run = runOf(services, argument) ?? (await pickRun(services));
  if (run) await (await services.reportRunner()).rerun(run.id);
}

/** Cancels active runs. */
export async function cancelRun(services: RunServices, argument?: unknown, selection?: unknown): Promise<void> {
  const isRunning = ({ state }: PastRun) => state === 'running';
  const runs = runsOf(services, argument, selection) ?? (await pickRun(services, isRunning)) ?? [];
  const runner = await services.reportRunner();
  for (const { id } of [runs].flat()) runner.cancel(id);
}

/** Removes runs from the list. Their panels stay open. */
export async function removeRun(services: RunServices, argument?: unknown, selection?: unknown): Promise<void> {
  const runs = runsOf(services, argument, selection) ?? (await pickRun(services)) ?? [];
  const chosen = [runs].flat();
  const pinned = chosen.filter(({ isPinned }) => isPinned).length;
  if (pinned > 0 && !(await confirmPinned(pinned))) return;
  const runner = await services.reportRunner();
  for (const { id } of chosen) runner.remove(id);
}

/** Confirms the removal of pinned runs: their stored rows are deleted, and another run may return different ones. */
async function confirmPinned(count: number): Promise<boolean> {
  const remove = vscode.l10n.t('Remove');
  const question =
    count === 1
      ? vscode.l10n.t('Remove a pinned run and its stored rows?')
      : vscode.l10n.t('Remove {0} pinned runs and their stored rows?', count);
  return (await showWarningMessage(question, { modal: true }, remove)) === remove;
}

/** Pins runs to the top of the list and keeps their rows. */
export async function pinRun(services: RunServices, argument?: unknown, selection?: unknown): Promise<void> {
  await setPinned(services, true, argument, selection);
}

/** Unpins runs. */
export async function unpinRun(services: RunServices, argument?: unknown, selection?: unknown): Promise<void> {
  await setPinned(services, false, argument, selection);
}

async function setPinned(
  services: RunServices,
  isPinned: boolean,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const fits = (run: PastRun) => run.isPinned !== isPinned;
  const runs = runsOf(services, argument, selection) ?? (await pickRun(services, fits)) ?? [];
  const runner = await services.reportRunner();
  for (const { id } of [runs].flat()) runner.pin(id, isPinned);
}

/** Shows the differences between two runs: the two selected, or one and another run whose rows are available. */
export async function compareRuns(services: RunServices, argument?: unknown, selection?: unknown): Promise<void> {
  const hasRows = (run: PastRun) => run.hasRows;
  const [first, second, ...more] = runsOf(services, argument, selection) ?? [];
  if (more.length > 0) throw new Error(vscode.l10n.t('Select two runs to compare.'));
  const one = first ?? (await pickRun(services, hasRows));
  if (one === undefined) return;
  const isSame = ({ target }: PastRun) =>
    target.connectionId === one.target.connectionId && target.reportId === one.target.reportId;
  const others = services.runs.runs.filter((run) => run.hasRows && run.id !== one.id);
  if (second === undefined && others.length === 0) {
    throw new Error(vscode.l10n.t('No other run still has its rows. Run the report again first.'));
  }
  // Usually, runs of the same report are compared, but other runs can have common columns, too.
  const fits = others.some(isSame) ? (run: PastRun) => hasRows(run) && isSame(run) : hasRows;
  const other = second ?? (await pickRun(services, (run) => run.id !== one.id && fits(run)));
  if (other !== undefined) await (await services.reportRunner()).compare(one.id, other.id);
}

/** The run that a command was called on: from the view, or by id. */
function runOf({ runs }: RunServices, argument: unknown): PastRun | undefined {
  if (typeof argument === 'string') return runs.find(argument);
  const isNode = typeof argument === 'object' && argument !== null && 'id' in argument;
  return isNode && typeof argument.id === 'string' ? runs.find(argument.id) : undefined;
}

function runsOf(services: RunServices, argument: unknown, selection: unknown): PastRun[] | undefined {
  const given: unknown[] = Array.isArray(selection) ? selection : [argument];
  const found = given.flatMap((node) => runOf(services, node) ?? []);
  return found.length > 0 ? found : undefined;
}

async function pickRun(
  { runs: { runs } }: RunServices,
  fits: (run: PastRun) => boolean = () => true,
): Promise<PastRun | undefined> {
  const items = runs.filter(fits).map((run) => ({
    label: displayText(run.target.name),
    description: displayText(displayText(run.server)),
    detail: run.startedAt.toLocaleTimeString(vscode.env.language),
    run,
  }));
  if (items.length === 0) {
    const text =
      runs.length === 0
        ? vscode.l10n.t('No reports have been run yet.')
        : vscode.l10n.t('No run is suitable for this command.');
    void showInformationMessage(text);
    return undefined;
  }
  return (await showQuickPick(items, { placeHolder: vscode.l10n.t('Select a run') }))?.run;
}

/** Shows the panel of the clicked run. See {@link selectedRow}. */
export async function openRun(services: RunServices): Promise<void> {
  const run = await selectedRow(services.runsView);
  if (run) await revealRun(services, run);
}
