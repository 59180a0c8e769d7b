/**
 * A list of a server, loaded on first use and cached until invalidated. Loading is cancelled once no holder needs it; a
 * failed load is not retried automatically.
 */
export class Lookup<T> {
  readonly #read: (signal: AbortSignal) => Promise<T>;
  readonly #changed: () => void;
  readonly #holders = new Set<string>();
  #reading: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
  #isFresh = false;
  #value: T | undefined;
  #failure: unknown;

  /** @param changed called when a load ends, successfully or not. */
  constructor(read: (signal: AbortSignal) => Promise<T>, changed: () => void) {
    this.#read = read;
    this.#changed = changed;
  }

  /** The last loaded value; undefined before the first load. */
  get value(): T | undefined {
    return this.#value;
  }

  /** Error of the last load; undefined if it succeeded. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Loads the value unless it is cached, and waits for it. Never throws: a failure is stored in {@link failure}. */
  async need(holder: string): Promise<T | undefined> {
    this.#holders.add(holder);
    if (!this.#isFresh) await (this.#reading ??= this.#start()).done;
    return this.#value;
  }

  /** Releases a holder; a load without holders is cancelled. */
  release(holder: string): void {
    if (!this.#holders.delete(holder) || this.#holders.size > 0) return;
    this.#reading?.controller.abort();
    this.#reading = undefined;
  }

  /**
   * Invalidates the value: the next use reloads it. Until then the old value is used, which is usually still correct.
   */
  forget(): void {
    this.#reading?.controller.abort();
    this.#reading = undefined;
    this.#isFresh = false;
    this.#failure = undefined;
  }

  #start() {
    const controller = new AbortController();
    const reading = { controller, done: this.#run(controller.signal) };
    return reading;
  }

  async #run(signal: AbortSignal): Promise<void> {
    let value: T | undefined;
    let failure: unknown;
    try {
      value = await this.#read(signal);
    } catch (error) {
      failure = error;
    }
    // Cancelled or superseded.
    if (signal.aborted) return;
    this.#reading = undefined;
    this.#isFresh = true;
    this.#failure = failure;
    if (failure === undefined) this.#value = value;
    this.#changed();
  }
}
