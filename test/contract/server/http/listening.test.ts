import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../support/databases/serverProcess.ts';
import { isRecord } from '../../../support/isRecord.ts';
import { makeTlsDoor, type TlsDoor } from '../../../support/security/tlsDoor.ts';
import { startServer, type RawRequest, type ServerReply, type TestServer } from '../../../support/server.ts';
import { canMakeCertificates } from '../../../support/tls.ts';
import { serverScript } from '../../../support/serverScript.ts';

const projectRoot = path.resolve(import.meta.dirname, '..', '..', '..', '..');

function signInBody(UserId: string, UserPassword: string): string {
  return JSON.stringify({ UserId, UserPassword, isGuest: false, bolForceLogin: true });
}

describe.skipIf(!canMakeCertificates)('a server with a certificate', { timeout: 120_000 }, () => {
  let door: TlsDoor;
  let server: TestServer;
  beforeAll(async () => {
    door = await makeTlsDoor();
    server = await startServer({ door });
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await door.remove();
  });

  /** The fingerprint of the certificate that a new connection gets. */
  async function shownCertificate(): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const socket = connectTls({ host: '127.0.0.1', port: door.port, ca: door.authority.ca }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on('error', reject);
    return promise;
  }

  it('names its public URL and lets in by TLS only', async () => {
    expect(server.url).toBe(`https://127.0.0.1:${door.port}`);
    const { reply } = await server.login('admin', server.adminPassword);
    expect(reply.ErrorCode).toBe(0);
    const plain = new Promise((resolve, reject) => {
      request(`http://127.0.0.1:${door.port}/`, resolve).on('error', reject).end();
    });
    await expect(plain).rejects.toThrow();
  });

  it('answers to the host of its public URL only', async () => {
    for (const Host of ['evil.example', 'localhost', '127.0.0.1', `127.0.0.1:${door.port + 1}`]) {
      const reply = await server.send('/api/LicenseManager/GetInstallationID', { body: '{}', headers: { Host } });
      expect([reply.status, reply.text], Host).toEqual([403, `This server answers to ${server.url} only.`]);
    }
  });

  it('sends HSTS and a content policy with everything, and no proof', async () => {
    const { token } = await server.login('admin', server.adminPassword);
    const [api, page, refused, none] = await Promise.all([
      server.send('/api/LicenseManager/GetInstallationID', { body: '{}' }),
      server.send(`/sso.html?s=${token}`, { method: 'GET' }),
      server.send('/', { method: 'GET', headers: { Host: 'evil.example' } }),
      server.send('/nothing', { method: 'GET' }),
    ]);
    for (const { headers } of [api, page, refused, none]) {
      expect(headers['strict-transport-security']).toBe('max-age=31536000');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    }
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain('style-src');
    const proof = await server.send(`/local-server-proof?nonce=${'0'.repeat(64)}`, { method: 'GET' });
    expect(proof.status).toBe(404);
  });

  it('takes a renewed certificate on SIGHUP, and goes on with connections', async () => {
    const before = await shownCertificate();
    await door.renew();
    expect(await shownCertificate()).toBe(before);
    server.process.kill('SIGHUP');
    await expect.poll(shownCertificate, { timeout: 20_000 }).not.toBe(before);
    expect((await server.login('admin', server.adminPassword)).reply.ErrorCode).toBe(0);
  });

  it.each<[string, () => Promise<void>, string]>([
    ['no certificate', () => writeFile(door.certificateFile, 'nonsense'), 'does not contain a certificate'],
    ['another key', async () => writeFile(door.keyFile, (await door.authority.make()).key), 'does not belong to'],
    ['an expired certificate', () => door.renew({ days: -1 }), 'expired on'],
    ['another name', () => door.renew({ names: 'DNS:other.example' }), 'is not for 127.0.0.1'],
    ['no file', () => rm(door.keyFile), 'cannot be read'],
  ])('keeps the earlier certificate when the new one has %s, and logs why', async (_name, spoil, reason) => {
    await door.renew();
    const logged = server.log().length;
    await spoil();
    const before = await shownCertificate();
    server.process.kill('SIGHUP');
    await expect.poll(() => server.log().slice(logged), { timeout: 20_000 }).toContain(reason);
    expect(server.log().slice(logged)).toContain('The earlier certificate stays in use: ');
    expect(server.log()).not.toContain('PRIVATE');
    expect(await shownCertificate()).toBe(before);
    expect((await server.login('admin', server.adminPassword)).reply.ErrorCode).toBe(0);
  });
});

