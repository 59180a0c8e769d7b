import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ClientError } from '../../src/client/clientError.ts';
import { inspectCertificate } from '../../src/client/http/inspectCertificate.ts';
import type { ProxyTarget, TlsTarget } from '../../src/client/http/target.ts';
import { tlsProblem } from '../../src/client/http/tlsProblem.ts';
import { Transport } from '../../src/client/http/transport.ts';
import { figure } from '../support/run/figure.ts';
import { startScriptedServer } from '../support/scriptedServer.ts';
import {
  canMakeCertificates,
  makeAuthority,
  startTlsServer,
  type Authority,
  type MadeCertificate,
  type TlsServer,
} from '../support/tls.ts';
import { startProxy } from '../support/faults/tlsProxy.ts';

const secret = 'a body that must not leave';
const cleanups: (() => Promise<void>)[] = [];
let authority: Authority;
let good: MadeCertificate;
let isHttp2 = false;
/** Handshakes that had to fail, and the bytes that reached the server all the same. */
const stopped = { connections: 0, bytes: 0 };

beforeAll(async () => {
  if (!canMakeCertificates) return;
  authority = await makeAuthority();
  good = await authority.make();
});
afterAll(async () => {
  await authority?.remove();
  if (canMakeCertificates) {
    figure('R13', `${stopped.connections} refused certificates, ${stopped.bytes} body bytes sent before the check`);
  } else console.log('R13: not shown here, since there is no openssl to make certificates with');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(certificate: MadeCertificate, options = {}): Promise<TlsServer> {
  const server = await startTlsServer(certificate, { ok: true }, { ...options, isHttp2 });
  cleanups.push(() => server.close());
  return server;
}

function transportTo(url: string, tls?: TlsTarget, proxy?: ProxyTarget): Transport {
  const transport = new Transport({ connectionId: 'c', name: 'Reports', apiBase: `${url}/api`, tls, proxy });
  cleanups.push(() => transport.close());
  return transport;
}

async function post(transport: Transport, manner: 'read' | 'alone' = 'read'): Promise<string> {
  const reply = await transport.send('x', JSON.stringify({ secret }), { deadlineMs: 10_000, maxBytes: 1000, manner });
  let text = '';
  for await (const chunk of reply.body) text += Buffer.from(chunk).toString();
  return text;
}

async function failure(transport: Transport): Promise<ClientError> {
  return post(transport).then(
    () => expect.fail('the call succeeded'),
    (error: unknown) => error as ClientError,
  );
}

async function refuses(server: TlsServer, reason: string, tls?: TlsTarget, proxy?: ProxyTarget): Promise<ClientError> {
  const before = server.receivedBytes();
  const error = await failure(transportTo(server.url, tls, proxy));
  expect(error).toMatchObject({ kind: 'tls', reason, isUnsent: true, server: 'Reports' });
  expect(error.message).toContain('Untrusted connection to Reports: ');
  expect(error.remedy).not.toBe('');
  stopped.connections += 1;
  stopped.bytes += server.receivedBytes() - before;
  expect(server.receivedBytes()).toBe(before);
  return error;
}

it('are checked where the project is checked', () => {
  // Elsewhere the tests of certificates are left out, and say so.
  if (process.env.CI !== undefined) expect(canMakeCertificates).toBe(true);
});

describe.skipIf(!canMakeCertificates).each(['HTTP/1.1', 'HTTP/2'])('certificates over %s', (protocol) => {
  beforeAll(() => {
    isHttp2 = protocol === 'HTTP/2';
  });
  afterAll(() => {
    isHttp2 = false;
  });

  it('of an extra authority are trusted', async () => {
    const server = await serve(good);
    expect(await post(transportTo(server.url, { extraCa: authority.ca }))).toBe('{"ok":true}');
    expect(server.receivedBytes()).toBeGreaterThan(0);
  });

  it('are checked once while the TLS session is resumed, but a pinned one each time', async () => {
    const server = await serve(good);
    // Long enough apart that each request connects.
    let ahead = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
    const postTimes = async (transport: Transport) => {
      for (const time of [1, 2, 3]) {
        await post(transport, 'alone');
        ahead += time * 60_000;
      }
    };
    await postTimes(transportTo(server.url, { extraCa: authority.ca }));
    expect(server.resumed()).toBe(2);
    const pinnedFingerprint = new X509Certificate(good.certificate).fingerprint256;
    await postTimes(transportTo(server.url, { pinnedFingerprint }));
    expect(server.resumed()).toBe(2);
  });

  it('are checked on connections that are opened ahead, through a proxy and when pinned', async () => {
    const server = await serve(good);
    const other = await serve(await authority.make({ isSelfSigned: true }));
    const proxy = await startProxy();
    cleanups.push(() => proxy.close());
    const pinnedFingerprint = new X509Certificate(good.certificate).fingerprint256;
    for (const tls of [{ extraCa: authority.ca }, { pinnedFingerprint }]) {
      for (const through of [undefined, { url: proxy.url }]) {
        proxy.asked.length = 0;
        const transport = transportTo(server.url, tls, through);
        await transport.openAhead();
        expect(proxy.asked).toHaveLength(through ? 3 : 0);
        // Sent over one of them: no other tunnel is made.
        expect(await post(transport, 'read')).toBe('{"ok":true}');
        expect(proxy.asked).toHaveLength(through ? 3 : 0);
        const failing = transportTo(other.url, tls, through);
        await failing.openAhead();
        expect(other.receivedBytes()).toBe(0);
        expect(await failure(failing)).toMatchObject({ kind: 'tls', isUnsent: true });
        expect(other.receivedBytes()).toBe(0);
      }
    }
  });

  // Over HTTP/2 one connection is enough.
  if (protocol === 'HTTP/1.1')
    it('that a server does not show on connections opened ahead are not waited for', async () => {
      const server = await serve(good);
      const held: Socket[] = [];
      const sockets: Socket[] = [];
      const relay = createServer((near) => {
        sockets.push(near.on('error', () => undefined));
        // Only the first connection leads to the server.
        if (sockets.length > 1) return void held.push(near);
        const far = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => undefined);
        near.pipe(far).pipe(near);
      });
      await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
      cleanups.push(async () => {
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => relay.close(resolve));
      });
      const { port } = relay.address() as AddressInfo;
      const transport = transportTo(`https://127.0.0.1:${port}`, { extraCa: authority.ca });
      const read = async (path: string) => {
        const reply = await transport.send(path, '{}', { deadlineMs: 10_000, maxBytes: 1_000 });
        for await (const chunk of reply.body) expect(chunk.byteLength).toBeGreaterThan(0);
      };
      await read('x');
      const ahead = transport.openAhead();
      await vi.waitFor(() => expect(held).toHaveLength(2));
      await read('y');
      expect(sockets).toHaveLength(3);
      const since = performance.now();
      await transport.drain();
      await ahead;
      // Before the time for connecting is over.
      expect(performance.now() - since).toBeLessThan(5_000);
    });

  it.each([
    ['unknownAuthority', {}, false],
    ['selfSigned', { isSelfSigned: true }, false],
    ['expired', { days: -1 }, true],
    ['wrongHost', { names: 'DNS:other.example' }, true],
  ])('%s: stopped before a byte is sent', async (reason, wish, knowsAuthority) => {
    const server = await serve(await authority.make(wish));
    await refuses(server, reason, knowsAuthority ? { extraCa: authority.ca } : undefined);
  });

  it.runIf(process.platform === 'linux')('of an authority that the system knows are trusted', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'analytics-system-ca-'));
    cleanups.push(() => rm(folder, { recursive: true }));
    const file = path.join(folder, 'system.pem');
    await writeFile(file, authority.ca);
    const server = await serve(good);
    const script = path.resolve(import.meta.dirname, '../support/processes/postProcess.ts');
    // OpenSSL takes the system's certificates from there; they are read once for each process.
    const run = (env: NodeJS.ProcessEnv) => promisify(execFile)(process.execPath, [script, server.url], { env });
    expect((await run({ PATH: process.env.PATH })).stdout.trim()).toBe('tls unknownAuthority');
    expect((await run({ PATH: process.env.PATH, SSL_CERT_FILE: file })).stdout.trim()).toBe('ok');
  });

  it('are checked whatever the environment of the editor says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const proxy = await startProxy();
    cleanups.push(() => proxy.close());
    const server = await serve(await authority.make({ isSelfSigned: true }));
    await refuses(server, 'selfSigned');
    await refuses(server, 'selfSigned', undefined, { url: proxy.url });
    // A proxy whose own certificate nobody vouches for gets neither credentials nor a request.
    const credentials = { userName: 'ada', password: 'secret' };
    const url = server.url;
    await expect(post(transportTo('https://127.0.0.1:1', undefined, { url, credentials }))).rejects.toBeDefined();
    await expect(post(transportTo('http://127.0.0.1:1', undefined, { url, credentials }))).rejects.toBeDefined();
    await expect(inspectCertificate('https://127.0.0.1:1', { proxy: { url, credentials } })).rejects.toBeDefined();
    expect(server.receivedBytes()).toBe(0);
  });

  it('are accepted by their pinned fingerprint alone, in any spelling', async () => {
    const selfSigned = await authority.make({ isSelfSigned: true, names: 'DNS:other.example' });
    const server = await serve(selfSigned);
    const { fingerprint256 } = new X509Certificate(selfSigned.certificate);
    for (const pinnedFingerprint of [fingerprint256, fingerprint256.replaceAll(':', '').toLowerCase()]) {
      expect(await post(transportTo(server.url, { pinnedFingerprint }))).toBe('{"ok":true}');
    }
  });

  it('that change are a hard stop, even for one that an authority signed', async () => {
    const server = await serve(await authority.make({ isSelfSigned: true }));
    const { fingerprint } = await inspectCertificate(server.url);
    const tls = { pinnedFingerprint: fingerprint, extraCa: authority.ca };
    const transport = transportTo(server.url, tls);
    expect(await post(transport)).toBe('{"ok":true}');
    server.swap(good);
    const bytes = server.receivedBytes();
    const lost = await failure(transport);
    // A request may be on its way when the connection breaks.
    const refused = isHttp2 && lost.kind === 'unreachable' ? await failure(transport) : lost;
    expect(refused).toMatchObject({ kind: 'tls', reason: 'certificateChanged' });
    expect(server.receivedBytes()).toBe(bytes);
    const error = await refuses(server, 'certificateChanged', tls);
    expect(error.remedy).toMatch(/fingerprint/);
    const proxy = await startProxy();
    cleanups.push(() => proxy.close());
    await refuses(server, 'certificateChanged', tls, { url: proxy.url });
  });

  it('pins nothing when the pin is empty of digits', async () => {
    await refuses(await serve(good), 'certificateChanged', { pinnedFingerprint: 'zz', extraCa: authority.ca });
  });

  it('of the client are shown to a server that asks', async () => {
    const server = await serve(good, { requestCert: true, ca: authority.ca });
    const { certificate, key } = await authority.make();
    const tls = { extraCa: authority.ca, clientCertificate: { certificate, key } };
    expect(await post(transportTo(server.url, tls))).toBe('{"ok":true}');
    const error = await failure(transportTo(server.url, { extraCa: authority.ca }));
    // Over HTTP/1.1, Node.js breaks the connection without a reason; over HTTP/2, an alert gives it.
    const expected = isHttp2 ? { kind: 'tls', reason: 'clientCertificate' } : { kind: 'unreachable', isUnsent: false };
    expect(error).toMatchObject(expected);
    expect(tlsProblem('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')?.reason).toBe('clientCertificate');
    expect(tlsProblem('EPROTO')?.reason).toBe('handshake');
    expect(tlsProblem('CERT_REVOKED')?.reason).toBe('revoked');
    for (const code of ['INVALID_PURPOSE', 'INVALID_CA', 'PATH_LENGTH_EXCEEDED', 'CERT_SIGNATURE_FAILURE']) {
      expect(tlsProblem(code)?.reason).toBe('invalidChain');
    }
    expect(tlsProblem('INVALID_ARGUMENT')).toBeUndefined();
  });

  it('in files that cannot be read are named', async () => {
    const error = await failure(transportTo('https://127.0.0.1:1', { extraCa: 'not a certificate' }));
    expect(error).toMatchObject({ kind: 'tls', reason: 'badCertificateFile' });
  });

  it('are shown to the user without a request', async () => {
    const server = await serve(await authority.make({ names: 'DNS:reports.example,IP:127.0.0.1' }));
    const facts = await inspectCertificate(server.url);
    expect(facts).toMatchObject({
      subject: 'CN=Test Server',
      issuer: 'CN=Test CA',
      names: ['reports.example', '127.0.0.1'],
      fingerprint: expect.stringMatching(/^([\dA-F]{2}:){31}[\dA-F]{2}$/) as string,
      problem: expect.stringContaining('authority') as string,
    });
    expect(facts.validTo.getTime() - facts.validFrom.getTime()).toBe(30 * 24 * 3_600_000);
    expect((await inspectCertificate(server.url, { tls: { extraCa: authority.ca } })).problem).toBeUndefined();
    const proxy = await startProxy();
    cleanups.push(() => proxy.close());
    expect((await inspectCertificate(server.url, { proxy: { url: proxy.url } })).fingerprint).toBe(facts.fingerprint);
    expect(proxy.asked).toHaveLength(1);
    expect(server.receivedBytes()).toBe(0);
    await server.close();
    await expect(inspectCertificate(server.url)).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('are checked through a tunnel', async () => {
    const proxy = await startProxy();
    cleanups.push(() => proxy.close());
    const server = await serve(good);
    expect(await post(transportTo(server.url, { extraCa: authority.ca }, { url: proxy.url }))).toBe('{"ok":true}');
    // A second one may have been opened ahead of the next call.
    expect([...new Set(proxy.asked)]).toEqual([`CONNECT ${new URL(server.url).host}`]);
    await refuses(server, 'unknownAuthority', undefined, { url: proxy.url });
    await refuses(
      await serve(await authority.make({ names: 'DNS:other.example' })),
      'wrongHost',
      { extraCa: authority.ca },
      { url: proxy.url },
    );
    const { fingerprint256 } = new X509Certificate(good.certificate);
    const tls = { pinnedFingerprint: fingerprint256 };
    expect(await post(transportTo(server.url, tls, { url: proxy.url }))).toBe('{"ok":true}');
  });

  it.each([
    [{ refusal: 403 }, 'proxyRefused'],
    [{ token: 'Basic YWRhOnNlY3JldA==' }, 'proxySignIn'],
  ])('proxy %j: %s', async (rules, reason) => {
    const proxy = await startProxy(rules);
    cleanups.push(() => proxy.close());
    const server = await serve(good);
    const error = await failure(transportTo(server.url, { extraCa: authority.ca }, { url: proxy.url }));
    expect(error).toMatchObject({ kind: 'proxy', reason });
    expect(server.receivedBytes()).toBe(0);
    await expect(inspectCertificate(server.url, { proxy: { url: proxy.url } })).rejects.toMatchObject({ reason });
  });

  it('proxy credentials are sent to the proxy', async () => {
    const proxy = await startProxy({ token: 'Basic YWRhOnNlY3JldA==' });
    cleanups.push(() => proxy.close());
    const server = await serve(good);
    const target = { url: proxy.url, credentials: { userName: 'ada', password: 'secret' } };
    expect(await post(transportTo(server.url, { extraCa: authority.ca }, target))).toBe('{"ok":true}');
  });

  it('the value of http.proxyAuthorization opens the way, and another one does not', async () => {
    const authorization = 'Negotiate dG9rZW4=';
    const proxy = await startProxy({ token: authorization });
    cleanups.push(() => proxy.close());
    const server = await serve(good);
    const target = { url: proxy.url, authorization };
    expect(await post(transportTo(server.url, { extraCa: authority.ca }, target))).toBe('{"ok":true}');
    const wrong = { url: proxy.url, authorization: 'Negotiate b3RoZXI=' };
    const error = await failure(transportTo(server.url, { extraCa: authority.ca }, wrong));
    expect(error).toMatchObject({ kind: 'proxy', reason: 'proxySignIn', isUnsent: true });
  });
});

