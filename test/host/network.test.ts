import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { isClientError, type ClientError } from '../../src/client/clientError.ts';
import { inspectCertificate } from '../../src/client/http/inspectCertificate.ts';
import type { Connection } from '../../src/connections/connection.ts';
import { hostFigure } from '../support/hostFigure.ts';
import { openHostWindow, SharedSecrets, SharedState, type HostWindow } from '../support/hostWindow.ts';
import { startProxyProcess, type ProxyProcess } from '../support/faults/proxyProcess.ts';
import {
  canMakeCertificates,
  makeAuthority,
  startTlsServer,
  type Authority,
  type CertificateWish,
  type TlsServer,
} from '../support/tls.ts';
import { waitFor } from '../support/waitFor.ts';

const host = 'reports.test';
const names = `DNS:${host},IP:127.0.0.1`;
const proxySupports = ['off', 'on', 'override', 'fallback'];
const secret = 'a password that must not leave';
const account = { userName: 'admin', password: secret, isGuest: false };

const refused: [reason: string, wish: CertificateWish][] = [
  ['unknownAuthority', { names }],
  ['selfSigned', { names, isSelfSigned: true }],
  ['expired', { names, days: -1 }],
  ['wrongHost', { names: 'DNS:other.example' }],
];

describe('servers behind certificates and proxies', function () {
  this.timeout(120_000);
  let authority: Authority;
  let proxy: ProxyProcess;
  let folder: string;
  const secrets = new SharedSecrets();
  let window: HostWindow;
  const cleanups: (() => Promise<void>)[] = [];
  const count = { refusals: 0, bytes: 0, tunnels: 0 };

  before(async function () {
    if (!canMakeCertificates) this.skip();
    folder = await mkdtemp(path.join(tmpdir(), 'analytics-network-'));
    authority = await makeAuthority();
    await writeFile(path.join(folder, 'ca.pem'), authority.ca);
    const root = vscode.extensions.getExtension('analytics-studio.analytics-studio')?.extensionPath;
    assert.ok(root);
    proxy = await startProxyProcess(root, `Basic ${Buffer.from('ada:p@ss').toString('base64')}`);
    window = openHostWindow({ folder, secrets, state: new SharedState() });
    await set('http', 'proxy', proxy.url);
    await window.network.keepProxyAccount({ url: proxy.url }, { userName: 'ada', password: 'p@ss' });
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    await set('analytics.network', 'extraCaFile', undefined);
    await set('http', 'proxySupport', undefined);
  });
  after(async () => {
    if (!canMakeCertificates) return;
    await set('http', 'proxy', undefined);
    await window.close();
    await proxy.stop();
    await authority.remove();
    await rm(folder, { recursive: true, force: true });
    hostFigure(
      'R13',
      `${count.refusals} refused certificates in the extension host, ${count.tunnels} of them through a proxy`,
    );
    hostFigure('R13', `${count.bytes} body bytes sent before the check`);
  });

  async function set(section: string, key: string, value: unknown): Promise<void> {
    await vscode.workspace.getConfiguration(section).update(key, value, vscode.ConfigurationTarget.Global);
    await waitFor(`${section}.${key}`, async () => {
      const found = vscode.workspace.getConfiguration(section).inspect(key);
      return found?.globalValue === value;
    });
    window?.network.forgetRoutes();
  }

  async function serve(wish: CertificateWish): Promise<TlsServer> {
    const server = await startTlsServer(await authority.make(wish), { ErrorCode: 0 });
    cleanups.push(() => server.close());
    return server;
  }

  /** A connection to the server, through the proxy unless that is off. */
  function connect({ url }: TlsServer, isDirect: boolean): Connection {
    const apiBase = isDirect ? `${url}/api` : `https://${host}:${new URL(url).port}/api`;
    const connection = window.connections.draft({
      name: 'Reports',
      kind: 'remote',
      apiBase,
      installationId: '',
      userName: 'admin',
      isGuest: false,
    });
    cleanups.push(async () => connection.dispose());
    return connection;
  }

  async function failure(connection: Connection): Promise<ClientError> {
    try {
      await connection.signIn(account, false);
    } catch (error) {
      if (isClientError(error)) return error;
      throw error;
    }
    return assert.fail('the sign-in went out');
  }

  async function refuses(connection: Connection, server: TlsServer, reason: string, isDirect: boolean): Promise<void> {
    const [bytes, tunnels] = [server.receivedBytes(), proxy.asked.length];
    const error = await failure(connection);
    assert.equal(error.kind, 'tls', error.message);
    assert.equal(error.reason, reason, error.message);
    assert.notEqual(error.remedy, '');
    assert.ok(!`${error.message}${error.remedy}`.includes(secret));
    count.refusals += 1;
    count.bytes += server.receivedBytes() - bytes;
    assert.equal(server.receivedBytes(), bytes);
    if (isDirect) assert.equal(proxy.asked.length, tunnels);
    else {
      await waitFor('the proxy to be asked', async () => proxy.asked.length > tunnels);
      assert.equal(proxy.asked.at(-1), `CONNECT ${host}:${new URL(server.url).port}`);
      count.tunnels += 1;
    }
  }

  for (const support of proxySupports) {
    const isDirect = support === 'off';

    describe(`with http.proxySupport ${support}`, () => {
      for (const [reason, wish] of refused) {
        it(`stop at a certificate: ${reason}`, async () => {
          await set('http', 'proxySupport', support);
          if (reason === 'expired' || reason === 'wrongHost') {
            await set('analytics.network', 'extraCaFile', path.join(folder, 'ca.pem'));
          }
          const server = await serve(wish);
          await refuses(connect(server, isDirect), server, reason, isDirect);
        });
      }

      it('stop when a pinned certificate is another, even one of a known authority', async () => {
        await set('http', 'proxySupport', support);
        await set('analytics.network', 'extraCaFile', path.join(folder, 'ca.pem'));
        const server = await serve({ names, isSelfSigned: true });
        const connection = connect(server, isDirect);
        const { apiBase } = connection.entry;
        const { fingerprint, problem } = await inspectCertificate(apiBase, await window.network.routeTo(apiBase));
        assert.match(problem ?? '', /self-signed/);
        await window.network.pin(apiBase, fingerprint);
        cleanups.push(() => window.network.unpin(apiBase));
        // It is the server that refuses now, and not the connection.
        assert.equal((await failure(connection)).kind, 'malformed');
        assert.ok(server.receivedBytes() > 0);
        server.swap(await authority.make({ names }));
        await refuses(connection, server, 'certificateChanged', isDirect);
      });
    });
  }

  it('trust the authorities of the extra file, and name a file that is not there', async () => {
    const server = await serve({ names });
    await set('analytics.network', 'extraCaFile', path.join(folder, 'ca.pem'));
    assert.equal((await failure(connect(server, false))).kind, 'malformed');
    await set('analytics.network', 'extraCaFile', path.join(folder, 'gone.pem'));
    const error = await failure(connect(server, false));
    assert.equal(error.reason, 'badCertificateFile');
    assert.match(`${error.message} ${error.remedy}`, /gone\.pem.*analytics\.network\.extraCaFile/);
  });

  it('say that a proxy asks for an account', async () => {
    const server = await serve({ names });
    await window.network.keepProxyAccount({ url: proxy.url }, { userName: 'ada', password: 'wrong' });
    const error = await failure(connect(server, false));
    assert.equal(error.reason, 'proxySignIn');
    assert.equal(server.receivedBytes(), 0);
    // Without a user name it is forgotten, and nothing of it is left.
    await window.network.keepProxyAccount({ url: proxy.url }, { userName: '', password: '' });
    assert.deepEqual(
      (await secrets.keys()).filter((key) => key.startsWith('analytics.proxy.')),
      [],
    );
    await window.network.keepProxyAccount({ url: proxy.url }, { userName: 'ada', password: 'p@ss' });
  });
});
