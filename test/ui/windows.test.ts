import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultProxy, type FaultProxy } from '../support/faultProxy.ts';
import { figure } from '../support/figure.ts';
import { startLocalServer, type LocalTestServer } from '../support/localServer.ts';
import { waitFor } from '../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';
import { addServer } from '../support/addServer.ts';

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
});
