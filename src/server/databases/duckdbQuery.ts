import type { DuckDBConnection } from '@duckdb/node-api';
import { DatabaseError, type QueryOptions } from './database.ts';

/** A query on a connection of its own, which ends with it. */
export class RunningQuery {
  readonly connection: DuckDBConnection;
  /** Resolves when the connection is closed. */
  readonly ended: Promise<void>;
  readonly #name: string;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #timeoutMs: number;
  #resolveEnded: () => void = () => undefined;

  constructor(connection: DuckDBConnection, name: string, { signal, timeoutMs }: QueryOptions) {
    this.connection = connection;
    this.#name = name;
    this.#timeoutMs = timeoutMs;
    this.#signal = AbortSignal.any([signal, this.#stop.signal, AbortSignal.timeout(timeoutMs)]);
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
  }

  /** Runs one step of the query; interrupts it when the query is stopped or takes too long. */
  async step<T>(work: () => Promise<T>): Promise<T> {
    if (this.#signal.aborted) throw this.#failure(undefined);
    let repeat: NodeJS.Timeout | undefined;
    const interrupt = () => {
      this.connection.interrupt();
      // An interrupt is lost on a step that has not quite begun.
      repeat ??= setInterval(() => this.connection.interrupt(), 5);
    };
    this.#signal.addEventListener('abort', interrupt, { once: true });
    try {
      return await work();
    } catch (error) {
      throw this.#failure(error);
    } finally {
      clearInterval(repeat);
      this.#signal.removeEventListener('abort', interrupt);
    }
  }

  stop(): void {
    this.#stop.abort();
  }

  end(): void {
    this.connection.closeSync();
    this.#resolveEnded();
  }

  #failure(error: unknown): DatabaseError {
    const reason: unknown = this.#signal.reason;
    if (this.#signal.aborted) {
      return reason instanceof DOMException && reason.name === 'TimeoutError'
        ? new DatabaseError('timeout', `${this.#name} stopped the query after ${this.#timeoutMs / 1000} s; ask for less or raise its CommandTimeout`)
        : new DatabaseError('cancelled', `The query on ${this.#name} was cancelled`);
    }
    const text = error instanceof Error ? error.message : '';
    const kind = /^([A-Za-z ]+?) ?Error:/.exec(text)?.[1] ?? 'unexpected';
    if (kind === 'Binder' || kind === 'Catalog' || kind === 'Parser') {
      // These speak of names and types alone, before any row is read.
      return new DatabaseError('refused', `${this.#name} refused the query: ${text.split('\n')[0]}`);
    }
    return new DatabaseError('failed', `${this.#name} could not compute the result (${kind} error)`);
  }
}
