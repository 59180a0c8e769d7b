import pg from 'pg';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { DocumentEditor } from '../support/documentEditor.ts';
import { postgresqlPrograms, startPostgresql } from '../support/databases/postgresqlServer.ts';
import type { DatabaseServer } from '../support/databases/serverProcess.ts';
import { BuilderPage } from '../support/webview/builderPage.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

const shop = [
  'CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(40))',
  'CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, amount NUMERIC(10, 2))',
  `INSERT INTO customers VALUES (1, 'Ada'), (2, 'Grace')`,
  'INSERT INTO orders VALUES (1, 1, 10.5), (2, 2, 7)',
];

describe.skipIf(!postgresqlPrograms())('a new application on PostgreSQL', () => {
  let workbench: Workbench;
  let database: DatabaseServer;
  beforeAll(async () => {
    database = await startPostgresql();
    const { host, port, login: user, password } = database;
    const owner = new pg.Client({ host, port, user, password, database: database.database });
    await owner.connect();
    for (const statement of shop) await owner.query(statement);
    await owner.end();
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    workbench = await openWorkbench({ theme: 'light', env, size: { width: 1400, height: 900 } });
    await workbench.treeItem('Bird Strikes').first().waitFor({ timeout: 60_000 });
  }, 120_000);
  afterAll(async () => {
    await workbench.stop();
    await database.stop();
  });

  const list = () => workbench.page.locator('.quick-input-widget:visible');
  const dialog = () => workbench.page.locator('.monaco-dialog-box');

  it('is gone on with after a wrong password, and ends in the builder', async () => {
    await workbench.palette('Analytics: New Application…');
    await workbench.quickInput('Name, as report authors see it', 'Shop');
    await workbench.quickInput('What it is for', 'Orders');
    await answerDatabase('not the password');
    await dialog().getByText('cannot reach the database of "Shop"').waitFor();
    await workbench.screenshot('new-application-refused-light');
    await dialog().getByRole('button', { name: 'Cancel' }).click();

    // What was registered is kept: the command goes on with it.
    await workbench.palette('Analytics: New Application…');
    await workbench.quickPickChoose('Shop');
    await dialog().getByRole('button', { name: 'Go On' }).click();
    await workbench.quickInput('Password of owner on the database', database.password);

    await tick(['customers', 'orders']);
    await list().getByText('orders.customer_id = customers.id').waitFor();
    await workbench.screenshot('new-application-joins-light');
    await list().getByRole('button', { name: 'OK' }).click();
    await workbench.quickInput('Name of the report type', 'Orders');

    await workbench.page.locator('.quick-input-title', { hasText: 'folder' }).waitFor();
    await workbench.quickPickChoose('Flights');
    await workbench.quickPickChoose('DataGrid');
    await workbench.quickInput('Name of the report', 'Amounts');
    const builder = await BuilderPage.inFront(workbench);
    await builder.addField('amount');
    await builder.addField('name');
    await builder.sqlSays(/JOIN/);
    await workbench.page.keyboard.press('Control+s');
    await new DocumentEditor(workbench).isDirty('Amounts.report.json', false);
  });

  /** Answers every question about the database. */
  async function answerDatabase(password: string): Promise<void> {
    await workbench.quickPickChoose('PostgreSQL');
    await workbench.quickInput('Host, with :port', `${database.host}:${database.port}`);
    await workbench.quickInput('Name of the database', database.database);
    await workbench.quickInput('Schema', '');
    await workbench.quickInput('Account on the database', database.login);
    await workbench.quickInput('Password of that account', password);
    await list().locator('.monaco-list-row', { hasText: 'UTC' }).first().click();
  }

  async function tick(labels: readonly string[]): Promise<void> {
    for (const label of labels) {
      const row = list().locator('.monaco-list-row', { hasText: label }).first();
      await row.waitFor();
      await row.getByRole('checkbox').click();
    }
    await list().getByRole('button', { name: 'OK' }).click();
  }
});
