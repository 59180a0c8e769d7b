import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDocumentScene, type DocumentScene } from '../../support/workbench/documentScene.ts';
import { closeEditors } from '../../support/workbench/sharedWorkbench.ts';
import { waitFor } from '../../support/waitFor.ts';

const save = '/api/DataTag/SaveDataTag';
const file = 'territory.tag.json';

describe('saving a document when things go wrong', () => {
  let scene: DocumentScene;
  beforeAll(async () => {
    scene = await openDocumentScene('dark', async (colleague) => {
      await colleague.newTag('territory', { DefaultValue: 'West' });
    });
    await scene.workbench.expand('Security');
    await scene.workbench.expand('Data Tags');
  });
  afterEach(async () => {
    scene.proxy.rule = () => 'pass';
    await closeEditors(scene.workbench);
  });
  afterAll(() => scene.stop());

  /** Opens the tag with a known default value and gives it another one, unsaved. */
  async function edit(to: string): Promise<void> {
    const { workbench, editor, colleague } = scene;
    await colleague.changeTag('territory', { DefaultValue: 'West' });
    await workbench.openRow('territory');
    await editor.shows('"DefaultValue": "West"');
    await editor.replace('"DefaultValue": "West"', `"DefaultValue": "${to}"`);
  }

  const failure = () => scene.workbench.notification('Could not save data tag "territory"');
  const asked = () => scene.proxy.asked.filter((path) => path === save).length;

  it('says at the text and in a message why the server refused, and keeps the text', async () => {
    const { workbench, editor, colleague } = scene;
    await edit('North');
    await editor.replace('"Label": "territory"', '"Label": "terri/tory"');
    await editor.save();
    await failure().getByText('contains a character that constraints cannot use').waitFor();
    await editor.isDirty(file, true);
    await workbench.page.locator('.squiggly-error').first().waitFor();
    await workbench.screenshot('save-refused-dark');
    await workbench.useTheme('light');
    await workbench.screenshot('save-refused-light');
    expect((await colleague.tag('territory')).DefaultValue).toBe('West');
    await editor.replace('"Label": "terri/tory"', '"Label": "territory"');
    await editor.save();
    await editor.isDirty(file, false);
    await waitFor(
      'the mark at the text to go',
      async () => (await workbench.page.locator('.squiggly-error').count()) === 0,
    );
    expect((await colleague.tag('territory')).DefaultValue).toBe('North');
  });

  it('says that somebody deleted the object meanwhile, and keeps the text', async () => {
    const { workbench, editor, colleague } = scene;
    await colleague.newGroup('Short-lived', { GroupDescription: 'as it was' });
    await workbench.expand('Groups');
    await workbench.palette('Analytics: Refresh Servers');
    await workbench.treeAction('Short-lived', 'Edit as JSON');
    await editor.shows('"GroupDescription": "as it was"');
    await editor.replace('as it was', 'as I want it');
    const group = await colleague.find('Group/GetAllSecurityGroups', 'GroupName', 'Short-lived');
    await colleague.call('Group/DeleteSecurityGroup', { group });
    await editor.save();
    await workbench.notification('no longer exists: it was deleted').waitFor();
    await editor.isDirty('Short-lived.group.json', true);
    await editor.shows('as I want it');
    await workbench.screenshot('save-deleted');
  });

  it('marks the value that the server objects to, where its words do not name the field', async () => {
    const { workbench, editor } = scene;
    await workbench.expand('Users');
    await workbench.openRow('south.viewer');
    await editor.shows('"LoginName": "south.viewer"');
    await editor.replace('"LoginName": "south.viewer"', '"LoginName": "north.viewer"');
    await editor.save();
    await workbench.notification('Could not save user').getByText('is taken').waitFor();
    await workbench.palette('Problems: Focus on Problems View');
    const mark = workbench.page.locator('.markers-panel .monaco-list-row', {
      hasText: 'The login name north.viewer is taken',
    });
    await mark.first().waitFor();
    await workbench.page.locator('.view-line', { hasText: '"LoginName"' }).first().click();
    const line = /Ln \d+/.exec(await mark.first().innerText())?.[0] ?? 'no line';
    await workbench.page.locator('.statusbar-item', { hasText: new RegExp(`^${line},`) }).waitFor();
    await workbench.palette('File: Revert File');
    await workbench.collapse('Users');
  });

  it('says at a document without changes that somebody deleted its object', async () => {
    const { workbench, editor, colleague } = scene;
    await colleague.newGroup('Gone soon', { GroupDescription: 'as it was' });
    await workbench.palette('Analytics: Refresh Servers');
    await workbench.treeAction('Gone soon', 'Edit as JSON');
    await editor.shows('"GroupDescription": "as it was"');
    const group = await colleague.find('Group/GetAllSecurityGroups', 'GroupName', 'Gone soon');
    await colleague.call('Group/DeleteSecurityGroup', { group });
    await workbench.palette('Analytics: Refresh Servers');
    await workbench.palette('Problems: Focus on Problems View');
    const mark = workbench.page.locator('.markers-panel .monaco-list-row', { hasText: 'no longer has this object' });
    await mark.first().waitFor();
    await workbench.screenshot('document-of-deleted-object');
    await editor.shows('as it was');
  });

  it('marks where a text is no JSON, and sends nothing', async () => {
    const { workbench, editor, colleague } = scene;
    await edit('South');
    await editor.replace('"DefaultValue": "South"', '"DefaultValue": "South",');
    const before = asked();
    await editor.save();
    await failure()
      .getByText(/Invalid JSON at line \d+, column \d+\. Nothing was sent/)
      .waitFor();
    expect(asked()).toBe(before);
    expect((await colleague.tag('territory')).DefaultValue).toBe('West');
    await workbench.palette('Problems: Focus on Problems View');
    const mark = workbench.page.locator('.markers-panel .monaco-list-row', { hasText: 'Invalid JSON at line' }).first();
    const [, line = '', column = ''] = /line (\d+), column (\d+)/.exec(await mark.innerText()) ?? [];
    await mark.getByText(`[Ln ${line}, Col ${column}]`).waitFor();
    await workbench.palette('View: Hide Panel');
  });

  it('finds out by itself that a save arrived whose reply was lost', async () => {
    const { editor, proxy, colleague } = scene;
    await edit('Lost');
    const before = asked();
    proxy.rule = (path) => (path === save ? 'lost' : 'pass');
    await editor.save();
    await editor.isDirty(file, false);
    expect(asked() - before).toBe(1);
    expect((await colleague.tag('territory')).DefaultValue).toBe('Lost');
    expect(await failure().count()).toBe(0);
  });

  it('never sends a save twice of which nothing is known, and saves when asked again', async () => {
    const { editor, proxy, colleague } = scene;
    await edit('Later');
    const before = asked();
    proxy.rule = (path) => (path === save ? 'never' : 'pass');
    await editor.save();
    await failure().waitFor();
    await editor.isDirty(file, true);
    expect(asked() - before).toBe(1);
    proxy.rule = () => 'pass';
    const { workbench } = scene;
    const offer = workbench.notification('before you save again');
    await offer.waitFor();
    await workbench.screenshot('save-unknown');
    await workbench.pressAway(offer.getByRole('button', { name: 'Compare with Server' }));
    await workbench.tab(`${file}: ${scene.host} ↔ yours`).waitFor();
    await workbench.tab(file).first().click();
    await editor.shows('"DefaultValue": "Later"');
    await editor.save();
    await editor.isDirty(file, false);
    expect(asked() - before).toBe(2);
    expect((await colleague.tag('territory')).DefaultValue).toBe('Later');
  });

  it('leads back to the session when the account signed in elsewhere meanwhile', async () => {
    const { workbench, editor, server, colleague } = scene;
    await edit('Mine');
    await server.login('admin', server.adminPassword);
    await editor.save();
    const offer = workbench.notification('then save again');
    await offer.waitFor();
    await editor.isDirty(file, true);
    await workbench.screenshot('save-taken-over');
    await workbench.pressAway(offer.getByRole('button', { name: 'Sign In…' }));
    await workbench.quickInput('Password of admin', server.adminPassword);
    await waitFor('the session', async () =>
      / min/.test((await workbench.treeItem(scene.host).first().getAttribute('aria-label')) ?? ''),
    );
    await editor.save();
    await editor.isDirty(file, false);
    expect((await colleague.tag('territory')).DefaultValue).toBe('Mine');
  });

  it('keeps the text while the server is away, names the cause, and saves once it is back', async () => {
    const { editor, proxy, colleague } = scene;
    await edit('Offline');
    proxy.rule = () => 'never';
    await editor.save();
    await scene.workbench.notification('cannot be reached').waitFor();
    await editor.isDirty(file, true);
    await scene.workbench.screenshot('save-unreachable');
    proxy.rule = () => 'pass';
    await editor.save();
    await editor.isDirty(file, false);
    expect((await colleague.tag('territory')).DefaultValue).toBe('Offline');
  });
});
