import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type Registered,
  registerServer,
  registerTable,
  served,
  tableReport,
} from '../../../support/databases/livePlatforms.ts';
import type { DatabaseServer } from '../../../support/databases/serverProcess.ts';
import { runOnTrino, sharedTrino, trinoSchema } from '../../../support/databases/trinoPlatform.ts';
import type { SharedTrino } from '../../../support/databases/trinoSetup.ts';
import { isFull } from '../../../support/run/soakSize.ts';
import { type SignedIn, startServer, type TestServer } from '../../../support/server.ts';

/* One registered server of Trino shows all catalogs: tables of other catalogs are owned by `catalog.schema`. */

let trino: SharedTrino | undefined;
let memory: DatabaseServer;
/** Schema of PostgreSQL, which the catalogs `postgresql` and `mirror` show. */
let schema: string;
let server: TestServer;
let admin: SignedIn;
/** Applications by the default catalog of their server. */
const apps = new Map<string, Registered>();

beforeAll(async () => {
  trino = await sharedTrino();
  const [own, behind] = [await trinoSchema(), await trinoSchema('postgresql')];
  if (!trino || !own || !behind) return;
  memory = own;
  schema = behind.database.replace('postgresql.', '');
  const { login: user, ...rest } = trino.postgresql;
  const client = new pg.Client({ ...rest, user });
  await client.connect();
  await client.query(`CREATE TABLE "${schema}".clerks (id integer, tenant text);
    INSERT INTO "${schema}".clerks VALUES (7, 'North'), (8, 'South')`);
  await client.end();
  await runOnTrino(memory, [
    'CREATE TABLE sales (id integer, tenant varchar, clerk integer)',
    `INSERT INTO sales VALUES (1, 'North', 7), (2, 'South', 8), (3, 'North', 8)`,
    `CREATE VIEW shown AS SELECT id, tenant FROM postgresql.${schema}.clerks`,
  ]);
  server = await startServer();
  admin = await server.login('admin', server.adminPassword);
  for (const database of [memory.database, `postgresql.${schema}`, 'postgresql', '']) {
    const { regserver } = served('trino', { ...memory, database });
    apps.set(
      database,
      await registerServer(admin, `on catalog ${database}:`, 'trino', { ...regserver, CommandTimeout: 60 }),
    );
  }
}, 300_000);
afterAll(async () => {
  await server?.stop();
});
beforeEach(({ skip }) => skip(!trino, 'Trino could not be installed'));

afterEach(() => (trino ? restrictTo(undefined) : undefined));

const record = z.record(z.string(), z.unknown());
const rowList = z.array(record);

function appOn(database: string): Registered {
  const app = apps.get(database);
  if (!app) throw new Error(`No server has the catalog ${database}`);
  return app;
}

async function restrictTo(constraint: object | undefined): Promise<void> {
  for (const policy of rowList.parse((await admin.call('Shield/GetAllShieldPolicies')).json))
    await admin.call('Shield/DeletePolicy', { policy });
  if (!constraint) return;
  const template = record.parse((await admin.call('Shield/NewPolicy')).json);
  const Constraints = [{ ColumnName: 'tenant', Operator: '=', Value: 'North', ...constraint }];
  const policy = { ...template, Name: 'Own rows', isActive: true, Constraints, Groups: [], Users: [] };
  const saved = await admin.call('Shield/SaveShieldPolicy', { policy, isDeepSave: true, groups: [], users: ['1'] });
  expect(saved.json).toMatchObject({ ErrorCode: '0' });
}

async function run(app: Registered, reportType: string, columns: readonly string[]) {
  const Report = tableReport(app, reportType, columns);
  return record.parse((await admin.call('Report/GetReportData', { Reportobj: { Report } })).json);
}

const registered = new Set<string>();

/** The ids that a report of a table shows, or `closed` where a policy closes it, or another error. */
async function idsOf(database: string, owner: string, name: string): Promise<number[] | string> {
  const app = appOn(database);
  const as = `type of ${owner} ${name}.`;
  const key = `${database} ${as}`;
  if (!registered.has(key)) await registerTable(admin, app, { name, owner, columns: { id: 'num', tenant: 'cha' }, as });
  registered.add(key);
  const { Data, ErrorMessage, HasError } = await run(app, as, ['id']);
  if (HasError) return /a policy restricts/.test(String(ErrorMessage)) ? 'closed' : String(ErrorMessage);
  return rowList
    .parse(Data)
    .map(({ id }) => Number(id))
    .toSorted();
}

/** What each place shows; the reports run at the same time. */
async function allIds(places: readonly (readonly [database: string, owner: string, name: string])[]) {
  const found = await Promise.all(places.map((place) => idsOf(...place)));
  return Object.fromEntries(places.map((place, index) => [place.join(), found[index]]));
}

