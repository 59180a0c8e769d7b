import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type LivePlatform,
  type Registered,
  registerServer,
  registerTable,
  startLivePlatforms,
  tableReport,
} from '../../support/databases/livePlatforms.ts';
import { type SignedIn, startServer, type TestServer } from '../../support/server.ts';

/*
 * What turns with the day, by a clock that the test sets, in a process whose time zone has days of 23 and 25 hours.
 */

const record = z.record(z.string(), z.unknown());
const folder = mkdtempSync(path.join(tmpdir(), 'clock-'));
const clock = path.join(folder, 'now');
const password = 'a password of twelve';
/** In Berlin's year 2026 the clocks go forward on March 29 and back on October 25, both at 01:00 in UTC. */
const zone = 'Europe/Berlin';
/** Moments that the clocks of Berlin skip or show twice, and those around its midnights. */
const moments = [
  '2026-03-28 23:30:00',
  '2026-03-29 02:30:00',
  '2026-03-29 23:59:59',
  '2026-10-24 22:30:00',
  '2026-10-25 02:30:00',
  '2026-10-25 23:30:00',
];
const seconds = (moment: string) => Date.parse(`${moment.replace(' ', 'T')}Z`) / 1000;

function setup(platform: string): string[] {
  const isClickhouse = platform === 'clickhouse';
  const [day, moment] = { sqlite: ['DATE', 'DATETIME'], mysql: ['DATE', 'DATETIME'], clickhouse: ['Date', 'DateTime'] }[
    platform
  ] ?? ['DATE', 'TIMESTAMP'];
  const whole = isClickhouse ? 'Int64' : 'BIGINT';
  const rows = moments.map((text, index) => `(${index}, '${text.slice(0, 10)}', '${text}', ${seconds(text)})`);
  return [
    `CREATE TABLE events (id ${whole}, happened_on ${day}, happened_at ${moment}, happened_sec ${whole})
      ${isClickhouse ? 'ENGINE = MergeTree ORDER BY id' : ''}`,
    `INSERT INTO events VALUES ${rows.join(', ')}`,
  ];
}

let platforms: LivePlatform[] = [];
let server: TestServer;
let admin: SignedIn;
const apps: { name: string; app: Registered }[] = [];

const setClock = (moment: string) => writeFileSync(clock, moment);

beforeAll(async () => {
  setClock('2026-03-28T12:00:00.000Z');
  platforms = await startLivePlatforms(folder, setup, true);
  const { TZ } = process.env;
  Object.assign(process.env, { TZ: zone, ANALYTICS_STUDIO_CLOCK: clock });
  const preload = pathToFileURL(path.resolve(import.meta.dirname, '../../support/movedClock.ts')).href;
  server = await startServer({
    allowOldEngines: true,
    nodeArgs: ['--import', preload],
    dataFolder: path.join(folder, 'data'),
  });
  delete process.env.ANALYTICS_STUDIO_CLOCK;
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
  admin = await server.login('admin', server.adminPassword);
  for (const { name, regserver } of platforms) {
    const app = await registerServer(admin, name, name, regserver);
    const columns = { id: 'num', happened_on: 'doz', happened_at: 'dat', happened_sec: 'udt' };
    await registerTable(admin, app, { name: 'events', columns });
    apps.push({ name, app });
  }
}, 120_000);

afterAll(async () => {
  await server.stop();
  await Promise.all(platforms.map(({ stop }) => stop()));
  rmSync(folder, { recursive: true });
}, 60_000);

/** Lets a session begin at a moment, whatever came before: an earlier one may have expired since. */
async function signInAt(moment: string, user = 'admin', secret = server.adminPassword): Promise<SignedIn> {
  setClock(moment);
  return server.login(user, secret);
}

/** Somebody whose profile has a time zone. */
async function memberAt(timezone: number): Promise<string> {
  const LoginName = `member${timezone}`;
  const user = {
    ...record.parse((await admin.call('Contact/NewContact')).json),
    ...{ LoginName, Pin: password, timezone },
    UserApplications: apps.map(({ app }) => ({ ApplicationID: app.moduleId, ApplicationRoleID: '7' })),
  };
  const saved = record.parse((await admin.call('Contact/SaveContact', { withpin: true, user })).json);
  expect(saved.ErrorCode).toBe(0);
  return LoginName;
}

function reportOn(app: Registered, column: string, Value1: string) {
  const report = tableReport(app, 'events', ['id', column]);
  const FieldList = report.FieldList.map((field) =>
    field.DbFieldName === column ? { ...field, Criteria: [{ Index: 1, Op: '=', Value1 }] } : field,
  );
  return { ...report, FieldList };
}

