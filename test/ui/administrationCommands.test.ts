import { afterAll, beforeAll, describe, it } from 'vitest';
import { waitFor } from '../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

describe('administration commands without a selected node', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    workbench = await openWorkbench({ theme: 'light', env, size: { width: 1200, height: 900 } });
    await row('Bird Strikes').waitFor({ timeout: 60_000 });
    await row('Library').locator('.monaco-tl-twistie').click();
  });
  afterAll(() => workbench.stop());

  const row = (label: string) => workbench.treeItem(label).first();
  const status = (text: string) => workbench.page.locator('.statusbar-item', { hasText: text });
  const list = () => workbench.page.locator('.quick-input-widget:visible');
  const listRow = (text: string) => list().locator('.monaco-list-row', { hasText: text });

  it('creates an application and shows it', async () => {
    await workbench.expand('Semantic Layer');
    await workbench.palette('Analytics: New Application…');
    await workbench.quickInput('Name, as report authors see it', 'Weather');
    await workbench.quickInput('What it is for', 'Storms');
    await workbench.quickPickChoose('No database for now');
    await workbench.notification('Application "Weather" created on Local Server').waitFor();
    await row('Weather').waitFor();
    await workbench.expand('Weather');
    await row('No registered servers').waitFor();
  });

  it('tests the connection of a registered server', async () => {
    await workbench.palette('Analytics: Test Connection…');
    await listRow('duckdb').first().click();
    await workbench.notification('the test passed').waitFor();
    await row('Semantic Layer').locator('.monaco-tl-twistie').click();
  });

  it('chooses what is audited, and for how long, from a list to tick', async () => {
    await workbench.expand('Administration');
    await workbench.expand('Audit');
    await workbench.palette('Analytics: Choose Audit Types…');
    await listRow('Login Success').waitFor();
    await workbench.screenshot('audit-types-light');
    await listRow('Login Success').hover();
    await listRow('Login Success').getByRole('button', { name: 'Set how long it is kept' }).click();
    await workbench.quickInput('Keep "Login Success" for how many days?', '30');
    await listRow('kept 30 days').waitFor();
    await listRow('Login Failure').getByRole('checkbox').click();
    await list().getByRole('button', { name: 'OK' }).click();
    await status('2 audit types changed on Local Server').waitFor();
    await waitFor('the sidebar to follow', async () =>
      /kept 30 days/.test((await row('Login Success').getAttribute('aria-label')) ?? ''),
    );
    await waitFor('the other to be off', async () =>
      /not recorded/.test((await row('Login Failure').getAttribute('aria-label')) ?? ''),
    );
  });

  it('refreshes licences, copies the installation id, extends the session and reloads permissions', async () => {
    await workbench.palette('Analytics: Refresh Licences');
    await workbench.notification('seats are taken').waitFor();
    await workbench.palette('Analytics: Copy Installation ID');
    await status('Installation ID of Local Server copied').waitFor();
    await workbench.palette('Analytics: Extend Session');
    await status('Session on Local Server extended').waitFor();
    await workbench.palette('Analytics: Reload My Permissions');
    await status('Permissions on Local Server reloaded').waitFor();
  });

  it('opens the own profile as a document', async () => {
    await workbench.palette('Analytics: Edit My Profile');
    await workbench.tab('admin.profile.json').waitFor();
  });

  it('warns before it opens the browser with a token in the address', async () => {
    await workbench.treeAction('Local Server', 'Open in Browser…');
    await workbench.quickPickChoose('Library');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('holds the token of your session', { exact: false }).waitFor();
    await workbench.screenshot('open-in-browser');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
});
