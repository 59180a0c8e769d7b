import fc from 'fast-check';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnalyticsClient } from '../../../src/client/client.ts';
import { isClientError } from '../../../src/client/clientError.ts';
import { SecretVault } from '../../../src/connections/secretVault.ts';
import { figure } from '../../support/figure.ts';
import { MemorySecrets } from '../../support/memorySecrets.ts';
import { handled, startScriptedServer, type ScriptedServer } from '../../support/scriptedServer.ts';

const account = {
  userId: '1',
  loginName: 'ada',
  fullName: '',
  isAdmin: true,
  isGuest: false,
  productVersion: '',
};

function clientOf(apiBase: string, token: string): AnalyticsClient {
  const session = {
    token,
    timeoutMs: 1_200_000,
    expiresAt: new Date(Date.now() + 1_200_000).toISOString(),
    account,
  };
  return new AnalyticsClient({
    target: { connectionId: token, name: token, apiBase },
    vault: { read: async () => session, write: async () => undefined, withLock: (work) => work() },
    credentials: async () => undefined,
  });
}

describe('switching between servers and accounts', () => {
  const switches = 1000;

  it('sends no call astray', async () => {
    const names = ['one', 'two', 'three'];
    const servers = await Promise.all(names.map(() => startScriptedServer(() => [{ ID: '1' }])));
    // Two accounts on each server.
    const clients = servers.flatMap((server, index) =>
      ['ada', 'ben'].map((user) => ({
        server,
        user,
        client: clientOf(`${server.url}/api`, `${names[index]}-${user}`),
      })),
    );
    let astray = 0;
    let calls = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: clients.length - 1 }), { minLength: 1, maxLength: 8 }), async (order) => {
        for (const server of servers) server.requests.length = 0;
        // At once: answers of one must not end up with another either.
        await Promise.all(order.map(async (index) => clients[index]?.client.call('Contact/GetRolesList', {})));
        calls += order.length;
        servers.forEach((server, index) => {
          const wanted = order.filter((chosen) => clients[chosen]?.server === server).length;
          expect(server.requests).toHaveLength(wanted);
          astray += server.requests.filter(
            ({ body }) => !String(body.sessionToken).startsWith(`${names[index]}-`),
          ).length;
        });
      }),
      { numRuns: switches },
    );
    expect(astray).toBe(0);
    figure(
      'R16',
      `${switches} random switches between ${clients.length} accounts on 3 servers, ${calls} calls: ${astray} astray`,
    );
    for (const { client } of clients) await client.close();
    for (const server of servers) await server.close();
  }, 60_000);
});

describe('the token', () => {
  const token = 'token-that-must-not-leave';
  let server: ScriptedServer;
  let stranger: Server;
  let strangerUrl: string;
  let strayed = 0;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    server = await startScriptedServer(({ path }, response) => {
      const to = /\/redirect\/(\d+)\//.exec(path)?.[1];
      if (to === undefined) return [{ ID: '1' }];
      response.writeHead(Number(to), { location: `${strangerUrl}/api/Contact/GetRolesList` }).end();
      return handled;
    });
    stranger = createServer((request, response) => {
      let text = JSON.stringify(request.headers) + (request.url ?? '');
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        if (text.includes(token)) strayed += 1;
        response.writeHead(200, { 'content-type': 'application/json' }).end('[{"ID":"1"}]');
      });
    });
    stranger.on('connection', (socket) => sockets.add(socket));
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    strangerUrl = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await server.close();
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => void stranger.close(() => resolve()));
  });

  it('follows no redirect', async () => {
    let redirects = 0;
    for (const status of [300, 301, 302, 303, 305, 307, 308]) {
      const client = clientOf(`${server.url}/redirect/${status}/api`, token);
      await expect(client.call('Contact/GetRolesList', {})).rejects.toMatchObject({ kind: 'notTheApi' });
      await client.close();
      redirects += 1;
    }
    expect(strayed).toBe(0);
    figure('S3', `${redirects} kinds of redirect: ${strayed} tokens elsewhere`);
  });

  it('goes to the host that an address names, however much it looks like another', async () => {
    const { host: good, port } = new URL(server.url);
    const { host: bad } = new URL(strangerUrl);
    const marks = [
      '@',
      '%40',
      '#',
      '?',
      '\\',
      '/',
      '%2f',
      ';',
      '&',
      '//',
      '/@',
      ':@',
      '%00',
      '%09',
      '.',
      '..',
      '/..',
      '~',
      '!',
      '$',
    ];
    const looks = marks.flatMap((mark) => [
      `http://${good}${mark}${bad}/api`,
      `http://${good}/${mark}${bad}/api`,
      `http://${good}/api${mark}@${bad}`,
      `http://${good}/api/${mark}/${bad}`,
      `http://${good}/${mark}/http://${bad}/api`,
      `http://127.0.0.1${mark}:${port}@${bad}/api`,
      `http://user${mark}x@${good}/${bad}`,
      `HTTP://${good}/api?${mark}=${bad}`,
      `http://${good}/api#${mark}${bad}`,
      `http://LOCALHOST:${port}/${mark}${bad}`,
    ]);
    expect(looks.length).toBe(200);
    const secrets = new MemorySecrets();
    const vaultOf = (realm: string) => new SecretVault({ secrets, key: 'k', lockFile: 'none', realm });
    const kept = vaultOf(`${server.url}/api`);
    await kept.write({ token, timeoutMs: 1, expiresAt: new Date().toISOString(), account });
    expect(await kept.read()).toMatchObject({ token });
    let elsewhere = 0;
    for (const address of looks) {
      // What is kept for one address is given out for no other.
      if (await vaultOf(address).read()) elsewhere += 1;
      const before = strayed;
      // The origin that the address stands for, by the one parser that decides: a token goes there or nowhere.
      const origin = URL.canParse(address) ? new URL(address).origin : undefined;
      if (origin === undefined) {
        expect(() => clientOf(address, token)).toThrow();
        continue;
      }
      const client = clientOf(address, token);
      await client.call('Contact/GetRolesList', {}, { deadlineMs: 2_000 }).catch((error: unknown) => {
        if (!isClientError(error)) throw error;
      });
      await client.close();
      if (strayed > before && origin !== new URL(strangerUrl).origin) elsewhere += 1;
    }
    expect(elsewhere).toBe(0);
    figure(
      'S3',
      `${looks.length} look-alike addresses: ${elsewhere} tokens given out for them, or sent to another origin than they name`,
    );
  }, 60_000);
});
