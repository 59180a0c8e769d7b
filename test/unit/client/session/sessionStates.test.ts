import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AnalyticsClient } from '../../../../src/client/client.ts';
import type { SessionVault, StoredSession } from '../../../../src/client/session/sessionState.ts';
import { withUserSessionOnly } from '../../../../src/client/session/userSession.ts';
import { runWithSignal } from '../../../../src/client/http/cancelScope.ts';
import { startScriptedServer, type ScriptedServer } from '../../../support/scriptedServer.ts';
import { unwatched } from '../../../support/testClient.ts';

/*
 * What each answer to a sign-in, and each late answer to a call, makes of a session that is open.
 */

const minute = 60_000;
const credentials = { userName: 'ada', password: 'correct horse', isGuest: false };

let server: ScriptedServer;
let client: AnalyticsClient;
let vault: SessionVault & { stored?: StoredSession | undefined };
/** The token that the server takes, how it answers the next sign-in, and what happens while it works on a call. */
let valid: string;
let logins: number;
let loginReply: (() => unknown) | undefined;
let meanwhile: () => Promise<void> | void;
/** Whether the call that is answered next finds its session ended. */
let rejectsNow: boolean;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  [valid, logins, loginReply, meanwhile, rejectsNow] = ['', 0, undefined, () => undefined, false];
  server = await startScriptedServer(async ({ path, body }) => {
    if (path.endsWith('login/DoLogin')) {
      logins += 1;
      if (loginReply) return loginReply();
      valid = `token-${logins}`;
      return {
        ErrorCode: 0,
        LoginSession: { SessionToken: valid, SessionTimeLeft: 20 },
        LoginUser: { ID: '7', LoginName: 'ada' },
      };
    }
    const isValid = body.sessionToken === valid;
    if (path.endsWith('login/DoLogout')) {
      if (isValid) valid = '';
      return '0';
    }
    await meanwhile();
    if (rejectsNow) {
      rejectsNow = false;
      valid = '';
      return { ErrorCode: 101, ErrorMessage: 'Session Expired' };
    }
    if (!isValid) return { ErrorCode: 101, ErrorMessage: 'Session Expired' };
    return path.endsWith('Session') ? { ErrorCode: 0, SessionToken: valid } : [{ RoleId: '1' }];
  });
  let isSignedOut = false;
  let queue: Promise<unknown> = Promise.resolve();
  vault = {
    read: async () => vault.stored,
    write: async (session) => {
      vault.stored = session;
      isSignedOut = session === undefined;
    },
    isSignedOut: async () => isSignedOut,
    withLock: (work) => {
      const run = queue.then(work, work);
      queue = run.catch(() => undefined);
      return run;
    },
  };
  client = connected();
});

const connected = () =>
  new AnalyticsClient({
    target: { connectionId: 'c', name: 'Test Server', apiBase: `${server.url}/api` },
    vault,
    credentials: async () => credentials,
  });

afterEach(async () => {
  vi.useRealTimers();
  await client.close();
  await server.close();
});

const pass = (ms: number) => void vi.setSystemTime(Date.now() + ms);
const roles = () => client.call('Contact/GetRolesList', {});

