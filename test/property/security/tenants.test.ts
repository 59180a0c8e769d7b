import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import { type Registered, registerServer, registerTable, tableReport } from '../../support/databases/livePlatforms.ts';
import { figure } from '../../support/run/figure.ts';
import { type SignedIn, startServer, type TestServer } from '../../support/server.ts';
import { soakSize } from '../../support/run/soakSize.ts';
import { change, deals, policy, registeredTypes } from '../../support/tenants/tenantChanges.ts';
import {
  type Change,
  type Deal,
  type DealColumn,
  type DealTable,
  groups,
  namesCompany,
  permitted,
  type TenantState,
  users,
} from '../../support/tenants/tenantModel.ts';

/*
 * Two users of one server, signed in once, while an administrator and they themselves change groups, tags, profiles and policies.
 * After each change each of them runs a report: it has the rows that a model of row security permits, and every figure in it is
 * that of a report without policies over these rows.
 */

type Json = Record<string, unknown>;
const record = z.record(z.string(), z.unknown());
const folder = mkdtempSync(path.join(tmpdir(), 'tenants-'));
const password = 'a password of twelve';
const typesOfEach = 8;

let server: TestServer;
let admin: SignedIn;
const signedIn: SignedIn[] = [];
const userIds: string[] = [];
const groupIds: string[] = [];
let tagId: unknown;
let templates: { policy: Json; tag: Json };

/** A table of its own for each set of types, since a policy is refused where any report type disagrees with the database. */
const nameOf = (index: number) => `deals${index}`;

interface Place {
  app: Registered;
  reportType: string;
  table: DealTable;
}
const places: Place[] = [];

/** The same in every run, unlike what fast-check draws for a property. */
const draw = <T>(arbitrary: fc.Arbitrary<T>, count: number): T[] =>
  fc.sample(arbitrary, { numRuns: count, seed: fc.readConfigureGlobal()?.seed });

const literal = (value: string | number | null) =>
  value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
const insert = (name: string, rows: readonly Deal[]) =>
  `INSERT INTO ${name} VALUES ${rows
    .map(({ id, tenant, code, released, sold, amount }) => [id, tenant, code, released, sold, amount].map(literal))
    .map((values) => `(${values.join(', ')})`)
    .join(', ')}`;

const engines: Record<string, { vague: DealColumn[]; write: (file: string, statements: string[]) => Promise<void> }> = {
  duckdb: {
    vague: [],
    write: async (file, statements) => {
      const instance = await DuckDBInstance.create(file);
      const connection = await instance.connect();
      for (const sql of statements) await connection.run(sql);
      connection.closeSync();
      instance.closeSync();
    },
  },
  // SQLite has no dates of its own.
  sqlite: {
    vague: ['sold'],
    write: async (file, statements) => {
      const database = new DatabaseSync(file);
      database.exec(statements.join(';'));
      database.close();
    },
  },
};

async function ask(endpoint: EndpointPath, body: Json = {}): Promise<Json> {
  return record.parse((await admin.call(endpoint, body)).json);
}

beforeAll(async () => {
  server = await startServer({ allowOldEngines: true });
  admin = await server.login('admin', server.adminPassword);
  const columns = 'id BIGINT, tenant VARCHAR(40), code VARCHAR(40), released VARCHAR(40), sold DATE, amount BIGINT';
  const tables = draw(deals, typesOfEach);
  for (const [engine, { vague, write }] of Object.entries(engines)) {
    const file = path.join(folder, `deals.${engine}`);
    const statements = tables.flatMap((rows, index) => [
      `CREATE TABLE ${nameOf(index)} (${columns})`,
      insert(nameOf(index), rows),
    ]);
    await write(file, statements);
    const app = await registerServer(admin, engine, engine, { DatabaseName: file });
    for (const [index, types] of draw(registeredTypes, typesOfEach).entries()) {
      const rows = tables[index] ?? [];
      const table = { name: nameOf(index), columns: types };
      places.push({ app, reportType: await registerTable(admin, app, table), table: { rows, types, vague } });
    }
  }
  templates = { policy: await ask('Shield/NewPolicy'), tag: await ask('DataTag/NewDataTag') };
  for (const each of groups) {
    const group = { ...(await ask('Group/NewSecurityGroup')), GroupName: `Group ${each}` };
    groupIds.push(String((await ask('Group/SaveSecurityGroup', { group })).GroupId));
  }
  const applications = [...new Set(places.map(({ app }) => app.moduleId))];
  const UserApplications = applications.map((id) => ({ ApplicationID: id, ApplicationRoleID: '7' }));
  for (const each of users) {
    const user = { ...(await ask('Contact/NewContact')), LoginName: `user${each}`, Pin: password, UserApplications };
    userIds.push(String((await ask('Contact/SaveContact', { withpin: true, user })).ID));
    signedIn.push(await server.login(`user${each}`, password));
  }
}, 60_000);

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

