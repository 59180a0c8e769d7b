import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsPage } from '../../support/webview/resultsPage.ts';
import { waitFor } from '../../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

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

  it('copies in the form that is chosen', async () => {
    const page = await ResultsPage.run(workbench, 'Hundred Longest Delays');
    await page.isDone();
    await page.grid.focus();
    await press('Control+Home', 'Shift+ArrowDown', 'Shift+ArrowDown');
    await page.says(/3 cells selected/);
    await workbench.screenshot('selection-dark');
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

  it('exports Excel to a file, with its details', async () => {
    const page = await ResultsPage.of(workbench, 'Hundred Longest Delays');
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

  it('saves the picture of a chart', async () => {
    const page = await ResultsPage.run(workbench, 'Flights by Distance');
    await page.isDone();
    await page.frame.locator('.chart-place canvas').first().waitFor();
    await openExport(page);
    await workbench.screenshot('export-dark');
    await choose('Chart as PNG');
    await saveAs(path.join(folder, 'pie.png'));
    await page.says(/Saved/);
    const png = await readFile(path.join(folder, 'pie.png'));
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect(png.length).toBeGreaterThan(10_000);
  });
});
