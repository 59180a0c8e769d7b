import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApplicationSetup } from '../../src/features/applications/applicationSetup.ts';
import { createApplication } from '../../src/features/applications/applications.ts';
import {
  readFieldTypes,
  readTable,
  readTableNames,
  proposeFields,
  proposeJoins,
  withAliases,
} from '../../src/features/applications/proposeReportType.ts';
import {
  SetupJournalStore,
  type DatabasePlan,
  type StoredSetup,
} from '../../src/features/applications/setupJournal.ts';
import type { AnalyticsClient } from '../../src/client/client.ts';
import { findProduct } from '../../src/contract/resources/application.ts';
import type { ReportTreeNode } from '../../src/contract/resources/semanticLayer.ts';
import { objectServer } from '../../src/objects/objectServer.ts';
import { askClickhouse } from '../support/databases/clickhouseServer.ts';
import { startModernClickhouse } from '../support/databases/modernClickhouse.ts';
import { postgresqlPrograms, startPostgresql } from '../support/databases/postgresqlServer.ts';
import type { DatabaseServer } from '../support/databases/serverProcess.ts';
import { runOnTrino, trinoSchema } from '../support/databases/trinoPlatform.ts';
import { startFaultProxy, type Fault, type FaultProxy } from '../support/faults/faultProxy.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { testClient, unwatched } from '../support/testClient.ts';

const shop = [
  'CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(40))',
  'CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, amount NUMERIC(10, 2), placed_on DATE)',
  `INSERT INTO customers VALUES (1, 'Ada'), (2, 'Grace')`,
  `INSERT INTO orders VALUES (1, 1, 10.5, '2026-01-02'), (2, 1, 4, '2026-01-03'), (3, 2, 7, '2026-01-03')`,
];

let server: TestServer;
let proxy: FaultProxy;
let client: AnalyticsClient;
let folder: string;
let sqlite: DatabasePlan;
/** What goes wrong with the next request to an endpoint. */
const plan = new Map<string, Fault>();

