import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsHost, type ShownResult } from '../../support/pages/resultsHost.ts';
import { waitFor } from '../../support/waitFor.ts';

/** A report of the sample for each output type that is a picture, and what its page shows. */
const charts: readonly [report: string, kind: string][] = [
  ['Average Delay by State', 'axes'],
  ['Number of Flights', 'kpi'],
  ['On-Time Share', 'gauge'],
  ['Flights by Distance', 'pie'],
  ['Flights and Delay per Day', 'axes'],
  ['Flights by State and Airport', 'tree'],
  ['Map of Delays', 'map'],
  ['Departures by Weekday and Hour', 'axes'],
  ['Costly Species', 'axes'],
  ['Strikes per Year and Size', 'axes'],
];

/** Reports that are grids of their own. */
const grids: readonly [report: string, cell: string][] = [
  ['Delay by State and Weekday', 'AK'],
  ['Monthly Traffic by State', 'AK  (6)'],
  ['Cost by Size and Phase', 'Climb'],
];

/** The first colour of charts by theme; no theme has them. */
const themes = [
  ['dark', '#1f1f1f', [51, 153, 204]],
  ['light', '#ffffff', [203, 99, 3]],
  ['high-contrast', '#000000', [5, 250, 5]],
] as const;

describe('each output type of the sample', () => {
  let host: ResultsHost;
  beforeAll(async () => {
    host = await ResultsHost.start();
  });
  afterAll(() => host.stop());

  const shows = async (page: ShownResult, kind: string) => {
    await page.frame.locator(`.chart[data-kind="${kind}"]`).waitFor();
    if (kind !== 'kpi') await page.frame.locator('.chart-place canvas').first().waitFor();
    await expect.poll(() => page.frame.locator('.chart-lack').count()).toBe(0);
  };

  it.each(charts)('draws %s, with the table one click away', async (report, kind) => {
    const page = await host.run(report);
    await page.isDone();
    await shows(page, kind);
    await page.button('Table').click();
    await page.frame.locator('.grid-cell').first().waitFor();
    await page.button('Chart').click();
    await shows(page, kind);
  });

  it.each(grids)('groups %s', async (report, cell) => {
    const page = await host.run(report);
    await page.isDone();
    await page.frame.locator('.grid-cell', { hasText: cell }).first().waitFor();
  });

  it('sorts and filters a pivot by its first column and its lines by any, and says what the others cannot', async () => {
    const page = await host.run('Delay by State and Weekday');
    await page.isDone();
    const titles = page.frame.locator('.grid-title-text');
    const second = await titles.nth(1).innerText();
    await titles.nth(1).click();
    const ordered = async (isDescending: boolean) => {
      const numbers = await page.numbers(second);
      const wanted = numbers.toSorted((one, other) => (isDescending ? other - one : one - other));
      return numbers.length > 3 && numbers.every((number, at) => number === wanted[at]);
    };
    await waitFor('the lines to be sorted up', () => ordered(false));
    await titles.nth(1).click();
    await waitFor('the lines to be sorted down', () => ordered(true));
    await titles.first().click();
    await waitFor('the lines to be sorted by state', async () => (await page.column('Origin State'))[0] === 'AK');

    await page.button('Filter').click();
    const boxes = page.frame.locator('.grid-filter-box');
    await boxes.first().fill('=CA');
    await waitFor('one state to be left', async () => (await page.column('Origin State')).join() === 'CA');
    await page.says(/of [\d,]+ rows/);
    await expect.poll(() => boxes.nth(1).isEditable()).toBe(false);
    await expect.poll(() => boxes.nth(1).getAttribute('title')).toMatch(/^Combines several columns/);
    await titles.nth(1).click({ button: 'right' });
    const entry = page.frame.getByRole('menuitem', { name: 'Show Distribution' });
    await expect.poll(() => entry.getAttribute('aria-disabled')).toBe('true');
    await entry.press('Escape');
    await page.button('Filter').click();
    await waitFor('all states to be back', async () => (await page.column('Origin State')).length > 3);
  });

  it('sorts groups by value and by total, filters their rows, and shows how columns are distributed', async () => {
    const page = await host.run('Monthly Traffic by State');
    await page.isDone();
    const first = async () => (await page.column('Origin State'))[0] ?? '';
    const title = page.frame.locator('.grid-title-text').first();
    await title.click();
    await title.click();
    await waitFor('the last state to come first', async () => (await first()).startsWith('W'));
    const flights = page.frame.locator('.grid-title.is-number').first();
    await flights.click();
    await flights.click();
    await waitFor('the state with the most traffic to come first', async () => /^(CA|TX|IL|GA)/.test(await first()));
    await page.frame.locator('.grid-profile').first().waitFor();
    await page.button('Filter').click();
    await page.frame.locator('.grid-filter-box').first().fill('=NY');
    await waitFor('one group to be left', async () => (await first()).startsWith('NY'));
    await expect.poll(() => page.frame.locator('.grid-notes').innerText()).toMatch(/totals/);
    await page.says(/of [\d,]+ rows/);
    await page.button('Filter').click();
    await flights.click();
    await waitFor('all groups to be back, as they came', async () => (await first()).startsWith('AK'));
  });

  it.each(['Average Delay by State', 'Flights by Distance', 'Strikes per Year and Size'])(
    'draws %s in the colours of the theme, and anew in those of the next one',
    async (report) => {
      const page = await host.run(report);
      await page.isDone();
      for (const [theme, background, colour] of themes) {
        const [red, green, blue] = colour;
        await page.frame.evaluate(`{
          document.body.className = 'vscode-${theme}';
          document.documentElement.style.setProperty('--vscode-editor-background', '${background}');
          document.documentElement.style.setProperty('--vscode-charts-blue', 'rgb(${colour.join()})');
        }`);
        await waitFor(`the colour of ${theme}`, () =>
          page.frame.evaluate<boolean>(`[...document.querySelectorAll('.chart-place canvas')].some((canvas) => {
            const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            for (let at = 0; at < data.length; at += 4)
              if (data[at] === ${red} && data[at + 1] === ${green} && data[at + 2] === ${blue} && data[at + 3] === 255) return true;
            return false;
          })`),
        );
      }
    },
  );
});
