import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentEditor } from '../support/documentEditor.ts';
import { projectRoot } from '../support/vscodeHost/paths.ts';
import { BuilderPage } from '../support/webview/builderPage.ts';
import { ReportAuthor } from '../support/webview/reportAuthor.ts';
import type { ResultsPage } from '../support/webview/resultsPage.ts';
import { waitFor } from '../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

const name = 'Miles between States';

/** What the report should show, in SQL written by hand. `visible` is what the reader may see. */
async function expectedRows(visible: readonly string[]): Promise<string[]> {
  const instance = await DuckDBInstance.create(path.join(projectRoot, 'dist', 'sample', 'sample.duckdb'), {
    access_mode: 'READ_ONLY',
  });
  const connection = await instance.connect();
  const states = visible.map((state) => `'${state}'`).join(',');
  const reader = await connection.runAndReadAll(`
    SELECT origin_state, destination_state, count(*)::INT AS flights, round(avg(distance), 1)::DOUBLE AS miles
    FROM flights
    WHERE origin_state IN ('NY', 'TX', 'PA') AND origin_state IN (${states})
      AND flight_date BETWEEN '2001-02-01' AND '2001-02-28'
    GROUP BY ALL HAVING count(*) >= 1500 ORDER BY 1, 3 DESC`);
  const rows = reader.getRowsJson().map((row) => row.map(String).join(' '));
  connection.closeSync();
  instance.closeSync();
  return rows;
}

