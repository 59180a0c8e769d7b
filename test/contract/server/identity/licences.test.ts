import { afterEach, describe, expect, it } from 'vitest';
import { licence as licenceSchema } from '../../../../src/contract/resources/licence.ts';
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

  it('is changed by administrators with a document: seats full, expired, and back', async () => {
    const admin = await start();
    const licence = async () => licenceSchema.parse((await admin.call('LicenseManager/GetLicence')).json);
    const read = await licence();
    expect(read).toMatchObject({ State: 'Normal', IsExpired: false, Seats: 1_000 });
    expect(read.Applications).toEqual([expect.objectContaining({ Seats: null, TakenSeats: 13 })]);
    const save = async (change: object, one: object = {}) => {
      const Applications = read.Applications?.map((application) => ({ ...application, ...one }));
      const sent = { licence: { ...read, Applications, ...change } };
      return (await admin.call('LicenseManager/SaveLicence', sent)).json;
    };
    expect(await save({}, { Seats: 13 })).toMatchObject({ ErrorCode: 0, Applications: [{ Seats: 13 }] });
    expect(await shareRole(admin, 'north.viewer', 'admin')).toMatchObject({
      ErrorCode: 200,
      ErrorMessage: expect.stringMatching(/all 13 seats of .+ are taken/) as unknown,
    });
    await save({ IsExpired: true, State: 'Exceeded' });
    expect(await shareRole(admin, 'north.viewer', 'admin')).toMatchObject({
      ErrorCode: 200,
      ErrorMessage: expect.stringContaining('has expired') as unknown,
    });
    expect((await server?.login('admin', server.adminPassword))?.reply.maustate).toBe('Exceeded');
  });

  it('answers a licence that cannot be with the field and the reason, and keeps the old one', async () => {
    const admin = await start();
    const read = licenceSchema.parse((await admin.call('LicenseManager/GetLicence')).json);
    const refused = async (change: object) =>
      (await admin.call('LicenseManager/SaveLicence', { licence: { ...read, ...change } })).json;
    const says = (text: string) => ({ ErrorCode: 9001, ErrorMessage: expect.stringContaining(text) as unknown });
    expect(await refused({ Seats: -1 })).toMatchObject(says('Seats must be a whole number'));
    expect(await refused({ Seats: 1.5 })).toMatchObject(says('Seats must be a whole number'));
    expect(await refused({ State: '' })).toMatchObject(says('State must be 1 to 40 characters'));
    expect(await refused({ Applications: [{ ApplicationID: '77', Seats: 1 }] })).toMatchObject(says('the id 77'));
    const [application] = read.Applications ?? [];
    const wrong = { Applications: [{ ...application, Seats: -2 }] };
    expect(await refused(wrong)).toMatchObject(says('Seats of Flight Operations must be'));
    expect((await admin.call('LicenseManager/GetLicence')).json).toEqual(read);
    const trail = await admin.call('Audit/GetAuditTrail');
    expect(trail.text).not.toContain('saved licence');
    expect(await refused({ IsExpired: true })).toMatchObject({ ErrorCode: 0 });
    expect((await admin.call('Audit/GetAuditTrail')).text).toContain('saved licence: expired, 1000 seats');
  });

  it('is refused if the number of seats is not a whole number', async () => {
    await expect(start('--licence-seats=-1')).rejects.toThrow('--licence-seats must be a whole number, not -1.');
  });
});
