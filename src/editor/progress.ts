import * as vscode from 'vscode';
import { isClientError, shownMessage } from '../client/clientError.ts';
import { abortSoonAfter, isInScope, runWithSignal, runInScope, type CancelScope } from '../client/http/cancelScope.ts';
import { displayText, inertOrNone } from './displayText.ts';
import { showErrorMessage } from './messages.ts';

/** How far work came; `increment` is percent of the whole. */
export interface Step {
  message?: string;
  increment?: number;
}

/** Tells how far work came. */
export type Report = (step: Step) => void;

/** Work that ends sooner shows nothing, in milliseconds: what flashes is not read, and keeps the place of a message that is. */
const workNoticeAfterMs = 400;
/** A wait that lasts longer shows a way to end it, in milliseconds. */
const waitNoticeAfterMs = 1_000;
/** The same for a wait that shows where the person looks, as a row that is being read does. */
export const noticeWhereShownAfterMs = 5_000;
/** Calls that follow each other within this time, in milliseconds, are one wait. */
const lullMs = 150;

/**
 * Does work that may take long: once it has lasted longer than a moment, a notification shows how far it came and has a
 * Cancel. That is the one for whatever the work waits for: calls that are not about to end by themselves are cut off.
 * @param work is given the signal that fires when the user cancels.
 * @throws what `work` throws.
 */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal, report: Report) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const soFar: Step = {};
  let shown: vscode.Progress<Step> | undefined;
  const report: Report = ({ message = soFar.message, increment = 0 }) => {
    Object.assign(soFar, { message, increment: (soFar.increment ?? 0) + increment });
    shown?.report({ message, increment });
  };
  const doing = runWithSignal(abortSoonAfter(stop.signal), () => work(stop.signal, report));
  const timer = setTimeout(() => {
    showNotification(
      title,
      () => stop.abort(),
      async (progress) => {
        progress.report(soFar);
        shown = progress;
        // What it threw is for the caller.
        await doing.catch(() => undefined);
      },
    );
  }, workNoticeAfterMs);
  try {
    return await doing;
  } finally {
    clearTimeout(timer);
  }
}

/** Shows in the title of the sidebar that short work is under way. */
export function withSidebarProgress<T>(work: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: { viewId: 'analytics.servers' } }, work);
}

/**
 * Runs work that a person waits for. As long as it waits for a server, longer than a moment, a notification says so and has
 * a Cancel, which ends every call in it at once. Work within other such work is that work's.
 * @param about what is waited for, in a few words; work about the same on the same server shares one notification.
 * @param afterMs how long a moment is.
 */
export function withWaitNotice<T>(work: () => Promise<T>, about?: string, afterMs = waitNoticeAfterMs): Promise<T> {
  return isInScope() ? work() : runInScope(noticedWaiter(about, afterMs), work);
}

/** Lets work go on that nobody waits for, such as what a person chose in a notification. A failure of it is shown. */
export function runInBackground(work: PromiseLike<unknown>): void {
  work.then(undefined, (error: unknown) => {
    if (isClientError(error, 'cancelled') || error instanceof vscode.CancellationError) return;
    void showErrorMessage(displayText(shownMessage(error)));
  });
}

/** A notification with a Cancel, until what `show` returns has ended. */
function showNotification(
  title: string,
  onCancel: () => void,
  show: (progress: vscode.Progress<Step>) => Promise<void>,
): void {
  const options = { location: vscode.ProgressLocation.Notification, title: inertOrNone(title), cancellable: true };
  void vscode.window.withProgress(options, (progress, token) => {
    token.onCancellationRequested(onCancel);
    return show({ report: (step) => progress.report({ ...step, message: inertOrNone(step.message) }) });
  });
}

function noticedWaiter(about: string | undefined, afterMs: number): CancelScope {
  const giveUp = new AbortController();
  // Commands share no notification: cancelling one must not end another.
  const own = new Map<string, Notice>();
  const notices = about === undefined ? own : shared;
  return {
    signal: giveUp.signal,
    waitsFor: (server) => {
      const key = `${server}\n${about ?? ''}`;
      const title =
        about === undefined
          ? vscode.l10n.t('Waiting for {0}', server)
          : vscode.l10n.t('{0}: waiting for {1}', about, server);
      const notice =
        notices.get(key) ?? new Notice(title, afterMs, (ended) => notices.get(key) === ended && notices.delete(key));
      notices.set(key, notice);
      return notice.begin(giveUp);
    },
  };
}

const shared = new Map<string, Notice>();

/** Tells of a wait, once it is long. */
class Notice {
  readonly #title: string;
  readonly #over: (ended: Notice) => void;
  readonly #waiting: AbortController[] = [];
  readonly #timer: NodeJS.Timeout;
  #lull: NodeJS.Timeout | undefined;
  #close: (() => void) | undefined;

  constructor(title: string, afterMs: number, over: (ended: Notice) => void) {
    this.#title = title;
    this.#over = over;
    this.#timer = setTimeout(() => this.#show(), afterMs);
  }

  begin(giveUp: AbortController): () => void {
    clearTimeout(this.#lull);
    this.#waiting.push(giveUp);
    return () => {
      this.#waiting.splice(this.#waiting.indexOf(giveUp), 1);
      if (this.#waiting.length === 0) this.#lull = setTimeout(() => this.#end(), lullMs);
    };
  }

  #show(): void {
    const cancel = () => {
      for (const giveUp of [...this.#waiting]) giveUp.abort();
      // What begins from now on has a notification of its own.
      this.#end();
    };
    showNotification(this.#title, cancel, () => new Promise<void>((resolve) => (this.#close = resolve)));
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#close?.();
    this.#over(this);
  }
}
