import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import { policyConstraint, type PolicyConstraint } from '../../../src/server/security/policyConstraint.ts';
import {
  type Registered,
  registerServer,
  registerTable,
  served,
  tableReport,
} from '../../support/databases/livePlatforms.ts';
import { runOnTrino, sharedTrino, trinoSchema } from '../../support/databases/trinoPlatform.ts';
import type { SharedTrino } from '../../support/databases/trinoSetup.ts';
import type { Tags } from '../../support/reports/policyOracle.ts';
import { figure } from '../../support/run/figure.ts';
import { propertyRuns } from '../../support/run/soakSize.ts';
import { makeNativeShop, type NativeShop } from '../../support/security/nativeShop.ts';
import { type SignedIn, startServer, type TestServer } from '../../support/server.ts';

/*
 * Users read a PostgreSQL through catalogs of Trino, behind policies of the server. What they see is compared with what
 * PostgreSQL shows to a role of theirs, behind policies of its own on the same tables. PROPERTY_RUNS is the number of
 * reports.
 */

const password = 'a long enough passphrase 1';
const users: Readonly<Record<string, Tags>> = {
  ann: { tenant: ['North'] },
  bob: { tenant: ['North', 'South'] },
  cid: { tenant: ['50%_'] },
  dee: { tenant: [] },
};
/** Groups by the value that the tag `tenant` has there. */
const groups = new Map<string, string>();
const columns = { id: 'num', store: 'num', tenant: 'cha', pieces: 'num', sold_on: 'doz' } as const;

let trino: SharedTrino | undefined;
let schema: string;
let shop: NativeShop;
let server: TestServer;
let admin: SignedIn;
const signedIn = new Map<string, SignedIn>();
let apps: { lake: Registered; own: Registered; mirror: Registered };

const record = z.record(z.string(), z.unknown());
const ask = async (endpoint: EndpointPath, body: object = {}) => record.parse((await admin.call(endpoint, body)).json);

beforeAll(async () => {
  trino = await sharedTrino();
  const [lake, behind] = [await trinoSchema(), await trinoSchema('postgresql')];
  if (!trino || !lake || !behind) return;
  schema = behind.database.replace('postgresql.', '');
  shop = await makeNativeShop(trino.postgresql, schema, users);
  await runOnTrino(lake, [`CREATE VIEW lake_sales AS SELECT * FROM postgresql.${schema}.sales`]);
  server = await startServer();
  admin = await server.login('admin', server.adminPassword);
  const on = (name: string, database: string) =>
    registerServer(admin, name, 'trino', { ...served('trino', { ...lake, database }).regserver, CommandTimeout: 60 });
  apps = {
    lake: await on('lake', lake.database),
    own: await on('own', behind.database),
    mirror: await on('mirror', `mirror.${schema}`),
  };
  await registerTypes();
  await makeUsers();
}, 600_000);
afterAll(async () => {
  await server?.stop();
  await shop?.stop();
});
beforeEach(({ skip }) => skip(!trino, 'Trino could not be installed'));

/** Names under which the rows of `sales` are read, by the application that reads them. */
const ways = () =>
  [
    ['lake', `postgresql.${schema}`, 'sales'],
    ['lake', ` POSTGRESQL . "${schema.toUpperCase()}"`, 'SALES'],
    ['own', '', 'sales'],
    ['mirror', '', 'sales'],
    ['own', schema, 'seen_sales'],
    ['mirror', '', 'kept_sales'],
    ['lake', '', 'lake_sales'],
  ] as const;
/** Names under which they are closed, because no policy names them. */
const closedWays = () =>
  [
    ['own', '', 'all_sales'],
    ['lake', '', `TABLE(postgresql.system.query(query => 'SELECT * FROM "${schema}".sales'))`],
    ['own', '', 'sales$data'],
    ['own', 'pg_catalog', 'pg_stats'],
    ['own', 'information_schema', 'columns'],
    ['lake', 'system.runtime', 'queries'],
  ] as const;

// Names of report types lose blanks around them.
const typeOf = (tableowner: string, name: string) => `type of ${tableowner} ${name}.`;

async function registerTypes(): Promise<void> {
  for (const [app, tableowner, name] of [...ways(), ...closedWays()])
    await registerTable(admin, apps[app], { name, owner: tableowner, columns, as: typeOf(tableowner, name) });
  const field = (id: number, tablealias: string, sqlfieldname: string, datatype: string) => ({
    ...{ id, idx_order: id, flevel: '0', nodetype: 'F', tablealias, sqlfieldname, datatype },
    fname: `${tablealias} ${sqlfieldname}`,
  });
  const joined = {
    ...{ Moduleid: Number(apps.lake.moduleId), RepTypeID: 0, RepTypeName: 'joined' },
    SQLTables: [
      { tablename: 'sales', tableowner: `postgresql.${schema}`, tablealias: 's' },
      { tablename: 'stores', tableowner: `mirror.${schema}`, tablealias: 't' },
    ],
    Joins: [{ kind: 'left', leftAlias: 's', leftColumn: 'store', rightAlias: 't', rightColumn: 'id' }],
    FieldTree: [field(1, 's', 'id', 'num'), field(2, 't', 'region', 'cha')],
  };
  const saved = await admin.call('AppBuilder/SaveAnyDbModule', { anydbmodule: { ReportTypes: [joined] } });
  expect(saved.json).toBe(1);
}

