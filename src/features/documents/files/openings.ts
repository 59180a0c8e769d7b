import * as vscode from 'vscode';
import { runUntil } from '../../../client/http/cancelScope.ts';

/** The opening that the user waits for. One that is requested meanwhile takes its place: its calls end. */
export class Openings {
  #latest: { readonly key: string; readonly stop: AbortController; readonly done: Promise<void> } | undefined;

  /**
   * Opens what `key` identifies, once for equal requests at the same time.
   * @param open calls its argument before it shows anything.
   * @throws what `open` throws; a cancellation if another opening took its place.
   */
  async run(key: string, open: (throwIfSuperseded: () => void) => Promise<void>): Promise<void> {
    if (this.#latest?.key === key) return this.#latest.done;
    this.#latest?.stop.abort();
    const stop = new AbortController();
    const check = () => {
      if (stop.signal.aborted) throw new vscode.CancellationError();
    };
    const opening = { key, stop, done: runUntil(stop.signal, () => open(check)) };
    this.#latest = opening;
    try {
      await opening.done;
    } finally {
      if (this.#latest === opening) this.#latest = undefined;
    }
  }
}
