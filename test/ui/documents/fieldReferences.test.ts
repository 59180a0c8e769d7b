import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentEditor } from '../../support/workbench/documentEditor.ts';
import { until } from '../../support/until.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

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

  /** Goes from a field of the report in front to that of its report type. */
  async function goToType(): Promise<void> {
    await goTo('"DbFieldName"');
    const isThere = () => workbench.tab('Bird Strikes.reporttype.json').isVisible();
    await until('the report type', isThere, () => workbench.page.keyboard.press('F12'), {
      tryFor: 4_000,
      deadline: 60_000,
    });
  }

  it('lead by F12 to the field of the report type', async () => {
    await workbench.treeAction('Costly Species', 'Edit as JSON');
    await editor.shows('"Reportname": "Costly Species"');
    await goToType();
    await editor.shows('"sqlfieldname"');
  });

  it('tell which reports use them', async () => {
    await goTo('"species"');
    await workbench.palette('Analytics: Find Reports Using Field');
    const list = workbench.page.locator('.quick-input-widget:visible');
    await list.locator('.monaco-list-row', { hasText: 'Costly Species' }).first().waitFor();
    await workbench.screenshot('find-reports-light');
    await expect.poll(() => list.innerText()).toMatch(/Reports that use/);
    await workbench.quickPickChoose('Costly Species');
    await editor.shows('"Reportname": "Costly Species"');
  });

  it('get another label without breaking the formulas that call them by the old one', async () => {
    const report = 'Strikes per Year and Size';
    await workbench.treeAction(report, 'Edit as JSON');
    await editor.shows(`"Reportname": "${report}"`);
    await editor.replace('YEAR(?)', 'YEAR([Flight Date])');
    await editor.save();
    await editor.isDirty(`${report}.report.json`, false);
    await goToType();
    await editor.shows('"sqlfieldname"');
    await editor.replace('"fname": "Flight Date"', '"fname": "Day of Flight"');
    const { page } = workbench;
    const fix = page
      .locator('.action-widget')
      .first()
      .getByText('Use strikes.flight_date in the formulas of these reports');
    const isTaken = () => page.locator('.tabs-container .tab.dirty', { hasText: `${report}.report.json` }).isVisible();
    // Marks that are renewed meanwhile close the menu: it is opened again.
    await until(
      'the fix to be taken',
      isTaken,
      async () => {
        await page.locator('.squiggly-warning').first().waitFor({ timeout: 10_000 });
        await page.keyboard.press('Escape');
        await page.keyboard.press('F8');
        await page.getByText('They fail after this save').first().waitFor({ timeout: 3_000 });
        await workbench.screenshot('renamed-field-light');
        await page.keyboard.press('Escape');
        await page.keyboard.press('Control+.');
        await fix.click({ timeout: 3_000 });
      },
      { tryFor: 5_000, deadline: 60_000 },
    );
    await editor.isDirty(`${report}.report.json`, true);
    await workbench.tab(`${report}.report.json`).click();
    await editor.shows('"Formula": "YEAR(strikes.flight_date)"');
    await workbench.screenshot('renamed-field-fixed-light');
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
