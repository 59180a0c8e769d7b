import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

describe('backups of the local server', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    workbench = await openWorkbench({ theme: 'light', env, size: { width: 1200, height: 900 } });
    await workbench.treeItem('All Bird Strikes').first().waitFor({ timeout: 60_000 });
  });
  afterAll(() => workbench.stop());

  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  const notice = (text: string | RegExp) => workbench.page.locator('.notifications-toasts').getByText(text).first();

  it('are made while the server runs, compared with the data and restored', async () => {
    await workbench.palette('Analytics: Back Up Local Server…');
    await workbench.quickPickChoose('Folder of the Backups');
    const made = notice(/Backed up Local Server to .*does not hold the key/);
    await made.waitFor();
    const name = /backup-[\d-]+T[\d-]+\.db/.exec((await made.textContent()) ?? '')?.[0] ?? '';
    expect(name).not.toBe('');
    await workbench.screenshot('backup-made');

    await workbench.palette('Analytics: Check Local Server…');
    await notice(/Local Server has no damage/).waitFor();

    await workbench.palette('Analytics: Show Backups');
    await workbench.quickPickChoose(name);
    await dialog().getByText('Replace all data of Local Server with the backup of').waitFor();
    await dialog().getByText('No object was created or changed since.').waitFor();
    await workbench.screenshot('backup-restore');
    await workbench.answer('Restore');
    await notice(/Local Server is restored\. The replaced data is kept as/).waitFor();
    await workbench.screenshot('backup-restored');
    expect(await dialog().count()).toBe(0);
  });
});
