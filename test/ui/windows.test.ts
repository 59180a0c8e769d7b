import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultProxy, type Fault, type FaultProxy } from '../support/faultProxy.ts';
import { figure } from '../support/figure.ts';
import { startLocalServer, type LocalTestServer } from '../support/localServer.ts';
import { waitFor } from '../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

const rounds = 5;
const lists = 'Group/GetSecurityGroupList';

describe('two windows of one editor', () => {
  let server: LocalTestServer;
  let proxy: FaultProxy;
  let windows: [Workbench, Workbench];
  let fault: Fault = 'none';
  beforeAll(async () => {
    server = await startLocalServer();
    proxy = await startFaultProxy({
      target: server.apiBase,
      token: server.token,
      login: server.login,
      next: () => {
        const next = fault;
        fault = 'none';
        return next;
      },
      // So short that a session which ends has plainly expired, and was not taken over.
      sessionMs: 25_000,
    });
    const first = await openWorkbench({ theme: 'dark' });
    windows = [first, first];
    await first.openContainer('Analytics');
    await first.palette('Analytics: Add Server…');
    await first.quickInput('Add Server (1/4)', proxy.apiBase);
    await first.quickPickChoose('User');
    await first.quickInput('User name', 'admin');
    await first.quickInput('Add Server (4/4)', server.adminPassword);
    await first.treeItem('Security').first().waitFor();
    windows = [first, await first.openWindow()];
    await windows[1].openContainer('Analytics');
  });
  afterAll(async () => {
    await windows?.[0].stop();
    await proxy?.close();
    await server?.stop();
  });

  const count = (endpoint: string) => proxy.seen.filter((request) => request.endpoint === endpoint).length;
  const logins = () => count('login/DoLogin');

  it('share one sign-in, and one more each time that the session has expired under both', async () => {
    for (const window of windows) await window.treeItem('Security').first().waitFor();
    expect(logins()).toBe(1);
    for (const window of windows) {
      await window.expand('Security');
      await window.expand('Groups');
    }
    await waitFor('both to list the groups', async () => count(lists) >= 2);
    expect(logins()).toBe(1);
    for (let round = 1; round <= rounds; round++) {
      const before = proxy.seen.length;
      fault = 'expire';
      await Promise.all(windows.map((window) => window.palette('Analytics: Refresh')));
      await waitFor('both to have read the lists anew', async () => {
        const good = proxy.seen.slice(before).filter(({ endpoint, wasSignedIn }) => endpoint === lists && wasSignedIn);
        return good.length >= 2;
      });
      expect(logins()).toBe(1 + round);
    }
    figure(
      'R9',
      `2 windows with an extension host each, ${rounds} expiries under both, ${proxy.seen.length} requests: ${logins()} sign-ins`,
    );
  });
});