describe('a registered server of Trino', () => {
  it('lists the tables of all catalogs, and describes them by catalog and schema', async () => {
    const { moduleId: moduleid, serverId: regserverid } = appOn(memory.database);
    const listed = record.parse((await admin.call('AppBuilder/GetAnyDbModule', { moduleid, regserverid })).json);
    const { AllDbtables } = z.object({ AllDbtables: rowList }).parse(listed.DBSQLTableList);
    const [own = ''] = memory.database.split('.').slice(1);
    const expected = { sales: own, clerks: `postgresql.${schema}`, nation: 'tpch.tiny' };
    for (const [tablename, tableowner] of Object.entries(expected))
      expect(AllDbtables).toContainEqual({ tablename, tableowner });
    expect(AllDbtables).toContainEqual({ tablename: 'clerks', tableowner: `mirror.${schema}` });
    expect(AllDbtables.filter(({ tableowner }) => /^away|^system/.test(String(tableowner)))).toEqual([]);
    for (const tableowner of [`postgresql.${schema}`, `"postgresql"."${schema.toUpperCase()}"`]) {
      const body = { tablename: 'Clerks', tableowner, regserverid };
      const { json } = await admin.call('AppBuilder/GetTableDef', body);
      expect(rowList.parse(json).map(({ columnname }) => columnname)).toEqual(['id', 'tenant']);
    }
  }, 120_000);

  it('reports over two catalogs', async () => {
    const app = appOn(memory.database);
    const field = (id: number, tablealias: string, sqlfieldname: string, fname: string, datatype: string) => ({
      ...{ id, idx_order: id, flevel: '0', nodetype: 'F', tablealias, sqlfieldname, fname, datatype },
    });
    const reportType = {
      ...{ Moduleid: Number(app.moduleId), RepTypeID: 0, RepTypeName: 'Both' },
      SQLTables: [
        { tablename: 'sales', tableowner: '', tablealias: 's' },
        { tablename: 'clerks', tableowner: `postgresql.${schema}`, tablealias: 'c' },
      ],
      Joins: [{ kind: 'inner', leftAlias: 's', leftColumn: 'clerk', rightAlias: 'c', rightColumn: 'id' }],
      FieldTree: [field(1, 's', 'id', 'Sale', 'num'), field(2, 'c', 'tenant', 'Clerk', 'cha')],
    };
    const saved = await admin.call('AppBuilder/SaveAnyDbModule', { anydbmodule: { ReportTypes: [reportType] } });
    expect(saved.json).toBe(1);
    const report = tableReport(app, 'Both', ['id', 'tenant']);
    const aliases = ['s', 'c'];
    const FieldList = report.FieldList.map((each, index) => ({
      ...each,
      DbTableAlias: aliases[index],
      sortorder: 'asc',
    }));
    const read = async () => {
      const body = { Reportobj: { Report: { ...report, FieldList } } };
      const { ErrorMessage, ...reply } = record.parse((await admin.call('Report/GetReportData', body)).json);
      return {
        ErrorMessage,
        Data: rowList.parse(reply.Data).toSorted((one, other) => Number(one.id) - Number(other.id)),
      };
    };
    expect(await read()).toMatchObject({
      ErrorMessage: null,
      Data: [
        { id: 1, tenant: 'North' },
        { id: 2, tenant: 'South' },
        { id: 3, tenant: 'South' },
      ],
    });
    // A policy on one of the tables closes the other one.
    await restrictTo({ TableName: 'clerks', TableOwner: `postgresql.${schema}` });
    expect((await read()).ErrorMessage).toMatch(/a policy restricts/);
  });
});

