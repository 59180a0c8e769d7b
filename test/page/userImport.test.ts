import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../src/connections/connection.ts';
import { CommandError } from '../../src/editor/commandError.ts';
import { importUsers } from '../../src/features/userImport/importUsers.ts';
import { openCommandScene, type CommandScene } from '../support/commandScene.ts';
import { startLocalServer, type LocalTestServer } from '../support/localServer.ts';
import { PageHost, type ShownPage } from '../support/pages/pageHost.ts';
import { person } from '../support/vscode/person.ts';
import { waitFor } from '../support/waitFor.ts';

const userCount = 16;
const password = 'For the First Time 1';

/** As a German spreadsheet writes it: semicolons, Windows-1252, line breaks in a cell. */
const spreadsheet = [
  'Benutzername;Vorname;Nachname;E-Mail-Adresse;Beschreibung;Gruppen;Kennwort;Schuhgröße',
  'jörg;Jörg;Müller;team@example.com;"Abteilung 1\r\nZimmer ""7""";North:Modify;;44',
  'zoé;Zoé;Weiß;team@example.com;;South|North;;38',
  `long;Zu;Lang;;;;${'x'.repeat(5_000)};`,
  'Jörg;Zweimal;Müller;;;;;',
  'käthe;Käthe;Groß;keine Adresse;;Nirgends;;',
  'öde;Ö;De;o@example.com;;North:Chef;;',
  'last;The;Last;;;;;',
];

