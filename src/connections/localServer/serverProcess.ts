import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { folderInUseExitCode } from '../../contract/localServer.ts';
import * as l10n from '../../l10n/l10n.ts';
import { isOwnProcessAlive } from '../fileLock.ts';

/** Receives the server's output, which never contains secrets. */
export interface ProcessLog {
  info(line: string): void;
  warn(line: string): void;
}

/** Start options of the embedded server. */
export interface ServerProcessOptions {
  /** Path of the server's bundle. */
  script: string;
  /** Data folder. */
  dataFolder: string;
  /** Additional folders whose database files reports may read. */
  databaseFolders: readonly string[];
  /** Whether database servers of old releases are used. */
  allowsOldEngines: boolean;
  /** Password of the `admin` account of a new data folder. */
  password: string;
  /** Key for the stored database passwords, as hexadecimal digits. */
  key: string;
  log: ProcessLog;
  /** Receives the outcomes of automatic backups. */
  onBackup: (outcome: BackupOutcome) => void;
}

/** Another process uses the data folder that the server should start on. */
export class DataInUse extends Error {}

/** A later release, `newer`, has upgraded the data that the server should start on. */
export class NewerData extends Error {
  readonly newer: string;

  constructor(newer: string) {
    super(`Release ${newer} has upgraded the data`);
    this.newer = newer;
  }
}

/** The data that the server should start on is damaged or gone. Shown with a way to restore it. */
class DamagedData extends Error {
  override readonly name = 'DamagedData';
}

/** What the server sends when it is ready. */
interface ReadyMessage {
  /** Root URL of the server, without the API's prefix. */
  url: string;
  pid: number;
  /** Release of the server. */
  release: string;
}

/** Outcome of an automatic backup; `reason` is empty unless it failed. */
export interface BackupOutcome {
  /** ISO 8601. */
  at: string;
  reason: string;
}

/** Parses an outcome as the server sends and stores it; undefined for anything else. */
export function readBackupOutcome(value: unknown): BackupOutcome | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { at, reason } = value as Record<string, unknown>;
  return typeof at === 'string' && typeof reason === 'string' ? { at, reason } : undefined;
}

/** Time the server gets to stop before it is killed: it writes its journal back, and then seals the state. */
const stopWithinMs = 15_000;
/** The same in a closing window, which has two seconds in total. */
export const closingStopWithinMs = 1_500;
/** Number of error output lines that a failure message quotes. */
const quotedLines = 5;

