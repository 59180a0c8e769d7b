import { afterAll, beforeAll, describe, it } from 'vitest';
import { DocumentEditor } from '../../support/workbench/documentEditor.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

describe('documents on the local server', () => {
  let workbench: Workbench;
  let editor: DocumentEditor;
  beforeAll(async () => {
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    workbench = await openWorkbench({ theme: 'light', env, size: { width: 1300, height: 900 } });
    editor = new DocumentEditor(workbench);
    await workbench.treeItem('Bird Strikes').first().waitFor({ timeout: 60_000 });
    await workbench.expand('Security');
    await workbench.expand('Policies');
  });
  afterAll(() => workbench.stop());

  const status = (text: string) => workbench.page.locator('.statusbar-item', { hasText: text });

  it('opens a policy with a click and saves an edit', async () => {
    await workbench.openRow('Own States Only');
    await editor.shows('"Name": "Own States Only"');
    await editor.replace('"Description": "', '"Description": "Edited. ');
    await editor.isDirty('Own States Only.policy.json', true);
    await editor.save();
    await editor.isDirty('Own States Only.policy.json', false);
    await status('Saved to Local Server').waitFor();
    await workbench.screenshot('document-light');
  });

  it('keeps unsaved text over a reload, and saves it to the local server that was started anew', async () => {
    await editor.replace('"Description": "Edited. ', '"Description": "Kept. ');
    await editor.isDirty('Own States Only.policy.json', true);
    await workbench.reload();
    await workbench.tab('Own States Only.policy.json').click();
    await editor.shows('"Description": "Kept. ');
    await editor.save();
    await editor.isDirty('Own States Only.policy.json', false);
    await status('Saved to Local Server').waitFor({ timeout: 60_000 });
  });
});
