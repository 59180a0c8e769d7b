import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { textLike } from '../../support/matchers.ts';
import { type SignedIn, startServer, type TestServer } from '../../support/server.ts';

/* Values that are of the right type and still nothing that a server can work with, and calls that cross each other. */

const record = z.record(z.string(), z.unknown());
const list = z.array(record);
let server: TestServer;
let admin: SignedIn;
let viewer: SignedIn;

beforeAll(async () => {
  server = await startServer({ sample: true });
  admin = await server.login('admin', server.adminPassword);
  viewer = await server.login('north.viewer', server.adminPassword);
});
afterAll(() => server.stop());

async function expectLists(): Promise<void> {
  for (const path of ['Contact/GetContactList', 'Group/GetAllSecurityGroups', 'DataTag/GetAllDataTags'] as const) {
    expect(list.parse((await admin.call(path)).json).length, path).toBeGreaterThan(0);
  }
  expect(list.parse((await admin.call('App/GetApplicationList')).json)).toHaveLength(1);
}

describe('numbers out of reach', () => {
  it.each([
    ['timezone', 2 ** 53],
    ['timezone', 1e300],
    ['timezone', -25],
  ])('are refused in the own profile: %s %d', async (field, value) => {
    const user = { ...record.parse(viewer.reply.LoginUser), [field]: value };
    const { json } = await viewer.call('Contact/SaveMYContact', { withpin: false, user });
    expect(json).toMatchObject({ ErrorCode: 9001, ErrorMessage: textLike(/^timezone is /) });
    await expectLists();
  });

  it.each(['UserState', 'isFastCache', 'FastCacheLimit'])('are refused in a user: %s', async (field) => {
    const template = record.parse((await admin.call('Contact/NewContact')).json);
    const user = { ...template, LoginName: field, [field]: 2 ** 53 };
    const { json } = await admin.call('Contact/SaveContact', { withpin: false, user });
    expect(json).toEqual({ ErrorCode: 9000, ErrorMessage: textLike(/a whole number is beyond 9007199254740991/i) });
    await expectLists();
  });

  it('are refused in a data tag', async () => {
    const template = record.parse((await admin.call('DataTag/NewDataTag')).json);
    for (const field of ['DataTypeEnum', 'Index']) {
      const { json } = await admin.call('DataTag/SaveDataTag', {
        datatag: { ...template, Label: field, [field]: 1e300 },
      });
      expect(json).toMatchObject({ ErrorCode: 9000 });
    }
    await expectLists();
  });

  it('are named where a formula holds them', async () => {
    const metadata = record.parse((await admin.call('Report/GetReportMetadataById', { ReportID: '1' })).json);
    const report = record.parse(metadata.Report);
    const [first] = list.parse(report.FieldList);
    const FieldList = [{ ...first, Formula: '9'.repeat(400) }];
    const run = await admin.call('Report/GetReportData', { Reportobj: { Report: { ...report, FieldList } } });
    expect(run.json).toMatchObject({ ErrorCode: 0, HasError: true, ErrorMessage: textLike(/^Field ".*is no number$/) });
    const sql = await admin.call('Report/GetSQL', { Reportobj: { ...report, FieldList } });
    expect(sql.json).toMatchObject({ ErrorCode: 9001, ErrorMessage: textLike(/^Field ".*is no number$/) });
  });
});

describe('a name that no database can hold', () => {
  it('is told to whoever runs the report', async () => {
    const [regserver] = list.parse((await admin.call('RegServers/GetAdminRegisteredServers')).json);
    const Report = record.parse((await admin.call('Report/GetReport', { ReportId: '1' })).json);
    await admin.call('RegServers/SaveRegSrv', { regserver: { ...regserver, DatabaseOwner: 'a\0b' } });
    const ErrorMessage = textLike(/^A database name .* NUL character$/);
    const run = await admin.call('Report/GetReportData', { Reportobj: { Report } });
    expect(run.json).toMatchObject({ ErrorCode: 0, HasError: true, ErrorMessage });
    expect((await admin.call('Report/GetSQL', { Reportobj: Report })).json).toEqual({ ErrorCode: 9001, ErrorMessage });
    await admin.call('RegServers/SaveRegSrv', { regserver });
  });
});

describe('a registered server that is saved while reports run on it', () => {
  it('ends their queries and takes the next ones', async () => {
    const [regserver] = list.parse((await admin.call('RegServers/GetAdminRegisteredServers')).json);
    const Reportobj = record.parse((await admin.call('Report/GetReportMetadataById', { ReportID: '1' })).json);
    let isSaving = true;
    const results: unknown[] = [];
    const runs = Array.from({ length: 4 }, async () => {
      while (isSaving) results.push((await admin.call('Report/GetReportData', { Reportobj })).json);
    });
    for (let round = 0; round < 10; round += 1) {
      const saved = await admin.call('RegServers/SaveRegSrv', { regserver, bsaveasanydb: true });
      expect(saved.json).toMatchObject({ ErrorCode: 0, ID: regserver?.ID });
    }
    isSaving = false;
    await Promise.all(runs);
    const messages = new Set(results.map((result) => record.parse(result).ErrorMessage));
    for (const message of messages) expect([null, 'The query on Flight Data was cancelled']).toContain(message);
    const { json } = await admin.call('Report/GetReportData', { Reportobj });
    expect(json).toMatchObject({ HasError: false });
  });
});
