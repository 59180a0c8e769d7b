import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CallMetrics } from '../../../../src/server/monitoring/callMetrics.ts';
import { healthOf, Monitor, type Monitored, parseMonitor } from '../../../../src/server/monitoring/monitor.ts';

let folder: string;
let monitored: Monitored;
let monitor: Monitor;
let url: string;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'monitor-'));
  writeFileSync(path.join(folder, 'state.db'), 'x'.repeat(4096));
  monitored = {
    ...{ dataFolder: folder, release: '1.2.3', calls: new CallMetrics(), phase: () => 'running' },
    requiresAudit: false,
    runningCalls: () => 2,
    queues: () => ({ passwords: 1, bodies: 0 }),
    engines: () => [
      { platform: 'postgresql', open: 2, queries: { waiting: 3, reading: 1 } },
      { platform: 'sqlite', open: 1, queries: undefined },
    ],
    sessions: () => ({ users: 4, guests: 1 }),
    readState: () => undefined,
    lastBackup: () => undefined,
    latestBackup: () => undefined,
    log: () => undefined,
  };
  monitor = new Monitor(new Proxy(monitored, { get: (target, key) => Reflect.get({ ...target }, key) as unknown }));
  url = `http://127.0.0.1:${await monitor.listen({ address: '127.0.0.1', port: 0 })}`;
});
afterEach(() => {
  monitor.close();
  rmSync(folder, { recursive: true });
});

const text = async (target: string) => (await fetch(`${url}${target}`)).text();

/** What a Prometheus server reads: values by name and labels. Written from its format's description. */
function parsed(metrics: string): Map<string, number> {
  const values = new Map<string, number>();
  const types = new Map<string, string>();
  for (const line of metrics.trimEnd().split('\n')) {
    const type = /^# TYPE ([a-z_0-9]+) (counter|gauge|histogram)$/.exec(line);
    if (type) types.set(type[1] ?? '', type[2] ?? '');
    else if (!/^# HELP [a-z_0-9]+ \S/.test(line)) {
      const found = /^([a-z_0-9]+)((?:\{(?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)+\})?) (-?[\d.e+-]+)$/.exec(line);
      expect(found, line).not.toBeNull();
      const name = found?.[1] ?? '';
      expect(types.has(name) || types.get(name.replace(/_(?:bucket|sum|count)$/, '')) === 'histogram', line).toBe(true);
      expect(values.has(`${name}${found?.[2]}`), line).toBe(false);
      values.set(`${name}${found?.[2]}`, Number(found?.[3]));
    }
  }
  return values;
}

