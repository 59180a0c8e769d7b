import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnalyticsClient } from '../../../../src/client/client.ts';
import { isClientError } from '../../../../src/client/clientError.ts';
import { probeServer } from '../../../../src/client/http/probe.ts';
import { SecretVault } from '../../../../src/connections/secrets/secretVault.ts';
import { figure } from '../../../support/run/figure.ts';
import { MemorySecrets } from '../../../support/memorySecrets.ts';
import { handled, startScriptedServer, type ScriptedServer } from '../../../support/scriptedServer.ts';

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
      if (path.endsWith('GetInstallationID')) return '1111-2222-3333-4444-5555-6666';
      if (to === undefined) return [{ ID: '1' }];
      response.writeHead(Number(to), { location: `${strangerUrl}/api/Contact/GetRolesList` }).end();
      return handled;
    });
    stranger = createServer((request, response) => {
      let text = JSON.stringify(request.headers) + (request.url ?? '');
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        if (text.includes(token)) strayed += 1;
        const isAsked = request.url?.endsWith('GetInstallationID') === true;
        response.writeHead(200, { 'content-type': isAsked ? 'text/plain' : 'application/json' });
        response.end(isAsked ? '1111-2222-3333-4444-5555-7777' : '[{"ID":"1"}]');
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
    const counts = { typed: 0, toServer: 0, refused: 0, elsewhere: 0, kept: 0 };
    const secrets = new MemorySecrets();
    const vaultOf = (realm: string) => new SecretVault({ server: 'S', secrets, key: 'k', lockFile: 'none', realm });
    const base = `${server.url}/api`;
    await vaultOf(base).write({ token, timeoutMs: 1, expiresAt: new Date().toISOString(), account });
    for (const { typed, host } of lookAlikes(good, bad, port)) {
      counts.typed += 1;
      // As typed, through the search for the API, into the session that is kept for the address, to the call.
      const found = await probeServer(typed).catch((error: unknown) => {
        if (!isClientError(error)) throw error;
      });
      if (!found) {
        counts.refused += 1;
        continue;
      }
      expect(
        found.apiBase.startsWith(`http://${host === 'server' ? good : bad}/`),
        `${typed} is ${found.apiBase}`,
      ).toBe(true);
      const kept = await vaultOf(found.apiBase).read();
      if (found.apiBase === base) counts.kept += kept ? 1 : 0;
      else expect(kept, `${typed} gets what is kept for ${base}`).toBeUndefined();
      if (!kept) continue;
      const before = { server: server.requests.length, strayed };
      const client = clientOf(found.apiBase, kept.token);
      await client.call('Contact/GetRolesList', {}, { deadlineMs: 2_000 });
      await client.close();
      counts.toServer += server.requests.length - before.server;
      counts.elsewhere += strayed - before.strayed;
    }
    expect(counts).toMatchObject({ typed: 200, elsewhere: 0 });
    expect(strayed).toBe(0);
    // Some of them do name the server, or the test would say nothing.
    expect(Math.min(counts.kept, counts.toServer)).toBeGreaterThan(5);
    const { typed, toServer, refused, elsewhere } = counts;
    figure(
      'S3',
      `${typed} look-alike addresses typed, ${toServer} calls with a token to the server that they name, ${refused} refused: ${elsewhere} tokens elsewhere`,
    );
  }, 180_000);
});

/**
 * Addresses as a person might type or be sent them, with the host that each names by the rules of addresses: what stands
 * before an @ is no host, nor is what follows the first slash, backslash, question or number sign.
 */
function lookAlikes(good: string, bad: string, port: string): { typed: string; host: 'server' | 'stranger' }[] {
  const names = [
    'api',
    'login',
    '%2f',
    '%40',
    '%00',
    '..',
    '~',
    '!',
    '$',
    ';',
    '&',
    '=',
    '+',
    ',',
    '(',
    '*',
    "'",
    ':',
    '-',
    '_',
  ];
  const toServer = names.flatMap((name) => [
    `http://${good}/${name}@${bad}`,
    `http://${good}/${name}/http://${bad}`,
    `http://${good}?${name}@${bad}`,
    `http://${good}#${name}@${bad}`,
    `HTTP://${good}\\${name}@${bad}`,
    `  http://${good}/#@${bad}/${name}  `,
  ]);
  const toStranger = names.flatMap((name) => [
    `http://127.0.0.1%3A${port}@${bad}/${name}`,
    `http://user:${name.replace(':', '')}@${bad}/${good}`,
    `http://${bad}/${good}/${name}`,
    `http://${bad}?${good}=${name}`,
  ]);
  return [
    ...toServer.map((typed) => ({ typed, host: 'server' as const })),
    ...toStranger.map((typed) => ({ typed, host: 'stranger' as const })),
  ];
}
