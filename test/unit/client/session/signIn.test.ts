import { describe, expect, it } from 'vitest';
import { AnalyticsClient } from '../../../../src/client/client.ts';
import { startScriptedServer } from '../../../support/scriptedServer.ts';
import { sessionLength } from '../../../../src/client/session/signIn.ts';

async function signIn(session: object, user: object = {}, instance: object = {}) {
  const server = await startScriptedServer(() => ({
    ErrorCode: 0,
    LoginSession: { ErrorCode: 0, ...session },
    LoginUser: { LoginName: 'ada', ...user },
    ...instance,
  }));
  const client = new AnalyticsClient({
    target: { connectionId: 'c', name: 'Test Server', apiBase: `${server.url}/api` },
    vault: { read: async () => undefined, write: async () => undefined, withLock: (work) => work() },
    credentials: async () => undefined,
  });
  try {
    await client.session.signIn({ userName: 'ada', password: 'p', isGuest: false });
    return client.session.state;
  } finally {
    await client.close();
    await server.close();
  }
}

describe('a sign-in that the server is not content with', () => {
  it.each([
    ['none', null, undefined],
    ['', '', undefined],
    ['verified', null, undefined],
    ['pending', 'otpauth://totp/x', 'secondFactor'],
  ])('second factor %j, address %j: %j', async (state, uri, demand) => {
    const session = { SessionToken: 't', Mfa2FA_State: state, Mfa2FA_AuthURI: uri };
    const signedIn = await signIn(session);
    expect(signedIn).toMatchObject({ kind: 'active' });
    expect(signedIn.kind === 'active' && signedIn.account.demand).toBe(demand);
  });

  it('says so when it wants a new password', async () => {
    const state = await signIn({ SessionToken: 't', Mfa2FA_State: 'none' }, { bforcepasschange: true });
    expect(state).toMatchObject({ kind: 'active', account: { demand: 'newPassword' } });
  });

  it('says so when it gives no token before a second factor, and does not call the password wrong', async () => {
    await expect(signIn({ SessionToken: '', Mfa2FA_State: 'required' })).rejects.toMatchObject({
      kind: 'signInRefused',
      reason: 'secondFactor',
      remedy: expect.stringContaining('browser') as string,
    });
    await expect(signIn({ SessionToken: '' })).rejects.toMatchObject({ kind: 'malformed' });
  });
});

describe('what a sign-in says about the server', () => {
  const token = { SessionToken: 't' };
  const accountOf = (state: Awaited<ReturnType<typeof signIn>>) => (state.kind === 'active' ? state.account : {});

  it('keeps tenant mode, a licence state other than the normal one, and the seats', async () => {
    const instance = {
      Tenant_Mode: true,
      maustate: 'Exceeded',
      LicensedFeatures: [
        { Feature: 'Agent', count: '25', id: '6' },
        { Feature: 'Shield', count: null, id: '9' },
        { Feature: null, count: '3', id: '1' },
      ],
    };
    expect(accountOf(await signIn(token, {}, instance))).toMatchObject({
      tenantMode: true,
      licenceState: 'Exceeded',
      licences: 'Agent 25, Shield',
    });
  });

  it.each([
    [{ Tenant_Mode: false, maustate: 'Normal', LicensedFeatures: [] }],
    [{ Tenant_Mode: null, maustate: null, LicensedFeatures: null }],
    [{}],
  ])('keeps nothing of %j', async (instance) => {
    const account = accountOf(await signIn(token, {}, instance));
    for (const field of ['tenantMode', 'licenceState', 'licences']) expect(account).not.toHaveProperty(field);
  });
});

const serverTime = new Date('2026-03-01T12:00:00Z');
const minute = 60_000;

describe('the length of a session', () => {
  it('is the distance from the server clock to the moment of expiry where that has a zone', () => {
    expect(sessionLength({ SessionExpir: '2026-03-01T12:45:00Z', SessionTimeLeft: 20 }, serverTime)).toBe(45 * minute);
    expect(sessionLength({ SessionExpir: '2026-03-01T14:45:00+02:00' }, serverTime)).toBe(45 * minute);
  });

  it.each([-12, -5, -3.5, -0.25, 0, 1, 2, 5.5, 5.75, 12.75, 14])(
    'is not taken for longer or shorter where the server writes its own time, %d h from UTC',
    (zone) => {
      for (const [minutes, told] of [
        [20, 20],
        [20, 1200],
        [60, 60],
        [60, 3600],
        [480, 480],
        [5, 300],
      ] as const) {
        const local = new Date(serverTime.getTime() + zone * 60 * minute + minutes * minute);
        const SessionExpir = local.toISOString().slice(0, 19);
        const length = sessionLength({ SessionExpir, SessionTimeLeft: told }, serverTime);
        expect({ told, length }).toEqual({ told, length: minutes * minute });
      }
    },
  );

  it('is what the server tells in minutes or seconds, else the default', () => {
    expect(sessionLength({ SessionTimeLeft: 30 }, serverTime)).toBe(30 * minute);
    expect(sessionLength({ SessionTimeLeft: 1800 }, serverTime)).toBe(30 * minute);
    expect(sessionLength({ SessionExpir: '2026-03-01T12:30:00' }, serverTime)).toBe(30 * minute);
    for (const moment of ['2026-03-01T14:20:00', '2026-03-01T17:50:00', '2026-03-01T07:20:00']) {
      expect(sessionLength({ SessionExpir: moment }, serverTime), moment).toBe(20 * minute);
    }
    expect(sessionLength({ SessionExpir: '0001-01-01T00:00:00' }, serverTime)).toBe(20 * minute);
    expect(sessionLength({}, undefined)).toBe(20 * minute);
  });
});