describe('a report built from nothing', () => {
  let workbench: Workbench;
  let builder: BuilderPage;
  let editor: DocumentEditor;
  beforeAll(async () => {
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    const settings = { 'files.autoSave': 'off' };
    workbench = await openWorkbench({ theme: 'dark', env, settings, size: { width: 1600, height: 950 } });
    editor = new DocumentEditor(workbench);
    await workbench.treeItem('Bird Strikes').first().waitFor({ timeout: 60_000 });
  });
  afterAll(() => workbench.stop());

  it('begins with the wizard', async () => {
    await workbench.palette('Analytics: New Report…');
    await choose('report type', 'Flights');
    await choose('folder', 'Flights');
    await choose('output type', 'Aggregate grid');
    await workbench.quickInput('Name of the report', name);
    builder = await BuilderPage.inFront(workbench);
    await builder.frame.getByText('No Fields Yet').waitFor();
    await workbench.screenshot('builder-empty-dark');
  });

  it('gets groups, an aggregate, a formula, a hidden field and sorts', async () => {
    for (const field of ['origin state', 'destination state', 'arrival delay', 'distance', 'flight date']) {
      await builder.addField(field);
    }
    await builder.text('Name of field 3').fill('Flights');
    await builder.select('Use of Flights').selectOption('COUNT');
    await builder.text('Name of field 4').fill('Miles');
    await builder.button('Formula of Miles').click();
    await builder.text('Formula of Miles').fill('ROUND(AVG(?), 1)');
    await builder.select('Use of Origin State').selectOption('group');
    await builder.button('Sort Flights: not sorted').click();
    await builder.button('Sort Flights: ascending').click();
    await builder.button('Hide Flight Date: filter and sort only').click();
    await builder.sqlSays(/round\(avg\("flights"\."distance"\), 1\).* ORDER BY .*DESC/);
    await workbench.screenshot('builder-dark');
  });

  it('gets criteria, a prompt for a range, totals and a drill-down', async () => {
    await builder.showTab('Criteria');
    await addTo('Origin State');
    await builder.select(operatorOf('Origin State', 1)).selectOption('in');
    const list = builder.frame.getByRole('combobox', { name: 'Origin State, criterion 1: Add a value' });
    for (const state of ['NY', 'TX', 'PA']) {
      await list.fill(state);
      await list.press('Enter');
    }
    await addTo('Flights');
    await builder.select(operatorOf('Flights', 1)).selectOption('>=');
    await builder.frame.getByRole('combobox', { name: 'Value of Flights, criterion 1', exact: true }).fill('1500');
    await addTo('Flight Date');
    await builder.select(operatorOf('Flight Date', 1)).selectOption('between');
    await builder.frame.getByRole('listitem', { name: 'Flight Date, criterion 1' }).getByLabel('Ask when run').check();
    await builder.sqlSays(/BETWEEN|\{\?Flight Date\}/);
    await workbench.screenshot('builder-criteria-dark');
    await builder.showTab('Totals');
    await builder.button('Add Total').click();
    await builder.select('Function of Total 1').selectOption('SUM');
    await builder.select('Field of Total 1').selectOption({ label: 'Flights' });
    await builder.frame.getByLabel('Grand total').check();
    await workbench.screenshot('builder-totals-dark');
    await builder.showTab('Options');
    await builder.button('Link a Report').click();
    await workbench.quickPickChoose('Delays by State');
    await builder.button('Hand a field to Delays by State').click();
    await builder.select('Field handed to Delays by State').selectOption({ label: 'Origin State' });
    const receives = { name: 'Field of Delays by State that receives it' };
    await builder.frame.getByRole('combobox', receives).fill('Origin State');
    await workbench.screenshot('builder-options-dark');
  });

  it('is created by saving', async () => {
    await builder.frame.getByRole('tab', { name: /^Options/ }).focus();
    await workbench.page.keyboard.press('Control+s');
    await workbench.page.locator('.statusbar-item', { hasText: 'Local Server' }).first().waitFor();
    await editor.isDirty(`${name}.report.json`, false);
    builder = await BuilderPage.inFront(workbench);
    await builder.hasFields(['Origin State', 'Destination State', 'Flights', 'Miles', 'Flight Date']);
  });

  it('shows each user the rows that SQL written by hand gives', async () => {
    await runFor('Local Server');
    await showsRows(['NY', 'TX', 'PA']);
    await workbench.screenshot('builder-rows-dark');
    for (const [user, states] of Object.entries({ 'north.viewer': ['NY', 'PA'], 'south.viewer': ['TX'] })) {
      await workbench.treeAction('Local Server', 'Sign In as Another User…');
      await workbench.quickPickChoose('User');
      await workbench.quickInput('User name', user);
      await workbench.treeItem(`Local Server (${user})`).waitFor();
      await runFor(user);
      await showsRows(states);
    }
  });

  it('opens the report that its rows lead to', async () => {
    const cell = page.frame.locator('.grid-cell.is-drill .grid-text', { hasText: /^TX$/ });
    await cell.first().click();
    await waitFor('the linked report', async () => (await page.frame.locator('h1').innerText()) === 'Delays by State');
    await page.isDone();
    expect(await page.column('Origin State')).toEqual(['TX']);
  });

  /** Answers the step of the wizard that asks for `what`. */
  async function choose(what: string, label: string): Promise<void> {
    await workbench.page.locator('.quick-input-title', { hasText: what }).waitFor();
    await workbench.quickPickChoose(label);
  }

  async function addTo(field: string): Promise<void> {
    const rows = builder.frame.locator('.criterion');
    const before = await rows.count();
    await builder.select('Field of the new criterion').selectOption({ label: field });
    await builder.button('Add Criterion').click();
    await waitFor('the new row', async () => (await rows.count()) === before + 1);
  }

  function operatorOf(field: string, row: number): string {
    return `Operator of ${field}, criterion ${row}`;
  }

  /** Runs the report on the server whose row in the list says so, for February 2001. */
  async function runFor(server: string): Promise<void> {
    const values = { 'Flight Date: From': '2001-02-01', 'Flight Date: To': '2001-02-28' };
    page = await new ReportAuthor(workbench).run(name, server === 'Local Server' ? '' : server, values);
  }

  let page: ResultsPage;
  async function showsRows(visible: readonly string[]): Promise<void> {
    const wanted = await expectedRows(visible);
    expect(wanted.length).toBeGreaterThan(1);
    let lines: string[] = [];
    await waitFor(`${wanted.length} rows`, async () => {
      const columns = await Promise.all(
        ['Origin State', 'Destination State', 'Flights', 'Miles'].map((title) => page.column(title)),
      );
      const rows = columns[0]?.map((_, at) => columns.map((column) => column[at]?.replaceAll(',', '')).join(' ')) ?? [];
      lines = rows;
      const shown = rows.filter((row) => /^[A-Z]{2} [A-Z]{2} /.test(row)).map((row) => row.replace(/\.0$/, ''));
      return shown.join('\n') === wanted.map((row) => row.replace(/\.0$/, '')).join('\n');
    });
    // Headings of the groups and the whole, with the flights added up.
    const origins = [...new Set(wanted.map((row) => row.slice(0, 2)))];
    const sum = (rows: readonly string[]) => rows.reduce((total, row) => total + Number(row.split(' ')[2]), 0);
    const totals = origins.map((origin) => {
      const own = wanted.filter((row) => row.startsWith(origin));
      return `${origin} (${own.length}) ${sum(own)}`;
    });
    const headings = lines
      .map((line) => line.trim().replace(/\s+/g, ' '))
      .filter((line) => !/^[A-Z]{2} [A-Z]{2} /.test(line));
    expect(headings).toEqual([...totals, `Total ${sum(wanted)}`]);
  }
});