async function saveUser(who: number, fields: Json): Promise<void> {
  const user = await ask('Contact/GetContactById', { ContactId: userIds[who] });
  const saved = await ask('Contact/SaveContact', { withpin: false, user: { ...user, ...fields } });
  expect(saved).toMatchObject({ ErrorCode: 0 });
}

const noPolicy = async () => {
  for (const stored of z.array(record).parse((await admin.call('Shield/GetAllShieldPolicies')).json))
    await admin.call('Shield/DeletePolicy', { policy: stored });
};

/** Puts everything back to what no case has changed. */
async function fresh(): Promise<TenantState> {
  await noPolicy();
  for (const who of users) {
    for (const each of groups)
      await admin.call('Group/RemoveUser', { GroupId: groupIds[each], ContactId: userIds[who] });
    await saveUser(who, { Company: '', Tag1: '', SelfSetFields: [] });
  }
  const state: TenantState = {
    roles: users.map(() => groups.map(() => undefined)),
    tag: { users: [], groups: [], fallback: '' },
    company: users.map(() => ({ value: '', isSelfSet: false })),
    tag1: users.map(() => ''),
    policy: undefined,
  };
  await make({ kind: 'tag', values: state.tag }, state, '');
  return state;
}

/** Carries a change out, on the server and in the model. @returns whether the server took it. */
async function make(wanted: Change, state: TenantState, table: string): Promise<boolean> {
  switch (wanted.kind) {
    case 'join':
    case 'leave': {
      const { user, group } = wanted;
      const body = { GroupId: groupIds[group], ContactId: userIds[user] };
      if (wanted.kind === 'join') await admin.call('Group/AddUser', { ...body, RoleId: wanted.role });
      else await admin.call('Group/RemoveUser', body);
      const roles = state.roles[user];
      if (roles) roles[group] = wanted.kind === 'join' ? wanted.role : undefined;
      return true;
    }
    case 'tag': {
      const entries = (ids: string[], values: (string | undefined)[]) =>
        ids.flatMap((RightID, index) =>
          values[index] ? { RightID, RelationType: 'tag_grp', Option1: values[index] } : [],
        );
      const datatag = {
        ...templates.tag,
        ...{ ID: tagId ?? '', Label: 'region', isGroup: true, isUser: true, DefaultValue: wanted.values.fallback },
        SecurityGroups: entries(groupIds, wanted.values.groups),
        Contacts: entries(userIds, wanted.values.users),
      };
      const saved = await ask('DataTag/SaveDataTag', { datatag });
      expect(saved).toMatchObject({ ErrorCode: 0 });
      tagId = saved.ID;
      state.tag = wanted.values;
      return true;
    }
    case 'ownCompany': {
      const { user: who, value } = wanted;
      const user = await ask('Contact/GetContactById', { ContactId: userIds[who] });
      const reply = await signedIn[who]?.call('Contact/SaveMYContact', {
        withpin: false,
        user: { ...user, Company: value, SelfSetFields: [] },
      });
      const isChange = state.company[who]?.value !== value;
      // What decides the rows of a policy is for administrators to say.
      const isRefused = isChange && namesCompany(state);
      expect(record.parse(reply?.json).ErrorCode).toBe(isRefused ? 9001 : 0);
      if (isChange && !isRefused) state.company[who] = { value, isSelfSet: true };
      return !isRefused;
    }
    case 'company': {
      const { user: who, value, confirms } = wanted;
      await saveUser(who, { Company: value, ...(confirms && { SelfSetFields: [] }) });
      const before = state.company[who];
      const isSelfSet = !confirms && before?.value === value && before.isSelfSet;
      state.company[who] = { value, isSelfSet };
      return true;
    }
    case 'tag1':
      await saveUser(wanted.user, { Tag1: wanted.value });
      state.tag1[wanted.user] = wanted.value;
      return true;
    case 'noPolicy':
      await noPolicy();
      state.policy = undefined;
      return true;
    case 'policy': {
      const next = wanted.policy;
      await noPolicy();
      state.policy = undefined;
      const sent = {
        ...templates.policy,
        ...{ Name: 'Own deals', isActive: next.isActive, Groups: [], Users: [] },
        Constraints: next.constraints.map((each) => ({ TableName: table, ...each })),
      };
      const assigned = (ids: string[], flags: boolean[]) => ids.filter((_, index) => flags[index]);
      const saved = await ask('Shield/SaveShieldPolicy', {
        ...{ policy: sent, isDeepSave: true },
        ...{ groups: assigned(groupIds, next.groups), users: assigned(userIds, next.users) },
      });
      if (saved.ErrorCode !== '0') {
        expect(String(saved.ErrorCode)).toMatch(/^900[01]$/);
        return false;
      }
      state.policy = next;
      return true;
    }
  }
}

