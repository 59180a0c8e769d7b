import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { type RowFrame, RowFrames } from '../rowFrames.ts';
import type { ReaderReply, ReaderRequest } from './sqliteReader.ts';

/** The reader lies beside this file: as source, or beside the server's bundle. */
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

  /** Sends a request and waits for its reply; only one at a time. @throws Error when the process ends meanwhile. */
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

  /** The next rows of a query that has begun; only one at a time. @throws Error when the process ends meanwhile. */
  nextRows(): Promise<RowFrame> {
    if (this.#isEnded) return Promise.reject(new Error('The process that reads SQLite has ended'));
    return this.#frames.next();
  }

  /** Ends the process at once, whatever it does. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
