import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { registerServer, registerTable, served, tableReport } from '../support/databases/livePlatforms.ts';
import { postgresqlPrograms, startPostgresql } from '../support/databases/postgresqlServer.ts';
import type { DatabaseServer } from '../support/databases/serverProcess.ts';
import { startServer, type SignedIn, type TestServer } from '../support/server.ts';
import { showsRows } from '../support/webview/resultsPage.ts';
import { BuilderHost, type ShownBuilder } from '../support/pages/builderHost.ts';
import type { ShownResult } from '../support/pages/resultsHost.ts';

const password = 'a long enough passphrase 1';
const record = z.record(z.string(), z.unknown());
const report = 'Orders by Region';
const target = 'Orders of a City';
const span = { from: '2026-01-10', to: '2026-02-20' };

const shop = [
  'CREATE TABLE orders (id INTEGER PRIMARY KEY, region TEXT, city TEXT, amount NUMERIC(10, 2), pieces INTEGER, placed_on DATE)',
  `INSERT INTO orders SELECT g,
     CASE WHEN g % 2 = 0 THEN 'North' ELSE 'South' END,
     (ARRAY['Aarhus', 'Malaga', 'Bergen', 'Napoli', 'Umea', 'Faro'])[g % 6 + 1],
     (g * 37 % 101) + 0.25, g % 7, DATE '2026-01-01' + g % 59
   FROM generate_series(1, 900) AS g`,
];

