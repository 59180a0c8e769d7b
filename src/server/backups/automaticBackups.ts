import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { automaticBackupOutcome, type AutomaticBackupOutcome } from '../../contract/serverCommands.ts';
import { asDamage, DamagedState, readUnchanged, removeDatabase } from '../store/stateBackup.ts';
import { momentInName } from './backupFile.ts';
import {
  backupsToDelete,
  isDue,
  type KnownBackup,
  momentOfBackup,
  momentOfReplaced,
  replacedToDelete,
} from './retention.ts';

/** Options of {@link AutomaticBackups}. */
export interface AutomaticBackupOptions {
  dataFolder: string;
  /** Folder of the automatic backups. */
  folder: string;
  /** Bytes that all automatic backups may take, and states that restores replaced; the latest one is always kept. */
  limitBytes: number;
  /** Identifier of this server's installation. */
  installation: string;
  /** Makes a checked backup as the file `target`. @throws Error with the reason. */
  makeBackup: (target: string, signal: AbortSignal) => Promise<void>;
  /** Called after each backup that was made or failed. */
  onOutcome: (outcome: AutomaticBackupOutcome) => void;
  now: () => Date;
}

/** Starting the server, and with it most of a user's waiting, is over by then. */
const firstCheckAfterMs = 5 * 60_000;
const checkEveryMs = 3_600_000;

/** Makes a backup a day while the server runs, and deletes old ones. A failed one is tried again every hour. */
export class AutomaticBackups {
  readonly #options: AutomaticBackupOptions;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(options: AutomaticBackupOptions) {
    this.#options = options;
  }

  start(): void {
    this.#schedule(firstCheckAfterMs);
  }

  /** Cancels a backup that is being made. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Makes a backup if one is due. Errors are reported as the outcome. */
  async check(): Promise<void> {
    const { folder, installation, makeBackup, now, onOutcome } = this.#options;
    let outcome: AutomaticBackupOutcome;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const backups = known(folder, momentOfBackup);
      refuseOthers(folder, backups, installation);
      if (!isDue(backups, now())) return;
      for (const draft of readdirSync(folder).filter(isDraft)) removeDatabase(path.join(folder, draft));
      const target = path.join(folder, `daily-${momentInName(now())}.db`);
      await makeBackup(target, this.#stopping.signal);
      this.#deleteOld();
      outcome = { at: now().toISOString(), file: target, reason: '' };
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      outcome = { at: now().toISOString(), file: '', reason: error instanceof Error ? error.message : String(error) };
    }
    this.#record(outcome);
    onOutcome(outcome);
  }

  #deleteOld(): void {
    const { dataFolder, folder, limitBytes, now } = this.#options;
    const old = backupsToDelete(known(folder, momentOfBackup), limitBytes, now());
    for (const { name } of old) removeDatabase(path.join(folder, name));
    const own = path.join(dataFolder, 'backups');
    const replaced = replacedToDelete(known(own, momentOfReplaced), limitBytes, now());
    for (const { name } of replaced) removeDatabase(path.join(own, name));
  }

  /** Stores the outcome for windows and health checks. On a full disk, the caller's message is all there is. */
  #record(outcome: AutomaticBackupOutcome): void {
    const file = recordFile(this.#options.dataFolder);
    try {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.new`, JSON.stringify(outcome), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    } catch (error) {
      if (outcome.reason === '') throw error;
    }
  }

  #schedule(afterMs: number): void {
    this.#timer = setTimeout(() => {
      this.#running = this.check().finally(() => {
        this.#running = undefined;
        if (!this.#stopping.signal.aborted) this.#schedule(checkEveryMs);
      });
    }, afterMs);
    // The server runs as long as it listens.
    this.#timer.unref();
  }
}

/** The outcome of the last automatic backup; undefined if there was none, or its record cannot be read. */
export function lastAutomaticBackup(dataFolder: string): AutomaticBackupOutcome | undefined {
  try {
    return automaticBackupOutcome.parse(JSON.parse(readFileSync(recordFile(dataFolder), 'utf8')));
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing || error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

/** When the latest automatic backup in a folder was made; undefined if there is none. @throws Error when it cannot be read. */
export function latestBackup(folder: string): Date | undefined {
  return known(folder, momentOfBackup)
    .map(({ moment }) => moment)
    .toSorted((one, other) => one.getTime() - other.getTime())
    .at(-1);
}

/** The maker of backups that runs `server.js backup` in a process of its own: checking a copy takes seconds per GB. */
export function backupProcess(script: string, dataFolder: string): AutomaticBackupOptions['makeBackup'] {
  return (target, signal) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [script, 'backup', '--data', dataFolder, '--to', target], {
        stdio: ['ignore', 'ignore', 'pipe'],
        windowsHide: true,
        signal,
        killSignal: 'SIGTERM',
      });
      let reason = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (reason = (reason + text).slice(-longestReason)));
      child.once('error', reject);
      child.once('close', (code) => {
        if (code === 0) resolve();
        else reject(new Error(reason.trim() || `server.js backup ended with ${code ?? child.signalCode}`));
      });
    });
}

const longestReason = 2_000;

function recordFile(dataFolder: string): string {
  return path.join(dataFolder, 'backups', 'automatic.json');
}

/** The backups of a folder whose names have a moment; empty if it does not exist yet. */
function known(folder: string, momentOf: (name: string) => Date | undefined): KnownBackup[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const moment = momentOf(name);
    return moment ? [{ name, moment, bytes: statSync(path.join(folder, name)).size }] : [];
  });
}

/** Whether a file is the remains of an automatic backup that was killed. */
function isDraft(name: string): boolean {
  return /^daily-.+\.db\.new$/.test(name);
}

/** @throws Error when the backups are of another server: each would take the other's for its own, and delete them. */
function refuseOthers(folder: string, backups: readonly KnownBackup[], installation: string): void {
  for (const { name } of backups) {
    const found = installationIn(path.join(folder, name));
    if (found !== undefined && found !== installation) {
      throw new Error(
        `${folder} has the backups of another server (installation ${found}, not ${installation}). ` +
          'Move them away, or specify a folder of its own with --backup-folder.',
      );
    }
  }
}

/** The installation that a backup is of; undefined when it is damaged. */
function installationIn(file: string): string | undefined {
  try {
    const read = 'SELECT identifier FROM installation';
    return readUnchanged(file, (database) => String(database.prepare(read).get()?.identifier));
  } catch (error) {
    if (asDamage(file, error) instanceof DamagedState) return undefined;
    throw error;
  }
}
