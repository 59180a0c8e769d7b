import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addServer } from '../../support/workbench/addServer.ts';
import { Colleague } from '../../support/workbench/documentScene.ts';
import { DocumentEditor } from '../../support/workbench/documentEditor.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { waitFor } from '../../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

const file = 'North.group.json';

describe('a document left unsaved for longer than the session lasts', () => {
  let server: TestServer;
  let workbench: Workbench;
  /** Sessions end, also this one: each call begins its own. */
  const colleague = async () => new Colleague(await server.login('sample.admin', server.adminPassword));
  beforeAll(async () => {
    server = await startServer({ allowOrigin: 'none', sample: true });
    // The shortest that a server takes: a minute without a call.
    await (await colleague()).changeSettings({ SESSION_TIMEOUT: 1 });
    workbench = await openWorkbench({ theme: 'light' });
    await workbench.openContainer('Analytics');
    await addServer(workbench, { url: server.url, password: server.adminPassword });
    await workbench.treeItem('Public').first().waitFor();
  });
  afterAll(async () => {
    await workbench?.stop();
    await server?.stop();
  });

  it('is kept, asks to sign in when saved, and is saved afterwards', { timeout: 240_000 }, async () => {
    const editor = new DocumentEditor(workbench);
    const host = new URL(server.url).host;
    const session = async () => (await workbench.treeItem(host).first().getAttribute('aria-label')) ?? '';
    const north = async (name: string) =>
      (await colleague()).find('Group/GetAllSecurityGroups', 'GroupName', name).then((group) => group !== undefined);
    await workbench.collapse('Library');
    await workbench.expand('Security');
    await workbench.expand('Groups');
    await workbench.treeAction('North', 'Edit as JSON');
    await editor.shows('"GroupName": "North"');
    await editor.replace('"GroupName": "North"', '"GroupName": "Far North"');
    await editor.isDirty(file, true);
    await waitFor('the session to end', async () => (await session()).includes('expired'), 120_000);
    await editor.save();
    const offer = workbench.notification('then save again');
    await offer.waitFor();
    await workbench.notification('has expired').waitFor();
    await editor.isDirty(file, true);
    await editor.shows('"GroupName": "Far North"');
    await workbench.screenshot('save-session-ended-light');
    expect(await north('Far North')).toBe(false);
    await workbench.pressAway(offer.getByRole('button', { name: 'Sign In…' }));
    await workbench.quickInput('Password of admin', server.adminPassword);
    await waitFor('the session', async () => / min/.test(await session()));
    await editor.isDirty(file, true);
    await editor.save();
    await editor.isDirty(file, false);
    expect(await north('Far North')).toBe(true);
  });
});
