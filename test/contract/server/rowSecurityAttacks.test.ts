import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import {
  type LivePlatform,
  type Registered,
  registerServer,
  registerTable,
  startLivePlatforms,
  tableReport,
} from '../../support/databases/livePlatforms.ts';
import { type ServerReply, type SignedIn, startServer, type TestServer } from '../../support/server.ts';

/*
 * A member of North who knows the API and sends what no client does, on every platform that this machine has. All other rows hold the
 * word `secret` and an amount that shows in every sum: neither may come back in anything that is answered.
 */

const hidden = 7_777_777;
/** What other tenants' rows would show: their names, their amounts alone or in a sum; and a server that lost its way. */
const leak = /secret|South|NORTH|\b\d{7,8}\b|its log says/;
/** Tenants that some database may take for North: by case, blanks, width, accents, wildcards, lists. */
const others = ['South', 'north', 'NORTH', 'North ', ' North', 'Ｎorth', 'Nörth', 'North%', 'N_rth', 'North,South', ''];

function setup(platform: string): string[] {
  const [text, whole, engine] =
    platform === 'clickhouse'
      ? ['Nullable(String)', 'Int32', ' ENGINE = MergeTree ORDER BY id']
      : ['VARCHAR(40)', 'INTEGER', ''];
  const rows = [
    `(1, 'North', 10, 'n1')`,
    `(2, 'North', 20, 'n2')`,
    ...others.map((tenant, index) => `(${index + 3}, '${tenant}', ${hidden}, 'secret ${index}')`),
    `(90, NULL, ${hidden}, 'secret null')`,
  ];
  return [
    `CREATE TABLE sales (id ${whole}, tenant ${text}, amount ${whole}, note ${text})${engine}`,
    `INSERT INTO sales VALUES ${rows.join(', ')}`,
  ];
}

const record = z.record(z.string(), z.unknown());
type Json = z.output<typeof record>;
const password = 'a long enough passphrase 1';

let folder: string;
let platforms: LivePlatform[] = [];
let server: TestServer;
let admin: SignedIn;
let member: SignedIn;
let memberId: string;
const groupIds: string[] = [];
const apps: { name: string; app: Registered }[] = [];

const ask = async (endpoint: EndpointPath, body: object = {}): Promise<Json> =>
  record.parse((await admin.call(endpoint, body)).json);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'attacks-'));
  platforms = await startLivePlatforms(folder, setup);
  server = await startServer();
  admin = await server.login('admin', server.adminPassword);
  const columns = { id: 'num', tenant: 'cha', amount: 'num', note: 'cha' };
  for (const { name, regserver } of platforms) {
    const app = await registerServer(admin, name, name, regserver);
    await registerTable(admin, app, { name: 'sales', columns });
    apps.push({ name, app });
  }
  const UserApplications = apps.map(({ app }) => ({ ApplicationID: app.moduleId, ApplicationRoleID: '6' }));
  const user = { ...(await ask('Contact/NewContact')), LoginName: 'member', Pin: password, UserApplications };
  memberId = String((await ask('Contact/SaveContact', { withpin: true, user })).ID);
  for (const GroupName of ['First', 'Second']) {
    const template = await ask('Group/NewSecurityGroup');
    const GroupId = String((await ask('Group/SaveSecurityGroup', { group: { ...template, GroupName } })).GroupId);
    await admin.call('Group/AddUser', { GroupId, ContactId: memberId, RoleId: '2' });
    groupIds.push(GroupId);
  }
  member = await server.login('member', password);
}, 120_000);

afterAll(async () => {
  await server.stop();
  await Promise.all(platforms.map(({ stop }) => stop()));
  await rm(folder, { recursive: true });
}, 60_000);

/** Gives the tag `tenant` these values: one for each of the member's groups, undefined for none. */
async function tagValues(first: string | undefined, second?: string): Promise<void> {
  const label = 'tenant';
  const tags = z.array(record).parse((await admin.call('DataTag/GetAllDataTags')).json);
  const datatag = tags.find(({ Label }) => Label === label) ?? {
    ...(await ask('DataTag/NewDataTag')),
    ...{ Label: label, isGroup: true },
  };
  const SecurityGroups = [first, second].flatMap((Option1, index) =>
    Option1 === undefined ? [] : [{ RightID: groupIds[index], RelationType: 'tag_grp', Option1 }],
  );
  expect(await ask('DataTag/SaveDataTag', { datatag: { ...datatag, SecurityGroups } })).toMatchObject({ ErrorCode: 0 });
}

