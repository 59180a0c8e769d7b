import fc from 'fast-check';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { AnalyticsClient } from '../../../src/client/client.ts';
import { runReport } from '../../../src/client/runReport.ts';
import type {
  Credentials,
  SessionState,
  SessionVault,
  StoredSession,
} from '../../../src/client/session/sessionState.ts';
import { figure } from '../../support/run/figure.ts';
import { handled, startScriptedServer, type Script, type ScriptedServer } from '../../support/scriptedServer.ts';
import { unwatched } from '../../support/testClient.ts';

const password = 'correct horse';
const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A vault in memory; the lock is a queue. */
function memoryVault(): SessionVault & { stored: StoredSession | undefined } {
  let queue: Promise<unknown> = Promise.resolve();
  return {
    stored: undefined,
    async read() {
      return this.stored;
    },
    async write(session) {
      this.stored = session;
    },
    withLock<T>(work: () => Promise<T>): Promise<T> {
      const run = queue.then(work, work);
      queue = run.catch(() => undefined);
      return run;
    },
  };
}

/** Sign-in as the API answers it, with sessions of twenty minutes. */
class Accounts {
  token = '';
  logins = 0;
  lengthMs = 20 * 60_000;

  answer(path: string, body: Record<string, unknown>): unknown {
    if (path.endsWith('login/DoLogin')) {
      if (body.UserPassword !== password) {
        return { ErrorCode: 101, ErrorMessage: 'Login Failed - Username or Password is invalid.', LoginSession: null };
      }
      this.logins += 1;
      this.token = `token-${this.logins}`;
      const expires = new Date(Date.now() + this.lengthMs).toISOString();
      return {
        ErrorCode: 0,
        LoginSession: { SessionToken: this.token, SessionExpir: expires },
        LoginUser: { ID: '7', LoginName: 'ada', FullName: 'Ada, Byron' },
      };
    }
    if (body.sessionToken !== this.token) return { ErrorCode: 101, ErrorMessage: 'Session Expired' };
    if (path.endsWith('Session/CheckSession')) return { ErrorCode: 0, SessionToken: this.token };
    return handled;
  }
}

async function start(script: Script): Promise<ScriptedServer> {
  const server = await startScriptedServer(script);
  cleanups.push(() => server.close());
  return server;
}

function connect(
  server: ScriptedServer,
  vault: SessionVault = memoryVault(),
  credentials: () => Credentials | undefined = () => ({ userName: 'ada', password, isGuest: false }),
): AnalyticsClient {
  const client = new AnalyticsClient({
    target: { connectionId: 'c', name: 'Test Server', apiBase: `${server.url}/api` },
    vault,
    credentials: async () => credentials(),
  });
  cleanups.push(() => client.close());
  return client;
}

/** A run in which the token dies: what is read, before which request it dies, and how that looks. */
interface Killing {
  reads: ('Contact/GetRolesList' | 'Contact/GetContactList')[];
  killAt: number;
  form: 'empty list' | '204' | '101';
  isShort: boolean;
  areAtOnce: boolean;
}

/** A server with accounts whose other endpoints answer by `reply`. */
function withAccounts(accounts: Accounts, reply: Script): Script {
  return (request, response) => {
    const answer = accounts.answer(request.path, request.body);
    return answer === handled ? reply(request, response) : answer;
  };
}

describe('a connection of a database', () => {
  it('is tried once, however the reply breaks: its account may lock', async () => {
    const broken: Script = (_request, response) => {
      response.destroy();
      return handled;
    };
    const server = await start(withAccounts(new Accounts(), broken));
    const client = connect(server);
    const tried = client.call('RegServers/TestConnection', { regserver: {} });
    await expect(tried).rejects.toMatchObject({ kind: 'unreachable' });
    expect(server.count('RegServers/TestConnection')).toBe(1);
    await expect(client.call('Contact/GetRolesList', {})).rejects.toMatchObject({ kind: 'unreachable' });
    expect(server.count('Contact/GetRolesList')).toBe(3);
  });
});

