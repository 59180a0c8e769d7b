import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { figure } from '../../support/run/figure.ts';
import { type Registered, registerServer, registerTable, tableReport } from '../../support/databases/livePlatforms.ts';
import {
  dropGroup,
  dropUser,
  type Model,
  type ModelFolder,
  type ModelPolicy,
  type ModelTag,
  type ModelUser,
  tenants,
  visibleFolderNames,
  visibleTenants,
} from '../../support/openSessionsModel.ts';
import { type SignedIn, startServer, type TestServer } from '../../support/server.ts';
import { soakSize } from '../../support/run/soakSize.ts';

/*
 * Whatever an administrator changes about rights holds for the next call of sessions that are open: after each of many random
 * changes, users who signed in before it see the rows and folders that the oracle tells, no more and no fewer.
 */

const changes = soakSize(200, 1_000);
const record = z.record(z.string(), z.unknown());
type Json = Record<string, unknown>;
const folderOfFiles = mkdtempSync(path.join(tmpdir(), 'open-sessions-'));
const password = 'a password of twelve';

let server: TestServer;
let admin: SignedIn;
let app: Registered;
let templates: Record<'user' | 'group' | 'tag' | 'policy' | 'folder', Json>;
const sessions = new Map<string, SignedIn>();
const model: Model = {
  allUsers: '1',
  allUsersGrants: true,
  users: [],
  groups: [],
  tags: [],
  policies: [],
  folders: [],
};

let state = Number(process.env.PROPERTY_SEED ?? 20_261_124);
/** A number below `count`: the same ones in every run. */
function below(count: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * count);
}
function oneOf<T>(values: readonly T[]): T {
  const value = values[below(values.length)];
  if (value === undefined) throw new Error('Nothing to choose from');
  return value;
}
const some = <T>(values: readonly T[]) => values.filter(() => below(5) < 2);
const isLikely = () => below(3) > 0;

async function ask(...[endpoint, body]: Parameters<SignedIn['call']>): Promise<Json> {
  const reply = record.parse((await admin.call(endpoint, body)).json);
  expect(reply.ErrorCode ?? reply.error_code ?? 0, `${endpoint}: ${JSON.stringify(reply)}`).toEqual(
    expect.toBeOneOf([0, '0']),
  );
  return reply;
}

const assignments = ({ hasRole }: ModelUser) =>
  hasRole ? [{ ApplicationID: app.moduleId, ApplicationRoleID: '7' }] : [];

async function saveUser(user: ModelUser): Promise<void> {
  const read = await ask('Contact/GetContactById', { ContactId: user.id });
  const sent = { ...read, Tag1: user.tag1, UserApplications: assignments(user) };
  await ask('Contact/SaveContact', { withpin: false, user: sent });
}

let named = 0;
async function addUser(): Promise<void> {
  const name = `user${(named += 1)}`;
  const groups = new Map([[model.allUsers, '2']]);
  const user: ModelUser = { id: '', name, tag1: oneOf(tenants), groups, hasRole: true, passportHasRole: true };
  const sent = { ...templates.user, LoginName: name, Pin: password, Tag1: user.tag1 };
  const saved = await ask('Contact/SaveContact', {
    withpin: true,
    user: { ...sent, UserApplications: assignments(user) },
  });
  user.id = String(saved.ID);
  model.users.push(user);
  sessions.set(user.id, await server.login(name, password));
}

async function addGroup(): Promise<void> {
  const GroupName = `group${(named += 1)}`;
  const saved = await ask('Group/SaveSecurityGroup', { group: { ...templates.group, GroupName } });
  model.groups.push(String(saved.GroupId));
}

async function saveTag(tag: ModelTag): Promise<void> {
  const relation = ([RightID, Option1]: [string, string]) => ({ RightID, Option1, RelationType: 'tag_grp' });
  const datatag = {
    ...templates.tag,
    ...{ ID: tag.id, Label: tag.label, isActive: tag.isActive, isGroup: true, isUser: true },
    DefaultValue: tag.fallback,
    SecurityGroups: [...tag.byGroup].map(relation),
    Contacts: [...tag.byUser].map(relation),
  };
  tag.id = String((await ask('DataTag/SaveDataTag', { datatag })).ID);
}

async function savePolicy(policy: ModelPolicy): Promise<void> {
  const Constraints = [{ TableName: 'sales', ColumnName: 'tenant', Operator: '=', Value: `/#${policy.label}#/` }];
  const id = policy.id === '' ? null : policy.id;
  const Name = `policy of ${policy.label} ${policy.id}`;
  const sent = { ...templates.policy, id, Name, isActive: policy.isActive, Constraints, Groups: [], Users: [] };
  const ids = { groups: [...policy.groups], users: [...policy.users] };
  policy.id = String((await ask('Shield/SaveShieldPolicy', { policy: sent, isDeepSave: true, ...ids })).id);
}

/** One that is there: saved first, where it was deleted. */
async function storedPolicy(): Promise<ModelPolicy> {
  const policy = oneOf(model.policies);
  if (policy.id === '') await savePolicy(policy);
  return policy;
}

