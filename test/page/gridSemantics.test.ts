import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsHost, type ShownResult } from '../support/pages/resultsHost.ts';
import { focused } from '../support/pages/spoken.ts';

describe('what a screen reader gets of the grid', () => {
  let host: ResultsHost;
  let page: ShownResult;
  beforeAll(async () => {
    host = await ResultsHost.start();
  });
  afterAll(() => host.stop());

  const open = async (report: string) => {
    page = await host.run(report);
    await page.isDone();
    await page.grid.locator('.grid-row:not(.is-loading)').first().waitFor();
  };
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.page.keyboard.press(key);
  };
  /** Row numbers in the order of the document, and in that of the screen. */
  const orders = () =>
    page.frame.evaluate<[number[], number[]]>(`(() => {
      const rows = [...document.querySelectorAll('.grid-row:not([hidden])')];
      const number = (row) => Number(row.getAttribute('aria-rowindex'));
      const top = (row) => row.getBoundingClientRect().top;
      return [rows.map(number), rows.toSorted((one, other) => top(one) - top(other)).map(number)];
    })()`);

  it('has the rows in the order of the screen, wherever it is scrolled to', async () => {
    await open('Hundred Longest Delays');
    await page.grid.focus();
    for (const keys of ['PageDown', 'ArrowDown', 'PageDown', 'PageUp', 'Control+End', 'PageUp', 'Control+Home']) {
      await press(keys, 'ArrowDown', 'ArrowDown');
      const [document, screen] = await orders();
      expect(document.length).toBeGreaterThan(10);
      expect(document).toEqual(screen);
      expect(document).toEqual(document.toSorted((one, other) => one - other));
    }
  });

  it('says of a cell that it opens another report, and which', async () => {
    await open('Delays by State');
    const cell = page.frame.getByRole('gridcell', { name: 'AK, opens Airports of a State', exact: true });
    await cell.waitFor();
    expect(await cell.locator('.grid-text').evaluate((text) => getComputedStyle(text).textDecorationLine)).toBe(
      'underline',
    );
    await page.grid.focus();
    expect(await focused(page.page)).toMatch(/ > .*, opens Airports of a State$/);
  });

  it('calls the distribution of a column by its name', async () => {
    await page.grid.focus();
    await press('Control+Home', 'ArrowUp', 'F2');
    await page.frame.getByRole('table', { name: 'Distribution of Origin State', exact: true }).waitFor();
    await press('Escape');
  });

  it('says why a filter is refused, in words beside it', async () => {
    await page.button('Filter').click();
    const box = page.frame.locator('.grid-filter-box').nth(1);
    await box.fill('>');
    await expect.poll(() => box.getAttribute('aria-invalid')).toBe('true');
    const id = await box.getAttribute('aria-describedby');
    const reason = page.frame.locator(`#${id}`);
    await reason.waitFor();
    expect(await reason.innerText()).toMatch(/^\s*Filter of .+: .+\.$/);
    await box.fill('');
    await expect.poll(() => box.getAttribute('aria-describedby')).toBeNull();
    await reason.waitFor({ state: 'detached' });
  });

  it('has groups as a tree: levels, open headings, and the grand total by name', async () => {
    await open('Monthly Traffic by State');
    await page.frame.getByRole('treegrid', { name: 'Rows of the report' }).waitFor();
    const row = (index: number) => page.frame.locator(`.grid-row[aria-rowindex="${index}"]`);
    expect(await row(2).getAttribute('aria-level')).toBe('1');
    expect(await row(2).getAttribute('aria-expanded')).toBe('true');
    expect(await row(3).getAttribute('aria-level')).toBe('2');
    expect(await row(3).getAttribute('aria-expanded')).toBeNull();
    await page.grid.focus();
    await press('Control+End');
    await page.frame.getByRole('rowheader', { name: 'Grand total', exact: true }).waitFor();
    await page.button('Table').click();
    await page.frame.getByRole('grid', { name: 'Rows of the report' }).waitFor();
    expect(await page.frame.locator('.grid-row[aria-level], .grid-row[aria-expanded]').count()).toBe(0);
  });

  it('has names of pivot rows as headers', async () => {
    await open('Delay by State and Weekday');
    const header = page.frame.locator('.grid-row[aria-rowindex="2"] [aria-colindex="2"]');
    expect(await header.getAttribute('role')).toBe('rowheader');
    expect(await page.frame.locator('.grid-row[aria-rowindex="2"] [aria-colindex="3"]').getAttribute('role')).toBe(
      'gridcell',
    );
    const titles = await page.frame.getByRole('columnheader').allInnerTexts();
    const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
    expect(titles.map((title) => title.trim()).slice(-7)).toEqual(days);
  });
});