describe('signing in', () => {
  it('signs in once for any number of calls', async () => {
    const server = await start(withAccounts(new Accounts(), () => [{ RoleId: '1' }]));
    const client = connect(server);
    await Promise.all(Array.from({ length: 200 }, () => client.call('Contact/GetRolesList', {})));
    expect(server.count('login/DoLogin')).toBe(1);
  });

  it('signs in once for several clients that share a vault', async () => {
    const server = await start(withAccounts(new Accounts(), () => [{ RoleId: '1' }]));
    const vault = memoryVault();
    const clients = Array.from({ length: 5 }, () => connect(server, vault));
    await Promise.all(
      clients.flatMap((client) => Array.from({ length: 40 }, () => client.call('Contact/GetRolesList', {}))),
    );
    expect(server.count('login/DoLogin')).toBe(1);
  });

  it('never sends a rejected password twice', async () => {
    const server = await start(withAccounts(new Accounts(), () => []));
    const client = connect(server, memoryVault(), () => ({ userName: 'ada', password: 'wrong', isGuest: false }));
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => client.call('Contact/GetRolesList', {})));
    expect(results.map((result) => result.status === 'rejected' && (result.reason as Error).message)).toEqual(
      Array.from({ length: 50 }, () => expect.stringMatching(/refused|rejected/) as string),
    );
    await expect(client.call('Contact/GetRolesList', {})).rejects.toMatchObject({ kind: 'signInRefused' });
    expect(server.count('login/DoLogin')).toBe(1);
    expect(JSON.stringify(client.session.state)).not.toContain('wrong');
    figure('R10', '50 concurrent calls with a wrong password: 1 DoLogin');
  });

  it('has a rejected password forgotten, so that no other window and no later start sends it', async () => {
    const server = await start(withAccounts(new Accounts(), () => []));
    const vault = memoryVault();
    let kept: Credentials | undefined = { userName: 'ada', password: 'wrong', isGuest: false };
    const window = () =>
      new AnalyticsClient({
        target: { connectionId: 'c', name: 'Test Server', apiBase: `${server.url}/api` },
        vault,
        credentials: async () => kept,
        forgetRejected: async ({ password: rejected }) => {
          if (kept?.password === rejected) kept = undefined;
        },
      });
    const windows = Array.from({ length: 5 }, window);
    cleanups.push(async () => void (await Promise.all(windows.map((client) => client.close()))));
    const calls = await Promise.allSettled(windows.map((client) => client.call('Contact/GetRolesList', {})));
    expect(calls.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'));
    expect(server.count('login/DoLogin')).toBe(1);
    expect(kept).toBeUndefined();
    figure('R10', '5 windows with a wrong password kept: 1 DoLogin');
  });

  it('keeps a password that a server in trouble did not take', async () => {
    const server = await start(() => ({ ErrorCode: 9001, ErrorMessage: 'The directory is down.' }));
    let forgotten = 0;
    const client = new AnalyticsClient({
      target: { connectionId: 'c', name: 'Test Server', apiBase: `${server.url}/api` },
      vault: memoryVault(),
      credentials: async () => ({ userName: 'ada', password, isGuest: false }),
      forgetRejected: async () => void (forgotten += 1),
    });
    cleanups.push(() => client.close());
    await expect(client.call('Contact/GetRolesList', {})).rejects.toMatchObject({ kind: 'signInRefused' });
    expect(forgotten).toBe(0);
  });

  it('signs in once, and says so once, where the editor cannot keep the session', async () => {
    const accounts = new Accounts();
    const server = await start(withAccounts(accounts, () => [{ RoleId: '1' }]));
    const vault = { ...memoryVault(), write: () => Promise.reject(new Error('no keyring')) };
    const client = connect(server, vault);
    await expect(client.call('Contact/GetRolesList', {})).rejects.toThrow(
      /Test Server accepted the sign-in, but.*no keyring/,
    );
    expect(client.session.state.kind).toBe('active');
    for (let call = 0; call < 3; call++) await client.call('Contact/GetRolesList', {});
    expect(server.count('login/DoLogin')).toBe(1);
  });

  it('shows no token and no password that a server quotes in a refusal', async () => {
    const quoting = (body: Record<string, unknown>) => ({
      ErrorCode: 9001,
      ErrorMessage: `Bad: ${JSON.stringify(body)}`,
    });
    const accounts = new Accounts();
    const server = await start(withAccounts(accounts, ({ body }) => quoting(body)));
    const client = connect(server);
    const refused: unknown = await client.call('Contact/NewContact', {}).catch((error: unknown) => error);
    expect(refused).toMatchObject({ kind: 'refused', message: expect.stringContaining('Bad:') as string });
    expect(inspect(refused, { depth: 9 })).not.toContain(accounts.token);
    const other = connect(await start(({ body }) => quoting(body)));
    const noSession: unknown = await other.call('Contact/NewContact', {}).catch((error: unknown) => error);
    expect(noSession).toMatchObject({ kind: 'signInRefused' });
    expect(inspect(noSession, { depth: 9 }) + JSON.stringify(other.session.state)).not.toContain(password);
  });

  it('shows no token that a server quotes while a report arrives, wherever a chunk ends', async () => {
    const accounts = new Accounts();
    const replies = (token: string) => [
      JSON.stringify({ HasError: true, ErrorMessage: `Bad: ${token}`, Data: [] }),
      JSON.stringify({ Columns: [], Data: [{ a: `x${token}${token}y` }], Note: token }),
      `{"Data":[{"a":1}],"x": ${token}`,
      `${token} is no session`,
      JSON.stringify([token]),
      JSON.stringify({ ErrorCode: 9001, ErrorMessage: token }),
    ];
    let reply = 0;
    let size = 1;
    const server = await start(
      withAccounts(accounts, async (_request, response) => {
        const bytes = Buffer.from(replies(accounts.token)[reply] ?? '');
        response.writeHead(200, { 'content-type': 'application/json' });
        for (let at = 0; at < bytes.length; at += size) {
          response.write(bytes.subarray(at, at + size));
          await new Promise((resolve) => setImmediate(resolve));
        }
        response.end();
        return handled;
      }),
    );
    const client = connect(server);
    let shown = 0;
    for (reply = 0; reply < replies('').length; reply++) {
      for (size of [5, 7, 10_000]) {
        const running = await runReport(client, { Reportobj: {}, Prompts: [] } as never);
        const outcome = await running.done;
        const { store } = running;
        const cells = inspect(store.window(0, store.rowCount), { depth: 9 });
        expect(inspect(outcome, { depth: 9 }) + inspect(store.envelope, { depth: 9 }) + cells).not.toContain(
          accounts.token,
        );
        shown += 1;
      }
    }
    figure('S1', `${shown} report replies that quote the token: 0 shown`);
  });

  it('asks the user when no credentials are kept', async () => {
    const server = await start(withAccounts(new Accounts(), () => []));
    const client = connect(server, memoryVault(), () => undefined);
    await expect(client.call('Contact/GetRolesList', {})).rejects.toMatchObject({ kind: 'notSignedIn' });
    expect(server.requests).toHaveLength(0);
  });

  it('tells of every change of state and forgets everything on signing out', async () => {
    const server = await start(withAccounts(new Accounts(), () => '0'));
    const vault = memoryVault();
    const client = connect(server, vault);
    const states: SessionState['kind'][] = [];
    client.session.onDidChange((state) => states.push(state.kind));
    await client.session.signIn({ userName: 'ada', password, isGuest: false });
    await client.session.signOut();
    expect(states).toEqual(['signingIn', 'active', 'signedOut']);
    expect(vault.stored).toBeUndefined();
    expect(server.count('login/DoLogout')).toBe(1);
  });
});

