import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { BuilderHost } from '../support/pages/builderHost.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** What a zoom of 400% leaves of a usual window. */
const size = { width: 320, height: 200 };
/** Seven rows of a grid. */
const usableHeight = 150;

describe('pages at 400% zoom', () => {
  let server: TestServer;
  let host: BuilderHost;
  beforeAll(async () => {
    server = await startServer({ sample: true });
    host = await BuilderHost.start(server, { size });
  });
  afterAll(async () => {
    await host.stop();
    await server.stop();
  });

  /** How much of an element is on the screen once it is scrolled to. */
  const seen = (page: Page, selector: string) =>
    page.locator(selector).evaluate((element) => {
      element.scrollIntoView({ block: 'start' });
      const { top, bottom } = element.getBoundingClientRect();
      return Math.round(Math.min(bottom, window.innerHeight) - Math.max(top, 0));
    });
  /** Whether each control can be scrolled to and is whole then. */
  const lost = (page: Page, selector: string) =>
    page.locator(selector).evaluateAll((controls) =>
      controls
        .filter((control) => {
          control.scrollIntoView({ block: 'nearest' });
          const { top, bottom, left, right } = control.getBoundingClientRect();
          return top < -1 || bottom > window.innerHeight + 1 || left < -1 || right > window.innerWidth + 1;
        })
        .map((control) => control.getAttribute('aria-label') ?? control.textContent),
    );

  it('leave the grid a usable height, in which it scrolls', async () => {
    const { page, grid } = await host.run('Hundred Longest Delays');
    expect(await seen(page, '.grid')).toBeGreaterThanOrEqual(usableHeight);
    await grid.focus();
    await page.keyboard.press('Control+End');
    const last = page.locator('.grid-row[aria-rowindex="101"] .grid-cell.is-active');
    await last.waitFor();
    const { y = 0, height = 0 } = (await last.boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y + height).toBeLessThanOrEqual(size.height);
    expect(await lost(page, '.actions button')).toEqual([]);
    await page.keyboard.press('F2');
    expect(await seen(page, '.cell-pane')).toBeGreaterThanOrEqual(100);
    await page.keyboard.press('Escape');
    await expect.poll(() => grid.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('leave the chart a usable height', async () => {
    const { page } = await host.run('Average Delay by State');
    await page.locator('.chart-place canvas').waitFor();
    expect(await seen(page, '.chart-place')).toBeGreaterThanOrEqual(usableHeight);
  });

  it('let every control of the form be reached', async () => {
    const { page } = await host.ask('Find Bird Strikes');
    await page.locator('.prompts').waitFor();
    expect(await lost(page, '.prompts :is(input, button)')).toEqual([]);
  });

  it('let every control of the builder be reached', async () => {
    const builder = await host.open('Routes');
    expect(await lost(builder.page, '.report-pane :is(input, select, button)')).toEqual([]);
    expect(await seen(builder.page, '.tree-pane')).toBeGreaterThanOrEqual(usableHeight);
  });

  it('show the whole builder down to 300 pixels', async () => {
    const builder = await host.open('Delays by State');
    for (const width of [500, 300]) {
      await builder.page.setViewportSize({ width, height: 900 });
      for (const tab of ['Criteria', 'Totals', 'Options', 'Fields'] as const) {
        await builder.showTab(tab);
        expect(await builder.frame.evaluate(cutOff), `cut off in ${tab} at ${width} pixels`).toEqual([]);
      }
    }
  });

  it('open a menu beside its cell where the page is scrolled, and show figures of a selection whole', async () => {
    const { page, grid } = await host.run('Delays by State');
    await grid.focus();
    await grid.evaluate((element) => element.scrollIntoView({ block: 'start' }));
    await page.keyboard.press('Shift+F10');
    const menu = await page.locator('.grid-menu').boundingBox();
    const { y = -1, height = 0 } = menu ?? {};
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y + height).toBeLessThanOrEqual(size.height);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+ArrowDown');
    // The figures of a selection, and what a failed action says, wrap.
    const selection = page.locator('.footer-selection');
    await expect.poll(() => selection.innerText()).toMatch(/^2 cells selected · /);
    expect(await seen(page, '.footer-selection')).toBeGreaterThan(10);
    expect(await selection.evaluate((text) => text.scrollWidth - text.clientWidth)).toBeLessThanOrEqual(0);
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
