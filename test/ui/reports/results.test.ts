import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsPage } from '../../support/webview/resultsPage.ts';
import { waitFor } from '../../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

describe('the results panel on the local server', () => {
  let workbench: Workbench;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'results-'));
    const settings = { 'analytics.export.details': true };
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    workbench = await openWorkbench({ theme: 'dark', env, settings, size: { width: 1400, height: 900 } });
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.treeItem('Bird Strikes').first().waitFor({ timeout: 60_000 });
    await workbench.expand('Flights');
  });
  afterAll(async () => {
    await workbench.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const run = (report: string) => ResultsPage.run(workbench, report);
  const press = async (...keys: string[]) => {
    for (const key of keys) await workbench.page.keyboard.press(key);
  };
  const open = (report: string) => ResultsPage.of(workbench, report);

  /** Asks to export what a panel shows; a click is lost where the page is just drawn. */
  const openExport = async (page: ResultsPage) => {
    const box = workbench.page.locator('.quick-input-widget:visible .quick-input-box input');
    await waitFor('the list of formats', async () => {
      if (await box.isVisible()) return true;
      await page.button('Export').click({ timeout: 2_000 });
      await box.waitFor({ timeout: 5_000 });
      return true;
    });
  };
  /** Answers the dialog that asks for a file. */
  const saveAs = async (file: string) => {
    const box = workbench.page.locator('.quick-input-widget:visible .quick-input-box input');
    await waitFor('the dialog to save', async () => /[/\\].*\.\w+$/.test(await box.inputValue()));
    await box.fill(file);
    // The dialog looks up the folder first, and takes the name only then.
    await waitFor('the dialog to close', async () => {
      if (!(await box.isVisible())) return true;
      await press('Enter');
      await box.waitFor({ state: 'hidden', timeout: 1_000 });
      return true;
    });
  };

  it('shows the rows of a report with its server, its user and its times', async () => {
    const page = await run('Hundred Longest Delays');
    await page.isDone();
    await expect
      .poll(() => page.frame.locator('.toolbar').innerText())
      .toMatch(/Hundred Longest Delays\s+Local Server · admin/);
    await expect.poll(() => page.footer()).toMatch(/^100 rows · row limit of the report/);
    const { grid } = page;
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('101');
    await expect.poll(() => grid.getAttribute('aria-colcount')).toBe('7');
    const delays = await page.numbers('Arrival Delay');
    expect(delays).toEqual(delays.toSorted((one, other) => other - one));
    await workbench.screenshot('results-dark');
  });

  it('is worked by keyboard alone: cells, titles, sorting, selecting, copying', async () => {
    const page = await open('Hundred Longest Delays');
    const { grid } = page;
    const active = async () => grid.getAttribute('aria-activedescendant');
    await grid.focus();
    await press('Control+Home');
    await expect.poll(() => active()).toBe('cell-0-0');
    await press('ArrowDown', 'ArrowRight');
    await expect.poll(() => active()).toBe('cell-1-1');
    await press('Control+End');
    await expect.poll(() => active()).toBe('cell-99-5');
    await press('Control+Home', 'ArrowUp');
    await expect.poll(() => active()).toBe('title-0');
    await press('End', 'Enter');
    await page.frame.locator('#title-5[aria-sort="ascending"]').waitFor();
    await press('Alt+ArrowLeft');
    await expect.poll(() => page.frame.locator('#title-4').innerText()).toContain('Distance');
    await press('Alt+ArrowRight', 'Home', 'ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowDown');
    await page.says(/4 cells selected/);
    await press('Control+Shift+c');
    await page.says(/Copied/);
    const [first, second] = [await page.column('Arrival Delay'), await page.column('Departure')];
    const copied = await workbench.page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied.split('\n')).toEqual([
      'Arrival Delay\tDeparture',
      `${first[0]}\t${second[0]}`,
      `${first[1]}\t${second[1]}`,
    ]);
  });

  it('exports Excel to a file, with its details', async () => {
    const page = await open('Hundred Longest Delays');
    await openExport(page);
    await workbench.quickPickChoose('Excel');
    const file = path.join(folder, 'delays.xlsx');
    await saveAs(file);
    const written = 'delays.xlsx.details.json';
    await waitFor('the file and its details', async () => (await readdir(folder)).includes(written));
    await workbench.notification('Exported 100 rows').first().waitFor();
    const bytes = await readFile(file);
    const details = JSON.parse(await readFile(`${file}.details.json`, 'utf8')) as Record<string, unknown>;
    expect(details).toMatchObject({
      report: 'Hundred Longest Delays',
      server: 'Local Server',
      user: 'admin',
      rows: 100,
      isFromCache: false,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect(details.sql).toContain('SELECT');
    expect(Date.parse(String(details.ranAt))).toBeLessThanOrEqual(Date.now());
    expect((await readXlsx(bytes)).sheets[0]?.rows.length).toBe(101);
    expect((await readdir(folder)).filter((each) => each.includes('partial'))).toEqual([]);
  });

  it('selects with the mouse, and follows links only when they are clicked', async () => {
    const page = await run('Airports with Flights');
    await page.isDone();
    const link = page.frame.locator('.grid-cell.is-link .grid-text').first();
    await expect.poll(() => link.innerText()).toMatch(/^https:\/\/www\.openstreetmap\.org/);
    expect(await page.frame.locator('.grid a').count()).toBe(0);
    await page.frame.locator('.grid-number').nth(3).click();
    await page.says(/5 cells selected/);
    await link.click();
    const dialog = workbench.page.getByRole('dialog');
    await dialog.getByText('to open the external website?').waitFor();
    await expect.poll(() => dialog.innerText()).toContain('openstreetmap.org');
    await workbench.answer('Cancel');
  });

  it('opens a menu of the selected cells in place of the one of the editor', async () => {
    const page = await open('Airports with Flights');
    const { keyboard } = workbench.page;
    const menu = page.frame.getByRole('menu', { name: 'Selected cells' });
    const editors = () => workbench.page.locator('.monaco-menu').count();
    const clipboard = () => workbench.page.evaluate<string>('navigator.clipboard.readText()');
    await page.grid.focus();
    for (const key of ['Control+Home', 'Shift+ArrowRight', 'Shift+F10']) await keyboard.press(key);
    await menu.waitFor();
    await workbench.screenshot('cell-menu-dark');
    expect(await editors()).toBe(0);
    const [first, second] = await page.frame.locator('[data-row="0"] .grid-cell .grid-text').allInnerTexts();
    await keyboard.press('Enter');
    await expect.poll(() => clipboard()).toBe(`${first}\t${second}`);
    expect(await editors()).toBe(0);
  });

  it('draws a chart, with the table one click away, in each theme', async () => {
    const page = await run('Average Delay by State');
    await page.isDone();
    await page.frame.locator('.chart[data-kind="axes"]').waitFor();
    await page.button('Table').click();
    await page.frame.locator('.grid-cell').first().waitFor();
    await page.button('Chart').click();
    for (const theme of ['dark', 'light', 'highContrast'] as const) {
      await workbench.useTheme(theme);
      await page.frame.locator('.chart-place canvas').first().waitFor();
      await expect.poll(() => page.frame.locator('.chart-lack').count()).toBe(0);
      await workbench.screenshot(`chart-${theme}`);
    }
    await workbench.useTheme('dark');
  });

  it('opens the report that a row leads to, in the same panel', async () => {
    const page = await run('Delays by State');
    await page.isDone();
    await page.frame.locator('.grid-cell.is-drill .grid-text', { hasText: /^AK$/ }).click();
    await page.frame.locator('h1', { hasText: 'Airports of a State' }).waitFor();
    await page.frame.locator('.grid-cell', { hasText: 'Anchorage' }).first().waitFor();
    await expect.poll(async () => new Set(await page.column('Origin State'))).toEqual(new Set(['AK']));
    await workbench.screenshot('drill-dark');
  });

  it('shows the generated SQL beside the rows, read-only and laid out', async () => {
    const page = await run('All Flights');
    await page.frame.locator('.grid-cell').first().waitFor();
    await page.button('SQL').click();
    const editor = workbench.page.locator('.monaco-editor[data-uri^="analytics-sql:"]');
    await editor.getByText('SELECT', { exact: true }).first().waitFor();
    await expect.poll(() => editor.locator('.view-line').count()).toBeGreaterThan(10);
    await workbench.screenshot('sql-dark');
    await editor.locator('.view-line').first().click();
    await workbench.page.keyboard.type('x');
    await workbench.page.getByText('Cannot edit in read-only editor').first().waitFor();
  });

  it('comes back after the window was reloaded, and runs when asked to', async () => {
    await workbench.reloadWindow();
    await workbench.tab('All Flights').first().click();
    const page = await ResultsPage.afterReload(workbench, 'All Flights');
    await page.frame.getByText('Run Again to See the Rows').first().waitFor();
    await workbench.screenshot('results-restored');
    await page.frame.locator('.notice').getByRole('button', { name: 'Run Again' }).click();
    await page.frame.locator('.grid-cell').first().waitFor({ timeout: 60_000 });
  });
});
