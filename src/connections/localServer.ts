import { setTimeout as delay } from 'node:timers/promises';
import { isClientError } from '../client/clientError.ts';
import { waitFor } from '../client/waitFor.ts';
import { inBackground, waited } from '../client/waiter.ts';
import { isProcessAlive, withFileLock } from './fileLock.ts';
import type { LocalServerHome, RunningServer } from './localServerHome.ts';
import { ServerProcess, type ProcessLog } from './serverProcess.ts';
import { say } from '../words/say.ts';

/** Where the local server stands. */
export type LocalServerState = 'stopped' | 'starting' | 'running';

/** What {@link LocalServer} works with. */
export interface LocalServerOptions {
  /** The server's bundle. */
  script: string;
  home: LocalServerHome;
  log: ProcessLog;
  /** Asks a server for its installation id, which needs no session; throws when it does not answer as one. */
  probe: (url: string, signal: AbortSignal) => Promise<{ apiBase: string; installationId: string }>;
  /** Told when new data was begun because the secrets of the earlier data are gone. */
  onDidAbandonData: (folder: string) => void;
}

const startWithinMs = 120_000;
const probeWithinMs = 5_000;
/** What a closing window waits for the lock of the others. */
const disposeWithinMs = 500;
/** An answer this young need not be asked for again. */
const answerLastsMs = 3_000;
/** This many crashes within this time, and starting it again needs the user. */
const crashLimit = 3;
const crashWindowMs = 60_000;

/**
 * The embedded server of this machine. All windows share one process: the window that needs it first starts it, the
 * others find it through its note; when its window closes it stops, and the next window that needs it starts it again on
 * the same data.
 */
export class LocalServer {
  readonly #options: LocalServerOptions;
  readonly #listeners = new Set<() => void>();
  #state: LocalServerState = 'stopped';
  #process: ServerProcess | undefined;
  #running: RunningServer | undefined;
  #answeredAt = 0;
  #starting: Promise<RunningServer> | undefined;
  #crashes: number[] = [];
  /** Aborts when the window closes: a start is given up then. */
  readonly #closing = new AbortController();

  constructor(options: LocalServerOptions) {
    this.#options = options;
  }

  get state(): LocalServerState {
    return this.#state;
  }

