import type { DuckDBConnection } from '@duckdb/node-api';
import { DatabaseError, type QueryOptions } from '../database.ts';
import { memoryLimit } from './instance.ts';
import { tooMuchMemory } from '../queryRules.ts';
import { cancelledQuery } from '../queryWatch.ts';

/** Milliseconds between repeated interrupts: an interrupt is lost if the step has not quite begun. */
const interruptEvery = 5;

/** A query on its own connection, which is closed with it. */
export class RunningQuery {
  readonly connection: DuckDBConnection;
  /** Resolves when the connection is closed. */
  readonly ended: Promise<void>;
  readonly #name: string;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal;
  readonly #stop = new AbortController();
  /** Remaining time in the database; excludes the time of a slow reader. */
  #msLeft: number;
  #isTimedOut = false;
  #interrupting: NodeJS.Timeout | undefined;
  #isInStep = false;
  #resolveEnded: (() => void) | undefined;
  #hasBrokenDatabase = false;

  /** Whether the database must be reopened before its next use. */
  get hasBrokenDatabase(): boolean {
    return this.#hasBrokenDatabase;
  }

  constructor(connection: DuckDBConnection, name: string, { signal, timeoutMs }: QueryOptions) {
    this.connection = connection;
    this.#name = name;
    this.#timeoutMs = timeoutMs;
    this.#msLeft = timeoutMs;
    this.#signal = AbortSignal.any([signal, this.#stop.signal]);
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    this.#signal.addEventListener('abort', this.#onAbort, { once: true });
    if (this.#signal.aborted) this.#onAbort();
  }

  /**
   * Runs one step of the query; interrupts it when the query is stopped or the database takes too long.
   * @throws {DatabaseError}
   */
  async step<T>(work: () => Promise<T>): Promise<T> {
    if (this.#signal.aborted) throw this.#failure(undefined);
    const started = performance.now();
    const timer = setTimeout(() => {
      this.#isTimedOut = true;
      this.#interrupt();
    }, this.#msLeft);
    this.#isInStep = true;
    try {
      const result = await work();
      // DuckDB reports an interrupted result as a complete one.
      if (this.#isTimedOut || this.#signal.aborted) throw this.#failure(undefined);
      return result;
    } catch (error) {
      throw error instanceof DatabaseError ? error : this.#failure(error);
    } finally {
      this.#isInStep = false;
      clearTimeout(timer);
      clearInterval(this.#interrupting);
      this.#msLeft -= performance.now() - started;
      // After a step that reads ahead, there may be no caller to end the query.
      if (this.#signal.aborted) this.end();
    }
  }

  /** Ends the query from outside: immediately, or after its step has been interrupted. */
  stop(): void {
    this.#stop.abort();
  }

  /** Closes the connection; idempotent. */
  end(): void {
    if (!this.#resolveEnded) return;
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.connection.closeSync();
    this.#resolveEnded();
    this.#resolveEnded = undefined;
  }

  readonly #onAbort = (): void => {
    // Between two steps there is nothing to interrupt, and there may be no next step.
    if (this.#isInStep) this.#interrupt();
    else this.end();
  };

  #interrupt(): void {
    this.connection.interrupt();
    this.#interrupting ??= setInterval(() => this.connection.interrupt(), interruptEvery);
  }

  #failure(error: unknown): DatabaseError {
    if (this.#signal.aborted) return cancelledQuery(this.#name, this.#signal);
    if (this.#isTimedOut) {
      const problem = `stopped the query after ${this.#timeoutMs / 1000} s; request less data, or raise its CommandTimeout`;
      return new DatabaseError('timeout', `${this.#name} ${problem}`);
    }
    const text = error instanceof Error ? error.message : '';
    const kind = /^([A-Za-z ]+?) ?Error:/.exec(text)?.[1] ?? 'unexpected';
    if (kind === 'FATAL' || kind === 'INTERNAL') this.#hasBrokenDatabase = true;
    if (kind === 'Out of Memory') return tooMuchMemory(this.#name, memoryLimit);
    if (kind === 'Binder' || kind === 'Catalog' || kind === 'Parser') {
      // These errors occur before any row is read; their messages contain only names and types.
      return new DatabaseError('refused', `${this.#name} refused the query: ${text.split('\n')[0]}`);
    }
    return new DatabaseError('failed', `${this.#name} could not compute the result (${kind} error)`);
  }
}