describe('signing out', () => {
  it('ends a sign-in under way, which does not bring the session back', async () => {
    let answer: (() => void) | undefined;
    const accounts = new Accounts();
    const server = await start(async (request) => {
      if (!request.path.endsWith('login/DoLogin')) return '0';
      await new Promise<void>((resolve) => (answer = resolve));
      return accounts.answer(request.path, request.body);
    });
    const vault = memoryVault();
    let isSignedOut = false;
    const client = connect(server, vault, () =>
      isSignedOut ? undefined : { userName: 'ada', password, isGuest: false },
    );
    const signIn = client.session
      .signIn({ userName: 'ada', password, isGuest: false })
      .catch((error: unknown) => error);
    const call = client.call('Contact/GetRolesList', {}).catch((error: unknown) => error);
    await expect.poll(() => server.count('login/DoLogin'), { interval: 1 }).toBe(1);
    isSignedOut = true;
    await client.session.signOut();
    answer?.();
    expect(await signIn).toMatchObject({ kind: 'cancelled' });
    expect(await call).toMatchObject({ kind: expect.stringMatching(/cancelled|notSignedIn/) as string });
    expect(vault.stored).toBeUndefined();
    expect(client.session.state).toEqual({ kind: 'signedOut' });
    expect(server.count('login/DoLogin')).toBe(1);
  });

  it('waits for the sign-in of another window, and ends the session that comes of it', async () => {
    const accounts = new Accounts();
    const server = await start(withAccounts(accounts, () => '0'));
    const vault = memoryVault();
    const client = connect(server, vault);
    const held = Promise.withResolvers<void>();
    const other = vault.withLock(async () => {
      await held.promise;
      await connect(server, { ...memoryVault(), write: (session) => vault.write(session) }).session.signIn({
        userName: 'ada',
        password,
        isGuest: false,
      });
    });
    const signedOut = client.session.signOut();
    held.resolve();
    await Promise.all([other, signedOut]);
    expect(vault.stored).toBeUndefined();
    expect(server.requests.at(-1)).toMatchObject({ body: { sessionToken: accounts.token } });
    expect(server.count('login/DoLogout')).toBe(1);
  });
});

