import * as vscode from 'vscode';
import { isClientError, shownMessage } from '../client/clientError.ts';
import { abortSoonAfter, isInScope, runWithSignal, runInScope, type CancelScope } from '../client/http/cancelScope.ts';
import { displayText, inertOrNone } from './displayText.ts';
import { showErrorMessage, showWaiting } from './messages.ts';

/** Progress of an operation; `increment` is a percentage of the total. */
export interface Step {
  message?: string;
  increment?: number;
}

/** Reports progress. */
export type Report = (step: Step) => void;

/** Delay before a wait is shown without a notification, in ms: so short that it is perceived as immediate. */
const feedbackAfterMs = 80;
/** Delay before progress is shown, in ms: shorter notifications cannot be read and displace other messages. */
const workNoticeAfterMs = 400;
/** Delay before a wait becomes cancellable in a notification, in ms. */
const waitNoticeAfterMs = 1_000;
/** The same for a wait that is already visible where the user looks, such as a loading row. */
export const noticeWhereShownAfterMs = 5_000;
/** Calls separated by less than this, in ms, count as one wait. */
const lullMs = 150;

/**
 * Runs long work with a cancellable progress notification, shown after a short delay. It covers everything the work
 * waits for; on cancel, calls that do not end by themselves are aborted.
 * @param work receives the signal that is aborted when the user cancels.
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
  const endFeedback = showFeedback(title);
  const timer = setTimeout(() => {
    endFeedback();
    showNotification(
      title,
      () => stop.abort(),
      async (progress) => {
        progress.report(soFar);
        shown = progress;
        // Its error is handled by the caller.
        await doing.catch(() => undefined);
      },
    );
  }, workNoticeAfterMs);
  try {
    return await doing;
  } finally {
    clearTimeout(timer);
    endFeedback();
  }
}

/** Shows in the status bar and the sidebar that something is under way, unless it ends at once. Returns how to end it. */
function showFeedback(title: string): () => void {
  let hide: () => void = () => undefined;
  const timer = setTimeout(() => (hide = showIndicator(title)), feedbackAfterMs);
  return () => {
    clearTimeout(timer);
    hide();
  };
}

function showIndicator(title: string): () => void {
  const item = showWaiting(title);
  const { promise, resolve } = Promise.withResolvers<void>();
  void withSidebarProgress(() => promise);
  return () => {
    item.dispose();
    resolve();
  };
}

/** Shows progress of short work in the sidebar. */
export function withSidebarProgress<T>(work: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: { viewId: 'analytics.servers' } }, work);
}

/**
 * Runs work that the user waits for. The wait shows at once; if it is long, a notification offers Cancel, which
 * aborts all its calls. Nested work shares the outer notification.
 * @param about short description of the wait; work with the same description on the same server shares one
 * notification.
 * @param afterMs delay in ms.
 */
export function withWaitNotice<T>(work: () => Promise<T>, about?: string, afterMs = waitNoticeAfterMs): Promise<T> {
  return isInScope() ? work() : runInScope(noticedWaiter(about, afterMs), work);
}

/** Continues work without awaiting it, such as an action chosen in a notification. Its failure is shown. */
export function runInBackground(work: PromiseLike<unknown>): void {
  work.then(undefined, (error: unknown) => {
    if (isClientError(error, 'cancelled') || error instanceof vscode.CancellationError) return;
    void showErrorMessage(displayText(shownMessage(error)));
  });
}

/** Shows a cancellable notification until the promise of `show` settles. */
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
  // Commands do not share a notification: cancelling one must not cancel another.
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

/** Reports a wait once it is long. */
class Notice {
  readonly #title: string;
  readonly #over: (ended: Notice) => void;
  readonly #waiting: AbortController[] = [];
  readonly #timer: NodeJS.Timeout;
  #lull: NodeJS.Timeout | undefined;
  readonly #feedbackTimer: NodeJS.Timeout | undefined;
  #isFeedbackDue = false;
  #hideFeedback: (() => void) | undefined;
  #close: (() => void) | undefined;

  constructor(title: string, afterMs: number, over: (ended: Notice) => void) {
    this.#title = title;
    this.#over = over;
    this.#timer = setTimeout(() => this.#show(), afterMs);
    // Elsewhere the wait already shows where the user looks.
    if (afterMs === noticeWhereShownAfterMs) return;
    this.#feedbackTimer = setTimeout(() => {
      this.#isFeedbackDue = true;
      this.#showFeedback();
    }, feedbackAfterMs);
  }

  begin(giveUp: AbortController): () => void {
    clearTimeout(this.#lull);
    this.#waiting.push(giveUp);
    this.#showFeedback();
    return () => {
      this.#waiting.splice(this.#waiting.indexOf(giveUp), 1);
      if (this.#waiting.length === 0) this.#lull = setTimeout(() => this.#end(), lullMs);
    };
  }

  /** Not between two calls: the first may have been the only one. */
  #showFeedback(): void {
    if (this.#isFeedbackDue && this.#waiting.length > 0) this.#hideFeedback ??= showIndicator(this.#title);
  }

  #show(): void {
    const cancel = () => {
      for (const giveUp of [...this.#waiting]) giveUp.abort();
      // Calls that start from here on get a new notification.
      this.#end();
    };
    showNotification(this.#title, cancel, () => new Promise<void>((resolve) => (this.#close = resolve)));
  }

  #end(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#feedbackTimer);
    this.#isFeedbackDue = false;
    this.#hideFeedback?.();
    this.#close?.();
    this.#over(this);
  }
}
