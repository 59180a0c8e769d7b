import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { figure } from '../../../support/run/figure.ts';
import { hostilePage } from '../../../support/workbench/hostilePage.ts';
import { type SignedIn, startServer, type TestServer } from '../../../support/server.ts';
import { openBrowser } from '../../../support/vscodeHost/browser.ts';

/*
 * What a page of the web can do to the server from a real browser on the same machine. It knows the right password, and a
 * sign-in would end the administrator's session: that this session lives on proves that nothing was carried out.
 */

const attempts = z.array(z.object({ name: z.string(), text: z.string(), why: z.string().optional() }));
/** Names that lead to this machine, as those of a page that has rebound its name do. */
const hostileNames = ['evil.example', 'rebound.example'];
let browser: Browser;
let site: Server;
let page: string;

beforeAll(async () => {
  const rules = hostileNames.map((name) => `MAP ${name} 127.0.0.1`).join(', ');
  // What newer browsers do of themselves against such pages is turned off: the server must not need it.
  const unaided = '--disable-features=LocalNetworkAccessChecks,PrivateNetworkAccessRespectPreflightResults';
  browser = await openBrowser([`--host-resolver-rules=${rules}`, unaided]);
  site = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end(page);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
}, 600_000);

afterAll(async () => {
  await browser.close();
  await new Promise((resolve) => site.close(resolve));
});

/** One answer of the server to something that a page did. */
interface Seen {
  method: string;
  path: string;
  status: number;
}

/** Visits `address` with a page that attacks `target`; tells what it read and what the server answered. */
async function visit(server: TestServer, address: string, prepare?: (visitor: Page) => Promise<unknown>) {
  const visitor = await browser.newPage();
  try {
    const { port } = new URL(server.url);
    const sent = new Map<string, { method: string; url: URL }>();
    const answered: { requestId: string; status: number }[] = [];
    const network = await visitor.context().newCDPSession(visitor);
    network.on('Network.requestWillBeSent', ({ requestId, request }) => {
      sent.set(requestId, { method: request.method, url: new URL(request.url) });
    });
    // The two may come in either order.
    network.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
      answered.push({ requestId, status: statusCode });
    });
    await network.send('Network.enable');
    await prepare?.(visitor);
    await visitor.goto(address);
    const read = attempts.parse(await visitor.evaluate('attack()'));
    const seen = answered.flatMap(({ requestId, status }): Seen[] => {
      const { method, url } = sent.get(requestId) ?? {};
      return method !== undefined && url?.port === port ? [{ method, path: url.pathname, status }] : [];
    });
    return { read, seen };
  } finally {
    await visitor.close();
  }
}

describe('a page of the web', () => {
  let server: TestServer;
  let admin: SignedIn;
  let body: string;
  const sitePort = () => {
    const address = site.address();
    return typeof address === 'object' && address ? address.port : 0;
  };

  const start = async (allowOrigin: string) => {
    server = await startServer({ allowOrigin });
    admin = await server.login('admin', server.adminPassword);
    const target = `${server.apiBase}/login/DoLogin`;
    const login = { UserId: 'admin', UserPassword: server.adminPassword, isGuest: false, bolForceLogin: true };
    body = JSON.stringify(login);
    page = hostilePage(target, body);
  };
  const isAdminSignedIn = async () => {
    const { json } = await admin.call('Session/CheckSession');
    return z.looseObject({ ErrorCode: z.number() }).parse(json).ErrorCode === 0;
  };
  afterEach(() => server.stop());

  it('cannot call or read a server that the extension has started', async () => {
    await start('none');
    const answers: Seen[] = [];
    const hosts = ['evil.example', 'localhost', '127.0.0.1'];
    let ways = 0;
    for (const host of hosts) {
      const { read, seen } = await visit(server, `http://${host}:${sitePort()}/`);
      for (const { name, text } of read) expect(text, `${name} from ${host}`).toBe('');
      ways = read.length;
      answers.push(...seen);
      expect(await isAdminSignedIn(), host).toBe(true);
    }
    const sent = answers.filter(({ method }) => method !== 'GET');
    // Each host: preflights, requests that need none, three forms, two beacons.
    expect(sent.length).toBeGreaterThanOrEqual(hosts.length * 12);
    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 403));
    // Frames, scripts and pictures say no origin; they get what nobody needs a session for.
    const got = answers.filter(({ method }) => method === 'GET');
    expect(got.length).toBeGreaterThanOrEqual(hosts.length * 4);
    for (const { path, status } of got) expect([401, 403, 405], path).toContain(status);
    expect((await server.login('admin', server.adminPassword)).token).not.toBe('');
    const words = `${ways} ways of a page in Chromium from ${hosts.length} hosts: nothing read, nothing carried out`;
    figure('E1', `${words}, ${sent.length} of ${sent.length} posts and preflights refused`);
  }, 120_000);

  it('cannot call it by a name that it has rebound to this machine', async () => {
    await start('none');
    const { port } = new URL(server.url);
    const address = `http://rebound.example:${port}`;
    page = hostilePage(`${address}/api/login/DoLogin`, body);
    const { read, seen } = await visit(server, `${address}/`, (visitor) =>
      // The page came from its own server before the name led here.
      visitor.route(`${address}/`, (route) => route.fulfill({ contentType: 'text/html', body: page })),
    );
    for (const { name, text } of read) {
      expect(['', 'This server answers to its loopback address only.'], name).toContain(text);
    }
    const here = seen.filter(({ path }) => path !== '/');
    expect(here.length).toBeGreaterThanOrEqual(15);
    for (const { method, path, status } of here) expect(status, `${method} ${path}`).toBe(403);
    expect(await isAdminSignedIn()).toBe(true);
    figure('E1', `a rebound name in Chromium: ${here.length} of ${here.length} requests refused`);
  }, 120_000);

  it('can do so where every origin may call, as JSON only', async () => {
    await start('*');
    const { read } = await visit(server, `http://evil.example:${sitePort()}/`);
    const done = read.filter(({ text }) => text.includes('SessionToken')).map(({ name }) => name);
    expect(done).toEqual(['fetch of JSON']);
    expect(await isAdminSignedIn()).toBe(false);
  }, 120_000);
});
