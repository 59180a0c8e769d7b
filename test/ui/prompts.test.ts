import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsPage } from '../support/webview/resultsPage.ts';
import { until } from '../support/until.ts';
import { waitFor } from '../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

const report = 'Find Bird Strikes';

describe('the prompt form on the local server', () => {
  let workbench: Workbench;
  let page: ResultsPage;
  beforeAll(async () => {
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    workbench = await openWorkbench({ theme: 'light', env, size: { width: 1300, height: 950 } });
    await workbench.treeItem(report).first().waitFor({ timeout: 60_000 });
  });
  afterAll(() => workbench.stop());

  const press = async (...keys: string[]) => {
    for (const key of keys) await workbench.page.keyboard.press(key);
  };
  const prompt = (name: string) => page.frame.getByRole('group', { name });
  const box = (name: string) => prompt(name).getByRole('combobox');
  const text = (name: string) => page.frame.getByRole('textbox', { name, exact: true });
  const option = (name: string) => page.frame.getByRole('option', { name, exact: true });
  const focused = () => page.frame.locator(':focus');
  const isFocused = (control: Locator) =>
    waitFor(
      'the focus to move',
      async () => (await focused().getAttribute('id')) === (await control.getAttribute('id')),
    );
  async function openForm(): Promise<void> {
    page = await ResultsPage.run(workbench, report);
    await text('Species').waitFor();
  }

  it('shows a control for every kind of prompt, the first one ready to type', async () => {
    await openForm();
    await expect
      .poll(() => page.frame.locator('.prompt-label').allInnerTexts())
      .toEqual(['Flight Date', 'Species*', 'Operator', 'Phase of Flight', 'Speed in Knots', 'Total Cost']);
    await expect.poll(() => focused().getAttribute('aria-label')).toBe('Flight Date: From');
    await expect.poll(() => page.frame.getByRole('checkbox').count()).toBe(5);
    await expect.poll(() => prompt('Species').innerText()).toContain('% stands for any text');
    await workbench.screenshot('prompts-light');
  });

  it('checks before anything is sent, and leads to what is missing', async () => {
    await box('Speed in Knots').fill('fast');
    await press('Enter');
    await page.frame.getByText('Enter a value.').waitFor();
    await page.frame.getByText('"fast" is not a number.').waitFor();
    await isFocused(text('Species'));
    await workbench.screenshot('prompts-problems');
    await box('Speed in Knots').fill('');
    await expect.poll(() => page.frame.getByText('is not a number').count()).toBe(0);
  });

  it('takes no date that is half typed for none', async () => {
    const from = page.frame.getByLabel('Flight Date: From');
    await from.focus();
    await press('0', '5', 'Enter');
    await prompt('Flight Date').getByText('The date or time is not complete').waitFor();
    await isFocused(from);
    await press('ArrowLeft', 'Backspace', 'Enter');
    await prompt('Flight Date').getByText('Both ends are included.').waitFor();
  });

  it('offers relative dates and puts explicit ones into the controls', async () => {
    const relative = prompt('Flight Date').getByRole('combobox', { name: 'Flight Date: Relative' });
    await relative.click();
    const year = new Date().getFullYear() - 1;
    await page.frame.getByRole('option', { name: 'Last Year' }).waitFor();
    await expect
      .poll(() => page.frame.getByRole('option', { name: 'Last Year' }).innerText())
      .toContain(`${year}-01-01 – ${year}-12-31`);
    await workbench.screenshot('prompts-relative');
    await page.frame.getByRole('option', { name: 'Last Year' }).click();
    await expect.poll(() => page.frame.getByLabel('Flight Date: From').inputValue()).toBe(`${year}-01-01`);
    await expect.poll(() => page.frame.getByLabel('Flight Date: To').inputValue()).toBe(`${year}-12-31`);
    await expect.poll(() => relative.innerText()).toContain('Last Year');
    await prompt('Flight Date').getByText('Last Year, as of today').waitFor();
    await workbench.screenshot('prompts-relative-chosen');
  });

  it('skips what may be skipped', async () => {
    await prompt('Flight Date').getByRole('checkbox', { name: 'Skip' }).check();
    await prompt('Flight Date').getByText('Not filtered by this.').waitFor();
    await expect.poll(() => page.frame.getByLabel('Flight Date: From').count()).toBe(0);
  });

  it('finds values on the server as one types, and collects a list by keyboard', async () => {
    const operator = box('Operator');
    await operator.fill('airlines');
    await option('AMERICAN AIRLINES').waitFor();
    const others = page.frame.getByRole('option').filter({ hasNotText: /airlines/i });
    await expect.poll(() => others.count()).toBe(0);
    await workbench.screenshot('prompts-values');
    await press('ArrowDown', 'Enter');
    await operator.fill('american airl');
    await option('AMERICAN AIRLINES').waitFor();
    await press('ArrowDown', 'Enter');
    await operator.fill('Nobody, Inc.');
    await press('Enter');
    const chips = prompt('Operator').locator('.list-text');
    await waitFor('three chips', async () => (await chips.count()) === 3);
    await expect.poll(() => chips.last().innerText()).toBe('Nobody, Inc.');
    await press('Backspace');
    await expect.poll(() => chips.count()).toBe(2);
    await prompt('Operator')
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click();
    await expect.poll(() => chips.allInnerTexts()).toEqual(['AMERICAN AIRLINES']);
    await operator.focus();
    await page.frame.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'One, Inc.\\r\\n Two\\tAMERICAN AIRLINES\\r\\n');
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(paste);
    }`);
    await expect.poll(() => chips.allInnerTexts()).toEqual(['AMERICAN AIRLINES', 'One, Inc.', 'Two']);
    await press('Backspace', 'Backspace');
    await expect.poll(() => chips.allInnerTexts()).toEqual(['AMERICAN AIRLINES']);
  });

  it('says when nothing in the list matches, and closes the list before the form', async () => {
    const phase = box('Phase of Flight');
    await phase.fill('zzz');
    await page.frame.getByText('No value in the list matches.').waitFor();
    await press('Escape');
    await expect.poll(() => page.frame.getByRole('listbox').count()).toBe(0);
    await phase.fill('appr');
    await option('Approach').click();
    await expect.poll(() => phase.inputValue()).toBe('Approach');
  });

  it('runs with Enter, and the rows are those that were asked for', async () => {
    await text('Species').fill('%gull%');
    await workbench.screenshot('prompts-filled');
    await press('Enter');
    await page.isDone();
    await expect.poll(async () => (await page.column('Species')).length).toBeGreaterThan(3);
    const species = await page.column('Species');
    expect(species.filter((name) => !/gull/i.test(name))).toEqual([]);
    expect(new Set(await page.column('Operator'))).toEqual(new Set(['AMERICAN AIRLINES']));
    expect(new Set(await page.column('Phase of Flight'))).toEqual(new Set(['Approach']));
    await expect
      .poll(() => page.frame.locator('.chip').allInnerTexts())
      .toEqual(['Species ~ %gull%', 'Operator = AMERICAN AIRLINES', 'Phase of Flight = Approach']);
  });

  it('shows, below its SQL, the criteria as the server compiles them from what was asked for', async () => {
    await page.button('SQL').click();
    const editor = workbench.page.locator('.monaco-editor[data-uri^="analytics-sql:"]');
    const line = (words: string) => editor.locator('.view-line', { hasText: words }).first();
    await editor.locator('.view-line').first().waitFor();
    const lens = editor.getByText('Show Compiled Criteria');
    await lens.waitFor();
    const isAsked = async () => !(await lens.isVisible());
    await until('the criteria to be asked for', isAsked, () => lens.click({ timeout: 2_000 }));
    await waitFor('the end of the SQL', async () => {
      await editor.locator('.view-line').first().click({ timeout: 1_000 });
      await press('Control+End');
      return line('Criteria as the server compiles them').isVisible();
    });
    await line('gull').waitFor();
    await workbench.screenshot('sql-criteria');
    await workbench.palette('View: Close Editor');
    await editor.waitFor({ state: 'detached' });
  });

  it('opens beside the rows to change a value, and closes over them', async () => {
    const before = await page.footer();
    await page.frame.locator('.chip', { hasText: 'Species' }).click();
    await expect.poll(() => text('Species').inputValue()).toBe('%gull%');
    await page.frame.locator('.grid-cell').first().waitFor();
    await workbench.screenshot('prompts-beside');
    await press('Escape');
    await page.frame.locator('.prompts').waitFor({ state: 'detached' });
    await expect.poll(() => page.footer()).toBe(before);
    await page.button('Prompts').click();
    await text('Species').fill('%no such bird%');
    await press('Enter');
    await page.frame.getByText('No Rows').waitFor();
    await workbench.screenshot('results-empty');
    await page.frame.locator('.notice').getByRole('button', { name: 'Prompts' }).click();
    await expect.poll(() => text('Species').inputValue()).toBe('%no such bird%');
    await press('Escape');
  });

  it('remembers the values for the next time, over a reload too', async () => {
    await workbench.reloadWindow();
    await workbench.tab(report).first().click();
    page = await ResultsPage.of(workbench, report);
    await page.frame.getByText('Run Again to See the Rows').waitFor();
    await expect.poll(() => page.frame.locator('.chip').first().innerText()).toBe('Species ~ %no such bird%');
    await workbench.palette('View: Close Editor');
    await workbench.tab(report).first().waitFor({ state: 'detached' });
    await openForm();
    await expect.poll(() => text('Species').inputValue()).toBe('%no such bird%');
    await expect.poll(() => prompt('Flight Date').getByRole('checkbox').isChecked()).toBe(true);
    await expect.poll(() => prompt('Operator').locator('.list-text').allInnerTexts()).toEqual(['AMERICAN AIRLINES']);
  });

  it('closes the panel with Escape when nothing has run yet', async () => {
    await text('Species').focus();
    await press('Escape');
    await workbench.tab(report).first().waitFor({ state: 'detached' });
  });

  it('keeps values under a name, brings them back, and deletes them', async () => {
    await openForm();
    await text('Species').fill('%gull%');
    await page.button('Save These Values…').click();
    await workbench.quickInput('Save Prompt Values', 'Gulls');
    const names = page.frame.getByRole('combobox', { name: 'Saved values' });
    await names.waitFor();
    await text('Species').fill('%owl%');
    await names.selectOption('');
    await names.selectOption('Gulls');
    await waitFor('the values to come back', async () => (await text('Species').inputValue()) === '%gull%');
    await workbench.screenshot('prompts-presets');
    await page.button('Delete These Values…').click();
    await workbench.answer('Delete');
    await waitFor('the name to go', async () => (await names.count()) === 0);
  });
});
