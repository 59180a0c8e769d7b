import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { registerServer, registerTable, tableReport } from '../../../support/databases/livePlatforms.ts';
import { freePort } from '../../../support/databases/serverProcess.ts';
import { startServer, type TestServer } from '../../../support/server.ts';

/* What an operator sees of a server, and how it stops. */

const record = z.record(z.string(), z.unknown());
const names = ['canary-login-41', 'Canary Group 42', 'canary-pin-43-long-enough'];
let folder: string;
let server: TestServer;
let monitor: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'operations-'));
  const address = `127.0.0.1:${await freePort()}`;
  monitor = `http://${address}`;
  server = await startServer({
    dataFolder: path.join(folder, 'data'),
    serverArgs: [
      ...['--monitor', address, '--stop-within', '60'],
      ...['--log-file', path.join(folder, 'server.log'), '--log-level', 'debug'],
    ],
  });
}, 60_000);
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const logLines = async () =>
  (await readFile(path.join(folder, 'server.log'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => record.parse(JSON.parse(line)));

describe('a monitored server', { timeout: 120_000 }, () => {
  it('counts calls and logs them, without a name, a password or a token', async () => {
    const admin = await server.login('admin', server.adminPassword);
    const template = record.parse((await admin.call('Contact/NewContact')).json);
    const user = { ...template, LoginName: names[0], Pin: names[2] };
    expect(record.parse((await admin.call('Contact/SaveContact', { withpin: true, user })).json).ErrorCode).toBe(0);
    const group = record.parse((await admin.call('Group/NewSecurityGroup')).json);
    await admin.call('Group/SaveSecurityGroup', { securitygroup: { ...group, GroupName: names[1] } });
    await expect(server.login(names[0] ?? '', 'a wrong password 44')).rejects.toThrow();
    await server.call('Session/CheckSession', { sessionToken: 'unknown' });
    await server.send('/api/Session/CheckSession', { body: '{"sessionToken":' });

    const metrics = await (await fetch(`${monitor}/metrics`)).text();
    expect(metrics).toContain('analytics_calls_total{endpoint="login/DoLogin",outcome="success"} 1\n');
    expect(metrics).toContain('analytics_calls_total{endpoint="login/DoLogin",outcome="refused"} 1\n');
    expect(metrics).toContain('analytics_calls_total{endpoint="Session/CheckSession",outcome="signed_out"} 1\n');
    expect(metrics).toContain('analytics_calls_total{endpoint="Session/CheckSession",outcome="malformed"} 1\n');
    expect(metrics).toContain('analytics_call_seconds_count{endpoint="login/DoLogin"} 2\n');
    expect(metrics).toContain('analytics_sessions{kind="user"} 1\n');
    expect(metrics).toMatch(/^analytics_state_bytes [1-9]\d+$/m);
    const lines = await logLines();
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'debug', message: 'login/DoLogin', outcome: 'refused' }),
    );
    const shown = `${metrics}\n${JSON.stringify(lines)}\n${server.log()}`;
    for (const secret of [...names, server.adminPassword, admin.token, 'a wrong password 44', folder]) {
      expect(shown.includes(secret), secret).toBe(false);
    }
  });

  it('is not monitored where clients call', async () => {
    for (const target of ['/healthz', '/metrics'])
      expect((await server.send(target, { method: 'GET' })).status).toBe(404);
  });

  it('finishes what runs when it stops, refuses what is new, and says why it is not ready', async () => {
    expect(await (await fetch(`${monitor}/healthz`)).json()).toMatchObject({ ready: true, reasons: [] });
    const headers = { 'Content-Type': 'application/json' };
    const slow = request(`${server.url}/api/LicenseManager/GetInstallationID`, {
      method: 'POST',
      agent: false,
      headers,
    });
    const answered = once(slow, 'response') as Promise<[IncomingMessage]>;
    slow.write('{');
    await expect.poll(async () => (await fetch(`${monitor}/metrics`)).text()).toContain('analytics_calls_running 1\n');
    const ended = once(server.process, 'exit');
    server.process.kill('SIGTERM');
    await expect.poll(async () => (await fetch(`${monitor}/healthz`)).status).toBe(503);
    expect(await (await fetch(`${monitor}/healthz`)).json()).toMatchObject({
      ...{ live: true, ready: false },
      reasons: ['The server is stopping.'],
    });
    const late = await server.call('login/DoLogin', {
      UserId: 'x',
      UserPassword: 'x',
      isGuest: false,
      bolForceLogin: true,
    });
    expect([late.status, late.headers['retry-after']]).toEqual([503, '10']);
    expect(late.json).toEqual({
      ErrorCode: 9001,
      ErrorMessage: 'The server is stopping. Try again when it has started.',
    });
    slow.end('}');
    const [response] = await answered;
    expect(response.statusCode).toBe(200);
    expect((await response.setEncoding('utf8').toArray()).join('')).toMatch(/^\d{4}-/);
    expect(await ended).toEqual([0, null]);
    expect((await logLines()).at(-1)).toMatchObject({ level: 'debug', message: 'LicenseManager/GetInstallationID' });
  });
});

describe('a server that stops while reports run', { timeout: 120_000 }, () => {
  /** Runs the report of a view, and asks the server to stop while the database works on it. */
  async function stopDuring(view: string, stopWithin: string) {
    const place = await mkdtemp(path.join(folder, 'stopping-'));
    const own = await startServer({ serverArgs: ['--stop-within', stopWithin, '--monitor', address] });
    try {
      const admin = await own.login('admin', own.adminPassword);
      const file = path.join(place, 'shop.db');
      const shop = new DatabaseSync(file);
      shop.exec(`CREATE VIEW work AS ${view}`);
      shop.close();
      const registered = await registerServer(admin, 'Shop', 'sqlite', { DatabaseName: file });
      await registerTable(admin, registered, { name: 'work', columns: { note: 'cha' } });
      const Report = tableReport(registered, 'work', ['note']);
      const reply = admin.call('Report/GetReportData', { Reportobj: { Report }, supressprompts: true });
      await expect
        .poll(async () => (await fetch(`http://${address}/metrics`)).text())
        .toContain('analytics_calls_running 1\n');
      const began = Date.now();
      const code = await own.stop();
      return { code, seconds: (Date.now() - began) / 1_000, reply: await reply };
    } finally {
      await own.stop();
    }
  }
  const counting = (to: string) =>
    `WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${to}) SELECT 'counted ' || max(n) AS note FROM c`;
  let address: string;
  beforeEach(async () => {
    address = `127.0.0.1:${await freePort()}`;
  });

  it('waits for those that end in time', async () => {
    const { code, reply } = await stopDuring(counting('2000000'), '60');
    expect([code, reply.status]).toEqual([0, 200]);
    expect(reply.text).toContain('counted 2000000');
  });

  it('tells those that do not, and ends', async () => {
    const { code, seconds, reply } = await stopDuring(counting('1e12'), '1');
    expect(code).toBe(0);
    expect(reply.json).toMatchObject({
      HasError: true,
      ErrorMessage: expect.stringMatching(/server is stopping/) as unknown,
    });
    expect(seconds).toBeLessThan(15);
  });
});
