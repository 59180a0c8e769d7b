import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkbenchBuilder } from '../../support/workbench/workbenchBuilder.ts';
import { ResultsPage } from '../../support/webview/resultsPage.ts';
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

describe('the extension in German', () => {
  let workbench: Workbench;
  let folder: string;
  let importPage: Frame;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'analytics-csv-'));
    await writeFile(path.join(folder, 'benutzer.csv'), Buffer.from(rows.join('\r\n'), 'latin1'));
    await writeFile(path.join(folder, 'leer.csv'), '');
    await writeFile(path.join(folder, 'fremd.csv'), 'Name;Ort\r\nAda;London\r\n');
    const settings = { 'files.simpleDialog.enable': true };
    const size = { width: 1400, height: 950 };
    workbench = await openWorkbench({ theme: 'light', language: 'de', settings, size });
  });
  afterAll(async () => {
    await workbench?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const summary = (words: string) =>
    waitFor(
      `the summary "${words}"`,
      async () => (await importPage.locator('.import-summary').innerText()).includes(words),
      60_000,
    );
  const choose = async (name: string) => {
    await workbench.palette('Analytics: Benutzer aus CSV importieren…');
    await workbench.chooseFile('Benutzer zum Importieren in', path.join(folder, name));
  };

  it('welcomes and starts the local server', async () => {
    await workbench.openContainer('Analytics');
    const sidebar = workbench.page.locator('.sidebar');
    await sidebar.getByRole('button', { name: 'Lokalen Server starten' }).waitFor();
    await workbench.screenshot('german-welcome');
    await workbench.palette('Analytics: Lokalen Server starten');
    // The tree unfolds its library by itself; only then do its rows stay where they are.
    await workbench.treeItem('Bird Strikes').waitFor({ timeout: 60_000 });
    for (const label of ['Bibliothek', 'Sicherheit', 'Semantische Schicht', 'Verwaltung']) {
      await workbench.treeItem(label).waitFor();
    }
    for (const label of ['Verwaltung', 'Sicherheit', 'Richtlinien', 'Gruppen']) await workbench.expand(label);
    await workbench.treeItem('Own States Only').first().waitFor();
    await workbench.screenshot('german-sidebar');
  });

  it('says what failed', async () => {
    await workbench.palette('Analytics: Server hinzufügen…');
    await workbench.quickInput('Serveradresse', 'http://127.0.0.1:9');
    const widget = workbench.page.locator('.quick-input-widget:visible');
    await widget.getByText('ist nicht erreichbar').waitFor();
    await workbench.screenshot('german-unreachable');
    await workbench.page.keyboard.press('Escape');
  });

  it('describes the fields of documents', async () => {
    await workbench.treeItem('Own States Only').first().dblclick();
    const line = workbench.page.locator('.monaco-editor .view-line', { hasText: '"Constraints"' }).first();
    await line.waitFor();
    const hover = workbench.page
      .locator('.monaco-hover', { hasText: 'Bedingungen, die jede Zeile erfüllen muss' })
      .first();
    await waitFor('the hover', async () => {
      await line.getByText('"Constraints"').hover({ timeout: 2_000 });
      await hover.waitFor({ timeout: 2_000 });
      return true;
    });
    await workbench.screenshot('german-document');
  });

  it('edits tag values and asks before it deletes', async () => {
    await workbench.palette('Analytics: Datentag-Werte bearbeiten…');
    await workbench.quickPickChoose('state');
    const page = await workbench.webviewFrame('Werte von state');
    await page.getByRole('textbox', { name: 'Standardwert', exact: true }).waitFor();
    await workbench.screenshot('german-tag-values');
    const group = workbench.treeItem('North').filter({ hasText: 'Mitglied' }).first();
    await workbench.treeAction('North', 'Gruppe löschen…', group);
    const question = workbench.page.getByRole('dialog');
    await question.getByText('„North“ auf Lokaler Server löschen?').waitFor();
    await expect
      .poll(() => question.innerText())
      .toContain('4 Benutzer werden alle Zeilen von airports, birdstrikes und');
    await expect.poll(() => question.innerText()).toContain('Entfernt diese Mitglieder aus der Gruppe: sample.admin');
    await workbench.screenshot('german-delete');
    await workbench.page.keyboard.press('Escape');
  });

  it('asks for the values of a report', async () => {
    await workbench.treeAction('Find Bird Strikes', 'Bericht ausführen');
    const form = await workbench.webviewFrame('Find Bird Strikes');
    await form.getByRole('button', { name: 'Ausführen' }).waitFor();
    await expect
      .poll(() => form.getByRole('group', { name: 'Species' }).innerText())
      .toContain('% steht für beliebigen Text');
    await workbench.screenshot('german-prompts');
  });

  it('writes figures the German way', async () => {
    await workbench.expand('Flights');
    await workbench.treeAction('Delays by State', 'Bericht ausführen');
    const results = await ResultsPage.of(workbench, 'Delays by State');
    await results.says(/Zeilen/, 30_000);
    await results.says(/Datenbank [\d,.]+ (ms|s)/, 30_000);
    for (const [column, pattern] of [
      ['Average Delay', /^-?\d+(,\d)?$/],
      ['On-Time Share', /^\d+,\d{2}%$/],
    ] as const) {
      await expect.poll(async () => (await results.column(column)).length).toBeGreaterThan(20);
      const figures = await results.column(column);
      expect(figures.filter((text) => !pattern.test(text))).toEqual([]);
    }
    await workbench.screenshot('german-results');
  });

  it('builds a report', async () => {
    await workbench.treeAction('Delays by State', 'Im Berichtsdesigner öffnen');
    const builder = await WorkbenchBuilder.inFront(workbench);
    for (const tab of ['Felder', 'Kriterien', 'Summen', 'Optionen']) {
      await builder.frame.getByRole('tab', { name: tab }).click();
      await workbench.screenshot(`german-builder-${tab.toLowerCase()}`);
    }
  });

  it('explains its settings', async () => {
    await workbench.palette('Preferences: Open Settings (UI)');
    const search = workbench.page.locator('.settings-editor .suggest-input-container');
    await search.click();
    await workbench.page.keyboard.type('analytics keep alive');
    // Settings of the machine stand among those of the host.
    await workbench.page
      .locator('.settings-editor')
      .getByRole('tab', { name: /^Remote/ })
      .click();
    await workbench.page.getByText('Steuert, ob Sitzungen aufrechterhalten werden').first().waitFor();
    await workbench.screenshot('german-settings');
  });

  it('says what is wrong with a file to import that is no list of users', async () => {
    await choose('leer.csv');
    await workbench.notification('leer.csv kann nicht importiert werden. Die Datei ist leer.').waitFor();
    await choose('fremd.csv');
    await workbench.notification('Die Kopfzeile hat keine Spalte LoginName').waitFor();
    await workbench.screenshot('import-refused-german');
    await workbench.palette('Notifications: Clear All Notifications');
  });

  it('reads users from the file that a German spreadsheet writes, and says what is wrong in each row', async () => {
    await choose('benutzer.csv');
    await workbench.answer('Ohne sie importieren');
    importPage = await workbench.webviewFrame('benutzer.csv importieren');
    // Both rows of a name that is there twice are refused.
    await summary('3 zu erstellen · 4 nicht erstellbar');
    await importPage.getByText('Schuhgröße').first().waitFor();
    await importPage.getByRole('row', { name: /2.*jörg.*Jörg Müller.*team@example.com.*North \(Modify\)/ }).waitFor();
    for (const name of ['jörg', 'Jörg'])
      await importPage.getByText(`${name} steht mehrmals in der Datei.`, { exact: true }).waitFor();
    await workbench.screenshot('import-preview-german');
  });

  it('imports the users behind one that the server refuses', async () => {
    await importPage.getByRole('button', { name: '3 Benutzer importieren' }).click();
    await workbench.answer('Importieren');
    await workbench.quickInput('Anfangskennwort', 'For the First Time 1');
    await workbench.quickInput('Kennwort wiederholen', 'For the First Time 1');
    await summary('2 erstellt · 1 abgelehnt');
    await workbench.screenshot('import-done-german');
  });
});