/** Holds the next call at the server: `begun` settles once it is there, and `release` lets it be answered. */
function holdNext(): { begun: Promise<void>; release: () => void } {
  const [arrival, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  meanwhile = () => {
    arrival.resolve();
    return answer.promise;
  };
  return { begun: arrival.promise, release: () => answer.resolve() };
}

describe('a long call', () => {
  it('counts the time left from when it was sent', async () => {
    await roles();
    meanwhile = () => pass(5 * minute);
    await roles();
    meanwhile = () => undefined;
    const { state } = client.session;
    expect(state.kind === 'active' && state.expiresAt.getTime() - Date.now()).toBeCloseTo(15 * minute, -4);
    // The server let the session end 20 minutes after the call began: no one else took it.
    pass(16 * minute);
    valid = '';
    await roles();
    expect(client.session.state.kind).toBe('active');
    expect(logins).toBe(2);
  });

  it('of an earlier session does not move the end of the present one', async () => {
    const end = () => (client.session.state.kind === 'active' ? client.session.state.expiresAt.getTime() : undefined);
    await roles();
    const earlier = valid;
    await client.session.signIn(credentials);
    expect(valid).not.toBe(earlier);
    const before = end();
    pass(5 * minute);
    client.session.succeeded(earlier, Date.now());
    expect(end()).toBe(before);
    client.session.succeeded(valid, Date.now());
    expect(end()).toBe(Date.now() + 20 * minute);
  });

  it('that is answered after the account was taken over brings the session not back', async () => {
    await roles();
    const { begun, release } = holdNext();
    const late = roles();
    await begun;
    meanwhile = () => undefined;
    valid = 'taken by another program';
    await expect(roles()).rejects.toMatchObject({ kind: 'takenOver' });
    release();
    await late;
    expect(client.session.state.kind).toBe('takenOver');
  });
});

describe('a call that may begin no session', () => {
  const borrowed = () => withUserSessionOnly(roles);

  it('uses the one that is there, and fails when it is over or rejected, although the password is kept', async () => {
    await expect(borrowed()).rejects.toMatchObject({ kind: 'notSignedIn' });
    await roles();
    await borrowed();
    pass(21 * minute);
    valid = '';
    await expect(borrowed()).rejects.toMatchObject({ kind: 'notSignedIn' });
    expect(logins).toBe(1);
    // The user's own call renews it, after which it is there again.
    await roles();
    await borrowed();
    expect(logins).toBe(2);
  });

  it('takes up a session that another window began', async () => {
    await roles();
    const other = connected();
    pass(21 * minute);
    valid = '';
    await other.call('Contact/GetRolesList', {});
    await borrowed();
    expect(logins).toBe(2);
    await other.close();
  });
});

describe('a sign-in that fails', () => {
  it.each([
    [9001, 'The directory is down.'],
    [200, 'No licence is free.'],
  ])('with code %d is no verdict on the password: the next call signs in', async (ErrorCode, ErrorMessage) => {
    loginReply = () => ({ ErrorCode, ErrorMessage, LoginSession: null });
    await expect(roles()).rejects.toMatchObject({
      kind: 'signInRefused',
      message: expect.stringContaining(ErrorMessage) as string,
    });
    expect(client.session.state).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining(ErrorMessage) as string,
    });
    loginReply = undefined;
    await expect(roles()).resolves.toHaveLength(1);
    expect(client.session.state.kind).toBe('active');
  });

  it('leaves a session that lives as it was', async () => {
    await roles();
    loginReply = () => ({ ErrorCode: 101, ErrorMessage: 'Login Failed', LoginSession: null });
    await expect(client.session.signIn({ ...credentials, password: 'typo' })).rejects.toMatchObject({
      kind: 'signInRefused',
    });
    expect(client.session.state.kind).toBe('active');
    await expect(roles()).resolves.toHaveLength(1);
  });

  it('and never reached the server leaves an ended session ended, not signed out', async () => {
    await roles();
    pass(30 * minute);
    await server.close();
    await expect(roles()).rejects.toMatchObject({ kind: 'unreachable' });
    expect(client.session.state.kind).toBe('expired');
  });
});

describe('a write whose sign-in fails', () => {
  it('is known not to have gone out', async () => {
    await roles();
    pass(30 * minute);
    loginReply = () => '<html>502</html>';
    const saved = client.call('DataTag/DeleteDataTag', { datatag: { ID: '7' } }, { guard: unwatched });
    await expect(saved).rejects.toMatchObject({ isUnsent: true });
    expect(server.count('DataTag/DeleteDataTag')).toBe(0);
  });
});

describe('keeping a session alive', () => {
  it('never signs in', async () => {
    await roles();
    pass(19.8 * minute);
    valid = 'taken by another program';
    await expect(client.session.extend()).rejects.toMatchObject({ kind: 'notSignedIn' });
    pass(-10 * minute);
    await expect(client.session.extend()).rejects.toMatchObject({ kind: 'takenOver' });
    await client.session.extend();
    expect(logins).toBe(1);
  });

  it('starts its time anew', async () => {
    await roles();
    pass(19 * minute);
    await client.session.extend();
    const { state } = client.session;
    expect(state.kind === 'active' && state.expiresAt.getTime() - Date.now()).toBeCloseTo(20 * minute, -4);
    expect(server.count('Session/RefreshSession')).toBe(1);
  });
});