describe('a server that others would reach without encryption', () => {
  it('is refused before it touches its data', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'analytics-listen-'));
    const start = (...args: string[]) =>
      spawnSync(process.execPath, [serverScript, '--data', path.join(folder, 'data'), ...args], {
        cwd: projectRoot,
        encoding: 'utf8',
        timeout: 25_000,
      });
    const port = ['--port', String(await freePort())];
    for (const [args, reason] of [
      [['--listen', '0.0.0.0', ...port], 'would receive passwords unencrypted. Add --tls-cert and --tls-key'],
      [['--listen', '0.0.0.0', ...port, '--behind-proxy', '10.0.0.1'], 'needs --public-url'],
      [['--behind-proxy', '127.0.0.1'], 'listens on loopback only. Add --listen'],
    ] as const) {
      const { status, stderr, stdout } = start(...args);
      expect([status, stdout], args.join(' ')).toEqual([1, '']);
      expect(stderr).toContain(reason);
    }
    const files = await rm(path.join(folder, 'data'), { recursive: true }).catch((error: unknown) => String(error));
    expect(files).toContain('ENOENT');
    await rm(folder, { recursive: true });
  }, 90_000);
});

describe.runIf(process.platform === 'linux')('a server behind a proxy', { timeout: 120_000 }, () => {
  // Linux lets any address of the loopback network connect.
  const proxy = '127.0.0.2';
  let server: TestServer;
  beforeAll(async () => {
    const port = await freePort();
    server = await startServer({
      serverArgs: [
        ...['--listen', '127.0.0.1', '--port', String(port), '--public-url', 'https://analytics.example.com'],
        ...['--behind-proxy', proxy],
      ],
      reachedAt: `http://127.0.0.1:${port}`,
    });
  }, 60_000);
  afterAll(() => server.stop());

  /** What the proxy sends on for a client at `from`. */
  function through(from: string, target: string, raw: RawRequest = {}): Promise<ServerReply> {
    const forwarded = { Host: 'analytics.example.com', 'X-Forwarded-For': from, 'X-Forwarded-Proto': 'https' };
    const headers = { 'Content-Type': 'application/json', ...forwarded, ...raw.headers };
    return server.send(target, { ...raw, headers, localAddress: proxy });
  }
  const signIn = async (from: string, user: string, password: string) => {
    const { json } = await through(from, '/api/login/DoLogin', { body: signInBody(user, password) });
    return isRecord(json) ? json.ErrorCode : undefined;
  };

  it('signs in a client of the proxy, and sends HSTS', async () => {
    expect(server.url).toBe('https://analytics.example.com');
    const reply = await through('192.0.2.1', '/api/LicenseManager/GetInstallationID', { body: '{}' });
    expect(reply.text).toMatch(/^\d{4}-/);
    expect(reply.headers['strict-transport-security']).toBe('max-age=31536000');
    expect(await signIn('192.0.2.1', 'admin', server.adminPassword)).toBe(0);
  });

  it.each<[string, RawRequest]>([
    ['somebody else, whatever it says', { localAddress: '127.0.0.1' }],
    ['a client without encryption', { headers: { 'X-Forwarded-Proto': 'http' } }],
    ['a client without an address', { headers: { 'X-Forwarded-For': 'unknown' } }],
    ['a client that asked for another host', { headers: { Host: 'evil.example' } }],
    [
      'a page that names the host itself',
      { headers: { Host: 'evil.example', 'X-Forwarded-Host': 'analytics.example.com' } },
    ],
  ])('refuses %s', async (_name, { headers, localAddress = proxy }) => {
    const forwarded = { 'X-Forwarded-For': '192.0.2.1', 'X-Forwarded-Proto': 'https' };
    const reply = await server.send('/api/LicenseManager/GetInstallationID', {
      body: '{}',
      headers: { 'Content-Type': 'application/json', Host: 'analytics.example.com', ...forwarded, ...headers },
      localAddress,
    });
    expect(reply.status).toBe(403);
    expect(reply.text).not.toMatch(/^\d{4}-/);
  });

  it('locks out a client that guesses, whatever it adds to the headers, and no other', async () => {
    const guess = (index: number) => signIn(`203.0.113.${index}, 198.51.100.7`, `nobody${index}`, 'guess');
    const guesses = Array.from({ length: 30 }, (_, index) => guess(index));
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([101]));
    expect(await signIn('198.51.100.7', 'admin', server.adminPassword)).toBe(101);
    expect(await signIn('203.0.113.1, 198.51.100.7', 'admin', server.adminPassword)).toBe(101);
    expect(await signIn('198.51.100.8', 'admin', server.adminPassword)).toBe(0);
    expect(await signIn('198.51.100.7, 198.51.100.8', 'admin', server.adminPassword)).toBe(0);
  });
});
