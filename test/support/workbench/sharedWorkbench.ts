import { hostFolders, writeSettings } from '../vscodeHost/hostFolders.ts';
import { waitFor } from '../waitFor.ts';
import { openWorkbench, openWorkbenches, workbenchSettings, type Theme, type Workbench } from './workbench.ts';

/** What a file may ask of a workbench that it shares with others. */
export interface SharedOptions {
  theme: Theme;
  size: { width: number; height: number };
}

/** Files are chosen in the editor's own dialog, which tests can fill. */
const sharedSettings = { 'files.simpleDialog.enable': true };

/** The workbench that the file before left: with no server, no editor and no message. */
let idle: Workbench | undefined;

/**
 * A workbench without servers. Starting one takes as long as several tests, so that files which need nothing of their own (no
 * environment, no folder, no settings) hand it on. To be given back by {@link returnWorkbench}.
 */
export async function shareWorkbench({ theme, size }: SharedOptions): Promise<Workbench> {
  const workbench = idle;
  idle = undefined;
  return (
    (workbench && (await reuse(workbench, { theme, size }))) ?? openWorkbench({ theme, size, settings: sharedSettings })
  );
}

/** Gives a workbench that was left empty its theme and size; ends one whose editor misses the change of its settings. */
async function reuse(workbench: Workbench, { theme, size }: SharedOptions): Promise<Workbench | undefined> {
  await workbench.page.setViewportSize(size);
  const settings = workbenchSettings({ theme, settings: sharedSettings });
  await writeSettings(hostFolders(workbench.stateFolder), settings);
  if (!(await workbench.wears(theme, 10_000))) {
    await workbench.stop();
    return undefined;
  }
  openWorkbenches.add(workbench);
  return workbench;
}

/** Takes a shared workbench back. One in which a test failed may be in any state: it is ended. */
export async function returnWorkbench(workbench: Workbench): Promise<void> {
  if (workbench.hasFailed) return workbench.stop();
  try {
    await leaveEmpty(workbench);
    openWorkbenches.delete(workbench);
    idle = workbench;
  } catch (error) {
    await workbench.stop();
    throw new Error('The workbench could not be left empty for the next file.', { cause: error });
  }
}

/** Closes editors, panels and messages, and removes the servers with all that the editor keeps of them. */
async function leaveEmpty(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await closeEditors(workbench);
  // Views of changes and runs have a welcome and rows of their own.
  const view = page.locator('.pane', { has: page.locator('.pane-header', { hasText: 'Servers' }) });
  const welcome = view.locator('.welcome-view-content:visible');
  const servers = view.locator('.monaco-list-row[role="treeitem"][aria-level="1"]');
  await workbench.openContainer('Analytics');
  await waitFor('the servers to be removed', async () => {
    if (await welcome.first().isVisible()) return true;
    const label = await servers.locator('.label-name').first().innerText({ timeout: 2_000 });
    await workbench.treeAction(label, 'Remove Server…');
    await workbench.answer('Remove');
    await waitFor(`${label} to go`, async () => (await workbench.treeItem(label).count()) === 0, 5_000);
    // Another server may be left.
    return false;
  });
  await workbench.palette('Notifications: Clear All Notifications');
  // The editor offers this only while a panel shows.
  if (await page.locator('.part.panel:visible').first().isVisible()) await workbench.palette('View: Hide Panel');
}

/** Closes every editor and message, giving up what is unsaved. */
export async function closeEditors(workbench: Workbench): Promise<void> {
  const tabs = workbench.page.locator('.tabs-container .tab');
  const unsaved = tabs.and(workbench.page.locator('.dirty'));
  await waitFor('the editors to close', async () => {
    if ((await tabs.count()) === 0) return true;
    // Where nothing is unsaved, it takes seconds if the server no longer has the object.
    if ((await unsaved.count()) > 0) await workbench.palette('File: Revert File');
    await workbench.palette('View: Close All Editors');
    return waitFor('no tab', async () => (await tabs.count()) === 0, 3_000);
  });
  await workbench.palette('Notifications: Clear All Notifications');
}
