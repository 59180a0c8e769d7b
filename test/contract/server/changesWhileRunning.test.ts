import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Registered, registerServer, registerTable, tableReport } from '../../support/databases/livePlatforms.ts';
import { type SignedIn, startServer, type TestServer } from '../../support/server.ts';

/*
 * What restricts a caller is changed while the rows of a report are on their way: they hold to what was in force when it was
 * called, all of them, and the next call to what is in force then, kept results or not.
 */

const record = z.record(z.string(), z.unknown());
type Json = Record<string, unknown>;
const folder = mkdtempSync(path.join(tmpdir(), 'changes-'));
const password = 'a password of twelve';
/** Rows of each tenant: more than what lies in the buffers between the database and a client that does not read. */
const each = 100_000;

let server: TestServer;
let admin: SignedIn;
let app: Registered;
let groupId: string;
let templates: { policy: Json; tag: Json; user: Json };

beforeAll(async () => {
  const file = path.join(folder, 'sales.duckdb');
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE sales AS SELECT range AS id, ['North', 'South'][1 + range % 2] AS tenant,
    repeat('x', 200) AS note FROM range(${2 * each})`);
  await connection.run('CREATE TABLE few AS SELECT * FROM sales LIMIT 6');
  connection.closeSync();
  instance.closeSync();
  server = await startServer();
  admin = await server.login('admin', server.adminPassword);
  app = await registerServer(admin, 'sales', 'duckdb', { DatabaseName: file });
  const columns = { id: 'num', tenant: 'cha', note: 'cha' };
  for (const name of ['sales', 'few']) await registerTable(admin, app, { name, columns });
  const newGroup = await ask('Group/NewSecurityGroup');
  const group = await ask('Group/SaveSecurityGroup', { group: { ...newGroup, GroupName: 'Northerners' } });
  groupId = String(group.GroupId);
  templates = {
    policy: await ask('Shield/NewPolicy'),
    tag: await ask('DataTag/NewDataTag'),
    user: await ask('Contact/NewContact'),
  };
}, 60_000);

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

async function ask(...[endpoint, body]: Parameters<SignedIn['call']>): Promise<Json> {
  return record.parse((await admin.call(endpoint, body)).json);
}

/** Somebody who sees the rows of `/#tenant#/`, which is North by the group that the user is in. */
interface Member {
  name: string;
  signedIn: SignedIn;
  user: Json;
  policy: Json;
  tag: Json;
}

let members = 0;

async function newMember(): Promise<Member> {
  members += 1;
  const name = `member${members}`;
  const UserApplications = [{ ApplicationID: app.moduleId, ApplicationRoleID: '7' }];
  const sent = { ...templates.user, LoginName: name, Pin: password, UserApplications };
  const user = await ask('Contact/SaveContact', { withpin: true, user: sent });
  await admin.call('Group/AddUser', { GroupId: groupId, ContactId: user.ID, RoleId: '2' });
  const label = `tenant${members}`;
  const SecurityGroups = [{ RightID: groupId, RelationType: 'tag_grp', Option1: 'North' }];
  const tag = await ask('DataTag/SaveDataTag', {
    datatag: { ...templates.tag, Label: label, isGroup: true, SecurityGroups },
  });
  const Constraints = ['sales', 'few'].map((TableName) => ({
    ...{ TableName, ColumnName: 'tenant', Operator: '=', Value: `/#${label}#/` },
  }));
  const policy = { ...templates.policy, Name: name, isActive: true, Constraints, Groups: [], Users: [] };
  const saved = await ask('Shield/SaveShieldPolicy', { policy, isDeepSave: true, groups: [], users: [user.ID] });
  const signedIn = await server.login(name, password);
  return { name, signedIn, user, policy: { ...policy, id: saved.id }, tag };
}

const savePolicy = ({ policy, user }: Member, change: Json) =>
  ask('Shield/SaveShieldPolicy', { policy: { ...policy, ...change }, isDeepSave: true, groups: [], users: [user.ID] });

/** Asks for all rows and takes the first of them. */
async function begin(member: Member): Promise<IncomingMessage> {
  const Report = tableReport(app, 'sales', ['id', 'tenant', 'note']);
  const outgoing = request(`${server.apiBase}/Report/GetReportData`, {
    ...{ method: 'POST', agent: false, headers: { 'Content-Type': 'application/json' } },
  });
  outgoing.end(JSON.stringify({ sessionToken: member.signedIn.token, Reportobj: { Report }, cacheok: true }));
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  await once(response, 'readable');
  return response;
}

/** Tenants of the rows that are still to come, counted, and how the reply ended. */
async function finish(response: IncomingMessage): Promise<Json> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  const reply = record.parse(JSON.parse(text));
  const tenants = Map.groupBy(z.array(record).parse(reply.Data), ({ tenant }) => String(tenant));
  return { HasError: reply.HasError, ...Object.fromEntries([...tenants].map(([name, rows]) => [name, rows.length])) };
}

/** Tenants of the six rows that the member may see now. */
async function next({ signedIn }: Member): Promise<unknown> {
  const Report = tableReport(app, 'few', ['id', 'tenant']);
  const { status, json } = await signedIn.call('Report/GetReportData', { Reportobj: { Report }, cacheok: true });
  const reply = record.parse(json ?? { HasError: true, ErrorMessage: status });
  if (reply.HasError) return reply.ErrorMessage;
  return z
    .array(record)
    .parse(reply.Data)
    .map(({ tenant }) => String(tenant).slice(0, 1))
    .join('');
}

const changes: Record<string, { make: (member: Member) => Promise<unknown>; then: unknown }> = {
  'another value of a tag': {
    make: ({ tag, user }) => {
      const Contacts = [{ RightID: user.ID, RelationType: 'tag_grp', Option1: 'South' }];
      return ask('DataTag/SaveDataTag', { datatag: { ...tag, isUser: true, Contacts } });
    },
    then: 'SSS',
  },
  'a tag that is deleted': { make: ({ tag }) => ask('DataTag/DeleteDataTag', { datatag: tag }), then: '' },
  'another constraint': {
    make: (member) =>
      savePolicy(member, {
        Constraints: [{ TableName: 'few', ColumnName: 'id', Operator: '<', Value: '2' }],
      }),
    then: 'NS',
  },
  'a policy that is no longer active': { make: (member) => savePolicy(member, { isActive: false }), then: 'NSNSNS' },
  'a policy that is deleted': {
    make: ({ policy }) => admin.call('Shield/DeletePolicy', { policy }),
    then: 'NSNSNS',
  },
  'a group that is left': {
    make: ({ user }) => admin.call('Group/RemoveUser', { GroupId: groupId, ContactId: user.ID }),
    then: '',
  },
  'a role that is taken': {
    make: ({ user }) => ask('Contact/SaveContact', { withpin: false, user: { ...user, UserApplications: [] } }),
    then: expect.stringContaining('You have no role on the application') as unknown,
  },
  'a session that ends': { make: ({ signedIn }) => signedIn.call('login/DoLogout'), then: 'Session Expired' },
  'a user who is deleted': { make: ({ user }) => ask('Contact/DeleteContact', { user }), then: 'Session Expired' },
};

describe('while rows are on their way', () => {
  it.each(Object.keys(changes))('%s holds for the next call, and for none of these rows', async (name) => {
    const change = changes[name];
    if (!change) throw new Error(name);
    const member = await newMember();
    expect(await next(member)).toBe('NNN');
    const running = await begin(member);
    await change.make(member);
    expect(await next(member)).toEqual(change.then);
    expect(await finish(running)).toEqual({ HasError: false, North: each });
    expect(await next(member)).toEqual(change.then);
  });

  it('a server that is saved ends them, and says so', async () => {
    const member = await newMember();
    const running = await begin(member);
    await ask('RegServers/SaveRegSrv', { regserver: app.regserver, bsaveasanydb: true });
    // On a busy machine the reply may end before its first row.
    const { HasError, North = 0, South } = await finish(running);
    expect([HasError, South]).toEqual([true, undefined]);
    expect(North).toBeLessThan(each);
  });
});