describe('/metrics', () => {
  it('counts calls by endpoint, outcome and duration', async () => {
    for (const [outcome, seconds] of [
      ['success', 0.001],
      ['success', 0.02],
      ['refused', 3],
      ['success', 500],
    ] as const) {
      monitored.calls.add('Report/GetReportData', outcome, seconds);
    }
    monitored.calls.add('login/DoLogin', 'refused', 0.25);
    const values = parsed(await text('/metrics'));
    expect(values.get('analytics_calls_total{endpoint="Report/GetReportData",outcome="success"}')).toBe(3);
    expect(values.get('analytics_calls_total{endpoint="Report/GetReportData",outcome="refused"}')).toBe(1);
    expect(values.get('analytics_calls_total{endpoint="login/DoLogin",outcome="refused"}')).toBe(1);
    const bucket = (le: string) =>
      values.get(`analytics_call_seconds_bucket{endpoint="Report/GetReportData",le="${le}"}`);
    expect(['0.005', '0.025', '1', '5', '120', '+Inf'].map(bucket)).toEqual([1, 2, 2, 3, 3, 4]);
    expect(values.get('analytics_call_seconds_sum{endpoint="Report/GetReportData"}')).toBeCloseTo(503.021);
    expect(values.get('analytics_call_seconds_count{endpoint="Report/GetReportData"}')).toBe(4);
  });

  it('shows queues, engines, sessions, the disk, the state and the last backup', async () => {
    monitored.latestBackup = () => new Date('2026-03-01T00:00:00Z');
    monitored.lastBackup = () => ({ at: '2026-03-02T00:00:00Z', reason: 'the disk is full' });
    const values = parsed(await text('/metrics'));
    expect(Object.fromEntries(values)).toMatchObject({
      'analytics_info{release="1.2.3"}': 1,
      analytics_ready: 1,
      analytics_calls_running: 2,
      'analytics_queue{queue="passwords"}': 1,
      'analytics_queue{queue="bodies"}': 0,
      'analytics_engine_databases{platform="postgresql"}': 2,
      'analytics_engine_queries_waiting{platform="postgresql"}': 3,
      'analytics_engine_queries_reading{platform="postgresql"}': 1,
      'analytics_sessions{kind="user"}': 4,
      'analytics_sessions{kind="guest"}': 1,
      analytics_state_bytes: 4096,
      analytics_last_backup_timestamp_seconds: Date.parse('2026-03-01T00:00:00Z') / 1_000,
      analytics_last_backup_failed: 1,
    });
    // An engine that does not tell its queries does not have none.
    expect(values.get('analytics_engine_databases{platform="sqlite"}')).toBe(1);
    expect(values.has('analytics_engine_queries_waiting{platform="sqlite"}')).toBe(false);
    expect(values.get('analytics_disk_free_bytes')).toBeGreaterThan(0);
    expect(values.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  });
});

describe('/healthz', () => {
  it('is ready, live and without a reason', async () => {
    const reply = await fetch(`${url}/healthz`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await reply.json()).toEqual({ live: true, ready: true, reasons: [], warnings: [] });
  });

  it.each(['starting', 'stopping'] as const)('is live and not ready while the server is %s', async (phase) => {
    monitored.phase = () => phase;
    const reply = await fetch(`${url}/healthz`);
    expect(reply.status).toBe(503);
    expect(await reply.json()).toMatchObject({ live: true, ready: false, reasons: [`The server is ${phase}.`] });
    expect((await fetch(`${url}/healthz/live`)).status).toBe(200);
    expect(parsed(await text('/metrics')).get('analytics_ready')).toBe(0);
  });

  it('says that the state cannot be read, and nothing of the error', () => {
    monitored.readState = () => {
      throw new Error('malformed: ann');
    };
    expect(healthOf(monitored)).toMatchObject({
      ready: false,
      reasons: ['The state cannot be read. The log says more.'],
    });
  });

  it('warns of a failed backup, and stays ready', () => {
    monitored.lastBackup = () => ({ at: '2026-03-02T00:00:00Z', reason: '/secret/folder is full' });
    expect(healthOf(monitored)).toMatchObject({
      ready: true,
      warnings: ['The automatic backup of 2026-03-02T00:00:00Z failed. The log says more.'],
    });
  });
});

it('answers nothing else', async () => {
  expect((await fetch(`${url}/api/LicenseManager/GetInstallationID`)).status).toBe(404);
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405);
});

describe('a folder that cannot be read', () => {
  const fail = () => {
    throw new Error('EACCES: /mnt/backups');
  };

  it('of backups is a warning without its name, and ends neither the server nor the metrics', async () => {
    const said: string[] = [];
    Object.assign(monitored, { latestBackup: fail, log: (text: string) => void said.push(text) });
    const health = await text('/healthz');
    expect(JSON.parse(health)).toMatchObject({ ready: true, warnings: [expect.stringContaining('cannot be read')] });
    expect(health).not.toContain('/mnt');
    const values = parsed(await text('/metrics'));
    expect([values.get('analytics_ready'), values.has('analytics_last_backup_timestamp_seconds')]).toEqual([1, false]);
    expect(said).toEqual([expect.stringContaining('EACCES')]);
  });

  it('of the state makes the server not ready', async () => {
    monitored.dataFolder = path.join(folder, 'gone');
    expect((await fetch(`${url}/healthz`)).status).toBe(503);
    const values = parsed(await text('/metrics'));
    expect([values.get('analytics_ready'), values.has('analytics_disk_free_bytes')]).toEqual([0, false]);
  });
});

describe('parseMonitor', () => {
  it('reads an address with a port', () => {
    expect(parseMonitor(undefined)).toBeUndefined();
    expect(parseMonitor('127.0.0.1:9090')).toEqual({ address: '127.0.0.1', port: 9090 });
    expect(parseMonitor('[::1]:9090')).toEqual({ address: '::1', port: 9090 });
  });

  it.each(['9090', 'localhost:9090', '127.0.0.1', '127.0.0.1:99999', '127.0.0.1:x'])('refuses %s', (value) => {
    expect(() => parseMonitor(value)).toThrow('such as 127.0.0.1:9090');
  });
});
