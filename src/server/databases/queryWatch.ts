import { DatabaseError, type QueryOptions } from './database.ts';

const longestTimer = 2 ** 31 - 1;

/** Watches the steps of one query: ends them when the caller goes away or the database takes too long. */
export class QueryWatch {
  readonly #name: string;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal;
  readonly #onStop: () => void;
  readonly #explain: (error: unknown) => DatabaseError;
  /** Ends the waiting for steps that run. No promise of the whole query: it would hold on to what every step gave. */
  readonly #waiting = new Set<(failure: DatabaseError) => void>();
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
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.add(reject);
    try {
      work().then(resolve, reject);
      return await promise;
    } catch (error) {
      throw this.#failure ?? this.#explain(error);
    } finally {
      this.#waiting.delete(reject);
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
    for (const reject of this.#waiting) reject(failure);
    this.#onStop();
  }
}