async function makeUsers(): Promise<void> {
  const UserApplications = Object.values(apps).map(({ moduleId }) => ({
    ...{ ApplicationID: moduleId, ApplicationRoleID: '6' },
  }));
  const contacts = new Map<string, string>();
  for (const LoginName of Object.keys(users)) {
    const user = { ...(await ask('Contact/NewContact')), LoginName, Pin: password, UserApplications };
    contacts.set(LoginName, String((await ask('Contact/SaveContact', { withpin: true, user })).ID));
  }
  for (const tenant of new Set(Object.values(users).flatMap((tags) => tags.tenant ?? []))) {
    const group = { ...(await ask('Group/NewSecurityGroup')), GroupName: `group of ${tenant}` };
    const GroupId = String((await ask('Group/SaveSecurityGroup', { group })).GroupId);
    groups.set(tenant, GroupId);
    for (const [name, tags] of Object.entries(users)) {
      const ContactId = contacts.get(name);
      if (tags.tenant?.includes(tenant)) await admin.call('Group/AddUser', { GroupId, ContactId, RoleId: '2' });
    }
  }
  const SecurityGroups = [...groups].map(([Option1, RightID]) => ({ RightID, RelationType: 'tag_grp', Option1 }));
  const datatag = { ...(await ask('DataTag/NewDataTag')), Label: 'tenant', isGroup: true, SecurityGroups };
  expect(await ask('DataTag/SaveDataTag', { datatag })).toMatchObject({ ErrorCode: 0 });
  for (const name of Object.keys(users)) signedIn.set(name, await server.login(name, password));
  contactIds.push(...contacts.values());
}
const contactIds: string[] = [];

/** A constraint that can be saved: one whose comparison is certain. */
const onTexts = (column: string) => ({
  ColumnName: fc.constant(column),
  Operator: fc.constantFrom('=', '<>', 'in', 'not in', 'like'),
  Value: fc.constantFrom('/#tenant#/', '/#tenant#/', 'North', 'N%', '50%_', '_outh', 'North,South', "it's"),
});
const onOrdered = (column: string, values: readonly string[]) => ({
  ColumnName: fc.constant(column),
  Operator: fc.constantFrom('=', '<>', '<', '<=', '>', '>=', 'between', 'in', 'not in'),
  Value: fc.constantFrom(...values),
  Value2: fc.constantFrom(...values),
});
const days = ['2026-02-01', '2026-02-28', '2026-03-18'];
const constraintOn = (table: string, choices: readonly Record<string, fc.Arbitrary<string>>[]) =>
  fc
    .oneof(...choices.map((choice) => fc.record({ ...choice, Logical: fc.constantFrom('AND', 'OR') })))
    .map((constraint) => policyConstraint.parse({ ...constraint, TableName: table }));
const policy = fc
  .record({
    sales: fc.array(
      constraintOn('sales', [
        onTexts('tenant'),
        onTexts('tenant'),
        onOrdered('pieces', ['-7', '2', '5']),
        onOrdered('sold_on', days),
      ]),
      { minLength: 1, maxLength: 3 },
    ),
    stores: fc.array(constraintOn('stores', [onTexts('region'), onOrdered('id', ['1', '2'])]), { maxLength: 1 }),
  })
  .map(({ sales, stores }) => [...sales, ...stores]);
const draw = fc.record({
  policies: fc.array(policy, { minLength: 1, maxLength: 2 }),
  isOfOneApplication: fc.boolean(),
  isOwnerNamed: fc.boolean(),
});

/** Puts policies of the server in place of others; those of `sales` also name its views. */
async function restrictServer(
  policies: readonly (readonly PolicyConstraint[])[],
  { isOfOneApplication, isOwnerNamed }: { isOfOneApplication: boolean; isOwnerNamed: boolean },
): Promise<void> {
  for (const each of z.array(record).parse((await admin.call('Shield/GetAllShieldPolicies')).json))
    await admin.call('Shield/DeletePolicy', { policy: each });
  const ModuleID = isOfOneApplication ? apps.lake.moduleId : '';
  for (const [index, constraints] of policies.entries()) {
    const named = (names: readonly string[]) =>
      names.flatMap((TableName) =>
        constraints
          .filter((constraint) => constraint.TableName === (TableName === 'stores' ? 'stores' : 'sales'))
          .map((constraint) => ({
            ...constraint,
            ...{ ModuleID, TableName, TableOwner: isOwnerNamed && TableName !== 'lake_sales' ? schema : '' },
          })),
      );
    const Constraints = named(['sales', 'stores', 'seen_sales', 'kept_sales', 'lake_sales']);
    const template = await ask('Shield/NewPolicy');
    const sent = { ...template, Name: `Policy ${index}`, isActive: true, Constraints, Groups: [], Users: [] };
    const body = { policy: sent, isDeepSave: true, groups: [], users: contactIds };
    expect(await ask('Shield/SaveShieldPolicy', body)).toMatchObject({ ErrorCode: '0' });
  }
}

