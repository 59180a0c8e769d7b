import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocumentScene, type DocumentScene } from '../../support/workbench/documentScene.ts';
import { isRecord } from '../../support/isRecord.ts';
import { waitFor } from '../../support/waitFor.ts';
import { WorkbenchBuilder } from '../../support/workbench/workbenchBuilder.ts';

/** A report as the server keeps it. */
type Stored = Record<string, unknown>;

describe('what is done with a report from the sidebar', () => {
  let scene: DocumentScene;
  beforeAll(async () => {
    scene = await openDocumentScene('light');
    await scene.workbench.expand('Bird Strikes');
  });
  afterAll(() => scene.stop());

  const row = (label: string) => scene.workbench.treeItem(label).first();

  async function listed(name: string): Promise<Stored | undefined> {
    const found = await scene.colleague.call('library/SearchReports', { searchstring: name });
    return Array.isArray(found) ? found.filter(isRecord).find(({ ReportName }) => ReportName === name) : undefined;
  }

  async function stored(name: string): Promise<Stored> {
    const ReportId = String((await listed(name))?.id);
    const report = await scene.colleague.call('Report/GetReport', { ReportId, isbuilder: true });
    return isRecord(report) ? report : expect.fail(`no report ${name}`);
  }

  /** The report without what a server writes beside every change. */
  function kept(report: Stored, ...besides: string[]): Stored {
    const own = ['LastModifiedBy', 'LastModifiedDate', 'Revision', ...besides];
    return Object.fromEntries(Object.entries(report).filter(([name]) => !own.includes(name)));
  }

  /** What was written on the server while something was done, by the last part of its path. */
  async function written(work: () => Promise<void>): Promise<string[]> {
    const before = scene.proxy.asked.length;
    await work();
    const calls = scene.proxy.asked.slice(before).map((path) => path.split('/').at(-1) ?? '');
    return calls.filter((call) => /^(Save|Update|Del|Add|Remove|Copy|Move)/.test(call));
  }

  it('renames it, and sends that alone', async () => {
    const { workbench } = scene;
    const before = await stored('Costly Species');
    const calls = await written(async () => {
      await workbench.treeAction('Costly Species', 'Rename Report…');
      await workbench.quickInput('Rename report "Costly Species"', 'Dear Birds');
      await row('Dear Birds').waitFor();
    });
    expect(calls).toEqual(['UpdateReport']);
    await expect.poll(() => row('Costly Species').isVisible()).toBe(false);
    expect(await stored('Dear Birds')).toMatchObject({ ...kept(before), Reportname: 'Dear Birds' });
  });

  it('describes it, and sends that alone', async () => {
    const { workbench } = scene;
    const before = await stored('Dear Birds');
    const calls = await written(async () => {
      await workbench.treeAction('Dear Birds', 'Edit Report Description…');
      await workbench.quickInput('Description of report "Dear Birds"', 'What birds cost');
      const words = 'Description of Dear Birds changed';
      await workbench.page.locator('.statusbar-item', { hasText: words }).waitFor();
    });
    expect(calls).toEqual(['UpdateReport']);
    expect(await stored('Dear Birds')).toMatchObject({ ...kept(before), Description: 'What birds cost' });
  });

  it('saves it as another report in another folder', async () => {
    const { workbench, editor } = scene;
    const before = await stored('Dear Birds');
    // Not by its row, which may be about to be drawn anew.
    await workbench.palette('Analytics: Open in Report Builder');
    await workbench.quickPickChoose('Dear Birds');
    const builder = await WorkbenchBuilder.inFront(workbench);
    await builder.frame.getByRole('tab', { name: /^Fields/ }).focus();
    const calls = await written(async () => {
      await workbench.palette('Analytics: Save Report As…');
      await workbench.quickPickChoose('Flights');
      await workbench.quickInput('Name of the new report', 'Birds, copied');
      await workbench.tab('Birds, copied').waitFor();
      // Its tab comes before its text, and looks saved until that is there.
      await waitFor('the copy to be sent', async () => scene.proxy.asked.some((path) => path.endsWith('/SaveReport')));
      await editor.isDirty('Birds, copied', false);
    });
    expect(calls).toEqual(['SaveReport']);
    const place = ['ReportID', 'Reportname', 'folderid', 'folderpath', 'CreatedDate', 'CreatedBy', 'Permissions'];
    const copy = await stored('Birds, copied');
    expect(kept(copy, ...place)).toEqual(kept(before, ...place));
    expect(copy.ReportID).not.toBe(before.ReportID);
    expect(await listed('Birds, copied')).toMatchObject({ folderpath: 'Public Library/Flights' });
    expect(kept(await stored('Dear Birds'))).toEqual(kept(before));
  });

  it('tells of a name that the folder has already, and takes it when it is entered again', async () => {
    const { workbench } = scene;
    await workbench.palette('Analytics: Save Report As…');
    await workbench.quickPickChoose('Flights');
    const calls = await written(async () => {
      await workbench.quickInput('Name of the new report', 'birds, copied');
      const box = workbench.page.locator('.quick-input-widget:visible');
      await box.getByText('The folder already has a report named "birds, copied"').first().waitFor();
      await workbench.screenshot('save-as-taken-name');
    });
    expect(calls).toEqual([]);
    await workbench.page.keyboard.press('Enter');
    await waitFor('the other one to be there', async () => (await listed('birds, copied')) !== undefined);
    expect(await listed('Birds, copied')).toBeDefined();
    // Its document is read back after that: until then, the editor would ask before it closes it.
    const unsaved = workbench.page.locator('.tabs-container .tab.dirty');
    await waitFor('its document to be saved', async () => (await unsaved.count()) === 0);
    await workbench.palette('View: Close All Editors');
  });

  it('leaves it where it is while the server answers 9000 to its deletion, and deletes it with a 0', async () => {
    const { workbench, proxy } = scene;
    const ask = async () => {
      await workbench.treeAction('Dear Birds', 'Delete Report…');
      await workbench.answer('Delete');
    };
    proxy.rule = (path) => (path.endsWith('/DelReport') ? { reply: '9000' } : 'pass');
    await ask();
    const refusal = workbench.notification('Could not delete "Dear Birds"');
    await expect.poll(() => refusal.first().innerText()).toContain('9000');
    await expect.poll(() => row('Dear Birds').isVisible()).toBe(true);
    expect(await listed('Dear Birds')).toBeDefined();
    proxy.rule = () => 'pass';
    const calls = await written(async () => {
      await ask();
      await workbench.page.locator('.statusbar-item', { hasText: 'Dear Birds deleted' }).waitFor();
      await waitFor('the report to go', async () => !(await row('Dear Birds').isVisible()));
    });
    expect(calls).toEqual(['DelReport']);
    expect(await listed('Dear Birds')).toBeUndefined();
    expect(await listed('Birds, copied')).toBeDefined();
  });

  it('runs the reports of a dashboard side by side', async () => {
    const { workbench } = scene;
    await workbench.palette('View: Close All Editors');
    await workbench.expand('Dashboards');
    await row('Bird Strikes at a Glance').click();
    const groups = workbench.page.locator('.editor-group-container');
    await waitFor('a group for each report', async () => (await groups.count()) === 3);
    for (const report of ['Strikes per Year and Size', 'Cost by Size and Phase', 'Bird Strikes by State']) {
      await workbench.tab(report).first().waitFor();
    }
    await workbench.screenshot('dashboard');
  });

  it('makes a dashboard, edits it as JSON and deletes it, and keeps its reports', async () => {
    const { workbench, editor } = scene;
    await workbench.palette('View: Close All Editors');
    await workbench.palette('Analytics: New Dashboard…');
    await workbench.quickPickChoose('Dashboards');
    await workbench.quickInput('New dashboard on', 'Birds Together');
    await workbench.screenshot('dashboard-new-reports');
    await workbench.quickPickTick('Strikes per Year and Size', 'Bird Strikes by State');
    await row('Birds Together').waitFor();
    await workbench.treeAction('Birds Together', 'Edit as JSON');
    await editor.shows('"name": "Birds Together"');
    // Server-maintained fields come last and are folded.
    await workbench.page
      .locator('.editor-instance .folded-background, .editor-instance .inline-folded')
      .first()
      .waitFor();
    await workbench.screenshot('dashboard-document');
    await editor.replace('"name": "Birds Together"', '"name": "Birds at Once"');
    await editor.save();
    await row('Birds at Once').waitFor();
    await workbench.palette('View: Close All Editors');
    await workbench.treeAction('Birds at Once', 'Delete Dashboard…');
    await workbench.page.locator('.monaco-dialog-box', { hasText: 'The reports that it shows are kept.' }).waitFor();
    await workbench.screenshot('dashboard-delete');
    await workbench.answer('Delete');
    await expect.poll(() => row('Birds at Once').isVisible()).toBe(false);
    expect(await listed('Bird Strikes by State')).toBeDefined();
  });
});
