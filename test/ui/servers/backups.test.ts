import { cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { waitFor } from '../../support/waitFor.ts';
import { hostFolders } from '../../support/vscodeHost/hostFolders.ts';
import { projectRoot } from '../../support/vscodeHost/paths.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

describe('backups of the local server', () => {
  let workbench: Workbench;
  /** File name of the backup made first. */
  let name = '';
  beforeAll(async () => {
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    workbench = await openWorkbench({ theme: 'light', env, size: { width: 1200, height: 900 } });
    await workbench.treeItem('All Bird Strikes').first().waitFor({ timeout: 60_000 });
  });
  afterAll(() => workbench.stop());

  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  const notice = (text: string | RegExp, { page } = workbench) =>
    page.locator('.notifications-toasts').getByText(text).first();
  /** File of this name in the data of the local server. */
  const dataFile = (name: string) => {
    const [file = ''] = globSync(`${workbench.stateFolder}/data/User/globalStorage/*/local-server/*/${name}`);
    expect(file).not.toBe('');
    return file;
  };
  const stopServer = async () => {
    await workbench.palette('Analytics: Stop Local Server');
    await waitFor(
      'the server to stop',
      async () => globSync(`${path.dirname(dataFile('state.db'))}/server.pid`).length === 0,
    );
  };

  it('are made while the server runs, compared with the data and restored', async () => {
    await workbench.palette('Analytics: Back Up Local Server…');
    await workbench.quickPickChoose('Folder of the Backups');
    const made = notice(/Backed up Local Server to .*does not hold the key/);
    await made.waitFor();
    name = /backup-[\d-]+T[\d-]+\.db/.exec((await made.textContent()) ?? '')?.[0] ?? '';
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

  it('are offered when the data is damaged, and restored in its place', async () => {
    await workbench.palette('Notifications: Clear All Notifications');
    await stopServer();
    const state = dataFile('state.db');
    truncateSync(state, 20_000);
    await workbench.palette('Analytics: Start Local Server');
    await notice(/data is damaged or missing\. Restore a backup.*state\.db is damaged/).waitFor();
    await workbench.screenshot('backup-damaged');
    expect(readFileSync(state).length).toBe(20_000);
    await workbench.page.locator('.notifications-toasts').getByRole('button', { name: 'Restore…' }).click();
    await workbench.quickPickChoose(name);
    await dialog().getByText('what would be lost is not known').waitFor();
    await workbench.screenshot('backup-restore-damaged');
    await workbench.answer('Restore');
    await notice(/Local Server is restored/).waitFor();
    await workbench.treeItem('Bird Strikes').first().waitFor();
  });

  it('survive an update while the server runs, and two releases at once', { timeout: 300_000 }, async () => {
    await workbench.palette('Notifications: Clear All Notifications');
    /** Release of the server that was started last. */
    const releaseOf = () => {
      const [file = ''] = globSync(`${workbench.stateFolder}/data/User/globalStorage/*/local-server/last-start-*.json`);
      return (JSON.parse(readFileSync(file, 'utf8')) as { release: string }).release;
    };
    const { extensions } = hostFolders(workbench.stateFolder);
    const [link = ''] = globSync(`${extensions}/*analytics*`);
    const install = (folder: string) => {
      rmSync(link);
      symlinkSync(folder, link, 'dir');
    };
    const later = laterRelease(path.join(workbench.stateFolder, 'release-9.0.0'));
    install(later);
    await workbench.reloadWindow();
    await workbench.treeItem('All Bird Strikes').first().waitFor();
    // The new window may find the server of the old one, which ends with it: the next use starts that of the new release.
    const isReplaced = () => Promise.resolve(releaseOf() === '9.0.0');
    const refresh = () => workbench.palette('Analytics: Refresh Servers');
    await until('the later release to start its server', isReplaced, refresh, { tryFor: 5_000 });
    await workbench.treeItem('All Bird Strikes').first().waitFor();
    await workbench.screenshot('update-running');

    install(projectRoot);
    const older = await workbench.openWindow();
    await older.page.bringToFront();
    await older.openContainer('Analytics');
    await older.treeItem('All Bird Strikes').first().waitFor();
    await older.screenshot('update-two-releases');
    expect(releaseOf()).toBe('9.0.0');
    await older.stop();

    await workbench.page.bringToFront();
    await stopServer();
    const state = new DatabaseSync(dataFile('state.db'));
    state.exec(`UPDATE schema_version SET version = 99 WHERE room = 'audit';
      INSERT INTO migration (release, moment) VALUES ('9.0.0', '2030-01-01T00:00:00Z')`);
    state.close();
    rmSync(dataFile('state.seal'));
    const migrated = readFileSync(dataFile('state.db'));
    await workbench.reloadWindow();
    await workbench.palette('Analytics: Start Local Server');
    await notice(/Release 9\.0\.0 of Analytics Studio.*has upgraded the data/).waitFor();
    await workbench.screenshot('update-newer-data');
    expect(readFileSync(dataFile('state.db')).equals(migrated)).toBe(true);
  });
});

/** A later release of this extension: as built, with another number. */
function laterRelease(folder: string): string {
  mkdirSync(path.join(folder, 'dist'), { recursive: true });
  for (const name of ['media', 'package.nls.json'])
    cpSync(path.join(projectRoot, name), path.join(folder, name), { recursive: true });
  const manifest = readFileSync(path.join(projectRoot, 'package.json'), 'utf8');
  writeFileSync(path.join(folder, 'package.json'), manifest.replace(/"version": "[\d.]+"/, '"version": "9.0.0"'));
  for (const name of globSync('*', { cwd: path.join(projectRoot, 'dist') })) {
    const [from, to] = [projectRoot, folder].map((each) => path.join(each, 'dist', name));
    // The server finds its files by its own path; the large ones stay where they are.
    if (name === 'sample' || name === 'duckdb') symlinkSync(from ?? '', to ?? '', 'dir');
    else cpSync(from ?? '', to ?? '', { recursive: true });
  }
  const server = path.join(folder, 'dist', 'server.js');
  writeFileSync(server, readFileSync(server, 'utf8').replaceAll(JSON.stringify('0.2.0'), JSON.stringify('9.0.0')));
  return folder;
}
