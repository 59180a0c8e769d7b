import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocumentScene, type DocumentScene } from '../../support/workbench/documentScene.ts';
import { until } from '../../support/until.ts';
import { waitFor } from '../../support/waitFor.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';

describe('administration commands without a selected node', () => {
  let scene: DocumentScene;
  let workbench: Workbench;
  beforeAll(async () => {
    scene = await openDocumentScene('light');
    ({ workbench } = scene);
    await workbench.collapse('Library');
  });
  afterAll(() => scene.stop());

  const row = (label: string) => workbench.treeItem(label).first();
  const status = (text: string) => workbench.page.locator('.statusbar-item', { hasText: text });
  const list = () => workbench.page.locator('.quick-input-widget:visible');
  const listRow = (text: string) => list().locator('.monaco-list-row', { hasText: text });

  it('edits the values of a data tag, saves them and reopens them with what was unsaved', async () => {
    await workbench.palette('Analytics: Edit Data Tag Values…');
    await workbench.quickPickChoose('state');
    let page = await workbench.webviewFrame('Values of state');
    const value = () => page.getByRole('textbox', { name: 'north.viewer', exact: true });
    const saysStatus = (words: string) =>
      waitFor(`the page to say ${words}`, async () => (await page.locator('.tag-summary').innerText()) === words);
    /** Another value shows other rows, which is asked first. */
    const isAskedAndSaved = async () => {
      const rows = 'north.viewer may see other rows of airports, birdstrikes and flights.';
      await workbench.page.locator('.monaco-dialog-box').getByText(rows).waitFor();
      await workbench.answer('Save');
      await saysStatus('Saved, and read back from the server');
    };
    await value().focus();
    await workbench.page.keyboard.type('NV');
    await saysStatus('1 unsaved change');
    await workbench.tab('● Values of state').waitFor();
    await workbench.page.keyboard.press('Control+s');
    await isAskedAndSaved();
    await workbench.tab('Values of state').waitFor();
    await value().fill('OR');
    // By the mouse: Escape, which opens the way to the palette, takes back what is typed in a field.
    await workbench.tab('● Values of state').click({ button: 'middle' });
    const question = workbench.notification(`1 change to the values of state on ${scene.host} is not saved`);
    await question.waitFor();
    await workbench.pressAway(question.getByRole('button', { name: 'Open Again' }));
    page = await workbench.webviewFrame('● Values of state');
    await saysStatus('1 unsaved change · not saved before the table was closed');
    await expect.poll(() => value().inputValue()).toBe('OR');
    await page.getByRole('button', { name: 'Save' }).click();
    await isAskedAndSaved();
    await workbench.palette('View: Close Editor');
    await waitFor('the table to close', async () => (await workbench.tab('Values of state').count()) === 0);
    expect(await question.count()).toBe(0);
    await workbench.palette('Analytics: Edit Data Tag Values…');
    await workbench.quickPickChoose('state');
    page = await workbench.webviewFrame('Values of state');
    await waitFor('the saved value', async () => (await value().inputValue()) === 'OR');
    await workbench.palette('View: Close Editor');
  });

  it('creates an application and shows it', async () => {
    await workbench.expand('Semantic Layer');
    await workbench.palette('Analytics: New Application…');
    await workbench.quickInput('Name shown to report authors', 'Weather');
    await workbench.quickInput('Purpose', 'Storms');
    await workbench.quickPickChoose('No database for now');
    await workbench.notification(`Application "Weather" was created on ${scene.host}`).waitFor();
    await row('Weather').waitFor();
    await workbench.expand('Weather');
    await row('No registered servers. Create one…').waitFor();
  });

  it('tests the connection of a registered server', async () => {
    await workbench.palette('Analytics: Test Connection…');
    const passed = workbench.notification('The test passed');
    const choose = async () => listRow('duckdb').first().click({ timeout: 2_000 });
    await until('the test', () => passed.isVisible(), choose, { tryFor: 10_000 });
    await workbench.collapse('Semantic Layer');
  });

  it('chooses what is audited, and for how long, from a list to tick', async () => {
    await workbench.expand('Administration');
    await workbench.expand('Audit');
    await workbench.palette('Analytics: Choose Audit Types…');
    await listRow('Login Success').waitFor();
    await workbench.screenshot('audit-types-light');
    const days = list().getByText('Number of days to keep').first();
    const askDays = async () => {
      await listRow('Login Success').hover({ timeout: 2_000 });
      const button = listRow('Login Success').getByRole('button', { name: 'Set retention time' });
      await button.click({ timeout: 2_000 });
    };
    await until('the days to be asked for', () => days.isVisible(), askDays, { tryFor: 5_000 });
    await workbench.quickInput('Number of days to keep "Login Success"', '30');
    await listRow('kept 30 days').waitFor();
    const tick = listRow('Login Failure').getByRole('checkbox');
    await until(
      'the tick to go',
      async () => !(await tick.isChecked()),
      () => tick.click({ timeout: 2_000 }),
    );
    await workbench.pressAway(list().getByRole('button', { name: 'OK' }));
    await status(`2 audit types changed on ${scene.host}`).waitFor();
    await waitFor('the sidebar to follow', async () =>
      /kept 30 days/.test((await row('Login Success').getAttribute('aria-label')) ?? ''),
    );
    await waitFor('the other to be off', async () =>
      /not recorded/.test((await row('Login Failure').getAttribute('aria-label')) ?? ''),
    );
  });

  /** Runs a command of the palette and chooses from the lists that it opens. */
  async function run(command: string, ...choices: readonly string[]): Promise<void> {
    await workbench.palette(`Analytics: ${command}`);
    for (const choice of choices) await workbench.quickPickChoose(choice);
  }

  const policy = () => scene.colleague.find('Shield/GetAllShieldPolicies', 'Name', 'Own States Only');
  const namesIn = (list: unknown) => JSON.stringify(list);

  it('assigns a policy and takes it away, and lets it rest for a while', async () => {
    await run('Assign Policy…', 'Own States Only');
    await workbench.quickPickTick('All Users', 'north.viewer');
    await waitFor('the assignments', async () => {
      const { Groups, Users } = (await policy()) ?? {};
      return namesIn(Groups).includes('"All Users"') && namesIn(Users).includes('"north.viewer"');
    });
    await run('Unassign Policy…', 'Own States Only');
    await workbench.quickPickTick('All Users', 'north.viewer');
    await workbench.answer('Unassign');
    await waitFor('the assignments to go', async () => {
      const { Groups, Users } = (await policy()) ?? {};
      return !namesIn(Groups).includes('"All Users"') && !namesIn(Users).includes('"north.viewer"');
    });
    await run('Deactivate Policy');
    await workbench.quickPickTick('Own States Only');
    await workbench.answer('Deactivate');
    await waitFor('the policy to rest', async () => (await policy())?.isActive === false);
    await run('Activate Policy');
    await workbench.quickPickTick('Own States Only');
    await waitFor('the policy to be active', async () => (await policy())?.isActive === true);
  });

  it('takes a member out of a group, and unlocks a user', async () => {
    await run('Remove Users from Group…', 'North');
    await workbench.quickPickTick('north.viewer');
    await workbench.answer('Remove');
    await waitFor('the membership to end', async () => {
      const group = await scene.colleague.find('Group/GetAllSecurityGroups', 'GroupName', 'North');
      return group !== undefined && !namesIn(group.Membership).includes('"north.viewer"');
    });
    for (let wrong = 0; wrong < 5; wrong++) {
      await scene.server.login('south.viewer', `wrong ${wrong}`).catch(() => undefined);
    }
    const locked = async () => {
      const user = await scene.colleague.find('Contact/GetContactList', 'LoginName', 'south.viewer');
      return !String(user?.lockdate).startsWith('0001');
    };
    expect(await locked()).toBe(true);
    await run('Unlock User');
    await workbench.quickPickTick('south.viewer');
    await waitFor('the user to be unlocked', async () => !(await locked()));
  });

  it('opens a folder to a group, and describes a report', async () => {
    const groupsOf = async (folderid: string) => {
      const folder = await scene.colleague.call('library/GetFolderById', { folderid });
      return typeof folder === 'object' && folder !== null && 'Permissions' in folder
        ? namesIn(folder.Permissions)
        : '';
    };
    const before = await groupsOf('3');
    await run('Set Folder Permissions…', 'Bird Strikes');
    await workbench.quickPickTick('South');
    await waitFor('the permission', async () => (await groupsOf('3')) !== before);
    expect(await groupsOf('3')).toContain('"RightID":"3"');
    await run('Edit Report Description…', 'Costly Species');
    await workbench.quickInput('Description of report "Costly Species"', 'What birds cost');
    await status('Description of Costly Species changed').waitFor();
  });

  it('adds columns of the database to a report type, which is saved alone', async () => {
    const { editor, proxy } = scene;
    await run('Add Columns to Report Type…', 'Flights', 'destination_airport');
    await workbench.quickPickTick('iata');
    await editor.isDirty('Flights.reporttype.json', true);
    await editor.save();
    await editor.isDirty('Flights.reporttype.json', false);
    const saves = proxy.asked.flatMap((path, at) => (path.endsWith('/SaveAnyDbModule') ? [proxy.sent[at] ?? ''] : []));
    expect(saves).toHaveLength(1);
    const types = (JSON.parse(saves[0] ?? '') as { anydbmodule: { ReportTypes: Record<string, unknown>[] } })
      .anydbmodule;
    expect(types.ReportTypes.map(({ RepTypeName }) => RepTypeName)).toEqual(['Flights']);
    const tree = await scene.colleague.call('RegServers/GetReportTree', {
      RegServerID: '1',
      ReportType: 'Flights',
    });
    expect(JSON.stringify(tree)).toMatch(/"dbfieldname":"iata"/);
    await workbench.palette('View: Close All Editors');
  });

  it('reads everything again from the title of the view, whatever row has the focus', async () => {
    await workbench.expand('Security');
    await workbench.expand('Data Tags');
    await workbench.expand('Groups');
    await row('South').click();
    await scene.colleague.newTag('harbour', {});
    await workbench.page.locator('.pane-header:visible', { hasText: 'Servers' }).first().hover();
    await workbench.page.getByRole('button', { name: 'Refresh Servers', exact: true }).first().click();
    await row('harbour').waitFor();
    await workbench.collapse('Security');
  });

  it('refreshes licences, copies the installation id, extends the session and reloads permissions', async () => {
    await workbench.palette('Analytics: Refresh Licences');
    await workbench.notification('seats are taken').waitFor();
    await workbench.palette('Analytics: Copy Installation ID');
    await status(`Installation ID of ${scene.host} copied`).waitFor();
    await workbench.palette('Analytics: Extend Session');
    await status(`Session on ${scene.host} extended`).waitFor();
    await workbench.palette('Analytics: Reload My Permissions');
    await status(`Permissions on ${scene.host} reloaded`).waitFor();
  });

  it('copies ids and names, one a line', async () => {
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = () => workbench.page.evaluate<string>('navigator.clipboard.readText()');
    const ids = await Promise.all(
      ['north.viewer', 'south.viewer'].map(async (name) =>
        String((await scene.colleague.find('Contact/GetContactList', 'LoginName', name))?.ID),
      ),
    );
    await run('Copy ID', 'User');
    await workbench.quickPickTick('north.viewer', 'south.viewer');
    await status('Copied: 2 lines').waitFor();
    expect((await copied()).split('\n').sort()).toEqual(ids.sort());
    await run('Copy Name', 'User');
    await workbench.quickPickTick('north.viewer');
    await status('Copied: north.viewer').waitFor();
    expect(await copied()).toBe('north.viewer');
  });

  it('opens the own profile as a document', async () => {
    await workbench.palette('Analytics: Edit My Profile');
    await workbench.tab('admin.profile.json').waitFor();
  });

  it('warns before it opens the browser with a token in the address', async () => {
    await workbench.palette('Analytics: Open Server in Browser…');
    await workbench.quickPickChoose('Library');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('contains the token of your session', { exact: false }).waitFor();
    await workbench.screenshot('open-in-browser');
    await workbench.answer('Cancel');
    await dialog.waitFor({ state: 'detached' });
  });
});
