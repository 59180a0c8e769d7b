import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closeEditors, openDocumentScene, type DocumentScene } from '../support/documentScene.ts';
import { isRecord } from '../support/server.ts';
import { waitFor } from '../support/waitFor.ts';

describe('new, cloned, renamed and deleted objects', () => {
  let scene: DocumentScene;
  beforeAll(async () => {
    scene = await openDocumentScene('dark', async (colleague) => {
      await colleague.newGroup('Sales', { GroupDescription: 'Who sells' });
      await colleague.newTag('one of three', {});
      await colleague.newTag('two of three', {});
      await colleague.newTag('three of three', {});
    });
    const { workbench } = scene;
    await workbench.expand('Public');
    await workbench.expand('Security');
    await workbench.expand('Data Tags');
  });
  afterEach(() => closeEditors(scene.workbench));
  afterAll(() => scene.stop());

  const dialog = () => scene.workbench.page.locator('.monaco-dialog-box');
  const gone = (label: string) =>
    waitFor(`${label} to leave the tree`, async () => (await scene.workbench.treeItem(label).count()) === 0);

  it('creates a user from the palette; nothing exists before the document is saved', async () => {
    const { workbench, editor, colleague } = scene;
    const found = () => colleague.find('Contact/GetContactList', 'LoginName', 'ada');
    await workbench.palette('Analytics: New Object…');
    await workbench.quickPickChoose('User');
    await editor.shows('"LoginName": ""');
    await editor.isDirty('New user.user.json', true);
    await workbench.screenshot('new-user-dark');
    await editor.replace('"LoginName": ""', '"LoginName": "ada"');
    expect(await found()).toBeUndefined();
    await editor.save();
    await workbench.quickInput('Password of user', 'a long Password 1');
    await workbench.tab('ada.user.json').waitFor();
    await editor.isDirty('ada.user.json', false);
    expect(await found()).toMatchObject({ LoginName: 'ada' });
    await waitFor('one editor', async () => (await workbench.page.locator('.tabs-container .tab').count()) === 1);
    await scene.server.login('ada', 'a long Password 1');
  });

  it('clones a group: the copy is new, the original stays', async () => {
    const { workbench, editor, colleague } = scene;
    await workbench.treeItem('Data Tags').first().locator('.monaco-tl-twistie').click();
    await workbench.expand('Groups');
    await workbench.treeAction('Sales', 'Clone Object');
    await editor.shows('"GroupName": "Sales copy"');
    await editor.save();
    await workbench.treeItem('Sales copy').first().waitFor();
    const copy = await colleague.find('Group/GetAllSecurityGroups', 'GroupName', 'Sales copy');
    const original = await colleague.find('Group/GetAllSecurityGroups', 'GroupName', 'Sales');
    expect(copy?.GroupDescription).toBe('Who sells');
    expect(copy?.GroupId).not.toBe(original?.GroupId);
  });

  it('creates a folder in another one, renames it and shows it in the tree', async () => {
    const { workbench, editor } = scene;
    await workbench.treeAction('Bird Strikes', 'New Object…');
    await workbench.quickPickChoose('Folder');
    await editor.shows('"fname": "New Folder"');
    await editor.replace('"fname": "New Folder"', '"fname": "Quarterly"');
    await editor.save();
    await workbench.expand('Bird Strikes');
    await workbench.treeItem('Quarterly').first().waitFor();
    await closeEditors(workbench);
    await workbench.treeAction('Quarterly', 'Rename Object…');
    await workbench.quickInput('Rename Quarterly', 'Yearly');
    await workbench.treeItem('Yearly').first().waitFor();
    await gone('Quarterly');
  });

  it('deletes a folder only after its contents are shown and its name is typed', async () => {
    const { workbench } = scene;
    await workbench.treeAction('Bird Strikes', 'Delete Objects…');
    await dialog().getByText('This cannot be undone.').waitFor();
    await workbench.screenshot('delete-folder-dark');
    await workbench.page.keyboard.press('Escape');
    await workbench.useTheme('light');
    await workbench.treeAction('Bird Strikes', 'Delete Objects…');
    await dialog().getByText('This cannot be undone.').waitFor();
    await workbench.screenshot('delete-folder-light');
    await dialog().getByRole('button', { name: 'Continue…' }).click();
    const typed = workbench.page.locator('.quick-input-widget:visible input').first();
    await typed.fill('Bird');
    await typed.press('Enter');
    await workbench.page.locator('.quick-input-widget:visible').getByText('The name is Bird Strikes.').waitFor();
    await workbench.screenshot('delete-folder-typed');
    await workbench.treeItem('Bird Strikes').first().waitFor();
    await typed.fill('Bird Strikes');
    await typed.press('Enter');
    await gone('Bird Strikes');
  });

  it('deletes several selected objects after one question', async () => {
    const { workbench, colleague } = scene;
    await workbench.expand('Data Tags');
    await workbench
      .treeItem('one of three')
      .first()
      .click({ modifiers: ['Control'] });
    await workbench
      .treeItem('two of three')
      .first()
      .click({ modifiers: ['Control'] });
    await workbench.page.keyboard.press('Delete');
    await dialog().getByText('Delete 2 objects').waitFor();
    await workbench.screenshot('delete-several');
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await gone('one of three');
    await gone('two of three');
    await workbench.treeItem('three of three').first().waitFor();
    const left = await colleague.call('DataTag/GetAllDataTags');
    const labels = Array.isArray(left) ? left.filter(isRecord).map(({ Label }) => Label) : [];
    expect(labels).toEqual(['state', 'three of three']);
  });

  it('opens a report type from the tree and the own profile from the palette', async () => {
    const { workbench, editor } = scene;
    await workbench.treeItem('Library').first().locator('.monaco-tl-twistie').click();
    await workbench.treeItem('Security').first().locator('.monaco-tl-twistie').click();
    await workbench.expand('Semantic Layer');
    await workbench.expand('Flight Operations');
    const database = workbench.page
      .locator('.monaco-list-row[role="treeitem"][aria-label^="Registered server"]')
      .first();
    await database.locator('.monaco-tl-twistie').click();
    const type = workbench.page.locator('.monaco-list-row[role="treeitem"][aria-label^="Report type"]').first();
    await type.waitFor();
    const name = (await type.locator('.label-name').innerText()).trim();
    await workbench.treeAction(name, 'Edit as JSON');
    await editor.shows(`"RepTypeName": "${name}"`);
    await workbench.screenshot('report-type-dark');
    await workbench.palette('Analytics: Edit My Profile');
    await editor.shows('"LoginName": "admin"');
    await workbench.tab('admin.profile.json').waitFor();
  });
});
