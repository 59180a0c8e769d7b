import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import themes from '../../fixtures/themes.json' with { type: 'json' };
import { result, sqlOf, startFaultyServer } from '../../support/webview/faultyServer.ts';
import type { FaultyReport, FaultyServer } from '../../support/webview/faultyServer.ts';
import { ResultsPage } from '../../support/webview/resultsPage.ts';
import { signIn } from '../../support/webview/signIn.ts';
import { until } from '../../support/until.ts';
import { waitFor } from '../../support/waitFor.ts';
import { returnWorkbench, shareWorkbench } from '../../support/workbench/sharedWorkbench.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';
import { prompt } from '../../unit/features/reports/prompts/prompts.ts';

const column = (key: string, yurbitype: string) => ({ key, headerText: key, yurbitype });

const cities = [
  { id: 1, city: 'Oslo', people: 700 },
  { id: 2, city: 'Rome', people: 2800 },
  { id: 3, city: 'Lima', people: 10_000 },
];
const cityColumns = [column('id', 'num'), column('city', 'cha'), column('people', 'num')];
const late = Promise.withResolvers<void>();
let runs = 0;
let refusesSql = false;

const reports: FaultyReport[] = [
  {
    name: 'Asks',
    prompts: [prompt({ name: 'City', isSkipable: true })],
    run: () => result(cities, cityColumns),
  },
  {
    name: 'Changes',
    run: () => {
      runs++;
      const later = [cities[0]!, { ...cities[1]!, people: 2801 }, { id: 4, city: 'Bern', people: 130 }];
      return result(runs === 1 ? cities : later, cityColumns);
    },
  },
  {
    name: 'Unended',
    definition: { Sql: "SELECT 'open   ended" },
    run: () => result(cities, cityColumns),
  },
  {
    name: 'Asks Late',
    metadata: async () => {
      await late.promise;
      return { Report: { ErrorCode: 0, ReportID: '4', Reportname: 'Asks Late', FieldList: [] }, Prompts: [prompt()] };
    },
  },
];

