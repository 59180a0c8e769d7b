/** Runs one task at a time: a new one cancels the one before it. */
export class LatestTask {
  #active = new AbortController();

  /** The result of `work`; null if it was cancelled. */
  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    this.cancel();
    const { signal } = (this.#active = new AbortController());
    return unlessAborted(signal, () => work(signal));
  }

  cancel(): void {
    this.#active.abort();
  }
}

/** The result of `work`; null if it failed because `signal` was aborted. */
export async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}
