import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentEditor } from '../../support/workbench/documentEditor.ts';
import { until } from '../../support/until.ts';
import { waitFor } from '../../support/waitFor.ts';
import { ResultsPage } from '../../support/webview/resultsPage.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

describe('the views Changes and Runs', () => {
  let workbench: Workbench;
  let editor: DocumentEditor;
  beforeAll(async () => {
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    const settings = { 'workbench.hover.delay': 500 };
    workbench = await openWorkbench({ theme: 'light', env, settings, size: { width: 1200, height: 900 } });
    editor = new DocumentEditor(workbench);
    await workbench.treeItem('Bird Strikes').first().waitFor({ timeout: 60_000 });
    await header('Changes').click();
    await header('Runs').click();
  });
  afterAll(() => workbench.stop());

  const header = (name: string) => workbench.page.locator('.pane-header', { hasText: name });
  const pane = (name: string) => workbench.page.locator('.pane', { has: header(name) });
  const entry = (view: string, label: string) => pane(view).getByRole('treeitem', { name: label });

  const chooseFromMenu = (action: string) =>
    workbench.treeAction('Costly Species', action, entry('Runs', 'Costly Species').first());

  it('say what they are for while there is nothing in them', async () => {
    await pane('Changes').getByText('No unsaved changes').waitFor();
    await pane('Runs').getByText('Reports that you run appear here.').waitFor();
    await workbench.screenshot('changes-runs-empty-light');
  });

  it('list a document with unsaved changes, save it and let it go', async () => {
    // The two views below leave the sidebar little room: a row at its edge cannot be clicked.
    await workbench.collapse('Library');
    await workbench.expand('Security');
    await workbench.expand('Policies');
    await workbench.openRow('Own States Only');
    await editor.shows('"Name": "Own States Only"');
    await editor.replace('"Description": "', '"Description": "Edited. ');
    await entry('Changes', 'Own States Only, Local Server, unsaved').waitFor();
    await workbench.screenshot('changes-light');
    await entry('Changes', 'Own States Only').hover();
    await entry('Changes', 'Own States Only').getByRole('button', { name: 'Save Changes to Server' }).click();
    await pane('Changes').getByText('No unsaved changes').waitFor();
    await editor.isDirty('Own States Only.policy.json', false);
  });

  it('give changes up after asking', async () => {
    await editor.replace('Edited. ', 'Edited again. ');
    await entry('Changes', 'Own States Only').waitFor();
    await entry('Changes', 'Own States Only').hover();
    await entry('Changes', 'Own States Only').getByRole('button', { name: 'Discard Changes…' }).click();
    await workbench.answer('Discard Changes');
    await pane('Changes').getByText('No unsaved changes').waitFor();
    await editor.shows('Edited. ');
  });

  it('save everything from the title of the view, whatever row has the focus', async () => {
    await editor.replace('"Description": "Edited. ', '"Description": "All of it. ');
    await workbench.expand('Data Tags');
    await workbench.openRow('state');
    await editor.shows('"Label": "state"');
    await editor.replace('"TagGroup": "', '"TagGroup": "Wide ');
    await entry('Changes', 'state, Local Server, unsaved').click();
    await header('Changes').hover();
    await header('Changes').getByRole('button', { name: 'Save All Changes to Servers' }).click();
    await pane('Changes').getByText('No unsaved changes').waitFor();
  });

  it('say that the last save failed, and why, until it is saved', async () => {
    await workbench.expand('Data Tags');
    await workbench.openRow('state');
    await editor.shows('"Label": "state"');
    await editor.replace('"Label": "state"', '"Label": "sta/te"');
    await entry('Changes', 'state, Local Server, unsaved').waitFor();
    await workbench.treeItem('Own States Only').first().click();
    await editor.shows('"Name": "Own States Only"');
    await editor.replace('"Description": "All of it. ', '"Description": "All but one. ');
    await entry('Changes', 'Own States Only, Local Server, unsaved').waitFor();
    await workbench.palette('Analytics: Save All Changes to Servers');
    await entry('Changes', 'state, Local Server, not saved').waitFor();
    // One that is refused keeps no other from its server.
    await entry('Changes', 'Own States Only').waitFor({ state: 'detached' });
    await editor.isDirty('Own States Only.policy.json', false);
    await entry('Changes', 'state, Local Server').hover();
    await workbench.page
      .locator('.monaco-hover', { hasText: 'contains a character that constraints cannot use' })
      .first()
      .waitFor();
    await workbench.screenshot('changes-not-saved');
    await entry('Changes', 'state, Local Server').click();
    await editor.shows('"Label": "sta/te"');
    await editor.replace('"Label": "sta/te"', '"Label": "state"');
    await editor.replace('"TagGroup": "', '"TagGroup": "Places');
    await editor.save();
    await pane('Changes').getByText('No unsaved changes').waitFor();
    await workbench.palette('Notifications: Clear All Notifications');
  });

  it('show a new object until it is created', async () => {
    await workbench.palette('Analytics: New Object…');
    await workbench.page.locator('.quick-input-widget:visible .monaco-list-row').first().waitFor();
    const tabs = await workbench.page.locator('.tabs-container .tab').count();
    await workbench.page.keyboard.press('Escape');
    await workbench.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await workbench.palette('Analytics: New Object…');
    await workbench.quickPickChoose('Group');
    await waitFor(
      'one document',
      async () => (await workbench.page.locator('.tabs-container .tab').count()) === tabs + 1,
    );
    await editor.shows('"GroupName": ""');
    await entry('Changes', 'New group, Local Server, new').waitFor();
    await editor.replace('"GroupName": ""', '"GroupName": "Night shift"');
    await workbench.screenshot('changes-new');
    await editor.save();
    await workbench.tab('Night shift.group.json').waitFor();
    await pane('Changes').getByText('No unsaved changes').waitFor();
  });

  it('list the runs of this window, newest first, and run one again', async () => {
    await workbench.palette('Analytics: Run Report');
    await workbench.quickPickChoose('Costly Species');
    await waitFor('the run to end', async () =>
      /rows/.test((await entry('Runs', 'Costly Species').first().getAttribute('aria-label')) ?? ''),
    );
    const words = await entry('Runs', 'Costly Species').first().locator('.label-description').innerText();
    expect(words).toMatch(/^\d{1,2}:\d{2}\s[AP]M · [\d,]+ rows/);
    await workbench.useTheme('dark');
    await workbench.screenshot('runs-dark');
    await entry('Runs', 'Costly Species').first().hover();
    await entry('Runs', 'Costly Species').first().getByRole('button', { name: 'Run Report Again' }).click();
    await waitFor('a second run', async () => (await entry('Runs', 'Costly Species').count()) === 2);
    await waitFor('it to end', async () =>
      /rows/.test((await entry('Runs', 'Costly Species').first().getAttribute('aria-label')) ?? ''),
    );
    await chooseFromMenu('Pin Run');
    await entry('Runs', 'pinned').waitFor();
    await chooseFromMenu('Unpin Run');
    await waitFor('it to be let go', async () => (await entry('Runs', 'pinned').count()) === 0);
    await chooseFromMenu('Compare Runs…');
    await workbench.page.getByPlaceholder('Select a run').waitFor();
    await workbench.page.keyboard.press('Enter');
    await workbench.page.locator('.quick-input-widget:visible', { hasText: 'Key Columns' }).waitFor();
    await workbench.quickPickTick();
    await workbench.quickInput('Numeric Tolerance', '1%');
    const told = workbench.notification('0 changed, 0 added, 0 removed');
    await told.waitFor();
    // It may go by itself meanwhile.
    await until(
      'the message to go',
      () => told.isHidden(),
      async () => {
        await told.hover({ timeout: 2_000 });
        await told.getByRole('button', { name: 'Clear Notification' }).click({ timeout: 2_000 });
      },
    );
    await entry('Runs', 'Costly Species').first().hover();
    await entry('Runs', 'Costly Species').first().getByRole('button', { name: 'Remove Run' }).click();
    await waitFor('one to go', async () => (await entry('Runs', 'Costly Species').count()) === 1);
    await workbench.useTheme('highContrast');
    await workbench.screenshot('runs-high-contrast');
    expect(await workbench.page.locator('.notification-toast').count()).toBe(0);
  });

  it('show again what is kept of a run, as a chart where it was one, without running it', async () => {
    await workbench.palette('View: Close All Editors');
    await workbench.page.locator('.tabs-container .tab').first().waitFor({ state: 'detached' });
    await entry('Runs', 'Costly Species').first().click();
    const page = await ResultsPage.of(workbench, 'Costly Species');
    await page.frame
      .getByText(/^Rows of .* from an earlier run\.$/)
      .first()
      .waitFor();
    await page.frame.locator('.chart-place canvas').first().waitFor();
    await page.button('Table').click();
    await page.frame.locator('.grid-cell').first().waitFor();
  });
});