/** What PostgreSQL itself shows to a user. */
const native = async (name: string, sql: string) => comparable(await shop.rows(name, sql));

const cell = z.union([z.string(), z.number().transform(String), z.null()]);
const comparable = (rows: readonly (readonly unknown[])[]) =>
  rows.map((row) => JSON.stringify(z.array(cell).parse(row))).toSorted();

let reports = 0;

/** What a report of a user shows, or `closed` where a policy closes it. */
async function shown(
  name: string,
  Report: { FieldList: readonly { RenamedField: string }[] },
): Promise<string[] | string> {
  reports += 1;
  const reply = await signedIn.get(name)?.call('Report/GetReportData', { Reportobj: { Report } });
  const { HasError, ErrorMessage, Data } = record.parse(reply?.json);
  if (HasError) return /a policy restricts/.test(String(ErrorMessage)) ? 'closed' : String(ErrorMessage);
  return comparable(
    z
      .array(record)
      .parse(Data)
      .map((row) => Report.FieldList.map((each) => row[each.RenamedField] ?? null)),
  );
}

const plainReport = (
  [app, tableowner, name]: readonly ['lake' | 'own' | 'mirror', string, string],
  names: readonly string[],
) => tableReport(apps[app], typeOf(tableowner, name), names);

/** Tenants with the sum of their pieces and the number of their rows. */
function sums() {
  const report = plainReport(['own', '', 'sales'], ['tenant', 'pieces', 'id']);
  const aggregates = ['', 'SUM', 'COUNT'];
  return { ...report, FieldList: report.FieldList.map((each, at) => ({ ...each, strGroup: aggregates[at] })) };
}

function joined() {
  const report = tableReport(apps.lake, 'joined', ['id', 'region']);
  return {
    ...report,
    FieldList: report.FieldList.map((each, at) => ({ ...each, DbTableAlias: at === 0 ? 's' : 't' })),
  };
}

/** What a prompt on the tenant offers. */
async function choices(name: string): Promise<string[]> {
  reports += 1;
  const Report = plainReport(['own', '', 'sales'], ['tenant', 'id']);
  const PromptField = { ...Report.FieldList[0], Criteria: [{ Index: 1, Op: '=', bprompt: true }] };
  const body = { Reportobj: { Report }, Prompt: { PromptField } };
  const { json } = (await signedIn.get(name)?.call('Report/GetFieldValues', body)) ?? {};
  return comparable(
    z
      .array(record)
      .parse(json)
      .map(({ val }) => [val]),
  );
}

async function compare(name: string, hasStores: boolean): Promise<number> {
  const rows = await native(name, `SELECT ${Object.keys(columns).slice(0, 4).join(', ')} FROM sales`);
  expect(await native(name, `SELECT ${Object.keys(columns).slice(0, 4).join(', ')} FROM seen_sales`)).toEqual(rows);
  const found = await Promise.all(ways().map((way) => shown(name, plainReport(way, Object.keys(columns).slice(0, 4)))));
  for (const [index, each] of found.entries()) expect(each, `${name}: ${ways()[index]?.join(' ')}`).toEqual(rows);
  const closed = await Promise.all(closedWays().map((way) => shown(name, plainReport(way, ['id']))));
  expect(closed, name).toEqual(closedWays().map(() => 'closed'));
  const grouped = 'SELECT tenant, sum(pieces), count(id) FROM sales GROUP BY tenant';
  expect(await shown(name, sums()), name).toEqual(await native(name, grouped));
  const both = 'SELECT s.id, t.region FROM sales s LEFT JOIN stores t ON s.store = t.id';
  expect(await shown(name, joined()), name).toEqual(hasStores ? await native(name, both) : 'closed');
  const tenants = 'SELECT DISTINCT tenant FROM sales WHERE tenant IS NOT NULL';
  expect(await choices(name), name).toEqual(await native(name, tenants));
  return rows.length;
}

describe('a database behind catalogs of Trino', () => {
  it('shows each user the rows that its own policies show', async () => {
    const wanted = propertyRuns(15, 5000);
    const perDraw = 2 * (ways().length + closedWays().length + 3);
    let narrowed = 0;
    let draws = 0;
    await fc.assert(
      fc.asyncProperty(
        draw,
        fc.shuffledSubarray(Object.keys(users), { minLength: 2, maxLength: 2 }),
        async (drawn, who) => {
          draws += 1;
          await restrictServer(drawn.policies, drawn);
          await shop.restrict(drawn.policies);
          const hasStores = drawn.policies.every((each) => each.some(({ TableName }) => TableName === 'stores'));
          for (const name of who) {
            const count = await compare(name, hasStores);
            narrowed += Number(count > 0 && count < 12);
          }
        },
      ),
      { numRuns: Math.ceil(wanted / perDraw) },
    );
    // Policies that show everything or nothing compare little.
    expect(narrowed).toBeGreaterThan(draws / 3);
    figure('row security', `Trino on PostgreSQL: ${draws} random policies, ${reports} reports: 0 differences`);
  }, 3_600_000);
});
