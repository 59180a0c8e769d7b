import * as vscode from 'vscode';
import { withProgress } from './progress.ts';
import { isWaitedFor, waitingAs, type Waiter } from '../client/http/waiter.ts';

/** A wait that lasts longer shows a way to end it, in milliseconds. */
const noticeAfterMs = 1_000;
/** The same for a wait that shows where the person looks, as a row that is being read does. */
export const noticeWhereShownAfterMs = 5_000;
/** Calls that follow each other within this time, in milliseconds, are one wait. */
const lullMs = 150;

/**
 * Runs work that a person waits for. As long as it waits for a server, longer than a moment, a notification says so and has
 * a Cancel, which ends every call in it at once. Work within other such work is that work's.
 * @param about what is waited for, in a few words; work about the same on the same server shares one notification.
 * @param afterMs how long a moment is.
 */
export function patiently<T>(work: () => Promise<T>, about?: string, afterMs = noticeAfterMs): Promise<T> {
  return isWaitedFor() ? work() : waitingAs(noticedWaiter(about, afterMs), work);
}

function noticedWaiter(about: string | undefined, afterMs: number): Waiter {
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
    const options = { location: vscode.ProgressLocation.Notification, title: this.#title, cancellable: true };
    void withProgress(options, (_progress, token) => {
      token.onCancellationRequested(() => {
        for (const giveUp of [...this.#waiting]) giveUp.abort();
        // What begins from now on has a notification of its own.
        this.#end();
      });
      return new Promise<void>((resolve) => (this.#close = resolve));
    });
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#close?.();
    this.#over(this);
  }
}
