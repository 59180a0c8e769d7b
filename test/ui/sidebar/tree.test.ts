import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

describe('the sidebar on the local server', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    workbench = await openWorkbench({ theme: 'light', env, size: { width: 1200, height: 1100 } });
    await row('Bird Strikes').waitFor({ timeout: 60_000 });
  });
  afterAll(() => workbench.stop());

  const row = (label: string) => workbench.treeItem(label).first();
  const statusBar = () => workbench.page.locator('.statusbar-item', { hasText: 'Local Server' });

  /** By the button of the view, which shows while the mouse is on it. */
  const refresh = async () => {
    await workbench.page.locator('.pane-header:visible', { hasText: 'Servers' }).first().hover();
    await workbench.page.getByRole('button', { name: 'Refresh Servers', exact: true }).first().click();
  };

  /** Waits until the row's accessible name, which holds its description, matches. */
  async function says(label: string, words: RegExp): Promise<void> {
    await waitFor(`${label} to say ${words.source}`, async () =>
      words.test((await row(label).getAttribute('aria-label')) ?? ''),
    );
  }

  it('opens signed in, with the library and the first reports on display', async () => {
    await row('All Bird Strikes').waitFor();
    await says('Local Server', /admin · \d+ min/);
    await expect.poll(() => statusBar().innerText()).toMatch(/Local Server · admin · \d+ min/);
    // A start that takes longer than a second can be cancelled; the offer goes with it.
    const toasts = workbench.page.locator('.notification-toast');
    await waitFor('no message to be left', async () => (await toasts.count()) === 0);
  });

  it('shows beside each folder who sees it', async () => {
    await says('Bird Strikes', /Folder Bird Strikes, Visible to all users/);
    await says('North', /Folder North, Visible only to members of North/);
  });

  it('lists users, groups with the roles of their members, tags and policies', async () => {
    await workbench.expand('Security');
    await workbench.expand('Users');
    await says('north.viewer', /never signed in/);
    // Drawing it anew while its rows are on display would cost the user a click on one of them.
    expect(await row('Users').getAttribute('aria-label')).toBe('Users');
    await workbench.expand('Groups');
    await says('All Users', /members/);
    await workbench.expand('Data Tags');
    await says('state', /no default/);
    await workbench.expand('Policies');
    await says('Own States Only', /Policy .* active, North, South/);
    await workbench.screenshot('tree-light');
    await workbench.useTheme('dark');
    await workbench.screenshot('tree-dark');
    await workbench.useTheme('highContrast');
    await workbench.screenshot('tree-high-contrast');
    for (const label of ['Policies', 'Data Tags', 'Groups', 'Users']) {
      await workbench.collapse(label);
      await says(label, new RegExp(`^${label}, \\d+$`));
    }
    await workbench.collapse('Security');
  });

  it('marks a favourite and shows it among the favourites', async () => {
    await workbench.expand('Favourites');
    await row('No favourites yet').waitFor();
    await workbench.treeAction('Costly Species', 'Add to Favourites');
    await waitFor('the report twice', async () => (await workbench.treeItem('Costly Species').count()) === 2);
    await says('Costly Species', /favourite/);
    // Selected there too, it is still one report.
    const rows = workbench.treeItem('Costly Species');
    await rows.last().click();
    await rows.first().click({ modifiers: ['Control'] });
    await workbench.treeAction('Costly Species', 'Delete Objects…', rows.first());
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('Delete report "Costly Species"').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await workbench.treeAction('Costly Species', 'Remove from Favourites');
    await row('No favourites yet').waitFor();
  });

  it('keeps what is open and selected through a refresh', async () => {
    await row('Dashboards').click();
    await refresh();
    await row('Costly Species').waitFor();
    const has = (label: string, name: string) =>
      waitFor(`${label} to be as before`, async () => (await row(label).getAttribute(name)) === 'true');
    await has('Bird Strikes', 'aria-expanded');
    await has('Dashboards', 'aria-selected');
  });

  it('takes every click and every choice while everything is being read again', async () => {
    const { page } = workbench;
    const front = page.locator('.tabs-container [aria-selected="true"]');
    const choose = async (label: string, action: string) => {
      const item = page.getByRole('menuitem', { name: action, exact: true }).first();
      await refresh();
      await row(label).click({ button: 'right' });
      await item.waitFor();
      await waitFor(`"${action}" to be taken`, async () => {
        if (await item.isVisible()) await item.click({ timeout: 500 }).catch(() => undefined);
        return !(await item.isVisible());
      });
    };
    for (const place of ['Security', 'Users', 'Data Tags', 'Policies']) await workbench.expand(place);
    for (let round = 0; round < 4; round++) {
      for (const user of ['north.viewer', 'south.viewer']) {
        await choose(user, 'Copy Name');
        // What was copied is said for a moment: a choice that came without its row would say something else.
        await page.locator('.statusbar-item', { hasText: `Copied: ${user}` }).waitFor({ timeout: 5_000 });
      }
      for (const document of ['state', 'Own States Only']) {
        await refresh();
        await row(document).click();
        await waitFor(`the document of ${document}`, async () => (await front.innerText()).startsWith(document), 5_000);
      }
    }
    await workbench.palette('View: Close All Editors');
    await workbench.collapse('Security');
  });

  it('finds reports in folders that were never opened', async () => {
    await workbench.palette('Analytics: Go to Report…');
    const list = workbench.page.locator('.quick-input-widget:visible');
    await list.getByText('North', { exact: false }).first().waitFor();
    await workbench.screenshot('go-to-report');
    await list.locator('input').first().fill('no report is called like this');
    await list.getByText('Nothing found for "no report is called like this"').waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('goes to any object of the server, opened or not', async () => {
    await workbench.palette('Analytics: Go to Object…');
    const list = workbench.page.locator('.quick-input-widget:visible');
    const find = async (text: string, found: string) => {
      await list.locator('input').first().fill(text);
      await list.locator('.monaco-list-row', { hasText: found }).first().waitFor();
    };
    await find('Costly', 'Costly Species');
    await find('south.view', 'south.viewer');
    await workbench.screenshot('go-to-object');
    await workbench.quickPickChoose('south.viewer');
    await workbench.tab('south.viewer.user.json').waitFor();
  });

  it('goes to report types as documents, and to applications and dashboards in the sidebar', async () => {
    // Not the list of commands, which may not have made way yet.
    const list = workbench.page.locator('.quick-input-widget:visible', { hasText: 'Go to Object' });
    const find = async (text: string, icon: string) => {
      await workbench.palette('Analytics: Go to Object…');
      await list.waitFor();
      const found = list.locator('.monaco-list-row', { has: workbench.page.locator(`.codicon-${icon}`) });
      await waitFor(`${text} to be opened`, async () => {
        if ((await list.count()) === 0) return true;
        // Answers that come move the rows under the mouse.
        await list.locator('input').first().fill(text, { timeout: 2_000 });
        await workbench.quickListSettled();
        await found.first().click({ timeout: 2_000 });
        return (await list.count()) === 0;
      });
    };
    await find('Flight Data', 'list-tree');
    await workbench.tab('Bird Strikes.reporttype.json').waitFor();
    const isSelected = (name: string) =>
      waitFor(`${name} in the sidebar`, async () =>
        workbench.page.locator('.monaco-list-row.selected[role="treeitem"]', { hasText: name }).first().isVisible(),
      );
    await find('Flight Operations', 'package');
    await isSelected('Flight Operations');
    await find('Flight Operations at a Glance', 'dashboard');
    await isSelected('Flight Operations at a Glance');
  });

  it('narrows the sidebar to a name and shows all again', async () => {
    await workbench.palette('Analytics: Filter Sidebar…');
    const box = workbench.page.locator('.quick-input-widget:visible input').first();
    await box.fill('costly');
    await row('Costly Species').waitFor();
    await row('All Bird Strikes').waitFor({ state: 'detached' });
    await workbench.screenshot('tree-filtered');
    await box.press('Enter');
    await workbench.page.getByText('Showing only loaded items whose names contain "costly"').waitFor();
    await workbench.palette('Analytics: Clear Sidebar Filter');
    await row('All Bird Strikes').waitFor();
  });

  it('opens again what was open below a folder that the filter hid', async () => {
    await workbench.expand('Dashboards');
    await row('Flight Operations at a Glance').waitFor();
    await workbench.palette('Analytics: Filter Sidebar…');
    const box = workbench.page.locator('.quick-input-widget:visible input').first();
    await box.fill('costly');
    await row('Dashboards').waitFor({ state: 'detached' });
    await row('Costly Species').waitFor();
    await box.press('Escape');
    await row('Flight Operations at a Glance').waitFor();
    await row('All Bird Strikes').waitFor();
    await workbench.treeSettled();
    await workbench.collapse('Dashboards');
    await workbench.palette('Analytics: Filter Sidebar…');
    await box.fill('costly');
    await row('Dashboards').waitFor({ state: 'detached' });
    await box.press('Escape');
    await row('Dashboards').waitFor();
    await expect.poll(() => row('Dashboards').getAttribute('aria-expanded')).toBe('false');
  });

  it('says where the filter leaves nothing of a place that is open, and shows all from there', async () => {
    await workbench.palette('Analytics: Filter Sidebar…');
    const box = workbench.page.locator('.quick-input-widget:visible input').first();
    await box.fill('no such name');
    const notice = row('None match the filter. Show all').first();
    await notice.waitFor();
    await box.press('Enter');
    await workbench.screenshot('tree-filtered-nothing');
    await notice.click();
    await row('Bird Strikes').waitFor();
    await notice.waitFor({ state: 'detached' });
    await workbench.expand('Bird Strikes');
    await row('All Bird Strikes').waitFor();
  });

  it('signs out, says so, and signs in again without asking for the password of its own server', async () => {
    await workbench.palette('Analytics: Sign Out');
    await row('Signed out. Sign in…').waitFor();
    await says('Local Server', /signed out/);
    await workbench.screenshot('tree-signed-out');
    await row('Signed out. Sign in…').click();
    await row('Public').waitFor();
    await says('Local Server', /admin · \d+ min/);
  });

  it('shows another account only what that account may see, beside the first', async () => {
    await workbench.treeAction('Local Server', 'Sign In as Another User…');
    await workbench.quickPickChoose('Sample account');
    await workbench.quickPickChoose('north.viewer');
    await row('Local Server (north.viewer)').waitFor();
    // The name tells the account: it is not said once more.
    await says('Local Server (north.viewer)', /^Server Local Server \(north\.viewer\), \d+ min$/);
    await waitFor('the status bar to say it once', async () =>
      /^Local Server \(north\.viewer\) · \d+ min$/.test((await statusBar().innerText()).trim()),
    );
    await workbench.collapse('Local Server');
    await row('Library').waitFor();
    await waitFor('the tenant to see one scoped folder', async () => {
      const hasNorth = (await workbench.treeItem('North').count()) > 0;
      return hasNorth && (await workbench.treeItem('South').count()) === 0;
    });
    await workbench.expand('Security');
    await workbench.expand('Users');
    await row('No permission').waitFor();
    await workbench.screenshot('tree-tenant');
    await workbench.treeAction('Local Server (north.viewer)', 'Remove Server…');
    await workbench.page.getByRole('button', { name: 'Remove', exact: true }).click();
    await row('Local Server (north.viewer)').waitFor({ state: 'detached' });
  });

  it('starts the server again when it was stopped and is needed', async () => {
    await workbench.palette('Analytics: Stop Local Server');
    await says('Local Server', /stopped/);
    await refresh();
    await workbench.expand('Local Server');
    await row('Public').waitFor();
    await says('Local Server', /admin · \d+ min/);
  });

  it('comes back after a reload of the window, on the same data', async () => {
    await workbench.load();
    await workbench.openContainer('Analytics');
    await row('Public').waitFor({ timeout: 60_000 });
    await says('Local Server', /admin · \d+ min/);
    expect(await workbench.notification('new sample data').count()).toBe(0);
  });
});
