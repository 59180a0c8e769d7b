import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../src/connections/connection.ts';
import { editTagValues } from '../../src/features/tagValues/commands.ts';
import { importUsers } from '../../src/features/userImport/importUsers.ts';
import { openCommandScene, type CommandScene } from '../support/commandScene.ts';
import { startLocalServer, type LocalTestServer } from '../support/localServer.ts';
import { PageHost, type ShownPage } from '../support/pages/pageHost.ts';
import { focused, spoken } from '../support/pages/spoken.ts';
import { person } from '../support/vscode/person.ts';

describe('focus and announcements of tables that are saved', () => {
  let server: LocalTestServer;
  let scene: CommandScene;
  let connection: Connection;
  let host: PageHost;
  let folder: string;
  let shown: ShownPage;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'analytics-forms-'));
    server = await startLocalServer(true);
    scene = await openCommandScene();
    connection = await scene.addServer('Local Server', server.apiBase, server.adminPassword);
    host = await PageHost.start();
  });
  afterAll(async () => {
    await host.stop();
    await scene.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const serverRow = () => scene.services.tree.serverNode(connection);
  const hasFocus = (name: RegExp) => expect.poll(() => focused(shown.page)).toMatch(name);
  /** Waits until something that matches is announced. @returns what was announced until then. */
  const hears = async (words: RegExp) => {
    const heard: string[] = [];
    await expect
      .poll(async () => {
        heard.push(...(await spoken(shown.page)));
        return heard.some((text) => words.test(text));
      })
      .toBe(true);
    return heard;
  };
  const onlyRegion = async () => {
    const regions = shown.page.locator('[role="status"], [role="alert"], [role="log"], [aria-live]');
    expect(await regions.count()).toBe(1);
  };

  it('start at the values of a tag, and say what is unsaved and saved', async () => {
    person.answers('Edit Data Tag Values', 'state');
    await editTagValues(scene.services, serverRow());
    shown = await host.opened();
    await hasFocus(/^input Default value$/);
    const value = shown.page.getByRole('textbox', { name: 'north.viewer', exact: true });
    await value.fill('WA');
    expect(await hears(/unsaved/)).toEqual(['1 unsaved change']);
    await shown.page.getByRole('button', { name: 'Clear the value of north.viewer' }).focus();
    await shown.page.keyboard.press('Enter');
    await hasFocus(/^input north\.viewer$/);
    await value.fill('OR');
    person.answers('Save the values of state on Local Server?', 'Save');
    await shown.page.getByRole('button', { name: 'Save', exact: true }).focus();
    await shown.page.keyboard.press('Enter');
    await hears(/^Saved, and read back from the server$/);
    // The button that was pressed is disabled now.
    await hasFocus(/^input Default value$/);
    await onlyRegion();
  });

  it('say how many groups and users match a text', async () => {
    const box = shown.page.getByRole('searchbox', { name: 'Find a group or user' });
    await box.fill('north.v');
    expect(await hears(/match/)).toEqual(['1 match']);
    await box.fill('north.vi');
    await box.fill('north.');
    expect(await hears(/match/)).toEqual(['4 matches']);
    await box.fill('no such name');
    expect(await hears(/match/)).toEqual(['No matches.']);
    await box.fill('');
  });

  it('start at the next step of an import, and say once what came of it', async () => {
    await writeFile(path.join(folder, 'users.csv'), 'LoginName,FirstName,Groups\nby.ear,Ear,North');
    person.answers('Users to import into', path.join(folder, 'users.csv'));
    await importUsers(scene.services, serverRow());
    shown = await host.opened();
    await hasFocus(/^button Import 1 User$/);
    expect(await hears(/^1 to create/)).toEqual(['1 to create']);
    await shown.page.getByRole('rowheader', { name: 'by.ear', exact: true }).waitFor();
    person.mayAnswer('assword', 'For the First Time 1');
    person.mayAnswer('Import', 'Import');
    await shown.page.keyboard.press('Enter');
    const heard = await hears(/^1 created/);
    expect(heard).toEqual([expect.stringMatching(/^1 created/)]);
    await expect.poll(() => focused(shown.page)).not.toMatch(/^body/);
    await onlyRegion();
    await shown.page.keyboard.press('F1');
    await shown.page.getByRole('dialog', { name: 'Keys in the User Import' }).waitFor();
  });
});
