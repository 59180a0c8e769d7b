import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../src/connections/connection.ts';
import { BuilderHost, type ShownBuilder } from '../support/pages/builderHost.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { person } from '../support/vscode/person.ts';
import { waitFor } from '../support/waitFor.ts';

const name = 'Where Flights Begin';
/** May save to the folder of the own tenant and to the own ones; sees others. */
const modifier = 'north.modifier';

describe('a report of an author who is not an administrator', () => {
  let server: TestServer;
  let host: BuilderHost;
  let author: Connection;
  let builder: ShownBuilder;
  beforeAll(async () => {
    server = await startServer({ sample: true });
    host = await BuilderHost.start(server);
    author = await host.scene.addServer('North', server.apiBase, server.adminPassword, { userName: modifier });
  });
  afterAll(async () => {
    await host.stop();
    await server.stop();
  });

  it('begins with the folders that the author may save to, and no others', async () => {
    builder = await host.begin(author, [
      ['report type', 'Flights'],
      ['folder', 'North'],
      ['output type', 'DataGrid'],
      ['name', name],
    ]);
    const folders = person.shown.find(({ text }) => text.includes('folder'));
    expect(folders?.choices).toEqual(['North', 'Personal Library', 'Drafts']);
  });

  it('gets a description, another folder, distinct rows and a limit', async () => {
    await builder.addField('origin state');
    await builder.showTab('Options');
    await builder.text('Description').fill('States of the own airports');
    await builder.frame.getByLabel('Distinct only').check();
    const limit = builder.text('At most');
    await limit.pressSequentially('7.5');
    await builder.frame.getByText('A positive whole number').first().waitFor();
    expect([await limit.inputValue(), await limit.getAttribute('aria-invalid')]).toEqual(['7.5', 'true']);
    await limit.fill('3');
    await builder.frame.locator('.option-hint', { hasText: 'A positive whole number' }).waitFor({ state: 'hidden' });
    person.answers('Select a folder on', 'Drafts');
    await builder.button('Choose…').click();
    await builder.frame.getByText('/ Drafts').waitFor();
    await builder.sqlSays(/SELECT DISTINCT .* LIMIT 3$/);
    builder = await host.create(builder);
  });

  it('runs as it was built, and is stored so', async () => {
    const page = await host.run(name, author);
    await waitFor('three states', async () => new Set(await page.column('Origin State')).size === 3);
    await expect.poll(() => page.column('Origin State')).toHaveLength(3);
    const client = await author.client();
    const [found] = await client.call('library/SearchReports', { searchstring: name });
    const stored = await client.call('Report/GetReport', { ReportId: String(found?.id), isbuilder: true });
    expect(stored).toMatchObject({ Description: 'States of the own airports', Distinct: 1, TopN: 3 });
    expect(found?.folderpath).toMatch(/\/Drafts$/);
  });
});
