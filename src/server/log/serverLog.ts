import { closeSync, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { withoutSecrets } from './secretsInText.ts';

const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Parses the value of `--log-level`. @throws Error with the levels. */
export function parseLogLevel(text: string): LogLevel {
  const level = logLevels.find((known) => known === text);
  if (!level) throw new Error(`--log-level must be ${logLevels.join(', ')}, not ${text}.`);
  return level;
}

/** More about an entry. */
export type LogFields = Readonly<Record<string, string | number | boolean>>;

/** Writes an entry of the server's own log; by default an error. */
export type Log = (message: string, level?: LogLevel, fields?: LogFields) => void;

/** Where the log goes. */
export interface LogOptions {
  /** Entries below it are left out. */
  level: LogLevel;
  /** One JSON object a line; otherwise the message alone. */
  isJson: boolean;
  /** File that entries are appended to, always as JSON. Standard error if undefined, and while it cannot be written. */
  file?: string | undefined;
  /** Bytes from which the file is replaced by a new one. */
  fileBytes?: number;
  /** Earlier files that are kept, as FILE.1 to FILE.n. */
  keptFiles?: number;
  now?: () => Date;
  writeError: (line: string) => void;
}

/** Creates the server's log, which masks secrets. Writing never fails: a full disk must not end the server. */
export function createLog(options: LogOptions): Log {
  const { level: least, isJson, file, writeError, now = () => new Date() } = options;
  const shown = new Set(logLevels.slice(0, logLevels.indexOf(least) + 1));
  let isFailing = false;
  return (message, level = 'error', fields = {}) => {
    if (!shown.has(level)) return;
    const json = JSON.stringify({ time: now().toISOString(), level, message: withoutSecrets(message), ...fields });
    if (file !== undefined) {
      try {
        append(file, `${json}\n`, options);
        isFailing = false;
        return;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (!isFailing) writeError(`The log file ${file} cannot be written (${reason}). Entries follow here.`);
        isFailing = true;
      }
    }
    writeError(isJson ? json : withoutSecrets(message));
  };
}

/** Opens the file each time, so that it may be moved or deleted by others. */
function append(file: string, line: string, { fileBytes = 10 * 1024 * 1024, keptFiles = 5 }: LogOptions): void {
  let opened = openSync(file, 'a', 0o600);
  try {
    if (fstatSync(opened).size + line.length > fileBytes) {
      closeSync(opened);
      rotate(file, keptFiles);
      opened = openSync(file, 'a', 0o600);
    }
    writeSync(opened, line);
  } finally {
    closeSync(opened);
  }
}

function rotate(file: string, keptFiles: number): void {
  rmSync(`${file}.${keptFiles}`, { force: true });
  for (let index = keptFiles - 1; index >= 0; index -= 1) {
    try {
      renameSync(index === 0 ? file : `${file}.${index}`, `${file}.${index + 1}`);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
}
