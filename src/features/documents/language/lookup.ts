/**
 * One list of a server, read when somebody first needs it and kept until it is told to forget. A reading that nobody waits
 * for any more is cancelled; one that failed is not tried again by itself.
 */
export class Lookup<T> {
  readonly #read: (signal: AbortSignal) => Promise<T>;
  readonly #changed: () => void;
  readonly #holders = new Set<string>();
  #reading: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
  #isFresh = false;
  #value: T | undefined;
  #failure: unknown;

  /** @param changed called when a reading ends, either way. */
  constructor(read: (signal: AbortSignal) => Promise<T>, changed: () => void) {
    this.#read = read;
    this.#changed = changed;
  }

  /** What was read last; undefined when nothing was. */
  get value(): T | undefined {
    return this.#value;
  }

  /** Why the last reading failed; undefined when it did not. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Reads unless that was done, and waits for it. Never throws: a failure is kept in {@link failure}. */
  async need(holder: string): Promise<T | undefined> {
    this.#holders.add(holder);
    if (!this.#isFresh) await (this.#reading ??= this.#start()).done;
    return this.#value;
  }

  /** Somebody needs this no longer; a reading that nobody waits for ends. */
  release(holder: string): void {
    if (!this.#holders.delete(holder) || this.#holders.size > 0) return;
    this.#reading?.controller.abort();
    this.#reading = undefined;
  }

  /** The next need reads again. Until then the old value stays, since it is mostly right. */
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
    // Cancelled, or overtaken by something newer.
    if (signal.aborted) return;
    this.#reading = undefined;
    this.#isFresh = true;
    this.#failure = failure;
    if (failure === undefined) this.#value = value;
    this.#changed();
  }
}
