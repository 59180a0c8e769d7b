import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsHost, type ShownResult } from '../support/pages/resultsHost.ts';
import { person } from '../support/vscode/person.ts';
import { waitFor } from '../support/waitFor.ts';

const report = 'Find Bird Strikes';

describe('the prompt form', () => {
  let host: ResultsHost;
  let page: ShownResult;
  beforeAll(async () => {
    host = await ResultsHost.start();
  });
  afterAll(() => host.stop());

  const press = async (...keys: string[]) => {
    for (const key of keys) await page.page.keyboard.press(key);
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
    page = await host.run(report);
    await text('Species').waitFor();
  }

  it('shows a control for every kind of prompt, the first one ready to type', async () => {
    await openForm();
    await expect
      .poll(() => page.frame.locator('.prompt-label').allInnerTexts())
      .toEqual(['Flight Date', 'Species*', 'Operator', 'Phase of Flight', 'Speed in Knots', 'Total Cost']);
    await expect.poll(() => focused().getAttribute('aria-label')).toBe('Flight Date: From');
    await expect.poll(() => page.frame.getByRole('checkbox').count()).toBe(5);
    await expect.poll(() => prompt('Species').innerText()).toContain('% matches any text');
  });

  it('checks before anything is sent, and leads to what is missing', async () => {
    await box('Speed in Knots').fill('fast');
    await press('Enter');
    await page.frame.getByText('Enter a value.').first().waitFor();
    await page.frame.getByText('"fast" is not a number.').first().waitFor();
    await isFocused(text('Species'));
    await box('Speed in Knots').fill('');
    await expect.poll(() => page.frame.locator('.prompt-problem', { hasText: 'is not a number' }).count()).toBe(0);
  });

  it('takes no date that is half typed for none', async () => {
    const from = page.frame.getByLabel('Flight Date: From');
    await from.focus();
    await press('0', '5', 'Enter');
    await prompt('Flight Date').getByText('The date or time is incomplete').waitFor();
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
    await page.frame.getByRole('option', { name: 'Last Year' }).click();
    await expect.poll(() => page.frame.getByLabel('Flight Date: From').inputValue()).toBe(`${year}-01-01`);
    await expect.poll(() => page.frame.getByLabel('Flight Date: To').inputValue()).toBe(`${year}-12-31`);
    await expect.poll(() => relative.innerText()).toContain('Last Year');
    await prompt('Flight Date').getByText('Last Year (as of today)').waitFor();
  });

  it('skips what may be skipped', async () => {
    await prompt('Flight Date').getByRole('checkbox', { name: 'Skip' }).check();
    await prompt('Flight Date').getByText('Not used as a filter.').waitFor();
    await expect.poll(() => page.frame.getByLabel('Flight Date: From').count()).toBe(0);
  });

  it('finds values on the server as one types, and collects a list by keyboard', async () => {
    const operator = box('Operator');
    await operator.fill('airlines');
    await option('AMERICAN AIRLINES').waitFor();
    const others = page.frame.getByRole('option').filter({ hasNotText: /airlines/i });
    await expect.poll(() => others.count()).toBe(0);
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
    await page.frame.getByText('No value in the list matches.').first().waitFor();
    await press('Escape');
    await expect.poll(() => page.frame.getByRole('listbox').count()).toBe(0);
    await phase.fill('appr');
    await option('Approach').click();
    await expect.poll(() => phase.inputValue()).toBe('Approach');
  });

  it('runs with Enter, and the rows are those that were asked for', async () => {
    await text('Species').fill('%gull%');
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

  it('opens beside the rows to change a value, and closes over them', async () => {
    const before = await page.footer();
    await page.frame.locator('.chip', { hasText: 'Species' }).click();
    await expect.poll(() => text('Species').inputValue()).toBe('%gull%');
    await page.frame.locator('.grid-cell').first().waitFor();
    await press('Escape');
    await page.frame.locator('.prompts').waitFor({ state: 'detached' });
    await expect.poll(() => page.footer()).toBe(before);
    await page.button('Prompts').click();
    await text('Species').fill('%no such bird%');
    await press('Enter');
    await page.frame.getByText('No Rows').first().waitFor();
    await page.frame.locator('.notice').getByRole('button', { name: 'Prompts' }).click();
    await expect.poll(() => text('Species').inputValue()).toBe('%no such bird%');
    await press('Escape');
  });

  it('moves the focus to the form with its appearance', async () => {
    const hasFocus = page.hasFocusAtOnce('.prompts');
    await page.frame.locator('.notice').getByRole('button', { name: 'Prompts' }).click();
    expect(await hasFocus).toBe(true);
    await press('Escape');
    await page.frame.locator('.prompts').waitFor({ state: 'detached' });
  });

  it('remembers the values for the next time', async () => {
    await openForm();
    await expect.poll(() => text('Species').inputValue()).toBe('%no such bird%');
    await expect.poll(() => prompt('Flight Date').getByRole('checkbox').isChecked()).toBe(true);
    await expect.poll(() => prompt('Operator').locator('.list-text').allInnerTexts()).toEqual(['AMERICAN AIRLINES']);
  });

  it('closes the panel with Escape when nothing has run yet', async () => {
    expect(page.panel.isDisposed).toBe(false);
    await text('Species').focus();
    await press('Escape');
    await expect.poll(() => page.panel.isDisposed).toBe(true);
  });

  it('keeps values under a name, brings them back, and deletes them', async () => {
    await openForm();
    await text('Species').fill('%gull%');
    person.answers('Save Prompt Values', 'Gulls');
    await page.button('Save These Values…').click();
    const names = page.frame.getByRole('combobox', { name: 'Saved values' });
    await names.waitFor();
    await text('Species').fill('%owl%');
    await names.selectOption('');
    await names.selectOption('Gulls');
    await waitFor('the values to come back', async () => (await text('Species').inputValue()) === '%gull%');
    person.answers('Delete the prompt values saved as "Gulls"?', 'Delete');
    await page.button('Delete These Values…').click();
    await waitFor('the name to go', async () => (await names.count()) === 0);
    person.leave();
  });
});
