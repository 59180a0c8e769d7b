import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { folderInUseExitCode } from '../contract/localServer.ts';
import type { AutomaticBackupOutcome } from '../contract/serverCommands.ts';
import { parseListening } from './http/listening.ts';
import { createLog, parseLogLevel, type Log } from './log/serverLog.ts';
import { parseMonitor } from './monitoring/monitor.ts';
import type { ServeOptions } from './serve.ts';

const usage = `Usage: node server.js --data DIR [options]
  --data DIR             folder of the server's data; made when absent
  --port N               port to listen on; 0, the default, for any free one
  --listen ADDRESS       IP address to listen on instead of loopback, such as 0.0.0.0; needs --public-url, --port, and
                         --tls-cert with --tls-key, or --behind-proxy
  --public-url URL       https origin that clients use; requests for other hosts are refused
  --tls-cert FILE, --tls-key FILE
                         certificate with its chain, and its key, PEM; SIGHUP reads them again
  --behind-proxy ADDRESS IP address of a proxy that encrypts; only it is answered. It must keep Host and add
                         X-Forwarded-For and X-Forwarded-Proto
  --prefix PATH          path that the API lies below; /api by default
  --allow-origin ORIGIN  web origins that may call: '*' (the default), none, or one such as https://example.org
  --password-stdin       read the admin password of a new data folder from the first line of standard input
  --password-file FILE   read it from the first line of FILE, which a service may keep
  --database-folder DIR  folder whose files reports may read, beside DIR/databases of --data; may be given several times
  --allow-old-engines    use database servers that are too old to be tested; not advised: they may answer reports with
                         wrong results, as ClickHouse 18.16, whose joins on nullable keys return memory that was never set
  --require-audit        on a full disk, refuse sign-ins and reports: their audit entries could not be stored. By default
                         they go on, and the entries are stored once there is space
  --licence-seats N      licence seats of each application; 1000 by default. Roles beyond them are refused with code 200
  --licence-expired      treat the licence as expired: no role that takes a seat can be assigned
  --backup-folder DIR    folder of the daily backups; DIR/backups of --data by default; none turns them off. Kept are those
                         of seven days and four weeks
  --backup-limit GB      space that the daily backups may take; 10 by default. The oldest are deleted first. The same holds
                         for what restores replaced, which is kept for four weeks
  --stop-within SECONDS  time that running calls have when the server stops; 30 with --listen, otherwise 1
  --monitor ADDRESS:PORT answer GET /healthz, /healthz/live and /metrics there, without encryption, such as 127.0.0.1:9090
  --log-level LEVEL      error, warn (the default), info or debug, which has each call
  --log-json             write the log as JSON, one object a line
  --log-file FILE        write the log to FILE as JSON; at 10 MB it becomes FILE.1, and so on to FILE.5
  --new                  begin with new data, or a new key, in a folder where it is gone
  --sample               put in the sample: flights, airports and bird strikes
Commands on the data: server.js backup --data DIR [--to FILE], server.js restore --data DIR --from FILE [--yes],
server.js check --data DIR [--fix]
Started with an IPC channel, it takes a first message {"password","key"}, both optional, and answers {"url","port","pid","release"}.`;

/** Optional first message of the parent process: secrets that belong neither in arguments nor in the environment. */
const firstMessage = z.object({
  password: z.string().min(1).optional(),
  /** Key of the stored database passwords: 32 bytes as hexadecimal digits or base64. */
  key: z.string().optional(),
});
const messageWithin = 10_000;

