import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsHost, type ShownResult } from '../support/pages/resultsHost.ts';
import { opened } from '../support/vscode/index.ts';
import { person } from '../support/vscode/person.ts';
import { waitFor } from '../support/waitFor.ts';

describe('rows of a result', () => {
  let host: ResultsHost;
  let page: ShownResult;
  beforeAll(async () => {
    host = await ResultsHost.start({ size: { width: 1100, height: 780 } });
  });
  afterAll(() => host.stop());

  const open = async (report: string) => {
    page = await host.run(report);
    await page.isDone(60_000);
  };
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.page.keyboard.press(key);
  };
  /** The title says so before the rows come. */
  const isSorted = (read: () => Promise<number[]>) =>
    waitFor('the rows in their order', async () => {
      const numbers = await read();
      return numbers.length > 0 && numbers.every((number, row) => row === 0 || number >= (numbers[row - 1] ?? 0));
    });

  it('shows the rows of a report with its server, its user and its times', async () => {
    await open('Hundred Longest Delays');
    await expect
      .poll(() => page.frame.locator('.toolbar').innerText())
      .toMatch(/Hundred Longest Delays\s+Local Server · admin/);
    await expect.poll(() => page.footer()).toMatch(/^100 rows · row limit of the report/);
    const { grid } = page;
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('101');
    await expect.poll(() => grid.getAttribute('aria-colcount')).toBe('7');
    const delays = await page.numbers('Arrival Delay');
    expect(delays).toEqual(delays.toSorted((one, other) => other - one));
  });

  it('sorts by a click, and by several columns with Shift', async () => {
    await page.title('Distance').click();
    await page.frame.locator('[aria-sort="ascending"]').waitFor();
    await isSorted(() => page.numbers('Distance'));
    await page.title('Origin').click();
    await page.title('Distance').click({ modifiers: ['Shift'] });
    await page.frame.locator('[aria-sort="ascending"]').nth(1).waitFor();
    await waitFor('the rows in the order of both', async () => {
      const [origins, then] = [await page.column('Origin'), await page.numbers('Distance')];
      const pairs = origins.map((origin, row) => ({ origin, distance: then[row] ?? 0 }));
      const sorted = pairs.toSorted((a, b) => a.origin.localeCompare(b.origin) || a.distance - b.distance);
      return pairs.length > 0 && pairs.every((pair, row) => pair === sorted[row]);
    });
    await expect.poll(() => page.frame.locator('.grid-sort-level').allInnerTexts()).toEqual(['1', '2']);
  });

  it('filters columns and finds text, and gets back from a filter that hides everything', async () => {
    await page.button('Filter').click();
    await page.frame.getByLabel('Filter of Distance').fill('>1000');
    await page.says(/\d+ of 100 rows/);
    await expect.poll(async () => Math.min(...(await page.numbers('Distance')))).toBeGreaterThan(1000);
    await page.frame.getByLabel('Filter of Distance').fill('>');
    await page.frame.locator('[aria-invalid="true"]').waitFor();
    await page.frame.getByLabel('Filter of Distance').fill('');
    await page.says(/^100 rows/);
    const box = page.frame.getByRole('textbox', { name: 'Find', exact: true });
    await page.grid.focus();
    await press('Control+f');
    await box.waitFor();
    await box.fill('1');
    await page.frame
      .getByText(/in \d+ rows?$/)
      .first()
      .waitFor();
    await page.frame.locator('.grid-cell.is-found.is-active').waitFor();
    const found = await page.grid.getAttribute('aria-activedescendant');
    await box.press('F3');
    await expect.poll(() => page.grid.getAttribute('aria-activedescendant')).not.toBe(found);
    await page.button('Close').click();
    await box.waitFor({ state: 'hidden' });
    await page.frame.getByRole('textbox', { name: 'Only rows with…' }).fill('no such text');
    await page.frame.getByText('No Row Matches').waitFor();
    await page.button('Clear Filters').click();
    await page.says(/^100 rows/);
    await expect.poll(() => page.frame.getByRole('textbox', { name: 'Only rows with…' }).inputValue()).toBe('');
    await page.button('Filter').click();
  });

  it('is worked by keyboard alone: cells, titles, sorting, selecting, copying', async () => {
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
    // The test before left the column ascending, as the second of two.
    await page.frame.locator('#title-5[aria-sort="descending"]').waitFor();
    await press('Alt+ArrowLeft');
    await expect.poll(() => page.frame.locator('#title-4').innerText()).toContain('Distance');
    await press('Alt+ArrowRight', 'Home', 'ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowDown');
    await page.says(/4 cells selected/);
    await press('Control+Shift+c');
    await page.says(/Copied/);
    const [first, second] = [await page.column('Arrival Delay'), await page.column('Departure')];
    expect(person.clipboard.split('\n')).toEqual([
      'Arrival Delay\tDeparture',
      `${first[0]}\t${second[0]}`,
      `${first[1]}\t${second[1]}`,
    ]);
  });

  it('selects with the mouse, and follows links only when they are clicked', async () => {
    await open('Airports with Flights');
    const link = page.frame.locator('.grid-cell.is-link .grid-text').first();
    await expect.poll(() => link.innerText()).toMatch(/^https:\/\/www\.openstreetmap\.org/);
    expect(await page.frame.locator('.grid a').count()).toBe(0);
    await page.frame.locator('.grid-number').nth(3).click();
    await page.says(/5 cells selected/);
    // Also one that is cut off at the edge of the grid: it stays where it is from the press to the click.
    const box = await link.boundingBox();
    const grid = await page.grid.boundingBox();
    if (!box || !grid) expect.fail('no link');
    const cutOff = Math.round(box.x + 40 - (grid.x + grid.width));
    await page.frame.evaluate(`document.querySelector('.grid').scrollLeft += ${cutOff}`);
    await expect
      .poll(async () => Math.round((await link.boundingBox())?.x ?? 0))
      .toBeLessThan(grid.x + grid.width - 30);
    const place = await link.boundingBox();
    const address = await link.innerText();
    await page.page.mouse.click((place?.x ?? 0) + 15, (place?.y ?? 0) + 5);
    await expect.poll(() => opened).toEqual([address]);
    expect((await link.boundingBox())?.x).toBe(place?.x);
  });

  it('opens a menu of the selected cells, by key and by pointer, in place of the editor', async () => {
    const menu = page.frame.getByRole('menu', { name: 'Selected cells' });
    await page.grid.focus();
    await press('Control+Home', 'Shift+ArrowRight', 'Shift+F10');
    await menu.waitFor();
    const [first, second] = await page.frame.locator('[data-row="0"] .grid-cell .grid-text').allInnerTexts();
    await press('Enter');
    await expect.poll(() => person.clipboard).toBe(`${first}\t${second}`);
    // A cell that is not selected is meant alone, and one that is with the others.
    const third = page.frame.locator('[data-row="2"] .grid-cell').first();
    await third.click({ button: 'right' });
    await page.frame.getByRole('menuitem', { name: 'Copy', exact: true }).click();
    await expect.poll(() => person.clipboard).toBe(await third.innerText());
    await press('Shift+ArrowUp');
    await third.click({ button: 'right' });
    await page.frame.getByRole('menuitem', { name: 'Copy with Headers' }).click();
    await expect.poll(() => person.clipboard.split('\n').length).toBe(3);
    // Beneath the cell, also while its row is still on its way.
    await press('Control+End', 'Shift+F10');
    await menu.waitFor();
    expect((await menu.boundingBox())?.y).toBeGreaterThan(500);
    await press('Escape', 'Control+Home');
    const link = page.frame.locator('.grid-cell.is-link').first();
    const before = opened.length;
    await link.click({ button: 'right' });
    await page.frame.getByRole('menuitem', { name: 'Open Link' }).click();
    await expect.poll(() => opened).toHaveLength(before + 1);
    expect(opened.at(-1)).toMatch(/^https:\/\/www\.openstreetmap\.org/);
    await link.click({ button: 'right' });
    await page.frame.getByRole('menuitem', { name: 'Show Whole Cell' }).click();
    await page.frame.getByRole('complementary').waitFor();
    await press('Escape');
    await page.frame.getByRole('complementary').waitFor({ state: 'detached' });
  });

  it('moves and resizes columns by dragging', async () => {
    await page.frame.evaluate(`document.querySelector('.grid').scrollLeft = 0`);
    const title = (place: number) => page.frame.locator(`#title-${place}`);
    await page.grid.focus();
    await press('Control+Home', 'ArrowRight', 'Control+Shift+ArrowDown');
    await page.says(/cells selected.* distinct/);
    const figures = () => page.frame.locator('.footer-selection').innerText();
    const ofNames = await figures();
    const [from, to] = [await title(1).boundingBox(), await title(3).boundingBox()];
    const { mouse } = page.page;
    await mouse.move((from?.x ?? 0) + 30, (from?.y ?? 0) + 15);
    await mouse.down();
    await mouse.move((to?.x ?? 0) + (to?.width ?? 0) - 10, (to?.y ?? 0) + 15, { steps: 5 });
    await mouse.up();
    await waitFor('the column to move', async () => (await title(3).innerText()).includes('Airport'));
    await expect.poll(() => title(1).innerText()).toContain('City');
    // The cells that are marked are other ones now.
    await waitFor('their figures', async () => /distinct/.test(await figures()) && (await figures()) !== ofNames);
    const before = (await title(0).boundingBox())?.width ?? 0;
    const handle = await title(0).locator('.grid-handle').boundingBox();
    await mouse.move((handle?.x ?? 0) + 4, (handle?.y ?? 0) + 10);
    await mouse.down();
    await mouse.move((handle?.x ?? 0) + 64, (handle?.y ?? 0) + 10, { steps: 4 });
    await mouse.up();
    const widthOf = async (element: Locator) => (await element.boundingBox())?.width;
    await expect.poll(() => widthOf(title(0))).toBe(before + 60);
    await expect.poll(() => widthOf(page.frame.locator('.grid-cell[data-place="0"]').first())).toBe(before + 60);
  });

  it('runs a large report to the end, where it says that a limit was reached; the rows scroll, sort and are found', async () => {
    await open('All Flights');
    await page.says(/500,000 rows/);
    await page.frame.getByText('Received exactly 500,000 rows').first().waitFor();
    await page.grid.focus();
    await press('Control+End');
    const last = page.frame.locator('.grid-row[aria-rowindex="500001"]:not(.is-loading)');
    await last.waitFor();
    await expect.poll(() => last.locator('.grid-number').innerText()).toBe('500,000');
    await page.title('Arrival Delay').click();
    await page.frame.locator('[aria-sort="ascending"]').waitFor();
    await isSorted(() => page.numbers('Arrival Delay'));
    await page.frame.getByRole('textbox', { name: 'Only rows with…' }).fill('honolulu');
    await page.says(/[\d,]+ of 500,000 rows/);
  });
});
