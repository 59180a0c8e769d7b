import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import { openDocumentScene, type DocumentScene } from '../../support/workbench/documentScene.ts';
import { closeEditors } from '../../support/workbench/sharedWorkbench.ts';
import { isRecord } from '../../support/isRecord.ts';
import { waitFor } from '../../support/waitFor.ts';

type Found = Record<string, unknown>;

/** What a kind of object needs to go through its life: made, edited, renamed, copied, deleted. */
interface Life {
  /** What the palette calls the kind. */
  label: string;
  /** Ending of its documents. */
  kind: string;
  /** Place that the palette asks for. */
  place?: string;
  /** Name of an object to copy, where new ones are made by other means. */
  original?: string;
  nameField: string;
  /** Texts of the template, and what is typed over them; the first is the name. */
  typed: readonly (readonly [before: string, after: string])[];
  /** Name that it then has. */
  name: string;
  /** What the server then holds. */
  holds: Found;
  /** Title of the box that asks for a secret with every save, or only with the first. */
  secret?: { title: string; isFirstOnly?: boolean };
  /** Whether its creation is asked about: a user whom no policy restricts sees all rows. */
  seesAllRows?: true;
  /** The object of a name as the server holds it. */
  find: (name: string) => Promise<Found | undefined>;
  /** The API deletes no objects of some kinds. */
  isDeletable: boolean;
}

const password = 'a long Password 1';

