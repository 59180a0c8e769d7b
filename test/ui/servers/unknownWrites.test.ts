import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocumentScene, type DocumentScene } from '../../support/workbench/documentScene.ts';
import { waitFor } from '../../support/waitFor.ts';
import type { Theme } from '../../support/workbench/workbench.ts';

const save = '/api/DataTag/SaveDataTag';
const themes: Theme[] = ['dark', 'light', 'highContrast'];

describe('writes of unknown outcome', () => {
  let scene: DocumentScene;
  beforeAll(async () => {
    scene = await openDocumentScene(
      'dark',
      async (colleague) => {
        await colleague.newTag('territory', { DefaultValue: 'West' });
      },
      {},
    );
    await scene.workbench.expand('Security');
    await scene.workbench.expand('Data Tags');
  });
  afterAll(() => scene.stop());

  const row = () =>
    scene.workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Change data tag "territory"' });

  async function edit(from: string, to: string): Promise<void> {
    await scene.workbench.openRow('territory');
    await scene.editor.shows(`"DefaultValue": "${from}"`);
    await scene.editor.replace(`"DefaultValue": "${from}"`, `"DefaultValue": "${to}"`);
  }

  async function review(): Promise<void> {
    await scene.workbench.palette('Analytics: Review Unconfirmed Writes…');
    await row().waitFor();
  }

  /** One picture in each theme, of what `show` brings up. */
  async function pictures(name: string, show: () => Promise<void>): Promise<void> {
    const { workbench } = scene;
    for (const theme of themes) {
      await workbench.useTheme(theme);
      await show();
      await workbench.screenshot(`${name}-${theme}`);
    }
  }

  it('are listed with object, server, time and cause, and looked for again', async () => {
    const { workbench, editor, proxy, colleague } = scene;
    await edit('West', 'Later');
    proxy.rule = (path) => (path === save ? 'never' : 'pass');
    await editor.save();
    await workbench.notification('Could not save data tag "territory"').waitFor();
    const asked = proxy.asked.filter((path) => path === save).length;
    await workbench.palette('Notifications: Clear All Notifications');
    await pictures('unknown-writes', review);
    await expect.poll(() => row().innerText()).toContain(scene.host);
    await expect.poll(() => row().innerText()).toContain('cannot be reached');
    // The mouse may rest on the row, whose hint would take the click.
    await workbench.page.keyboard.press('Enter');
    const notThere = workbench.notification('does not show data tag "territory" as sent. It may still arrive.');
    await notThere.getByRole('button', { name: 'Forget' }).waitFor();
    await workbench.screenshot('unknown-write-not-there');
    // It arrives after all.
    await colleague.changeTag('territory', { DefaultValue: 'Later' });
    await workbench.pressAway(notThere.getByRole('button', { name: 'Check Again' }));
    await workbench.notification('applied it: data tag "territory" is as sent').waitFor();
    // Looking is all that was done.
    expect(proxy.asked.filter((path) => path === save)).toHaveLength(asked);
    await workbench.palette('Analytics: Review Unconfirmed Writes…');
    await workbench.notification('There are no unconfirmed writes.').waitFor();
    await workbench.palette('File: Revert File');
  });

  it('come of a save that its user cancels, which ends at once; so does a list of the sidebar', async () => {
    const { workbench, editor, proxy, host } = scene;
    await workbench.palette('Notifications: Clear All Notifications');
    await edit('Later', 'Given up');
    proxy.rule = (path) => (path === save ? 'hold' : 'pass');
    await editor.save();
    const saving = workbench.notification(`territory: waiting for ${host}`);
    await saving.getByRole('button', { name: 'Cancel' }).waitFor();
    await workbench.screenshot('waiting-save');
    await cancel(saving);
    await workbench.notification('Could not save data tag "territory"').waitFor();
    await expect
      .poll(() => workbench.notification('Could not save data tag "territory"').innerText())
      .toContain('is unknown');
    await workbench.palette('Notifications: Clear All Notifications');
    await review();
    await workbench.page.keyboard.press('Escape');

    const list = '/api/Group/GetAllSecurityGroups';
    let askedAt = Infinity;
    proxy.rule = (path) => {
      if (path !== list) return 'pass';
      askedAt = Math.min(askedAt, Date.now());
      return 'hold';
    };
    await workbench.expand('Groups');
    const listing = workbench.notification(`Sidebar: waiting for ${host}`);
    await listing.waitFor();
    expect(Date.now() - askedAt, 'the row alone shows a short wait').toBeGreaterThan(4_000);
    await cancel(listing);
    await workbench.treeItem('Cancelled').first().waitFor();
    await workbench.screenshot('waiting-list-cancelled');
    proxy.rule = () => 'pass';
    await waitFor('the groups to be listed after all', async () => {
      await workbench.treeItem('Cancelled').first().click({ timeout: 2_000 }).catch(ignore);
      return workbench.treeItem('All Users').first().isVisible();
    });
  });

  it('are listed with their path where their record cannot be read, until it is discarded', async () => {
    const { workbench } = scene;
    const [record = ''] = await recordsIn(workbench.stateFolder);
    await writeFile(record, '{"id":');
    const damaged = workbench.page.locator('.quick-input-list .monaco-list-row', {
      hasText: 'Unreadable record of a write',
    });
    await workbench.palette('Analytics: Review Unconfirmed Writes…');
    await damaged.waitFor();
    await expect.poll(() => damaged.innerText()).toContain(path.basename(record));
    await workbench.screenshot('unknown-write-unreadable');
    await workbench.page.keyboard.press('Enter');
    const message = workbench.notification('it is unknown what was written');
    await message.getByRole('button', { name: 'Open File' }).waitFor();
    await workbench.screenshot('unknown-write-unreadable-message');
    await workbench.pressAway(message.getByRole('button', { name: 'Discard' }));
    await waitFor('the record to be gone', async () => (await recordsIn(workbench.stateFolder)).length === 0);
    await workbench.palette('File: Revert File');
  });

  it('outlive the window that was sending them, and are told of at the next start', async () => {
    const { workbench, editor, proxy } = scene;
    await edit('Later', 'Cut off');
    proxy.rule = (path) => (path === save ? 'hold' : 'pass');
    const before = proxy.asked.length;
    await editor.save();
    await waitFor('the save to be under way', async () => proxy.asked.slice(before).includes(save));
    // As if it crashed: a window that is asked to go waits for what it saves.
    await workbench.load();
    proxy.rule = () => 'pass';
    const told = workbench.notification('got no reply');
    // The window starts anew, extensions and all.
    await told.waitFor({ timeout: 90_000 });
    await workbench.screenshot('unknown-writes-told');
    await workbench.pressAway(told.getByRole('button', { name: 'Review…' }));
    await row().waitFor();
    await expect.poll(() => row().innerText()).toContain('VS Code closed while the run was in progress.');
    // The mouse may rest on the row, whose hint would take the click.
    await workbench.page.keyboard.press('Enter');
    const message = workbench.notification('can no longer be checked here');
    await message.getByRole('button', { name: 'Forget' }).waitFor();
    await workbench.screenshot('unknown-write-not-comparable');
    await workbench.pressAway(message.getByRole('button', { name: 'Forget' }));
    await workbench.palette('Analytics: Review Unconfirmed Writes…');
    await workbench.notification('There are no unconfirmed writes.').waitFor();
  });

  /** Clicks until the wait is over: a notification that is just coming in loses a click. */
  async function cancel(notice: Locator): Promise<void> {
    const button = notice.getByRole('button', { name: 'Cancel' });
    await button.waitFor();
    await waitFor('the wait to be over', async () => {
      await button.click({ timeout: 1_000 }).catch(ignore);
      return (await notice.count()) === 0;
    });
  }
});

/** For a click that may have had its effect already: whoever clicks looks at the effect. */
function ignore(): void {}

/** Files of the journal of writes, wherever the editor keeps it below `folder`. */
async function recordsIn(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile() && path.basename(file.parentPath) === 'writes' && file.name.endsWith('.json'))
    .map((file) => path.join(file.parentPath, file.name));
}
