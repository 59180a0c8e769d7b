import * as vscode from 'vscode';
import { showWarningMessage, setStatusBarMessage } from './messages.ts';
import { withProgress, withSidebarProgress } from './progress.ts';
import { attempt, describeFailure, logLine } from './commandError.ts';
import type { CommandServices } from './commands/services.ts';

/** Something to be done to several objects, one after the other. */
export interface ForEachTask<T> {
  /** Title of the progress, for example `Adding users to North`. */
  title: string;
  items: readonly T[];
  nameOf(item: T): string;
  /** What could not be done to one object, for example `Could not add nora to North`. */
  whatFailed(item: T): string;
  /** What was done, for the status bar, for example `3 users added to North`: the objects that it worked for. */
  done(worked: readonly T[]): string;
  /** Shows what may have changed: after all were tried, and again after those that failed were. */
  after(): Promise<void>;
}

interface Failed<T> {
  item: T;
  words: string;
  /** For the log. */
  line: string;
}

const statusMs = 8_000;

/**
 * Does `work` to each object, with progress that can be cancelled where there are several. One failure does not keep the
 * others from being tried; at the end each failure is told, and can be tried again.
 * @throws {CommandError} when there was one object and it failed.
 */
export async function forEachObject<T>(
  { log }: Pick<CommandServices, 'log'>,
  task: ForEachTask<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const [only] = task.items;
  if (only === undefined) return;
  if (task.items.length > 1) {
    await tryAll(log, task, work);
    return;
  }
  try {
    await withSidebarProgress(() => attempt(task.whatFailed(only), () => work(only)));
    setStatusBarMessage(task.done([only]), statusMs);
  } finally {
    // After a failure too: part of it may have been done.
    await task.after();
  }
}

async function tryAll<T>(
  log: vscode.LogOutputChannel,
  task: ForEachTask<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const { failed, untried } = await runAll(task, work);
  await task.after();
  if (failed.length === 0 && untried === 0) setStatusBarMessage(task.done(task.items), statusMs);
  else report(log, task, failed, untried, work).catch((error: unknown) => log.error(logLine(error)));
}

async function runAll<T>(
  task: ForEachTask<T>,
  work: (item: T) => Promise<void>,
): Promise<{ failed: Failed<T>[]; untried: number }> {
  const failed: Failed<T>[] = [];
  let tried = 0;
  let current: Promise<void> = Promise.resolve();
  const tryOne = async (item: T) => {
    try {
      await attempt(task.whatFailed(item), () => work(item));
    } catch (error) {
      failed.push({ item, words: describeFailure(error), line: logLine(error) });
    }
  };
  await withProgress(task.title, async (signal, tell) => {
    const cancelled = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    for (const item of task.items) {
      if (signal.aborted) return;
      tell({ message: task.nameOf(item), increment: 100 / task.items.length });
      tried++;
      current = tryOne(item);
      await Promise.race([current, cancelled]);
    }
  });
  // The one under way when the user cancelled, which is cut off if it hangs: what became of it is told too.
  await current;
  return { failed, untried: task.items.length - tried };
}

/** Tells what was not done; not awaited, as the message stays until the user answers. */
async function report<T>(
  log: vscode.LogOutputChannel,
  task: ForEachTask<T>,
  failed: readonly Failed<T>[],
  untried: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (const { line } of failed) log.error(line);
  const worked = task.items.length - failed.length - untried;
  const parts = [
    vscode.l10n.t('{0} of {1} done.', worked, task.items.length),
    ...(failed[0] ? [failed[0].words] : []),
    ...(failed.length > 1 ? [vscode.l10n.t('{0} more failed.', failed.length - 1)] : []),
    ...(untried > 0 ? [vscode.l10n.t('{0} were not tried.', untried)] : []),
  ];
  const retry = vscode.l10n.t('Retry Failed');
  const showLog = vscode.l10n.t('Show Log');
  const buttons = failed.length > 0 ? [retry, showLog] : [];
  const chosen = await showWarningMessage(`${task.title}: ${parts.join(' ')}`, ...buttons);
  if (chosen === showLog) log.show();
  if (chosen === retry) await tryAll(log, { ...task, items: failed.map(({ item }) => item) }, work);
}
