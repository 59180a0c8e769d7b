import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { figure } from '../support/run/figure.ts';
import { waitFor } from '../support/waitFor.ts';
import { isAccessible } from '../support/webview/accessibility.ts';
import { WorkbenchBuilder } from '../support/workbench/workbenchBuilder.ts';
import { ResultsPage } from '../support/webview/resultsPage.ts';
import { openWorkbench, type Theme, type Workbench } from '../support/workbench/workbench.ts';

/** A page of the extension: the title of its tab, and what shows that it is complete. */
interface Page {
  name: string;
  tab: string;
  complete: string;
}

const pages: readonly Page[] = [
  { name: 'grid', tab: 'Delays by State', complete: '.grid-cell' },
  { name: 'chart', tab: 'Average Delay by State', complete: '.chart-place canvas' },
  { name: 'prompts', tab: 'Flights by Date and State', complete: '.prompts' },
  { name: 'builder', tab: 'Routes.report.json', complete: '.builder .field-name' },
  { name: 'tag-values', tab: 'Values of state', complete: '.tag-summary' },
  { name: 'import', tab: 'Import users.csv', complete: '.import-summary' },
];

describe('the pages of the extension', () => {
  let workbench: Workbench;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'analytics-accessibility-'));
    const users = ['LoginName,FirstName,Groups', 'ada,Ada,North', 'grace,Grace,Nowhere'];
    await writeFile(path.join(folder, 'users.csv'), users.join('\n'));
    workbench = await openWorkbench({
      theme: 'dark',
      env: { ANALYTICS_STUDIO_WELCOME: 'local' },
      settings: { 'files.simpleDialog.enable': true },
      size: { width: 1400, height: 900 },
    });
    await workbench.treeItem('Bird Strikes').first().waitFor({ timeout: 60_000 });
    await workbench.expand('Flights');
    for (const report of ['Delays by State', 'Average Delay by State']) {
      await (await ResultsPage.run(workbench, report)).isDone();
    }
    await ResultsPage.run(workbench, 'Flights by Date and State');
    await workbench.treeAction('Routes', 'Open in Report Builder');
    await WorkbenchBuilder.inFront(workbench);
    await workbench.palette('Analytics: Edit Data Tag Values…');
    await workbench.quickPickChoose('state');
    await workbench.webviewFrame('Values of state');
    await workbench.palette('Analytics: Import Users from CSV…');
    await workbench.chooseFile('Users to import into', path.join(folder, 'users.csv'));
    await workbench.webviewFrame('Import users.csv');
  });
  afterAll(async () => {
    await workbench.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Brings a page to the front and waits until it is complete. */
  async function show({ tab, complete }: Page): Promise<Frame> {
    return waitFor(`the page ${tab}`, async () => {
      await workbench.tab(tab).first().click({ timeout: 2_000 });
      for (const frame of workbench.page.frames()) {
        const mark = frame.locator(complete).first();
        if ((await mark.count()) > 0 && (await mark.isVisible())) return frame;
      }
      return undefined;
    });
  }

  it.each(['dark', 'light', 'highContrast'] as const)(
    'have nothing that keeps people out: %s',
    async (theme: Theme) => {
      if (theme !== 'dark') await workbench.useTheme(theme);
      let rules = 0;
      for (const page of pages) {
        rules += await isAccessible(await show(page), `${page.name} in ${theme}`);
        await workbench.screenshot(`page-${page.name}-${theme}`);
      }
      figure(
        'accessibility',
        `${pages.length} pages in ${theme}: ${rules} rules that apply, 0 serious or critical findings`,
      );
      expect(rules).toBeGreaterThan(pages.length * 10);
    },
  );

  it('have nothing that keeps people out in any tab of the builder', async () => {
    const frame = await show({ name: 'builder', tab: 'Routes.report.json', complete: '.builder .field-name' });
    const page = new WorkbenchBuilder(workbench, frame);
    for (const tab of ['Criteria', 'Totals', 'Options', 'Fields'] as const) {
      await page.showTab(tab);
      await isAccessible(frame, `the builder's tab ${tab}`);
    }
  });

  it('can be used at twice the size, with half the room', async () => {
    // What the editor's zoom does to a page: as many pixels of the screen, half as many of the page.
    await workbench.page.setViewportSize({ width: 700, height: 450 });
    for (const page of pages) {
      const frame = await show(page);
      const hidden = await frame.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(hidden, `${page.name} is wider than its place`).toBeLessThanOrEqual(0);
      await workbench.screenshot(`page-${page.name}-zoomed`);
    }
  });

  it('show the whole builder down to 300 pixels', async () => {
    await workbench.palette('View: Close Primary Side Bar');
    const page = { name: 'builder', tab: 'Routes.report.json', complete: '.builder .field-name' };
    for (const width of [500, 300]) {
      // The activity bar and the frame of the editor stand beside the page.
      await workbench.page.setViewportSize({ width: width + 60, height: 900 });
      const builder = new WorkbenchBuilder(workbench, await show(page));
      await waitFor(`a page of some ${width} pixels`, async () => {
        return Math.abs((await builder.frame.evaluate<number>('innerWidth')) - width) < 10;
      });
      for (const tab of ['Criteria', 'Totals', 'Options', 'Fields'] as const) {
        await builder.showTab(tab);
        expect(await builder.frame.evaluate(cutOff), `cut off in ${tab} at ${width} pixels`).toEqual([]);
        await workbench.screenshot(`page-builder-${tab.toLowerCase()}-${width}`);
      }
    }
  });
});

/** In the page: what of the builder is not seen whole. */
const cutOff = `
  [...document.querySelectorAll('h1, .bound, .actions button, .tab, .part :is(.input, .select, button, label, .option-name)')]
    .filter((shown) => {
      const { left, right } = shown.getBoundingClientRect();
      const isShort = shown.matches('h1, .bound') && shown.scrollWidth > shown.clientWidth;
      return left < 0 || right > innerWidth || isShort;
    })
    .map((shown) => shown.textContent || shown.getAttribute('aria-label'))
`;