/** Puts one policy on the member in place of all others. */
async function restrictBy(Constraints: readonly Json[], isActive = true): Promise<void> {
  for (const policy of z.array(record).parse((await admin.call('Shield/GetAllShieldPolicies')).json)) {
    await admin.call('Shield/DeletePolicy', { policy });
  }
  const whole = Constraints.map((constraint) => ({ TableName: 'sales', ColumnName: 'tenant', ...constraint }));
  const policy = {
    ...(await ask('Shield/NewPolicy')),
    Name: 'Own rows',
    isActive,
    Constraints: whole,
    Groups: [],
    Users: [],
  };
  const saved = await ask('Shield/SaveShieldPolicy', { policy, isDeepSave: true, groups: [], users: [memberId] });
  expect(saved).toMatchObject({ ErrorCode: '0' });
}

const byTag: Json = { Operator: '=', Value: '/#tenant#/' };

type SentReport = ReturnType<typeof tableReport> & Record<string, unknown>;
const salesReport = (app: Registered, more: Json = {}): SentReport => ({
  ...tableReport(app, 'sales', ['id', 'tenant', 'amount', 'note']),
  ...more,
});

/** The report with one of its fields changed. */
function withField(app: Registered, name: string, change: Json, more: Json = {}): SentReport {
  const report = salesReport(app, more);
  const FieldList = report.FieldList.map((field) => (field.DbFieldName === name ? { ...field, ...change } : field));
  return { ...report, FieldList };
}

const run = (Report: object, more: object = {}): Promise<ServerReply> =>
  member.call('Report/GetReportData', { Reportobj: { Report }, ...more });

/** The ids of the rows, or why there are none. */
async function ids(Report: object, more: object = {}): Promise<unknown> {
  const reply = record.parse((await run(Report, more)).json);
  return reply.HasError
    ? reply.ErrorMessage
    : z
        .array(z.looseObject({ id: z.number() }))
        .parse(reply.Data)
        .map(({ id }) => id);
}

/** Runs a check on each platform, whose name a failure tells. */
async function onEach(check: (app: Registered, name: string) => Promise<void>): Promise<void> {
  expect(apps.length).toBeGreaterThanOrEqual(2);
  for (const { app, name } of apps) await check(app, name);
}

const field = (app: Registered, name: string, change: Json = {}): Json => {
  const found = salesReport(app).FieldList.find(({ DbFieldName }) => DbFieldName === name);
  return { ...found, ...change };
};
const criterion = (Op: string, Value1: unknown = '', more: Json = {}): Json => ({ Index: 1, Op, Value1, ...more });
const asking = (Op: string): Json => criterion(Op, '', { bprompt: true, bskip: true });

/** What is sent, and as which call. */
type Attempt = (app: Registered) => { endpoint: EndpointPath; body: object };
const data = (Report: object, more: object = {}) => ({
  endpoint: 'Report/GetReportData' as const,
  body: { Reportobj: { Report }, ...more },
});
const values = (app: Registered, PromptField: Json, Report: object = salesReport(app)) => ({
  endpoint: 'Report/GetFieldValues' as const,
  body: { Reportobj: { Report }, Prompt: { PromptField } },
});
/** A report that asks for a tenant, answered at once by what stands in its criteria. */
const answered = (app: Registered, LowValue: unknown, Op = '='): object =>
  withField(app, 'tenant', { Criteria: [criterion(Op, LowValue, { bprompt: true, flags: 'set' })] });
const formula = (app: Registered, Formula: string, more: Json = {}): object =>
  withField(app, 'note', { Formula, DbFieldName: '', DbTableAlias: '', ...more });
const drill = (app: Registered, Links: unknown, row: unknown, target: object = salesReport(app, { ReportID: '5' })) =>
  data(salesReport(app, { linkreports: [{ ReportID: '5', Links }] }), {
    ...{ IsDrillDown: true, DrillDownCriteria: row, TargetReportobj: target },
  });

