import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Registered, registerServer, registerTable, tableReport } from '../../support/databases/livePlatforms.ts';
import { textWith } from '../../support/matchers.ts';
import { type SignedIn, startServer, type TestServer } from '../../support/server.ts';

/*
 * A policy compares rows with a field of the reader's profile, and some of those the reader may edit. Whoever tries to read
 * another tenant's rows that way gets none.
 */

const record = z.record(z.string(), z.unknown());
type Json = Record<string, unknown>;
const folder = mkdtempSync(path.join(tmpdir(), 'own-tenant-'));
const password = 'a password of twelve';

let server: TestServer;
let admin: SignedIn;
let app: Registered;
let members = 0;

beforeAll(async () => {
  const file = path.join(folder, 'sales.duckdb');
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(
    `CREATE TABLE sales AS SELECT * FROM (VALUES (1, 'North'), (2, 'North'), (3, 'South'), (4, 'West')) AS rows (id, tenant)`,
  );
  connection.closeSync();
  instance.closeSync();
  server = await startServer({ allowOldEngines: true });
  admin = await server.login('admin', server.adminPassword);
  app = await registerServer(admin, 'sales', 'duckdb', { DatabaseName: file });
  await registerTable(admin, app, { name: 'sales', columns: { id: 'num', tenant: 'cha' } });
}, 60_000);

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

// No one may change a field that any policy compares with, and the tests change them.
afterEach(async () => {
  for (const policy of z.array(record).parse((await admin.call('Shield/GetAllShieldPolicies')).json)) {
    await admin.call('Shield/DeletePolicy', { policy });
  }
});

async function ask(...[endpoint, body]: Parameters<SignedIn['call']>): Promise<Json> {
  return record.parse((await admin.call(endpoint, body)).json);
}

/** A viewer of the company North, signed in. */
async function newViewer(change: Json = {}): Promise<{ viewer: SignedIn; user: Json }> {
  members += 1;
  const LoginName = `viewer${members}`;
  const UserApplications = [{ ApplicationID: app.moduleId, ApplicationRoleID: '6' }];
  const template = await ask('Contact/NewContact');
  const sent = { ...template, LoginName, Pin: password, Company: 'North', UserApplications, ...change };
  const user = await ask('Contact/SaveContact', { withpin: true, user: sent });
  return { viewer: await server.login(LoginName, password), user };
}

/** Restricts a user to the rows whose tenant a value names. */
async function restrict(user: Json, Value: string, change: Json = {}): Promise<Json> {
  const Constraints = [{ TableName: 'sales', ColumnName: 'tenant', Operator: '=', Value, ...change }];
  const template = await ask('Shield/NewPolicy');
  const policy = {
    ...template,
    Name: `Of ${String(user.LoginName)}`,
    isActive: true,
    Constraints,
    Groups: [],
    Users: [],
  };
  return ask('Shield/SaveShieldPolicy', { policy, isDeepSave: true, groups: [], users: [user.ID] });
}

async function tenantsSeen(viewer: SignedIn): Promise<string[]> {
  const Report = tableReport(app, 'sales', ['id', 'tenant']);
  const { json } = await viewer.call('Report/GetReportData', { Reportobj: { Report } });
  const { Data } = z.object({ HasError: z.literal(false), Data: z.array(record) }).parse(json);
  return Data.map((row) => String(row.tenant));
}

const saveOwn = async (viewer: SignedIn, user: Json, change: Json): Promise<Json> =>
  record.parse((await viewer.call('Contact/SaveMYContact', { withpin: false, user: { ...user, ...change } })).json);

describe('a placeholder on the reader’s company', () => {
  it.each(['/#company#/', '/# company #/', '/#\u00a0COMPANY\t#/', '/#\u3000Company\u2003\n#/'])(
    'keeps its reader from setting it, as %j',
    async (placeholder) => {
      const { viewer, user } = await newViewer();
      const policy = await restrict(user, placeholder);
      expect(policy).toMatchObject({ ErrorCode: '0' });
      expect(await tenantsSeen(viewer)).toEqual(['North', 'North']);
      expect(await saveOwn(viewer, user, { Company: 'South' })).toMatchObject({
        ErrorCode: 9001,
        ErrorMessage: textWith('Company decides which data you see'),
      });
      expect(await tenantsSeen(viewer)).toEqual(['North', 'North']);
      await admin.call('Shield/DeletePolicy', { policy });
      expect(await saveOwn(viewer, user, { Company: 'South' })).toMatchObject({ ErrorCode: 0, Company: 'South' });
    },
  );

  it.each([
    ['/#company', 'is incomplete'],
    ['company#/', 'is incomplete'],
    ['／#company#/', 'is incomplete'],
    ['/##/', 'no label'],
    ['/#com\u200bpany#/', 'an invalid character'],
    ['/#/#company#/#/', 'an invalid character'],
    ['/#ｃompany#/', 'plain letters'],
    ['/#fırstname#/', 'plain letters'],
  ])('is refused where it is not certain what it names: %j', async (placeholder, reason) => {
    const { viewer, user } = await newViewer();
    const refused = { ErrorCode: 9001, ErrorMessage: textWith(reason) };
    expect(await restrict(user, placeholder)).toMatchObject(refused);
    expect(await restrict(user, 'A', { Operator: 'between', Value2: placeholder })).toMatchObject(refused);
    expect(await tenantsSeen(viewer)).toHaveLength(4);
  });
});

