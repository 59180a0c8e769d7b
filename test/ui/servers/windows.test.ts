import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultProxy, type FaultProxy } from '../../support/faults/faultProxy.ts';
import { figure } from '../../support/run/figure.ts';
import { startLocalServer, type LocalTestServer } from '../../support/localServer.ts';
import { isRecord } from '../../support/isRecord.ts';
import { waitFor } from '../../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';
import { addServer } from '../../support/workbench/addServer.ts';
import { DocumentEditor } from '../../support/workbench/documentEditor.ts';

const lists = 'Group/GetAllSecurityGroups';

/*
 * Secret storage of the browser host is read once by each window, so that what one stores later stays unknown to the
 * other; on a desktop it is shared at once. How windows share it then is shown by processes: property/sessionProcesses.
 */
describe('two windows of one editor', () => {
  let server: LocalTestServer;
  let proxy: FaultProxy;
  let host: string;
  let first: Workbench;
  beforeAll(async () => {
    server = await startLocalServer();
    proxy = await startFaultProxy({
      target: server.apiBase,
      token: server.token,
      login: server.login,
      next: () => 'none',
      sessionMs: 1_200_000,
    });
    host = new URL(proxy.apiBase).host;
    first = await openWorkbench({ theme: 'dark' });
    await first.openContainer('Analytics');
    await addServer(first, { url: proxy.apiBase, password: server.adminPassword, keepsPassword: true });
    await first.treeItem('Security').first().waitFor();
  });
  afterAll(async () => {
    await first?.stop();
    await proxy?.close();
    await server?.stop();
  });

  it('share one sign-in', async () => {
    const second = await first.openWindow();
    for (const window of [first, second]) {
      // A page behind another draws too seldom to be clicked on.
      await window.page.bringToFront();
      await window.openContainer('Analytics');
      await window.expand(host);
      await window.expand('Security');
      await window.expand('Groups');
      await window.treeItem('All Users').first().waitFor();
    }
    const reads = () => proxy.seen.filter(({ endpoint, wasSignedIn }) => endpoint === lists && wasSignedIn).length;
    for (const window of [first, second]) {
      await window.page.bringToFront();
      const before = reads();
      await waitFor('the groups to be read again', async () => {
        await window.palette('Analytics: Refresh Servers');
        return waitFor('the groups', async () => reads() > before, 4_000);
      });
    }
    const logins = proxy.seen.filter(({ endpoint }) => endpoint === 'login/DoLogin').length;
    expect(logins).toBe(1);
    figure('R9', `2 windows, an extension host each, ${proxy.seen.length} requests: ${logins} sign-in`);
    await second.stop();
  });

  it(
    'edit one policy: other fields are joined, of the same one the second is asked',
    { timeout: 180_000 },
    async () => {
      const file = 'Two Desks.policy.json';
      const template = await server.call('Shield/NewPolicy');
      const policy = {
        ...(isRecord(template) ? template : {}),
        Name: 'Two Desks',
        Description: 'as it was',
        Groups: [],
        Users: [],
      };
      await server.call('Shield/SaveShieldPolicy', { policy, isDeepSave: true, groups: [], users: [] });
      const held = async () => {
        const policies = await server.call('Shield/GetAllShieldPolicies');
        return Array.isArray(policies) ? policies.filter(isRecord).find((one) => one.Name === 'Two Desks') : undefined;
      };
      expect(await held()).toMatchObject({ isActive: false });
      const second = await first.openWindow();
      const [one, other] = [first, second].map((window) => ({ window, editor: new DocumentEditor(window) }));
      if (!one || !other) throw new Error('There are no two windows.');
      for (const { window, editor } of [one, other]) {
        await window.page.bringToFront();
        await window.openContainer('Analytics');
        await window.expand(host);
        await window.expand('Security');
        await window.palette('Analytics: Refresh Servers');
        await window.expand('Policies');
        await window.openRow('Two Desks');
        await editor.shows('"Description": "as it was"');
      }
      const edit = async ({ window, editor }: typeof one, from: string, to: string) => {
        await window.page.bringToFront();
        await editor.replace(from, to);
        await editor.isDirty(file, true);
      };
      const save = async ({ window, editor }: typeof one) => {
        await window.page.bringToFront();
        await editor.save();
      };
      await edit(one, '"Description": "as it was"', '"Description": "of the first"');
      await edit(other, '"isActive": false', '"isActive": true');
      for (const desk of [one, other]) {
        await save(desk);
        await desk.editor.isDirty(file, false);
      }
      await other.editor.shows('"Description": "of the first"');
      expect(await held()).toMatchObject({ Description: 'of the first', isActive: true });
      await edit(one, '"Description": "of the first"', '"Description": "first again"');
      await edit(other, '"Description": "of the first"', '"Description": "second again"');
      await save(one);
      await one.editor.isDirty(file, false);
      await one.editor.shows('"isActive": true');
      await save(other);
      const question = second.notification('in the same fields');
      await question.waitFor();
      await other.editor.isDirty(file, true);
      expect(await held()).toMatchObject({ Description: 'first again', isActive: true });
      await second.screenshot('two-windows-conflict-dark');
      await second.pressAway(question.getByRole('button', { name: 'Keep Mine' }));
      await other.editor.isDirty(file, false);
      expect(await held()).toMatchObject({ Description: 'second again', isActive: true });
      await second.stop();
    },
  );
});
