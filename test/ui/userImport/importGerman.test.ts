import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { waitFor } from '../../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

/** As a German spreadsheet writes it: semicolons, Windows-1252, line breaks in a cell. */
const rows = [
  'Benutzername;Vorname;Nachname;E-Mail-Adresse;Beschreibung;Gruppen;Kennwort;Schuhgröße',
  'jörg;Jörg;Müller;team@example.com;"Abteilung 1\r\nZimmer ""7""";North:Modify;;44',
  'zoé;Zoé;Weiß;team@example.com;;South|North;;38',
  `long;Zu;Lang;;;;${'x'.repeat(5_000)};`,
  'Jörg;Zweimal;Müller;;;North;;',
  'käthe;Käthe;Groß;keine Adresse;;Nirgends;;',
  'öde;Ö;De;o@example.com;;North:Chef;;',
  'last;The;Last;;;;;',
];

describe('importing users in a German window', () => {
  let workbench: Workbench;
  let folder: string;
  let page: Frame;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'analytics-csv-'));
    await writeFile(path.join(folder, 'benutzer.csv'), Buffer.from(rows.join('\r\n'), 'latin1'));
    await writeFile(path.join(folder, 'leer.csv'), '');
    await writeFile(path.join(folder, 'fremd.csv'), 'Name;Ort\r\nAda;London\r\n');
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    const settings = { 'files.simpleDialog.enable': true };
    workbench = await openWorkbench({
      theme: 'light',
      language: 'de',
      env,
      settings,
      size: { width: 1400, height: 900 },
    });
    await workbench.treeItem('Bird Strikes').first().waitFor({ timeout: 60_000 });
  });
  afterAll(async () => {
    await workbench?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const summary = (words: string) =>
    waitFor(
      `the summary "${words}"`,
      async () => (await page.locator('.import-summary').innerText()).includes(words),
      60_000,
    );
  const choose = async (name: string) => {
    await workbench.palette('Analytics: Benutzer aus CSV importieren…');
    await workbench.chooseFile('Benutzer zum Importieren in', path.join(folder, name));
  };

  it('says what is wrong with a file that is no list of users', async () => {
    await choose('leer.csv');
    await workbench.notification('leer.csv kann nicht importiert werden. Die Datei ist leer.').waitFor();
    await choose('fremd.csv');
    await workbench.notification('Die Kopfzeile hat keine Spalte LoginName').waitFor();
    await workbench.screenshot('import-refused-german');
    await workbench.palette('Notifications: Clear All Notifications');
  });

  it('reads the file that a German spreadsheet writes, and says what is wrong in each row', async () => {
    await choose('benutzer.csv');
    await workbench.answer('Ohne sie importieren');
    page = await workbench.webviewFrame('benutzer.csv importieren');
    await summary('4 zu erstellen · 3 nicht erstellbar');
    await page.getByText('Schuhgröße').waitFor();
    await page.getByRole('row', { name: /2.*jörg.*Jörg Müller.*team@example.com.*North \(Modify\)/ }).waitFor();
    await page.getByText('Jörg steht mehrmals in der Datei.').waitFor();
    await workbench.screenshot('import-preview-german');
  });

  it('goes on behind a row that the server refuses', async () => {
    await page.getByRole('button', { name: '4 Benutzer importieren' }).click();
    await workbench.answer('Importieren');
    await workbench.quickInput('Anfangskennwort', 'For the First Time 1');
    await workbench.quickInput('Kennwort wiederholen', 'For the First Time 1');
    await summary('3 erstellt · 1 abgelehnt');
    await workbench.screenshot('import-done-german');
  });
});
