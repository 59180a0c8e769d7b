import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocumentScene, type Colleague, type DocumentScene } from '../../support/workbench/documentScene.ts';
import { Keys } from '../../support/workbench/keys.ts';
import { waitFor } from '../../support/waitFor.ts';

/** No test here uses the mouse: every step is a key. */
describe('the sidebar, the views beside it, and administration, by keyboard alone', () => {
  let scene: DocumentScene;
  let keys: Keys;
  beforeAll(async () => {
    const prepare = (colleague: Colleague) => colleague.newGroup('Contractors', {});
    // A workbench of its own: the next file would find its views open.
    scene = await openDocumentScene('light', prepare, { settings: {} });
    keys = new Keys(scene.workbench);
  });
  afterAll(() => scene.stop());

  const dialogButton = (name: string) =>
    scene.workbench.page.locator('.monaco-dialog-box').getByRole('button', { name });
  const description = async () =>
    String((await scene.colleague.find('Shield/GetAllShieldPolicies', 'Name', 'Own States Only'))?.Description);

  /** Opens the policy from the sidebar, and types at the beginning of its description. */
  async function editPolicy(text: string): Promise<void> {
    const { workbench, editor } = scene;
    await keys.command('Analytics: Go to Object…');
    await keys.choose('Part of the name', 'Own States Only');
    await editor.shows('"Name": "Own States Only"');
    await keys.command('View: Focus Active Editor Group');
    await keys.press('Control+Home', 'Control+f');
    await workbench.page.locator('.find-widget.visible textarea:focus').waitFor();
    await keys.press('Control+a');
    await keys.type('"Description": "');
    await workbench.page.locator('.find-widget.visible').getByText('1 of 1').waitFor();
    // What is found stays selected: the text follows it.
    await keys.press('Escape', 'ArrowRight');
    await keys.type(text);
    await editor.shows(`"Description": "${text}`);
  }

  it('saves, compares and gives up a change from its row in Changes', async () => {
    const { workbench, editor } = scene;
    const before = await description();
    await editPolicy('By a key. ');
    await keys.firstRowOf('Changes', /^Own States Only, .*unsaved$/);
    await keys.menu('Compare with Server');
    await workbench.page.locator('.monaco-diff-editor .monaco-editor.focused').first().waitFor();
    await keys.firstRowOf('Changes', /unsaved$/);
    await keys.press('Control+s');
    await waitFor('the change on the server', async () => (await description()) === `By a key. ${before}`);
    await workbench.page.getByText('No unsaved changes').waitFor();

    await editPolicy('Never mind. ');
    await keys.firstRowOf('Changes', /unsaved$/);
    await keys.open(workbench.page.locator('.editor-instance .monaco-editor.focused').first());
    await keys.firstRowOf('Changes', /unsaved$/);
    await keys.press('Delete');
    await keys.pressButton(dialogButton('Discard Changes'));
    await workbench.page.getByText('No unsaved changes').waitFor();
    await editor.shows('"Description": "By a key. ');
    await expect.poll(() => description()).toBe(`By a key. ${before}`);
  });

  it('opens, repeats, pins, compares and removes a run from its row in Runs', async () => {
    const { workbench } = scene;
    const rows = () => workbench.page.getByRole('tree', { name: 'Runs', exact: true }).getByRole('treeitem');
    await keys.command('Analytics: Run Report');
    await keys.choose('Run Report', 'Costly Species');
    await keys.firstRowOf('Runs', /22 rows/);
    await keys.command('View: Close All Editors');
    await workbench.tab('Costly Species').waitFor({ state: 'hidden' });
    await keys.firstRowOf('Runs', /22 rows/);
    await keys.press('Enter');
    await workbench.tab('Costly Species').waitFor();
    await keys.firstRowOf('Runs', /22 rows/);
    await keys.menu('Run Report Again');
    await waitFor('a second run', async () => (await rows().count()) === 2);
    await keys.firstRowOf('Runs', /22 rows/);
    await keys.menu('Pin Run');
    await keys.firstRowOf('Runs', /pinned$/);
    await keys.menu('Compare Runs…');
    await keys.step('Select a run');
    await keys.press('Enter');
    await keys.quickInput().getByText('Key Columns').waitFor();
    await keys.press('Enter');
    await keys.enter('Numeric Tolerance', '1%');
    await workbench.notification('0 changed, 0 added, 0 removed').waitFor();
    await keys.firstRowOf('Runs', /pinned$/);
    await keys.press('ArrowDown', 'Delete');
    await waitFor('the other run to go', async () => (await rows().count()) === 1);
    await keys.firstRowOf('Runs', /pinned$/);
    await keys.press('Delete');
    await keys.pressButton(dialogButton('Remove'));
    await workbench.page.getByText('Reports that you run appear here.').waitFor();
  });

  it('chooses what is audited and for how long, and reads it in the sidebar', async () => {
    const { workbench } = scene;
    const list = () => keys.quickInput().locator('.monaco-list-row.focused');
    await keys.firstRowOf('Servers', /./);
    await keys.unfold('Administration');
    await keys.unfold('Audit');
    await keys.goDownTo('Audit');
    await keys.menu('Choose Audit Types…');
    await keys.step('Checked types are recorded');
    await keys.type('Login Success');
    await keys.press('ArrowDown');
    await list().getByText('Login Success').waitFor();
    await keys.pressButton(list().getByRole('button', { name: 'Set retention time' }));
    await keys.enter('Number of days to keep "Login Success"', '30');
    await keys.step('Checked types are recorded');
    await keys.type('Login Failure');
    await keys.press('ArrowDown');
    await list().getByText('Login Failure').waitFor();
    await keys.press('Space');
    await waitFor('it to be let go', async () => !(await list().getByRole('checkbox').isChecked()));
    await keys.press('Enter');
    const said = async (label: string) => (await workbench.treeItem(label).first().getAttribute('aria-label')) ?? '';
    await waitFor('the sidebar to follow', async () => /kept 30 days/.test(await said('Login Success')));
    await expect.poll(() => said('Login Failure')).toContain('not recorded');
    await keys.firstRowOf('Servers', /./);
    await keys.goDownTo('Audit');
    await keys.menu('Edit as JSON');
    await scene.editor.shows('"Login Success"');
  });

  it('moves a report to another folder, in place of dragging', async () => {
    await keys.command('Analytics: Move Report to Folder…');
    await keys.choose('Move Report to Folder', 'Costly Species');
    // Both lists have the word in their titles: what is typed too early would narrow the first.
    await keys.quickInput().getByText('Personal Library').first().waitFor();
    await keys.choose('Folder', 'Dashboards');
    await waitFor('the report in its folder', async () => {
      const found = await scene.colleague.call('library/SearchReports', { searchstring: 'Costly Species' });
      return JSON.stringify(found).includes('/Dashboards"');
    });
  });

  it('narrows the sidebar and shows all of it again', async () => {
    await keys.command('Analytics: Filter Sidebar…');
    await keys.step('Filter Sidebar');
    await keys.type('own states');
    await keys.press('Enter');
    await scene.workbench.page
      .getByText('Showing only loaded items whose names contain "own states"', { exact: false })
      .waitFor();
    await keys.command('Analytics: Clear Sidebar Filter');
    await scene.workbench.page
      .getByText('Showing only loaded items whose names contain', { exact: false })
      .waitFor({ state: 'hidden' });
  });

  it('opens the menu of a row, and renames it', async () => {
    await keys.firstRowOf('Servers', /./);
    await keys.unfold('Security');
    await keys.unfold('Groups');
    await keys.goDownTo('Contractors');
    await keys.press('Shift+F10');
    await scene.workbench.page.getByRole('menuitem', { name: 'Clone Group' }).waitFor();
    await scene.workbench.screenshot('keyboard-menu-dark');
    await keys.press('Escape');
    await keys.press('F2');
    await keys.step('Contractors');
    await keys.press('Control+a');
    await keys.type('Consultants');
    await keys.press('Enter');
    await scene.workbench.treeItem('Consultants').first().waitFor();
  });

  it('gives a user a value of a data tag', async () => {
    const { workbench } = scene;
    await keys.command('Analytics: Edit Data Tag Values…');
    await keys.choose('Edit Data Tag Values', 'state');
    const page = await workbench.webviewFrame('Values of state');
    const own = page.getByRole('textbox', { name: 'south.viewer', exact: true });
    await own.waitFor();
    await waitFor('the focus on the user', async () => {
      if ((await own.and(page.locator(':focus')).count()) > 0) return true;
      await keys.press('Tab');
      return false;
    });
    await keys.type('NV');
    await keys.press('Control+s');
    await keys.pressButton(dialogButton('Save'));
    await page.getByText('Saved, and read back from the server').first().waitFor();
  });
});