async function ids(caller: SignedIn, Report: object, more: object = {}): Promise<{ ids: number[]; isCached: unknown }> {
  const reply = record.parse((await caller.call('Report/GetReportData', { Reportobj: { Report }, ...more })).json);
  expect(reply.ErrorMessage).toBeNull();
  const rows = z.array(z.looseObject({ id: z.coerce.number() })).parse(reply.Data);
  return { ids: rows.map(({ id }) => id).toSorted((a, b) => a - b), isCached: reply.IsFromCache };
}

async function onEach(check: (app: Registered, name: string) => Promise<void>): Promise<void> {
  expect(apps.length).toBeGreaterThanOrEqual(2);
  for (const { app, name } of apps) await check(app, name);
}

const columns = ['happened_on', 'happened_at', 'happened_sec'];

describe('at midnight', () => {
  it('a relative date turns between two runs of the same report, kept results or not', async () => {
    admin = await signInAt('2026-03-28T23:59:59.999Z');
    await onEach(async (app, name) => {
      for (const column of columns) {
        const report = reportOn(app, column, '[Today]');
        setClock('2026-03-28T23:59:59.999Z');
        const cached = { cacheok: true };
        expect(await ids(admin, report, cached), `${name} ${column}`).toEqual({ ids: [0], isCached: false });
        expect((await ids(admin, report, cached)).isCached, name).toBe(true);
        setClock('2026-03-29T00:00:00.000Z');
        expect(await ids(admin, report, cached), `${name} ${column}`).toEqual({ ids: [1, 2], isCached: false });
      }
    });
  });

  it('metadata that was read and answered before it counts from the day of the run', async () => {
    const app = apps[0]?.app;
    if (!app) throw new Error('DuckDB is always there');
    const Report = reportOn(app, 'happened_at', '');
    const FieldList = Report.FieldList.map((field) =>
      field.DbFieldName === 'id' ? field : { ...field, Criteria: [{ Index: 1, Op: '=', bprompt: true }] },
    );
    admin = await signInAt('2026-03-28T23:59:59.000Z');
    const PromptField = FieldList[1];
    const { json } = await admin.call('Report/ReplacePromptCollection', {
      Reportobj: { Report: { ...Report, FieldList } },
      Prompts: [{ PromptField, LowValue: '[Yesterday]' }],
    });
    const answered = record.parse(record.parse(json).Report);
    expect((await ids(admin, answered)).ids).toEqual([]);
    setClock('2026-03-29T00:00:00.000Z');
    expect((await ids(admin, answered)).ids).toEqual([0]);
  });

  it('is that of the caller’s time zone for a report, and that of UTC for a policy', async () => {
    admin = await signInAt('2026-03-28T12:00:00.000Z');
    const [east, west] = [await memberAt(2), await memberAt(-5)];
    const template = record.parse((await admin.call('Shield/NewPolicy')).json);
    const list = z.array(record).parse((await admin.call('Contact/GetContactList')).json);
    const westId = String(list.find(({ LoginName }) => LoginName === west)?.ID);
    const Constraints = [{ TableName: 'events', ColumnName: 'happened_at', Operator: '=', Value: '[Today]' }];
    const policy = { ...template, Name: 'Today', isActive: true, Constraints, Groups: [], Users: [] };
    const saved = await admin.call('Shield/SaveShieldPolicy', {
      policy,
      isDeepSave: true,
      groups: [],
      users: [westId],
    });
    expect(saved.json).toMatchObject({ ErrorCode: '0' });
    const expectAt = async (user: string, moment: string, expected: number[]) => {
      const caller = await signInAt(moment, user, password);
      await onEach(async (app, name) => {
        const found = await ids(caller, reportOn(app, 'happened_at', '[Today]'));
        expect(found.ids, `${name}: ${user} at ${moment}`).toEqual(expected);
      });
    };
    // In the east, the 28th ends at 22:00 in UTC, before the first row.
    await expectAt(east, '2026-03-28T21:59:59.999Z', []);
    await expectAt(east, '2026-03-28T22:00:00.000Z', [0, 1]);
    // In the west, the 28th ends at 05:00 of the 29th in UTC; the policy asks for the days of UTC.
    await expectAt(west, '2026-03-28T23:59:59.999Z', [0]);
    await expectAt(west, '2026-03-29T00:00:00.000Z', [1]);
    await expectAt(west, '2026-03-29T05:00:00.000Z', [2]);
    admin = await signInAt('2026-03-29T06:00:00.000Z');
    await admin.call('Shield/DeletePolicy', { policy: record.parse(saved.json) });
  });

  it('a session lasts its minutes, and every stamp says the moment of its call in UTC', async () => {
    admin = await signInAt('2026-12-31T23:50:00.000Z');
    setClock('2026-12-31T23:59:59.999Z');
    const check = record.parse((await admin.call('Session/CheckSession')).json);
    expect(check).toMatchObject({
      ErrorCode: 0,
      SessionExpir: expect.stringMatching(/^2027-01-01T00:19:59/) as string,
    });
    const newPolicy = record.parse((await admin.call('Shield/NewPolicy')).json);
    const policy = { ...newPolicy, Name: 'Stamped', Constraints: [], Groups: [], Users: [] };
    const saved = record.parse(
      (await admin.call('Shield/SaveShieldPolicy', { policy, isDeepSave: true, groups: [], users: [] })).json,
    );
    expect(saved).toMatchObject({
      CreatedDate: '2026-12-31T23:59:59+00:00',
      ModifiedDate: '12/31/2026 23:59:59',
    });
    setClock('2027-01-01T00:00:00.000Z');
    const again = await admin.call('Shield/SaveShieldPolicy', {
      ...{ policy: { ...policy, id: saved.id }, isDeepSave: true, groups: [], users: [] },
    });
    expect(again.json).toMatchObject({ CreatedDate: '2026-12-31T23:59:59+00:00', ModifiedDate: '01/01/2027 00:00:00' });
    setClock('2027-01-01T00:20:00.000Z');
    expect((await admin.call('Session/CheckSession')).json).toMatchObject({ ErrorCode: 101 });
  });
});

