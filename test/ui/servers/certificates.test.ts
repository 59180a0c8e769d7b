import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';
import {
  canMakeCertificates,
  makeAuthority,
  startTlsServer,
  type Authority,
  type TlsServer,
} from '../../support/tls.ts';
import { waitFor } from '../../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

describe.skipIf(!canMakeCertificates)('a server that this machine has no reason to trust', () => {
  let workbench: Workbench;
  let server: TestServer;
  let authority: Authority;
  let front: TlsServer;
  let pages: Server;
  let pagesUrl: string;
  let host: string;

  beforeAll(async () => {
    server = await startServer({ allowOrigin: 'none' });
    authority = await makeAuthority();
    front = await startTlsServer(await authority.make({ isSelfSigned: true }), {}, { forwardTo: server.url });
    host = new URL(front.url).host;
    pages = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>');
    });
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    pagesUrl = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    workbench = await openWorkbench({ theme: 'dark', size: { width: 1400, height: 800 } });
    await workbench.openContainer('Analytics');
  });
  afterAll(async () => {
    await workbench?.stop();
    await front?.close();
    await new Promise<void>((resolve) => void pages.close(() => resolve()));
    await server?.stop();
    await authority?.remove();
  });

  const quickInput = () => workbench.page.locator('.quick-input-widget:visible');
  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  const row = (label: string) => workbench.treeItem(label).first();

  it('is not mistaken for one when a web page answers, or the API lies elsewhere', async () => {
    await workbench.palette('Analytics: Add Server…');
    for (const address of [pagesUrl, `${server.url}/elsewhere`]) {
      await workbench.quickInput('Add Server (1/4)', address);
      // The words about the address before stay until this one was tried.
      await quickInput()
        .getByText(`No analytics server found at ${address.replace(/\/$/, '')}`)
        .waitFor();
    }
    await workbench.screenshot('add-server-wrong-address-dark');
  });

  it('shows its certificate before anything is sent, and goes on only when it is trusted', async () => {
    await workbench.quickInput('Add Server (1/4)', front.url);
    await dialog().getByText(`Trust the certificate of ${host}?`).waitFor();
    await dialog().getByText('SHA-256: ').waitFor();
    await dialog().getByText('self-signed').waitFor();
    expect(front.receivedBytes()).toBe(0);
    await workbench.screenshot('trust-certificate-dark');
    await workbench.answer('Cancel');
    await quickInput().getByText('its certificate is self-signed').waitFor();
    expect(front.receivedBytes()).toBe(0);
    await workbench.page.keyboard.press('Escape');
    await workbench.useTheme('light');
    await workbench.palette('Analytics: Add Server…');
    await workbench.quickInput('Add Server (1/4)', front.url);
    await dialog().getByText('SHA-256: ').waitFor();
    await workbench.screenshot('trust-certificate-light');
    await workbench.answer('Trust This Certificate');
    await quickInput().getByText('Add Server (2/4)').waitFor();
    await workbench.quickPickChoose('User, password saved');
    await workbench.quickInput('User name', 'admin');
    await workbench.quickInput('Add Server (4/4)', server.adminPassword);
    await waitFor('the account', async () =>
      /admin · \d+ min/.test((await row(host).getAttribute('aria-label')) ?? ''),
    );
  });

  it('is cut off when its certificate changes, and shows both before the new one is trusted', async () => {
    front.swap(await authority.make());
    const bytes = front.receivedBytes();
    await workbench.treeAction(host, 'Extend Session');
    const message = workbench.notification(`Could not extend the session on ${host}`);
    await message.getByText('not the one that you pinned').waitFor();
    expect(front.receivedBytes()).toBe(bytes);
    await workbench.screenshot('certificate-changed-toast-light');
    await workbench.pressAway(message.getByRole('button', { name: 'Show Certificate…' }));
    await dialog().getByText(`The certificate of ${host} has changed. Trust the new one?`).waitFor();
    await dialog().getByText('Trusted so far: ').waitFor();
    await workbench.screenshot('certificate-changed-light');
    expect(front.receivedBytes()).toBe(bytes);
    await workbench.answer('Trust This Certificate');
    await workbench.treeAction(host, 'Extend Session');
    await workbench.page.getByText(`Session on ${host} extended`).first().waitFor();
  });

  it('is checked like any other again once its certificate is forgotten', async () => {
    await workbench.palette('Analytics: Forget Certificate…');
    const removed = workbench.page.getByText(/The stored certificate of .* was removed/);
    await removed.first().waitFor();
    const bytes = front.receivedBytes();
    await workbench.treeAction(host, 'Extend Session');
    await workbench.notification(`Could not extend the session on ${host}`).getByText('authority').first().waitFor();
    expect(front.receivedBytes()).toBe(bytes);
  });
});
