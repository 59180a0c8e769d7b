import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsHost, type ShownResult } from '../support/pages/resultsHost.ts';
import { themeNames, wearTheme } from '../support/pages/themes.ts';
import { contrastOf } from '../support/webview/contrast.ts';
import { projectRoot } from '../support/vscodeHost/paths.ts';

/** Of text, by the rules for web content. */
const least = 4.5;

describe.each(themeNames)('the text of a cell in the theme %s', (theme) => {
  let host: ResultsHost;
  let page: ShownResult;
  beforeAll(async () => {
    host = await ResultsHost.start({ scale: 4 });
  });
  afterAll(() => host.stop());

  const run = async (report: string) => {
    page = await host.run(report);
    await page.isDone();
    await wearTheme(page.page, theme);
  };
  const text = (row: number, column: number): Locator =>
    page.frame
      .locator(`.grid-row[aria-rowindex="${row + 2}"] .grid-cell`)
      .nth(column)
      .locator('.grid-text');
  const isReadable = async (cell: Locator, what: string) =>
    expect(await contrastOf(cell), what).toBeGreaterThanOrEqual(least);
  const areReadable = async (rows: readonly number[], columns: readonly number[], what: string) => {
    for (const row of rows)
      for (const column of columns) {
        const cell = text(row, column);
        if ((await cell.innerText()).trim() !== '') await isReadable(cell, `row ${row}, column ${column}, ${what}`);
      }
  };
  /** Selects from a cell by mouse, a cell to the right and two down by keyboard. */
  const select = async (row: number, column: number) => {
    const box = await text(row, column).locator('..').boundingBox();
    if (!box) return expect.fail('no cell');
    await page.page.mouse.click(box.x + box.width - 3, box.y + 3);
    for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowRight']) await page.page.keyboard.press(key);
    await expect.poll(() => page.frame.locator('.grid-cell.is-selected').count()).toBe(6);
  };

  it('can be read where it opens another report, selected, beneath the mouse and found', async () => {
    await run('Delays by State');
    const [rows, columns] = [
      [0, 1, 2],
      [0, 1],
    ];
    await areReadable(rows, columns, 'as it comes');
    await text(1, 0).hover();
    await areReadable([1], columns, 'beneath the mouse');
    await select(0, 0);
    await areReadable(rows, columns, 'selected');
    await text(1, 0).hover();
    await areReadable([1], columns, 'selected, beneath the mouse');
    await page.page.screenshot({ path: `${projectRoot}/test/screenshots/page-selection-${theme}.png` });
    await page.button('Filter').focus();
    await areReadable(rows, columns, 'selected, with the focus elsewhere');
    await page.page.keyboard.press('Control+f');
    await page.page.keyboard.type('A');
    await expect.poll(() => page.frame.locator('.grid-cell.is-found').count()).toBeGreaterThan(3);
    await areReadable([0, 1, 2, 3], [0], 'found');
  });

  it('can be read in headings of groups and in totals', async () => {
    await run('Monthly Traffic by State');
    await page.frame.locator('.grid-row.is-heading').first().waitFor();
    await areReadable([0, 1, 2], [0, 1], 'as it comes');
    await select(0, 0);
    await areReadable([0, 1, 2], [0], 'selected');
  });
});
