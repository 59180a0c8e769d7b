import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../support/waitFor.ts';
import { result, startFaultyServer } from '../../support/webview/faultyServer.ts';
import type { FaultyReport, FaultyServer } from '../../support/webview/faultyServer.ts';
import { ResultsPage } from '../../support/webview/resultsPage.ts';
import { signIn } from '../../support/webview/signIn.ts';
import { returnWorkbench, shareWorkbench } from '../../support/workbench/sharedWorkbench.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';

const keys = Array.from({ length: 12 }, (_, column) => `c${column}`);
const wide = Array.from({ length: 200 }, (_, row) =>
  Object.fromEntries(keys.map((key, column) => [key, column === 1 ? `text ${row % 7}` : (row * (column + 3)) % 50])),
);
const column = (key: string, yurbitype: string) => ({ key, headerText: key, yurbitype });

const reports: FaultyReport[] = [
  {
    name: 'Wide',
    run: () =>
      result(
        wide,
        keys.map((key) => column(key, key === 'c1' ? 'cha' : 'num')),
      ),
  },
];

describe('a panel whose rows are arranged', () => {
  let workbench: Workbench;
  let server: FaultyServer;
  beforeAll(async () => {
    server = await startFaultyServer(reports);
    workbench = await shareWorkbench({ theme: 'light', size: { width: 1200, height: 700 } });
    await signIn(workbench, server);
  });
  afterAll(async () => {
    await returnWorkbench(workbench);
    await server.close();
  });
  const press = async (...all: string[]) => {
    for (const key of all) await workbench.page.keyboard.press(key);
  };
  it('is arranged alike after the window was reloaded, and its filters take the focus from nothing', async () => {
    let page = await ResultsPage.run(workbench, 'Wide');
    await page.isDone();
    const sorted = async (name: string, by: string) =>
      waitFor(`${name} to be ${by}`, async () => (await page.title(name).getAttribute('aria-sort')) === by);
    const choose = async (name: string, entry: string) => {
      await page.title(name).click({ button: 'right' });
      await page.frame.getByRole('menuitem', { name: entry }).click();
    };
    await page.title('c1').click();
    await sorted('c1', 'ascending');
    await page.title('c2').click({ modifiers: ['Shift'] });
    await sorted('c2', 'ascending');
    await choose('c3', 'Hide Column');
    await choose('c0', 'Freeze up to This Column');
    await page.grid.focus();
    await press('Control+Home', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'Alt+ArrowRight');
    await page.button('Filter').click();
    const filters = page.frame.locator('.grid-filter-box');
    await filters.nth(2).fill('>10');
    await page.says(/^156 of 200 rows/);
    await filters.nth(1).fill('text 1');
    await page.says(/^21 of 200 rows/);
    // Escape in a filter would clear it.
    await filters.nth(1).press('Enter');
    const read = () =>
      page.frame.evaluate<object>(`({
        titles: [...document.querySelectorAll('.grid-title-text')].map((title) => title.textContent),
        sorts: [...document.querySelectorAll('[role="columnheader"]')].map((title) => title.getAttribute('aria-sort')),
        frozen: document.querySelectorAll('.grid-title.is-frozen').length,
        filters: [...document.querySelectorAll('.grid-filter-box')].map((box) => box.value),
        rows: [...document.querySelectorAll('.grid-row:not([hidden])')]
          .sort((one, other) => one.dataset.row - other.dataset.row)
          .map((row) => [...row.querySelectorAll('.grid-cell')].map((cell) => cell.textContent).join()),
      })`);
    const before = await read();
    expect(before).toMatchObject({ frozen: 1, filters: { 1: 'text 1', 2: '>10' } });
    expect(before).toHaveProperty('titles.2', 'c4');

    await workbench.reloadWindow();
    page = await ResultsPage.afterReload(workbench, 'Wide');
    const again = page.frame.locator('.toolbar').getByRole('button', { name: 'Run Again', exact: true });
    await again.click();
    await page.isDone();
    await page.says(/^21 of 200 rows/);
    await expect.poll(read).toEqual(before);
    expect(await again.evaluate((button) => button.ownerDocument.activeElement === button)).toBe(true);
    await workbench.screenshot('arranged-after-reload');
  });
});
