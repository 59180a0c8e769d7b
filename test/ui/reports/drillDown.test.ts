import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsPage } from '../../support/webview/resultsPage.ts';
import { waitFor } from '../../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

describe('drilling down', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    workbench = await openWorkbench({ theme: 'dark', env, size: { width: 1400, height: 900 } });
    await workbench.treeItem('Bird Strikes').first().waitFor({ timeout: 60_000 });
    await workbench.expand('Flights');
  });
  afterAll(() => workbench.stop());

  const heading = (page: ResultsPage, title: string) =>
    waitFor(`the heading ${title}`, async () => (await page.frame.locator('h1').innerText()) === title);

  it('opens the report that a row leads to, in the same panel, and goes on from there', async () => {
    const page = await ResultsPage.run(workbench, 'Delays by State');
    await page.isDone();
    await page.frame.locator('.grid-cell.is-drill .grid-text', { hasText: /^AK$/ }).click();
    await heading(page, 'Airports of a State');
    await page.frame.locator('.grid-cell', { hasText: 'Anchorage' }).first().waitFor();
    await expect.poll(async () => new Set(await page.column('Origin State'))).toEqual(new Set(['AK']));
    await workbench.screenshot('drill-dark');
    await page.frame.locator('.grid-cell.is-drill .grid-text', { hasText: /^ANC$/ }).click();
    await heading(page, 'All Flights');
    await page.isDone();
    await expect.poll(async () => new Set(await page.column('Origin'))).toEqual(new Set(['ANC']));
    await expect
      .poll(() => page.frame.locator('.crumb').allInnerTexts())
      .toEqual(['Delays by State', 'Airports of a State']);
  });
});