async function run(as: SignedIn, Report: object): Promise<Json> {
  const reply = record.parse((await as.call('Report/GetReportData', { Reportobj: { Report }, cacheok: true })).json);
  return { HasError: reply.HasError, ErrorMessage: reply.ErrorMessage, Data: reply.Data };
}

const idsOf = ({ Data }: Json): number[] =>
  z
    .array(z.looseObject({ id: z.number() }))
    .parse(Data)
    .map(({ id }) => id)
    .toSorted((one, other) => one - other);

const sorted = ({ HasError, Data }: Json) => ({
  HasError,
  Data: z
    .array(z.unknown())
    .parse(Data)
    .map((row) => JSON.stringify(row))
    .toSorted(),
});

/** A report with figures over groups, and the same over these rows alone. */
function grouped(place: Place, only?: readonly number[]) {
  const report = tableReport(place.app, place.reportType, ['tenant', 'id', 'amount']);
  const within = { Index: 0, Op: 'in', Value1: (only ?? []).join(','), Value2: '', Logical: 'AND' };
  const [tenant, id, amount] = report.FieldList;
  return {
    ...report,
    FieldList: [
      tenant,
      { ...id, strGroup: 'COUNT' },
      { ...amount, strGroup: 'COUNT' },
      { ...id, fieldindex: -1, RenamedField: 'only', Criteria: only ? [within] : [] },
    ],
  };
}

const firstChange = policy.map((each): Change => ({ kind: 'policy', policy: each }));
const today = () => new Date().toISOString().slice(0, 10);

it('give every user the rows that the last change permits, in sessions that stay open', async () => {
  const counts = { cases: 0, narrowed: 0, refused: 0, closed: 0 };
  const sequence = fc.tuple(
    fc.nat(2 * typesOfEach - 1),
    fc.tuple(firstChange, fc.array(change, { minLength: 9, maxLength: 9 })),
  );
  await fc.assert(
    fc.asyncProperty(sequence, async ([at, [first, changes]]) => {
      const place = places[at];
      if (!place) throw new Error('No such place');
      const state = await fresh();
      for (const each of [first, ...changes]) {
        if (!(await make(each, state, nameOf(at % typesOfEach)))) counts.refused += 1;
        for (const who of users) {
          const as = signedIn[who];
          if (!as) throw new Error('Not signed in');
          const day = today();
          const reply = await run(as, tableReport(place.app, place.reportType, ['id']));
          const allowed = permitted(state, who, place.table, day);
          if (day !== today()) continue;
          expect(reply.HasError, JSON.stringify(reply.ErrorMessage)).toBe(false);
          const seen = idsOf(reply);
          expect(allowed, `${JSON.stringify({ each, who, state, types: place.table.types })}`).toContainEqual(seen);
          counts.cases += 1;
          if (seen.length === 0) counts.closed += 1;
          else if (seen.length < place.table.rows.length) {
            counts.narrowed += 1;
            expect(sorted(await run(as, grouped(place)))).toEqual(sorted(await run(admin, grouped(place, seen))));
          }
        }
      }
    }),
    { numRuns: soakSize(12, 500) },
  );
  // The model says nothing if policies hid everything or nothing.
  expect(counts.narrowed).toBeGreaterThan(counts.cases / 20);
  figure(
    'E2, E12',
    `${counts.cases} reports after changes in open sessions: 0 differences; ${counts.narrowed} with some of the rows, ${counts.closed} with none, ${counts.refused} changes refused`,
  );
});