describe.skipIf(!canMakeCertificates)('a server behind a tunnel', () => {
  it('that answers with the status of a proxy is not taken for one: it may have done what it was asked', async () => {
    const proxy = await startProxy();
    cleanups.push(() => proxy.close());
    const server = await serve(good, { status: 407 });
    const transport = transportTo(server.url, { extraCa: authority.ca }, { url: proxy.url });
    const reply = await transport.send('x', '{}', { deadlineMs: 10_000, maxBytes: 1000 });
    expect(reply.status).toBe(407);
  });
});

describe('a proxy for http', () => {
  it('forwards, asks for credentials, and is told from the server when it is down', async () => {
    const server = await startScriptedServer(() => ({ ok: true }));
    cleanups.push(() => server.close());
    const proxy = await startProxy({ token: 'Basic YWRhOnNlY3JldA==' });
    const target = { url: proxy.url, credentials: { userName: 'ada', password: 'secret' } };
    expect(await post(transportTo(server.url, undefined, target))).toBe('{"ok":true}');
    expect(proxy.asked).toEqual([`POST ${server.url}/api/x`]);
    const error = await failure(transportTo(server.url, undefined, { url: proxy.url }));
    expect(error).toMatchObject({ kind: 'proxy', reason: 'proxySignIn' });
    await proxy.close();
    const down = await failure(transportTo(server.url, undefined, target));
    expect(down).toMatchObject({ kind: 'proxy', reason: 'proxyUnreachable' });
    expect(down.message).not.toContain('secret');
  });
});