describe('a session that another window keeps alive', () => {
  it('is used past the time known here, without a sign-in', async () => {
    const accounts = new Accounts();
    const server = await start(withAccounts(accounts, () => [{ RoleId: '1' }]));
    const vault = memoryVault();
    const first = connect(server, vault);
    await first.call('Contact/GetRolesList', {});
    const live = vault.stored;
    if (!live) throw new Error('The session was not stored.');
    vault.stored = { ...live, expiresAt: new Date(Date.now() - 1).toISOString() };
    const second = connect(server, vault, () => undefined);
    await second.session.restore();
    vault.stored = live;
    await expect(second.call('Contact/GetRolesList', {})).resolves.toHaveLength(1);
    expect(server.count('login/DoLogin')).toBe(1);
  });
});

describe('a rejected token', () => {
  it('is renewed once when it expired', async () => {
    const accounts = new Accounts();
    const server = await start(withAccounts(accounts, () => [{ RoleId: '1' }]));
    const vault = memoryVault();
    vault.stored = {
      token: 'old',
      timeoutMs: 1_200_000,
      expiresAt: new Date(Date.now() + 5_000).toISOString(),
      account: { userId: '7', loginName: 'ada', fullName: '', isAdmin: false, isGuest: false, productVersion: '' },
    };
    const client = connect(server, vault);
    await client.session.restore();
    await Promise.all(Array.from({ length: 30 }, () => client.call('Contact/GetRolesList', {})));
    expect(server.count('login/DoLogin')).toBe(1);
  });

  it('that dies before its time is not fought over', async () => {
    const accounts = new Accounts();
    const server = await start(withAccounts(accounts, () => [{ RoleId: '1' }]));
    const client = connect(server);
    await client.call('Contact/GetRolesList', {});
    accounts.token = 'taken by another program';
    await expect(client.call('Contact/GetRolesList', {})).rejects.toMatchObject({ kind: 'takenOver' });
    await expect(client.call('Contact/GetRolesList', {})).rejects.toMatchObject({ kind: 'takenOver' });
    expect(client.session.state.kind).toBe('takenOver');
    expect(server.count('login/DoLogin')).toBe(1);
  });

  it('is told from a missing permission behind an empty reply', async () => {
    const server = await start(withAccounts(new Accounts(), () => undefined));
    const client = connect(server);
    await expect(client.call('Group/GetSecurityGroupById', { GroupId: '1' })).rejects.toMatchObject({
      kind: 'noPermission',
    });
    expect(server.count('login/DoLogin')).toBe(1);
    expect(server.count('Session/CheckSession')).toBe(1);
  });

  it('is not suspected by many calls that are denied', async () => {
    const server = await start(withAccounts(new Accounts(), () => undefined));
    const client = connect(server);
    await client.session.signIn({ userName: 'ada', password, isGuest: false });
    const call = () => client.call('Group/GetSecurityGroupById', { GroupId: '1' }).catch((error: unknown) => error);
    const errors = await Promise.all(Array.from({ length: 50 }, call));
    for (const error of errors) expect(error).toMatchObject({ kind: 'noPermission' });
    const again = server.count('login/DoLogin') - 1;
    expect(again).toBeLessThanOrEqual(1);
    figure('R10', `50 concurrent calls to a denied object: ${again} sign-ins after the first`);
  });

  it('at any step leads to no wrong conclusion', async () => {
    const runs = 1000;
    let accounts = new Accounts();
    let plan = { killAt: 0, form: 'empty list' };
    let requests = 0;
    let killed = 0;
    const server = await start(({ path, body }) => {
      requests += 1;
      if (requests === plan.killAt && accounts.token !== '') {
        accounts.token = 'ended';
        killed += 1;
      }
      const answer = accounts.answer(path, body);
      if (answer === handled) return path.endsWith('GetRolesList') ? [{ RoleId: '1' }] : [];
      if (/DoLogin|CheckSession/.test(path) || plan.form === '101') return answer;
      // A rejected token looks like an empty list, or like no permission.
      return plan.form === 'empty list' ? [] : undefined;
    });
    const outcomes = { read: 0, takenOver: 0 };
    const path = fc.constantFrom<Killing['reads'][number]>('Contact/GetRolesList', 'Contact/GetContactList');
    const killing = fc.record<Killing>({
      reads: fc.array(path, { minLength: 1, maxLength: 6 }),
      killAt: fc.integer({ min: 2, max: 12 }),
      form: fc.constantFrom('empty list', '204', '101'),
      // A short session has plainly expired and is renewed; a long one was taken over, which the user must hear.
      isShort: fc.boolean(),
      areAtOnce: fc.boolean(),
    });
    const play = async ({ reads: paths, isShort, areAtOnce, ...wish }: Killing) => {
      accounts = new Accounts();
      if (isShort) accounts.lengthMs = 20_000;
      requests = 0;
      plan = wish;
      const client = connect(server);
      const read = async (endpoint: (typeof paths)[number]) => {
        const reply: unknown = await client.call(endpoint, {}).catch((error: unknown) => error);
        // There is one role and nobody: anything else must be the truth about the session.
        if (Array.isArray(reply)) {
          expect(reply).toHaveLength(endpoint === 'Contact/GetRolesList' ? 1 : 0);
          outcomes.read += 1;
        } else {
          expect(isShort).toBe(false);
          expect(reply).toMatchObject({ kind: 'takenOver' });
          expect(requests).toBeGreaterThanOrEqual(wish.killAt);
          outcomes.takenOver += 1;
        }
      };
      if (areAtOnce) await Promise.all(paths.map(read));
      else for (const each of paths) await read(each);
      expect(accounts.logins).toBeLessThanOrEqual(isShort ? 2 : 1);
      await client.close();
    };
    await fc.assert(fc.asyncProperty(killing, play), { numRuns: runs });
    expect(Math.min(outcomes.read, outcomes.takenOver, killed)).toBeGreaterThan(runs / 10);
    const { read, takenOver } = outcomes;
    figure(
      'R4',
      `${runs} random runs, the token killed in ${killed} of them: ${read} true reads, ${takenOver} told, 0 wrong`,
    );
  }, 240_000);

  it('is not believed to be an empty list', async () => {
    const accounts = new Accounts();
    const server = await start((request) => {
      const answer = accounts.answer(request.path, request.body);
      if (request.path.endsWith('GetRolesList') && answer !== handled) return [];
      return answer === handled ? [{ RoleId: '1' }] : answer;
    });
    const client = connect(server);
    await client.call('Contact/GetRolesList', {});
    accounts.token = 'elsewhere';
    await expect(client.call('Contact/GetRolesList', {})).rejects.toMatchObject({ kind: 'takenOver' });
  });

  it('is proved valid before an empty list is believed', async () => {
    const server = await start(withAccounts(new Accounts(), () => []));
    await expect(connect(server).call('Contact/GetRolesList', {})).resolves.toEqual([]);
    expect(server.count('Session/CheckSession')).toBe(1);
  });
});

