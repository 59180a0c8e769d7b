import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';
import { waitFor } from '../../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

describe('connecting to a server', () => {
  let workbench: Workbench;
  let server: TestServer;
  let host: string;
  beforeAll(async () => {
    server = await startServer({ prefix: '/service/api', allowOrigin: 'none', sample: true });
    host = new URL(server.url).host;
    workbench = await openWorkbench({ theme: 'dark', size: { width: 1400, height: 800 } });
    await workbench.openContainer('Analytics');
  });
  afterAll(async () => {
    await workbench.stop();
    await server.stop();
  });

  const row = (label: string) => workbench.treeItem(label).first();
  const quickInput = () => workbench.page.locator('.quick-input-widget:visible');

  /** By the button of the view, which shows while the mouse is on it. */
  const refresh = async () => {
    await workbench.page.locator('.pane-header:visible', { hasText: 'Servers' }).first().hover();
    await workbench.page.getByRole('button', { name: 'Refresh Servers', exact: true }).first().click();
  };

  async function says(label: string, words: RegExp): Promise<void> {
    await waitFor(`${label} to say ${words.source}`, async () =>
      words.test((await row(label).getAttribute('aria-label')) ?? ''),
    );
  }

  async function openWalkthrough(): Promise<void> {
    await waitFor('the walkthrough', async () => {
      await workbench.palette('Welcome: Open Walkthrough...');
      const { page } = workbench;
      const row = page.locator('.quick-input-list .monaco-list-row', { hasText: 'Get Started with Analytics Studio' });
      await row.click({ timeout: 3_000 });
      return true;
    });
  }
  const step = (title: string) =>
    workbench.page.locator('.gettingStartedContainer .getting-started-step', { hasText: title });

  it('has a walkthrough of five steps with pictures', async () => {
    await openWalkthrough();
    await waitFor('five steps', async () => (await step('').count()) === 5);
    for (const title of ['Run a report', 'Edit a policy', 'View the generated SQL', 'Connect to your own server']) {
      await step(title).click();
      const picture = workbench.page.locator('.gettingStartedContainer img[alt]:visible').first();
      await waitFor(`the picture of "${title}"`, async () => ((await picture.boundingBox())?.height ?? 0) > 100);
      await expect.poll(() => picture.getAttribute('alt')).not.toBe('');
    }
    await workbench.screenshot('walkthrough');
  });

  it('welcomes with one button', async () => {
    const welcome = workbench.page.locator('.welcome-view-content:visible');
    await welcome.getByRole('button', { name: 'Start Local Server' }).waitFor();
    await expect.poll(() => welcome.locator('.monaco-button').count()).toBe(1);
    await workbench.screenshot('welcome-dark');
    await workbench.useTheme('light');
    await workbench.screenshot('welcome-light');
    await welcome.getByText('Add Server', { exact: true }).click();
  });

  it('says why an address will not do, and stays', async () => {
    await workbench.quickInput('Add Server (1/4)', 'http://127.0.0.1:9');
    await quickInput().getByText('no server is listening at this address').waitFor();
    await workbench.screenshot('add-server-unreachable');
    await workbench.quickInput('Add Server (1/4)', 'ftp://reports');
    await quickInput().getByText('is not a server address').waitFor();
  });

  it('finds the API below the address, and goes back a step', async () => {
    await workbench.quickInput('Add Server (1/4)', server.url);
    await quickInput().getByText('Add Server (2/4)').waitFor();
    await workbench.screenshot('add-server-account');
    await quickInput().getByRole('button', { name: 'Back' }).click();
    await quickInput().getByText('Add Server (1/4)').waitFor();
    await expect.poll(() => quickInput().locator('input').first().inputValue()).toBe(server.url);
    await workbench.page.keyboard.press('Enter');
    await workbench.quickPickChoose('User');
    await workbench.quickInput('User name', 'admin');
  });

  it('warns that signing in ends another session, and keeps the box open on a wrong password', async () => {
    await quickInput().getByText('Signing in ends any other session of this account.').waitFor();
    await expect.poll(() => quickInput().locator('input').first().getAttribute('type')).toBe('password');
    await workbench.quickInput('Add Server (4/4)', 'wrong');
    await quickInput().getByText('was refused').waitFor();
    await workbench.screenshot('add-server-refused');
    await workbench.quickInput('Add Server (4/4)', server.adminPassword);
    await says(host, /admin · \d+ min/);
    await row('Public').waitFor();
    await openWalkthrough();
    await step('Connect to your own server').locator('.codicon-getting-started-step-checked').waitFor();
  });

  it('stays signed in over a reload without the password', async () => {
    await workbench.load();
    await workbench.openContainer('Analytics');
    await says(host, /admin · \d+ min/);
    await workbench.expand(host);
    await workbench.expand('Library');
    await row('Public').waitFor();
  });

  it('asks, when the account signed in elsewhere, instead of taking the session back', async () => {
    const other = await server.login('admin', server.adminPassword);
    await refresh();
    await says(host, /session taken over/);
    await workbench.screenshot('tree-taken-over');
    const check = await other.call('Session/CheckSession');
    expect(check.json).toMatchObject({ ErrorCode: 0 });
    await workbench.treeAction(host, 'Sign In…');
    await workbench.quickInput('Password of admin', server.adminPassword);
    await says(host, /admin · \d+ min/);
    await refresh();
    await row('Public').waitFor();
  });

  it('names a server that is gone and what can be done', async () => {
    await workbench.expand('Bird Strikes');
    await row('Costly Species').waitFor();
    await server.stop();
    await workbench.treeAction('Costly Species', 'Add to Favourites');
    const message = workbench.notification(`Could not change the favourites on ${host} for "Costly Species"`);
    await message.getByText('no server is listening at this address').waitFor();
    await message.getByRole('button', { name: 'Retry' }).waitFor();
    await workbench.screenshot('command-failed');
    await workbench.pressAway(message.getByRole('button', { name: 'Show Log' }));
    await workbench.page.locator('.view-line', { hasText: 'Could not change the favourites' }).first().waitFor();
    await refresh();
    const failure = workbench.page
      .locator('.monaco-list-row[role="treeitem"]', { hasText: 'Cannot be reached' })
      .first();
    await failure.waitFor();
    await says(host, /cannot be reached/);
    await workbench.screenshot('tree-unreachable');
    server = await startServer({ prefix: '/service/api', allowOrigin: 'none', sample: true });
  });

  it('leaves nothing of a removed server in the list', async () => {
    await workbench.palette('Analytics: Remove Server…');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('forgets its stored password').waitFor();
    await workbench.screenshot('remove-server');
    await workbench.answer('Remove');
    await workbench.page.locator('.welcome-view-content:visible').waitFor();
  });

  it('signs in as a guest without a password', async () => {
    await workbench.palette('Analytics: Add Server…');
    await workbench.quickInput('Add Server (1/4)', server.url);
    await workbench.quickPickChoose('Guest');
    await says(new URL(server.url).host, /guest · \d+ min/);
  });
});
