import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultProxy, type FaultProxy } from '../support/faultProxy.ts';
import { figure } from '../support/figure.ts';
import { startLocalServer, type LocalTestServer } from '../support/localServer.ts';
import { waitFor } from '../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

const rounds = 3;
const lists = 'Group/GetAllSecurityGroups';
/** So short that it runs out while nobody does anything. */
const sessionMs = 20_000;

describe('two windows of one editor', () => {
  let server: LocalTestServer;
  let proxy: FaultProxy;
  let host: string;
  let first: Workbench;
  let windows: Workbench[] = [];
  beforeAll(async () => {
    server = await startLocalServer();
    proxy = await startFaultProxy({
      target: server.apiBase,
      token: server.token,
      login: server.login,
      next: () => 'none',
      sessionMs,
    });
    host = new URL(proxy.apiBase).host;
    first = await openWorkbench({ theme: 'dark' });
    await first.openContainer('Analytics');
    await first.palette('Analytics: Add Server…');
    await first.quickInput('Add Server (1/4)', proxy.apiBase);
    await first.quickPickChoose('User, password kept');
    await first.quickInput('User name', 'admin');
    await first.quickInput('Add Server (4/4)', server.adminPassword);
    await first.treeItem('Security').first().waitFor();
    windows = [first, await first.openWindow()];
    for (const window of windows) {
      await window.openContainer('Analytics');
      await window.expand(host);
      await window.expand('Security');
      await window.expand('Groups');
      await window.treeItem('All Users').first().waitFor();
    }
  });
  afterAll(async () => {
    for (const window of windows.toReversed()) await window.stop();
    await first?.stop();
    await proxy?.close();
    await server?.stop();
  });

  const expired = (window: Workbench) => window.page.locator('.statusbar', { hasText: 'admin · idle' });

  it('sign in once when the session has run out under both and both ask again', async () => {
    for (let round = 1; round <= rounds; round++) {
      await Promise.all(windows.map((window) => expired(window).waitFor({ timeout: 60_000 })));
      const before = proxy.seen.length;
      const since = () => proxy.seen.slice(before);
      await Promise.all(windows.map((window) => window.palette('Analytics: Refresh')));
      await waitFor('both to have read the groups anew', async () => {
        return since().filter(({ endpoint, wasSignedIn }) => endpoint === lists && wasSignedIn).length >= 2;
      });
      expect(since().filter(({ endpoint }) => endpoint === 'login/DoLogin')).toHaveLength(1);
    }
    figure('R9', `2 windows, an extension host each, ${rounds} sessions that ran out under both: ${rounds} sign-ins`);
  }, 400_000);
});
