import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import * as z from 'zod';
import {
  type Database,
  type DatabaseAddress,
  type DatabaseColumn,
  type DatabaseDriver,
  DatabaseError,
  type DatabaseTable,
  type JsonRows,
  type QueryOptions,
  type Relations,
  type RowQuery,
} from '../database.ts';
import { readAll, requireSelect, tooLongRows } from '../queryRules.ts';
import { QueryWatch } from '../queryWatch.ts';
import { fileIdentity } from '../relations.ts';
import { failedFrame, oversizedFrame, type RowFrame, RowFrames } from '../rowFrames.ts';
import type { ReaderReply, ReaderRequest } from './sqliteReader.ts';

/** Maximum idle processes; more may run at the same time. */
const mostIdle = 2;

/** The table list with its statistics, and the fill level of each table's pages. */
const catalog = /\.(sqlite_|pragma_|dbstat$)/i;
const tablesSql = `SELECT 'main' AS owner, name FROM sqlite_schema
  WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name`;
const columnsSql = `SELECT name, type, "notnull" AS required FROM pragma_table_info(?1)
  WHERE ?2 IN ('', 'main') ORDER BY cid`;

const tableRow = z.object({ owner: z.string(), name: z.string() });
const columnRow = z.object({ name: z.string(), type: z.string(), required: z.number() });

/** Opens SQLite database files, read-only. */
export const sqliteDriver: DatabaseDriver = {
  async open({ database: file, displayName, connectionTimeout }: DatabaseAddress): Promise<Database> {
    const database = new SqliteDatabase(file, displayName);
    try {
      const limits = { signal: new AbortController().signal, timeoutMs: connectionTimeout * 1000 };
      for await (const _ of await database.readJson({ sql: 'SELECT 1 AS one', values: [] }, limits)) continue;
      return database;
    } catch {
      await database.close();
      const problem = 'its database file cannot be opened; it may be in use, or is not a SQLite file';
      throw new DatabaseError('unreachable', `${displayName}: ${problem}`);
    }
  },
};

class SqliteDatabase implements Database {
  readonly #file: string;
  readonly #name: string;
  readonly #idle: SqliteProcess[] = [];
  readonly #running = new Set<RunningQuery>();
  #isClosed = false;

  constructor(file: string, name: string) {
    this.#file = file;
    this.#name = name;
  }

