import { DiskFull } from './fullDisk.ts';

/** A write that waits for space on a full disk. */
interface DeferredWrite {
  work: () => void;
  stored: () => void;
}

/** Maximum number of waiting writes: they are in memory. */
const mostWaiting = 5_000;
const retryMs = 1_000;

/**
 * Writes that a full disk must not prevent, such as those of sign-ins and of the audit trail. They are stored in their
 * order, and before any later write, once there is space.
 */
export class DeferredWrites {
  readonly #transact: (work: () => void) => void;
  readonly #waiting: DeferredWrite[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Called with the error of a write that cannot be stored for another reason, and is dropped. */
  onDropped: (error: unknown) => void = () => undefined;

  /** `transact` runs work in one transaction. */
  constructor(transact: (work: () => void) => void) {
    this.#transact = transact;
  }

  /** Number of waiting writes. */
  get count(): number {
    return this.#waiting.length;
  }

  /** Keeps a write. @returns false when too many wait already. */
  add(write: DeferredWrite): boolean {
    if (this.#waiting.length >= mostWaiting) return false;
    this.#waiting.push(write);
    this.#timer ??= setInterval(() => this.#retry(), retryMs).unref();
    return true;
  }

  /** Stores the waiting writes. @throws {DiskFull} when there still is no space. */
  store(): void {
    if (this.#waiting.length === 0) return;
    try {
      this.#transact(() => this.#waiting.forEach(({ work }) => work()));
      this.#waiting.splice(0).forEach(({ stored }) => stored());
    } catch (error) {
      if (error instanceof DiskFull) throw error;
      this.#storeEach();
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** One of them is refused: stores the others. */
  #storeEach(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      try {
        this.#transact(next.work);
        next.stored();
      } catch (error) {
        if (error instanceof DiskFull) throw error;
        this.onDropped(error);
      }
      this.#waiting.shift();
    }
  }

  #retry(): void {
    try {
      this.store();
    } catch (error) {
      if (!(error instanceof DiskFull)) throw error;
    }
  }

  /** Stores the waiting writes for the last time; reports how many are lost. */
  end(): void {
    clearInterval(this.#timer);
    try {
      this.store();
    } catch (error) {
      this.onDropped(new Error(`${this.count} writes are lost that waited for space`, { cause: error }));
    }
  }
}
