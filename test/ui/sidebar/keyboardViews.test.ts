import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocumentScene, type DocumentScene } from '../../support/workbench/documentScene.ts';
import { Keys } from '../../support/workbench/keys.ts';
import { waitFor } from '../../support/waitFor.ts';

/** No test here uses the mouse: every step is a key. */
describe('the views beside the sidebar, and administration, by keyboard alone', () => {
  let scene: DocumentScene;
  let keys: Keys;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'analytics-keys-'));
    scene = await openDocumentScene('light');
    keys = new Keys(scene.workbench);
  });
  afterAll(async () => {
    await scene.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const dialogButton = (name: string) =>
    scene.workbench.page.locator('.monaco-dialog-box').getByRole('button', { name });
  const description = async () =>
    String((await scene.colleague.find('Shield/GetAllShieldPolicies', 'Name', 'Own States Only'))?.Description);

  /** Opens the policy from the sidebar, and types at the beginning of its description. */
  async function editPolicy(text: string): Promise<void> {
    const { workbench, editor } = scene;
    await keys.command('Analytics: Go to Object…');
    await keys.choose('Part of the name', 'Own States Only');
    await editor.shows('"Name": "Own States Only"');
    await keys.command('View: Focus Active Editor Group');
    await keys.press('Control+Home', 'Control+f');
    await workbench.page.locator('.find-widget.visible textarea:focus').waitFor();
    await keys.press('Control+a');
    await keys.type('"Description": "');
    await workbench.page.locator('.find-widget.visible').getByText('1 of 1').waitFor();
    // What is found stays selected: the text follows it.
    await keys.press('Escape', 'ArrowRight');
    await keys.type(text);
    await editor.shows(`"Description": "${text}`);
  }

  it('saves, compares and gives up a change from its row in Changes', async () => {
    const { workbench, editor } = scene;
    const before = await description();
    await editPolicy('By a key. ');
    await keys.firstRowOf('Changes', /^Own States Only, .*unsaved$/);
    await keys.menu('Compare with Server');
    await workbench.page.locator('.monaco-diff-editor .monaco-editor.focused').first().waitFor();
    await keys.firstRowOf('Changes', /unsaved$/);
    await keys.press('Control+s');
    await waitFor('the change on the server', async () => (await description()) === `By a key. ${before}`);
    await workbench.page.getByText('No unsaved changes').waitFor();

    await editPolicy('Never mind. ');
    await keys.firstRowOf('Changes', /unsaved$/);
    await keys.open(workbench.page.locator('.editor-instance .monaco-editor.focused').first());
    await keys.firstRowOf('Changes', /unsaved$/);
    await keys.press('Delete');
    await keys.pressButton(dialogButton('Discard Changes'));
    await workbench.page.getByText('No unsaved changes').waitFor();
    await editor.shows('"Description": "By a key. ');
    await expect.poll(() => description()).toBe(`By a key. ${before}`);
  });

  it('opens, repeats, pins, compares and removes a run from its row in Runs', async () => {
    const { workbench } = scene;
    const rows = () => workbench.page.getByRole('tree', { name: 'Runs', exact: true }).getByRole('treeitem');
    await keys.command('Analytics: Run Report');
    await keys.choose('Run Report', 'Costly Species');
    await keys.firstRowOf('Runs', /22 rows/);
    await keys.command('View: Close All Editors');
    await workbench.tab('Costly Species').waitFor({ state: 'hidden' });
    await keys.firstRowOf('Runs', /22 rows/);
    await keys.press('Enter');
    await workbench.tab('Costly Species').waitFor();
    await keys.firstRowOf('Runs', /22 rows/);
    await keys.menu('Run Report Again');
    await waitFor('a second run', async () => (await rows().count()) === 2);
    await keys.firstRowOf('Runs', /22 rows/);
    await keys.menu('Pin Run');
    await keys.firstRowOf('Runs', /pinned$/);
    await keys.menu('Compare Runs…');
    await keys.step('Select a run');
    await keys.press('Enter');
    await keys.quickInput().getByText('Key Columns').waitFor();
    await keys.press('Enter');
    await keys.enter('Numeric Tolerance', '1%');
    await workbench.notification('0 changed, 0 added, 0 removed').waitFor();
    await keys.firstRowOf('Runs', /pinned$/);
    await keys.press('ArrowDown', 'Delete');
    await waitFor('the other run to go', async () => (await rows().count()) === 1);
    await keys.firstRowOf('Runs', /pinned$/);
    await keys.press('Delete');
    await keys.pressButton(dialogButton('Remove'));
    await workbench.page.getByText('Reports that you run appear here.').waitFor();
  });

  it('chooses what is audited and for how long, and reads it in the sidebar', async () => {
    const { workbench } = scene;
    const list = () => keys.quickInput().locator('.monaco-list-row.focused');
    await keys.firstRowOf('Servers', /./);
    await keys.unfold('Administration');
    await keys.unfold('Audit');
    await keys.goDownTo('Audit');
    await keys.menu('Choose Audit Types…');
    await keys.step('Checked types are recorded');
    await keys.type('Login Success');
    await keys.press('ArrowDown');
    await list().getByText('Login Success').waitFor();
    await keys.pressButton(list().getByRole('button', { name: 'Set retention time' }));
    await keys.enter('Number of days to keep "Login Success"', '30');
    await keys.step('Checked types are recorded');
    await keys.type('Login Failure');
    await keys.press('ArrowDown');
    await list().getByText('Login Failure').waitFor();
    await keys.press('Space');
    await waitFor('it to be let go', async () => !(await list().getByRole('checkbox').isChecked()));
    await keys.press('Enter');
    const said = async (label: string) => (await workbench.treeItem(label).first().getAttribute('aria-label')) ?? '';
    await waitFor('the sidebar to follow', async () => /kept 30 days/.test(await said('Login Success')));
    await expect.poll(() => said('Login Failure')).toContain('not recorded');
    await keys.firstRowOf('Servers', /./);
    await keys.goDownTo('Audit');
    await keys.menu('Edit as JSON');
    await scene.editor.shows('"Login Success"');
  });

  it('previews an import of users, sends it, saves its outcome and undoes it', { timeout: 120_000 }, async () => {
    const { workbench, colleague } = scene;
    const users = ['LoginName,FirstName,Groups', 'key.ada,Ada,North', 'key.grace,Grace,South', 'key.bad,Bad,Nowhere'];
    await writeFile(path.join(folder, 'keys.csv'), users.join('\n'));
    await keys.command('Analytics: Import Users from CSV…');
    const box = keys.quickInput().locator('.quick-input-box input:focus');
    const takesFile = async (prompt: string, name: string) => {
      await keys.quickInput().getByText(prompt).first().waitFor();
      await waitFor(`the dialog to take ${name}`, async () => {
        if (!(await keys.quickInput().isVisible())) return true;
        const file = path.join(folder, name);
        if ((await box.inputValue({ timeout: 1_000 })) === file) {
          await keys.press('Enter');
          await keys.quickInput().waitFor({ state: 'hidden', timeout: 2_000 });
        } else {
          await keys.press('Control+a');
          await keys.type(file);
        }
        return false;
      });
    };
    await takesFile('Users to import into', 'keys.csv');
    const page = await workbench.webviewFrame('Import keys.csv');
    const press = (name: string | RegExp) => keys.pressButton(page.getByRole('button', { name }), page);
    const summary = (words: string) => page.locator('.import-summary', { hasText: words }).waitFor();
    const isThere = async () => (await colleague.find('Contact/GetContactList', 'LoginName', 'key.ada')) !== undefined;
    await summary('2 to create · 1 cannot be created');
    await press(/Only rows with problems/);
    await waitFor('one row', async () => (await page.getByRole('row').count()) === 2);
    await press('Import 2 Users');
    await keys.enter('Initial password', 'For the First Time 1');
    await keys.enter('Repeat the password', 'For the First Time 1');
    await summary('2 created · 1 cannot be created');
    await expect.poll(() => isThere()).toBe(true);
    await press('Save Outcome…');
    await takesFile('Save the outcome of each row of keys.csv', 'outcome.csv');
    await waitFor('the outcome', async () =>
      (await readFile(path.join(folder, 'outcome.csv'), 'utf8')).includes('2,key.ada,Created,\r\n'),
    );
    await press('Undo: Delete 2 Users…');
    await keys.pressButton(dialogButton('Delete'));
    await summary('2 deleted by undo · 1 cannot be created');
    await expect.poll(() => isThere()).toBe(false);
  });
});
