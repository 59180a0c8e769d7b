import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuilderHost, type ShownBuilder } from '../support/pages/builderHost.ts';
import type { ShownResult } from '../support/pages/resultsHost.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { projectRoot } from '../support/vscodeHost/paths.ts';
import { waitFor } from '../support/waitFor.ts';

const name = 'Miles between States';

/** In the page: types into a box as soon as it is there, before it is painted, and marks when it is. */
const typeOnceThere = (box: string, text: string) => `
  new MutationObserver((_, observer) => {
    const box = document.querySelector('${box}');
    if (box === null) return;
    observer.disconnect();
    box.value = '${text}';
    box.dispatchEvent(new Event('input', { bubbles: true }));
    requestAnimationFrame(() => setTimeout(() => (document.body.dataset.painted = ''), 50));
  }).observe(document.body, { childList: true, subtree: true });
`;

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
  let server: TestServer;
  let host: BuilderHost;
  let builder: ShownBuilder;
  let page: ShownResult;
  beforeAll(async () => {
    server = await startServer({ sample: true });
    host = await BuilderHost.start(server, { size: { width: 1150, height: 800 } });
  });
  afterAll(async () => {
    await host.stop();
    await server.stop();
  });

  it('begins with the wizard', async () => {
    builder = await host.begin(host.connection, [
      ['report type', 'Flights'],
      ['folder', 'Flights'],
      ['output type', 'Aggregate grid'],

      ['name', name],
    ]);
    await builder.frame.getByText('No Fields Yet').waitFor();
  });

  it('gets groups, an aggregate, a formula, a hidden field and sorts', async () => {
    for (const field of ['origin state', 'destination state', 'arrival delay', 'distance', 'flight date']) {
      await builder.addField(field);
    }
    await builder.text('Name of field 3').fill('Flights');
    await builder.select('Use of Flights').selectOption('COUNT');
    await builder.text('Name of field 4').fill('Miles');
    await builder.press('Formula of Miles', builder.text('Formula of Miles'));
    await builder.text('Formula of Miles').fill('ROUND(AVG(?), 1)');
    await builder.select('Use of Origin State').selectOption('group');
    await builder.press('Sort Flights: not sorted', builder.button('Sort Flights: ascending'));
    await builder.press('Sort Flights: ascending', builder.button('Sort Flights: descending'));
    await builder.press('Hide Flight Date: filter and sort only', builder.button('Show Flight Date'));
    await builder.sqlSays(/round\(avg\("flights"\."distance"\), 1\).* ORDER BY .*DESC/);
  });

  it('gets criteria, a prompt for a range, totals and a drill-down', async () => {
    await builder.showTab('Criteria');
    await builder.frame.evaluate(typeOnceThere('[aria-label="Origin State, criterion 1: Add a value"]', 'NY'));
    await builder.addCriterion('Origin State', 'in');
    const list = builder.frame.getByRole('combobox', { name: 'Origin State, criterion 1: Add a value' });
    await builder.frame.locator('body[data-painted]').waitFor();
    await list.press('Enter');
    for (const state of ['TX', 'PA']) {
      await list.fill(state);
      await list.press('Enter');
    }
    await builder.frame.locator('.list-chip').nth(2).waitFor();
    await expect.poll(() => builder.frame.locator('.list-text').allInnerTexts()).toEqual(['NY', 'TX', 'PA']);
    await builder.addCriterion('Flights', '>=');
    await builder.frame.getByRole('combobox', { name: 'Value of Flights, criterion 1', exact: true }).fill('1500');
    await builder.addCriterion('Flight Date', 'between');
    await builder.frame
      .getByRole('listitem', { name: 'Flight Date, criterion 1' })
      .getByLabel('Prompt when run')
      .check();
    await builder.sqlSays(/BETWEEN|\{\?Flight Date\}/);
    await builder.showTab('Totals');
    await builder.press('Add Total', builder.select('Function of Total 1'));
    await builder.select('Function of Total 1').selectOption('SUM');
    await builder.select('Field of Total 1').selectOption({ label: 'Flights' });
    await builder.frame.getByLabel('Grand total').check();
    await builder.showTab('Options');
    await host.linkReport(builder, 'Delays by State', 'Origin State', 'Origin State');
  });

  it('is created by saving, and its builder goes on where that of the new one was', async () => {
    builder = await host.create(builder);
    await builder.frame.locator('.bound', { hasText: 'Local Server' }).waitFor();
    await builder.frame.locator('#tab-options[aria-selected="true"]:focus').waitFor();
    await builder.showTab('Fields');
    await builder.hasFields(['Origin State', 'Destination State', 'Flights', 'Miles', 'Flight Date']);
  });

  const february = { 'Flight Date: From': '2001-02-01', 'Flight Date: To': '2001-02-28' };

  it('shows each user the rows that SQL written by hand gives', async () => {
    page = await host.run(name, host.connection, february);
    await showsRows(['NY', 'TX', 'PA']);
    for (const [userName, states] of Object.entries({ 'north.viewer': ['NY', 'PA'], 'south.viewer': ['TX'] })) {
      const { apiBase, adminPassword } = server;
      const connection = await host.scene.addServer('Local Server', apiBase, adminPassword, { userName });
      page = await host.run(name, connection, february);
      await showsRows(states);
      await expect.poll(() => page.frame.locator('.bound').innerText()).toBe(`Local Server · ${userName}`);
    }
  });

  it('opens the report that its rows lead to', async () => {
    await page.frame.locator('.grid-cell.is-drill .grid-text', { hasText: /^TX$/ }).first().click();
    await page.frame.locator('h1', { hasText: /^Delays by State$/ }).waitFor();
    await page.isDone();
    await expect.poll(() => page.column('Origin State')).toEqual(['TX']);
  });

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