beforeAll(async () => {
  server = await startServer();
  folder = await mkdtemp(path.join(tmpdir(), 'analytics-setup-'));
  const file = path.join(folder, 'shop.sqlite');
  const database = new DatabaseSync(file);
  database.exec(shop.join(';'));
  database.close();
  sqlite = { displayName: 'shop', platform: 'sqlite', host: '', database: file, owner: '', login: '', timeZone: 0 };
  const { token, reply } = await server.login('admin', server.adminPassword);
  const next = (endpoint: string) => {
    const fault = plan.get(endpoint) ?? 'none';
    plan.delete(endpoint);
    return fault;
  };
  proxy = await startFaultProxy({ target: server.apiBase, token, login: reply, sessionMs: 1_200_000, next });
  client = testClient(proxy.apiBase, { userName: 'admin', password: server.adminPassword });
});
afterAll(async () => {
  await client.close();
  await proxy.settled();
  await proxy.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const options = { pauses: [5, 15, 30] };

async function begin(journals: SetupJournalStore, name: string, database: DatabasePlan): Promise<StoredSetup> {
  const installation = await objectServer(client).installation();
  return journals.begin({ connectionId: 'c', installation, name, description: 'A shop', database });
}

/** Everything that a user would do from here on. */
async function finish(setup: ApplicationSetup, password = '', ownSchema?: string): Promise<void> {
  await setup.checkServer();
  // This account sees every application: one that does not show is not there.
  if (!(await setup.createApplication())) await setup.createApplication(true);
  expect(await setup.isVisible()).toBe(true);
  await setup.registerDatabase(password);
  if (setup.kept.step === 'test') await setup.testConnection(password);
  if ((await setup.savedReportType()) !== undefined) return setup.end();
  const names = (await readTableNames(client, setup.place)).filter(
    ({ name, owner }) => ['orders', 'customers'].includes(name) && (ownSchema ?? owner) === owner,
  );
  const { serverId } = setup.kept;
  const tables = withAliases(await Promise.all(names.map((table) => readTable(client, serverId, table))));
  const fields = proposeFields(tables, await readFieldTypes(client));
  await setup.saveReportType({ name: 'Orders', tables, joins: proposeJoins(tables), fields });
  await setup.end();
}

/** What the server has of an application: how many of its name, of its servers, and of its report types. */
async function counts(name: string) {
  const products = (await client.call('App/GetApplicationList', {})).map((entry) => findProduct(entry));
  const own = products.filter((product) => product?.Name === name);
  const id = String(own[0]?.ID);
  const all = await client.call('RegServers/GetAdminRegisteredServers', {});
  const servers = all.filter((entry) => String(findProduct(entry)?.ID) === id);
  const types = await client.call('RegServers/GetReportTypes', {
    ModuleType: own[0]?.ModuleType ?? '',
    RegServerID: String(servers[0]?.ID),
    ReportModuleID: id,
  });
  return { applications: own.length, servers: servers.length, reportTypes: types.map((type) => type.name) };
}
const whole = { applications: 1, servers: 1, reportTypes: ['Orders'] };

/** A journal whose disk is gone after some writes: the editor ended there. */
class CutJournals extends SetupJournalStore {
  left: number;

  constructor(place: string, left: number) {
    super(place);
    this.left = left;
  }

  override async write(setup: StoredSetup): Promise<void> {
    if (this.left <= 0) throw new Error('the editor ended');
    this.left -= 1;
    await super.write(setup);
  }
}

function fieldsOf(node: ReportTreeNode | null | undefined): ReportTreeNode[] {
  const below = (node?.children ?? []).flatMap(fieldsOf);
  return node?.type === 'Field' ? [node, ...below] : below;
}

/** Rows of a report of customers' names and amounts, made on the application's report type. */
async function rowsOf(setup: ApplicationSetup): Promise<unknown[][]> {
  const body = { RegServerID: setup.kept.serverId, ReportType: 'Orders' };
  const { rootnode } = await client.call('RegServers/GetReportTree', body);
  const wanted = ['Name', 'Amount', 'Placed On'];
  const nodes = fieldsOf(rootnode).filter(({ text }) => wanted.includes(text ?? ''));
  const made = await Promise.all(nodes.map((field) => client.call('Report/NewField', { field })));
  const [library] = await client.call('library/GetAllLibraryTree', {});
  const report = await client.call(
    'Report/SaveReport',
    {
      report: {
        ...(await client.call('Report/NewReport', {})),
        Reportname: `Report of ${setup.kept.name}`,
        ModuleName: setup.kept.name,
        ServerName: setup.kept.database.displayName,
        ReportType: 'Orders',
        folderid: library?.rootnode?.id,
        FieldList: made.map((field, index) => ({ ...field, fieldindex: index + 1, Criteria: [] })),
      },
    },
    { guard: unwatched },
  );
  const Reportobj = await client.call('Report/GetReportMetadataById', { ReportID: String(report.ReportID) });
  const result = await client.call('Report/GetReportData', { Reportobj });
  expect(result.HasError, result.ErrorMessage ?? '').toBe(false);
  const keyOf = (header: string) => (result.Columns ?? []).find(({ headerText }) => headerText === header)?.key ?? '';
  return (result.Data ?? [])
    .map((row) => [row[keyOf('Name')], Number(row[keyOf('Amount')])])
    .sort((a, b) => Number(b[1]) - Number(a[1]));
}
const expectedRows = [
  ['Ada', 10.5],
  ['Grace', 7],
  ['Ada', 4],
];

describe('the setup of an application', () => {
  it('ends with a report on SQLite, and leaves no journal', async () => {
    const journals = new SetupJournalStore(path.join(folder, 'plain'));
    const setup = new ApplicationSetup(client, await begin(journals, 'Plain Shop', sqlite), journals, options);
    await finish(setup);
    expect(await counts('Plain Shop')).toEqual(whole);
    expect(await journals.list()).toEqual([]);
    expect(await rowsOf(setup)).toEqual(expectedRows);
    // A report on another application's report type of the same name is not the first of this one.
    const begun = { ...(await begin(journals, 'Other Shop', sqlite)), step: 'report' as const, reportType: 'Orders' };
    const other = new ApplicationSetup(client, begun, journals, options);
    expect(await other.endIfReported()).toBe(false);
    await other.end();
  });

  it('is gone on with after an end at every write of its journal, and creates nothing twice', async () => {
    const place = path.join(folder, 'cut');
    const journals = new SetupJournalStore(place);
    let kept: StoredSetup | undefined = await begin(journals, 'Cut Shop', sqlite);
    const states: string[] = [];
    // How many writes each life of the editor gets: every write is once the one that is lost.
    for (const writes of [0, 1, 1, 1, 1, 1, 1, 2, 2]) {
      if (!kept) break;
      const cut = new CutJournals(place, writes);
      const end = await finish(new ApplicationSetup(client, kept, cut, options)).catch((error: unknown) => error);
      if (end !== undefined) expect(end).toMatchObject({ message: 'the editor ended' });
      [kept] = await journals.list();
      states.push(kept ? `${kept.step}${kept.isSent ? ', sent' : ''}` : 'ended');
    }
    expect(states).toEqual([
      'application',
      'application, sent',
      'database',
      'database, sent',
      'test',
      'reportType',
      'reportType',
      'reportType, sent',
      'ended',
    ]);
    expect(await counts('Cut Shop')).toEqual(whole);
  }, 120_000);

  it.each(['dropBefore', 'dropAfter', 'gateway502After', 'empty204After'] as const)(
    'survives a request or a reply that is lost at each step: %s',
    async (fault) => {
      const journals = new SetupJournalStore(path.join(folder, fault));
      const name = `Shop ${fault}`;
      let kept: StoredSetup | undefined = await begin(journals, name, sqlite);
      const writes = ['RegServers/InsertAnyDbModule', 'RegServers/SaveRegSrv', 'AppBuilder/SaveAnyDbModule'];
      for (const endpoint of writes) plan.set(endpoint, fault);
      for (let attempt = 0; kept && attempt <= 2 * writes.length; attempt++) {
        await finish(new ApplicationSetup(client, kept, journals, options)).catch((error: unknown) => {
          expect(error).toMatchObject({ name: 'ClientError' });
        });
        [kept] = await journals.list();
      }
      expect([...plan.keys()], 'writes that met no fault').toEqual([]);
      expect(await counts(name)).toEqual(whole);
    },
    120_000,
  );

  it('keeps what was refused for another try: a name that is taken, a database that is not there', async () => {
    const journals = new SetupJournalStore(path.join(folder, 'refused'));
    const taken = new ApplicationSetup(client, await begin(journals, 'Taken Shop', sqlite), journals, options);
    await createApplication(client, 'Taken Shop', '');
    await expect(taken.createApplication()).rejects.toThrow(/already/);
    expect(taken.kept).toMatchObject({ step: 'application', isSent: false });
    // Another's application of that name is not taken for the own one.
    const [again] = await journals.list();
    if (!again) throw new Error('The journal is gone.');
    await expect(new ApplicationSetup(client, again, journals, options).createApplication()).rejects.toThrow(/already/);
    await taken.end();
    expect(await journals.list()).toEqual([]);

    const away = { ...sqlite, database: path.join(folder, 'missing.sqlite') };
    const setup = new ApplicationSetup(client, await begin(journals, 'Late Shop', away), journals, options);
    await expect(finish(setup)).rejects.toThrow(/does not exist, or is not in a database folder/);
    expect(setup.kept.step).toBe('test');
    const [kept] = await journals.list();
    if (!kept) throw new Error('The journal is gone.');
    const resumed = new ApplicationSetup(client, kept, journals, options);
    await resumed.changeDatabase(sqlite, '');
    await finish(resumed);
    expect(await counts('Late Shop')).toEqual(whole);
  });

  it('goes on with another address where the server refuses to register the first', async () => {
    const journals = new SetupJournalStore(path.join(folder, 'unregistered'));
    const odd = { ...sqlite, platform: 'no such platform' };
    const setup = new ApplicationSetup(client, await begin(journals, 'Odd Shop', odd), journals, options);
    await expect(finish(setup)).rejects.toMatchObject({ kind: 'refused' });
    expect(setup.kept).toMatchObject({ step: 'database', isSent: false, serverId: '' });
    await setup.changeDatabase(sqlite, '');
    await finish(setup);
    expect(await counts('Odd Shop')).toEqual(whole);
    expect(await journals.list()).toEqual([]);
  });

  it('does not register twice what may be there, invisible, and finds it once it shows', async () => {
    const journals = new SetupJournalStore(path.join(folder, 'invisible'));
    const name = 'Hidden Shop';
    const kept = { ...(await begin(journals, name, sqlite)), isSent: true };
    await journals.write(kept);
    await createApplication(client, name, '');
    const blind = new Proxy(client, {
      get: (target, property) => {
        if (property === 'call')
          return async (...asked: Parameters<AnalyticsClient['call']>): Promise<unknown> =>
            asked[0] === 'App/GetApplicationList' ? [] : target.call(...asked);
        const value: unknown = Reflect.get(target, property, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const setup = new ApplicationSetup(blind, kept, journals, options);
    expect(await setup.createApplication()).toBe(false);
    // Who is sure that it is not there is refused, and it is still looked for.
    await expect(setup.createApplication(true)).rejects.toThrow(/already/);
    expect(setup.kept).toMatchObject({ step: 'application', isSent: true });
    await finish(new ApplicationSetup(client, { ...setup.kept }, journals, options));
    expect(await counts(name)).toEqual(whole);
  });

  it('keeps the report type that was chosen, and ends with the first report on it', async () => {
    const journals = new SetupJournalStore(path.join(folder, 'chosen'));
    const setup = new ApplicationSetup(client, await begin(journals, 'Kept Shop', sqlite), journals, options);
    await setup.createApplication();
    await setup.registerDatabase('');
    await setup.testConnection('');
    const orders = await readTable(client, setup.kept.serverId, { name: 'orders', owner: '' });
    const tables = withAliases([orders]);
    const fields = proposeFields(tables, new Set());
    await setup.chooseReportType({ name: 'Kept Orders', tables, joins: [], fields });
    const [kept] = await journals.list();
    expect(kept?.chosen).toMatchObject({ name: 'Kept Orders', tables: [{ name: 'orders', alias: 'orders' }], fields });
    if (!kept?.chosen) expect.fail('nothing kept');
    const resumed = new ApplicationSetup(client, kept, journals, options);
    await resumed.saveReportType(kept.chosen);
    expect(await resumed.endIfReported()).toBe(false);
    expect(await journals.list()).toMatchObject([{ step: 'report', reportType: 'Kept Orders' }]);
    expect(await resumed.savedReportType()).toBe('Kept Orders');
    const [library] = await client.call('library/GetAllLibraryTree', {});
    const report = {
      ...(await client.call('Report/NewReport', {})),
      Reportname: 'First of all',
      ModuleName: 'Kept Shop',
      ServerName: 'shop',
      ReportType: 'Kept Orders',
      folderid: library?.rootnode?.id,
    };
    await client.call('Report/SaveReport', { report }, { guard: unwatched });
    expect(await resumed.endIfReported()).toBe(true);
    expect(await journals.list()).toEqual([]);
  });

  it('is not gone on with on another server', async () => {
    const journals = new SetupJournalStore(path.join(folder, 'other'));
    const kept = { ...(await begin(journals, 'Other', sqlite)), installation: '0000-0000-0000-0000-0000-0000' };
    await expect(new ApplicationSetup(client, kept, journals).checkServer()).rejects.toThrow(/a server other than/);
  });
});

/** A setup on a database server that was first given a wrong password. Its journal is in a folder named after the platform. */
async function withWrongPassword(
  { host, port, login, password, database }: DatabaseServer,
  platform: string,
  name: string,
) {
  const journals = new SetupJournalStore(path.join(folder, platform));
  const address = { displayName: platform, platform, host: `${host}:${port}`, owner: '', login, timeZone: 1 };
  const plan = { ...address, database };
  const setup = new ApplicationSetup(client, await begin(journals, name, plan), journals, options);
  await setup.createApplication();
  await setup.registerDatabase('not the password');
  await expect(setup.testConnection('not the password')).rejects.toThrow();
  return { setup, plan, password };
}

describe('the setup of an application on a recent ClickHouse', () => {
  let database: DatabaseServer | undefined;
  beforeAll(async () => {
    database = await startModernClickhouse();
    if (!database) return;
    for (const statement of shop) {
      const columns = statement.replace(/ PRIMARY KEY/, '').replace(/VARCHAR\(40\)/, 'String');
      const isTable = statement.startsWith('CREATE TABLE');
      await askClickhouse(database, isTable ? `${columns} ENGINE = MergeTree ORDER BY id` : columns);
    }
  }, 300_000);
  afterAll(() => database?.stop());
  beforeEach(({ skip }) => skip(!database, 'ClickHouse 26.7 could not be installed'));

  it('goes from an empty server to rows of two tables that are joined', async () => {
    if (!database) return;
    const { setup, plan, password } = await withWrongPassword(database, 'clickhouse', 'Ch Shop');
    await setup.changeDatabase(plan, password);
    await finish(setup, password);
    expect(await rowsOf(setup)).toEqual(expectedRows);
  });
});

describe('the setup of an application on Trino', () => {
  let database: DatabaseServer | undefined;
  beforeAll(async () => {
    database = await trinoSchema();
    if (database)
      await runOnTrino(
        database,
        shop.map((statement) => statement.replace(/ PRIMARY KEY/, '').replace('NUMERIC', 'DECIMAL')),
      );
  }, 300_000);
  beforeEach(({ skip }) => skip(!database, 'Trino could not be installed'));

  it('goes from an empty server to rows of two tables that are joined', async () => {
    if (!database) return;
    const { host, port, login, password, database: name } = database;
    const journals = new SetupJournalStore(path.join(folder, 'trino'));
    const address = { displayName: 'trino', platform: 'trino', host: `${host}:${port}`, database: name };
    const plan = { ...address, owner: '', login, timeZone: 0 };
    const setup = new ApplicationSetup(client, await begin(journals, 'Lake Shop', plan), journals, options);
    await finish(setup, password, name.replace('memory.', ''));
    expect(await rowsOf(setup)).toEqual(expectedRows);
  });
});

describe.skipIf(!postgresqlPrograms())('the setup of an application on PostgreSQL', () => {
  let database: DatabaseServer;
  beforeAll(async () => {
    database = await startPostgresql();
    const { host, port, login: user, password } = database;
    const owner = new pg.Client({ host, port, user, password, database: database.database });
    await owner.connect();
    for (const statement of shop) await owner.query(statement);
    await owner.end();
  }, 60_000);
  afterAll(() => database.stop());

  it('goes from an empty server to rows, and keeps no password', async () => {
    const place = path.join(folder, 'postgresql');
    const { setup, plan, password } = await withWrongPassword(database, 'postgresql', 'Pg Shop');
    for (const name of await readdir(place)) {
      expect(await readFile(path.join(place, name), 'utf8')).not.toContain('password');
    }
    await setup.changeDatabase(plan, password);
    await finish(setup, password);
    expect(await counts('Pg Shop')).toEqual(whole);
    expect(await rowsOf(setup)).toEqual(expectedRows);
  });
});