describe.skipIf(!postgresqlPrograms())('a report on PostgreSQL, built from nothing', () => {
  let database: DatabaseServer;
  let owner: pg.Client;
  let server: TestServer;
  let host: BuilderHost;
  let builder: ShownBuilder;
  beforeAll(async () => {
    database = await startPostgresql();
    const { host: at, port, login: user, password: secret } = database;
    owner = new pg.Client({ host: at, port, user, password: secret, database: database.database });
    await owner.connect();
    for (const statement of shop) await owner.query(statement);
    server = await startServer({ allowOrigin: 'none' });
    await fill(await server.login('admin', server.adminPassword));
    host = await BuilderHost.start(server, { size: { width: 1150, height: 800 } });
  }, 180_000);
  afterAll(async () => {
    await host.stop();
    await server.stop();
    await owner.end();
    await database.stop();
  }, 60_000);

  /** An application, two tenants whose users see the rows of their region, and a report to drill down to. */
  async function fill(admin: SignedIn): Promise<void> {
    const app = await registerServer(admin, 'Shop', 'postgresql', served('postgresql', database).regserver);
    const columns = { region: 'cha', city: 'cha', amount: 'num', pieces: 'num', placed_on: 'doz' };
    await registerTable(admin, app, { name: 'orders', columns });
    const template = record.parse((await admin.call('Contact/NewContact')).json);
    const roles = [{ ApplicationID: app.moduleId, ApplicationRoleID: '6', applicationUserDataSourceID: '' }];
    const users: string[] = [];
    for (const tenant of ['North', 'South']) {
      const LoginName = tenant.toLowerCase();
      const user = { ...template, LoginName, LastName: tenant, Tag1: tenant, UserApplications: roles, Pin: password };
      users.push(String(record.parse((await admin.call('Contact/SaveContact', { withpin: true, user })).json).ID));
    }
    const Constraints = [{ TableName: 'orders', ColumnName: 'region', Operator: '=', Value: '/#tag1#/' }];
    const policy = {
      ...record.parse((await admin.call('Shield/NewPolicy')).json),
      ...{ Name: 'Own region', isActive: true, Constraints, Groups: [], Users: [] },
    };
    await admin.call('Shield/SaveShieldPolicy', { policy, isDeepSave: true, groups: [], users });
    const trees = z
      .array(z.looseObject({ rootnode: z.looseObject({ id: z.number() }) }))
      .parse((await admin.call('library/GetAllLibraryTree')).json);
    const drillTarget = {
      ...record.parse((await admin.call('Report/NewReport')).json),
      ...tableReport(app, 'orders', ['city', 'placed_on', 'amount']),
      Reportname: target,
      folderid: trees[0]?.rootnode.id,
    };
    await admin.call('Report/SaveReport', { report: drillTarget });
  }

  it('gets a group, a formula, an aggregate, a hidden field and sorts', async () => {
    builder = await host.begin(host.connection, [
      ['report type', 'orders'],
      ['folder', 'Public Library'],
      ['output type', 'Aggregate grid'],

      ['name', report],
    ]);
    for (const field of ['region', 'city', 'pieces', 'amount', 'placed_on']) await builder.addField(field);
    await builder.select('Use of region').selectOption('group');
    await builder.text('Name of field 3').fill('Pieces');
    await builder.select('Use of Pieces').selectOption('SUM');
    await builder.text('Name of field 4').fill('Mean');
    await builder.press('Formula of Mean', builder.text('Formula of Mean'));
    await builder.text('Formula of Mean').fill('ROUND(AVG(?) * 2, 1)');
    await builder.press('Hide placed_on: filter and sort only', builder.button('Show placed_on'));
    await builder.press('Sort region: not sorted', builder.button('Sort region: ascending'));
    await builder.press('Sort city: not sorted', builder.button('Sort city: ascending, Sort level 2'));
    await builder.sqlSays(/round\(.*avg\("t"\."amount"\).* ORDER BY/i);
  });

  it('gets a prompt for a range, a criterion, totals and a drill-down', async () => {
    await builder.showTab('Criteria');
    const city = await builder.addCriterion('city', '<>');
    const value = builder.frame.getByRole('combobox', { name: `Value of ${city}`, exact: true });
    await value.fill('Far');
    await builder.frame.getByRole('option', { name: 'Faro', exact: true }).click();
    const day = await builder.addCriterion('placed_on', 'between');
    await builder.frame.getByRole('listitem', { name: day }).getByLabel('Prompt when run').check();
    await builder.sqlSays(/BETWEEN \{\?placed_on\}/);
    await builder.showTab('Totals');
    await builder.press('Add Total', builder.select('Function of Total 1'));
    await builder.select('Function of Total 1').selectOption('SUM');
    await builder.select('Field of Total 1').selectOption({ label: 'Pieces' });
    await builder.frame.getByLabel('Grand total').check();
    await builder.showTab('Options');
    await host.linkReport(builder, target, 'city', 'city');
    builder = await host.create(builder);
  });

  const prompts = { 'placed_on: From': span.from, 'placed_on: To': span.to };
  let page: ShownResult;
  const titles = ['region', 'city', 'Pieces', 'Mean'];

  it('shows its author every row, under groups with totals, as SQL written by hand gives them', async () => {
    page = await host.run(report, host.connection, prompts);
    await showsRows(page, titles, await expectedLines(['North', 'South']));
  });

  it('opens the linked report for the city that is clicked', async () => {
    await page.frame
      .locator('.grid-cell.is-drill .grid-text', { hasText: /^Bergen$/ })
      .first()
      .click();
    await page.frame.locator('h1', { hasText: target }).waitFor();
    const sql = `SELECT count(*)::int AS count FROM orders WHERE city = 'Bergen'`;
    const [row] = z.array(z.object({ count: z.number() })).parse((await owner.query(sql)).rows);
    await page.says(new RegExp(`^${row?.count} rows`));
    const cities = page.frame.locator('.grid-row:not([hidden]) > [aria-colindex="2"]');
    await expect.poll(async () => new Set(await cities.allInnerTexts())).toEqual(new Set(['Bergen']));
  });

  for (const tenant of ['North', 'South']) {
    it(`shows a user of ${tenant} the rows of that tenant, and totals of them alone`, async () => {
      const userName = tenant.toLowerCase();
      const connection = await host.scene.addServer(tenant, server.apiBase, password, { userName });
      page = await host.run(report, connection, prompts);
      await showsRows(page, titles, await expectedLines([tenant]));
    });
  }

  /** What the report shows of these regions, by SQL written by hand: groups, their rows, and the whole. */
  async function expectedLines(regions: readonly string[]): Promise<string[][]> {
    const where = `placed_on BETWEEN '${span.from}' AND '${span.to}' AND city <> 'Faro'`;
    const line = z.object({ city: z.string(), pieces: z.string(), mean: z.string() });
    const lines: string[][] = [];
    let whole = 0;
    for (const region of regions) {
      const sql = `SELECT city, sum(pieces)::text AS pieces, (round(avg(amount) * 2, 1)::float)::text AS mean
        FROM orders WHERE region = $1 AND ${where} GROUP BY city ORDER BY city`;
      const rows = z.array(line).parse((await owner.query(sql, [region])).rows);
      expect(rows.length).toBeGreaterThan(1);
      const sum = rows.reduce((total, { pieces }) => total + Number(pieces), 0);
      whole += sum;
      lines.push([`${region}  (${rows.length})`, '', String(sum), '']);
      lines.push(...rows.map(({ city, pieces, mean }) => [region, city, pieces, mean]));
    }
    return [...lines, ['Total', '', String(whole), '']];
  }
});
