import * as vscode from 'vscode';
import { showWarningMessage, setStatusBarMessage } from './messages.ts';
import { withProgress, withSidebarProgress } from './progress.ts';
import { attempt, describeFailure, logLine } from './commandError.ts';
import type { CommandServices } from './commands/services.ts';
import { handingOn } from '../client/http/joinedReads.ts';

/** An operation on several objects, one after the other. */
export interface ForEachTask<T> {
  /** Title of the progress, for example `Adding users to North`. */
  title: string;
  items: readonly T[];
  nameOf(item: T): string;
  /** Error message for one object, for example `Could not add nora to North`. */
  whatFailed(item: T): string;
  /** Success message for the status bar, for example `3 users added to North`; receives the objects that succeeded. */
  done(worked: readonly T[]): string;
  /** Refreshes the UI after all objects were tried, and after a retry. */
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
 * Runs `work` for each object, with cancellable progress if there are several. Continues after a failure; reports all
 * failures at the end and offers to retry them.
 * @throws {CommandError} if the only object failed.
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
  // Refreshed after a failure too: `work` may have partly succeeded.
  await handingOn(
    async () => {
      await withSidebarProgress(() => attempt(task.whatFailed(only), () => work(only)));
      setStatusBarMessage(task.done([only]), statusMs);
    },
    () => task.after(),
  );
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
  // The operation in progress when the user cancelled is aborted if it hangs; its outcome is reported too.
  await current;
  return { failed, untried: task.items.length - tried };
}

/** Reports failures; not awaited, because the message stays until the user responds. */
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
