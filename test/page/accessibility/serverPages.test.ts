import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { memoryVault, testClient } from '../../support/testClient.ts';
import { isAccessible } from '../../support/webview/accessibility.ts';
import { sizes } from '../../support/pages/stateWalk.ts';
import { projectRoot } from '../../support/vscodeHost/paths.ts';

describe('the pages of the embedded server', () => {
  const { apiBase, session, ...account } = inject('sampleServer');
  const root = new URL('/', apiBase).href;
  let browser: Browser;
  let page: Page;
  let token = '';
  let dashboards: string[] = [];
  beforeAll(async () => {
    const client = testClient(apiBase, account, { vault: memoryVault(session) });
    const items = await client.call('library/SearchReports', { searchstring: '' });
    dashboards = items.filter(({ itemtype }) => itemtype === 0).map(({ id }) => String(id));
    token = session.token;
    browser = await chromium.connect(inject('chromium'));
    page = await browser.newPage();
  });
  afterAll(() => browser.close());

  it('break no rule, in light and dark, at every zoom', async () => {
    expect(dashboards.length).toBeGreaterThan(0);
    const addresses = {
      dashboards: `sso.html?s=${token}`,
      library: `sso.html?h=1&s=${token}`,
      builder: `sso.html?h=2&s=${token}`,
      'signed out': 'sso.html?s=expired',
      'nothing to show': `embed.html?t=d&i=0&s=${token}`,
      ...Object.fromEntries(dashboards.map((id) => [`dashboard ${id}`, `embed.html?t=d&i=${id}&s=${token}`])),
    };
    for (const [name, address] of Object.entries(addresses)) {
      await page.goto(root + address);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await isAccessible(page.mainFrame(), `${name} in ${colorScheme}`);
        if (name.startsWith('dashboard '))
          await page.screenshot({ path: `${projectRoot}/test/screenshots/embed-${colorScheme}.png`, fullPage: true });
      }
      await page.locator('details').evaluateAll((all) => all.forEach((each) => each.setAttribute('open', '')));
      for (const [zoom, size] of sizes) {
        await page.setViewportSize(size);
        await isAccessible(page.mainFrame(), `${name} at ${zoom}`, 'layout');
        const beside = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect.soft(beside, `${name} is wider than its place at ${zoom}`).toBeLessThanOrEqual(0);
      }
    }
  });
});