  /** Calls `listener` when {@link state} changes; returns what stops it. */
  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * The running server: the one known, another window's, or one started now.
   * @throws {Error} saying why it does not start or answer.
   */
  async ensureRunning(): Promise<RunningServer> {
    if (this.#process?.isAlive && this.#running) return this.#running;
    const isFresh = Date.now() - this.#answeredAt < answerLastsMs;
    if (this.#running && isFresh && isProcessAlive(this.#running.pid)) return this.#running;
    this.#starting ??= inBackground(() => this.#startOrAttach()).finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** Forgets earlier crashes: the user asks for another try. */
  forgiveCrashes(): void {
    this.#crashes = [];
  }

  /** Whether a server runs, without starting one or asking it. */
  async peek(): Promise<RunningServer | undefined> {
    if (this.#process?.isAlive) return this.#running;
    const noted = await this.#options.home.readRunning();
    return noted && isProcessAlive(noted.pid) ? noted : undefined;
  }

  /** Password of the `admin` account; undefined before the first start, and once the server has rejected it. */
  async password(): Promise<string | undefined> {
    const secrets = await this.#options.home.secrets();
    return secrets?.isRejected ? undefined : secrets?.password;
  }

  /** Password with which the accounts of the sample were made; undefined before the first start. */
  async samplePassword(): Promise<string | undefined> {
    return (await this.#options.home.secrets())?.password;
  }

  /** Notes that the server rejected `password` for its own account: no window and no later start sends it again. */
  rejectPassword(password: string): Promise<void> {
    return this.#options.home.rejectPassword(password);
  }

  /** Stops the server if this window started it, while no other window looks for it. Safe to call at any time. */
  async dispose(): Promise<void> {
    this.#listeners.clear();
    this.#closing.abort();
    // One that is being started here would be left behind; it is stopped where it is.
    await this.#starting?.catch(() => undefined);
    const own = this.#process;
    this.#process = undefined;
    const running = this.#running;
    this.#running = undefined;
    if (!own) return;
    const { home } = this.#options;
    const stop = async () => {
      await own.stop();
      if (running) await home.clearRunning(running.pid);
    };
    await this.#locked(stop, AbortSignal.timeout(disposeWithinMs)).catch((error: unknown) => {
      // The window goes in any case, and the server with it; its note is known to be stale once the process is gone.
      if (isClientError(error, 'cancelled')) return own.stop();
      throw error;
    });
  }

  /** Stops the server, whichever window started it, and deletes its data and secrets. */
  async erase(): Promise<void> {
    await this.stop();
    await this.#options.home.erase();
  }

  /** Stops the server, whichever window started it. */
  async stop(): Promise<void> {
    const { home } = this.#options;
    const stop = async () => {
      const own = this.#process;
      this.#process = undefined;
      await own?.stop();
      const noted = await home.readRunning();
      if (noted && isProcessAlive(noted.pid) && (await this.#answers(noted))) await endProcess(noted.pid);
      if (noted) await home.clearRunning(noted.pid);
      this.#running = undefined;
      this.#set('stopped');
    };
    const server = say('Local Server');
    // Who gives up leaves it to end.
    await waited(server, undefined, (signal) =>
      waitFor(this.#locked(stop, signal), { signal, deadlineMs: Infinity }, { server }),
    );
  }

  #locked<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return withFileLock(this.#options.home.lockFile, work, { server: say('Local Server'), signal });
  }

  async #startOrAttach(): Promise<RunningServer> {
    try {
      const running = await this.#locked(async () => {
        const noted = await this.#options.home.readRunning();
        if (noted && isProcessAlive(noted.pid) && (await this.#answers(noted))) return noted;
        return this.#start();
      }, this.#closing.signal);
      this.#running = running;
      this.#answeredAt = Date.now();
      this.#set('running');
      return running;
    } catch (error) {
      this.#running = undefined;
      this.#set('stopped');
      throw error;
    }
  }

  /** Whether the noted process is our server. One that hangs is an error: two must not share the data. */
  async #answers(noted: RunningServer): Promise<boolean> {
    const { probe, log } = this.#options;
    const signal = AbortSignal.any([AbortSignal.timeout(probeWithinMs), this.#closing.signal]);
    try {
      return (await probe(noted.url, signal)).installationId === noted.installationId;
    } catch (cause) {
      if (signal.aborted) {
        throw new Error(
          say('The local server runs (process {0}) but does not answer. End it and try again.', noted.pid),
          {
            cause,
          },
        );
      }
      log.info(`Nothing of ours listens at ${noted.url} any more.`);
      return false;
    }
  }

  async #start(): Promise<RunningServer> {
    const { home, script, log, probe, onDidAbandonData } = this.#options;
    this.#set('starting');
    const recent = this.#crashes.filter((moment) => Date.now() - moment < crashWindowMs);
    if (recent.length >= crashLimit) {
      throw new Error(say('The local server stopped {0} times within a minute. Its log says why.', recent.length));
    }
    const { dataFolder, abandonedFolder, password, key } = await home.prepare();
    this.#closing.signal.throwIfAborted();
    const process = new ServerProcess({ script, dataFolder, password, key, log });
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(startWithinMs), this.#closing.signal]);
      const { url, pid } = await process.ready(signal);
      const running = { url, pid, ...(await probe(url, signal)) };
      await home.writeRunning(running);
      this.#process = process;
      void process.exited.then(() => this.#exited(process));
      if (abandonedFolder !== undefined) onDidAbandonData(abandonedFolder);
      return running;
    } catch (error) {
      await process.stop();
      throw error;
    }
  }

  #exited(process: ServerProcess): void {
    if (this.#process !== process) return;
    this.#process = undefined;
    this.#running = undefined;
    this.#crashes.push(Date.now());
    this.#options.log.warn('The local server stopped unexpectedly; the next use starts it again.');
    this.#set('stopped');
  }

  #set(state: LocalServerState): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** Ends another window's server: politely first, for two seconds. */
async function endProcess(pid: number): Promise<void> {
  const deadline = Date.now() + 2_000;
  signalProcess(pid, 'SIGTERM');
  while (isProcessAlive(pid)) {
    if (Date.now() > deadline) signalProcess(pid, 'SIGKILL');
    await delay(50);
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Gone in the meantime, which is what was asked for.
    if (isProcessAlive(pid)) throw error;
  }
}
