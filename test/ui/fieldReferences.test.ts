import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentEditor } from '../support/documentEditor.ts';
import { waitFor } from '../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

describe('fields of reports, on the local server', () => {
  let workbench: Workbench;
  let editor: DocumentEditor;
  beforeAll(async () => {
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    workbench = await openWorkbench({ theme: 'light', env, size: { width: 1400, height: 1000 } });
    editor = new DocumentEditor(workbench);
    await workbench.treeItem('Bird Strikes').first().waitFor({ timeout: 60_000 });
  });
  afterAll(() => workbench.stop());

  /** Puts the cursor into a text of the document in front. */
  async function goTo(text: string): Promise<void> {
    const { keyboard } = workbench.page;
    await editor.lines.click();
    await keyboard.press('Control+Home');
    await keyboard.press('Control+f');
    const widget = workbench.page.locator('.find-widget.visible');
    await widget.getByRole('textbox', { name: 'Find' }).fill(text);
    await widget.getByText(/^1 of \d+$/).waitFor();
    await keyboard.press('Escape');
    await widget.waitFor({ state: 'hidden' });
  }

  it('lead by F12 to the field of the report type', async () => {
    await workbench.treeAction('Costly Species', 'Edit as JSON');
    await editor.shows('"Reportname": "Costly Species"');
    await goTo('"DbFieldName"');
    await waitFor('the report type', async () => {
      await workbench.page.keyboard.press('F12');
      await workbench.tab('Bird Strikes.reporttype.json').waitFor({ timeout: 3_000 });
      return true;
    });
    await editor.shows('"sqlfieldname"');
  });

  it('tell which reports use them', async () => {
    await goTo('"species"');
    await workbench.palette('Analytics: Find Reports That Use This Field');
    const list = workbench.page.locator('.quick-input-widget:visible');
    await list.locator('.monaco-list-row', { hasText: 'Costly Species' }).first().waitFor();
    await workbench.screenshot('find-reports-light');
    expect(await list.innerText()).toMatch(/Reports that use/);
    await workbench.quickPickChoose('Costly Species');
    await editor.shows('"Reportname": "Costly Species"');
  });

  it('say of a time zone of half an hour nothing bad, and of one that no place has that there is none', async () => {
    await workbench.palette('Analytics: Edit My Profile');
    await editor.shows('"timezone": 0');
    await editor.replace('"timezone": 0', '"timezone": 5.1');
    const mark = workbench.page.locator('.squiggly-warning').first();
    await mark.waitFor();
    await editor.replace('"timezone": 5.1', '"timezone": 5.5');
    await mark.waitFor({ state: 'detached' });
    await workbench.screenshot('time-zone-light');
    await workbench.palette('File: Revert File');
  });
});
