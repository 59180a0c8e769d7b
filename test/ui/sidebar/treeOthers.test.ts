import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocumentScene, type DocumentScene } from '../../support/workbench/documentScene.ts';
import { closeEditors } from '../../support/workbench/sharedWorkbench.ts';

/** An object that the sidebar shows, and a colleague deletes. */
type Gone = 'opened' | 'renamed' | 'deleted' | 'by.key' | 'dropped.onto' | 'selected.2' | 'selected.3';

describe('the sidebar while somebody else is at work', () => {
  let scene: DocumentScene;
  beforeAll(async () => {
    scene = await openDocumentScene('light', async (colleague) => {
      await colleague.newTag('opened', { DefaultValue: 'x' });
      const groups = [
        'renamed',
        'deleted',
        'by.key',
        'dropped.onto',
        'selected.1',
        'selected.2',
        'selected.3',
        'two\nlines',
      ];
      for (const name of groups) await colleague.newGroup(name, {});
    });
    for (const label of ['Security', 'Data Tags', 'Groups']) await scene.workbench.expand(label);
  });
  afterAll(() => scene.stop());

  /** The colleague deletes what the sidebar shows. */
  async function remove(name: Gone): Promise<void> {
    const { colleague, workbench } = scene;
    await workbench.treeItem(name).first().waitFor();
    if (name === 'opened') {
      await colleague.call('DataTag/DeleteDataTag', { datatag: await colleague.tag(name) });
      return;
    }
    const group = await colleague.find('Group/GetAllSecurityGroups', 'GroupName', name);
    await colleague.call('Group/DeleteSecurityGroup', { group });
  }

  /** It is said in words of the sidebar, and the row goes. */
  async function saysGone(name: Gone): Promise<void> {
    const { workbench, host } = scene;
    const message = workbench.notification(`"${name}" is no longer on ${host}`);
    await message.waitFor();
    expect(await message.innerText()).not.toMatch(/refused|analytics:|Retry/);
    await workbench.treeItem(name).first().waitFor({ state: 'detached' });
    await closeEditors(workbench);
  }

  it('says of a row that is opened, renamed or deleted that its object is gone, and takes it away', async () => {
    const { workbench } = scene;
    await remove('opened');
    await workbench.treeItem('opened').first().click();
    await workbench.notification('"opened" is no longer on').waitFor();
    await workbench.screenshot('tree-gone');
    await saysGone('opened');
    await remove('renamed');
    await workbench.treeAction('renamed', 'Rename Group…');
    await saysGone('renamed');
    await remove('deleted');
    await workbench.treeAction('deleted', 'Delete Group…');
    await saysGone('deleted');
    await remove('by.key');
    await workbench.treeItem('by.key').first().click();
    await workbench.page.keyboard.press('Delete');
    await saysGone('by.key');
  });

  it('says which of a selection are gone, so that the others can be deleted', async () => {
    const { workbench, host } = scene;
    await remove('selected.2');
    await remove('selected.3');
    await workbench.treeItem('selected.1').first().click();
    for (const name of ['selected.2', 'selected.3']) {
      await workbench
        .treeItem(name)
        .first()
        .click({ modifiers: ['Control'] });
    }
    await workbench.treeAction('selected.1', 'Delete Objects…');
    await workbench.notification(`${host} no longer has selected.2, selected.3`).waitFor();
    await workbench.treeItem('selected.2').first().waitFor({ state: 'detached' });
    await workbench.treeItem('selected.3').first().waitFor({ state: 'detached' });
    // The editor still takes the row for one of several until another one is selected.
    await workbench.treeAction('selected.1', 'Delete Objects…');
    await workbench.page.getByRole('dialog').getByText(`Delete group "selected.1" on ${host}?`).waitFor();
    await workbench.answer('Cancel');
    await closeEditors(workbench);
  });

  it('says so of a group that users are dropped onto', async () => {
    const { workbench } = scene;
    await workbench.expand('Users');
    await remove('dropped.onto');
    const group = workbench.treeItem('dropped.onto').first();
    await workbench.treeItem('north.viewer').first().dragTo(group);
    // Before a role is asked for: the list marks the role that each has now.
    await workbench.screenshot('tree-gone-drop');
    await saysGone('dropped.onto');
  });

  it('offers a name of two lines as one, and leaves it where nothing was typed', async () => {
    const { workbench, proxy, colleague } = scene;
    const box = workbench.page.locator('.quick-input-widget:visible input').first();
    const saves = () => proxy.asked.filter((path) => path.endsWith('Group/SaveSecurityGroup')).length;
    await workbench.treeAction('two lines', 'Rename Group…');
    await expect.poll(() => box.inputValue()).toBe('two lines');
    await workbench.screenshot('tree-rename-lines');
    await box.press('Enter');
    await box.waitFor({ state: 'hidden' });
    // What it would have sent has gone before what the next command reads.
    await workbench.treeAction('two lines', 'Rename Group…');
    await expect.poll(() => box.inputValue()).toBe('two lines');
    expect(saves()).toBe(0);
    await box.fill('one line');
    await box.press('Enter');
    await workbench.treeItem('one line').first().waitFor();
    expect(await colleague.find('Group/GetAllSecurityGroups', 'GroupName', 'one line')).toBeDefined();
  });

  it('says why an object cannot be opened, in one sentence without addresses', async () => {
    const { workbench, proxy } = scene;
    proxy.rule = () => 'never';
    await workbench.treeItem('state').first().click();
    const message = workbench.notification('Could not open "state"');
    await message.waitFor();
    proxy.rule = () => 'pass';
    // The message fades in: its words show a moment after its buttons.
    await expect.poll(() => message.innerText()).toContain('the connection was lost');
    expect(await message.innerText()).not.toMatch(/analytics:|Unable to read/);
    await workbench.screenshot('tree-cannot-open');
  });
});
