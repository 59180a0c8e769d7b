import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { largeNames } from '../../support/large/largeNames.ts';
import { openLargeTree, type LargeTree } from '../../support/large/largeTree.ts';
import { until } from '../../support/until.ts';
import { waitFor } from '../../support/waitFor.ts';

describe('the sidebar with 10,000 reports in 500 folders and 5,000 users', () => {
  let large: LargeTree | undefined;
  beforeAll(async () => {
    large = await openLargeTree();
  });
  afterAll(() => large?.stop());

  it('shows long lists by and by, and goes to the first row that was not shown', async () => {
    if (!large) throw new Error('Nothing is open.');
    const { workbench, server } = large;
    await workbench.screenshot('tree-at-size');
    const header = workbench.page.locator('.pane-header', { hasText: 'Servers' }).first();
    await waitFor('the sidebar to fold', async () => {
      await header.hover({ timeout: 2_000 });
      await workbench.page.getByRole('button', { name: 'Collapse All' }).first().click({ timeout: 2_000 });
      return waitFor('the rows to go', async () => (await workbench.page.getByRole('treeitem').count()) < 5, 3_000);
    });
    await workbench.expand(new URL(server.url).host);
    await workbench.expand('Security');
    await workbench.expand('Users');
    const more = workbench.treeItem('Show 500 More');
    const { keyboard } = workbench.page;
    await workbench.treeItem(largeNames.user(1)).click();
    await waitFor('the row for more', async () => {
      await keyboard.press('End');
      for (let row = 0; row < 8 && !(await more.isVisible()); row++) await keyboard.press('ArrowUp');
      return more.isVisible();
    });
    await workbench.screenshot('tree-show-more');
    const firstOfMore = workbench.treeItem(largeNames.user(499));
    // A second click would take the next 500, and what is under the mouse by then.
    const showMore = () => more.click({ timeout: 2_000 });
    await until('more users', () => firstOfMore.isVisible(), showMore, { tryFor: 15_000 });
    await workbench.screenshot('tree-shown-more');
    expect(workbench.consoleLines.filter((line) => /already registered|unhandled/i.test(line))).toEqual([]);
  });
});
