import { afterEach, describe, expect, it } from 'vitest';
import { startServer, type SignedIn, type TestServer } from '../../../support/server.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function start(...serverArgs: string[]): Promise<SignedIn> {
  server = await startServer({ sample: true, serverArgs });
  return server.login('admin', server.adminPassword);
}

/** Gives the application of `from` to `to`, both login names, as an Agent. */
async function shareRole(admin: SignedIn, from: string, to: string): Promise<unknown> {
  const users = (await admin.call('Contact/GetContactList')).json as Record<string, unknown>[];
  const byLogin = (login: string) => users.find(({ LoginName }) => LoginName === login) ?? {};
  const user = { ...byLogin(to), UserApplications: byLogin(from).UserApplications };
  return (await admin.call('Contact/SaveContact', { withpin: false, user })).json;
}

const profiles = async (admin: SignedIn) =>
  ((await admin.call('App/GetApplicationList')).json as { ModuleProfile: Record<string, unknown> }[]).map(
    ({ ModuleProfile }) => ModuleProfile,
  );

describe('the licence that a server is started with', () => {
  it('refuses a role beyond its seats with code 200, and shows how many are taken', async () => {
    const admin = await start('--licence-seats', '13');
    expect(await profiles(admin)).toMatchObject([{ LicensedQuanity: 13, ConsumedQuanity: 13, IsExpired: false }]);
    expect(admin.reply.LicensedFeatures).toContainEqual({ Feature: 'Agent', count: '13', id: '6' });
    expect(await shareRole(admin, 'north.viewer', 'admin')).toMatchObject({
      ErrorCode: 200,
      ErrorMessage: expect.stringMatching(/all 13 seats of .+ are taken/) as unknown,
    });
    expect(await profiles(admin)).toMatchObject([{ ConsumedQuanity: 13 }]);
  });

  it('refuses every new role once it expired, and keeps the roles that exist', async () => {
    const admin = await start('--licence-expired');
    expect(await profiles(admin)).toMatchObject([{ IsExpired: true, NextExpiration: '12/31/2000' }]);
    expect(await shareRole(admin, 'north.viewer', 'admin')).toMatchObject({
      ErrorCode: 200,
      ErrorMessage: expect.stringContaining('has expired') as unknown,
    });
    const passport = (await admin.call('Session/ResetPassport', { withReturn: false })).json;
    expect(passport).toMatchObject({ isExpiredBase: true, isValidBase: false });
    expect(await shareRole(admin, 'north.viewer', 'north.viewer')).toMatchObject({ ErrorCode: 0 });
  });

  it('is refused if the number of seats is not a whole number', async () => {
    await expect(start('--licence-seats=-1')).rejects.toThrow('--licence-seats must be a whole number, not -1.');
  });
});
