import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { reportCalls } from '../../../src/features/reports/run/reportCalls.ts';
import { emptyPromptValue } from '../../../src/contract/pages/promptForm.ts';
import { answerPrompts } from '../../../src/features/reports/prompts/promptFields.ts';
import { cellFormat, zonesOf } from '../../../src/features/reports/view/format/cellFormat.ts';
import { type Registered, registerServer, registerTable, tableReport } from '../../support/databases/livePlatforms.ts';
import { type SignedIn, startServer, type TestServer } from '../../support/server.ts';
import { testClient } from '../../support/testClient.ts';

/*
 * Days in criteria of the embedded server against the days on the screen: for users in several zones, around midnights and
 * changes of clocks. The screen is that of the extension, with the zones that it reads from the server.
 */

const record = z.record(z.string(), z.unknown());
const folder = mkdtempSync(path.join(tmpdir(), 'zones-'));
const clock = path.join(folder, 'now');
const password = 'a password of twelve';
/** Each half hour around the days of March and November on which the clocks of New York change. */
const halfHours = ['2026-03-06', '2026-10-30'].flatMap((day) =>
  Array.from({ length: 48 * 5 }, (_, index) => new Date(Date.parse(`${day}T00:00:00Z`) + index * 1_800_000)),
);
const members = [
  { LoginName: 'kolkata', timezone: 5, timezonename: 'Asia/Kolkata' },
  { LoginName: 'auckland', timezone: 12, timezonename: '(UTC+12:00) Pacific/Auckland' },
  { LoginName: 'angeles', timezone: -8, timezonename: 'Pacific Standard Time' },
  { LoginName: 'east', timezone: 3, timezonename: '' },
];

let server: TestServer;
let app: Registered;

const setClock = (moment: string) => writeFileSync(clock, moment);

beforeAll(async () => {
  setClock('2026-03-08T12:00:00.000Z');
  const file = path.join(folder, 'live.duckdb');
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run('CREATE TABLE events (id INTEGER, happened TIMESTAMP, sec BIGINT)');
  const rows = halfHours.map((at, id) => `(${id}, '${at.toISOString().slice(0, 19)}', ${at.getTime() / 1000})`);
  await connection.run(`INSERT INTO events VALUES ${rows.join(', ')}`);
  connection.closeSync();
  instance.closeSync();
  process.env.ANALYTICS_STUDIO_CLOCK = clock;
  const preload = pathToFileURL(path.resolve(import.meta.dirname, '../../support/movedClock.ts')).href;
  server = await startServer({ nodeArgs: ['--import', preload], dataFolder: path.join(folder, 'data') });
  delete process.env.ANALYTICS_STUDIO_CLOCK;
  const admin = await server.login('admin', server.adminPassword);
  const zone = { TimeZone: -5, DaylightSavings: true };
  app = await registerServer(admin, 'Zones', 'duckdb', { DatabaseName: file, ...zone });
  await registerTable(admin, app, { name: 'events', columns: { id: 'num', happened: 'dat', sec: 'udt' } });
  for (const member of members) await addMember(admin, member);
}, 120_000);

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
}, 60_000);

async function addMember(admin: SignedIn, member: object): Promise<void> {
  const user = {
    ...record.parse((await admin.call('Contact/NewContact')).json),
    ...member,
    Pin: password,
    UserApplications: [{ ApplicationID: app.moduleId, ApplicationRoleID: '6' }],
  };
  const saved = record.parse((await admin.call('Contact/SaveContact', { withpin: true, user })).json);
  expect(saved.ErrorCode).toBe(0);
}

function reportOn(column: string, Criteria: Record<string, unknown>[]) {
  const report = tableReport(app, 'events', ['id', 'happened', 'sec']);
  const FieldList = report.FieldList.map((field) => ({
    ...field,
    Fieldtype: { id: 'num', happened: 'dat' }[field.DbFieldName] ?? 'udt',
    Criteria: field.DbFieldName === column ? Criteria : [],
  }));
  return { ...report, FieldList };
}

