import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsPage } from '../support/webview/resultsPage.ts';
import { waitFor } from '../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

describe('taking results away', () => {
  let workbench: Workbench;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'take-away-'));
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    const settings = { 'analytics.export.details': true };
    workbench = await openWorkbench({ theme: 'dark', env, settings, size: { width: 1400, height: 900 } });
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.treeItem('Bird Strikes').first().waitFor({ timeout: 60_000 });
    await workbench.expand('Flights');
  });
  afterAll(async () => {
    await workbench.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const clipboard = () => workbench.page.evaluate<string>('navigator.clipboard.readText()');
  const press = async (...keys: string[]) => {
    for (const key of keys) await workbench.page.keyboard.press(key);
  };
  /** Types what to choose into the list that opens, and takes it. */
  const choose = async (label: string) => {
    const box = workbench.page.locator('.quick-input-widget:visible .quick-input-box input');
    await box.fill(label);
    await workbench.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: label }).waitFor();
    await press('Enter');
  };
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

  it('says what is selected: count, distinct, nulls, sum, average, least and greatest', async () => {
    const page = await ResultsPage.run(workbench, 'Hundred Longest Delays');
    await page.isDone();
    await page.grid.focus();
    await press('Control+Home', 'Shift+ArrowDown', 'Shift+ArrowDown');
    const [a = 0, b = 0, c = 0] = await page.numbers('Arrival Delay');
    const figures = new RegExp(
      `3 cells selected · ${new Set([a, b, c]).size} distinct · 0 null · sum ${(a + b + c).toLocaleString('en')} · avg (≈ )?[\\d.,]+ · ` +
        `min ${c.toLocaleString('en')} · max ${a.toLocaleString('en')}`,
    );
    await page.says(figures);
    await workbench.screenshot('selection-dark');
  });

  it('copies in the form that is chosen', async () => {
    const page = await ResultsPage.of(workbench, 'Hundred Longest Delays');
    const delays = (await page.numbers('Arrival Delay')).slice(0, 3);
    for (const [form, text] of [
      ['IN List', `(${[...new Set(delays)].join(', ')})`],
      ['JSON', `[\n${delays.map((delay) => `{"delay":${delay}}`).join(',\n')}\n]\n`],
      ['Markdown', `| Arrival Delay |\n| --- |\n${delays.map((delay) => `| ${delay} |\n`).join('')}`],
    ] as const) {
      await page.grid.focus();
      await press('Control+Alt+c');
      await choose(form);
      await waitFor(`the clipboard to hold the ${form}`, async () => (await clipboard()) === text);
    }
  });

  it('shows a cell whole, and closes it by Escape', async () => {
    const page = await ResultsPage.of(workbench, 'Hundred Longest Delays');
    await page.frame.locator('.grid-cell[data-place="3"]').first().dblclick();
    const pane = page.frame.getByRole('complementary');
    const city = await page.frame.locator('.grid-cell.is-active').innerText();
    await expect.poll(() => pane.locator('.cell-text').first().innerText()).toBe(city);
    await workbench.screenshot('cell-dark');
    await press('Escape');
    await pane.waitFor({ state: 'detached' });
  });

  /** How many rows a file holds, by its format. */
  const rowsIn: Record<string, (bytes: Buffer) => number | Promise<number>> = {
    csv: (bytes) => bytes.toString().split('\r\n').length - 2,
    tsv: (bytes) =>
      bytes
        .toString()
        .split('\r\n')
        .filter((line) => line.includes('\t')).length - 1,
    json: (bytes) => (JSON.parse(bytes.toString()) as unknown[]).length,
    md: (bytes) => bytes.toString().trimEnd().split('\n').length - 2,
    xlsx: async (bytes) => ((await readXlsx(bytes)).sheets[0]?.rows.length ?? 0) - 1,
    parquet: async (bytes) => (await parquetReadObjects({ file: new Uint8Array(bytes).buffer })).length,
  };

  it.each([
    ['CSV', 'csv'],
    ['Excel', 'xlsx'],
    ['JSON', 'json'],
    ['Parquet', 'parquet'],
    ['TSV', 'tsv'],
    ['Markdown', 'md'],
  ] as const)('exports %s to a file, with its details', async (name, extension) => {
    const page = await ResultsPage.of(workbench, 'Hundred Longest Delays');
    await openExport(page);
    await workbench.quickPickChoose(name);
    const file = path.join(folder, `delays.${extension}`);
    await saveAs(file);
    const written = `delays.${extension}.details.json`;
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
    expect(await rowsIn[extension]?.(bytes)).toBe(100);
    expect((await readdir(folder)).filter((each) => each.includes('partial'))).toEqual([]);
  });

  it('exports a pivot as it is shown', async () => {
    const page = await ResultsPage.run(workbench, 'Delay by State and Weekday');
    await page.isDone();
    await page.title('7').waitFor();
    const lines = Number(await page.grid.getAttribute('aria-rowcount')) - 1;
    await openExport(page);
    await choose('What Is Shown');
    await workbench.page.getByPlaceholder('lines, as shown now').waitFor();
    await workbench.quickPickChoose('CSV');
    const file = path.join(folder, 'pivot.csv');
    await saveAs(file);
    await waitFor('the pivot', async () => (await readdir(folder)).includes('pivot.csv.details.json'));
    const [titles = '', ...written] = (await readFile(file, 'utf8')).trimEnd().split('\r\n');
    expect(written).toHaveLength(lines);
    expect([titles, written[0]]).toEqual(['Origin State,1,2,3,4,5,6,7', expect.stringMatching(/^AK(,-?[\d.]+){7}$/)]);
  });

  it('saves the picture of a chart', async () => {
    const page = await ResultsPage.run(workbench, 'Flights by Distance');
    await page.isDone();
    await page.frame.locator('.chart-place canvas').first().waitFor();
    for (const format of ['PNG', 'SVG']) {
      await openExport(page);
      if (format === 'PNG') await workbench.screenshot('export-dark');
      await choose(`Chart as ${format}`);
      await saveAs(path.join(folder, `pie.${format.toLowerCase()}`));
      await waitFor(`the ${format}`, async () => (await readdir(folder)).includes(`pie.${format.toLowerCase()}`));
    }
    const png = await readFile(path.join(folder, 'pie.png'));
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect(png.length).toBeGreaterThan(10_000);
    await page.says(/Saved/);
    const svg = await readFile(path.join(folder, 'pie.svg'), 'utf8');
    expect(svg).toMatch(/^<svg/);
    expect(svg).toContain('500 to 999 miles');
    expect(svg).not.toContain('<script');
    // Where no chart is shown there is no picture, and none of what was drawn before.
    await page.frame.getByRole('textbox', { name: 'Only rows with…' }).fill('no such text');
    await page.frame.locator('.chart-lack').waitFor();
    await openExport(page);
    const offered = workbench.page.locator('.quick-input-list .monaco-list-row');
    await offered.filter({ hasText: 'Parquet' }).waitFor();
    expect(await offered.filter({ hasText: 'Chart as' }).count()).toBe(0);
  });
});
