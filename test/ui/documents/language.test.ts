import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentEditor } from '../../support/workbench/documentEditor.ts';
import { until } from '../../support/until.ts';
import { waitFor } from '../../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

describe('language help in documents of the local server', () => {
  let workbench: Workbench;
  let editor: DocumentEditor;
  beforeAll(async () => {
    workbench = await openWorkbench({
      theme: 'dark',
      env: { ANALYTICS_STUDIO_WELCOME: 'local' },
      // High enough for the whole policy: the page holds only the lines in view.
      size: { width: 1300, height: 1400 },
    });
    editor = new DocumentEditor(workbench);
    await workbench.treeItem('Bird Strikes').first().waitFor({ timeout: 60_000 });
    await workbench.expand('Security');
    await workbench.expand('Policies');
  });
  afterAll(() => workbench.stop());

  const lens = (title: string) =>
    workbench.page.locator('.codelens-decoration a', { hasText: new RegExp(`^${title}$`) });

  it('says above a policy what it does, and beside ids whom they name', async () => {
    await workbench.openRow('Own States Only');
    await editor.shows('"Name": "Own States Only"');
    await lens('Deactivate').waitFor();
    await lens('Assigned to 2 groups').waitFor();
    await editor.shows('Flight Operations');
    await workbench.screenshot('language-policy-dark');
  });

  it('folds the fields that the server maintains below those that people edit', async () => {
    const lines = workbench.page.locator('.editor-instance .view-lines').first();
    await editor.shows('"id":');
    await expect.poll(() => lines.innerText()).not.toContain('ModifiedDate');
  });

  it('deactivates and activates the policy from above its name; the text follows', async () => {
    const question = workbench.page.locator('.monaco-dialog-box');
    const press = (title: string) => lens(title).click({ timeout: 2_000 });
    await until(
      'the question',
      () => question.isVisible(),
      () => press('Deactivate'),
      { tryFor: 10_000 },
    );
    await workbench.answer('Deactivate');
    await lens('Activate').waitFor();
    await editor.shows('"isActive": false');
    await until(
      'it to be active',
      () => lens('Deactivate').isVisible(),
      () => press('Activate'),
      { tryFor: 10_000 },
    );
    await editor.shows('"isActive": true');
  });

  it('shows the values of a tag on hover', async () => {
    const { page } = workbench;
    const hover = page.locator('.monaco-hover', { hasText: 'data tag state' }).first();
    const value = page.locator('.monaco-editor .view-line span', { hasText: /^"?\/#state#\/"?$/ }).first();
    await waitFor('the hover', async () => {
      await page.mouse.move(5, 5);
      await value.hover({ timeout: 2_000 });
      await hover.waitFor({ timeout: 3_000 });
      return true;
    });
    expect((await hover.innerText()).replaceAll('\u00a0', ' ')).toContain('North = CT,IL');
    await workbench.screenshot('language-hover-dark');
    await page.mouse.move(5, 5);
    await hover.waitFor({ state: 'hidden' });
  });

  it('offers the users that a policy does not restrict yet', async () => {
    const { page } = workbench;
    await editor.replace('"Users": []', '"Users": [ ]');
    // The replaced text is not selected: go to it as a person does.
    await page.locator('.monaco-editor .view-line', { hasText: '"Users"' }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Control+Space');
    const list = page.locator('.suggest-widget.visible');
    await list.getByText('north.viewer').first().waitFor();
    await workbench.screenshot('language-completion-dark');
    await page.keyboard.type('south.v');
    await list.locator('.monaco-list-row.focused', { hasText: 'south.viewer' }).waitFor();
    await page.keyboard.press('Enter');
    await editor.shows('"LoginName": "south.viewer"');
    await lens('Assigned to 2 groups').waitFor();
  });

  it('goes from stop to stop of a new constraint by Tab, which also accepts what is offered', async () => {
    const { page } = workbench;
    const list = page.locator('.suggest-widget.visible');
    const accept = async (typed: string, offered: string) => {
      await page.keyboard.type(typed);
      await page.keyboard.press('Control+Space');
      await list.locator('.monaco-list-row.focused', { hasText: offered }).waitFor();
      await page.keyboard.press('Tab');
      await list.waitFor({ state: 'hidden' });
    };
    const next = () => page.keyboard.press('Tab');
    await page.locator('.monaco-editor .view-line', { hasText: '"Constraints": [' }).click();
    await page.keyboard.press('End');
    await accept('', 'New constraint');
    await accept('Flight', 'Flight Operations');
    await next();
    await page.keyboard.type('own1');
    await next();
    await accept('airp', 'airports');
    await next();
    await page.keyboard.type('col1');
    await next();
    await page.keyboard.type('<>');
    await next();
    await accept('/#sta', '/#state#/');
    await next();
    await page.keyboard.type('val2');
    // The lines are not in the order of the text.
    for (const line of ['"TableOwner": "own1"', '"ColumnName": "col1"', '"Operator": "<>"', '"Value2": "val2"']) {
      await editor.shows(line);
    }
  });

  it('has an outline, is compared with the server, and is read afresh after a question', async () => {
    const { page } = workbench;
    const policy = 'Own States Only.policy.json';
    await workbench.palette('Go to Symbol in Editor...');
    await page.locator('.quick-input-widget:visible .monaco-list-row', { hasText: 'Constraints' }).first().waitFor();
    await page.keyboard.press('Escape');
    await workbench.palette('Analytics: Compare with Server');
    await workbench.tab('↔ yours').waitFor();
    await workbench.screenshot('language-compare-dark');
    await workbench.tab(policy).first().click();
    await workbench.palette('Analytics: Reload from Server');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('discard unsaved changes').waitFor();
    await workbench.answer('Reload');
    await editor.isDirty(policy, false);
    await editor.shows('"Users": []');
  });

  it('leads by the keyboard from an id to its object', async () => {
    const { page } = workbench;
    await waitFor('the group', async () => {
      await editor.lines.locator('.view-line', { hasText: '"GroupId"' }).first().click({ timeout: 1_000 });
      await page.keyboard.press('End');
      for (let back = 0; back < 3; back++) await page.keyboard.press('ArrowLeft');
      await workbench.palette('Open Link');
      await workbench.tab('North.group.json').waitFor({ timeout: 3_000 });
      return true;
    });
    await workbench.tab('Own States Only.policy.json').first().click();
    await editor.shows('"Name": "Own States Only"');
  });

  it('marks a tag that does not exist, and repairs it by the keyboard', async () => {
    const { page } = workbench;
    await editor.replace('/#state#/', '/#sate#/', 3);
    const marks = page.locator('.monaco-editor .squiggly-error');
    await waitFor('three marks', async () => (await marks.count()) === 3);
    const problem = page.getByText('has no data tag "sate"').first();
    await until(
      'the problem',
      () => problem.isVisible(),
      () => page.keyboard.press('F8'),
      { tryFor: 5_000 },
    );
    await workbench.screenshot('language-problem-dark');
    await page.keyboard.press('Escape');
    const fix = page.locator('.action-widget').getByText('Change to /#state#/').first();
    await until(
      'the fix',
      () => fix.isVisible(),
      () => page.keyboard.press('Control+.'),
      { tryFor: 5_000 },
    );
    await workbench.screenshot('language-fix-dark');
    const take = async () => (await fix.isVisible()) && page.keyboard.press('Enter');
    await until('one to be repaired', async () => (await marks.count()) === 2, take, { tryFor: 5_000 });
  });

  it('fixes all that has one sure fix, and leaves what could be two things', async () => {
    await editor.replace('"Users": []', '"Users": [{ "ID": "south.viewer" }]');
    await until(
      'the name to become an id',
      async () => !(await editor.text()).includes('south.viewer" }'),
      () => workbench.palette('Fix All'),
      { tryFor: 10_000 },
    );
    expect(await editor.text()).toMatch(/"Users": \[\{ "ID": "\d+"/);
    expect((await editor.text()).split('/#sate#/')).toHaveLength(3);
  });

  it('looks right in other themes', async () => {
    for (const theme of ['light', 'highContrast'] as const) {
      await workbench.useTheme(theme);
      await lens('Deactivate').waitFor();
      await workbench.screenshot(`language-problem-${theme}`);
    }
  });
});
