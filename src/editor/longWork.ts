import * as vscode from 'vscode';
import { withProgress } from './progress.ts';
import { cutAfter, underSignal } from '../client/http/waiter.ts';

/** Work that ends sooner shows nothing, in milliseconds: what flashes is not read, and keeps the place of a message that is. */
const noticeAfterMs = 400;

/** How far work came; `increment` is percent of the whole. */
interface Step {
  message?: string;
  increment?: number;
}

/** What work under way is given. */
export interface LongWork {
  /** Fires when the user cancels. */
  readonly signal: AbortSignal;
  /** Tells how far it came. */
  readonly report: (step: Step) => void;
}

/**
 * Does work that may take long: once it has lasted longer than a moment, a notification shows how far it came and has a
 * Cancel. That is the one for whatever the work waits for: calls that are not about to end by themselves are cut off.
 * @throws what `work` throws.
 */
export async function longWork<T>(title: string, work: (own: LongWork) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const soFar: Step = {};
  let shown: vscode.Progress<Step> | undefined;
  const report = ({ message = soFar.message, increment = 0 }: Step) => {
    Object.assign(soFar, { message, increment: (soFar.increment ?? 0) + increment });
    shown?.report({ message, increment });
  };
  const doing = underSignal(cutAfter(stop.signal), () => work({ signal: stop.signal, report }));
  const timer = setTimeout(() => {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void withProgress(options, async (progress, token) => {
      token.onCancellationRequested(() => stop.abort());
      progress.report(soFar);
      shown = progress;
      // What it threw is for the caller.
      await doing.catch(() => undefined);
    });
  }, noticeAfterMs);
  try {
    return await doing;
  } finally {
    clearTimeout(timer);
  }
}