describe('on a day of 23 or 25 hours where the server stands', () => {
  it.each([
    ['2026-03-29T00:30:00.000Z', '2026-03-29T01:30:00.000Z', [1, 2]],
    ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z', [4, 5]],
  ])('days and sessions are as long as ever: %s', async (before, after, expected) => {
    for (const moment of [before, after]) {
      admin = await signInAt(moment);
      await onEach(async (app, name) => {
        for (const column of columns) {
          const found = await ids(admin, reportOn(app, column, '[Today]'));
          expect(found.ids, `${name} ${column} at ${moment}`).toEqual(expected);
        }
      });
    }
    admin = await signInAt(before);
    setClock(new Date(Date.parse(before) + 19.9 * 60_000).toISOString());
    expect((await admin.call('Session/CheckSession')).json).toMatchObject({ ErrorCode: 0 });
    setClock(new Date(Date.parse(before) + 40 * 60_000).toISOString());
    expect((await admin.call('Session/CheckSession')).json).toMatchObject({ ErrorCode: 101 });
  });

  it('moments come as they are stored, those that its clocks skip or show twice, too', async () => {
    admin = await signInAt('2026-10-25T12:00:00.000Z');
    await onEach(async (app, name) => {
      const Report = tableReport(app, 'events', ['id', ...columns]);
      const reply = record.parse((await admin.call('Report/GetReportData', { Reportobj: { Report } })).json);
      const rows = z.array(record).parse(reply.Data);
      const seen = rows
        .toSorted((one, other) => Number(one.id) - Number(other.id))
        .map((row) => [
          String(row.happened_on).slice(0, 10),
          String(row.happened_at).replace('T', ' ').slice(0, 19),
          Number(row.happened_sec),
        ]);
      expect(seen, name).toEqual(moments.map((text) => [text.slice(0, 10), text, seconds(text)]));
    });
  });
});

describe('audit entries of a run', () => {
  it('say when it was called, on either side of midnight', async () => {
    const app = apps[0]?.app;
    if (!app) throw new Error('DuckDB is always there');
    admin = await signInAt('2026-06-30T23:59:59.999Z');
    await ids(admin, { ...reportOn(app, 'happened_on', '[Today]'), Reportname: 'Late' });
    setClock('2026-07-01T00:00:00.000Z');
    await ids(admin, { ...reportOn(app, 'happened_on', '[Today]'), Reportname: 'Early' });
    await server.stop();
    const store = new DatabaseSync(path.join(folder, 'data', 'state.db'), { readOnly: true });
    const entries = store
      .prepare(`SELECT moment, detail FROM audit_entry WHERE detail IN ('Late', 'Early') ORDER BY id`)
      .all();
    store.close();
    expect(entries.map(({ moment, detail }) => [moment, detail])).toEqual([
      ['2026-06-30T23:59:59.999Z', 'Late'],
      ['2026-07-01T00:00:00.000Z', 'Early'],
    ]);
  });
});
