import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsPage } from '../../support/webview/resultsPage.ts';
import { until } from '../../support/until.ts';
import { waitFor } from '../../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

const report = 'Find Bird Strikes';

describe('the prompt form in the editor', () => {
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
  const text = (name: string) => page.frame.getByRole('textbox', { name, exact: true });
  async function openForm(): Promise<void> {
    page = await ResultsPage.run(workbench, report);
    await text('Species').waitFor();
  }

  it('asks for values, ready to type, and runs with them', async () => {
    await openForm();
    await expect.poll(() => page.frame.locator(':focus').getAttribute('aria-label')).toBe('Flight Date: From');
    await workbench.screenshot('prompts-light');
    await prompt('Flight Date').getByRole('checkbox', { name: 'Skip' }).check();
    const operator = prompt('Operator').getByRole('combobox');
    await operator.fill('american airl');
    await page.frame.getByRole('option', { name: 'AMERICAN AIRLINES', exact: true }).waitFor();
    await press('ArrowDown', 'Enter');
    await text('Species').fill('%gull%');
    await workbench.screenshot('prompts-filled');
    await press('Enter');
    await page.isDone();
    await expect.poll(async () => (await page.column('Species')).length).toBeGreaterThan(3);
    expect((await page.column('Species')).filter((name) => !/gull/i.test(name))).toEqual([]);
    expect(new Set(await page.column('Operator'))).toEqual(new Set(['AMERICAN AIRLINES']));
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
      return line('Criteria as compiled by the server').isVisible();
    });
    await line('gull').waitFor();
    await workbench.screenshot('sql-criteria');
    await workbench.palette('View: Close Editor');
    await editor.waitFor({ state: 'detached' });
  });

  it('remembers the values for the next time, over a reload too', async () => {
    await workbench.reloadWindow();
    await workbench.tab(report).first().click();
    page = await ResultsPage.afterReload(workbench, report);
    await page.frame.getByText('Run Again to See the Rows').first().waitFor();
    await expect.poll(() => page.frame.locator('.chip').first().innerText()).toBe('Species ~ %gull%');
    await workbench.palette('View: Close Editor');
    await workbench.tab(report).first().waitFor({ state: 'detached' });
    await openForm();
    await expect.poll(() => text('Species').inputValue()).toBe('%gull%');
    await expect.poll(() => prompt('Flight Date').getByRole('checkbox').isChecked()).toBe(true);
    await expect.poll(() => prompt('Operator').locator('.list-text').allInnerTexts()).toEqual(['AMERICAN AIRLINES']);
  });
});