describe('the wire', () => {
  it('does not follow a redirect with the token', async () => {
    const other = await start(() => []);
    let status = 301;
    let location = '';
    const server = await start(
      withAccounts(new Accounts(), (_request, response) => {
        response.writeHead(status, { location }).end();
        return handled;
      }),
    );
    const client = connect(server);
    const places = [`${other.url}/api/Contact/GetRolesList`, `//${new URL(other.url).host}/api`, other.url];
    let redirects = 0;
    for (status of [301, 302, 303, 304, 305, 306, 307, 308]) {
      for (location of places) {
        await expect(client.call('Contact/GetRolesList', {})).rejects.toMatchObject({ kind: 'notTheApi' });
        redirects += 1;
      }
    }
    expect(other.requests).toHaveLength(0);
    expect(server.count('GetRolesList')).toBe(redirects);
    figure('S3', `${redirects} redirects with status 301 to 308: 0 tokens elsewhere`);
  });

  it('ends a dripping reply at its deadline', async () => {
    const server = await start(
      withAccounts(new Accounts(), (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(timer));
        return handled;
      }),
    );
    const call = connect(server).call('Contact/GetRolesList', {}, { deadlineMs: 300 });
    await expect(call).rejects.toMatchObject({ kind: 'timeout' });
  });

  it('is cancelled at once', async () => {
    let isOpen = false;
    const server = await start(
      withAccounts(new Accounts(), (_request, response) => {
        isOpen = true;
        response.on('close', () => (isOpen = false));
        return handled;
      }),
    );
    const controller = new AbortController();
    const call = connect(server).call('Contact/GetRolesList', {}, { signal: controller.signal });
    const outcome = expect(call).rejects.toMatchObject({ kind: 'cancelled' });
    while (!isOpen) await delay(1);
    controller.abort();
    await outcome;
  });

  it('stops at the cap', async () => {
    const server = await start(withAccounts(new Accounts(), () => [{ RoleName: 'x'.repeat(100_000) }]));
    await expect(connect(server).call('Contact/GetRolesList', {}, { maxBytes: 10_000 })).rejects.toMatchObject({
      kind: 'tooLarge',
    });
  });

  it('retries reads within a budget when the server is dead, and writes never', async () => {
    const accounts = new Accounts();
    let attempts = 0;
    const server = await start(
      withAccounts(accounts, (_request, response) => {
        attempts += 1;
        response.destroy();
        return handled;
      }),
    );
    const client = connect(server);
    await client.session.signIn({ userName: 'ada', password, isGuest: false });
    await expect(client.call('library/FavReport', { ReportId: '1' }, { guard: unwatched })).rejects.toMatchObject({
      kind: 'unreachable',
    });
    expect(attempts).toBe(1);
    attempts = 0;
    await Promise.allSettled(Array.from({ length: 100 }, () => client.call('Contact/GetRolesList', {})));
    expect(attempts).toBeGreaterThan(100);
    expect(attempts).toBeLessThanOrEqual(135);
    figure('R11', `100 reads against a dead server: ${attempts} requests`);
  });
});
