import { isClientError } from '../../client/clientError.ts';
import { waitFor } from '../../client/http/waitFor.ts';
import { inBackground, awaitServer } from '../../client/http/cancelScope.ts';
import type { Socket } from 'node:net';
import { isOwnProcessAlive, withFileLock } from '../fileLock.ts';
import type { LocalServerHome, RunningServer } from './localServerHome.ts';
import type { ServerCommand } from './serverCommand.ts';
import type { ServerCommandMessage } from '../../contract/serverCommands.ts';
import { newerDataError, useOrReplace, type WindowRelease } from './otherRelease.ts';
import {
  closingStopWithinMs,
  DataInUse,
  endProcess,
  NewerData,
  ServerProcess,
  type BackupOutcome,
  type ProcessLog,
} from './serverProcess.ts';
import { demandProof, isVerified, proofKeyOf } from './serverProof.ts';
import * as l10n from '../../l10n/l10n.ts';

/** State of the local server. */
export type LocalServerState = 'stopped' | 'starting' | 'running';

/** Options of {@link LocalServer}. */
export interface LocalServerOptions {
  /** Path of the server's bundle. */
  script: string;
  home: LocalServerHome;
  log: ProcessLog;
  /** Release of this extension, and the editor's name. */
  window: WindowRelease;
  /** Folders whose database files reports may read, requested at each start; none if omitted. */
  databaseFolders?: () => readonly string[];
  /** Whether database servers of old releases are used, requested at each start; false if omitted. */
  allowsOldEngines?: () => boolean;
  /** Requests a server's installation id, which needs no session; throws when the reply is not that of a server. */
  probe: (url: string, signal: AbortSignal) => Promise<{ apiBase: string; installationId: string }>;
  /** Called when new data was created because the secrets of the earlier data are missing. */
  onDidAbandonData: (folder: string) => void;
}

const startWithinMs = 120_000;
/** How long a closing window waits for the lock of other windows. */
const disposeWithinMs = 500;
/** Age up to which an answer is reused. */
const answerLastsMs = 3_000;
/** After this many crashes within this time, only the user can start it again. */
const crashLimit = 3;
const crashWindowMs = 60_000;

/**
 * The embedded server of this machine. All windows share one process: the first window that needs it starts it, the
 * others find it through its process file; closing that window stops the server, and the next window that needs it
 * starts it again on the same data.
 */
export class LocalServer {
  readonly #options: LocalServerOptions;
  readonly #listeners = new Set<() => void>();
  #state: LocalServerState = 'stopped';
  #process: ServerProcess | undefined;
  #running: RunningServer | undefined;
  /** Key that {@link #running} uses to prove that it is the server of this data. */
  #proofKey: Uint8Array | undefined;
  #answeredAt = 0;
  #starting: Promise<RunningServer> | undefined;
  #lastBackup: BackupOutcome | undefined;
  #crashes: number[] = [];
  /** Aborts when the window closes, which cancels a start. */
  readonly #closing = new AbortController();

  constructor(options: LocalServerOptions) {
    this.#options = options;
  }

  get state(): LocalServerState {
    return this.#state;
  }

  /** The last automatic backup, if it failed. */
  get failedBackup(): BackupOutcome | undefined {
    return this.#lastBackup?.reason === '' ? undefined : this.#lastBackup;
  }