describe('a data tag', () => {
  const save = async (Label: string): Promise<Json> =>
    ask('DataTag/SaveDataTag', { datatag: { ...(await ask('DataTag/NewDataTag')), Label } });

  it.each(['Company', ' company\u00a0', 'ｃompany', 'FİRSTNAME', 'com\u00adpany', '\u200b', 'a＃b'])(
    'cannot be labelled %j',
    async (label) => {
      expect(await save(label)).toMatchObject({ ErrorCode: 9001 });
    },
  );

  it('cannot have a label that means another one', async () => {
    expect(await save('Straße 1')).toMatchObject({ ErrorCode: 0 });
    for (const label of ['straße 1', 'STRASSE 1', 'Straße\u00a0\u20031', 'Straße １']) {
      expect(await save(label)).toMatchObject({ ErrorCode: 9001, ErrorMessage: textWith('is taken') });
    }
    expect(await save('Strase 1')).toMatchObject({ ErrorCode: 0 });
  });
});

describe('a value that a user has set before a policy compares with it', () => {
  const find = (id: unknown): Promise<Json> => ask('Contact/GetContactById', { ContactId: String(id) });
  const saveAsAdmin = (user: Json): Promise<Json> => ask('Contact/SaveContact', { withpin: false, user });

  /** Somebody who moved to South before anything depended on it, and the policy that does then. */
  async function newMover() {
    const { viewer, user } = await newViewer();
    expect(await saveOwn(viewer, user, { Company: 'South' })).toMatchObject({ ErrorCode: 0, Company: 'South' });
    return { viewer, user: await find(user.ID), policy: await restrict(user, '/#company#/') };
  }

  it('counts as unset, and the reply to the save of the policy says of whom', async () => {
    const { viewer, user, policy } = await newMover();
    expect(await tenantsSeen(viewer)).toEqual([]);
    expect(policy).toMatchObject({
      ErrorCode: '0',
      ErrorMessage: textWith(`Company of 1 user (${String(user.LoginName)})`),
    });
    expect(user).toMatchObject({ SelfSetFields: ['Company'] });
  });

  it('is the administrator’s once that changes it', async () => {
    const { viewer, user } = await newMover();
    expect(await saveAsAdmin({ ...user, Company: 'West' })).toMatchObject({ ErrorCode: 0, SelfSetFields: [] });
    expect(await tenantsSeen(viewer)).toEqual(['West']);
  });

  it('is the administrator’s once the list names it no longer, and not by another save', async () => {
    const { viewer, user } = await newMover();
    const { SelfSetFields: _, ...without } = user;
    for (const unchanged of [user, without, { ...user, SelfSetFields: null, Description: 'seen' }]) {
      expect(await saveAsAdmin(unchanged)).toMatchObject({ ErrorCode: 0, SelfSetFields: ['Company'] });
      expect(await tenantsSeen(viewer)).toEqual([]);
    }
    expect(await saveAsAdmin({ ...user, SelfSetFields: 'Company' })).toMatchObject({ ErrorCode: 9000 });
    expect(await saveAsAdmin({ ...user, SelfSetFields: [] })).toMatchObject({ ErrorCode: 0, SelfSetFields: [] });
    expect(await tenantsSeen(viewer)).toEqual(['South']);
    const policy = await restrict(user, '/#company#/');
    expect(policy).toMatchObject({ ErrorCode: '0', ErrorMessage: null });
  });

  it('is confirmed field by field, each as it is spelled', async () => {
    const { viewer, user } = await newViewer();
    const own = { FirstName: 'A', LastName: 'B', EmailAddress: 'c@d.example', Company: 'South' };
    await saveOwn(viewer, user, own);
    const all = Object.keys(own);
    expect(await find(user.ID)).toMatchObject({ SelfSetFields: all });
    const rest = all.filter((name) => name !== 'LastName');
    expect(await saveAsAdmin({ ...user, ...own, SelfSetFields: [...rest, 'Tag1'] })).toMatchObject({
      SelfSetFields: rest,
    });
    expect(await saveAsAdmin({ ...user, ...own, SelfSetFields: ['company'] })).toMatchObject({ SelfSetFields: [] });
  });

  it('is no matter of the user’s: the list is neither shown to the user nor taken from the user', async () => {
    const { viewer, user } = await newMover();
    const own = record.parse((await viewer.call('Contact/GetContactById', { ContactId: user.ID })).json);
    expect(own).not.toHaveProperty('SelfSetFields');
    const saved = await saveOwn(viewer, own, { SelfSetFields: [], Description: 'me' });
    expect(saved).toMatchObject({ ErrorCode: 0, Description: 'me' });
    expect(saved).not.toHaveProperty('SelfSetFields');
    expect(JSON.stringify(viewer.reply)).not.toContain('SelfSetFields');
    expect(await find(user.ID)).toMatchObject({ SelfSetFields: ['Company'] });
    expect(await tenantsSeen(viewer)).toEqual([]);
  });

  it('does not come back by setting it to what it was', async () => {
    const { viewer, user } = await newViewer();
    for (const Company of ['South', 'North']) {
      expect(await saveOwn(viewer, user, { Company })).toMatchObject({ ErrorCode: 0, Company });
    }
    await restrict(user, '/#company#/');
    expect(await tenantsSeen(viewer)).toEqual([]);
  });
});
