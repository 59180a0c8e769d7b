import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections/connection.ts';
import { CommandError } from '../../../../src/editor/commandError.ts';
import { ImportJournalStore } from '../../../../src/features/userImport/importJournal.ts';
import { importUsers } from '../../../../src/features/userImport/importUsers.ts';
import { seatLines } from '../../../../src/features/userImport/importWords.ts';
import { saveTemplate } from '../../../../src/features/userImport/saveTemplate.ts';
import type { UserRow } from '../../../../src/features/userImport/userCsv.ts';
import { createApplication } from '../../../../src/features/applications/applications.ts';
import { showInterruptedImports } from '../../../../src/features/userImport/interruptedImports.ts';
import type { ImportSnapshot, ImportState } from '../../../../src/features/userImport/pageContract.ts';
import { policyKind } from '../../../../src/objects/kinds/securityKinds.ts';
import { objectServer } from '../../../../src/objects/objectServer.ts';
import { deleteObject } from '../../../../src/objects/save/deleteObject.ts';
import { createOn, openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { post } from '../../../support/faults/faultProxy.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { ran } from '../../../support/vscode/index.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';
import { closePanels, panels } from '../../../support/vscode/webviews.ts';

/** On a busy machine, what follows by itself takes its time. */
const soon = <T>(look: () => T) => expect.poll(look, { timeout: 20_000 });

const initial = 'a long enough passphrase 1';
let server: LocalTestServer;
let scene: CommandScene;
let connection: Connection;
let file: string;
let count = 0;

beforeAll(async () => {
  server = await startLocalServer();
});

beforeEach(async () => {
  scene = await openCommandScene();
  connection = await scene.addServer('Shop', server.apiBase, server.adminPassword);
  count += 1;
  file = path.join(scene.folder, 'users.csv');
});

afterEach(async () => {
  closePanels();
  ran.length = 0;
  await scene.close();
  person.leave();
});

afterAll(() => server.stop());

const login = (name: string) => `${name}${count}`;
const start = () => importUsers(scene.services, scene.services.tree.serverNode(connection));

async function logins(): Promise<string[]> {
  const users = await (await connection.client()).call('Contact/GetContactList', {});
  const names = users.map(({ LoginName }) => String(LoginName));
  return names.filter((name) => name.endsWith(String(count)) && name !== 'admin').sort();
}

/** Opens the preview of a file with these users. */
async function preview(...lines: string[]) {
  await writeFile(file, ['LoginName,LastName,Password', ...lines].join('\n'));
  person.answers('Users to import into Shop', file);
  await start();
  return page();
}

/** The panel in front, as its page sees it. */
async function page() {
  const panel = panels.at(-1);
  if (!panel) throw new Error('There is no panel.');
  const shown = async () => (await panel.ask('ready')) as ImportSnapshot;
  return {
    panel,
    shown,
    looks: async () => (await shown()).rows.map(({ loginName, look }) => `${loginName} ${look}`),
    /** Asks for what a button does, and waits for its end. */
    press: async (button: 'import' | 'undo') => {
      await panel.ask(button);
      await soon(async () => (await shown()).state.isRunning).toBe(false);
      await soon(() => (panel.last('state') as ImportState | undefined)?.isRunning).not.toBe(true);
    },
  };
}

/** An import that stopped after the first of its two users. */
async function interrupted(): Promise<ImportJournalStore> {
  const installation = await (await connection.client()).call('LicenseManager/GetInstallationID', {});
  const [one, two] = [login('ina'), login('ole')];
  const journals = new ImportJournalStore(path.join(scene.folder, 'imports'));
  const rest = { firstName: '', email: '', company: '', description: '', memberships: [], problems: [], password: '' };
  const tags: [string, string, string, string] = ['', '', '', ''];
  const rows = [one, two].map((loginName, index) => ({ ...rest, tags, line: index + 2, loginName, lastName: 'L' }));
  const userId = await createOn(connection, 'user', one);
  const header = { connectionId: connection.id, installation, file: `file://${file}`, fileName: 'users.csv' };
  const { id } = await journals.begin({ ...header, startedAt: '2026-01-01T00:00:00Z' }, rows);
  await journals.note(id, { line: 2, loginName: one, kind: 'created', userId, reason: '' });
  return journals;
}

describe('a new import', () => {
  it('sends nothing before it is asked for', async () => {
    const { shown, looks } = await preview(`${login('ina')},L,`, ',nobody,', `${login('ole')},L,`);
    expect(await looks()).toEqual([`${login('ina')} ready`, ' invalid', `${login('ole')} ready`]);
    expect((await shown()).state).toMatchObject({ isRunning: false, undoLabel: '' });
    expect(await logins()).toEqual([]);
  });

  it('creates the users that can be, with the password that is typed twice, and keeps no password', async () => {
    const { looks, press } = await preview(`${login('ina')},L,`, ',nobody,', `${login('ole')},L,Of their own 12`);
    person.answers('Initial password', initial).answers('Repeat the password', initial);
    await press('import');
    await soon(looks).toEqual([`${login('ina')} done`, ' invalid', `${login('ole')} done`]);
    expect(await logins()).toEqual([login('ina'), login('ole')]);
    // A password that several users know is to be changed, one of their own is not.
    const users = await (await connection.client()).call('Contact/GetContactList', {});
    const mustChange = (name: string) => users.find(({ LoginName }) => LoginName === name)?.bforcepasschange;
    expect([mustChange(login('ina')), mustChange(login('ole'))]).toEqual([true, false]);
    for (const [UserId, UserPassword] of [
      [login('ina'), initial],
      [login('ole'), 'Of their own 12'],
    ]) {
      const credentials = { UserId, UserPassword, isGuest: false, bolForceLogin: true };
      const { text } = await post(`${server.apiBase}/login/DoLogin`, JSON.stringify(credentials));
      expect(text).toContain('SessionToken":"');
    }
    const folder = path.join(scene.folder, 'imports');
    const texts = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')));
    expect(texts.join()).toContain(login('ina'));
    expect(texts.join()).not.toMatch(/Of their own|passphrase/);
  });

  it.each([
    ['is left', dismiss],
    ['differs', 'another'],
  ] as const)('sends nothing when the repeated password %s', async (_case, again) => {
    const { panel, looks } = await preview(`${login('ina')},L,`);
    person.answers('Initial password', initial).answers('Repeat the password', again);
    if (again !== dismiss) person.answers('The passwords do not match.', dismiss);
    await panel.ask('import');
    await soon(() => person.texts('box').length).toBe(again === dismiss ? 3 : 4);
    expect(await looks()).toEqual([`${login('ina')} ready`]);
    expect(await logins()).toEqual([]);
  });

  it('deletes what it created, after a question, and nothing else', async () => {
    await createOn(connection, 'user', login('old'));
    const { looks, press, panel, shown } = await preview(
      `${login('ina')},L,Of their own 12`,
      `${login('old')},L,Of their own 12`,
    );
    await press('import');
    await soon(looks).toEqual([`${login('ina')} done`, `${login('old')} invalid`]);
    await soon(async () => (await shown()).state).toMatchObject({ isRunning: false });
    person.answers('Delete the user that this import created on Shop?', dismiss);
    await panel.ask('undo');
    expect(await logins()).toEqual([login('ina'), login('old')]);
    await soon(() => person.texts('message').length).toBe(1);
    person.answers('Delete the user that this import created on Shop?', 'Delete');
    await press('undo');
    await soon(looks).toEqual([`${login('ina')} undone`, `${login('old')} invalid`]);
    expect(await logins()).toEqual([login('old')]);
  });

  it('is not opened for a file that is no list of users', async () => {
    await writeFile(file, 'Name\nnora');
    person.answers('Users to import', file);
    await expect(start()).rejects.toThrow(CommandError);
    expect(panels).toEqual([]);
  });

  it('is not begun if the dialog is dismissed', async () => {
    person.answers('Users to import', dismiss);
    await start();
    expect(panels).toEqual([]);
  });

  it('saves the outcome of each row', async () => {
    const { panel } = await preview(`${login('ina')},L,Of their own 12`);
    const target = path.join(scene.folder, 'outcome.csv');
    person.answers('Save the outcome of each row of users.csv', target);
    await panel.ask('saveOutcome');
    expect(await readFile(target, 'utf8')).toContain(login('ina'));
  });

  it('closes with its server', async () => {
    const { panel } = await preview(`${login('ina')},L,`);
    await scene.connections.remove(connection);
    expect(panel.isDisposed).toBe(true);
  });
});

describe('users who see all rows of a restricted table', () => {
  let policy: string;
  const asked = () => person.texts('message').at(-1) ?? '';

  beforeEach(async () => {
    const ID = await createOn(connection, 'user', login('restricted'));
    const Constraints = [{ TableName: 'flights', ColumnName: 'state', Operator: '=', Value: 'NC' }];
    const fields = { isActive: true, Users: [{ ID }], Constraints };
    policy = await createOn(connection, 'policy', login('own states '), fields);
  });

  afterEach(async () => {
    await deleteObject(objectServer(await connection.client()), policyKind, policy);
  });

  it('are named in the preview, and asked about before anything is sent', async () => {
    const { shown, looks, press, panel } = await preview(`${login('ina')},L,Of their own 12`);
    const line = `${login('ina')} will see all rows of flights.`;
    expect((await shown()).state.remark).toBe(line);
    person.answers('Import 1 user into Shop?', dismiss);
    await panel.ask('import');
    await soon(asked).toContain(line);
    expect(await looks()).toEqual([`${login('ina')} ready`]);
    person.answers('Import 1 user into Shop?', 'Import');
    await press('import');
    await soon(looks).toEqual([`${login('ina')} done`]);
    expect((await shown()).state.remark).toBe('');
  });

  it('are named and asked about when an interrupted import goes on', async () => {
    await interrupted();
    person.answers('Import users into Shop', 'users.csv');
    await start();
    const { shown, looks, panel } = await page();
    const line = `${login('ole')} will see all rows of flights.`;
    expect((await shown()).state.remark).toBe(line);
    person.answers('Import 1 user into Shop?', dismiss);
    await panel.ask('import');
    await soon(asked).toContain(line);
    expect(await looks()).toEqual([`${login('ina')} done`, `${login('ole')} ready`]);
  });
});

describe('an interrupted import', () => {
  it('is reported once per computer, and opened from there', async () => {
    await interrupted();
    person.answers('An import of users from users.csv into Shop was interrupted', 'Open');
    await showInterruptedImports(scene.services);
    expect(ran).toEqual([['analytics.user.import', expect.objectContaining({ connectionId: connection.id })]]);
    await showInterruptedImports(scene.services);
    expect(person.texts('message')).toHaveLength(1);
  });

  it('is not reported for a server that was removed', async () => {
    await interrupted();
    await scene.connections.remove(connection);
    await showInterruptedImports(scene.services);
    expect(person.texts()).toEqual([]);
  });

  it('is not reported while another window works on it', async () => {
    const journals = await interrupted();
    const [kept] = await journals.list();
    const other = (await import('../../../../src/features/userImport/importJournals.ts')).importJournals(
      scene.services,
      'Shop',
    );
    await other.exclusively(kept?.header.id ?? '', () => showInterruptedImports(scene.services));
    expect(person.texts()).toEqual([]);
  });

  it('goes on with the rows that are missing', async () => {
    const journals = await interrupted();
    person.answers('Import users into Shop', 'users.csv');
    await start();
    const { looks, press } = await page();
    expect(await looks()).toEqual([`${login('ina')} done`, `${login('ole')} ready`]);
    person.answers('Initial password', initial).answers('Repeat the password', initial);
    await press('import');
    await soon(looks).toEqual([`${login('ina')} done`, `${login('ole')} done`]);
    expect(await logins()).toEqual([login('ina'), login('ole')]);
    expect(await journals.list()).toHaveLength(1);
  });

  it('is undone: what it had created goes', async () => {
    await interrupted();
    await importUsers(scene.services, { connectionId: connection.id, importId: await idOfFirst() });
    const { press } = await page();
    person.answers('Delete the user that this import created', 'Delete');
    await press('undo');
    await soon(logins).toEqual([]);
  });

  it('is opened once: its panel comes to the front', async () => {
    await interrupted();
    const argument = { connectionId: connection.id, importId: await idOfFirst() };
    await importUsers(scene.services, argument);
    await importUsers(scene.services, argument);
    expect(panels.map(({ revealed }) => revealed)).toEqual([1]);
  });

  it('of another server is not offered', async () => {
    await interrupted();
    const other = await scene.addServer('Other', server.apiBase, server.adminPassword);
    person.answers('Users to import into Other', dismiss);
    await importUsers(scene.services, scene.services.tree.serverNode(other));
    expect(panels).toEqual([]);
  });

  it('sends nothing to another installation', async () => {
    const journals = await interrupted();
    const [kept] = await journals.list();
    if (!kept) throw new Error('There is no journal.');
    const { id: _id, rows, ...header } = kept.header;
    const again = rows.map((row) => ({ ...row, problems: [], password: '' }));
    await journals.begin({ ...header, installation: 'another', fileName: 'elsewhere.csv' }, again);
    person.answers('Import users into Shop', 'elsewhere.csv');
    await start();
    const { press, shown } = await page();
    person.answers('Initial password', initial).answers('Repeat the password', initial);
    await press('import');
    await soon(async () => (await shown()).state.fault).not.toBe('');
    expect(await logins()).toEqual([login('ina')]);
  });

  async function idOfFirst(): Promise<string> {
    const [kept] = await new ImportJournalStore(path.join(scene.folder, 'imports')).list();
    return kept?.header.id ?? '';
  }
});

describe('columns of the file', () => {
  const unknown = (...lines: string[]) => writeFile(file, ['LoginName,Password,Shoe Size', ...lines].join('\n'));

  it('are asked about if they cannot be imported, before anything is shown', async () => {
    await unknown(`${login('ina')},Of their own 12,42`);
    const open = panels.length;
    person.answers('Users to import into Shop', file).answers('The column Shoe Size of users.csv', dismiss);
    await start();
    expect(panels).toHaveLength(open);
    person.answers('Users to import into Shop', file).answers('The column Shoe Size', 'Import Without Them');
    await start();
    expect(await (await page()).looks()).toEqual([`${login('ina')} ready`]);
  });

  it('are explained by a template, which is saved where the person says', async () => {
    const target = path.join(scene.folder, 'template.csv');
    await unknown(`${login('ina')},Of their own 12,42`);
    person.answers('Users to import into Shop', file).answers('The column Shoe Size', 'Save CSV Template…');
    person.answers('Save a CSV template', target);
    await start();
    expect(await readFile(target, 'utf8')).toContain('Groups,Application,Role,Password');
    expect(ran.map(([command]) => command)).toContain('vscode.open');
    person.answers('Save a CSV template', dismiss);
    await saveTemplate();
  });

  it('give users a role in an application, and say which seats and which roles are missing', async () => {
    await createApplication(await connection.client(), `Flights ${count}`, '');
    const application = `Flights ${count}`;
    const rows = [
      `${login('ina')},Of their own 12,${application},Agent`,
      `${login('ole')},Of their own 12,Nowhere,Agent`,
    ];
    await writeFile(file, ['LoginName,Password,Application,Role', ...rows].join('\n'));
    person.answers('Users to import into Shop', file);
    await start();
    const { looks, press, shown } = await page();
    expect((await shown()).rows.map(({ role }) => role)).toEqual([`${application}: Agent`, '']);
    await press('import');
    await soon(looks).toEqual([`${login('ina')} done`, `${login('ole')} invalid`]);
    const users = await (await connection.client()).call('Contact/GetContactList', {});
    const ina = users.find(({ LoginName }) => LoginName === login('ina'));
    expect(ina?.UserApplications?.map(({ ApplicationRoleName }) => ApplicationRoleName)).toEqual(['Agent']);
  });
});

it('says before how many seats a file needs', () => {
  const row = { ...({} as UserRow), application: { id: '3', name: 'Flights', roleId: '6' } };
  const rows = [1, 2].map(() => ({ row, status: 'ready' as const, userId: '', reason: '' }));
  expect(seatLines(rows, [{ id: '3', name: 'Flights', left: 1 }])).toEqual([
    '2 seats in Flights are needed, and 1 left.',
  ]);
  expect(seatLines(rows, [{ id: '3', name: 'Flights', left: 2 }])).toEqual([]);
  expect(seatLines(rows, [{ id: '3', name: 'Flights', left: undefined }])).toEqual([]);
});