  /** Calls `listener` when {@link state} or {@link failedBackup} changes; returns a function that removes it. */
  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * The running server: the known one, another window's, or one started now.
   * @throws {Error} with the reason when it does not start or answer.
   */
  async ensureRunning(): Promise<RunningServer> {
    if (this.#process?.isAlive && this.#running) return this.#running;
    const isFresh = Date.now() - this.#answeredAt < answerLastsMs;
    if (this.#running && isFresh && isOwnProcessAlive(this.#running.pid)) return this.#running;
    this.#starting ??= inBackground(() => this.#startOrAttach()).finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /**
   * Requires proof that the other end of a connection is `running` before a password or token is sent: the server may
   * have ended since it was found, and another process may use its port.
   * @throws {Error} after closing the connection.
   */
  async demandProof(socket: Socket, running: RunningServer): Promise<void> {
    const key = this.#proofKey;
    if (key) return demandProof(socket, running, key);
    socket.destroy();
    throw new Error(l10n.t('The local server is no longer registered in this window.'));
  }

  /** Resets the crash count, because the user asked for another try. */
  forgiveCrashes(): void {
    this.#crashes = [];
  }

  /** The server if it is running; neither starts it nor sends a request. */
  async peek(): Promise<RunningServer | undefined> {
    if (this.#process?.isAlive) return this.#running;
    const noted = await this.#options.home.readRunning();
    return noted && isOwnProcessAlive(noted.pid) ? noted : undefined;
  }

  /** Password of the `admin` account; undefined before the first start, and after the server has rejected it. */
  async password(): Promise<string | undefined> {
    const secrets = await this.#options.home.secrets();
    return secrets?.isRejected ? undefined : secrets?.password;
  }

  /** Password that the sample's accounts were created with; undefined before the first start. */
  async samplePassword(): Promise<string | undefined> {
    return (await this.#options.home.secrets())?.password;
  }

  /**
   * Records that the server rejected `password` for its own account, so that neither a window nor a later start sends
   * it again.
   */
  rejectPassword(password: string): Promise<void> {
    return this.#options.home.rejectPassword(password);
  }

  /** Stops the server if this window started it, unless another window is looking for it. Safe to call at any time. */
  async dispose(): Promise<void> {
    this.#listeners.clear();
    this.#closing.abort();
    // A server that is still starting would be orphaned: wait until the cancelled start has stopped it.
    await this.#starting?.catch(() => undefined);
    const own = this.#process;
    this.#process = undefined;
    const running = this.#running;
    this.#running = undefined;
    if (!own) return;
    const { home } = this.#options;
    const stop = async () => {
      await own.stop(closingStopWithinMs);
      if (running) await home.clearRunning(running.pid);
    };
    await this.#locked(stop, AbortSignal.timeout(disposeWithinMs)).catch((error: unknown) => {
      // The window closes in any case, and the server with it; its process file is recognized as stale once the process
      // has exited.
      if (isClientError(error, 'cancelled')) return own.stop(closingStopWithinMs);
      throw error;
    });
  }

  /** Folder of the current data; undefined before the first start. */
  async dataFolder(): Promise<string | undefined> {
    return (await this.#options.home.data())?.dataFolder;
  }

  /** Runs a command on the current data. @throws {Error} with the reason. */
  async runCommand(command: ServerCommand): Promise<ServerCommandMessage> {
    const { runServerCommand } = await import('./serverCommand.ts');
    const data = await this.#options.home.data();
    if (!data) throw new Error(l10n.t('The local server has no data yet. Start it first.'));
    return runServerCommand({ script: this.#options.script, ...data }, command);
  }

  /** Stops the server, whichever window started it, and deletes its data and secrets. */
  erase(): Promise<void> {
    // Under one lock: a window that starts the server in between would write into the folder.
    return this.#stopAnd(() => this.#options.home.erase());
  }

  /** Stops the server, whichever window started it. */
  stop(): Promise<void> {
    return this.#stopAnd(() => Promise.resolve());
  }

  /** Stops the server, then runs `work` before any window can start it. */
  async #stopAnd(work: () => Promise<void>): Promise<void> {
    const { home } = this.#options;
    const stop = async () => {
      const own = this.#process;
      this.#process = undefined;
      await own?.stop();
      const noted = await home.readRunning();
      if (noted && (await this.#isOurs(noted))) await endProcess(noted.pid);
      else await this.#throwIfHeld();
      if (noted) await home.clearRunning(noted.pid);
      this.#running = undefined;
      this.#set('stopped');
      await work();
    };
    const server = l10n.t('Local Server');
    // Cancelling ends the wait only; the stop continues.
    await awaitServer(server, undefined, (signal) =>
      waitFor(this.#locked(stop, signal), { signal, deadlineMs: Infinity }, { server }),
    );
  }

  #locked<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return withFileLock(this.#options.home.lockFile, work, { server: l10n.t('Local Server'), signal });
  }

  async #startOrAttach(): Promise<RunningServer> {
    try {
      const running = await this.#locked(async () => {
        const noted = await this.#options.home.readRunning();
        if (!noted || !(await this.#isOurs(noted))) return this.#start();
        return (await this.#isUsable(noted)) ? noted : this.#start();
      }, this.#closing.signal);
      this.#running = running;
      this.#answeredAt = Date.now();
      this.#set('running');
      this.#setBackup(await this.#options.home.readLastBackup());
      return running;
    } catch (error) {
      this.#running = undefined;
      this.#set('stopped');
      throw error;
    }
  }

  /** Whether this window can use the running server; ends one of another release that no window needs any longer. */
  async #isUsable(noted: RunningServer): Promise<boolean> {
    const { home, window: own, log } = this.#options;
    const last = await home.readLastStart();
    if (useOrReplace(noted, { last, own }) === 'use') {
      if (last && last.release !== own.release)
        log.info(`Uses the server of release ${last.release} (${last.editor}).`);
      return true;
    }
    log.info(`Replaces the server of release ${last?.release ?? ''}, whose window has closed.`);
    await endProcess(noted.pid);
    await home.clearRunning(noted.pid);
    return false;
  }

  /** Whether the recorded process is running, belongs to this user and proves that it is the server of this data. */
  async #isOurs(noted: RunningServer): Promise<boolean> {
    if (!isOwnProcessAlive(noted.pid)) return false;
    // Another window may have created new data with a new key.
    const secrets = await this.#options.home.secrets();
    if (!secrets) return false;
    this.#proofKey = proofKeyOf(secrets.key);
    const proven = await isVerified(noted, this.#proofKey, this.#closing.signal);
    if (!proven) this.#options.log.info(`What is at ${noted.url} does not prove to be the local server.`);
    return proven;
  }

  /**
   * A process that uses the data but does not prove to be our server is not ended: its id may belong to another program
   * now.
   * @throws {Error} when there is such a process.
   */
  async #throwIfHeld(): Promise<void> {
    const holder = await this.#options.home.holder();
    if (holder === undefined) return;
    throw new Error(
      l10n.t(
        'Process {0} uses the data of the local server but does not prove to be that server. It may hang or be of an older release. Close the other VS Code windows or end the process, then try again.',
        holder,
      ),
    );
  }

  async #start(): Promise<RunningServer> {
    const { home, script, log, databaseFolders, allowsOldEngines, probe, onDidAbandonData } = this.#options;
    this.#set('starting');
    const recent = this.#crashes.filter((moment) => Date.now() - moment < crashWindowMs);
    if (recent.length >= crashLimit) {
      throw new Error(
        l10n.t('The local server stopped {0} times within a minute. See its log for the cause.', recent.length),
      );
    }
    const { dataFolder, abandonedFolder, password, key } = await home.prepare();
    this.#proofKey = proofKeyOf(key);
    this.#closing.signal.throwIfAborted();
    const process = new ServerProcess({
      script,
      dataFolder,
      databaseFolders: databaseFolders?.() ?? [],
      allowsOldEngines: allowsOldEngines?.() ?? false,
      password,
      key,
      log,
      onBackup: (outcome) => this.#setBackup(outcome),
    });
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(startWithinMs), this.#closing.signal]);
      const { url, pid, release } = await process.ready(signal);
      const running = { url, pid, ...(await probe(url, signal)) };
      await home.writeRunning(running, { ...this.#options.window, release });
      this.#process = process;
      void process.exited.then(() => this.#exited(process));
      if (abandonedFolder !== undefined) onDidAbandonData(abandonedFolder);
      return running;
    } catch (error) {
      await process.stop(closingStopWithinMs);
      if (error instanceof DataInUse) await this.#throwIfHeld();
      if (error instanceof NewerData) {
        throw newerDataError(error.newer, { last: await home.readLastStart(), own: this.#options.window });
      }
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
    this.#changed();
  }

  #setBackup(outcome: BackupOutcome | undefined): void {
    const before = this.failedBackup;
    this.#lastBackup = outcome;
    if (this.failedBackup?.at !== before?.at) this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
