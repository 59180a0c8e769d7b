import { DatabaseError, type QueryOptions } from './database.ts';

const longestTimer = 2 ** 31 - 1;

/** Watches the steps of one query: ends them when the caller goes away or the database takes too long. */
export class QueryWatch {
  readonly #name: string;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal;
  readonly #onStop: () => void;
  readonly #explain: (error: unknown) => DatabaseError;
  readonly #stopped = Promise.withResolvers<never>();
  /** Time that the database has left; the time a slow reader takes does not count. */
  #msLeft: number;
  #failure: DatabaseError | undefined;

  /** `onStop` is called once, when the query must end early; `explain` says what an error of the driver means. */
  constructor(
    name: string,
    { signal, timeoutMs }: QueryOptions,
    onStop: () => void,
    explain: (error: unknown) => DatabaseError,
  ) {
    this.#name = name;
    this.#timeoutMs = timeoutMs;
    this.#msLeft = timeoutMs;
    this.#signal = signal;
    this.#onStop = onStop;
    this.#explain = explain;
    // Who waits for a step hears of it there.
    this.#stopped.promise.catch(() => undefined);
    signal.addEventListener('abort', this.stop, { once: true });
    if (signal.aborted) this.stop();
  }

  /** Whether the query was ended early. */
  get isStopped(): boolean {
    return this.#failure !== undefined;
  }

  /**
   * Runs one step of the query. It fails as soon as the query is stopped, whatever the driver still does.
   * @throws {DatabaseError}
   */
  async step<T>(work: () => Promise<T>): Promise<T> {
    if (this.#failure) throw this.#failure;
    const started = performance.now();
    const timer = setTimeout(() => this.#end(this.timeout()), Math.min(Math.max(this.#msLeft, 0), longestTimer));
    try {
      return await Promise.race([work(), this.#stopped.promise]);
    } catch (error) {
      throw this.#failure ?? this.#explain(error);
    } finally {
      clearTimeout(timer);
      this.#msLeft -= performance.now() - started;
    }
  }

  /** Ends the query early, as if its caller had gone away. */
  readonly stop = (): void => {
    this.#end(new DatabaseError('cancelled', `The query on ${this.#name} was cancelled`));
  };

  /** The failure of a query that took too long. */
  timeout(): DatabaseError {
    const problem = `stopped the query after ${this.#timeoutMs / 1000} s; ask for less, or raise its CommandTimeout`;
    return new DatabaseError('timeout', `${this.#name} ${problem}`);
  }

  /** Stops watching. */
  end(): void {
    this.#signal.removeEventListener('abort', this.stop);
  }

  #end(failure: DatabaseError): void {
    if (this.#failure) return;
    this.#failure = failure;
    this.end();
    this.#stopped.reject(failure);
    this.#onStop();
  }
}
