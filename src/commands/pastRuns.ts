import * as vscode from 'vscode';
import type { PastRun } from '../reports/runHistory.ts';
import { displayText, iconSafeText } from '../connections/displayText.ts';
import type { CommandServices } from './services.ts';

/** Shows the panel of a run; opens it again, with its values, where it was closed. */
export async function revealRun(services: CommandServices, argument?: unknown): Promise<void> {
  const run = runOf(services, argument) ?? (await pickRun(services));
  if (run) (await services.reportRunner()).reveal(run.id);
}

/** Runs the report of a run again with the same values. */
export async function rerun(services: CommandServices, argument?: unknown): Promise<void> {
  const run = runOf(services, argument) ?? (await pickRun(services));
  if (run) await (await services.reportRunner()).rerun(run.id);
}

/** Stops runs that are under way. */
export async function cancelRun(services: CommandServices, argument?: unknown, selection?: unknown): Promise<void> {
  const isRunning = ({ state }: PastRun) => state === 'running';
  const runs = runsOf(services, argument, selection) ?? (await pickRun(services, isRunning)) ?? [];
  const runner = await services.reportRunner();
  for (const { id } of [runs].flat()) runner.cancel(id);
}

/** Takes runs out of the list; their panels stay. */
export async function removeRun(services: CommandServices, argument?: unknown, selection?: unknown): Promise<void> {
  const runs = runsOf(services, argument, selection) ?? (await pickRun(services)) ?? [];
  const runner = await services.reportRunner();
  for (const { id } of [runs].flat()) runner.remove(id);
}

/** The run that a command was called on: from the view, or by its id. */
function runOf({ runs }: CommandServices, argument: unknown): PastRun | undefined {
  if (typeof argument === 'string') return runs.find(argument);
  const isNode = typeof argument === 'object' && argument !== null && 'id' in argument;
  return isNode && typeof argument.id === 'string' ? runs.find(argument.id) : undefined;
}

function runsOf(services: CommandServices, argument: unknown, selection: unknown): PastRun[] | undefined {
  const given: unknown[] = Array.isArray(selection) ? selection : [argument];
  const found = given.flatMap((node) => runOf(services, node) ?? []);
  return found.length > 0 ? found : undefined;
}

async function pickRun(
  { runs }: CommandServices,
  fits: (run: PastRun) => boolean = () => true,
): Promise<PastRun | undefined> {
  const items = runs.runs.filter(fits).map((run) => ({
    label: iconSafeText(run.target.name),
    description: iconSafeText(displayText(run.server)),
    detail: run.startedAt.toLocaleTimeString(vscode.env.language),
    run,
  }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No report was run in this window.'));
    return undefined;
  }
  return (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Which run?') }))?.run;
}
