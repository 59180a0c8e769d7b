import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addServer } from '../../support/workbench/addServer.ts';
import { SampleClient } from '../../support/sampleClient.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { waitFor } from '../../support/waitFor.ts';
import type { BuilderPage } from '../../support/webview/builderPage.ts';
import { ReportAuthor } from '../../support/webview/reportAuthor.ts';
import { ResultsPage } from '../../support/webview/resultsPage.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

const name = 'Where Flights Begin';
/** May save to the folder of the own tenant and to the own ones; sees others. */
const modifier = 'north.modifier';

describe('a report of an author who is not an administrator', () => {
  let server: TestServer;
  let workbench: Workbench;
  let author: ReportAuthor;
  let builder: BuilderPage;
  beforeAll(async () => {
    server = await startServer({ allowOrigin: 'none', sample: true });
    workbench = await openWorkbench({ theme: 'dark', size: { width: 1500, height: 900 } });
    author = new ReportAuthor(workbench);
    await addServer(workbench, { url: server.url, userName: modifier, password: server.adminPassword });
    await workbench.treeItem('Public').first().waitFor();
  }, 120_000);
  afterAll(async () => {
    await workbench.stop();
    await server.stop();
  });

  const list = () => workbench.page.locator('.quick-input-widget:visible');
  const offered = () => list().locator('.monaco-list-row .label-name').filter({ visible: true }).allInnerTexts();

  it('begins with the folders that the author may save to, and no others', async () => {
    await workbench.palette('Analytics: New Report…');
    await list().locator('.quick-input-title', { hasText: 'report type' }).waitFor();
    await workbench.quickPickChoose('Flights');
    await list().locator('.quick-input-title', { hasText: 'folder' }).waitFor();
    await list().locator('.monaco-list-row').first().waitFor();
    await expect.poll(() => offered()).toEqual(['North', 'Personal Library', 'Drafts']);
    await workbench.quickPickChoose('North');
    await workbench.quickPickChoose('DataGrid');
    await workbench.quickInput('Name of the report', name);
    builder = await author.find();
  });

  it('gets a description, another folder, distinct rows and a limit', async () => {
    await builder.addField('origin state');
    await builder.showTab('Options');
    await builder.text('Description').fill('States of the own airports');
    await builder.frame.getByLabel('Distinct only').check();
    const limit = builder.text('At most');
    await limit.pressSequentially('7.5');
    await builder.frame.getByText('A positive whole number').waitFor();
    expect([await limit.inputValue(), await limit.getAttribute('aria-invalid')]).toEqual(['7.5', 'true']);
    await limit.fill('3');
    await builder.frame.getByText('A positive whole number').waitFor({ state: 'hidden' });
    await builder.button('Choose…').click();
    await list().locator('.quick-input-title', { hasText: 'Select a folder on' }).waitFor();
    await workbench.quickPickChoose('Drafts');
    await builder.frame.getByText('/ Drafts').waitFor();
    await builder.sqlSays(/SELECT DISTINCT .* LIMIT 3$/);
    await workbench.screenshot('builder-options-author-dark');
    builder = await builder.create(`${name}.report.json`);
  });

  it('runs as it was built, and is stored so', async () => {
    for (const label of ['Personal', 'Drafts']) await workbench.expand(label);
    const page = await ResultsPage.run(workbench, name);
    await page.isDone();
    await waitFor('three states', async () => new Set(await page.column('Origin State')).size === 3);
    await expect.poll(() => page.column('Origin State')).toHaveLength(3);
    // Takes the session over: nothing is done in the workbench any more.
    const client = new SampleClient(server);
    const account = await client.as(modifier);
    const [found] = await client.search(modifier, name);
    const { json } = await account.call('Report/GetReport', { ReportId: String(found?.id), isbuilder: true });
    expect(json).toMatchObject({ Description: 'States of the own airports', Distinct: 1, TopN: 3 });
    expect(found?.folderpath).toMatch(/\/Drafts$/);
  });
});
