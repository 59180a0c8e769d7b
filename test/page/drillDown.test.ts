import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsHost, type ShownResult } from '../support/pages/resultsHost.ts';
import { waitFor } from '../support/waitFor.ts';

describe('drilling down', () => {
  let host: ResultsHost;
  let page: ShownResult;
  beforeAll(async () => {
    host = await ResultsHost.start();
    page = await host.run('Delays by State');
    await page.isDone();
  });
  afterAll(() => host.stop());

  const heading = (title: string) =>
    waitFor(`the heading ${title}`, async () => (await page.frame.locator('h1').innerText()) === title);

  it('opens the report that a row leads to, in the same panel, and goes on from there', async () => {
    await page.frame.locator('.grid-cell.is-drill .grid-text', { hasText: /^AK$/ }).click();
    await heading('Airports of a State');
    await page.frame.locator('.grid-cell', { hasText: 'Anchorage' }).first().waitFor();
    await expect.poll(async () => new Set(await page.column('Origin State'))).toEqual(new Set(['AK']));
    await page.frame.locator('.grid-cell.is-drill .grid-text', { hasText: /^ANC$/ }).click();
    await heading('All Flights');
    await page.isDone();
    await expect.poll(async () => new Set(await page.column('Origin'))).toEqual(new Set(['ANC']));
    await expect
      .poll(() => page.frame.locator('.crumb').allInnerTexts())
      .toEqual(['Delays by State', 'Airports of a State']);
  });

  it('goes back to the rows, which are still there', async () => {
    await page.frame.locator('.crumb').first().click();
    await heading('Delays by State');
    await page.frame.locator('.grid-cell', { hasText: /^AK$/ }).first().waitFor();
    await expect.poll(() => page.frame.locator('.crumb').count()).toBe(0);
    await page.says(/^51 rows/);
  });
});