/**
 * The embedded server as a separate process, run by the editor's runtime. It listens on loopback only, rejects web
 * pages, and receives its secrets through the channel between the processes, never as arguments or environment
 * variables.
 */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #ready: Promise<ReadyMessage>;
  readonly #exited: Promise<void>;
  readonly #lastLines: string[] = [];
  #isAlive = true;

  constructor(options: ServerProcessOptions) {
    const { script, dataFolder, databaseFolders, allowsOldEngines, password, key, log, onBackup } = options;
    const folders = databaseFolders.flatMap((folder) => ['--database-folder', folder]);
    const old = allowsOldEngines ? ['--allow-old-engines'] : [];
    const settings = ['--port', '0', '--data', dataFolder, ...folders, ...old, '--sample', '--allow-origin', 'none'];
    this.#child = spawn(
      process.execPath,
      // Large results pass through the heap's young generation, which would otherwise grow by about 100 MB for them.
      ['--max-semi-space-size=8', script, ...settings],
      { env: cleanEnvironment(), stdio: ['ignore', 'ignore', 'pipe', 'ipc'], windowsHide: true },
    );
    this.#ready = once(this.#child, 'message').then(([message]) => readReadyMessage(message));
    this.#child.on('message', (message) => {
      const isBackup = typeof message === 'object' && 'automaticBackup' in message;
      const outcome = isBackup ? readBackupOutcome(message.automaticBackup) : undefined;
      if (outcome) onBackup(outcome);
    });
    this.#exited = new Promise((resolve) => {
      const gone = () => {
        this.#isAlive = false;
        resolve();
      };
      this.#child.once('exit', gone);
      this.#child.once('error', (error) => {
        this.#note(error.message, log);
        gone();
      });
    });
    // A process that exits immediately breaks the channel; its exit is reported, not the broken channel.
    this.#child.send({ password, key }, () => undefined);
    if (this.#child.stderr) createInterface(this.#child.stderr).on('line', (line) => this.#note(line, log));
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Resolves when the process has exited. */
  get exited(): Promise<void> {
    return this.#exited;
  }

  /**
   * Waits until the server reports its address.
   * @throws {DamagedData} when its data is damaged or gone.
   * @throws {NewerData} when a later release has upgraded its data.
   * @throws {DataInUse} with the server's message when another process uses its data.
   * @throws {Error} quoting the server's last output when it stops first, or the signal's reason when that aborts.
   */
  async ready(signal: AbortSignal): Promise<ReadyMessage> {
    const gone = this.#exited.then(() => {
      const code = this.#child.exitCode ?? this.#child.signalCode ?? '–';
      if (code === folderInUseExitCode) throw new DataInUse(this.#lastLines.join(' '));
      throw new Error(
        l10n.t('The local server stopped while starting ({0}). {1}', code, this.#lastLines.join(' ')).trim(),
      );
    });
    const aborted = once(signal, 'abort').then(() => {
      throw new Error(l10n.t('The local server took too long to start.'));
    });
    // The other promises settle later; their results are not needed.
    for (const loser of [this.#ready, gone, aborted]) loser.catch(() => undefined);
    return Promise.race([this.#ready, gone, aborted]);
  }

  /** Asks the server to stop, and kills it if it still runs after `withinMs`. */
  async stop(withinMs = stopWithinMs): Promise<void> {
    if (!this.#isAlive) return;
    // Closing the channel works on every platform; the signal also works while the server is still starting.
    if (this.#child.connected) this.#child.disconnect();
    if (process.platform !== 'win32') this.#child.kill('SIGTERM');
    const timer = new AbortController();
    const overdue = delay(withinMs, 'overdue', { signal: timer.signal }).catch(() => undefined);
    if ((await Promise.race([this.#exited, overdue])) === 'overdue') this.#child.kill('SIGKILL');
    timer.abort();
    await this.#exited;
  }

  #note(line: string, log: ProcessLog): void {
    log.info(line);
    this.#lastLines.push(line);
    if (this.#lastLines.length > quotedLines) this.#lastLines.shift();
  }
}

/**
 * The editor's environment without variables that change how the server runs. On Linux, each thread that has hashed a
 * password would otherwise keep the 16 MB this took; the setting returns blocks of 12 MB and more immediately.
 */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(NODE_OPTIONS|VSCODE_|ELECTRON_)/.test(name));
  return { ...Object.fromEntries(kept), ELECTRON_RUN_AS_NODE: '1', MALLOC_MMAP_THRESHOLD_: '12582912' };
}

function readReadyMessage(message: unknown): ReadyMessage {
  if (typeof message === 'object' && message !== null) {
    const { url, pid, release, newerRelease, damage } = message as Record<string, unknown>;
    if (typeof damage === 'string') {
      throw new DamagedData(
        l10n.t('Its data is damaged or missing. Restore a backup; nothing was changed so far. {0}', damage),
      );
    }
    if (typeof newerRelease === 'string') throw new NewerData(newerRelease);
    if (typeof url === 'string' && typeof pid === 'number' && typeof release === 'string') return { url, pid, release };
  }
  throw new Error(l10n.t('The local server started but did not report its address.'));
}

/** Ends another window's server: asks it to stop, and kills it if needed. */
export async function endProcess(pid: number): Promise<void> {
  const deadline = Date.now() + stopWithinMs;
  signalProcess(pid, 'SIGTERM');
  while (isOwnProcessAlive(pid)) {
    if (Date.now() > deadline) signalProcess(pid, 'SIGKILL');
    await delay(50);
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It exited meanwhile, which is the intended result.
    if (isOwnProcessAlive(pid)) throw error;
  }
}