async function saveFolder(folder: ModelFolder): Promise<void> {
  const libraryfolder = {
    ...templates.folder,
    ...{ id: Number(folder.id), fname: folder.name, InheritPermissions: folder.inherits },
    ParentLibrary: folder.parent?.id ?? null,
    Permissions: [...folder.groups].map((RightID) => ({ RightID, RelationType: 'fld_grp', PermissionTypeEnum: 2 })),
  };
  folder.id = String((await ask('library/SaveLibraryFolder', { libraryfolder, isShared: true })).id);
}

/** Makes some values anew, for keys that are drawn. */
function drawValues(values: Map<string, string>, keys: readonly string[]): void {
  values.clear();
  for (const key of some(keys)) values.set(key, oneOf(tenants));
}

const someGroups = () => some([...model.groups, ...(below(4) === 0 ? [model.allUsers] : [])]);

const kinds: Record<string, () => Promise<unknown>> = {
  'a role in a group': () => {
    const [user, GroupId, RoleId] = [oneOf(model.users), oneOf([...model.groups, model.allUsers]), String(below(5))];
    user.groups.set(GroupId, RoleId);
    user.passportHasRole = user.hasRole;
    return admin.call('Group/AddUser', { GroupId, ContactId: user.id, RoleId });
  },
  'a member removed': () => {
    const [user, GroupId] = [oneOf(model.users), oneOf(model.groups)];
    if (user.groups.delete(GroupId)) user.passportHasRole = user.hasRole;
    return admin.call('Group/RemoveUser', { GroupId, ContactId: user.id });
  },
  'an application role': () => {
    const user = oneOf(model.users);
    user.hasRole = isLikely();
    return saveUser(user);
  },
  'a reset passport': () => {
    const user = oneOf(model.users);
    user.passportHasRole = user.hasRole;
    return sessions.get(user.id)?.call('Session/ResetPassport', { withReturn: false }) ?? Promise.resolve();
  },
  'a profile tag': () => {
    const user = oneOf(model.users);
    user.tag1 = oneOf([...tenants, '']);
    return saveUser(user);
  },
  'values of a tag': () => {
    const tag = oneOf(model.tags);
    drawValues(tag.byGroup, [...model.groups, model.allUsers]);
    drawValues(
      tag.byUser,
      some(model.users).map(({ id }) => id),
    );
    return saveTag(tag);
  },
  'a tag switched': () => {
    const tag = oneOf(model.tags);
    tag.isActive = isLikely();
    tag.fallback = oneOf([...tenants, '']);
    return saveTag(tag);
  },
  'a policy': () => {
    const policy = oneOf(model.policies);
    policy.isActive = isLikely();
    policy.label = oneOf(['tag1', ...model.tags.map(({ label }) => label)]);
    policy.groups = new Set(someGroups());
    policy.users = new Set(some(model.users.map(({ id }) => id)));
    return savePolicy(policy);
  },
  'a policy of a group': async () => {
    const [policy, groupid] = [await storedPolicy(), oneOf(model.groups)];
    const isAdded = below(2) === 0;
    if (isAdded) policy.groups.add(groupid);
    else policy.groups.delete(groupid);
    return admin.call(isAdded ? 'Shield/AddGroup' : 'Shield/RemoveGroup', { policyid: policy.id, groupid });
  },
  'a policy deleted': async () => {
    const policy = await storedPolicy();
    const policies = z.array(record).parse((await admin.call('Shield/GetAllShieldPolicies')).json);
    const stored = policies.find(({ id }) => id === policy.id);
    expect((await admin.call('Shield/DeletePolicy', { policy: stored })).text).toBe('App Shield Policy Deleted');
    policy.id = '';
    policy.isActive = false;
  },
  'a scope of a folder': () => {
    const folder = oneOf(model.folders);
    folder.inherits = isLikely();
    const [before, after] = [folder.groups, new Set(someGroups())];
    // A folder whose groups were all deleted stays closed until it is given another one.
    folder.isRestricted = after.size > 0 || (folder.isRestricted && before.size === 0);
    folder.groups = after;
    return saveFolder(folder);
  },
  'All Users switched': async () => {
    model.allUsersGrants = isLikely();
    const settings = await ask('AppSettings/GetAppSettings');
    const enableallusersgrp = model.allUsersGrants ? 'True' : 'False';
    return ask('AppSettings/SaveAppSettings', { appsettings: { ...settings, enableallusersgrp } });
  },
  'a group deleted': async () => {
    const GroupId = oneOf(model.groups);
    await ask('Group/DeleteSecurityGroup', { group: await ask('Group/GetSecurityGroupById', { GroupId }) });
    dropGroup(model, GroupId);
    await addGroup();
  },
  'a user deleted': async () => {
    const user = oneOf(model.users);
    await ask('Contact/DeleteContact', { user: await ask('Contact/GetContactById', { ContactId: user.id }) });
    dropUser(model, user);
    expect((await sessions.get(user.id)?.call('Session/CheckSession'))?.json).toMatchObject({ ErrorCode: 101 });
    await addUser();
  },
};

