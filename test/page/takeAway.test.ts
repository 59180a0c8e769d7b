import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsHost, type ShownResult } from '../support/pages/resultsHost.ts';
import { dismiss, person } from '../support/vscode/person.ts';
import { settings } from '../support/vscode/settings.ts';
import { waitFor } from '../support/waitFor.ts';

describe('taking results away', () => {
  let host: ResultsHost;
  let page: ShownResult;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'take-away-'));
    settings.set('analytics.export.details', { globalValue: true });
    host = await ResultsHost.start();
    page = await host.run('Hundred Longest Delays');
    await page.isDone();
  });
  afterAll(async () => {
    await host.stop();
    settings.clear();
    await rm(folder, { recursive: true, force: true });
  });

  const press = async (...keys: string[]) => {
    for (const key of keys) await page.page.keyboard.press(key);
  };
  /** Asks to export what a panel shows, and answers the lists and the dialog. */
  /** @param told what the message says that follows the export; none where the page shows the outcome. */
  const exportAs = async (
    shown: ShownResult,
    picks: readonly string[],
    name: string,
    told?: string,
  ): Promise<string> => {
    const file = path.join(folder, name);
    for (const pick of picks) person.answers('Export', pick);
    person.answers('Export "', file);
    if (told !== undefined) person.answers(told, dismiss);
    await shown.button('Export').click();
    return file;
  };
  const isThere = (name: string) => waitFor(name, async () => (await readdir(folder)).includes(name));

  it('says what is selected: count, distinct, nulls, sum, average, least and greatest', async () => {
    await page.grid.focus();
    await press('Control+Home', 'Shift+ArrowDown', 'Shift+ArrowDown');
    const [a = 0, b = 0, c = 0] = await page.numbers('Arrival Delay');
    const figures = new RegExp(
      `3 cells selected · ${new Set([a, b, c]).size} distinct · 0 null · sum ${(a + b + c).toLocaleString('en')} · avg (≈ )?[\\d.,]+ · ` +
        `min ${c.toLocaleString('en')} · max ${a.toLocaleString('en')}`,
    );
    await page.says(figures);
  });

  it('copies in the form that is chosen', async () => {
    const delays = (await page.numbers('Arrival Delay')).slice(0, 3);
    for (const [form, text] of [
      ['IN List', `(${[...new Set(delays)].join(', ')})`],
      ['JSON', `[\n${delays.map((delay) => `{"delay":${delay}}`).join(',\n')}\n]\n`],
      ['Markdown', `| Arrival Delay |\n| --- |\n${delays.map((delay) => `| ${delay} |\n`).join('')}`],
    ] as const) {
      person.answers('Copy', form);
      await page.grid.focus();
      await press('Control+Alt+c');
      await expect.poll(() => person.clipboard).toBe(text);
    }
  });

  it('shows a cell whole, and closes it by Escape', async () => {
    await page.frame.locator('.grid-cell[data-place="3"]').first().dblclick();
    const pane = page.frame.getByRole('complementary');
    const city = await page.frame.locator('.grid-cell.is-active').innerText();
    await expect.poll(() => pane.locator('.cell-text').first().innerText()).toBe(city);
    await press('Escape');
    await pane.waitFor({ state: 'detached' });
  });

  it('moves the focus to a pane with its appearance, so that the next key is the pane’s', async () => {
    const hasFocus = page.hasFocusAtOnce('.cell-pane');
    await page.frame.locator('.grid-cell[data-place="3"]').first().dblclick();
    expect(await hasFocus).toBe(true);
    await press('Escape');
    await page.frame.getByRole('complementary').waitFor({ state: 'detached' });
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
    const file = await exportAs(page, [name], `delays.${extension}`, 'Exported 100 rows');
    await isThere(`delays.${extension}.details.json`);
    await expect.poll(() => person.texts('message').at(-1)).toBe(`Exported 100 rows to delays.${extension}.`);
    person.leave();
    const bytes = await readFile(file);
    const details = JSON.parse(await readFile(`${file}.details.json`, 'utf8')) as Record<string, unknown>;
    expect(details).toMatchObject({
      report: 'Hundred Longest Delays',
      server: 'Local Server',
      user: 'admin',
      rows: 100,
      isFromCache: /cache/.test(await page.footer()),
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect(details.sql).toContain('SELECT');
    expect(Date.parse(String(details.ranAt))).toBeLessThanOrEqual(Date.now());
    expect(await rowsIn[extension]?.(bytes)).toBe(100);
    expect((await readdir(folder)).filter((each) => each.includes('partial'))).toEqual([]);
  });

  it('exports a pivot as it is shown', async () => {
    const pivot = await host.run('Delay by State and Weekday');
    await pivot.isDone();
    await pivot.title('Sunday').waitFor();
    const lines = Number(await pivot.grid.getAttribute('aria-rowcount')) - 1;
    const file = await exportAs(pivot, ['Shown Rows', 'CSV'], 'pivot.csv', 'Exported 51 rows');
    await isThere('pivot.csv.details.json');
    const [titles = '', ...written] = (await readFile(file, 'utf8')).trimEnd().split('\r\n');
    expect(written).toHaveLength(lines);
    expect([titles, written[0]]).toEqual([
      'Origin State,Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sunday',
      expect.stringMatching(/^AK(,-?[\d.]+){7}$/),
    ]);
  });

  it('saves the picture of a chart', async () => {
    const chart = await host.run('Flights by Distance');
    await chart.isDone();
    await chart.frame.locator('.chart-place canvas').first().waitFor();
    for (const format of ['PNG', 'SVG']) {
      await exportAs(chart, [`Chart as ${format}`], `pie.${format.toLowerCase()}`);
      await chart.says(/Saved/);
    }
    const png = await readFile(path.join(folder, 'pie.png'));
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect(png.length).toBeGreaterThan(10_000);
    const svg = await readFile(path.join(folder, 'pie.svg'), 'utf8');
    expect(svg).toMatch(/^<svg/);
    expect(svg).toContain('500 to 999 miles');
    expect(svg).not.toContain('<script');
    // Where no chart is shown there is no picture, and none of what was drawn before.
    await chart.frame.getByRole('textbox', { name: 'Only rows with…' }).fill('no such text');
    await chart.frame.locator('.chart-lack').waitFor();
    person.leave();
    person.answers('Export Flights by Distance', dismiss);
    await chart.button('Export').click();
    await expect.poll(() => person.shown).toHaveLength(1);
    const choices = person.shown[0]?.choices ?? [];
    expect(choices).toContain('Parquet');
    expect(choices.filter((label) => label.startsWith('Chart as'))).toEqual([]);
  });
});
