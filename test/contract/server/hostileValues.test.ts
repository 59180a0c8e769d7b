import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { findProduct } from '../../../src/contract/resources/application.ts';
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
    [2 ** 53, 9000, /a whole number is beyond/i],
    [1e300, 9000, /a whole number is beyond/i],
    [-25, 9001, /^timezone is /],
  ])('are refused in the own profile: timezone %d', async (timezone, code, words) => {
    const user = { ...record.parse(viewer.reply.LoginUser), timezone };
    const { json } = await viewer.call('Contact/SaveMYContact', { withpin: false, user });
    expect(json).toMatchObject({ ErrorCode: code, ErrorMessage: textLike(words) });
    await expectLists();
  });

  it.each([2 ** 53, -(2 ** 60), 1e19, '9007199254740992'])(
    'break no list as the output type of a report: %s',
    async (OutputType) => {
      const report = record.parse((await admin.call('Report/GetReport', { ReportId: '1' })).json);
      const sent = { ...report, ReportID: null, Reportname: `Type ${OutputType}`, OutputType };
      expect((await admin.call('Report/SaveReport', { report: sent })).json).toMatchObject({ ErrorCode: 9000 });
      const found = list.parse((await admin.call('library/SearchReports', { searchstring: '' })).json);
      expect(found.length).toBeGreaterThan(0);
      expect(found.map(({ ReportName }) => ReportName)).not.toContain(sent.Reportname);
    },
  );

  it('are refused wherever they would come back as another number', async () => {
    const report = record.parse((await admin.call('Report/GetReport', { ReportId: '1' })).json);
    const body = JSON.stringify({
      sessionToken: admin.token,
      report: { ...report, ReportID: null, own: { deep: [0] } },
    });
    const response = await fetch(`${server.apiBase}/Report/SaveReport`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: body.replace('"deep":[0]', '"deep":[9007199254740993]'),
    });
    expect(await response.json()).toMatchObject({ ErrorCode: 9000, ErrorMessage: textLike(/whole number is beyond/i) });
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
    expect(run.json).toMatchObject({
      ErrorCode: 0,
      HasError: true,
      ErrorMessage: textLike(/^Field ".*is not a number$/),
    });
    const sql = await admin.call('Report/GetSQL', { Reportobj: { ...report, FieldList } });
    expect(sql.json).toMatchObject({ ErrorCode: 9001, ErrorMessage: textLike(/^Field ".*is not a number$/) });
  });
});

describe('the character NUL', () => {
  it.each([
    ['RegServers/SaveRegSrv', { regserver: { DatabaseOwner: 'a\0b' } }],
    ['Contact/SaveContact', { withpin: false, user: { LoginName: 'admin\0x' } }],
    ['Report/GetReport', { ReportId: '1\0' }],
  ] as const)('is refused before it ends a text in the store: %s', async (path, body) => {
    const { json } = await admin.call(path, body);
    expect(json).toMatchObject({ ErrorCode: 9000, ErrorMessage: textLike(/a NUL character/) });
  });
});

describe('half of a surrogate pair', () => {
  it('is refused before it becomes another character in the store; a whole pair is kept', async () => {
    const user = record.parse((await admin.call('Contact/NewContact')).json);
    const save = async (LoginName: string) =>
      (await admin.call('Contact/SaveContact', { withpin: false, user: { ...user, LoginName } })).json;
    for (const half of ['x\ud800y', 'x\udfff', '\ude00\ud83d']) {
      expect(await save(half)).toMatchObject({ ErrorCode: 9000, ErrorMessage: textLike(/half of a surrogate pair/) });
    }
    expect(await save('\ud83d\ude00')).toMatchObject({ ErrorCode: 0, LoginName: '😀' });
    const escaped = String.raw`{"sessionToken":"${admin.token}","ContactId":"\uD83D\uDE00"}`;
    const { json } = await server.send('/api/Contact/GetContactById', { body: escaped });
    expect(json).toMatchObject({ ErrorCode: 9001, ErrorMessage: textLike(/😀/) });
  });
});

describe('what is too large', () => {
  it('is refused before it is checked piece by piece', async () => {
    const groups = Array.from({ length: 1_000_001 }, () => 1);
    const body = { policy: {}, isDeepSave: true, groups, users: [] };
    const { json } = await admin.call('Shield/SaveShieldPolicy', body);
    expect(json).toMatchObject({ ErrorCode: 9000, ErrorMessage: textLike(/more than 1000000 values/) });
  });

  it('is a sign-in of more than names and a password', async () => {
    const body = { UserId: 'admin', UserPassword: 'x'.repeat(70_000), isGuest: false, bolForceLogin: true };
    expect((await admin.call('login/DoLogin', body)).status).toBe(413);
    const long = { ...body, UserPassword: 'x'.repeat(1_001) };
    expect((await admin.call('login/DoLogin', long)).json).toMatchObject({ ErrorCode: 101 });
  });

  it('is a profile that every list would carry', async () => {
    const user = { ...record.parse(viewer.reply.LoginUser), Description: 'x'.repeat(20_001) };
    const { json } = await viewer.call('Contact/SaveMYContact', { withpin: false, user });
    expect(json).toMatchObject({ ErrorCode: 9001, ErrorMessage: textLike(/20000 are the most/) });
  });

  it.each([
    ['fields', { FieldList: 1_001 }],
    ['totals', { AdHocFields: 1_001 }],
  ])('is a report of too many %s', async (what, counts) => {
    const { Report } = record.parse((await admin.call('Report/GetReportMetadataById', { ReportID: '1' })).json);
    const report = record.parse(Report);
    const [field] = list.parse(report.FieldList);
    const sent = { ...report };
    for (const [name, count] of Object.entries(counts))
      sent[name] = Array.from({ length: count }, () => ({ ...field }));
    const run = await admin.call('Report/GetReportData', { Reportobj: { Report: sent } });
    expect(run.json).toMatchObject({ HasError: true, ErrorMessage: `The report has 1001 ${what}; 1000 are the most` });
  });

  it('is a field tree without end', async () => {
    const [regserver] = list.parse((await admin.call('RegServers/GetAdminRegisteredServers')).json);
    const moduleid = findProduct(record.parse(regserver))?.ID;
    const modules = record.parse(
      (await admin.call('AppBuilder/GetAnyDbModule', { moduleid, regserverid: regserver?.ID })).json,
    );
    const [first] = list.parse(modules.ReportTypes);
    const FieldTree = Array.from({ length: 1_000 }, (_, depth) => ({
      fname: 'a',
      nodetype: 'G',
      flevel: String(depth),
    }));
    const { json } = await admin.call('AppBuilder/SaveAnyDbModule', {
      anydbmodule: { ...modules, ReportTypes: [{ ...first, FieldTree }] },
    });
    expect(json).toBe(0);
  });
});

describe('a token that nobody has', () => {
  it('is told of before the rest of the body, unless a field is missing', async () => {
    const sessionToken = 'nobody';
    const call = async (body: object): Promise<{ status: number; json: unknown }> => {
      const response = await fetch(`${server.apiBase}/Shield/SaveShieldPolicy`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ sessionToken, ...body }),
      });
      return { status: response.status, json: await response.json() };
    };
    expect(await call({ policy: 7 })).toMatchObject({ status: 500 });
    const malformed = await call({ policy: 7, isDeepSave: 'yes', groups: [1], users: [1] });
    expect(malformed).toMatchObject({ status: 200, json: { ErrorCode: 101 } });
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
