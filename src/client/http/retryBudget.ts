/** Retries that may be saved up. */
const capacity = 10;
/** What each call adds, so that retries stay a fraction of the calls. */
const perCall = 0.25;

/**
 * A token bucket that keeps retries a small part of the traffic: a dead server is not hammered by many callers.
 */
export class RetryBudget {
  #tokens = capacity;

  /** Notes a first attempt. */
  called(): void {
    this.#tokens = Math.min(capacity, this.#tokens + perCall);
  }

  /** Takes one retry out of the budget, if there is one. */
  take(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
