/** Maximum number of retries that can accumulate. */
const capacity = 10;
/** Added per call, so that retries stay a fraction of the traffic. */
const perCall = 0.25;

/** Token bucket that keeps retries a small part of the traffic, so that many callers do not flood a failing server. */
export class RetryBudget {
  #tokens = capacity;

  /** Records a first attempt. */
  called(): void {
    this.#tokens = Math.min(capacity, this.#tokens + perCall);
  }

  /** Takes one retry from the budget. Returns false if none is left. */
  take(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
