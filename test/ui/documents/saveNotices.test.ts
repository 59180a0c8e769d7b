import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocumentScene, type DocumentScene } from '../../support/workbench/documentScene.ts';
import { closeEditors } from '../../support/workbench/sharedWorkbench.ts';
import { isRecord } from '../../support/isRecord.ts';
import { waitFor } from '../../support/waitFor.ts';

/* What a server says of a save that it carried out: a warning, and a mark that stays at the document. */

describe('a save that the server has something to say about', () => {
  let scene: DocumentScene;

  beforeAll(async () => {
    scene = await openDocumentScene('light');
    const viewer = await scene.server.login('north.viewer', scene.server.adminPassword);
    const profile = isRecord(viewer.reply.LoginUser) ? viewer.reply.LoginUser : {};
    const { json } = await viewer.call('Contact/SaveMYContact', {
      withpin: false,
      user: { ...profile, Company: 'Southern Freight' },
    });
    expect(json).toMatchObject({ ErrorCode: 0 });
  });
  afterAll(() => scene.stop());

  const problems = (text: string) => scene.workbench.page.locator('.markers-panel .monaco-list-row', { hasText: text });

  it('names the users whose own values a policy would compare with', async () => {
    const { workbench, editor, colleague } = scene;
    await workbench.collapse('Library');
    await workbench.expand('Security');
    await workbench.expand('Policies');
    await workbench.openRow('Own States Only');
    await editor.shows('/#');
    const placeholder = /\/#\w+#\//.exec(await editor.text())?.[0] ?? '';
    const count = (await editor.text()).split(placeholder).length - 1;
    await editor.replace(placeholder, '/# Company #/', count);
    await editor.save();
    const gain = 'north.none will see more rows of airports, birdstrikes and flights.';
    await workbench.page.locator('.monaco-dialog-box').getByText(gain).waitFor();
    await workbench.screenshot('save-question-policy-light');
    await workbench.answer('Save');
    await workbench.notification('north.viewer').first().waitFor();
    await workbench.palette('Problems: Focus on Problems View');
    await problems('north.viewer').first().waitFor();
    await workbench.screenshot('save-notice-policy-light');
    const policy = await colleague.find('Shield/GetAllShieldPolicies', 'Name', 'Own States Only');
    expect(JSON.stringify(policy)).toContain('/# Company #/');
  });

  it('and the user whose value waits for an administrator', async () => {
    const { workbench, editor } = scene;
    await closeEditors(workbench);
    await workbench.expand('Users');
    await workbench.openRow('north.viewer');
    await editor.shows('"Company": "Southern Freight"');
    await workbench.palette('Problems: Focus on Problems View');
    await problems('The user set Company').waitFor();
    await workbench.screenshot('self-set-field-light');
  });

  it('names the settings that nothing follows from', async () => {
    const { workbench, editor, colleague } = scene;
    await closeEditors(workbench);
    await workbench.collapse('Users');
    await workbench.expand('Administration');
    await workbench.treeAction('Instance Settings', 'Edit as JSON');
    await editor.shows('"mfa_enabled": "False"');
    await editor.replace('"mfa_enabled": "False"', '"mfa_enabled": "True"');
    await editor.save();
    await workbench.quickInput('Client secret of the second factor', '');
    // It must not look as if it protected something.
    const question = workbench.page.locator('.monaco-dialog-box');
    await question.getByText('The server stores this value but does not apply it.').waitFor();
    await workbench.screenshot('inactive-setting-question-light');
    await question.getByRole('button', { name: 'Save' }).click();
    await workbench.notification('mfa_enabled').first().waitFor();
    await workbench.palette('Problems: Focus on Problems View');
    await problems('mfa_enabled').or(problems('does not apply it')).first().waitFor();
    await workbench.screenshot('inactive-setting-light');
    await waitFor('the setting to be saved', async () => (await colleague.settings()).mfa_enabled === 'True');
  });
});
