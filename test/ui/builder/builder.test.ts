import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentEditor } from '../../support/workbench/documentEditor.ts';
import { until } from '../../support/until.ts';
import { waitFor } from '../../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';
import { WorkbenchBuilder } from '../../support/workbench/workbenchBuilder.ts';

const report = 'Delays by State';
describe('the report builder in the editor', () => {
  let workbench: Workbench;
  let builder: WorkbenchBuilder;
  let editor: DocumentEditor;
  beforeAll(async () => {
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    workbench = await openWorkbench({
      theme: 'light',
      env,
      size: { width: 1500, height: 900 },
    });
    editor = new DocumentEditor(workbench);
    await workbench.treeItem('Bird Strikes').first().waitFor({ timeout: 60_000 });
    await workbench.expand('Flights');
  });
  afterAll(() => workbench.stop());

  it('opens a report from the tree, with its fields and its SQL', async () => {
    await workbench.treeAction(report, 'Open in Report Builder');
    builder = await WorkbenchBuilder.inFront(workbench);
    await builder.hasFields(['Origin State', 'Flights', 'Average Delay', 'On-Time Share', 'Longest Delay']);
    await builder.sqlSays(/GROUP BY "flights"\."origin_state"/);
    await workbench.screenshot('builder-light');
    await editor.isDirty(`Report Builder: ${report}`, false);
  });

  const names = (flights: string) => ['Origin State', flights, 'Average Delay', 'On-Time Share', 'Longest Delay'];

  it('undoes what was typed as a whole, and does it again', async () => {
    const name = builder.text('Name of field 2');
    await name.press('End');
    await name.pressSequentially(' flown', { delay: 30 });
    await builder.hasFields(names('Flights flown'));
    await editor.isDirty(`Report Builder: ${report}`, true);
    await workbench.page.keyboard.press('Control+z');
    await builder.hasFields(names('Flights'));
    await workbench.page.keyboard.press('Control+Shift+z');
    await builder.hasFields(names('Flights flown'));
    await expect.poll(() => builder.focused()).toBe('Name of field 2');
  });

  it('is the document: JSON and save are those of the text', async () => {
    await builder.showTab('Criteria');
    const row = await builder.addCriterion('Origin State', 'in');
    const box = builder.frame.getByRole('combobox', { name: `${row}: Add a value` });
    for (const state of ['CA', 'TX']) {
      await box.fill(state);
      await builder.frame.getByRole('option', { name: state, exact: true }).first().click();
    }
    await builder.sqlSays(/IN \('CA', 'TX'\)/i);
    await builder.select(`Before ${row}`).selectOption('OR');
    await builder.sqlSays(/IS NOT NULL OR/);
    await builder.frame.getByRole('tab', { name: /^Criteria/ }).focus();
    await workbench.page.keyboard.press('Control+z');
    await builder.sqlSays(/IS NOT NULL AND/);
    await builder.button('Open as JSON').click();
    await editor.shows('"Reportname": "Delays by State"');
    await workbench.palette('Analytics: Open in Report Builder');
    builder = await WorkbenchBuilder.inFront(workbench);
    await builder.sqlSays(/IN \('CA', 'TX'\)/i);
    await builder.save(`${report}.report.json`);
  });

  it('saves as another report, and leaves the first as it is', async () => {
    await builder.frame.getByRole('tab', { selected: true }).focus();
    await workbench.palette('Analytics: Save Report As…');
    await workbench.page.locator('.quick-input-title', { hasText: 'Select a folder on' }).waitFor();
    await workbench.quickPickChoose('Bird Strikes');
    await workbench.quickInput('Name of the new report', 'Delays, copied');
    await workbench.treeItem('Delays, copied').waitFor();
    await editor.isDirty('Report Builder: Delays, copied', false);
    const copied = workbench.page.locator('.tab', { hasText: 'Delays, copied' });
    const isClosed = async () => (await copied.count()) === 0;
    await until('the copy to be closed', isClosed, () => workbench.palette('View: Close Editor'), { tryFor: 5_000 });
    builder = await WorkbenchBuilder.inFront(workbench);
    await builder.sqlSays(/IN \('CA', 'TX'\)/i);
  });

  it('is open in two builders side by side, which stay in step', async () => {
    await builder.showTab('Fields');
    await workbench.palette('View: Split Editor Right');
    const frames = await waitFor('two builders', async () => {
      const found = await WorkbenchBuilder.allShown(workbench);
      return found.length === 2 && found;
    });
    const [one, other] = frames.map((frame) => new WorkbenchBuilder(workbench, frame));
    if (!one || !other) expect.fail('no builders');
    await waitFor('the fields of both', async () => {
      return (await one.fieldNames()).length === 5 && (await other.fieldNames()).length === 5;
    });
    const name = one.text('Name of field 2');
    await name.press('End');
    await name.pressSequentially(' again', { delay: 30 });
    await waitFor('the other to follow', async () => (await other.fieldNames())[1] === 'Flights flown again');
    await workbench.screenshot('builder-twice-light');
    // What was typed in one is undone as a whole in the other.
    await other.text('Name of field 1').click();
    await workbench.page.keyboard.press('Control+z');
    // Letter by letter, which takes its time on a busy machine.
    const isBack = async () =>
      (await one.fieldNames())[1] === 'Flights flown' && (await other.fieldNames())[1] === 'Flights flown';
    await waitFor('both to go back', isBack, 60_000);
    await workbench.palette('View: Close Editor');
    await waitFor('one builder to be left', async () => (await WorkbenchBuilder.allShown(workbench)).length === 1);
    builder = await WorkbenchBuilder.inFront(workbench);
  });

  it('previews what is not saved', async () => {
    await builder.showTab('Fields');
    await builder.text('Name of field 2').fill('Trips');
    await builder.hasFields(names('Trips'));
    await builder.button('Preview').click();
    const rows = await workbench.webviewFrame(`${report} (preview)`);
    await rows.getByRole('gridcell', { name: /^CA\b/ }).first().waitFor();
    await rows.getByRole('columnheader', { name: /Trips/ }).first().waitFor();
    await workbench.screenshot('builder-preview-light');
  });

  it('says of a text that is no report that alone, and goes on once it is one again', async () => {
    await workbench.treeAction('Routes', 'Edit as JSON');
    await editor.shows('"Reportname": "Routes"');
    await editor.replace('"Reportname"', 'Reportname"');
    await workbench.palette('Analytics: Open in Report Builder');
    // The other builder is still in front beside the rows.
    const shownWith = (part: string, text = '') =>
      waitFor(`the builder with ${part} ${text}`, async () => {
        for (const frame of await WorkbenchBuilder.allShown(workbench)) {
          if ((await frame.locator(part, { hasText: text }).count()) > 0) return frame;
        }
        return undefined;
      });
    const page = await shownWith('.banner');
    expect([await page.locator('.builder > *').count(), await page.locator('.pane-note').count()]).toEqual([2, 0]);
    await workbench.screenshot('builder-unreadable-light');
    await page.locator('.banner').getByRole('button', { name: 'Open as JSON' }).click();
    await editor.replace('Reportname"', '"Reportname"');
    await workbench.palette('Analytics: Open in Report Builder');
    await (await shownWith('h1', 'Routes')).getByRole('treeitem').first().waitFor();
  });
});
