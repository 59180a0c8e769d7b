import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

describe('the values of a data tag', () => {
  let workbench: Workbench;
  let page: Frame;
  beforeAll(async () => {
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    workbench = await openWorkbench({ theme: 'light', env, size: { width: 1200, height: 900 } });
    await workbench.treeItem('Bird Strikes').first().waitFor({ timeout: 60_000 });
    await workbench.palette('Analytics: Edit Data Tag Values…');
    await workbench.quickPickChoose('state');
    page = await workbench.webviewFrame('Values of state');
  });
  afterAll(() => workbench.stop());

  const value = (name: string) => page.getByRole('textbox', { name, exact: true });
  const status = async (words: string) =>
    waitFor(`the page to say ${words}`, async () => (await page.locator('.tag-summary').innerText()) === words);

  /** Another value shows other rows, which is asked first. */
  const isAskedAndSaved = async () => {
    const rows = 'north.viewer may see other rows of airports, birdstrikes and flights.';
    await workbench.page.locator('.monaco-dialog-box').getByText(rows).waitFor();
    await workbench.answer('Save');
  };

  it('shows what each group and user has', async () => {
    await page.getByRole('heading', { name: 'Values of /#state#/ on Local Server' }).waitFor();
    await value('North').waitFor();
    await expect.poll(() => value('north.viewer').inputValue()).toBe('');
    await expect.poll(() => value('north.viewer').getAttribute('placeholder')).toBe('no value');
    await workbench.screenshot('tag-values-light');
  });

  it('is edited and saved by keyboard alone', async () => {
    await workbench.useTheme('dark');
    await value('Default value').fill('WA');
    await expect.poll(() => value('north.viewer').getAttribute('placeholder')).toBe('default: WA');
    await value('north.viewer').focus();
    await workbench.page.keyboard.type('NV');
    await status('2 unsaved changes');
    await workbench.tab('● Values of state').waitFor();
    await workbench.screenshot('tag-values-edited-dark');
    await workbench.page.keyboard.press('Control+s');
    await isAskedAndSaved();
    await status('Saved, and read back from the server');
    await expect.poll(() => value('north.viewer').inputValue()).toBe('NV');
    await workbench.tab('Values of state').waitFor();
  });

  it('finds a user, takes the value away, and gives a change up', async () => {
    await page.getByRole('searchbox').fill('north.view');
    await waitFor('one user', async () => (await page.getByRole('rowheader').count()) === 1);
    await page.getByRole('button', { name: 'Clear the value of north.viewer' }).click();
    await status('1 unsaved change');
    await page.getByRole('button', { name: 'Discard Changes' }).click();
    await workbench.answer('Discard Changes');
    await waitFor('the value to be back', async () => (await value('north.viewer').inputValue()) === 'NV');
    await page.getByRole('button', { name: 'Clear the value of north.viewer' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await isAskedAndSaved();
    await status('Saved, and read back from the server');
    await expect.poll(() => value('north.viewer').inputValue()).toBe('');
    await workbench.useTheme('highContrast');
    await workbench.screenshot('tag-values-high-contrast');
  });

  it('takes a pasted column into the rows from there on, and nothing of one that does not fit', async () => {
    const paste = (name: string, text: string) =>
      page.evaluate(`{
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', ${JSON.stringify(text)});
        const input = document.querySelector('input[aria-label="${name}"]');
        input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }`);
    await page.getByRole('searchbox').fill('south.');
    await paste('south.modifier', 'FL\r\nTX\r\n');
    await status('2 unsaved changes');
    await expect.poll(() => value('south.viewer').inputValue()).toBe('TX');
    await paste('south.viewer', 'GA\nLA');
    await status('2 unsaved changes · Nothing was pasted: 2 lines for 1 rows. Paste one value per line.');
    await expect.poll(() => value('south.viewer').inputValue()).toBe('TX');
    await page.getByRole('button', { name: 'Discard Changes' }).click();
    await workbench.answer('Discard Changes');
    await status('');
    await page.getByRole('searchbox').fill('');
  });

  it('keeps what was typed when it is closed, and opens again with it', async () => {
    await page.getByRole('searchbox').fill('');
    await value('north.viewer').fill('OR');
    // By the mouse: Escape, which opens the way to the palette, takes back what is typed in a field.
    await workbench.tab('● Values of state').click({ button: 'middle' });
    const question = workbench.notification('1 change to the values of state on Local Server is not saved');
    await question.waitFor();
    await workbench.screenshot('tag-values-closed');
    await workbench.pressAway(question.getByRole('button', { name: 'Open Again' }));
    page = await workbench.webviewFrame('● Values of state');
    await status('1 unsaved change · not saved before the table was closed');
    await expect.poll(() => value('north.viewer').inputValue()).toBe('OR');
    await page.getByRole('button', { name: 'Save' }).click();
    await isAskedAndSaved();
    await status('Saved, and read back from the server');
    await workbench.palette('View: Close Editor');
    await waitFor('the table to close', async () => (await workbench.tab('Values of state').count()) === 0);
    expect(await question.count()).toBe(0);
    await workbench.palette('Analytics: Edit Data Tag Values…');
    await workbench.quickPickChoose('state');
    page = await workbench.webviewFrame('Values of state');
    await waitFor('the saved value', async () => (await value('north.viewer').inputValue()) === 'OR');
  });
});
