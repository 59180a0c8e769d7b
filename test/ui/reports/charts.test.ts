import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsPage } from '../../support/webview/resultsPage.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

/** Reports of the sample that are pictures, and what their page shows; test/page/charts.test.ts has every output type. */
const charts: readonly [report: string, kind: string][] = [
  ['Average Delay by State', 'axes'],
  ['Flights by Distance', 'pie'],
  ['Map of Delays', 'map'],
];

/** Reports that are grids of their own. */
const grids: readonly [report: string, cell: string][] = [['Monthly Traffic by State', 'AK  (6)']];

const slug = (name: string) => name.toLowerCase().replace(/[^a-z]+/g, '-');

describe('charts and groups in the editor', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    workbench = await openWorkbench({ theme: 'dark', env, size: { width: 1400, height: 900 } });
    await workbench.treeItem('Bird Strikes').first().waitFor({ timeout: 60_000 });
    await workbench.expand('Flights');
    await workbench.expand('Bird Strikes');
  });
  afterAll(() => workbench.stop());

  const shows = async (page: ResultsPage, kind: string) => {
    await page.frame.locator(`.chart[data-kind="${kind}"]`).waitFor();
    if (kind !== 'kpi') await page.frame.locator('.chart-place canvas').first().waitFor();
    await expect.poll(() => page.frame.locator('.chart-lack').count()).toBe(0);
  };

  it.each(charts)('draws %s, with the table one click away', async (report, kind) => {
    const page = await ResultsPage.run(workbench, report);
    await page.isDone();
    await shows(page, kind);
    await page.button('Table').click();
    await page.frame.locator('.grid-cell').first().waitFor();
    await page.button('Chart').click();
    await shows(page, kind);
    await workbench.screenshot(`chart-${slug(report)}-dark`);
  });

  it.each(grids)('groups %s', async (report, cell) => {
    const page = await ResultsPage.run(workbench, report);
    await page.isDone();
    await page.frame.locator('.grid-cell', { hasText: cell }).first().waitFor();
    await workbench.screenshot(`chart-${slug(report)}-dark`);
  });

  it.each(['light', 'highContrast'] as const)('follows the theme: %s', async (theme) => {
    await workbench.useTheme(theme);
    for (const [report, kind] of charts) {
      await workbench.tab(report).first().click();
      await shows(await ResultsPage.of(workbench, report), kind);
      await workbench.screenshot(`chart-${slug(report)}-${theme}`);
    }
    for (const [report, cell] of grids) {
      await workbench.tab(report).first().click();
      const page = await ResultsPage.of(workbench, report);
      await page.frame.locator('.grid-cell', { hasText: cell }).first().waitFor();
      await workbench.screenshot(`chart-${slug(report)}-${theme}`);
    }
  });
});