async function main(): Promise<void> {
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'backup' || command === 'restore' || command === 'check') {
    requireSqlite();
    const [{ runBackupCommand }, { key }] = await Promise.all([import('./backupCommands.ts'), readSecrets(false)]);
    await runBackupCommand(command, rest, key);
    return;
  }
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      port: { type: 'string' },
      listen: { type: 'string' },
      'public-url': { type: 'string' },
      'tls-cert': { type: 'string' },
      'tls-key': { type: 'string' },
      'behind-proxy': { type: 'string' },
      prefix: { type: 'string', default: '/api' },
      'allow-origin': { type: 'string', default: '*' },
      'password-stdin': { type: 'boolean', default: false },
      'password-file': { type: 'string' },
      'database-folder': { type: 'string', multiple: true, default: [] },
      'allow-old-engines': { type: 'boolean', default: false },
      'require-audit': { type: 'boolean', default: false },
      sample: { type: 'boolean', default: false },
      'licence-seats': { type: 'string' },
      'licence-expired': { type: 'boolean', default: false },
      'backup-folder': { type: 'string' },
      'backup-limit': { type: 'string', default: '10' },
      'stop-within': { type: 'string' },
      monitor: { type: 'string' },
      'log-level': { type: 'string', default: 'warn' },
      'log-json': { type: 'boolean', default: false },
      'log-file': { type: 'string' },
      // For tests of clients; not in the usage.
      dialect: { type: 'string' },
      new: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  // Listens before anything else: the parent may exit before the server is ready.
  const stopping = stopRequested(values.listen === undefined);
  if (!values.data) throw new Error(`--data is missing.\n${usage}`);
  const listening = parseListening(values);
  const level = parseLogLevel(values['log-level']);
  const log = createLog({ level, isJson: values['log-json'], file: values['log-file'], writeError: console.error });
  requireSqlite();
  // Imported late: on a runtime without SQLite, the import would fail without a clear message.
  const [serve, { parseAllowedOrigin }, { backupProcess }] = await Promise.all([
    import('./serve.ts'),
    import('./http/originGuard.ts'),
    import('./backups/automaticBackups.ts'),
  ]);
  const settings = {
    dataFolder: values.data,
    backups:
      values['backup-folder'] === 'none'
        ? undefined
        : {
            folder: parseBackupFolder(values['backup-folder'] ?? path.join(values.data, 'backups')),
            limitBytes: parseLimit(values['backup-limit']),
            makeBackup: backupProcess(process.argv[1] ?? '', values.data),
            onOutcome: (outcome: AutomaticBackupOutcome) => sendBackupOutcome(outcome, log),
          },
    port: parsePort(values.port ?? '0'),
    listening,
    prefix: parsePrefix(values.prefix),
    allowedOrigin: parseAllowedOrigin(values['allow-origin']),
    databaseFolders: requireFolders(values['database-folder']),
    allowsOldEngines: values['allow-old-engines'],
    requiresAudit: values['require-audit'],
    licence: { seats: parseSeats(values['licence-seats']), isExpired: values['licence-expired'] },
    isNew: values.new,
    speaksOther: parseDialect(values.dialect),
    sampleFiles: values.sample ? sampleFiles() : undefined,
    monitor: parseMonitor(values.monitor),
    stopWithinMs: parseSeconds(values['stop-within'] ?? (listening ? '30' : '1')) * 1_000,
    logsCalls: level === 'debug',
    log,
  };
  const starting = async () => {
    const secrets = await readSecrets(values['password-stdin'], values['password-file']);
    return serve.startServer({ ...settings, ...secrets }).catch(sendStateOfData);
  };
  // A start that is no longer needed ends immediately: the state is a database, and the folder's lock ends with the
  // process.
  const server = await Promise.race([starting(), stopping]);
  if (!server) return;
  if (server.newPassword !== undefined) {
    console.error(`New data folder. The password of the account admin, shown only now: ${server.newPassword}`);
  }
  const ready = { url: server.url, port: server.port, pid: process.pid, release: server.release };
  console.log(JSON.stringify(ready));
  log(`Release ${server.release} serves ${server.url}.`, 'info', { port: server.port });
  process.send?.(ready);
  if (listening) process.on('SIGHUP', () => server.reloadCertificate());
  await stopping;
  await server.stop();
}

/** Sends the parent why the data cannot be used, if the start failed for that: upgraded by a later release, or damaged. */
async function sendStateOfData(error: unknown): Promise<never> {
  if (error instanceof Error && process.send && ('newerRelease' in error || 'damage' in error)) {
    const message = 'newerRelease' in error ? { newerRelease: error.newerRelease } : { damage: error.damage };
    await new Promise((resolve) => process.send?.(message, undefined, undefined, resolve));
  }
  throw error;
}

/** Logs a failed automatic backup, and sends the parent the outcome. */
function sendBackupOutcome(outcome: AutomaticBackupOutcome, log: Log): void {
  if (outcome.reason !== '') log(`The automatic backup failed: ${outcome.reason}`);
  process.send?.({ automaticBackup: outcome });
}