describe('importing users from CSV', () => {
  let server: LocalTestServer;
  let scene: CommandScene;
  let connection: Connection;
  let host: PageHost;
  let folder: string;
  let shown: ShownPage;
  let frame: Frame;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'analytics-csv-'));
    server = await startLocalServer(true);
    scene = await openCommandScene();
    connection = await scene.addServer('Local Server', server.apiBase, server.adminPassword);
    host = await PageHost.start();
  });
  afterEach(() => person.leave());
  afterAll(async () => {
    await host.stop();
    await scene.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const write = (name: string, text: string | Buffer) => writeFile(path.join(folder, name), text);
  /** Chooses a file; earlier imports are offered first, once there are some. */
  const choose = async (name: string, hasEarlier = false) => {
    if (hasEarlier) person.answers('Import users into', 'Choose a CSV File…');
    person.answers('Users to import into', path.join(folder, name));
    await importUsers(scene.services, scene.services.tree.serverNode(connection));
  };
  const show = async () => {
    shown = await host.opened();
    frame = shown.page.mainFrame();
  };
  const button = (name: string | RegExp) => frame.getByRole('button', { name });
  const summary = (words: RegExp) =>
    waitFor(
      `the summary ${words.source}`,
      async () => words.test(await frame.locator('.import-summary').innerText({ timeout: 2_000 })),
      60_000,
    );
  const givePassword = () => person.answers('Initial password', password).answers('Repeat the password', password);
  const logins = async (prefix: string) => {
    const users = await (await connection.client()).call('Contact/GetContactList', {});
    return users.map(({ LoginName }) => String(LoginName)).filter((name) => name.startsWith(prefix));
  };

  it.each([
    ['large.csv', `LoginName\n${'x'.repeat(10_000_000)}`, 'The file is larger than 10 MB.'],
    ['torn.csv', 'LoginName,FirstName\nada,"Ada', 'Invalid CSV: a quotation mark is not closed.'],
    ['empty.csv', '', 'The file is empty.'],
    ['foreign.csv', 'Name;Place\r\nAda;London\r\n', 'no LoginName column'],
  ])('opens no page for %s, and says what is wrong with it', async (name, text, told) => {
    await write(name, text);
    const error = await choose(name).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CommandError);
    expect(String((error as CommandError).cause)).toContain(told);
  });

  it('previews the file, with what is wrong in each row', async () => {
    const rows = Array.from({ length: userCount }, (_, index) => {
      const group = index % 2 === 0 ? 'North:Modify' : 'South';
      return `import.${index},First ${index},Last,u${index}@example.com,${group},`;
    });
    const bad = ['import.1,Twice,Last,,South,', 'import.bad,Bad,Last,no address,Nowhere,', 'admin,Known,Last,,,'];
    const titles = 'LoginName,FirstName,LastName,EmailAddress,Groups,Shoe Size';
    await write('users.csv', [titles, ...rows, ...bad].join('\n'));
    person.mayAnswer('The column Shoe Size of users.csv cannot be imported.', 'Import Without Them');
    await choose('users.csv');
    await show();
    expect(shown.panel.title).toBe('Import users.csv');
    await summary(/16 to create · 3 cannot be created/);
    expect(await button('Save Outcome…').count(), 'there is no outcome yet').toBe(0);
    await frame.getByText('Unknown columns are ignored: Shoe Size.').first().waitFor();
    await shown.page.setViewportSize({ width: 480, height: 800 });
    await waitFor('what becomes of each row to be in view in a narrow page', async () => {
      const status = await frame.getByRole('columnheader', { name: 'Status' }).boundingBox();
      return status !== null && status.x + status.width <= 480;
    });
    await shown.page.setViewportSize({ width: 1100, height: 800 });
    await button(/Only rows with problems/).click();
    await frame.getByText('There is no group "Nowhere".', { exact: false }).waitFor();
    await frame.getByText('admin is already on the server.').waitFor();
    await frame.getByText('import.1 is in the file more than once.').waitFor();
    await expect.poll(() => frame.getByRole('row').count()).toBe(4);
    await button(/Only rows with problems/).click();
    await expect.poll(() => frame.getByRole('row').count()).toBeGreaterThan(4);
    expect(await logins('import.')).toEqual([]);
  });

  it('stops when asked, and goes on without creating anybody twice', async () => {
    givePassword();
    await button('Import 16 Users').click();
    await summary(/[1-9]\d* created/);
    await button('Stop').click();
    await button(/Continue \(/).waitFor();
    await summary(/not tried/);
    // Opened again, from its journal.
    shown.panel.dispose();
    person.leave();
    person.answers('Import users into', 'users.csv');
    await importUsers(scene.services, scene.services.tree.serverNode(connection));
    expect(person.shown[0]?.choices).toEqual(['Choose a CSV File…', 'users.csv']);
    await show();
    // Asked where the stop cut off a row before the server had it.
    person.mayAnswer('again on Local Server?', 'Send Again');
    givePassword();
    await button(/Continue \(/).click();
    await summary(/^16 created$/);
    await button('Save Outcome…').waitFor();
    const there = await logins('import.');
    expect([there.length, new Set(there).size]).toEqual([userCount, userCount]);
  });

  it('saves the outcome of each row', async () => {
    const file = path.join(folder, 'outcome.csv');
    person.answers('Save the outcome', file);
    await button(/Save/).first().click();
    const text = await waitFor('the file', () => readFile(file, 'utf8').catch(() => undefined));
    expect(text.trimEnd().split('\r\n').length).toBe(userCount + 1);
  });

  it('deletes again what it created, and nothing else', async () => {
    const others = (await logins('')).filter((name) => !name.startsWith('import.'));
    person.answers('Delete the 16 users that this import created', 'Delete');
    await button('Undo: Delete 16 Users…').click();
    await summary(/^16 deleted by undo$/);
    expect(await logins('')).toEqual(others);
    shown.panel.dispose();
  });

  it('reads the file that a German spreadsheet writes, and goes on behind a row that the server refuses', async () => {
    await write('benutzer.csv', Buffer.from(spreadsheet.join('\r\n'), 'latin1'));
    person.mayAnswer('The column Schuhgröße of benutzer.csv cannot be imported.', 'Import Without Them');
    await choose('benutzer.csv', true);
    await show();
    await summary(/4 to create · 3 cannot be created/);
    await frame.getByText('Schuhgröße').first().waitFor();
    await frame.getByRole('row', { name: /2.*jörg.*Jörg Müller.*team@example.com.*North \(Modify\)/ }).waitFor();
    await frame.getByText('Jörg is in the file more than once.').waitFor();
    person.answers('2 users will see all rows of airports, birdstrikes and flights: long and last.', 'Import');
    givePassword();
    await button('Import 4 Users').click();
    await summary(/3 created · 1 refused/);
  });

  it('shows hostile text of a file as text', async () => {
    shown.panel.dispose();
    await write('hostile.csv', 'LoginName,FirstName\nx><img src=x onerror=alert(1)>,<b>bold</b>\n');
    await choose('hostile.csv', true);
    await show();
    await frame.getByText('<b>bold</b>').first().waitFor();
    expect(await frame.locator('img, b, a, iframe').count()).toBe(0);
  });
});