describe('new, edited, renamed, cloned and deleted objects', () => {
  let scene: DocumentScene;
  beforeAll(async () => {
    scene = await openDocumentScene('dark', async (colleague) => {
      await colleague.newTag('one of three', {});
      await colleague.newTag('two of three', {});
      await colleague.newTag('three of three', {});
    });
  });
  afterEach(() => closeEditors(scene.workbench));
  afterAll(() => scene.stop());

  const dialog = () => scene.workbench.page.locator('.monaco-dialog-box');
  const gone = (label: string) =>
    waitFor(`${label} to leave the tree`, async () => (await scene.workbench.treeItem(label).count()) === 0);
  const list = async (path: EndpointPath, body: object = {}) => {
    const entries = await scene.colleague.call(path, body);
    return Array.isArray(entries) ? entries.filter(isRecord) : [];
  };
  const named = (path: EndpointPath, field: string, body: object = {}) => {
    return async (name: string) => (await list(path, body)).find((entry) => entry[field] === name);
  };

  const lives: readonly Life[] = [
    {
      label: 'User',
      kind: 'user',
      nameField: 'LoginName',
      typed: [
        ['"LoginName": ""', '"LoginName": "ada"'],
        ['"FirstName": ""', '"FirstName": "Ada"'],
      ],
      name: 'ada',
      holds: { FirstName: 'Ada' },
      secret: { title: 'Password of user', isFirstOnly: true },
      seesAllRows: true,
      find: named('Contact/GetContactList', 'LoginName'),
      isDeletable: true,
    },
    {
      label: 'Report',
      kind: 'report',
      original: 'Costly Species',
      nameField: 'Reportname',
      typed: [['"Reportname": "Costly Species copy"', '"Reportname": "Dear Birds"']],
      name: 'Dear Birds',
      holds: { folderpath: 'Public Library/Bird Strikes' },
      find: named('library/SearchReports', 'ReportName', { searchstring: '' }),
      isDeletable: true,
    },
    {
      label: 'Registered Server',
      kind: 'server',
      place: 'Flight Operations',
      nameField: 'DisplayName',
      typed: [
        ['"DisplayName": "New Registered Server"', '"DisplayName": "Spare"'],
        ['"DatabaseLogin": ""', '"DatabaseLogin": "reader"'],
        ['"DatabaseServer": ""', '"DatabaseServer": "db.example"'],
      ],
      name: 'Spare',
      holds: { DatabaseLogin: 'reader', DatabasePassword: '' },
      secret: { title: 'Database password of' },
      find: named('RegServers/GetAdminRegisteredServers', 'DisplayName'),
      isDeletable: false,
    },
    {
      label: 'Report Type',
      kind: 'reporttype',
      place: 'Flight Data',
      nameField: 'RepTypeName',
      typed: [['"RepTypeName": "New Report Type"', '"RepTypeName": "Weather"']],
      name: 'Weather',
      holds: {},
      find: named('RegServers/GetReportTypes', 'name', { ModuleType: 'ANYDB', RegServerID: '1', ReportModuleID: '1' }),
      isDeletable: false,
    },
  ];

  it.each(lives)('goes through the life of a $kind from the palette', { timeout: 120_000 }, async (life) => {
    const { editor } = scene;
    const { kind, nameField, typed, secret } = life;
    await begin(life);
    for (const [before, after] of typed) await editor.replace(before, after);
    const shown = new RegExp(`"${nameField}": "([^"]*)"`).exec(await editor.text())?.[1] ?? '';
    expect(shown).toContain(life.name);
    if (life.original === undefined)
      expect(await life.find(shown), 'nothing exists before it is saved').toBeUndefined();
    await create(life);
    await isThere(shown, kind);
    expect(await life.find(shown)).toMatchObject(life.holds);

    const renamed = `Second ${shown}`;
    await choose('Rename Object…', life.label, shown);
    await scene.workbench.quickInput(`"${shown}" on`, renamed);
    if (secret && !secret.isFirstOnly) await scene.workbench.quickInput(secret.title, password);
    // The document that is open shows it, and the server has the rest as it was.
    await editor.shows(`"${nameField}": "${renamed}"`);
    expect(await life.find(shown)).toBeUndefined();
    expect(await life.find(renamed)).toMatchObject(life.holds);
    await closeEditors(scene.workbench);

    await choose('Clone Object', life.label, renamed);
    await editor.shows(`"${nameField}": "${renamed} copy"`);
    await create(life);
    await isThere(`${renamed} copy`, kind);
    const [original, copy] = [await life.find(renamed), await life.find(`${renamed} copy`)];
    expect(original).toMatchObject(life.holds);
    expect(copy).toMatchObject(life.holds);

    await scene.workbench.palette('Analytics: Delete Objects…');
    if (!life.isDeletable) return isNotOffered(life.label);
    await scene.workbench.quickPickChoose(life.label);
    await scene.workbench.quickPickTick(renamed, `${renamed} copy`);
    await dialog().getByText('Delete 2 objects').waitFor();
    await scene.workbench.answer('Delete');
    await waitFor('both to be gone', async () => {
      return !(await life.find(renamed)) && !(await life.find(`${renamed} copy`));
    });
    const tabs = scene.workbench.page.locator('.tabs-container .tab');
    await waitFor('their documents to close', async () => (await tabs.count()) === 0);
  });

  it('leaves nothing open of an object that is deleted while its document is on the way', async () => {
    const { workbench, editor, proxy, colleague } = scene;
    await begin({ label: 'Data Tag', typed: [['"Label": "New Data Tag"', '']] });
    await editor.replace('"Label": "New Data Tag"', '"Label": "short-lived"');
    let release = () => undefined as void;
    const isDeleted = new Promise<'pass'>((resolve) => (release = () => resolve('pass')));
    let [isCreated, isHeld] = [false, false];
    proxy.rule = (path) => {
      if (path.endsWith('/SaveDataTag')) isCreated = true;
      if (path.endsWith('/DeleteDataTag')) release();
      // The first time that it is asked for after the save is to show what was created.
      if (!isCreated || isHeld || !path.endsWith('/GetInstallationID')) return 'pass';
      isHeld = true;
      return isDeleted;
    };
    await editor.save();
    await waitFor('the document to be on its way', () => Promise.resolve(isHeld));
    await workbench.palette('Analytics: Delete Objects…');
    await workbench.quickPickChoose('Data Tag');
    await workbench.quickPickTick('short-lived');
    await workbench.answer('Delete');
    const tabs = workbench.page.locator('.tabs-container .tab');
    await waitFor('its documents to close', async () => (await tabs.count()) === 0);
    proxy.rule = () => 'pass';
    expect(await colleague.find('DataTag/GetAllDataTags', 'Label', 'short-lived')).toBeUndefined();
    expect(await workbench.notification('Could not').count()).toBe(0);
  });

  it('saves the own profile, the mail configuration and what is audited as documents', async () => {
    const { workbench, editor, colleague } = scene;
    await workbench.palette('Analytics: Edit My Profile');
    await editor.shows('"LoginName": "admin"');
    await editor.replace('"Company": ""', '"Company": "Night Flights"');
    await editor.save();
    await editor.isDirty('admin.profile.json', false);
    expect(await colleague.find('Contact/GetContactList', 'LoginName', 'admin')).toMatchObject({
      Company: 'Night Flights',
    });
    await closeEditors(workbench);

    await workbench.expand('Administration');
    await workbench.treeAction('Outgoing Mail (SMTP)', 'Edit as JSON');
    await editor.shows('"SMTPHost": ""');
    await editor.replace('"SMTPHost": ""', '"SMTPHost": "mail.example"');
    await editor.replace('"SMTPFromAddress": ""', '"SMTPFromAddress": "reports@mail.example"');
    await editor.save();
    await editor.isDirty('.smtp.json', false);
    expect(await colleague.call('SMTP/GetSMTP')).toMatchObject({ SMTPHost: 'mail.example' });
    await closeEditors(workbench);
    await workbench.treeAction('Outgoing Mail (SMTP)', 'Delete Mail Configuration…');
    await dialog().getByText('cannot send mail').waitFor();
    await workbench.answer('Continue…');
    await workbench.quickInput('Enter the name', 'Outgoing Mail (SMTP)');
    await waitFor('the mail configuration to go', async () => {
      const mail = await colleague.call('SMTP/GetSMTP');
      return isRecord(mail) && mail.SMTPHost === '';
    });

    await workbench.treeAction('Audit', 'Edit as JSON');
    await editor.shows('"symbol": "Logout"');
    await editor.replace('"recorded": 0', '"recorded": -1', 2);
    await editor.save();
    await editor.isDirty('.audit.json', false);
    expect(await colleague.find('Audit/GetAuditTypes', 'symbol', 'Logout')).toMatchObject({ recorded: -1 });
  });

  it('asks before settings are saved that decide who gets in', async () => {
    const { workbench, editor, colleague } = scene;
    const settings = 'Instance Settings.settings.json';
    await workbench.treeAction('Instance Settings', 'Edit as JSON');
    await editor.shows('"SSOEnabled": "False"');
    await editor.replace('"SSOEnabled": "False"', '"SSOEnabled": "True"');
    await editor.replace('"enforcestrongpassword": "False"', '"enforcestrongpassword": "True"');
    for (const theme of ['dark', 'light', 'highContrast'] as const) {
      await workbench.useTheme(theme);
      await editor.save();
      await dialog().getByText('This changes who has access, or what users see.').waitFor();
      await workbench.screenshot(`risk-${theme}`);
      await workbench.answer('Cancel');
      await dialog().waitFor({ state: 'detached' });
    }
    await workbench.notification('the change was not confirmed. Nothing was sent.').waitFor();
    await editor.isDirty(settings, true);
    expect(await colleague.settings()).toMatchObject({ SSOEnabled: 'False', enforcestrongpassword: 'False' });
    await editor.save();
    await workbench.answer('Save');
    await editor.isDirty(settings, false);
    expect(await colleague.settings()).toMatchObject({ SSOEnabled: 'True', enforcestrongpassword: 'True' });
  });

  it('asks before a tag is renamed that policies compare with, and says so in its document', async () => {
    const { workbench, editor, colleague } = scene;
    await choose('Rename Object…', 'Data Tag', 'state');
    await workbench.quickInput('Rename data tag "state"', 'province');
    await dialog().getByText('Rename the data tag "state" to "province"').waitFor();
    await workbench.screenshot('rename-tag-high-contrast');
    await workbench.answer('Cancel');
    await dialog().waitFor({ state: 'detached' });
    expect(await colleague.tag('state')).toMatchObject({ Label: 'state' });

    await workbench.useTheme('dark');
    await workbench.palette('Analytics: Go to Object…');
    await workbench.quickPickChoose('state');
    await editor.shows('"Label": "state"');
    await editor.replace('"Label": "state"', '"Label": "province"');
    await editor.replace('"TagGroup": "",', '');
    await workbench.palette('Problems: Focus on Problems View');
    const problems = workbench.page.locator('.markers-panel');
    await problems.getByText('compare with /#state#/').first().waitFor();
    await problems.getByText('TagGroup is missing').first().waitFor();
    await workbench.screenshot('left-out-dark');
    await workbench.palette('View: Hide Panel');
    await repair('"Label"', 'Change to state');
    await editor.shows('"Label": "state"');
    await repair(undefined, 'Restore TagGroup');
    await editor.shows('"TagGroup": ""');
  });

  /** Takes the quick fix of a name at the line that holds a text, or at the start of the document. */
  async function repair(line: string | undefined, fix: string): Promise<void> {
    const { page } = scene.workbench;
    const { lines } = scene.editor;
    const action = page.locator('.action-widget').getByText(fix).first();
    await waitFor(`the fix "${fix}"`, async () => {
      const place = lines.locator('.view-line', { hasText: line ?? '"ID"' }).first();
      await place.click({ timeout: 1_000, noWaitAfter: true });
      if (line === undefined) await page.keyboard.press('Control+Home');
      await page.keyboard.press('Control+.');
      await action.waitFor({ timeout: 2_000 });
      await action.click({ timeout: 1_000, noWaitAfter: true });
      return true;
    });
  }

  /** Opens the document that the object begins with. */
  async function begin({
    label,
    place,
    original,
    typed,
  }: Pick<Life, 'label' | 'place' | 'original' | 'typed'>): Promise<void> {
    const { workbench, editor } = scene;
    if (original === undefined) {
      await workbench.palette('Analytics: New Object…');
      await workbench.quickPickChoose(label);
      if (place !== undefined) await workbench.quickPickChoose(place);
    } else await choose('Clone Object', label, original);
    await editor.shows(typed[0]?.[0] ?? '');
  }

  /** Chooses an object for a command of the palette. */
  async function choose(command: string, kind: string, name: string): Promise<void> {
    await scene.workbench.palette(`Analytics: ${command}`);
    await scene.workbench.quickPickChoose(kind);
    await scene.workbench.quickPickChoose(name);
  }

  async function create({ secret, seesAllRows }: Life): Promise<void> {
    await scene.editor.save();
    if (secret) await scene.workbench.quickInput(secret.title, password);
    if (seesAllRows) await scene.workbench.answer('Save');
  }

  /** Waits until the document shows as that of an object on the server, in place of the one that it began with. */
  async function isThere(name: string, kind: string): Promise<void> {
    const { workbench, editor } = scene;
    await workbench.tab(`${name}.${kind}.json`).waitFor();
    await editor.isDirty(`${name}.${kind}.json`, false);
    const tabs = workbench.page.locator('.tabs-container .tab');
    // The document of the new object bears the same name. What is typed while the other takes its place may end up in it.
    const place = workbench.page.locator('.breadcrumbs-control').first();
    await waitFor('its document to take the place of the new one', async () => {
      const path = await place.innerText({ timeout: 2_000 });
      return path.includes(kind) && !path.includes('new-') && (await tabs.count()) === 1;
    });
  }

  async function isNotOffered(label: string): Promise<void> {
    const rows = scene.workbench.page.locator('.quick-input-widget:visible .monaco-list-row');
    await rows.filter({ hasText: 'Group' }).first().waitFor();
    expect(await rows.filter({ hasText: label }).count()).toBe(0);
    await scene.workbench.page.keyboard.press('Escape');
  }

  it('deletes a folder only after its contents are shown and its name is typed', async () => {
    const { workbench } = scene;
    await workbench.expand('Public');
    await workbench.treeAction('Bird Strikes', 'Delete Folder…');
    await dialog().getByText('This cannot be undone.').waitFor();
    await workbench.screenshot('delete-folder-dark');
    await workbench.answer('Cancel');
    await dialog().waitFor({ state: 'detached' });
    await workbench.useTheme('light');
    await workbench.treeAction('Bird Strikes', 'Delete Folder…');
    await dialog().getByText('This cannot be undone.').waitFor();
    await workbench.screenshot('delete-folder-light');
    await workbench.answer('Continue…');
    const typed = workbench.page.locator('.quick-input-widget:visible input').first();
    await typed.fill('Bird');
    await typed.press('Enter');
    await workbench.page.locator('.quick-input-widget:visible').getByText('The name is Bird Strikes.').waitFor();
    await workbench.screenshot('delete-folder-typed');
    await workbench.treeItem('Bird Strikes').first().waitFor();
    await typed.fill('Bird Strikes');
    await typed.press('Enter');
    await gone('Bird Strikes');
  });

  it('deletes several selected objects after one question, which says what of the selection stays', async () => {
    const { workbench, colleague } = scene;
    await workbench.expand('Security');
    await workbench.expand('Data Tags');
    await workbench.expand('Semantic Layer');
    // Without a key: what is selected already, the row after one that was deleted, is not deleted, too.
    await workbench.treeItem('Flight Operations').first().click();
    await workbench
      .treeItem('one of three')
      .first()
      .click({ modifiers: ['Control'] });
    await workbench
      .treeItem('two of three')
      .first()
      .click({ modifiers: ['Control'] });
    await workbench.page.keyboard.press('Delete');
    await dialog().getByText('Delete 2 objects').waitFor();
    await dialog().getByText('Selected but not deleted: Flight Operations.').waitFor();
    await workbench.screenshot('delete-several');
    await workbench.answer('Delete');
    await gone('one of three');
    await gone('two of three');
    await workbench.treeItem('three of three').first().waitFor();
    const left = await colleague.call('DataTag/GetAllDataTags');
    const labels = Array.isArray(left) ? left.filter(isRecord).map(({ Label }) => Label) : [];
    expect(labels).toEqual(expect.arrayContaining(['state', 'three of three']));
    expect(labels).not.toContain('one of three');
    expect(labels).not.toContain('two of three');
  });
});
