import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { libraryItem } from '../../../../src/contract/resources/library.ts';
import { password, reportOf, canary, Scene } from '../../../support/matrix/scene.ts';
import { startServer, type ServerReply, type TestServer } from '../../../support/server.ts';
import { openBrowser } from '../../../support/vscodeHost/browser.ts';
import { hostileTexts, mark } from '../../../support/webview/hostileTexts.ts';

/* Browser entry pages: what they show to whom, and that nothing in them runs, leads out or is kept. */

let scene: Scene;
let viewer: string;
beforeAll(async () => {
  scene = await Scene.open();
  viewer = (await scene.server.login('viewer', password)).token;
}, 60_000);
afterAll(() => scene.close());

function open(path: string, server: TestServer = scene.server): Promise<ServerReply> {
  return server.send(path, { method: 'GET' });
}

/** The page's text as a person reads it, near enough. */
function read({ text }: ServerReply): string {
  return text
    .replace(/<style[^]*?<\/style>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ');
}

const embed = (id: string, token: string) => `/embed.html?t=d&i=${id}&s=${token}`;

describe('the entry pages', () => {
  it('begin with the dashboards, in the library or in the builder', async () => {
    expect(read(await open(`/sso.html?s=${viewer}`))).toContain('Dashboards North dashboard');
    const library = read(await open(`/sso.html?s=${viewer}&h=1`));
    expect(library).toContain('Public Library');
    expect(library).toMatch(/North folder North dashboard Dashboard North report DataGrid/);
    const builder = read(await open(`/sso.html?s=${viewer}&h=2`));
    expect(builder).toMatch(/North server Sales Tenant s\.tenant cha Amount s\.amount num Note s\.note cha/);
  });

  it('show a dashboard with the rows that its reports give this caller', async () => {
    const { own } = scene.tenants;
    const page = await open(embed(own.dashboardId, viewer));
    expect(page.status).toBe(200);
    expect(read(page)).toMatch(
      /North dashboard .*North report Its prompts are left out here\. Tenant Amount Note North 1 a North 2 b $/,
    );
  });

  it('draw the charts of the sample dashboards', async () => {
    const sample = await startServer({ sample: true });
    try {
      const { token } = await sample.login('admin', sample.adminPassword);
      const { json } = await sample.send('/api/library/SearchReports', {
        body: JSON.stringify({ sessionToken: token, searchstring: '' }),
      });
      const items = libraryItem.array().parse(json);
      const dashboards = items.filter(({ itemtype }) => itemtype === 0);
      expect(dashboards).toHaveLength(2);
      for (const { id, item_flags } of dashboards) {
        const { text } = await open(embed(String(id), token), sample);
        const types = [...(item_flags ?? '').matchAll(/\d+/g)].map(([report]) => {
          return items.find((item) => String(item.id) === report)?.itemtype;
        });
        expect(text.match(/<section>/g)).toHaveLength(types.length);
        // Grids and pivots are tables.
        const charts = types.filter((type) => ![1, 8, 12, 13].includes(type ?? 0));
        expect(charts.length).toBeGreaterThan(0);
        expect(text.match(/<figure>/g)).toHaveLength(charts.length);
        expect(text).not.toMatch(/NaN|Infinity|<script|<[^>]* style=/);
      }
    } finally {
      await sample.stop();
    }
  });

  it('show nobody what belongs to others', async () => {
    for (const path of ['/sso.html?', '/sso.html?h=1&', '/sso.html?h=2&']) {
      expect((await open(`${path}s=${viewer}`)).text).not.toContain(canary);
    }
    const other = await open(embed(scene.tenants.other.dashboardId, viewer));
    expect(other.status).toBe(404);
    expect(read(other)).toContain('The dashboard does not exist, or you cannot see it.');
    expect(other.text).not.toContain(canary);
    const stranger = (await scene.server.login('stranger', password)).token;
    expect(read(await open(`/sso.html?s=${stranger}`))).toContain('There is no dashboard that you can see.');
    expect(read(await open(`/sso.html?s=${stranger}&h=2`))).toContain('You have no role on an application');
  });

  it.each([
    ['without a session', ''],
    ['with an unknown one', 'unknown'],
    ['with one that is no token', '%00%ff<script>'],
  ])('say in a sentence that they were opened %s', async (_name, token) => {
    for (const path of [`/sso.html?s=${token}`, embed('1', token)]) {
      const page = await open(path);
      expect(page.status).toBe(401);
      expect(read(page)).toContain('This session has ended or is unknown. Sign in again and open the page again.');
    }
  });

  it('say so of a session that has ended', async () => {
    const session = await scene.server.login('groupAdmin', password);
    expect((await open(`/sso.html?s=${session.token}`)).status).toBe(200);
    await session.call('login/DoLogout');
    expect((await open(`/sso.html?s=${session.token}`)).status).toBe(401);
  });

  it('let a browser run and load nothing, and name no token', async () => {
    const pages = ['', '&h=1', '&h=2'].map((view) => `/sso.html?s=${viewer}${view}`);
    const nonces = new Set<string>();
    for (const path of [...pages, embed(scene.tenants.own.dashboardId, viewer)]) {
      const { headers, text } = await open(path);
      const policy = String(headers['content-security-policy']);
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
      nonces.add(nonce);
      expect(policy).toBe(
        `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors ${path.startsWith('/embed') ? '*' : "'none'"}`,
      );
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      expect(text).toContain(`<style nonce="${nonce}">`);
      expect(text).not.toMatch(/<script|<a\b|<img|<form|href=|src=|style=|\son\w+=/i);
      expect(text).not.toContain(viewer);
    }
    expect(nonces.size).toBe(4);
    expect(scene.server.log()).not.toContain(viewer);
  });

  it('answer reading alone, to their own host alone', async () => {
    const path = `/sso.html?s=${viewer}`;
    expect((await scene.server.send(path, { method: 'POST', body: '{}' })).status).toBe(405);
    expect((await scene.server.send(path, { method: 'GET', headers: { Host: 'evil.example' } })).status).toBe(403);
    const head = await scene.server.send(path, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await open(`/other.html?s=${viewer}`)).status).toBe(404);
  });

  it('lie beside the API, and in frames of allowed origins alone', async () => {
    const server = await startServer({ prefix: '/service/api', allowOrigin: 'none' });
    try {
      const { token } = await server.login('admin', server.adminPassword);
      expect((await open(`/service/sso.html?s=${token}&h=1`, server)).status).toBe(200);
      expect((await open(`/Service/SSO.html?s=${token}`, server)).status).toBe(200);
      expect((await open(`/sso.html?s=${token}`, server)).status).toBe(404);
      const { headers } = await open(`/service${embed('1', token)}`, server);
      expect(headers['content-security-policy']).toMatch(/frame-ancestors 'self'$/);
    } finally {
      await server.stop();
    }
  });
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser.close());

  it('names of folders, reports and fields stay text', async () => {
    const hostile = hostileTexts.slice(0, 60);
    const { own } = scene.tenants;
    for (const [index, text] of hostile.entries()) {
      const Reportname = `${index} ${text}`.slice(0, 200);
      const report = { ...reportOf(own, Reportname), Description: text };
      await scene.asSuperAdmin('Report/SaveReport', { report, processlinks: true });
    }
    const page = await browser.newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(`${scene.server.url}/sso.html?s=${viewer}&h=1`);
    const shown = await page.locator('main').innerText();
    expect(hostile.filter((_, index) => shown.includes(`\n${index} `)).length).toBeGreaterThan(50);
    expect(await page.locator('main :is(script, img, a, iframe, form, svg, link, base, object)').count()).toBe(0);
    expect(await page.evaluate((name) => name in globalThis, mark)).toBe(false);
    expect(requests).toEqual(['/sso.html']);
    await page.close();
  }, 60_000);
});
