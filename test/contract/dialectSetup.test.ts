import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AnalyticsClient } from '../../src/client/client.ts';
import { findProduct } from '../../src/contract/resources/application.ts';
import type { ReportTreeNode } from '../../src/contract/resources/semanticLayer.ts';
import { addColumns, tablesOf } from '../../src/features/applications/addColumns.ts';
import { ApplicationSetup } from '../../src/features/applications/applicationSetup.ts';
import {
  proposeFields,
  proposeJoins,
  readFieldTypes,
  readTable,
  readTableNames,
  withAliases,
} from '../../src/features/applications/proposeReportType.ts';
import { SetupJournalStore } from '../../src/features/applications/setupJournal.ts';
import type { JsonObject } from '../../src/objects/json.ts';
import { reportTypeKind } from '../../src/objects/kinds/reportTypeKind.ts';
import { objectServer } from '../../src/objects/objectServer.ts';
import { changeObject } from '../../src/objects/save/changeObject.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { testClient, unwatched } from '../support/testClient.ts';

/* The wizard for applications and Add Columns, on our server and on one that writes joins in a form of its own. */

const shop = [
  'CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(40))',
  'CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, amount NUMERIC(10, 2))',
  'CREATE TABLE deliveries (id INTEGER PRIMARY KEY, order_id INTEGER, city VARCHAR(40))',
  `INSERT INTO customers VALUES (1, 'Ada'), (2, 'Grace')`,
  'INSERT INTO orders VALUES (1, 1, 10.5), (2, 1, 4), (3, 2, 7)',
  `INSERT INTO deliveries VALUES (1, 1, 'Oslo'), (2, 3, 'Lima')`,
];

interface Side {
  server: TestServer;
  client: AnalyticsClient;
  unseen: string[];
}

let folder: string;
const sides: Side[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'analytics-dialect-'));
  const database = new DatabaseSync(path.join(folder, 'shop.sqlite'));
  database.exec(shop.join(';'));
  database.close();
  for (const serverArgs of [[], ['--dialect', 'other']]) {
    const server = await startServer({ sample: true, serverArgs });
    const unseen: string[] = [];
    const account = { userName: 'admin', password: server.adminPassword };
    const client = testClient(server.apiBase, account, { onUnseenForm: (name) => unseen.push(name) });
    sides.push({ server, client, unseen });
  }
}, 120_000);

afterAll(async () => {
  for (const { client, server } of sides) {
    await client.close();
    await server.stop();
  }
  await rm(folder, { recursive: true });
});

/** Goes through the wizard. @returns ids of the registered server and of the application. */
async function setUp({ client }: Side, place: string): Promise<{ serverId: string; moduleId: string }> {
  const journals = new SetupJournalStore(path.join(folder, place));
  const database = path.join(folder, 'shop.sqlite');
  const plan = { displayName: 'shop', platform: 'sqlite', host: '', database, owner: '', login: '', timeZone: 0 };
  const installation = await objectServer(client).installation();
  const kept = await journals.begin({ connectionId: 'c', installation, name: 'Shop', description: '', database: plan });
  const setup = new ApplicationSetup(client, kept, journals, { pauses: [5, 15, 30] });
  await setup.checkServer();
  await setup.createApplication();
  await setup.registerDatabase('');
  if (setup.kept.step === 'test') await setup.testConnection('');
  const { serverId } = setup.kept;
  const names = (await readTableNames(client, setup.place)).filter(({ name }) =>
    ['orders', 'customers'].includes(name),
  );
  const tables = withAliases(await Promise.all(names.map((table) => readTable(client, serverId, table))));
  const joins = proposeJoins(tables);
  expect(joins).toHaveLength(1);
  const fields = proposeFields(tables, await readFieldTypes(client));
  await setup.saveReportType({ name: 'Orders', tables, joins, fields });
  await setup.end();
  const own = (await client.call('App/GetApplicationList', {})).map((entry) => findProduct(entry));
  return { serverId, moduleId: String(own.find((product) => product?.Name === 'Shop')?.ID) };
}

/** Adds a column of a table that the report type does not have, as the command does, and saves. */
async function addCity({ client }: Side, serverId: string, id: string): Promise<void> {
  const server = objectServer(client);
  const [table, offered] = await Promise.all([
    readTable(client, serverId, { name: 'deliveries', owner: '' }),
    readFieldTypes(client),
  ]);
  const view = await reportTypeKind.read(server, id);
  const others = await Promise.all(
    tablesOf(view).map(async (other) => ({ ...other, ...(await readTable(client, serverId, other)) })),
  );
  const columns = table.columns.filter(({ columnname }) => columnname === 'city');
  await changeObject(server, reportTypeKind, id, (present): JsonObject => {
    const grown = addColumns(present, { table, alias: undefined, columns, others, offered });
    const { SQLTables, FieldTree, Joins } = grown;
    expect(grown.joins).toHaveLength(1);
    return { ...present, SQLTables, FieldTree, Joins: Joins ?? present.Joins ?? [] };
  });
}

function fieldsBelow(node: ReportTreeNode | null | undefined): ReportTreeNode[] {
  const below = (node?.children ?? []).flatMap(fieldsBelow);
  return node?.type === 'Field' ? [node, ...below] : below;
}

/** Values of a report of all three tables. */
async function rowsOf({ client }: Side, RegServerID: string): Promise<unknown[]> {
  const { rootnode } = await client.call('RegServers/GetReportTree', { RegServerID, ReportType: 'Orders' });
  const nodes = fieldsBelow(rootnode).filter(({ text }) => ['Name', 'Amount', 'City'].includes(text ?? ''));
  const made = await Promise.all(nodes.map((field) => client.call('Report/NewField', { field })));
  const [library] = await client.call('library/GetAllLibraryTree', {});
  const report = {
    ...(await client.call('Report/NewReport', {})),
    ...{ Reportname: 'Deliveries', ModuleName: 'Shop', ServerName: 'shop', ReportType: 'Orders' },
    folderid: library?.rootnode?.id,
    FieldList: made.map((field, index) => ({ ...field, fieldindex: index + 1, Criteria: [] })),
  };
  const saved = await client.call('Report/SaveReport', { report }, { guard: unwatched });
  const Reportobj = await client.call('Report/GetReportMetadataById', { ReportID: String(saved.ReportID) });
  const { HasError, ErrorMessage, Data } = await client.call('Report/GetReportData', { Reportobj });
  expect(HasError, ErrorMessage ?? '').toBe(false);
  return (Data ?? []).map((row) => Object.values(row).map(String).sort()).sort();
}

it(
  'the wizard and Add Columns make the same report type, with joins that both servers take',
  { timeout: 200_000 },
  async () => {
    const made: unknown[] = [];
    for (const [index, side] of sides.entries()) {
      const { serverId, moduleId } = await setUp(side, String(index));
      const list = (await reportTypeKind.list?.(objectServer(side.client))) ?? [];
      const id = list.find(({ id, name }) => name === 'Orders' && id.startsWith(`${serverId}.${moduleId}`))?.id ?? '';
      await addCity(side, serverId, id);
      const { Joins, SQLTables } = await reportTypeKind.read(objectServer(side.client), id);
      made.push({ Joins, SQLTables, rows: await rowsOf(side, serverId), unseen: side.unseen });
    }
    expect(made[1]).toEqual(made[0]);
    expect(made[0]).toMatchObject({ Joins: [{}, {}], unseen: [] });
    expect(made[0]).toMatchObject({ rows: expect.arrayContaining([['10.5', 'Ada', 'Oslo']]) as unknown[] });
  },
);
