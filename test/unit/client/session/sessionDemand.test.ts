import { describe, expect, it } from 'vitest';
import { AnalyticsClient } from '../../../../src/client/client.ts';
import { startScriptedServer } from '../../../support/scriptedServer.ts';

async function signIn(session: object, user: object = {}) {
  const server = await startScriptedServer(() => ({
    ErrorCode: 0,
    LoginSession: { ErrorCode: 0, ...session },
    LoginUser: { LoginName: 'ada', ...user },
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