const attempts: Readonly<Record<string, Attempt>> = {
  'an answer that is an object': (app) => data(answered(app, { toString: 'x', $ne: null })),
  'an answer that is a list': (app) => data(answered(app, ['North', "x') OR ('1'='1"])),
  'an answer that is true': (app) => data(answered(app, true)),
  'an answer that ends the text': (app) => data(answered(app, "x' OR '1'='1")),
  'an answer with a backslash before the quote': (app) => data(answered(app, "\\' OR 1=1 -- ")),
  'a list of every other tenant': (app) => data(answered(app, others.map((each) => `"${each}"`).join(), 'in')),
  'a pattern for everything': (app) => data(answered(app, '%', 'like')),
  'a list that leaves nothing out': (app) => data(answered(app, '"none of them"', 'not in')),
  'the placeholder of the tag': (app) => data(answered(app, '/#tenant#/', '<>')),
  'the placeholder of a profile, twice': (app) => data(answered(app, '/#login#/ /#tag1#/', '<>')),
  'rows without a value, or any': (app) =>
    data(
      withField(app, 'tenant', {
        Criteria: [
          criterion('is null', '', { Logical: 'OR', Nested: true }),
          { ...criterion('is not null'), Index: 2, Nested: true },
        ],
      }),
    ),
  'OR from one field to the next': (app) => {
    const report = withField(app, 'id', { Criteria: [criterion('>', '0', { Logical: 'OR' })] });
    return data({
      ...report,
      FieldList: report.FieldList.map((each) =>
        each.DbFieldName === 'note' ? { ...each, Criteria: [criterion('starts with', 's', { Logical: 'OR' })] } : each,
      ),
    });
  },
  'a hidden field that filters and sorts': (app) =>
    data(withField(app, 'amount', { fieldindex: -1, Criteria: [criterion('>', '100', { sortorder: '-1' })] })),
  'the same index for all fields': (app) =>
    data({ ...salesReport(app), FieldList: salesReport(app).FieldList.map((each) => ({ ...each, fieldindex: 1 })) }),
  'an index that is no number': (app) => data(withField(app, 'id', { fieldindex: 1e300 })),
  'the same name for two columns': (app) => data(withField(app, 'note', { RenamedField: 'TENANT' })),
  'a name that is another source': (app) => data(withField(app, 'note', { RenamedField: 'sales.note' })),
  'the name of the table in place of its alias': (app) => data(withField(app, 'note', { DbTableAlias: 'sales' })),
  'an alias that does not exist': (app) => data(withField(app, 'note', { DbTableAlias: 'u' })),
  'a quoted alias': (app) => data(withField(app, 'note', { DbTableAlias: '"t"', DbFieldName: '"note"' })),
  'a largest value': (app) =>
    data({
      ...salesReport(app),
      FieldList: [field(app, 'amount', { strGroup: 'MAX' }), field(app, 'note', { strGroup: 'MAX' })],
    }),
  'a sum by nothing': (app) => data({ ...salesReport(app), FieldList: [field(app, 'amount', { strGroup: 'SUM' })] }),
  'a sum that must be large': (app) =>
    data({
      ...salesReport(app),
      FieldList: [field(app, 'amount', { strGroup: 'SUM', Criteria: [criterion('>', '30')] })],
    }),
  'a total of the whole': (app) =>
    data(
      salesReport(app, {
        AdHocFields: [{ type: 'total', func: 'SUM', field1: 'amount', addgtotal: true, percent: true }],
      }),
    ),
  'the last of all, first': (app) => data(withField(app, 'amount', { Criteria: [{ sortorder: 'desc' }] }, { TopN: 1 })),
  'fewer than no rows': (app) => data(salesReport(app, { TopN: -1 })),
  'distinct by a text': (app) => data(salesReport(app, { Distinct: 1, OutputType: 8 })),
  'a formula that compares all rows': (app) =>
    data(formula(app, "CASE WHEN [tenant] <> 'North' THEN [note] ELSE 'x' END")),
  'a formula with a sub-query': (app) => data(formula(app, '(SELECT max(note) FROM sales)')),
  'a formula over a window': (app) => data(formula(app, 'MAX([note]) OVER ()')),
  'a formula with a comment': (app) => data(formula(app, '[note] -- ')),
  'a formula that is an aggregate of an aggregate': (app) => data(formula(app, 'MAX(MAX([note]))')),
  'values of the column that the policy compares': (app) => values(app, field(app, 'tenant')),
  'values of a formula': (app) => values(app, field(app, 'note', { Formula: "CONCAT([tenant], ':', [note])" })),
  'values of an aggregate': (app) => values(app, field(app, 'note', { strGroup: 'MAX' })),
  'values with a criterion of their own': (app) =>
    values(app, field(app, 'note', { Criteria: [criterion('<>', 'n1', { Logical: 'OR', bprompt: true })] })),
  'values of a hidden field': (app) => values(app, field(app, 'note', { fieldindex: -5, grouped: 1 })),
  'values of a report that nobody saved': (app) =>
    values(app, field(app, 'note', { Criteria: [{ vrpt: '999', vrpt_valuecol: 'note' }] })),
  'values by a report with an odd number': (app) =>
    values(app, field(app, 'note', { Criteria: [{ vrpt: '1 OR 1=1' }] })),
  'a drill-down to a column that is not in the report': (app) =>
    drill(app, [{ Field: 'id', TargetField: 'ctid' }], { id: '3' }),
  'a drill-down with the row of another tenant': (app) => drill(app, [{ Field: 'id', TargetField: 'id' }], { id: '3' }),
  'a drill-down without conditions': (app) => drill(app, [], {}),
  'a drill-down by a prototype': (app) =>
    drill(app, [{ Field: '__proto__', TargetField: 'note' }], JSON.parse('{"__proto__":"x","id":3}')),
  'a drill-down whose value is a list': (app) => drill(app, [{ Field: 'id', TargetField: 'id' }], { id: [3, 4] }),
  'a drill-down to metadata with other criteria': (app) =>
    drill(app, [{ Field: 'id', TargetField: 'id' }], { id: '3' }, { Report: answered(app, '%', 'like'), Prompts: [] }),
  'SQL that is only shown': (app) => ({ endpoint: 'Report/GetSQL', body: { Reportobj: answered(app, '/#tenant#/') } }),
  'criteria that are only compiled': (app) => ({
    endpoint: 'Report/ReportProcUI',
    body: { db_platform: 'sqlite', report: answered(app, '/#tenant#/') },
  }),
};

