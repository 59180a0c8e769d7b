import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

const userCount = 500;

describe('importing users from CSV', () => {
  let workbench: Workbench;
  let folder: string;
  let page: Frame;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'analytics-csv-'));
    const rows = Array.from({ length: userCount }, (_, index) => {
      const group = index % 2 === 0 ? 'North:Modify' : 'South';
      return `import.${index},First ${index},Last,u${index}@example.com,${group},`;
    });
    const bad = ['import.1,Twice,Last,,North,', 'import.bad,Bad,Last,no address,Nowhere,', 'admin,Known,Last,,,'];
    await writeFile(
      path.join(folder, 'users.csv'),
      ['LoginName,FirstName,LastName,EmailAddress,Groups,Shoe Size', ...rows, ...bad].join('\n'),
    );
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    const settings = { 'files.simpleDialog.enable': true };
    workbench = await openWorkbench({ theme: 'light', env, settings, size: { width: 1400, height: 900 } });
    await workbench.treeItem('Bird Strikes').first().waitFor({ timeout: 60_000 });
  });
  afterAll(async () => {
    await workbench.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const summary = async (words: RegExp, deadline = 20_000) =>
    waitFor(
      `the summary ${words.source}`,
      async () => words.test(await page.locator('.import-summary').innerText()),
      deadline,
    );

  it('previews the file, with what is wrong in each row', async () => {
    await workbench.palette('Analytics: Import Users from CSV…');
    await workbench.chooseFile('Users to import into', path.join(folder, 'users.csv'));
    page = await workbench.webviewFrame('Import users.csv');
    await summary(/500 to create · 3 cannot be created/);
    await page.getByText('Unknown columns are ignored: Shoe Size').waitFor();
    await workbench.screenshot('import-preview-light');
    await workbench.page.setViewportSize({ width: 800, height: 900 });
    await waitFor('what becomes of each row to be in view in a narrow page', async () => {
      const status = await page.getByRole('columnheader', { name: 'Status' }).boundingBox();
      return status !== null && status.x + status.width < 800;
    });
    await workbench.screenshot('import-narrow-light');
    await workbench.page.setViewportSize({ width: 1400, height: 900 });
    await button(/Only rows with problems/).click();
    await page.getByText('There is no group "Nowhere".', { exact: false }).waitFor();
    await page.getByText('admin is already on the server.').waitFor();
    await page.getByText('import.1 is in the file more than once.').waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(4);
    await workbench.useTheme('dark');
    await workbench.screenshot('import-problems-dark');
    await button(/Only rows with problems/).click();
  });

  it('stops when asked, and goes on without creating anybody twice', { timeout: 1_000_000 }, async () => {
    await button('Import 500 Users').click();
    await workbench.quickInput('Initial password', 'For the First Time 1');
    await workbench.quickInput('Repeat the password', 'For the First Time 1');
    await summary(/[1-9]\d* created/, 60_000);
    await workbench.screenshot('import-running-dark');
    await button('Stop').click();
    await button(/Continue \(/).waitFor();
    await summary(/not tried/);
    await workbench.load();
    await workbench.openContainer('Analytics');
    await workbench.treeItem('Library').first().waitFor();
    await workbench.useTheme('highContrast');
    await workbench.palette('Analytics: Import Users from CSV…');
    await workbench.page.locator('.quick-input-widget:visible').getByText('Continue or undo it').waitFor();
    await workbench.screenshot('import-choose-high-contrast');
    await workbench.quickPickChoose('users.csv');
    page = await workbench.webviewFrame('Import users.csv');
    await button(/Continue \(/).waitFor();
    await workbench.screenshot('import-stopped-high-contrast');
    await button(/Continue \(/).click();
    await workbench.quickInput('Initial password', 'For the First Time 1');
    await workbench.quickInput('Repeat the password', 'For the First Time 1');
    await summary(/^500 created$/, 900_000);
  });

  it('deletes again what it created, and nothing else', { timeout: 1_000_000 }, async () => {
    await button('Undo: Delete 500 Users…').click();
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('Delete the 500 users that this import created').waitFor();
    await workbench.answer('Delete');
    await summary(/^500 deleted by undo$/, 900_000);
    await workbench.treeItem('Security').first().waitFor();
    await workbench.expand('Security');
    await workbench.expand('Users');
    await workbench.treeItem('north.viewer').first().waitFor();
    await expect.poll(() => workbench.treeItem('import.3').count()).toBe(0);
  });
});
