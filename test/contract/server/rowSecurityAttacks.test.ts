import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import {
  asking,
  attempts,
  field,
  type Json,
  others,
  salesReport,
  withField,
} from '../../support/databases/reportAttempts.ts';
import {
  type LivePlatform,
  type Registered,
  registerServer,
  registerTable,
  startAllReleases,
} from '../../support/databases/livePlatforms.ts';
import { type ServerReply, type SignedIn, startServer, type TestServer } from '../../support/server.ts';

/*
 * A member of North who knows the API and sends what no client does, on every platform that this machine has; on Trino by
 * `npm run soak -- engines`. All other rows hold the word `secret` and an amount that shows in every sum: neither may come
 * back in anything that is answered.
 */

const hidden = 7_777_777;
/** What other tenants' rows would show: their names, their amounts alone or in a sum; and a server that lost its way. */
const leak = /secret|South|NORTH|\b\d{7,8}\b|the server log/;
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
  platforms = await startAllReleases(folder, setup);
  server = await startServer({ allowOldEngines: true });
  admin = await server.login('admin', server.adminPassword);
  const columns = { id: 'num', tenant: 'cha', amount: 'num', note: 'cha' };
  for (const { name, platform, regserver } of platforms) {
    const app = await registerServer(admin, name, platform, regserver);
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
}, 300_000);

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

/** Puts one policy on the member, or another user, in place of all others. */
async function restrictBy(Constraints: readonly Json[], isActive = true, userId = memberId): Promise<void> {
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
  const saved = await ask('Shield/SaveShieldPolicy', { policy, isDeepSave: true, groups: [], users: [userId] });
  expect(saved).toMatchObject({ ErrorCode: '0' });
}

const byTag: Json = { Operator: '=', Value: '/#tenant#/' };

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

  it('of the groups reaches it at once, cached or not', async () => {
    await tagValues('North', 'South');
    await restrictBy([byTag]);
    await onEach(async (app, name) => expect(await ids(salesReport(app), cached), name).toEqual([1, 2, 3]));
    await admin.call('Group/RemoveUser', { GroupId: groupIds[1], ContactId: memberId });
    await onEach(async (app, name) => expect(await ids(salesReport(app), cached), name).toEqual([1, 2]));
    await admin.call('Group/AddUser', { GroupId: groupIds[1], ContactId: memberId, RoleId: '2' });
  });
});

describe('an Architect under a policy of one application', () => {
  /** Somebody who is Architect of both applications. */
  async function architectOf(ids: readonly string[]): Promise<{ architect: SignedIn; architectId: string }> {
    const UserApplications = ids.map((ApplicationID) => ({ ApplicationID, ApplicationRoleID: '7' }));
    const user = { ...(await ask('Contact/NewContact')), LoginName: 'architect', Pin: password, UserApplications };
    const architectId = String((await ask('Contact/SaveContact', { withpin: true, user })).ID);
    return { architect: await server.login('architect', password), architectId };
  }

  it('moves no server from under it', async () => {
    const app = apps.find(({ name }) => name === 'sqlite')?.app;
    if (!app) throw new Error('SQLite is always there');
    const other = await registerServer(admin, 'elsewhere', 'sqlite', { DatabaseName: app.regserver.DatabaseName });
    const columns = { id: 'num', tenant: 'cha', amount: 'num', note: 'cha' };
    await registerTable(admin, other, { name: 'sales', columns });
    const { architect, architectId } = await architectOf([app.moduleId, other.moduleId]);
    await restrictBy([{ Operator: '=', Value: 'North', ModuleID: app.moduleId }], true, architectId);
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