describe('the results panel on a server that answers to order', () => {
  let workbench: Workbench;
  let server: FaultyServer;
  beforeAll(async () => {
    server = await startFaultyServer(reports, {
      'Report/GetSQL': (request) => (refusesSql ? { ErrorCode: 9000, ErrorMessage: 'No SQL today' } : sqlOf(request)),
    });
    workbench = await shareWorkbench({ theme: 'dark', size: { width: 1500, height: 850 } });
    await signIn(workbench, server);
  });
  afterAll(async () => {
    await returnWorkbench(workbench);
    await server.close();
  });

  const run = (report: string) => ResultsPage.run(workbench, report);
  const press = async (...keys: string[]) => {
    for (const key of keys) await workbench.page.keyboard.press(key);
  };
  const sql = () => workbench.page.locator('.monaco-editor[data-uri^="analytics-sql:"]');

  it('shows SQL that follows the values of prompts', async () => {
    const page = await run('Asks');
    await page.frame.getByRole('combobox').first().fill('Oslo');
    await press('Enter');
    await page.says(/^3 rows/);
    await page.button('SQL').click();
    await sql().getByText("'Oslo'").waitFor();
    await workbench.screenshot('sql-beside-dark');
    await page.button('Run Options…').click();
    await workbench.quickPickChoose('With Other Prompt Values…');
    await page.frame.getByRole('combobox').first().fill('Rome');
    await press('Enter');
    await sql().getByText("'Rome'").waitFor();
    await workbench.palette('View: Close All Editors');
  });

  it('leaves the focus in a list that was opened before the form came', async () => {
    const page = await run('Asks Late');
    const list = workbench.page.locator('.quick-input-widget:visible .quick-input-box input');
    await until(
      'the palette',
      () => list.isVisible(),
      () => press('Control+Shift+P'),
    );
    await workbench.page.keyboard.type('abc');
    late.resolve();
    const box = page.frame.getByRole('combobox', { name: 'State' });
    await box.waitFor();
    await workbench.page.keyboard.type('def');
    await expect.poll(() => list.inputValue()).toBe('>abcdef');
    // It is gone to once the list has closed.
    await press('Escape');
    await waitFor('the focus in the form', async () => (await page.frame.locator('input:focus').count()) === 1);
  });

  it('shows SQL that nobody can lay out as it came', async () => {
    const page = await run('Unended');
    await page.says(/^3 rows/);
    await page.button('SQL').click();
    await sql().getByText("SELECT 'open   ended").waitFor();
    // What the server says no more is no SQL of now.
    refusesSql = true;
    await page.button('SQL').click();
    await sql().getByText('No SQL today').waitFor();
    expect(await sql().getByText("SELECT 'open   ended").count()).toBe(0);
    refusesSql = false;
    await page.button('SQL').click();
    await sql().getByText("SELECT 'open   ended").waitFor();
    await workbench.palette('View: Close Editor');
  });

  it('compares two runs row by row: what was changed, added and removed', async () => {
    const page = await run('Changes');
    await page.says(/^3 rows/);
    await page.button('Run Again').click();
    await waitFor('the second run', async () => runs === 2);
    await page.frame.locator('.grid-cell', { hasText: 'Bern' }).waitFor();
    await workbench.palette('Analytics: Compare Runs…');
    const offered = workbench.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
    await workbench.page.getByPlaceholder('Select a run').fill('Changes');
    await waitFor('both runs to be offered', async () => (await offered.count()) === 2);
    // An Enter that comes before the list takes it is lost; more than one at once would answer the next list, too.
    const enter = () => press('Enter');
    const patience = { tryFor: 5_000 };
    await until('the other run to be offered', async () => (await offered.count()) === 1, enter, patience);
    const keys = workbench.page.locator('.quick-input-widget:visible', { hasText: 'Key Columns' });
    await until('the columns to choose from', () => keys.isVisible(), enter, patience);
    await workbench.quickPickTick();
    await workbench.quickInput('Numeric Tolerance', '');
    const compared = await ResultsPage.of(workbench, 'Changes: what changed');
    await compared.frame.locator('.grid-cell').first().waitFor();
    await expect
      .poll(async () => (await compared.column('Change')).toSorted())
      .toEqual(['added', 'changed', 'removed']);
    await expect
      .poll(() => compared.frame.locator('.grid-notes').innerText())
      .toMatch(/1 changed, 1 added, 1 removed, 1 equal/);
    for (const theme of ['dark', 'light', 'highContrast'] as const) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`comparison-${theme}`);
      // The pages that are shown without an editor wear what the editor gives this one.
      const worn = await compared.frame.evaluate<Record<string, string>>(themeVariables);
      expect(worn).toMatchObject(themes[theme].variables);
    }
    await workbench.useTheme('dark');
    const kind = (name: RegExp) =>
      compared.frame.getByRole('group', { name: 'Rows to show' }).getByRole('button', { name });
    const shows = (kinds: string[]) =>
      waitFor(
        `rows ${kinds.join()}`,
        async () => `${(await compared.column('Change')).toSorted().join()}` === kinds.join(),
      );
    await until(
      'the changed row alone',
      async () => (await compared.column('Change')).join() === 'changed',
      () => kind(/^changed/).click({ timeout: 2_000 }),
    );
    await expect.poll(() => compared.column('people')).toEqual(['2800 → 2801']);
    await until(
      'all rows',
      async () => (await compared.column('Change')).length === 3,
      () => kind(/^All/).click({ timeout: 2_000 }),
    );
    await until(
      'the rows by id',
      async () => (await compared.column('id')).join() === '2,3,4',
      () => compared.title('id').click({ timeout: 2_000 }),
    );
    await shows(['added', 'changed', 'removed']);
    const offer = workbench.page.getByPlaceholder('3 rows, as currently sorted and filtered');
    await until(
      'the list of formats',
      () => offer.isVisible(),
      () => compared.button('Export').click({ timeout: 2_000 }),
    );
    await press('Escape');
    await offer.waitFor({ state: 'hidden' });
    // Its rows go with the window; the panel says so.
    await workbench.reloadWindow();
    const lost = await ResultsPage.afterReload(workbench, 'Changes: what changed');
    await lost.frame.getByText('The compared rows were discarded').first().waitFor();
    await workbench.screenshot('comparison-lost');
  });
});

/** In the page: the variables that the editor sets, and their values. */
const themeVariables = `
  Object.fromEntries([...document.documentElement.style].map((name) => [name, document.documentElement.style.getPropertyValue(name)]))
`;