/** Tenants of the rows that a user gets, or undefined where the report is refused. */
async function seenTenants(session: SignedIn): Promise<unknown> {
  const Report = tableReport(app, 'sales', ['id', 'tenant']);
  const sent = { Reportobj: { Report }, cacheok: below(2) === 0 };
  const reply = record.parse((await session.call('Report/GetReportData', sent)).json);
  if (reply.HasError !== false) {
    expect(reply.ErrorMessage).toContain('You have no role on the application');
    return undefined;
  }
  const seen = new Set(
    z
      .array(record)
      .parse(reply.Data)
      .map(({ tenant }) => tenant),
  );
  return tenants.filter((tenant) => seen.has(tenant));
}

async function seenFolders(session: SignedIn): Promise<string[]> {
  const { text } = await session.call('library/GetAllLibraryTree', { includePersonal: false });
  return model.folders
    .map(({ name }) => name)
    .filter((name) => text.includes(JSON.stringify(name)))
    .sort();
}

/** Compares what a user sees with what the oracle tells. */
async function check(user: ModelUser, after: string): Promise<void> {
  const session = sessions.get(user.id);
  if (!session) throw new Error(`${user.name} has no session`);
  expect(await seenTenants(session), `rows of ${user.name} after ${after}`).toEqual(visibleTenants(model, user));
  const folders = await seenFolders(session);
  expect(folders, `folders of ${user.name} after ${after}`).toEqual(visibleFolderNames(model, user));
}

beforeAll(async () => {
  const file = path.join(folderOfFiles, 'sales.sqlite');
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE sales (id INTEGER, tenant TEXT)');
  const insert = database.prepare('INSERT INTO sales VALUES (?, ?)');
  for (const [index, tenant] of tenants.entries()) insert.run(index, tenant);
  database.close();
  server = await startServer();
  admin = await server.login('admin', server.adminPassword);
  app = await registerServer(admin, 'sales', 'sqlite', { DatabaseName: file });
  await registerTable(admin, app, { name: 'sales', columns: { id: 'num', tenant: 'cha' } });
  templates = {
    user: await ask('Contact/NewContact'),
    group: await ask('Group/NewSecurityGroup'),
    tag: await ask('DataTag/NewDataTag'),
    policy: record.parse((await admin.call('Shield/NewPolicy')).json),
    folder: await ask('library/NewLibraryFolder'),
  };
  for (let count = 0; count < 3; count += 1) await addGroup();
  for (let count = 0; count < 4; count += 1) await addUser();
  for (const label of ['site', 'region']) {
    const values = { byUser: new Map<string, string>(), byGroup: new Map<string, string>() };
    const tag: ModelTag = { id: '', label, isActive: true, fallback: '', ...values };
    model.tags.push(tag);
    await saveTag(tag);
  }
  for (const label of ['site', 'tag1']) {
    const policy: ModelPolicy = { id: '', isActive: true, label, groups: new Set(), users: new Set() };
    model.policies.push(policy);
    await savePolicy(policy);
  }
  let parent: ModelFolder | undefined;
  for (const name of ['Outer folder', 'Inner folder', 'Innermost folder']) {
    const own = { groups: new Set<string>(), isRestricted: false };
    const folder: ModelFolder = { id: '0', name, parent, inherits: true, ...own };
    model.folders.push(folder);
    await saveFolder(folder);
    parent = folder;
  }
}, 60_000);

afterAll(async () => {
  await server.stop();
  rmSync(folderOfFiles, { recursive: true });
});

it('a policy on a group restricts a member who is signed in before becoming one', async () => {
  const [user] = model.users;
  const [GroupId] = model.groups;
  const [policy] = model.policies;
  if (!user || !GroupId || !policy) throw new Error('missing');
  await check(user, 'the start');
  expect(visibleTenants(model, user)).toEqual(tenants);
  user.tag1 = 'South';
  await saveUser(user);
  policy.label = 'tag1';
  policy.groups.add(GroupId);
  await savePolicy(policy);
  user.groups.set(GroupId, '2');
  await admin.call('Group/AddUser', { GroupId, ContactId: user.id, RoleId: '2' });
  expect(visibleTenants(model, user)).toEqual(['South']);
  await check(user, 'the restriction');
});

it('no open session sees rows or folders by rights that were', { timeout: soakSize(120_000, 3_600_000) }, async () => {
  const names = Object.keys(kinds);
  const outcomes = { all: 0, some: 0, none: 0, refused: 0 };
  for (let count = 0; count < changes; count += 1) {
    const name = oneOf(names);
    await kinds[name]?.();
    for (const user of model.users) {
      await check(user, `change ${count}, ${name}`);
      const seen = visibleTenants(model, user);
      if (seen === undefined) outcomes.refused += 1;
      else outcomes[seen.length === 0 ? 'none' : seen.length < tenants.length ? 'some' : 'all'] += 1;
    }
  }
  // Each of them happened often enough to say something.
  const words = Object.entries(outcomes)
    .map(([outcome, count]) => `${outcome} ${count}`)
    .join(', ');
  expect(Math.min(...Object.values(outcomes)), words).toBeGreaterThan(changes / 10);
  figure('E2', `${changes} changes in mid-session (rows: ${words}): 0 differences`);
});
