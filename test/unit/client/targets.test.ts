import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
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

/** One of several servers, with sessions of two accounts. */
async function startAccounts(name: string) {
  const tokens = new Map<string, string>();
  let astray = 0;
  let logins = 0;
  const server = await startScriptedServer(({ path, body }) => {
    const isLogin = path.endsWith('login/DoLogin');
    // Passwords and tokens begin with the name of the server that they are for.
    if (!String(isLogin ? body.UserPassword : body.sessionToken).startsWith(`${name}-`)) astray += 1;
    const user = String(isLogin ? body.UserId : body.sessionToken).split('-')[isLogin ? 0 : 1] ?? '';
    if (isLogin) {
      tokens.set(user, `${name}-${user}-${++logins}`);
      // Within the tolerance: a token that is rejected has expired, and was not taken over.
      const SessionExpir = new Date(Date.now() + 25_000).toISOString();
      return {
        ErrorCode: 0,
        LoginSession: { SessionToken: tokens.get(user), SessionExpir },
        LoginUser: { LoginName: user },
      };
    }
    if (tokens.get(user) !== body.sessionToken) return { ErrorCode: 101, ErrorMessage: 'Session Expired' };
    return path.endsWith('DoLogout') ? '0' : [{ RoleId: '1', RoleName: `${user} of ${name}` }];
  });
  return { server, name, tokens, astray: () => astray, logins: () => logins };
}

describe('switching between servers and accounts', () => {
  const switches = 1000;

  it('sends no call, token or password astray', async () => {
    const servers = await Promise.all(['one', 'two', 'three'].map(startAccounts));
    const secrets = new MemorySecrets();
    const folder = await mkdtemp(path.join(tmpdir(), 'analytics-targets-'));
    const accounts = servers.flatMap(({ server, name, tokens }) =>
      ['ada', 'ben'].map((user) => {
        const apiBase = `${server.url}/api`;
        const credentials = { userName: user, password: `${name}-${user}-password`, isGuest: false };
        const lockFile = path.join(folder, `${name}-${user}.lock`);
        const client = new AnalyticsClient({
          target: { connectionId: `${name}-${user}`, name, apiBase },
          // One secret storage for all, as in the editor.
          vault: new SecretVault({ server: name, secrets, key: `session.${name}.${user}`, lockFile, realm: apiBase }),
          credentials: async () => credentials,
        });
        return { client, credentials, tokens, words: `${user} of ${name}` };
      }),
    );
    const count = { calls: 0, expiries: 0, signOuts: 0 };
    const action = fc.record({
      account: fc.constantFrom(...accounts),
      kind: fc.constantFrom('call', 'call', 'call', 'call', 'expire', 'signOut'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 8 }), async (actions) => {
        for (const { account, kind } of actions) {
          if (kind === 'expire') {
            account.tokens.set(account.credentials.userName, 'ended');
            count.expiries += 1;
          }
          if (kind === 'signOut') {
            const { session } = account.client;
            await session.signOut();
            count.signOuts += 1;
            // Nothing but the user brings it back.
            const failure = await account.client.call('Contact/GetRolesList', {}).catch((error: unknown) => error);
            expect(failure).toMatchObject({ kind: 'notSignedIn' });
            await session.signIn(account.credentials);
          }
        }
        // At once: answers of one must not end up with another either.
        await Promise.all(
          actions.map(async ({ account }) => {
            const [role] = await account.client.call('Contact/GetRolesList', {});
            expect(role?.RoleName).toBe(account.words);
            count.calls += 1;
          }),
        );
      }),
      { numRuns: switches },
    );
    const astray = servers.reduce((sum, each) => sum + each.astray(), 0);
    const logins = servers.reduce((sum, each) => sum + each.logins(), 0);
    expect(astray).toBe(0);
    expect(Math.min(count.expiries, count.signOuts)).toBeGreaterThan(100);
    figure(
      'R16',
      `${switches} random switches between ${accounts.length} accounts on ${servers.length} servers, ${count.calls} calls, ` +
        `${count.expiries} expiries, ${count.signOuts} sign-outs, ${logins} sign-ins: ${astray} calls, tokens or passwords astray`,
    );
    for (const { client } of accounts) await client.close();
    for (const { server } of servers) await server.close();
    await rm(folder, { recursive: true, force: true });
  }, 180_000);
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
    const vaultOf = (realm: string) => new SecretVault({ server: 'S', secrets, key: 'k', lockFile: 'none', realm });
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
  }, 180_000);
});
