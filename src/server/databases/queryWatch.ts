import { DatabaseError, type QueryOptions } from './database.ts';

const longestTimer = 2 ** 31 - 1;

/** Watches the steps of one query: ends them when the caller disconnects or the database takes too long. */
export class QueryWatch {
  readonly #name: string;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal;
  readonly #onStop: () => void;
  readonly #explain: (error: unknown) => DatabaseError;
  /** Reject functions of running steps. Not a promise for the whole query: it would retain the result of every step. */
  readonly #waiting = new Set<(failure: DatabaseError) => void>();
  /** Remaining time in the database; excludes the time of a slow reader. */
  #msLeft: number;
  #failure: DatabaseError | undefined;

  /** `onStop` is called once when the query must end early; `explain` maps an error of the driver. */
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
   * Runs one step of the query. Rejects as soon as the query is stopped, even if the driver is still busy.
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

  /** Ends the query early, as if its caller had disconnected. */
  readonly stop = (): void => {
    this.#end(cancelledQuery(this.#name, this.#signal));
  };

  /** Error for a query that took too long. */
  timeout(): DatabaseError {
    const problem = `stopped the query after ${this.#timeoutMs / 1000} s; request less data, or raise its CommandTimeout`;
    return new DatabaseError('timeout', `${this.#name} ${problem}`);
  }

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

/** Error for a query whose caller disconnected, or that the server ends because it stops. */
export function cancelledQuery(name: string, { reason }: AbortSignal): DatabaseError {
  const isStopping = reason instanceof Error && reason.name === 'ServerStopping';
  return new DatabaseError('cancelled', isStopping ? reason.message : `The query on ${name} was cancelled`);
}