describe('a renewal', () => {
  it('that another call began does not hand back the token that was just rejected', async () => {
    await roles();
    const dead = valid;
    const stored = vault.stored;
    pass(19.9 * minute);
    valid = '';
    // The one who knows nothing of the rejection asks first; another window had moved the expiry of the same token.
    if (stored) vault.stored = { ...stored, expiresAt: new Date(Date.now() + 20 * minute).toISOString() };
    pass(0.2 * minute);
    const [, renewed] = await Promise.all([client.session.token(), client.session.rejected(dead)]);
    expect(renewed).not.toBe(dead);
    expect(logins).toBe(2);
  });
});

describe('a server that answers a sign-in with the same token once more', () => {
  beforeEach(() => {
    loginReply = () => ({
      ErrorCode: 0,
      LoginSession: { SessionToken: 'always this', SessionTimeLeft: 20 },
      LoginUser: { ID: '7', LoginName: 'ada' },
    });
    valid = 'another';
  });

  it('and rejects it is asked for one new session, whoever waits for it', async () => {
    await client.session.token();
    pass(19.9 * minute);
    const calls = await Promise.allSettled([roles(), roles(), roles()]);
    for (const call of calls) expect(call).toMatchObject({ reason: { kind: 'notSignedIn' } });
    expect(logins).toBe(2);
  });

  it('is not taken for one that a sign-in elsewhere ended when an earlier call is rejected late', async () => {
    const sent = await client.session.token();
    const { signIns } = client.session;
    pass(19.9 * minute);
    expect(await client.session.rejected(sent, signIns)).toBe('always this');
    expect(await client.session.rejected(sent, signIns)).toBe('always this');
    expect(logins).toBe(2);
    await expect(client.session.rejected(sent)).rejects.toMatchObject({ kind: 'takenOver' });
  });
});

describe('a sign-in of another window', () => {
  it('that has ended this session, and shares its own only now, is waited for', async () => {
    await roles();
    const shared = Promise.withResolvers<void>();
    vault.write = async (session) => {
      await shared.promise;
      vault.stored = session;
    };
    const other = connected();
    const signedIn = other.session.signIn(credentials);
    await vi.waitFor(() => expect(logins).toBe(2));
    const call = roles();
    await vi.waitFor(() => expect(server.count('GetRolesList')).toBe(2));
    shared.resolve();
    await signedIn;
    await expect(call).resolves.toHaveLength(1);
    expect(logins).toBe(2);
    await other.close();
  });
});

describe('a session that was taken over', () => {
  it('is told to windows that do nothing and to later starts, and ended by a sign-in in any of them', async () => {
    await roles();
    const idle = connected();
    await idle.session.restore();
    expect(idle.session.state.kind).toBe('active');
    valid = 'taken by another program';
    await expect(roles()).rejects.toMatchObject({ kind: 'takenOver' });
    await vi.waitFor(() => expect(vault.stored).toMatchObject({ isTakenOver: true }));
    // What the editor does when it hears that a secret changed.
    await idle.session.restore();
    expect(idle.session.state.kind).toBe('takenOver');
    const later = connected();
    await later.session.restore();
    expect(later.session.state).toMatchObject({ kind: 'takenOver', account: { loginName: 'ada' } });
    pass(30 * minute);
    const fresh = connected();
    for (const one of [client, idle, later, fresh]) {
      await expect(one.call('Contact/GetRolesList', {})).rejects.toMatchObject({ kind: 'takenOver' });
    }
    expect(logins).toBe(1);
    await later.session.signIn(credentials);
    expect(vault.stored).not.toHaveProperty('isTakenOver');
    for (const one of [client, idle]) {
      await one.session.restore();
      expect(one.session.state.kind).toBe('active');
      await expect(one.call('Contact/GetRolesList', {})).resolves.toHaveLength(1);
    }
    expect(logins).toBe(2);
    for (const one of [idle, later, fresh]) await one.close();
  });

  it('is not marked over the sign-in that another window has made meanwhile', async () => {
    await roles();
    const mine = vault.stored;
    valid = 'taken by another program';
    let reads = 0;
    // Another window signs in between the rejection and the note about it.
    vault.read = async () => {
      if (mine && ++reads === 2) vault.stored = { ...mine, token: 'fresh' };
      return vault.stored;
    };
    await expect(roles()).rejects.toMatchObject({ kind: 'takenOver' });
    await vi.waitFor(() => expect(reads).toBeGreaterThan(1));
    expect(vault.stored).toMatchObject({ token: 'fresh' });
    expect(vault.stored).not.toHaveProperty('isTakenOver');
  });
});

