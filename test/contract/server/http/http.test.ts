import { gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { figure } from '../../../support/run/figure.ts';
import { startServer, type SignedIn, type TestServer } from '../../../support/server.ts';

const check = '/api/Session/CheckSession';

describe('requests and replies', () => {
  let server: TestServer;
  let admin: SignedIn;

  beforeAll(async () => {
    server = await startServer({ sample: true });
    admin = await server.login('admin', server.adminPassword);
  });
  afterAll(() => server.stop());

  const checkBody = () => JSON.stringify({ sessionToken: admin.token });

  it('names itself at its root and knows nothing else', async () => {
    const root = await server.send('/', { method: 'GET' });
    expect(root.status).toBe(200);
    expect(root.text).toContain('/api');
    expect((await server.send('/', { method: 'POST', body: '{}' })).status).toBe(405);
    expect((await server.send('/service/api/Session/CheckSession', { body: checkBody() })).status).toBe(404);
    expect((await server.send('/api', { body: '{}' })).status).toBe(404);
    expect((await server.send('/api/../api/Session/CheckSession%00', { body: '{}' })).status).toBe(404);
  });

  it('answers JSON, text and numbers with their content types', async () => {
    const object = await admin.call('Session/CheckSession');
    expect(object.headers['content-type']).toBe('application/json; charset=utf-8');
    const text = await server.send('/api/LicenseManager/GetInstallationID', {});
    expect([text.status, text.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text.text).toMatch(/^\d{4}(-\d{4}){5}$/);
    const number = await admin.call('library/DelReport', { ReportId: '999' });
    expect([number.text, number.headers['content-type']]).toEqual(['9000', 'text/plain; charset=utf-8']);
    expect(object.headers['x-content-type-options']).toBe('nosniff');
    expect(object.headers['cache-control']).toBe('no-store');
  });

  it.each([['text/plain'], ['application/x-www-form-urlencoded'], ['multipart/form-data; boundary=x'], ['']])(
    'refuses a body announced as "%s"',
    async (type) => {
      const reply = await server.send(check, { body: checkBody(), headers: { 'Content-Type': type } });
      expect(reply.status).toBe(415);
    },
  );

  it('accepts JSON with a charset and refuses other encodings', async () => {
    const send = (headers: Record<string, string>) => server.send(check, { body: checkBody(), headers });
    expect((await send({ 'Content-Type': 'application/json; charset=UTF-8' })).json).toMatchObject({ ErrorCode: 0 });
    expect((await send({ 'Content-Type': 'application/json; charset=utf-16' })).status).toBe(415);
    expect((await send({ 'Content-Encoding': 'gzip' })).status).toBe(415);
  });

  it.each([
    ['half an object', '{"sessionToken":'],
    ['text that is not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['a million brackets', '['.repeat(1_000_000)],
    ['more than a million values', `{"sessionToken":"x","many":[${'0,'.repeat(1_000_000)}0]}`],
    ['deep but valid nesting', `{"sessionToken":"x","deep":${'['.repeat(300)}${']'.repeat(300)}}`],
  ])('answers 9000 to %s and quotes nothing of it', async (_name, body) => {
    const reply = await server.send(check, { body });
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({ ErrorCode: 9000 });
    expect(reply.text).not.toContain('sessionToken');
  });

  it('does not take brackets within text for nesting', async () => {
    const body = JSON.stringify({ sessionToken: admin.token, note: `"\\${'['.repeat(1_000)}` });
    expect((await server.send(check, { body })).json).toMatchObject({ ErrorCode: 0 });
  });

  it('answers 9000 to a body that is no object', async () => {
    for (const body of ['[]', '"text"', '5', 'null', 'true']) {
      expect((await server.send(check, { body })).json, body).toMatchObject({ ErrorCode: 9000 });
    }
  });

  it('refuses a body that is too long, announced or not, and lives on', async () => {
    const announced = await server.send(check, { body: Buffer.alloc(17 * 1024 * 1024, 0x20) });
    expect(announced.status).toBe(413);
    const chunked = await chunkedStatus(`${server.url}${check}`, 17);
    expect(chunked).toBe(413);
    expect((await admin.call('Session/CheckSession')).json).toMatchObject({ ErrorCode: 0 });
  });

  it('takes no more of who signs in than a name and a password need', async () => {
    const signIn = (length: number) =>
      server.send('/api/login/DoLogin', {
        body: JSON.stringify({ UserId: 'a'.repeat(length), UserPassword: '', isGuest: false, bolForceLogin: true }),
      });
    expect((await signIn(60 * 1024)).json).toMatchObject({ ErrorCode: 101 });
    expect((await signIn(64 * 1024)).status).toBe(413);
  });

  it('compresses long replies for those who ask', async () => {
    const plain = await server.call('Contact/GetContactList', { sessionToken: admin.token });
    const packed = await gzipped(`${server.apiBase}/Contact/GetContactList`, checkBody());
    expect(packed.encoding).toBe('gzip');
    expect(packed.bytes.length).toBeLessThan(plain.text.length / 2);
    expect(gunzipSync(packed.bytes).toString()).toBe(plain.text);
    const short = await gzipped(`${server.apiBase}/Session/CheckSession`, checkBody());
    expect(short.encoding).toBeUndefined();
    const declined = await server.send('/api/Contact/GetContactList', {
      body: checkBody(),
      headers: { 'Accept-Encoding': 'gzip;q=0, br' },
    });
    expect(declined.headers['content-encoding']).toBeUndefined();
  });

  it('keeps passwords and tokens out of its log', async () => {
    await server.send('/api/login/DoLogin', { body: '{"UserId":"admin","UserPassword":"canary-password"' });
    await server.call('login/DoLogin', {
      UserId: 'nobody',
      UserPassword: 'canary-password',
      isGuest: false,
      bolForceLogin: true,
    });
    expect(server.log()).not.toContain('canary-password');
    expect(server.log()).not.toContain(server.adminPassword);
    expect(server.log()).not.toContain(admin.token);
  });

  it('refuses every host that is not its own loopback address', async () => {
    const { port } = new URL(server.url);
    const own = [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`];
    for (const host of own) {
      expect((await server.send(check, { body: checkBody(), headers: { Host: host } })).status, host).toBe(200);
    }
    const foreign = ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1:${Number(port) + 1}`];
    const lookAlike = [`127.0.0.1:${port}.evil.example`, `127.0.0.1.evil.example:${port}`, `user@127.0.0.1:${port}`];
    for (const host of [...foreign, ...lookAlike]) {
      // Not JSON: the refusal comes before anything is parsed.
      expect((await server.send(check, { body: '{', headers: { Host: host } })).status, host).toBe(403);
    }
    const refused = foreign.length + lookAlike.length;
    figure('E1', `${refused} foreign hosts: all refused before anything is parsed; ${own.length} own ones: all served`);
  });
});

describe('web origins', () => {
  let server: TestServer;
  afterEach(() => server.stop());

  const from = (origin: string, more: object = {}) =>
    server.send('/api/LicenseManager/GetInstallationID', { body: '{}', headers: { Origin: origin }, ...more });

  it('lets any origin read by default', async () => {
    server = await startServer();
    const reply = await from('https://anywhere.example');
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([200, '*']);
    const preflight = await from('https://anywhere.example', { method: 'OPTIONS', body: undefined });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Content-Type',
    });
  });

  it('refuses every origin but its own when told none', async () => {
    server = await startServer({ allowOrigin: 'none' });
    for (const origin of ['https://evil.example', 'null', 'http://localhost', 'vscode-webview://x', 'file://']) {
      expect((await from(origin)).status, origin).toBe(403);
      expect((await from(origin, { method: 'OPTIONS', body: undefined })).status, origin).toBe(403);
    }
    const own = await from(server.url);
    expect([own.status, own.headers['access-control-allow-origin']]).toEqual([200, undefined]);
    expect((await server.call('LicenseManager/GetInstallationID', {})).status).toBe(200);
  });

  it('lets one origin in when told so', async () => {
    server = await startServer({ allowOrigin: 'https://app.example', prefix: '/service/api' });
    const send = (origin: string) =>
      server.send('/Service/API/licensemanager/getinstallationid', { body: '{}', headers: { Origin: origin } });
    const good = await send('https://app.example');
    expect(good.status).toBe(200);
    expect(good.headers).toMatchObject({ 'access-control-allow-origin': 'https://app.example', vary: 'Origin' });
    expect((await send('https://app.example.evil.example')).status).toBe(403);
    expect((await send('http://app.example')).status).toBe(403);
  });
});

/** Sends so many megabytes without saying beforehand how many, and gives the status of the reply. */
function chunkedStatus(url: string, megabytes: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method: 'POST', agent: false, headers: { 'Content-Type': 'application/json' } },
      (response) => {
        resolve(response.statusCode ?? 0);
        response.resume();
      },
    );
    outgoing.on('error', reject);
    for (let sent = 0; sent < megabytes; sent += 1) outgoing.write(Buffer.alloc(1024 * 1024, 0x20));
    outgoing.end();
  });
}

function gzipped(url: string, body: string): Promise<{ encoding: string | undefined; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Accept-Encoding': 'gzip' };
    const outgoing = request(url, { method: 'POST', agent: false, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ encoding: response.headers['content-encoding'], bytes: Buffer.concat(chunks) }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
