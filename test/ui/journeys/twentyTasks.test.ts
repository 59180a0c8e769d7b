import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Colleague } from '../../support/workbench/documentScene.ts';
import { Keys, type TabKey } from '../../support/workbench/keys.ts';
import { ScreenReader, type Expected } from '../../support/workbench/screenReader.ts';
import { returnWorkbench, shareWorkbench } from '../../support/workbench/sharedWorkbench.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { waitFor } from '../../support/waitFor.ts';

const rows = /^grid Rows of the report > ./;
const servers = /^tree Servers > ./;
const search = /^input Search fields$/;

/** Without a mouse and without a screen: every step is a key, and what it leads to is heard. */
describe('twenty tasks by keyboard', { timeout: 60_000 }, () => {
  let server: TestServer;
  let colleague: Colleague;
  let workbench: Workbench;
  let keys: Keys;
  let reader: ScreenReader;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'analytics-tasks-'));
    server = await startServer({ allowOrigin: 'none', sample: true });
    colleague = new Colleague(await server.login('sample.admin', server.adminPassword));
    await colleague.newGroup('Contractors', {});
    await colleague.newTag('territory', { DefaultValue: 'West' });
    workbench = await shareWorkbench({ theme: 'dark', size: { width: 1400, height: 1000 } });
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    keys = new Keys(workbench);
    reader = new ScreenReader(workbench);
  });
  afterAll(async () => {
    await returnWorkbench(workbench);
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Takes a step, and waits for what it leads to. */
  const step = (act: () => Promise<unknown>, focus: RegExp, said: Omit<Expected, 'focus'> = {}) =>
    reader.step(act, { focus, ...said });
  const press = (pressed: string, focus: RegExp, ...page: RegExp[]) =>
    step(() => keys.press(...pressed.split(' ')), focus, { page });
  /** Types a text at once: what is announced after each letter depends on the speed. */
  const type = (text: string, focus: RegExp, ...page: RegExp[]) =>
    step(() => workbench.page.keyboard.insertText(text), focus, { page });
  /** Goes on with a key until the focus is on what is called so. */
  const goTo = (name: RegExp, key: TabKey = 'Tab') => keys.goTo(name, () => reader.focus(), key);
  const command = (title: string, focus: RegExp, said?: Omit<Expected, 'focus'>) =>
    step(() => keys.command(title), focus, said);
  const choose = (prompt: string, text: string, focus: RegExp, said?: Omit<Expected, 'focus'>) =>
    step(() => keys.choose(prompt, text), focus, said);
  /** Goes from the rows to a button of the toolbar, which is one tab stop. */
  const goToButton = async (name: string) => {
    await goTo(/^button (Run Again|Filter|SQL|Export)$/, 'Shift+Tab');
    await goTo(new RegExp(`^button ${name}$`), 'ArrowRight');
  };
  const run = async (report: string, focus: RegExp, ...page: RegExp[]) => {
    await command('Analytics: Run Report', /^input .* - Run Report/);
    await choose('Run Report', report, focus, { page });
  };
  /** Opens the document of an object, and puts the cursor behind a text of it. */
  const openAt = async (object: string, file: string, text: string) => {
    await command('Analytics: Go to Object…', /^input .* - Go to Object/);
    const editor = new RegExp(`^textbox ${file}`);
    await choose('Part of the name', object, editor);
    await press('Control+Home Control+f', /Find$/);
    await keys.press('Control+a');
    await keys.type(text);
    await workbench.page.locator('.find-widget.visible').getByText('1 of 1').waitFor();
    await press('Escape ArrowRight', editor);
    return editor;
  };

  it('signs in to a server', async () => {
    await command('Analytics: Add Server…', /^input https:.* - Add Server$/);
    await step(() => keys.enter('Add Server (1/4)', server.url), /^input Sign in as - Add Server > User/);
    await choose('Add Server (2/4)', 'User', /^input User name - Add Server$/);
    await step(() => keys.enter('User name', 'admin'), /^input Password of admin - Add Server$/);
    await step(() => keys.enter('Add Server (4/4)', server.adminPassword), /^tree Servers > Server .*, admin/);
  });

  it('finds a report in the tree and runs it', async () => {
    await workbench.treeItem('Public').first().waitFor();
    await step(() => keys.unfold('Flights'), /^tree Servers > Folder Flights, Visible to all users$/);
    await step(() => keys.goDownTo('Hundred Longest Delays'), /^tree Servers > Hundred Longest Delays, DataGrid$/);
    await press('Enter', rows, /^Hundred Longest Delays: 100 rows/);
  });

  it('moves through the rows, selects and copies', async () => {
    await press('Control+Home ArrowDown ArrowRight', rows);
    await press('Shift+ArrowRight Shift+ArrowDown', rows, /^4 cells selected/);
    await press('Control+c', rows, /^Copied$/);
    await press('Control+c', rows, /^Copied$/);
  });

  it('sorts and filters a column', async () => {
    await press('Control+Home ArrowUp', rows);
    await press('Enter', rows, /^Sorted by Arrival Delay ascending$/);
    await goToButton('Filter');
    await press('Enter', /^input Filter of Arrival Delay$/);
    await type('>', /^input Filter of Arrival Delay$/, /^100 rows$/, /^Filter of Arrival Delay: ./);
    await press('Control+a', /^input Filter of Arrival Delay$/);
    await type('>1000', /^input Filter of Arrival Delay$/, /^\d+ of 100 rows$/);
    await press('Control+a Delete', /^input Filter of Arrival Delay$/, /^100 rows/);
    await press('Escape', rows);
  });

  it('hides a column and shows it again', async () => {
    await press('Control+Home ArrowUp', /Arrival Delay$/);
    await press('Delete', /^grid Rows of the report > Departure$/, /^Arrival Delay hidden$/);
    await press('Shift+F10', /^menuitem Sort Ascending$/);
    await press('ArrowUp', /^menuitem Show "Arrival Delay"$/);
    await press('Enter', /^grid Rows of the report > Arrival Delay$/, /^Arrival Delay shown$/);
  });

  it('exports', async () => {
    await goToButton('Export');
    await press('Enter', /^input .* > ./);
    await press('Escape', /^button Export$/);
    await press('Enter', /^input .* > ./);
    await choose('Export', 'CSV', /^input .* - Export "Hundred Longest Delays" as CSV$/);
    await step(() => keys.takeFile('Export', path.join(folder, 'delays.csv')), /^button Export$/, {
      editor: [/Exported 100 rows/],
    });
    expect(await readdir(folder)).toContain('delays.csv');
  });

  it('shows the SQL, and cancels the question for a report', async () => {
    await goTo(/^button SQL$/, 'ArrowLeft');
    await press('Enter', /^textbox Hundred Longest Delays\.sql/);
    await command('View: Close All Editors in Group', /^button SQL$/);
    await command('Analytics: Show SQL', /^input .* - Show SQL/);
    await press('Escape', /^button SQL$/);
  });

  it('drills down and comes back', async () => {
    await run('Delays by State', rows, /^Delays by State: 51 rows/);
    await press('ArrowDown', /^grid Rows of the report > AL, opens Airports of a State$/);
    await press('Enter', rows, /^Airports of a State: 3 rows/);
    await workbench.tab('Airports of a State').waitFor();
    await workbench.webviewFrame('Airports of a State');
    await goTo(/^button Delays by State$/, 'Shift+Tab');
    await press('Enter', /^grid Rows of the report > AL, opens Airports of a State$/, /^Delays by State: 51 rows/);
    await workbench.tab('Delays by State').waitFor();
  });

  it('answers prompts', async () => {
    await run('Find Bird Strikes', /^input Flight Date: From$/);
    await goTo(/^combobox Operator: Add a value$/);
    await type('AMERICAN AIRL', /^combobox Operator: Add a value$/, /^1 value$/);
    await press('ArrowDown', /^combobox Operator: Add a value > AMERICAN AIRLINES/);
    await press('Enter', /^combobox Operator: Add a value$/, /^AMERICAN AIRLINES added$/);
    await goTo(/^input Species$/);
    await type('%gull%', /^input Species$/);
    await press('Enter', rows, /^Find Bird Strikes: \d+ rows/);
  });

  it('reads and zooms a chart, and switches to the table and back', async () => {
    const chart = /^application Flights and Delay per Day: bar and line chart\. .*Highest: 17,548/;
    await run('Flights and Delay per Day', chart, /^Flights and Delay per Day: 182 rows/);
    await press('ArrowRight', chart, /2001-01-0/);
    await press('ArrowDown', chart, /Average Delay/);
    await press('+', chart, /of 182/);
    await press('0', chart, /182/);
    await press('t', rows);
    await press('t', chart);
  });

  it('opens the help on keys, of a page and of the tree', async () => {
    await press('F1', /^region Keys in Results$/);
    await press('Escape', /^application /);
    await step(() => keys.firstRowOf('Servers', /./), servers);
    await press('Control+1', /^application /);
    await step(() => keys.firstRowOf('Servers', /./), servers);
    await press('Alt+F1', /^textbox Accessibility Help$/);
    await workbench.page.locator('.accessible-view').getByText('The Servers view is a tree').first().waitFor();
    await press('Escape', servers);
    await command('View: Close All Editors', /^tree Servers/);
  });

  it('goes to one of several objects that are called the same', async () => {
    await command('Analytics: Go to Object…', /^input .* - Go to Object/);
    await keys.step('Part of the name');
    // A row that is active stays so when another comes before it.
    await workbench.quickListSettled();
    await step(() => keys.type('North'), /^input .* - Go to Object > North, folder · Public Library$/);
    await press('ArrowDown', /^input .* - Go to Object > North, group/);
    await press('Enter', /^textbox North\.group\.json/);
  });

  it('edits a user and saves', async () => {
    const user = await openAt('north.viewer', 'north.viewer.user.json', '"LastName": "');
    await type('New ', user);
    await step(() => keys.press('Control+s'), user, { editor: [/^Saved to /] });
    expect(await colleague.find('Contact/GetContactList', 'LoginName', 'north.viewer')).toMatchObject({
      LastName: 'New Viewer',
    });
  });

  it('resolves a conflict', async () => {
    const tag = await openAt('territory', 'territory.tag.json', '"DefaultValue": "');
    await type('My ', tag);
    await colleague.changeTag('territory', { DefaultValue: 'East' });
    await step(() => keys.press('Control+s'), /^textbox /, {
      editor: [/in the same fields/, /^Error: Failed to save/],
    });
    // The editor reports the failed save; why, only the question says.
    expect(reader.heard.filter((text) => /DefaultValue|changed on/.test(text))).toHaveLength(1);
    await command('Notifications: Accept Notification Primary Action', tag, { editor: [/^Saved to /] });
  });

  it('makes a user', async () => {
    const user = /^textbox New user\.user\.json/;
    await command('Analytics: New User…', user);
    await type('by.keys', user);
    await press('Control+s', /^input Password of user "New user" on /);
    await step(() => keys.enter('Password of user', 'For the First Time 1'), /^button Save$/);
    // The document of the user follows that of a new one.
    await step(() => keys.press('Enter'), /^textbox by\.keys\.user\.json/, { editor: [/^Saved to /] });
  });

  it('adds a user to a group, and assigns a policy', async () => {
    await command('Analytics: Add Users to Group…', /^input Group - Add Users to Group > ./);
    await choose('Group', 'Contractors', /^input Users to add to Contractors - Add Users to Group/);
    await keys.quickInput().getByText('south.viewer').first().waitFor();
    await type('south.viewer', /^input Users to add/);
    await press('ArrowDown Space', /^listbox .* > south\.viewer/);
    await press('Enter', /^input Role - Role of south\.viewer in Contractors on .* > View/);
    await choose('Role', 'Modify', /^textbox /, { editor: [/^south\.viewer added to Contractors as Modify on /] });
    await command('Analytics: Assign Policy…', /^input Policy - Assign Policy > ./);
    await choose('Policy', 'Own States Only', /^input Select groups and users/);
    await type('Contractors', /^input Select groups and users/);
    await press('ArrowDown Space', /^listbox .* > Contractors/);
    await step(() => keys.press('Enter'), /^textbox /, { editor: [/Own States Only/] });
  });

  it('deletes a group after a question', async () => {
    await step(() => keys.firstRowOf('Servers', /./), servers);
    await keys.unfold('Security');
    await keys.unfold('Groups');
    await step(() => keys.goDownTo('Contractors'), /^tree Servers > Contractors, 1 member/);
    await press('Delete', /^button Continue…$/);
    await press('Enter', /^input Contractors - Delete group "Contractors"/);
    await step(() => keys.enter('Contractors', 'Contractors'), /^tree Servers > North, 5 members/, {
      editor: [/^Contractors deleted on /],
    });
  });

  it('builds a report and saves it', async () => {
    await command('Analytics: New Report…', /^input .*report type > ./);
    await keys.choose('report type', 'Flights');
    await keys.choose('folder', 'Flights');
    await keys.choose('output type', 'DataGrid');
    await step(() => keys.enter('Name of the report', 'By keys'), search);
    await type('distance', search, /^1 field found$/);
    await press('Enter', search, /^Distance added$/);
    await press('Control+a', search);
    await type('origin state', search, /^\d+ fields found$/);
    await press('Enter', search, /^Origin State added$/);
    await goTo(/^input Name of field 2$/);
    await press('Alt+ArrowUp', /^input Name of field 1$/, /^Origin State moved to position 1 of 2$/);
    await goTo(/^tab Fields/, 'Shift+Tab');
    await press('ArrowRight', /^tab Criteria/);
    await goTo(/^select Field of the new criterion$/);
    await type('Origin', /^select Field of the new criterion$/);
    await goTo(/^button Add Criterion$/);
    await press('Enter', /^select Operator of /, /^Criterion of .* added$/);
    await goTo(/^tab Criteria/, 'Shift+Tab');
    await step(() => keys.press('Control+s'), /^tab Criteria/, { editor: [/Saved/] });
  });

  it('imports users', async () => {
    await writeFile(
      path.join(folder, 'keys.csv'),
      'LoginName,FirstName,Groups\nkey.ada,Ada,North\nkey.bad,Bad,Nowhere',
    );
    await command('Analytics: Import Users from CSV…', /^input Folder path - Users to import into /);
    await step(() => keys.takeFile('Users to import into', path.join(folder, 'keys.csv')), /^button Import 1 User$/, {
      page: [/^1 to create · 1 cannot be created/],
    });
    await press('Enter', /^input .*/);
    await step(() => keys.enter('Initial password', 'For the First Time 1'), /^input /);
    await step(() => keys.enter('Repeat the password', 'For the First Time 1'), /^region Users to import$/, {
      page: [/^1 created · 1 cannot be created/],
    });
    await waitFor(
      'the user',
      async () => (await colleague.find('Contact/GetContactList', 'LoginName', 'key.ada')) !== undefined,
    );
  });

  it('starts the local server', async () => {
    await command('Analytics: Start Local Server', /^region Users to import$/, { editor: [/^Local Server started$/] });
  });
});