describe('a sign-in that several wait for', () => {
  it('goes on when the one who began it gives up', async () => {
    await roles();
    pass(30 * minute);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    loginReply = async () => {
      await held;
      loginReply = undefined;
      valid = 'token-2';
      return { ErrorCode: 0, LoginSession: { SessionToken: valid, SessionTimeLeft: 20 }, LoginUser: { ID: '7' } };
    };
    const giveUp = new AbortController();
    const first = runWithSignal(giveUp.signal, roles);
    await vi.waitFor(() => expect(logins).toBe(2));
    const second = roles();
    giveUp.abort();
    await expect(first).rejects.toMatchObject({ kind: 'cancelled' });
    release();
    await expect(second).resolves.toHaveLength(1);
    expect(logins).toBe(2);
  });
});

describe('a sign-out in another window', () => {
  it('ends the work that is under way here, which does not bring the session back', async () => {
    await roles();
    const other = connected();
    await other.session.restore();
    await other.session.signOut();
    // This window has not heard of it, neither before its call nor while the call is out.
    await expect(roles()).rejects.toMatchObject({ kind: 'notSignedIn' });
    expect(client.session.state.kind).toBe('signedOut');
    await expect(roles()).rejects.toMatchObject({ kind: 'notSignedIn' });
    expect(logins).toBe(1);
    await other.session.signIn(credentials);
    await expect(roles()).resolves.toHaveLength(1);
    expect(logins).toBe(2);
    await other.close();
  });

  it('is heard by a window whose session has run out', async () => {
    await roles();
    const other = connected();
    await other.session.restore();
    await other.session.signOut();
    pass(30 * minute);
    await expect(roles()).rejects.toMatchObject({ kind: 'notSignedIn' });
    expect(logins).toBe(1);
    await other.close();
  });

  it('ends the session that the window which signed in last has', async () => {
    await roles();
    const other = connected();
    await other.session.restore();
    await other.session.signIn(credentials);
    await client.session.signOut();
    expect(valid).toBe('');
    await other.close();
  });
});

describe('the account that is signed in', () => {
  const rights = (isAdmin: boolean, isSuperAdmin: boolean) => () => {
    valid = 'token';
    const LoginUser = { ID: '7', LoginName: 'ada', isAdmin, isSuperAdmin };
    return { ErrorCode: 0, LoginSession: { SessionToken: valid, SessionTimeLeft: 20 }, LoginUser };
  };

  it.each([
    [false, false, { isAdmin: false, isSuperAdmin: false }],
    [true, false, { isAdmin: true, isSuperAdmin: false }],
    [false, true, { isAdmin: true, isSuperAdmin: true }],
  ])('administers (%s) or sees everything (%s): %o', async (isAdmin, isSuperAdmin, account) => {
    loginReply = rights(isAdmin, isSuperAdmin);
    await roles();
    expect(client.session.state).toMatchObject({ kind: 'active', account });
  });

  it('gets other rights while it is signed in, in every window', async () => {
    await roles();
    const other = connected();
    await other.session.restore();
    expect(other.session.state).toMatchObject({ account: { isAdmin: false } });
    await client.session.renewAccount({ isAdmin: true, isSuperAdmin: false });
    expect(client.session.state).toMatchObject({ account: { isAdmin: true, loginName: 'ada' } });
    await other.session.restore();
    expect(other.session.state).toMatchObject({ kind: 'active', account: { isAdmin: true, isSuperAdmin: false } });
    await other.close();
  });
});

