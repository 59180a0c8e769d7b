import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addServer } from '../support/addServer.ts';
import { DocumentEditor } from '../support/documentEditor.ts';
import { isRecord } from '../support/isRecord.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { waitFor } from '../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

/** Longer than a session lasts without a call. */
const pauseMs = 25 * 60_000;

describe('a document left unsaved for longer than the session lasts', () => {
  let folder: string;
  let server: TestServer;
  let workbench: Workbench;
  const setClock = (moment: number) => writeFile(path.join(folder, 'now'), new Date(moment).toISOString());
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'analytics-session-end-'));
    await setClock(Date.now());
    const clock = pathToFileURL(path.resolve(import.meta.dirname, '../support/movedClock.ts')).href;
    process.env.ANALYTICS_STUDIO_CLOCK = path.join(folder, 'now');
    server = await startServer({ allowOrigin: 'none', sample: true, nodeArgs: ['--import', clock] });
    delete process.env.ANALYTICS_STUDIO_CLOCK;
    workbench = await openWorkbench({ theme: 'light' });
    await workbench.openContainer('Analytics');
    await addServer(workbench, { url: server.url, password: server.adminPassword });
    await workbench.treeItem('Public').first().waitFor();
  });
  afterAll(async () => {
    await workbench?.stop();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is kept, asks to sign in when saved, and is saved afterwards', async () => {
    const editor = new DocumentEditor(workbench);
    const file = 'North.group.json';
    await workbench.collapse('Library');
    await workbench.expand('Security');
    await workbench.expand('Groups');
    await workbench.treeAction('North', 'Edit as JSON');
    await editor.shows('"GroupName": "North"');
    await editor.replace('"GroupName": "North"', '"GroupName": "Far North"');
    await editor.isDirty(file, true);
    const names = async () => {
      const account = await server.login('sample.admin', server.adminPassword);
      const { json } = await account.call('Group/GetAllSecurityGroups');
      return Array.isArray(json) ? json.filter(isRecord).map(({ GroupName }) => GroupName) : [];
    };
    await setClock(Date.now() + pauseMs);
    await editor.save();
    const offer = workbench.notification('then save again');
    await offer.waitFor();
    await editor.isDirty(file, true);
    await editor.shows('"GroupName": "Far North"');
    await workbench.screenshot('save-session-ended-light');
    expect(await names()).not.toContain('Far North');
    await workbench.pressAway(offer.getByRole('button', { name: 'Sign In…' }));
    await workbench.quickInput('Password of admin', server.adminPassword);
    const host = new URL(server.url).host;
    await waitFor('the session', async () =>
      / min/.test((await workbench.treeItem(host).first().getAttribute('aria-label')) ?? ''),
    );
    await editor.isDirty(file, true);
    await editor.save();
    await editor.isDirty(file, false);
    expect(await names()).toContain('Far North');
  });
});