/** @throws Error when the runtime is too old for the server's state database. */
function requireSqlite(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isRecent = major > 22 || (major === 22 && minor >= 15);
  if (isRecent && process.getBuiltinModule('node:sqlite')) return;
  throw new Error(`The embedded server needs Node.js 22.15 or later with SQLite; this is ${process.version}.`);
}

/** Reads password and key from standard input or a file, and from the parent process. */
async function readSecrets(fromInput: boolean, file?: string): Promise<Pick<ServeOptions, 'password' | 'key'>> {
  const given = fromInput ? firstLine() : file === undefined ? undefined : firstLineOf(file);
  const [line, message] = await Promise.all([given, firstMessageOfParent()]);
  if (line === '') throw new Error(`${fromInput ? 'Standard input' : file} contained no password.`);
  return { password: line ?? message.password, key: message.key === undefined ? undefined : parseKey(message.key) };
}

function firstLineOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/, 1)[0] ?? '';
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The file of --password-file cannot be read (${reason}). Create it, or omit the option.`, {
      cause,
    });
  }
}

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    process.stdin.destroy();
    return line;
  }
  return '';
}

async function firstMessageOfParent(): Promise<z.output<typeof firstMessage>> {
  if (!process.send) return {};
  const signal = AbortSignal.timeout(messageWithin);
  try {
    const [message] = (await once(process, 'message', { signal })) as [unknown];
    return firstMessage.parse(message);
  } catch {
    // Neither the message nor the parse error may be shown: both contain secrets.
    throw new Error('The parent process sent no first message {"password","key"} in time, or a malformed one.');
  }
}

function parseKey(text: string): Buffer {
  const key = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
  if (key.length !== 32) throw new Error('The key must be 32 bytes, as hexadecimal digits or base64.');
  return key;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`--port must be 0 to 65535, not ${text}.`);
  return port;
}

function parseSeconds(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new Error(`--stop-within must be 0 to 9999 seconds, not ${text}.`);
  return Number(text);
}

function parseSeats(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--licence-seats must be a whole number, not ${text}.`);
  return Number(text);
}

function parseLimit(text: string): number {
  const gigabytes = Number(text);
  if (!/^\d{1,6}(\.\d+)?$/.test(text) || gigabytes === 0) {
    throw new Error(`--backup-limit must be a number of gigabytes such as 10, not ${text}.`);
  }
  return gigabytes * 1e9;
}

/** A missing folder is made with the first backup. */
function parseBackupFolder(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new Error(`--backup-folder must be a folder, not ${folder}.`);
  }
  return path.resolve(folder);
}

/** A missing folder may be mounted later; a path that is not a folder would only seem to be allowed. */
function requireFolders(folders: readonly string[]): readonly string[] {
  for (const folder of folders) {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found?.isDirectory() === false) throw new Error(`--database-folder must be a folder, not ${folder}.`);
    if (!found) console.error(`The database folder ${folder} does not exist.`);
  }
  return folders;
}

function parsePrefix(text: string): string {
  if (!/^(\/[\w.~-]+)+$/.test(text)) throw new Error(`--prefix must be a path such as /service/api, not ${text}.`);
  return text;
}

/** Whether the server speaks the second dialect, for tests of clients. @throws Error for any other one. */
function parseDialect(text: string | undefined): boolean {
  if (text !== undefined && text !== 'other') throw new Error(`--dialect must be other, not ${text}.`);
  return text === 'other';
}

/** Folder of the sample's files: next to the bundle, or in dist when run from source. */
function sampleFiles(): string {
  const script = process.argv[1] ?? '';
  const fromSources = script.endsWith('.ts') ? path.join('..', '..', 'dist') : '';
  return path.resolve(path.dirname(script), fromSources, 'sample');
}

/**
 * Resolves when this process is asked to stop or its parent has exited; also when its terminal closes, unless it serves
 * other machines and SIGHUP makes it read its certificate.
 */
function stopRequested(endsWithTerminal: boolean): Promise<void> {
  const events = ['SIGTERM', 'SIGINT', ...(endsWithTerminal ? ['SIGHUP'] : []), 'disconnect'];
  return new Promise((resolve) => {
    for (const event of events) process.once(event, () => resolve());
  });
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(error instanceof Error && error.name === 'FolderInUse' ? folderInUseExitCode : 1);
  },
);
