import { once } from 'node:events';
import { statfsSync, statSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { EngineLoad } from '../databases/databases.ts';
import type { Log } from '../log/serverLog.ts';
import type { CallMetrics } from './callMetrics.ts';
import { type Metric, metricsText, sample } from './metricsText.ts';

/** Address of the monitoring endpoints. */
export interface MonitorAddress {
  address: string;
  port: number;
}

/** Parses the value of `--monitor`. @throws Error with the expected form. */
export function parseMonitor(text: string | undefined): MonitorAddress | undefined {
  if (text === undefined) return undefined;
  const { address = '', port = '' } = /^\[?(?<address>.*?)\]?:(?<port>\d{1,5})$/.exec(text)?.groups ?? {};
  if (isIP(address) === 0 || Number(port) > 65_535) {
    throw new Error(`--monitor must be an IP address and a port, such as 127.0.0.1:9090, not ${text}.`);
  }
  return { address, port: Number(port) };
}

export type Phase = 'starting' | 'running' | 'stopping';

/** What the monitor shows of the server. Nothing here names users or objects. */
export interface Monitored {
  dataFolder: string;
  release: string;
  calls: CallMetrics;
  phase: () => Phase;
  /** Whether sign-ins and reports are refused on a full disk. Others go on: only saves fail. */
  requiresAudit: boolean;
  runningCalls: () => number;
  /** Waiting work by queue. */
  queues: () => Readonly<Record<string, number>>;
  /** Open databases and their queries by platform. */
  engines: () => readonly EngineLoad[];
  sessions: () => { users: number; guests: number };
  /** @throws Error when the state cannot be read. */
  readState: () => void;
  /** The outcome of the last automatic backup. @throws Error when its record cannot be read. */
  lastBackup: () => { at: string; reason: string } | undefined;
  /** When the latest automatic backup was made. @throws Error when the folder of backups cannot be read. */
  latestBackup: () => Date | undefined;
  log: Log;
}

/** Whether the server is ready, and why not. */
export interface Health {
  live: true;
  ready: boolean;
  /** Why it is not ready. */
  reasons: string[];
  /** What needs attention, but stops nothing yet. */
  warnings: string[];
}

/** Free bytes below which a server that must store its audit entries is not ready: sign-ins could be refused. */
const leastFreeBytes = 64 * 1024 * 1024;
/** Free bytes below which it warns. */
const fewFreeBytes = 1024 * 1024 * 1024;

export function healthOf(monitored: Monitored): Health {
  const { phase, readState } = monitored;
  const [reasons, warnings]: [string[], string[]] = [[], []];
  if (phase() !== 'running') reasons.push(`The server is ${phase()}.`);
  try {
    readState();
  } catch {
    reasons.push('The state cannot be read. The log says more.');
  }
  const free = orUndefined(monitored, () => freeBytes(monitored.dataFolder));
  if (free === undefined) reasons.push('The disk of the data folder cannot be read.');
  else if (free < fewFreeBytes) {
    const text = `The disk of the data folder has ${Math.floor(free / 1024 / 1024)} MB left.`;
    (free < leastFreeBytes && monitored.requiresAudit ? reasons : warnings).push(text);
  }
  warnings.push(...backupWarnings(monitored));
  return { live: true, ready: reasons.length === 0, reasons, warnings };
}

function backupWarnings({ lastBackup, latestBackup }: Monitored): string[] {
  try {
    latestBackup();
    const backup = lastBackup();
    return backup && backup.reason !== '' ? [`The automatic backup of ${backup.at} failed. The log says more.`] : [];
  } catch {
    return ['The folder of the automatic backups cannot be read.'];
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** The result of `read`; undefined if it fails, which is logged: monitoring must not end the server. */
function orUndefined<T>({ log }: Monitored, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    log(`Monitoring: ${error instanceof Error ? error.message : String(error)}`, 'warn');
    return undefined;
  }
}

/** Serves `GET /healthz`, `/healthz/live` and `/metrics` on an address of their own, without encryption. */
export class Monitor {
  readonly #monitored: Monitored;
  readonly #server: Server;
  readonly #delay = monitorEventLoopDelay();

  constructor(monitored: Monitored) {
    this.#monitored = monitored;
    this.#server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, ({ method, url }, response) => {
      if (method !== 'GET' && method !== 'HEAD')
        reply(response, 405, 'Allowed here: GET, HEAD.\n', { Allow: 'GET, HEAD' });
      else this.#answer(response, url?.split('?')[0] ?? '');
    });
    this.#server.maxConnections = 50;
  }

  /** Starts listening; resolves with the port. @throws Error when the address cannot be listened on. */
  async listen({ address, port }: MonitorAddress): Promise<number> {
    this.#delay.enable();
    this.#server.listen(port, address);
    await once(this.#server, 'listening');
    // The server must be able to stop while a client is connected.
    this.#server.unref();
    const bound = this.#server.address();
    return typeof bound === 'object' && bound ? bound.port : port;
  }

  close(): void {
    this.#delay.disable();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer(response: ServerResponse, target: string): void {
    if (target === '/healthz') {
      const health = healthOf(this.#monitored);
      reply(response, health.ready ? 200 : 503, `${JSON.stringify(health)}\n`, { 'Content-Type': 'application/json' });
    } else if (target === '/healthz/live') {
      reply(response, 200, '{"live":true}\n', { 'Content-Type': 'application/json' });
    } else if (target === '/metrics') {
      const headers = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' };
      reply(response, 200, metricsText(this.#metrics()), headers);
    } else {
      reply(response, 404, 'Here are /healthz, /healthz/live and /metrics.\n');
    }
  }

  #metrics(): Metric[] {
    const { calls, runningCalls, queues, engines, sessions, release } = this.#monitored;
    const loads = engines();
    const { users, guests } = sessions();
    const perEngine = (valueOf: (load: EngineLoad) => number | undefined) =>
      loads.flatMap((load) => {
        const value = valueOf(load);
        return value === undefined ? [] : [sample(value, { platform: load.platform })];
      });
    const delaySeconds = this.#delay.percentile(99) / 1e9;
    this.#delay.reset();
    return [
      gauge('analytics_info', 'Release of the server.', [sample(1, { release })]),
      gauge('analytics_ready', 'Whether the server is ready.', [sample(Number(healthOf(this.#monitored).ready))]),
      { name: 'analytics_calls_total', help: 'Calls by outcome.', kind: 'counter', samples: calls.calls() },
      { name: 'analytics_call_seconds', help: 'Duration of calls.', kind: 'histogram', samples: calls.durations() },
      gauge('analytics_calls_running', 'Calls being answered.', [sample(runningCalls())]),
      gauge(
        'analytics_queue',
        'Waiting work.',
        Object.entries(queues()).map(([queue, n]) => sample(n, { queue })),
      ),
      gauge(
        'analytics_engine_databases',
        'Open databases.',
        perEngine(({ open }) => open),
      ),
      gauge(
        'analytics_engine_queries_waiting',
        'Queries without rows yet.',
        perEngine(({ queries }) => queries?.waiting),
      ),
      gauge(
        'analytics_engine_queries_reading',
        'Queries being read.',
        perEngine(({ queries }) => queries?.reading),
      ),
      gauge('analytics_sessions', 'Sessions.', [sample(users, { kind: 'user' }), sample(guests, { kind: 'guest' })]),
      ...this.#machine(),
      gauge('analytics_event_loop_delay_p99_seconds', 'Delay since the last scrape.', [sample(delaySeconds)]),
    ];
  }

  #machine(): Metric[] {
    const { dataFolder, lastBackup, latestBackup } = this.#monitored;
    const backup = orUndefined(this.#monitored, lastBackup);
    const free = orUndefined(this.#monitored, () => freeBytes(dataFolder));
    const files = ['state.db', 'state.db-wal'].map((name) => path.join(dataFolder, name));
    const stats = files.flatMap((file) => statSync(file, { throwIfNoEntry: false }) ?? []);
    const bytes = stats.reduce((sum, { size }) => sum + size, 0);
    const made = orUndefined(this.#monitored, latestBackup);
    const moment = made ? [sample(made.getTime() / 1_000)] : [];
    return [
      gauge(
        'analytics_disk_free_bytes',
        'Free on the disk of the data folder.',
        free === undefined ? [] : [sample(free)],
      ),
      gauge('analytics_state_bytes', 'Size of the state and its journal.', [sample(bytes)]),
      gauge('analytics_last_backup_timestamp_seconds', 'When the latest automatic backup was made.', moment),
      gauge(
        'analytics_last_backup_failed',
        'Whether the last attempt failed.',
        backup ? [sample(Number(backup.reason !== ''))] : [],
      ),
      gauge('process_resident_memory_bytes', 'Memory of the server.', [sample(process.memoryUsage.rss())]),
      { name: 'process_cpu_seconds_total', help: 'CPU time.', kind: 'counter', samples: [sample(cpuSeconds())] },
    ];
  }
}

function gauge(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, kind: 'gauge', samples };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function reply(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  const common = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  response.writeHead(status, { ...common, ...headers }).end(body);
}
