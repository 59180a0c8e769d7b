import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsPage } from '../../support/webview/resultsPage.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

describe('the focus between the editor and a page', () => {
  let workbench: Workbench;
  let page: ResultsPage;
  beforeAll(async () => {
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    workbench = await openWorkbench({ theme: 'dark', env, size: { width: 1400, height: 900 } });
    await workbench.treeItem('Bird Strikes').first().waitFor({ timeout: 60_000 });
    await workbench.expand('Flights');
    page = await ResultsPage.run(workbench, 'Hundred Longest Delays');
    await page.isDone();
  });
  afterAll(() => workbench.stop());

  const press = async (...keys: string[]) => {
    for (const key of keys) await workbench.page.keyboard.press(key);
  };
  /** The control of the page that gets the next key; empty if that goes elsewhere. */
  const focused = () =>
    page.frame.evaluate<string>(
      `document.hasFocus() ? document.activeElement.getAttribute('aria-label') ?? document.activeElement.localName : 'OUT ' + document.activeElement.localName`,
    );
  const list = () => workbench.page.locator('.quick-input-widget:visible');

  it('goes to the rows of a report that was opened', async () => {
    await expect.poll(() => focused()).toBe('Rows of the report');
  });

  it.each(['Run Options…', 'Export'])('comes back from the list of %s', async (button) => {
    await page.button(button).focus();
    await press('Enter');
    await list().waitFor();
    await press('Escape');
    await list().waitFor({ state: 'hidden' });
    await expect.poll(() => focused()).toBe(button);
    // The next key reaches it.
    await press('Enter');
    await list().waitFor();
    await press('Escape');
    await list().waitFor({ state: 'hidden' });
  });

  it('comes back by Ctrl+1', async () => {
    await page.button('Export').focus();
    await workbench.treeItem('Bird Strikes').first().click();
    await expect.poll(() => focused()).toMatch(/^OUT/);
    await press('Control+1');
    await expect.poll(() => focused()).toBe('Export');
    await press('Enter');
    await list().waitFor();
    await press('Escape');
  });

  it('has frames and tabs that are called as what they show', async () => {
    const drilled = await ResultsPage.run(workbench, 'Delays by State');
    await drilled.isDone();
    await drilled.frame.locator('.grid-cell.is-drill .grid-text', { hasText: /^AK$/ }).click();
    await workbench.tab('Airports of a State').waitFor();
    await ResultsPage.of(workbench, 'Airports of a State');
    await drilled.frame.locator('.crumb').first().click();
    await workbench.tab('Delays by State').waitFor();
    await workbench.treeAction('Delays by State', 'Open in Report Builder');
    const builder = await workbench.webviewFrame('Report Builder: Delays by State');
    await expect
      .poll(() => builder.evaluate<string>('document.activeElement.getAttribute("aria-label")'))
      .toBe('Search fields');
  });
});