describe('a member who sends what no client does', () => {
  it('sees the own rows, and none that are only alike', async () => {
    await tagValues('North');
    await restrictBy([byTag]);
    await onEach(async (app, name) => expect(await ids(salesReport(app)), name).toEqual([1, 2]));
  });

  it.each(Object.keys(attempts))('learns nothing from %s', async (name) => {
    await onEach(async (app, platform) => {
      const attempt = attempts[name]?.(app);
      if (!attempt) throw new Error(name);
      for (const more of [{}, { cacheok: true }, { supressprompts: true }]) {
        const { status, text } = await member.call(attempt.endpoint, { ...attempt.body, ...more });
        expect([200, 204], platform).toContain(status);
        expect(text, platform).not.toMatch(leak);
      }
    });
  });

  it.each([
    'ctid',
    'xmin',
    'tableoid',
    'rowid',
    '_rowid_',
    'oid',
    '_part',
    '_table',
    'filename',
    '*',
    't.note',
    'note, note',
  ])('reaches no column that is not registered: %s', async (DbFieldName) => {
    await onEach(async (app, platform) => {
      const report = { ...salesReport(app), FieldList: [field(app, 'note', { DbFieldName })] };
      const reply = record.parse((await run(report)).json);
      expect(reply, platform).toMatchObject({ HasError: true, Data: [] });
    });
  });

  it('answers prompts by position only, as many as there are', async () => {
    await onEach(async (app) => {
      const report = withField(app, 'tenant', { Criteria: [asking('=')] });
      const prompt = { PromptField: field(app, 'tenant', { Criteria: [asking('=')] }), LowValue: 'South' };
      for (const Prompts of [[], [prompt, prompt], [prompt, null]]) {
        const reply = await member.call('Report/ReplacePromptCollection', { Reportobj: { Report: report }, Prompts });
        expect(JSON.stringify(reply.json)).toMatch(/"ErrorCode":90/);
      }
      // A prompt that is of another field answers the one at its place, and widens nothing.
      const foreign = { ...prompt, PromptField: field(app, 'note'), LowValue: 'South' };
      const { json } = await member.call('Report/ReplacePromptCollection', {
        ...{ Reportobj: { Report: report }, Prompts: [foreign] },
      });
      expect(await ids(record.parse(record.parse(json).Report))).toEqual([]);
    });
  });
});

describe('tag values of several groups', () => {
  it.each([
    ['=', { Operator: '=', Value: '/#tenant#/' }, [1, 2, 3]],
    ['<>', { Operator: '<>', Value: '/#tenant#/' }, 'neither'],
    ['not in', { Operator: 'not in', Value: '/#tenant#/' }, 'neither'],
    ['not in with one more', { Operator: 'not in', Value: '/#tenant#/,north' }, 'neither'],
  ])('hold together for %s', async (_name, constraint, expected) => {
    await tagValues('North', 'South');
    await restrictBy([constraint]);
    await onEach(async (app, name) => {
      const found = await ids(salesReport(app));
      if (expected !== 'neither') expect(found, name).toEqual(expected);
      else for (const id of [1, 2, 3]) expect(found, name).not.toContain(id);
    });
  });

  it.each([
    ['<>', undefined],
    ['not in', undefined],
    ['<>', ''],
    ['like', ''],
  ])('that are none let no row through, for %s and %j either', async (Operator, value) => {
    await tagValues(value);
    await restrictBy([{ Operator, Value: '/#tenant#/' }]);
    await onEach(async (app, name) => expect(await ids(salesReport(app)), name).toEqual([]));
  });

  it('that are none take an alternative only where the policy names one', async () => {
    await tagValues(undefined);
    await restrictBy([
      { ...byTag, Logical: 'OR' },
      { Operator: '=', Value: 'South' },
      { ColumnName: 'id', Operator: '<', Value: '100' },
    ]);
    await onEach(async (app, name) => expect(await ids(salesReport(app)), name).toEqual([3]));
  });
});

