import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresqlPrograms, startPostgresql } from '../../support/databases/postgresqlServer.ts';
import type { DatabaseServer } from '../../support/databases/serverProcess.ts';
import { WorkbenchBuilder } from '../../support/workbench/workbenchBuilder.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { ResultsPage } from '../../support/webview/resultsPage.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';
import { addServer } from '../../support/workbench/addServer.ts';

const shop = [
  'CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(40))',
  'CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, amount NUMERIC(10, 2))',
  `INSERT INTO customers VALUES (1, 'Ada'), (2, 'Grace')`,
  'INSERT INTO orders VALUES (1, 1, 10.5), (2, 2, 7)',
];

describe.skipIf(!postgresqlPrograms())('a new application on PostgreSQL', () => {
  let workbench: Workbench;
  let database: DatabaseServer;
  let owner: pg.Client;
  let server: TestServer;
  beforeAll(async () => {
    database = await startPostgresql();
    const { host, port, login: user, password } = database;
    owner = new pg.Client({ host, port, user, password, database: database.database });
    await owner.connect();
    for (const statement of shop) await owner.query(statement);
    server = await startServer({ allowOrigin: 'none' });
    workbench = await openWorkbench({ theme: 'light', size: { width: 1400, height: 900 } });
    await addServer(workbench, { url: server.url, password: server.adminPassword });
    await workbench.treeItem('Public').first().waitFor({ timeout: 30_000 });
  }, 120_000);
  afterAll(async () => {
    await workbench.stop();
    await server.stop();
    await owner.end();
    await database.stop();
  });

  const list = () => workbench.page.locator('.quick-input-widget:visible');
  const dialog = () => workbench.page.locator('.monaco-dialog-box');

  it('is gone on with after a wrong password and a new start of the editor, and ends in the builder', async () => {
    await workbench.palette('Analytics: New Application…');
    await workbench.quickInput('Name shown to report authors', 'Shop');
    await workbench.quickInput('Purpose', 'Orders');
    await answerDatabase('not the password');
    await dialog().getByText('cannot reach the database of "Shop"').waitFor();
    await workbench.screenshot('new-application-refused-light');
    await workbench.answer('Cancel');

    // What was registered is kept: the command goes on with it, also in an editor that has started anew.
    await workbench.load();
    await workbench.openContainer('Analytics');
    await workbench.treeItem(new URL(server.url).host).waitFor({ timeout: 30_000 });
    await workbench.palette('Analytics: New Application…');
    await workbench.quickPickChoose('Shop');
    await workbench.answer('Continue');
    await workbench.quickInput('Database password of owner', database.password);

    await tick(['customers', 'orders']);
    const accept = list().getByRole('button', { name: 'OK' });
    const joins = list().getByText('orders.customer_id = customers.id');
    // The next list has such a button, too.
    await until(
      'the joins',
      () => joins.isVisible(),
      () => accept.click({ timeout: 2_000 }),
      { tryFor: 10_000 },
    );
    await workbench.screenshot('new-application-joins-light');
    await workbench.pressAway(accept);
    await workbench.quickInput('Name of the report type', 'Orders');

    await workbench.page.locator('.quick-input-title', { hasText: 'folder' }).waitFor();
    await workbench.quickPickChoose('Public Library');
    await workbench.quickPickChoose('DataGrid');
    await workbench.quickInput('Name of the report', 'Amounts');
    const builder = await WorkbenchBuilder.inFront(workbench);
    await builder.addField('amount');
    await builder.addField('name');
    await builder.sqlSays(/JOIN/);
    await builder.create('Report Builder: Amounts');
  });

  it('leaves a report that runs to the rows of SQL written by hand, and no journal', async () => {
    for (const label of [new URL(server.url).host, 'Library', 'Public']) await workbench.expand(label);
    const page = await ResultsPage.run(workbench, 'Amounts');
    await page.isDone();
    const sql = `SELECT o.amount::float AS amount, c.name FROM orders o LEFT JOIN customers c ON c.id = o.customer_id`;
    const { rows } = await owner.query<{ amount: number; name: string }>(sql);
    const wanted = rows.map(({ amount, name }) => `${amount} ${name}`);
    const [amounts, names] = [await page.column('Amount'), await page.column('Name')];
    expect(amounts.map((amount, at) => `${Number(amount)} ${names[at]}`).toSorted()).toEqual(wanted.toSorted());
    await workbench.palette('Analytics: New Application…');
    await list().getByText('New Application on').waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  /** Answers every question about the database. */
  async function answerDatabase(password: string): Promise<void> {
    await workbench.quickPickChoose('PostgreSQL');
    await workbench.quickInput('Host, with :port', `${database.host}:${database.port}`);
    await workbench.quickInput('Name of the database', database.database);
    await workbench.quickInput('Schema', '');
    await workbench.quickInput('Database account', database.login);
    await workbench.quickInput('Password of that account', password);
    await workbench.pressAway(list().locator('.monaco-list-row', { hasText: 'UTC' }).first());
  }

  async function tick(labels: readonly string[]): Promise<void> {
    for (const label of labels) {
      const row = list().locator('.monaco-list-row', { hasText: label }).first();
      await row.waitFor();
      await row.getByRole('checkbox').click();
    }
  }
});
