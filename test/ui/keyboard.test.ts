import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentEditor } from '../support/documentEditor.ts';
import { openDocumentScene, type DocumentScene } from '../support/documentScene.ts';
import { until } from '../support/until.ts';
import { waitFor } from '../support/waitFor.ts';

/** No test here uses the mouse: every step is a key. */
describe('the sidebar and its documents by keyboard alone', () => {
  let scene: DocumentScene;
  let editor: DocumentEditor;
  beforeAll(async () => {
    scene = await openDocumentScene('dark', (colleague) => colleague.newGroup('Contractors', {}));
    editor = new DocumentEditor(scene.workbench);
  });
  afterAll(() => scene.stop());

  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => scene.workbench.page.keyboard.press(key)), Promise.resolve());
  const type = (text: string) => scene.workbench.page.keyboard.type(text);
  const quickInput = () => scene.workbench.page.locator('.quick-input-widget:visible');
  const focused = () => scene.workbench.page.locator('.monaco-list.element-focused .monaco-list-row.focused').first();

  /** Runs a command from the palette. */
  async function command(title: string): Promise<void> {
    await waitFor(`the command ${title}`, async () => {
      await press('Escape', 'F1');
      await quickInput().waitFor();
      await type(title);
      await quickInput().locator('.monaco-list-row.focused', { hasText: title }).first().waitFor({ timeout: 3_000 });
      return true;
    });
    await press('Enter');
  }

  /** Waits for a step that says `prompt`: the palette, which may still be there, begins with a sign of its own. */
  async function step(prompt: string): Promise<void> {
    await waitFor(`the step "${prompt}"`, async () => {
      const box = quickInput().locator('.quick-input-box input:focus');
      if ((await box.count()) === 0 || (await box.inputValue()).startsWith('>')) return false;
      const words = [await quickInput().innerText(), (await box.getAttribute('placeholder')) ?? ''];
      return words.some((shown) => shown.includes(prompt));
    });
  }

  /** Waits for a step, types, and takes the row that is found. */
  async function choose(prompt: string, text: string, found = text): Promise<void> {
    await step(prompt);
    await type(text);
    await quickInput().locator('.monaco-list-row.focused', { hasText: found }).first().waitFor();
    const box = quickInput().locator('.quick-input-box input');
    const isTaken = async () => !(await box.isVisible()) || (await box.inputValue({ timeout: 1_000 })) !== text;
    await until(`"${found}" to be taken`, isTaken, () => press('Enter'), { tryFor: 5_000 });
  }

  /** Moves down the tree to a row, and from its end to its top. */
  async function goDownTo(label: string): Promise<void> {
    await scene.workbench.treeItem(label).first().waitFor();
    await waitFor(`the focus on ${label}`, async () => {
      const name = (await focused().locator('.label-name').first().innerText()).trim();
      if (name === label) return true;
      await press(name === 'Administration' ? 'Home' : 'ArrowDown');
      return false;
    });
  }

  async function unfold(label: string): Promise<void> {
    await goDownTo(label);
    await press('ArrowRight');
    await waitFor(`${label} to unfold`, async () => (await focused().getAttribute('aria-expanded')) === 'true');
  }

  it('walks the tree to a policy, edits it and saves it', async () => {
    await command('Analytics: Focus on Servers View');
    await press('Home');
    await unfold('Security');
    await unfold('Policies');
    await goDownTo('Own States Only');
    await press('Enter');
    await editor.shows('"Name": "Own States Only"');
    await scene.workbench.palette('View: Focus Active Editor Group');
    await press('Control+Home', 'Control+h');
    const widget = scene.workbench.page.locator('.find-widget.visible');
    await widget.waitFor();
    await press('Control+a');
    await type('"Description": "');
    await press('Tab', 'Control+a');
    await type('"Description": "By keys. ');
    await press('Control+Alt+Enter', 'Escape', 'Control+s');
    await editor.shows('By keys. ');
    await editor.isDirty('Own States Only', false);
    const policy = await scene.colleague.find('Shield/GetAllShieldPolicies', 'Name', 'Own States Only');
    expect(policy?.Description).toMatch(/^By keys\. /);
  });

  it('puts a user into a group with a role, in place of dragging', async () => {
    await command('Analytics: Add Users to Group with Role…');
    await choose('Group', 'Contractors');
    await step('Users to add to Contractors');
    await type('north.viewer');
    await quickInput().locator('.monaco-list-row', { hasText: 'north.viewer' }).first().waitFor();
    await press('ArrowDown', 'Space', 'Enter');
    await choose('Role', 'Modify');
    await waitFor('the membership', async () => {
      const group = await scene.colleague.find('Group/GetAllSecurityGroups', 'GroupName', 'Contractors');
      return JSON.stringify(group?.Membership).includes('"north.viewer"');
    });
  });

  it('moves a report to another folder, in place of dragging', async () => {
    await command('Analytics: Move Report to Folder…');
    await choose('Move Report to Folder', 'Costly Species');
    // Both lists have the word in their titles: what is typed too early would narrow the first.
    await quickInput().getByText('Personal Library').first().waitFor();
    await choose('Folder', 'Dashboards');
    await waitFor('the report in its folder', async () => {
      const found = await scene.colleague.call('library/SearchReports', { searchstring: 'Costly Species' });
      return JSON.stringify(found).includes('/Dashboards"');
    });
  });

  it('narrows the sidebar and shows all of it again', async () => {
    await command('Analytics: Filter Sidebar…');
    await step('Filter the Sidebar');
    await type('own states');
    await press('Enter');
    await scene.workbench.page.getByText('Only names with "own states"', { exact: false }).waitFor();
    await command('Analytics: Clear Sidebar Filter');
    await scene.workbench.page.getByText('Only names with', { exact: false }).waitFor({ state: 'hidden' });
  });

  it('goes to an object that was never unfolded', async () => {
    await command('Analytics: Go to Object…');
    await choose('Part of the name', 'south.viewer');
    await scene.workbench.tab('south.viewer.user.json').waitFor();
  });

  it('opens the menu of a row, and renames it', async () => {
    await command('Analytics: Focus on Servers View');
    await press('Home');
    await unfold('Groups');
    await goDownTo('Contractors');
    await press('Shift+F10');
    await scene.workbench.page.getByRole('menuitem', { name: 'Clone Object' }).waitFor();
    await scene.workbench.screenshot('keyboard-menu-dark');
    await press('Escape');
    await press('F2');
    await step('Contractors');
    await press('Control+a');
    await type('Consultants');
    await press('Enter');
    await scene.workbench.treeItem('Consultants').first().waitFor();
  });

  it('deletes it after its name was typed', async () => {
    const { workbench, colleague } = scene;
    await command('Analytics: Focus on Servers View');
    await goDownTo('Consultants');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await press('Delete');
    await dialog.getByText('north.viewer').waitFor();
    const goOn = dialog.getByRole('button', { name: 'Continue…' });
    const isReached = async () => (await goOn.and(workbench.page.locator(':focus')).count()) > 0;
    await until('the way on to have the focus', isReached, () => press('Tab'));
    await press('Enter');
    await step('Consultants');
    await type('Consultants');
    await press('Enter');
    await waitFor('the group to go', async () => {
      return (await colleague.find('Group/GetAllSecurityGroups', 'GroupName', 'Consultants')) === undefined;
    });
  });

  it('gives a user a value of a data tag', async () => {
    const { workbench } = scene;
    await command('Analytics: Edit Tag Values…');
    await choose('Edit Tag Values', 'state');
    const page = await workbench.webviewFrame('Values of state');
    const own = page.getByRole('textbox', { name: 'south.viewer', exact: true });
    await own.waitFor();
    await waitFor('the focus on the user', async () => {
      if ((await own.and(page.locator(':focus')).count()) > 0) return true;
      await press('Tab');
      return false;
    });
    await type('NV');
    await press('Control+s');
    await page.getByText('Saved, and read back from the server').waitFor();
  });
});
