/**
 * Deadlines that pass when a reply is lost for good, not by the clock: a schedule takes no longer for them, and a busy
 * machine fails no call. Those of a call that hangs although nothing was lost pass after a minute.
 */
export class EventDeadlines {
  readonly #open = new Map<AbortController, NodeJS.Timeout>();
  /** How many calls hung. */
  overdue = 0;

  readonly start = (): AbortSignal => {
    const controller = new AbortController();
    const late = setTimeout(() => {
      this.overdue += 1;
      this.pass();
    }, 60_000);
    this.#open.set(controller, late);
    return controller.signal;
  };

  pass(): void {
    for (const controller of this.over()) controller.abort(new DOMException('The time is up.', 'TimeoutError'));
  }

  /** All calls so far have ended. @returns their deadlines. */
  over(): AbortController[] {
    const open = [...this.#open];
    this.#open.clear();
    for (const [, late] of open) clearTimeout(late);
    return open.map(([controller]) => controller);
  }
}