describe('row security of a table in a catalog', () => {
  const spellings = (): [database: string, owner: string, name: string][] => [
    [memory.database, `postgresql.${schema}`, 'clerks'],
    [memory.database, `POSTGRESQL.${schema.toUpperCase()}`, 'CLERKS'],
    [memory.database, `"postgresql"."${schema}"`, 'clerks'],
    [memory.database, ` postgresql . ${schema} `, 'Clerks'],
    [`postgresql.${schema}`, '', 'clerks'],
    [`postgresql.${schema}`, schema, 'clerks'],
    [`postgresql.${schema}`, `postgresql.${schema}`, 'clerks'],
    ['postgresql', schema, 'clerks'],
    ['', `postgresql.${schema}`, 'clerks'],
  ];
  let turn = 0;
  /** Each query on Trino takes much of the processor: outside `npm run soak`, each case takes a third of the spellings in turn. */
  const someSpellings = () => {
    turn += 1;
    return spellings().filter((_, index) => isFull || index % 3 === turn % 3);
  };
  const mirrored = (): [database: string, owner: string, name: string] => [
    memory.database,
    `mirror.${schema}`,
    'clerks',
  ];

  it('is not restricted without a policy, however it is spelled', async () => {
    for (const [place, ids] of Object.entries(await allIds([...spellings(), mirrored()])))
      expect(ids, place).toEqual([7, 8]);
  }, 120_000);

  it.each([
    ['any catalog and schema', () => ({ TableName: 'clerks' }), [7], [7]],
    ['any catalog', () => ({ TableOwner: schema, TableName: 'clerks' }), [7], [7]],
    ['any catalog, in the name', () => ({ TableName: `${schema}.clerks` }), [7], [7]],
    ['its catalog', () => ({ TableOwner: `postgresql.${schema}`, TableName: 'clerks' }), [7], 'closed'],
    ['its catalog, in the name', () => ({ TableName: `postgresql.${schema}.clerks` }), [7], 'closed'],
    ['its catalog, in both', () => ({ TableOwner: schema, TableName: `postgresql.${schema}.clerks` }), [7], 'closed'],
    ['its catalog, quoted', () => ({ TableOwner: `"POSTGRESQL"."${schema}"`, TableName: 'Clerks' }), [7], 'closed'],
    ['another catalog of its database', () => ({ TableOwner: `mirror.${schema}`, TableName: 'clerks' }), 'closed', [7]],
    ['another schema', () => ({ TableOwner: 'postgresql.public', TableName: 'clerks' }), 'closed', 'closed'],
    ['too many names', () => ({ TableName: `x.postgresql.${schema}.clerks` }), 'closed', 'closed'],
  ] as const)(
    'holds for every spelling, by a constraint that names %s',
    async (_name, constraint, expected, ofMirror) => {
      await restrictTo(constraint());
      for (const [place, ids] of Object.entries(await allIds(someSpellings()))) expect(ids, place).toEqual(expected);
      expect(await idsOf(...mirrored())).toEqual(ofMirror);
    },
    120_000,
  );

  it('holds for servers of other applications', async () => {
    const { moduleId: ModuleID } = appOn('postgresql');
    await restrictTo({ ModuleID, TableOwner: `postgresql.${schema}`, TableName: 'clerks' });
    for (const [place, ids] of Object.entries(await allIds(someSpellings()))) expect(ids, place).toEqual([7]);
  }, 120_000);

  it('holds for the database behind the catalog when it is read without Trino', async () => {
    if (!trino) return;
    const stop = () => Promise.resolve();
    const { regserver } = served('postgresql', { ...trino.postgresql, stop });
    const app = await registerServer(admin, 'without Trino', 'postgresql', regserver);
    await registerTable(admin, app, { name: 'clerks', owner: schema, columns: { id: 'num' }, as: 'clerks' });
    const { moduleId: ModuleID } = appOn('postgresql');
    const constraint = { TableOwner: `postgresql.${schema}`, TableName: 'clerks' };
    for (const each of [constraint, { ...constraint, ModuleID }]) {
      await restrictTo(each);
      expect(await run(app, 'clerks', ['id'])).toMatchObject({ ErrorMessage: null, Data: [{ id: 7 }] });
    }
    await restrictTo({ ...constraint, TableOwner: 'postgresql.other' });
    expect((await run(app, 'clerks', ['id'])).Data).toHaveLength(2);
  });

  it('closes every other way to its rows', async () => {
    await restrictTo({ TableOwner: `postgresql.${schema}`, TableName: 'clerks' });
    const query = `TABLE(postgresql.system.query(query => 'SELECT * FROM "${schema}".clerks'))`;
    const ways = [
      ['', 'shown'],
      [`memory.${memory.database.split('.')[1] ?? ''}`, 'shown'],
      ['', 'shown$data'],
      [`postgresql.${schema}`, 'clerks$data'],
      ['postgresql.pg_catalog', 'pg_stats'],
      ['postgresql.information_schema', 'columns'],
      ['mirror.information_schema', 'tables'],
      ['information_schema', 'tables'],
      ['system.runtime', 'queries'],
      ['system.jdbc', 'tables'],
      ['system.metadata', 'table_comments'],
      ['', query],
      ['postgresql.system', 'query'],
      ['postgresql', `"${schema}"."clerks`],
      [`memory"."x`, 'clerks'],
      ['tpch.tiny', 'nation'],
    ] as const;
    const found = await allIds(ways.map(([owner, name]) => [memory.database, owner, name] as const));
    for (const [way, ids] of Object.entries(found)) expect(ids, way).toBe('closed');
  }, 120_000);

  it('is written with its catalog into SQL, and nothing else that is written as one', async () => {
    const app = appOn(memory.database);
    const as = 'hostile';
    const owner = `postgresql."${schema}"" x"`;
    await registerTable(admin, app, { name: `clerks" --`, owner, columns: { id: 'num' }, as });
    const { ErrorMessage } = await run(app, as, ['id']);
    expect(ErrorMessage).toMatch(/^on .* database refused the query: .*(does not exist|Schema)/);
  });
});