describe('the time zone of the account', () => {
  it('follows a saved profile, in every window, and not the profiles of others', async () => {
    loginReply = () => {
      valid = 'zoned';
      const LoginUser = { ID: '7', LoginName: 'ada', timezone: 1, timezonename: 'Europe/Berlin' };
      return { ErrorCode: 0, LoginSession: { SessionToken: valid, SessionTimeLeft: 20 }, LoginUser };
    };
    await roles();
    expect(client.session.state).toMatchObject({ account: { timezone: 1, timezonename: 'Europe/Berlin' } });
    const other = connected();
    await other.session.restore();
    await client.session.noteUser({ ID: '8', timezone: -5, timezonename: '' });
    await client.session.noteUser({ ID: 7 });
    expect(client.session.state).toMatchObject({ account: { timezone: 1, timezonename: 'Europe/Berlin' } });
    await client.session.noteUser({ ID: 7, timezone: 5, timezonename: 'Asia/Kolkata' });
    expect(client.session.state).toMatchObject({ account: { timezone: 5, timezonename: 'Asia/Kolkata' } });
    await other.session.restore();
    expect(other.session.state).toMatchObject({ account: { timezone: 5, timezonename: 'Asia/Kolkata' } });
    await other.close();
  });
});

describe('a token', () => {
  const ofLength = (length: number) => () => {
    valid = 'x'.repeat(length);
    return { ErrorCode: 0, LoginSession: { SessionToken: valid, SessionTimeLeft: 20 }, LoginUser: { ID: '7' } };
  };

  it('of 16,384 characters is used, and none longer', async () => {
    loginReply = ofLength(16_384);
    await expect(roles()).resolves.toHaveLength(1);
    loginReply = ofLength(16_385);
    await expect(client.session.signIn(credentials)).rejects.toMatchObject({ kind: 'malformed' });
  });
});

describe('a client that gives way to another', () => {
  /** A signed-in client whose call waits for its reply. */
  async function callUnderWay() {
    await roles();
    const { begun, release } = holdNext();
    const underWay = roles();
    await begun;
    meanwhile = () => undefined;
    return { former: client, underWay, release };
  }

  it('ends the calls under way, and has what comes later served by the other', async () => {
    const { former, underWay, release } = await callUnderWay();
    client = connected();
    const drained = former.giveWayTo(client);
    await expect(former.call('Contact/GetRolesList', {})).resolves.toHaveLength(1);
    release();
    await expect(underWay).resolves.toHaveLength(1);
    await drained;
    expect(logins).toBe(1);
    await former.close();
  });

  it('lets a call under way take the steps that it still has to take: looking at the session, signing in', async () => {
    const { former, underWay, release } = await callUnderWay();
    client = connected();
    await client.session.restore();
    const drained = former.giveWayTo(client);
    // The token ends in its own time: the rejected call signs in and is sent once more.
    pass(19.9 * minute);
    rejectsNow = true;
    release();
    await expect(underWay).resolves.toHaveLength(1);
    await drained;
    expect(logins).toBe(2);
    await former.close();
  });

  it('hands no step to a server at another address', async () => {
    const { former, underWay, release } = await callUnderWay();
    const elsewhere = await startScriptedServer(() => ({ ErrorCode: 0 }));
    client = new AnalyticsClient({
      target: { connectionId: 'c', name: 'Test Server', apiBase: `${elsewhere.url}/api` },
      vault,
      credentials: async () => credentials,
    });
    const drained = former.giveWayTo(client);
    pass(19.9 * minute);
    rejectsNow = true;
    release();
    // It went out with the token that was rejected.
    await expect(underWay).rejects.toMatchObject({ kind: 'unreachable', isUnsent: false });
    await drained;
    // A run that had its token before goes nowhere either.
    const run = former.stream('Report/GetReportData', { Reportobj: {} }, 'token-1', {});
    await expect(run).rejects.toMatchObject({ kind: 'unreachable', isUnsent: true });
    expect(elsewhere.requests).toEqual([]);
    await former.close();
    await elsewhere.close();
  });

  it('does not let it fight over a session that was taken over', async () => {
    await roles();
    valid = 'taken by another program';
    await expect(roles()).rejects.toMatchObject({ kind: 'takenOver' });
    pass(30 * minute);
    const former = client;
    client = connected();
    await client.session.restore(former.session);
    await former.giveWayTo(client);
    await expect(roles()).rejects.toMatchObject({ kind: 'takenOver' });
    expect(logins).toBe(1);
    await former.close();
  });
});
