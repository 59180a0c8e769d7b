import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { AnalyticsClient } from '../../../../src/client/client.ts';
import type { SessionState, StoredSession } from '../../../../src/client/session/sessionState.ts';
import { keepAliveEveryMs, keepAliveRounds } from '../../../../src/features/servers/keepAlive.ts';
import { figure } from '../../../support/run/figure.ts';
import { startScriptedServer } from '../../../support/scriptedServer.ts';

const sessionMs = 20 * 60_000;

/** Plays an hour without a user, with a session that is signed in; gives the paths that the server was asked. */
async function idleHour(isOn: boolean): Promise<string[]> {
  const server = await startScriptedServer(({ path }) =>
    path.endsWith('DoLogin')
      ? { ErrorCode: 0, LoginSession: { SessionToken: 't', SessionTimeLeft: 20 }, LoginUser: { LoginName: 'ada' } }
      : { ErrorCode: 0, SessionToken: 't' },
  );
  vi.useFakeTimers({ toFake: ['Date'] });
  let stored: StoredSession | undefined;
  const client = new AnalyticsClient({
    target: { connectionId: 'c', name: 'Test Server', apiBase: `${server.url}/api` },
    vault: {
      read: async () => stored,
      write: async (session) => void (stored = session),
      withLock: (work) => work(),
    },
    credentials: async () => ({ userName: 'ada', password: 'p', isGuest: false }),
  });
  try {
    await client.session.token();
    const { state } = client.session;
    expect(state.kind === 'active' && state.expiresAt.getTime() - Date.now()).toBeCloseTo(sessionMs, -4);
    const before = server.requests.length;
    const connection = {
      name: 'Test Server',
      get state() {
        return client.session.state;
      },
      openClient: client,
    };
    const keepAlive = keepAliveRounds({
      list: () => [connection],
      isOn: () => isOn,
      warn: (line) => expect.fail(line),
    });
    for (let ms = 0; ms < 60 * 60_000; ms += keepAliveEveryMs) {
      await keepAlive();
      vi.setSystemTime(Date.now() + keepAliveEveryMs);
    }
    return server.requests.slice(before).map(({ path }) => path);
  } finally {
    vi.useRealTimers();
    await client.close();
    await server.close();
  }
}

describe('an idle hour', () => {
  it('makes no call unless keep-alive is on', async () => {
    expect(await idleHour(false)).toEqual([]);
    figure('R22', '60 simulated idle minutes with keep-alive off: 0 authenticated calls');
  });

  it('extends the session shortly before its end when keep-alive is on', async () => {
    const calls = await idleHour(true);
    expect(calls).toEqual(calls.map(() => '/api/Session/RefreshSession'));
    expect(calls.length).toBeGreaterThanOrEqual(2);
    expect(calls.length).toBeLessThanOrEqual(4);
    figure('R22', `60 simulated idle minutes with keep-alive on: ${calls.length} calls, each shortly before the end`);
  });
});

describe('a session that is about to end', () => {
  const state = () => ({ kind: 'active', expiresAt: new Date(Date.now() + 1000), account: {} }) as SessionState;

  it('is not asked about again while its server has not answered; others do not wait for it', async () => {
    const calls: string[] = [];
    const held = Promise.withResolvers<void>();
    const kept = (name: string, extend: () => Promise<void>) => ({
      name,
      state: state(),
      openClient: {
        session: {
          extend: () => {
            calls.push(name);
            return extend();
          },
        },
      },
    });
    const list = [kept('slow', () => held.promise), kept('quick', async () => undefined)];
    const keepAlive = keepAliveRounds({ list: () => list, isOn: () => true, warn: (line) => expect.fail(line) });
    const first = keepAlive();
    await setImmediate();
    await keepAlive();
    expect(calls).toEqual(['slow', 'quick', 'quick']);
    held.resolve();
    await first;
    await keepAlive();
    expect(calls.filter((name) => name === 'slow')).toHaveLength(2);
  });

  it('starts no server that this window does not use', async () => {
    const list = [{ name: 'closed', state: state(), openClient: undefined }];
    await keepAliveRounds({ list: () => list, isOn: () => true, warn: (line) => expect.fail(line) })();
  });
});