  async readJson(query: RowQuery, options: QueryOptions): Promise<AsyncIterable<JsonRows>> {
    requireSelect(query, this.#name);
    const { running, release } = await this.#start(options);
    try {
      const { sql, values } = query;
      await running.ask({ kind: 'query', sql, values });
      return rowsOf(running, release);
    } catch (error) {
      release(false);
      throw error;
    }
  }

  /** Acquires a process that has the file open; the caller must release it. */
  async #start(options: QueryOptions): Promise<{ running: RunningQuery; release: (isReusable: boolean) => void }> {
    const idle = this.#takeIdle();
    const reader = idle ?? new SqliteProcess();
    const running = new RunningQuery(reader, this.#name, options);
    this.#running.add(running);
    void reader.ended.then(() => this.#running.delete(running));
    const release = (isReusable: boolean) => {
      this.#running.delete(running);
      running.end();
      if (isReusable && !this.#isClosed && this.#idle.length < mostIdle) this.#idle.push(reader);
      else reader.kill();
    };
    try {
      if (!idle) await running.ask({ kind: 'open', file: this.#file });
      return { running, release };
    } catch (error) {
      release(false);
      throw error;
    }
  }

  async relations(options: QueryOptions): Promise<Relations> {
    const { running, release } = await this.#start(options);
    let isReusable = false;
    try {
      const reply = await running.ask({ kind: 'relations' });
      isReusable = true;
      const derived = reply.kind === 'relations' ? reply.derived : [];
      return { identity: fileIdentity(this.#file), searchPath: ['main'], derived, catalog };
    } finally {
      release(isReusable);
    }
  }

  tables(options: QueryOptions): Promise<DatabaseTable[]> {
    return readAll(this, { sql: tablesSql, values: [] }, tableRow, options);
  }

  async columns({ owner, name }: DatabaseTable, options: QueryOptions): Promise<DatabaseColumn[]> {
    const values = [name, owner.toLowerCase()].map((text) => ({ type: 'text', text }) as const);
    const rows = await readAll(this, { sql: columnsSql, values }, columnRow, options);
    return rows.map((row) => ({
      name: row.name,
      nativeType: row.type,
      maxLength: Number(/CHAR.*\((\d+)\)/i.exec(row.type)?.[1] ?? 0),
      isNullable: row.required === 0,
    }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const readers = [...this.#idle.splice(0), ...[...this.#running].map(({ reader }) => reader)];
    for (const running of this.#running) running.stop();
    for (const reader of readers) reader.kill();
    await Promise.all(readers.map(({ ended }) => ended));
  }

  #takeIdle(): SqliteProcess | undefined {
    for (let reader = this.#idle.pop(); reader; reader = this.#idle.pop()) if (!reader.isEnded) return reader;
    return undefined;
  }
}

/** One query in a process; if the query must stop early, the process is killed. */
class RunningQuery {
  readonly reader: SqliteProcess;
  readonly #name: string;
  readonly #watch: QueryWatch;

  constructor(reader: SqliteProcess, name: string, options: QueryOptions) {
    this.reader = reader;
    this.#name = name;
    this.#watch = new QueryWatch(
      name,
      options,
      () => reader.kill(),
      () => new DatabaseError('failed', `${name}: the process that reads the database ended unexpectedly`),
    );
  }

  async ask(request: ReaderRequest): Promise<ReaderReply> {
    const reply = await this.#watch.step(() => this.reader.ask(request));
    if (reply.kind !== 'failed') return reply;
    if (reply.isOversized) throw tooLongRows(this.#name);
    // Before a query begins, SQLite's messages contain only names; later they may quote values.
    if (reply.isBegun) throw new DatabaseError('failed', `${this.#name} could not compute the result`);
    throw new DatabaseError('refused', `${this.#name} refused the query: ${reply.message.split('\n')[0]}`);
  }

  /** The next rows, or undefined after the last ones. */
  async rows(): Promise<JsonRows | undefined> {
    const { count, rows } = await this.#watch.step(() => this.reader.nextRows());
    if (count === failedFrame) throw new DatabaseError('failed', `${this.#name} could not compute the result`);
    if (count === oversizedFrame) throw tooLongRows(this.#name);
    // Without the comma after the last row.
    return count > 0 ? { count, json: rows.subarray(0, -1) } : undefined;
  }

  stop(): void {
    this.#watch.stop();
  }

  end(): void {
    this.#watch.end();
  }
}

async function* rowsOf(running: RunningQuery, release: (isReusable: boolean) => void): AsyncGenerator<JsonRows> {
  let isComplete = false;
  try {
    let ahead = running.rows();
    for (let rows = await ahead; rows; rows = await ahead) {
      // Lets the reader continue while these rows are written.
      ahead = running.rows();
      // Not awaited if the consumer has stopped.
      ahead.catch(() => undefined);
      yield rows;
    }
    isComplete = true;
  } finally {
    release(isComplete);
  }
}

/** The reader is next to this file in the source, and next to the server's bundle. */
const script = path.join(
  import.meta.dirname,
  existsSync(path.join(import.meta.dirname, 'sqliteReader.ts')) ? 'sqliteReader.ts' : 'sqliteReader.js',
);

/** A process that reads one SQLite file, one query at a time. */
export class SqliteProcess {
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #frames: RowFrames;
  #waiting: { resolve: (reply: ReaderReply) => void; reject: (error: Error) => void } | undefined;
  #isEnded = false;

  constructor() {
    this.#child = fork(script, [], {
      serialization: 'advanced',
      execArgv: ['--max-semi-space-size=8'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
    });
    const pipe = this.#child.stdio[4];
    if (!(pipe instanceof Readable)) throw new Error('There is no pipe to the process that reads SQLite');
    this.#frames = new RowFrames(pipe);
    const end = Promise.withResolvers<void>();
    this.ended = end.promise;
    this.#child.on('message', (reply: ReaderReply) => {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      waiting?.resolve(reply);
    });
    const gone = () => {
      this.#isEnded = true;
      const error = new Error('The process that reads SQLite has ended');
      this.#waiting?.reject(error);
      this.#waiting = undefined;
      this.#frames.fail(error);
      end.resolve();
    };
    this.#child.on('exit', gone).on('error', gone);
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /**
   * Sends a request and waits for its reply; only one at a time.
   * @throws Error when the process ends before it replies.
   */
  ask(request: ReaderRequest): Promise<ReaderReply> {
    return new Promise((resolve, reject) => {
      if (this.#isEnded) {
        reject(new Error('The process that reads SQLite has ended'));
        return;
      }
      this.#waiting = { resolve, reject };
      this.#child.send(request, (error) => {
        if (error) reject(error);
      });
    });
  }

  /**
   * The next rows of a query that has begun; only one request may be pending.
   * @throws Error when the process ends before it replies.
   */
  nextRows(): Promise<RowFrame> {
    if (this.#isEnded) return Promise.reject(new Error('The process that reads SQLite has ended'));
    return this.#frames.next();
  }

  /** Kills the process immediately. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
