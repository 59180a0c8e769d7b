import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentEditor } from '../../support/workbench/documentEditor.ts';
import { openDocumentScene, type DocumentScene } from '../../support/workbench/documentScene.ts';
import { Keys } from '../../support/workbench/keys.ts';
import { until } from '../../support/until.ts';
import { waitFor } from '../../support/waitFor.ts';

/** No test here uses the mouse: every step is a key. */
describe('the sidebar and its documents by keyboard alone', () => {
  let scene: DocumentScene;
  let editor: DocumentEditor;
  let keys: Keys;
  beforeAll(async () => {
    scene = await openDocumentScene('dark', (colleague) => colleague.newGroup('Contractors', {}));
    editor = new DocumentEditor(scene.workbench);
    keys = new Keys(scene.workbench);
  });
  afterAll(() => scene.stop());

  it('walks the tree to a policy, edits it and saves it', async () => {
    await keys.firstRowOf('Servers', /./);
    await keys.unfold('Security');
    await keys.unfold('Policies');
    await keys.goDownTo('Own States Only');
    await keys.press('Enter');
    await editor.shows('"Name": "Own States Only"');
    await scene.workbench.palette('View: Focus Active Editor Group');
    await keys.press('Control+Home', 'Control+h');
    const widget = scene.workbench.page.locator('.find-widget.visible');
    await widget.waitFor();
    await keys.press('Control+a');
    await keys.type('"Description": "');
    await keys.press('Tab', 'Control+a');
    await keys.type('"Description": "By keys. ');
    await keys.press('Control+Alt+Enter', 'Escape', 'Control+s');
    await editor.shows('By keys. ');
    await editor.isDirty('Own States Only', false);
    const policy = await scene.colleague.find('Shield/GetAllShieldPolicies', 'Name', 'Own States Only');
    expect(policy?.Description).toMatch(/^By keys\. /);
  });

  it('puts a user into a group with a role, in place of dragging', async () => {
    await keys.command('Analytics: Add Users to Group…');
    await keys.choose('Group', 'Contractors');
    await keys.step('Users to add to Contractors');
    await keys.type('north.viewer');
    await keys.quickInput().locator('.monaco-list-row', { hasText: 'north.viewer' }).first().waitFor();
    await keys.press('ArrowDown', 'Space', 'Enter');
    await keys.choose('Role', 'Modify');
    await waitFor('the membership', async () => {
      const group = await scene.colleague.find('Group/GetAllSecurityGroups', 'GroupName', 'Contractors');
      return JSON.stringify(group?.Membership).includes('"north.viewer"');
    });
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

  it('goes to an object that was never unfolded', async () => {
    await keys.command('Analytics: Go to Object…');
    await keys.choose('Part of the name', 'south.viewer');
    await scene.workbench.tab('south.viewer.user.json').waitFor();
  });

  it('opens the menu of a row, and renames it', async () => {
    await keys.firstRowOf('Servers', /./);
    await keys.unfold('Groups');
    await keys.goDownTo('Contractors');
    await keys.press('Shift+F10');
    await scene.workbench.page.getByRole('menuitem', { name: 'Clone Object' }).waitFor();
    await scene.workbench.screenshot('keyboard-menu-dark');
    await keys.press('Escape');
    await keys.press('F2');
    await keys.step('Contractors');
    await keys.press('Control+a');
    await keys.type('Consultants');
    await keys.press('Enter');
    await scene.workbench.treeItem('Consultants').first().waitFor();
  });

  it('deletes it after its name was typed', async () => {
    const { workbench, colleague } = scene;
    await keys.firstRowOf('Servers', /./);
    await keys.goDownTo('Consultants');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await keys.press('Delete');
    await dialog.getByText('north.viewer').waitFor();
    // A folder may be called the same.
    await dialog.getByText('Delete group "Consultants"').waitFor();
    const goOn = dialog.getByRole('button', { name: 'Continue…' });
    const isReached = async () => (await goOn.and(workbench.page.locator(':focus')).count()) > 0;
    await until('the way on to have the focus', isReached, () => keys.press('Tab'));
    await keys.press('Enter');
    await keys.step('Consultants');
    await keys.type('Consultants');
    await keys.press('Enter');
    await waitFor('the group to go', async () => {
      return (await colleague.find('Group/GetAllSecurityGroups', 'GroupName', 'Consultants')) === undefined;
    });
    // The next key acts on the next row, and a screen reader hears what happened.
    const name = () => keys.focused().locator('.label-name').first().innerText({ timeout: 1_000 });
    await expect.poll(name).toMatch(/^(?!Consultants)./);
    await workbench.page.getByRole('alert', { name: 'Consultants deleted on' }).waitFor();
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
    const save = workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Save', exact: true });
    const isReached = async () => (await save.and(workbench.page.locator(':focus')).count()) > 0;
    await until('the button to have the focus', isReached, () => keys.press('Tab'));
    await keys.press('Enter');
    await page.getByText('Saved, and read back from the server').first().waitFor();
  });
});