describe('what changes between two runs', () => {
  const cached = { cacheok: true };

  it('reaches the next one at once, cached or not: values of tags, activity of policies', async () => {
    await tagValues('North');
    await restrictBy([byTag], false);
    await onEach(async (app, name) => expect(await ids(salesReport(app), cached), name).toContain(3));
    await restrictBy([byTag]);
    await onEach(async (app, name) => expect(await ids(salesReport(app), cached), name).toEqual([1, 2]));
    await tagValues('South');
    await onEach(async (app, name) => expect(await ids(salesReport(app), cached), name).toEqual([3]));
    await tagValues(undefined);
    await onEach(async (app, name) => expect(await ids(salesReport(app), cached), name).toEqual([]));
    await tagValues('North');
    await onEach(async (app, name) => expect(await ids(salesReport(app), cached), name).toEqual([1, 2]));
  });

  it('of the groups reaches it with ResetPassport, cached or not', async () => {
    await tagValues('North', 'South');
    await restrictBy([byTag]);
    await onEach(async (app, name) => expect(await ids(salesReport(app), cached), name).toEqual([1, 2, 3]));
    await admin.call('Group/RemoveUser', { GroupId: groupIds[1], ContactId: memberId });
    await onEach(async (app, name) => expect(await ids(salesReport(app), cached), name).toEqual([1, 2, 3]));
    await member.call('Session/ResetPassport', { withReturn: false });
    await onEach(async (app, name) => expect(await ids(salesReport(app), cached), name).toEqual([1, 2]));
    await admin.call('Group/AddUser', { GroupId: groupIds[1], ContactId: memberId, RoleId: '2' });
  });
});

describe('an Architect under a policy of one application', () => {
  /** Somebody who is Architect of both applications. */
  async function architectOf(ids: readonly string[]): Promise<SignedIn> {
    const UserApplications = ids.map((ApplicationID) => ({ ApplicationID, ApplicationRoleID: '7' }));
    const user = { ...(await ask('Contact/NewContact')), LoginName: 'architect', Pin: password, UserApplications };
    memberId = String((await ask('Contact/SaveContact', { withpin: true, user })).ID);
    return server.login('architect', password);
  }

  it('moves no server from under it', async () => {
    const app = apps.find(({ name }) => name === 'sqlite')?.app;
    if (!app) throw new Error('SQLite is always there');
    const other = await registerServer(admin, 'elsewhere', 'sqlite', { DatabaseName: app.regserver.DatabaseName });
    const columns = { id: 'num', tenant: 'cha', amount: 'num', note: 'cha' };
    await registerTable(admin, other, { name: 'sales', columns });
    const architect = await architectOf([app.moduleId, other.moduleId]);
    await restrictBy([{ Operator: '=', Value: 'North', ModuleID: app.moduleId }]);
    const rows = async () => {
      const Reportobj = { Report: salesReport(other) };
      return record.parse((await architect.call('Report/GetReportData', { Reportobj })).json).Data;
    };
    expect(await rows()).toHaveLength(2);
    const empty = path.join(folder, 'empty.sqlite');
    const save = (by: SignedIn, change: object) =>
      by.call('RegServers/SaveRegSrv', { regserver: { ...app.regserver, ...change }, bsaveasanydb: true });
    for (const change of [
      { DatabaseName: empty },
      { service: other.regserver.service },
      { DatabasePlatform: 'duckdb' },
    ]) {
      const { json } = await save(architect, change);
      expect(json).toMatchObject({ ErrorCode: 9001, ErrorMessage: expect.stringContaining('policy') as string });
      expect(await rows()).toHaveLength(2);
    }
    // All else about the server is the Architect's, and an administrator may move it.
    expect((await save(architect, { DisplayName: 'renamed', CommandTimeout: 20 })).json).toMatchObject({
      ErrorCode: 0,
    });
    expect((await save(admin, { DatabaseName: empty })).json).toMatchObject({ ErrorCode: 0 });
  });
});