const rowSchema = z.array(z.looseObject({ id: z.coerce.number(), happened: z.string(), sec: z.coerce.number() }));

async function rowsOf(caller: SignedIn, Report: object) {
  const reply = record.parse((await caller.call('Report/GetReportData', { Reportobj: { Report } })).json);
  expect(reply.ErrorMessage).toBeNull();
  return rowSchema.parse(reply.Data);
}

/** The day on a zone's calendar at a moment, moved by whole days. */
function dayAt(timeZone: string, moment: string, shift = 0): string {
  const digits = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, ...digits }).formatToParts(new Date(moment));
  const [month, day, year] = parts.filter(({ type }) => type !== 'literal').map(({ value }) => Number(value));
  return new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, (day ?? 0) + shift)).toISOString().slice(0, 10);
}

it.each(members)('$LoginName gets the rows that show a day when criteria name it', async ({ LoginName }) => {
  const zone = { kolkata: 'Asia/Kolkata', auckland: 'Pacific/Auckland', angeles: 'America/Los_Angeles' }[LoginName];
  const shownIn = zone ?? 'Etc/GMT-3';
  for (const now of ['2026-03-08T07:30:00.000Z', '2026-03-08T11:15:00.000Z', '2026-11-01T18:45:00.000Z']) {
    setClock(now);
    const client = testClient(`${server.url}/api`, { userName: LoginName, password });
    const calls = reportCalls(async () => client);
    const Report = reportOn('', []);
    await client.call('library/SearchReports', { searchstring: '' });
    const zones = await calls.zones(Report, new AbortController().signal);
    await client.close();
    expect(zones.storedZone).toBe('America/New_York');
    const caller = await server.login(LoginName, password);
    const all = await rowsOf(caller, Report);
    const locale = { language: 'en', ...zones };
    for (const column of ['happened', 'sec'] as const) {
      const { write } = cellFormat(
        { fieldType: column === 'happened' ? 'dat' : 'udt', format: '', dataType: '' },
        locale,
      );
      const shown = (low: string, high: string) =>
        all.flatMap((row) => {
          const day = (write(row[column]) ?? '').slice(0, 10);
          return day >= low && day <= high ? [row.id] : [];
        });
      const found = async (row: object) =>
        (await rowsOf(caller, reportOn(column, [{ Index: 1, ...row }]))).map(({ id }) => id);
      const [today, yesterday, later] = [0, -1, 2].map((shift) => dayAt(shownIn, now, shift));
      const what = `${column} at ${now}`;
      const sorted = async (row: object) => (await found(row)).toSorted((a, b) => a - b);
      expect(shown(today ?? '', today ?? '').length, what).toBeGreaterThan(40);
      expect(await sorted({ Op: '=', Value1: '[Today]' }), what).toEqual(shown(today ?? '', today ?? ''));
      expect(await sorted({ Op: '=', Value1: '[Yesterday]' }), what).toEqual(shown(yesterday ?? '', yesterday ?? ''));
      expect(await sorted({ Op: '=', Value1: today }), what).toEqual(shown(today ?? '', today ?? ''));
      expect(await sorted({ Op: 'between', Value1: today, Value2: later }), what).toEqual(
        shown(today ?? '', later ?? ''),
      );
      const PromptField = { DisplayFieldName: column, Fieldtype: column === 'sec' ? 'udt' : 'dat' };
      const entered = { ...emptyPromptValue, low: today ?? '', high: later ?? '' };
      const [sent] = answerPrompts([{ PromptField, isBetween: true }], [entered], zonesOf(zones));
      const prompted = await sorted({ Op: 'between', Value1: sent?.LowValue, Value2: sent?.HighValue });
      expect(prompted, `${what}, from the prompt form`).toEqual(shown(today ?? '', later ?? ''));
      expect(await sorted({ Op: '>', Value1: '[Today]' }), what).toEqual(shown(dayAt(shownIn, now, 1), '9'));
    }
  }
});
