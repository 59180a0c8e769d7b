import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { auditType, instanceSettings, smtp } from '../../../src/contract/resources/administration.ts';
import { reportResult } from '../../../src/contract/resources/reportResult.ts';
import { anyOf, textLike, textWith } from '../../support/matchers.ts';
import { startServer, type SignedIn, type TestServer } from '../../support/server.ts';
import { readServerState } from '../../support/serverState.ts';
import { filesBelow } from '../../support/filesBelow.ts';

let server: TestServer;
let admin: SignedIn;
beforeAll(async () => {
  server = await startServer({ sample: true });
  admin = await server.login('admin', server.adminPassword);
});
afterAll(() => server.stop());

/** Whether any file of the server's data holds `text`. */
async function isInFiles(text: string): Promise<boolean> {
  const names = await filesBelow(server.dataFolder);
  const contents = await Promise.all(names.map((name) => readFile(path.join(server.dataFolder, name))));
  return contents.some((content) => content.includes(text));
}

/** Audit entries of a symbol, newest first, read from the server's data. */
function auditEntries(symbol: string): { detail: string; user_id: number | null }[] {
  return readServerState(server.dataFolder, (database) => {
    const sql = `SELECT detail, user_id FROM audit_entry JOIN audit_type ON audit_type.id = type_id
      WHERE symbol = ? ORDER BY audit_entry.id DESC`;
    return database.prepare(sql).all(symbol) as { detail: string; user_id: number | null }[];
  });
}

describe('instance settings', () => {
  const read = async () => instanceSettings.parse((await admin.call('AppSettings/GetAppSettings')).json);
  const save = async (appsettings: object, more: object = {}) =>
    (await admin.call('AppSettings/SaveAppSettings', { appsettings, ...more })).json;

  it('have the documented fields and defaults', async () => {
    const settings = await read();
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(Object.keys(instanceSettings.shape)));
    expect(settings).toMatchObject({
      SESSION_TIMEOUT: 20,
      PROMPT_VALUES_LIMIT: 10_000,
      MaxRecords: 500_000,
      FastCacheMin: 30,
      TENANT_MODE_ENABLED: 'False',
    });
  });

  it('are replaced as a whole: what is left out is not preserved', async () => {
    const settings = await read();
    const saved = await save({ ...settings, MaxRecords: 1000, SSOHeader: 'X-User', mfa_enabled: 'true' });
    expect(saved).toMatchObject({ ErrorCode: 0, MaxRecords: 1000, SSOHeader: 'X-User', mfa_enabled: 'True' });
    const login = await server.login('sample.agent', server.adminPassword);
    expect(login.reply.maxrecords).toBe('1000');
    const { MaxRecords: _, SSOHeader: __, ...rest } = settings;
    expect(await save(rest)).toMatchObject({ MaxRecords: 500_000, SSOHeader: '' });
  });

  it.each([
    ['SESSION_TIMEOUT', 0],
    ['SESSION_TIMEOUT', 1.5],
    ['MaxRecords', 0],
    ['PROMPT_VALUES_LIMIT', -1],
    ['TENANT_MODE_ENABLED', 'maybe'],
  ])('refuse %s = %s and name it', async (name, value) => {
    const settings = await read();
    const refused = await save({ ...settings, [name]: value });
    expect(refused).toMatchObject({ ErrorCode: 9001, ErrorMessage: textWith(name) });
    expect(await read()).toEqual(settings);
  });

  it('keep the second factor’s secret readable for administrators and out of the files', async () => {
    const settings = await read();
    await save({ ...settings, mfa_clientsecret: 'canary-second-factor' });
    expect((await read()).mfa_clientsecret).toBe('canary-second-factor');
    expect(await isInFiles('canary-second-factor')).toBe(false);
    const stale = await save(settings, { expectedRevision: settings.Revision });
    expect(stale).toMatchObject({ ErrorCode: 9001 });
    await save(settings);
  });
});

describe('mail', () => {
  const read = async () => smtp.parse((await admin.call('SMTP/GetSMTP')).json);
  const save = async (change: object) =>
    (await admin.call('SMTP/SaveSMTP', { smtp: { ...(await read()), ...change } })).json;
  const secured = {
    SMTPHost: 'mail.example.com',
    SMTPPort: '587',
    SMTPRequiredSecurity: 'True',
    SMTPEnableSSL: 'True',
    SMTPUserName: 'sender',
    SMTPPassword: 'canary-mail-password',
  };

  it('is saved, returned without its password, kept on the next save and deleted', async () => {
    expect(await read()).toMatchObject({ ErrorCode: 0, SMTPHost: '', SMTPRealm: { SMTPSetting: null } });
    expect(await save(secured)).toMatchObject({ ...secured, SMTPPassword: '', SMTPId: '1', ErrorCode: 0 });
    expect(await read()).toMatchObject({ SMTPCreated: textLike(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/) });
    expect(await isInFiles('canary-mail-password')).toBe(false);
    expect(await save({ SMTPFromAddress: 'a@example.com' })).toMatchObject({
      ErrorCode: 0,
      SMTPFromAddress: 'a@example.com',
      SMTPRequiredSecurity: 'True',
    });
    const deleted = await admin.call('SMTP/DeleteSMTP', { smtp: await read() });
    const { ErrorCode, ...rest } = smtp.parse(deleted.json);
    expect([ErrorCode, new Set(Object.values(rest))]).toEqual([0, new Set([null])]);
    expect(await read()).toMatchObject({ SMTPHost: '', SMTPUserName: '' });
    const withoutPassword = await save({ ...secured, SMTPPassword: '' });
    expect(withoutPassword, 'the password went with the rest').toMatchObject({ ErrorCode: 9001 });
  });

  it.each([
    ['no host', { SMTPHost: '' }],
    ['a port that is none', { SMTPPort: '70000' }],
    ['a port that is not a number', { SMTPPort: 'smtp' }],
    ['a boolean that is none', { SMTPEnableSSL: 'perhaps' }],
    ['security without a user', { SMTPUserName: '' }],
  ])('is refused with %s', async (_name, change) => {
    expect(await save({ ...secured, ...change })).toMatchObject({ ErrorCode: 9001 });
  });
});

describe('the audit trail', () => {
  const read = async () => reportResult.parse((await admin.call('Audit/GetAuditTrail')).json);

  it('lists every entry with its user, newest first', async () => {
    const group = (await admin.call('Group/NewSecurityGroup')).json;
    const hostile = `[x](command:quit) "'; -- \u202E`;
    await admin.call('Group/SaveSecurityGroup', { group: { ...(group as object), GroupName: hostile } });
    const { Columns, Data } = await read();
    expect(Columns?.map(({ key, yurbitype }) => [key, yurbitype])).toEqual([
      ...[
        ['Moment', 'dat'],
        ['Event', 'cha'],
        ['User', 'cha'],
        ['Detail', 'cha'],
        ['Entry', 'num'],
      ],
    ]);
    const [latest] = Data ?? [];
    expect(latest).toMatchObject({ Event: 'Administration', User: 'admin', Detail: `created group ${hostile}` });
    expect(Math.abs(Date.parse(`${String(latest?.Moment)}Z`) - Date.now())).toBeLessThan(60_000);
    const stored = readServerState(server.dataFolder, (database) => {
      const sql = 'SELECT id, moment, detail FROM audit_entry ORDER BY id DESC';
      return database.prepare(sql).all();
    });
    expect(Data?.map(({ Entry, Moment, Detail }) => [Entry, `${String(Moment)}Z`, Detail])).toEqual(
      stored.map(({ id, moment, detail }) => [id, moment, detail]),
    );
  });

  it('names a deleted user by the id', async () => {
    const user = (await admin.call('Contact/NewContact')).json as object;
    const made = {
      ...user,
      LoginName: 'audited.guest',
      LastName: 'Audited',
      Pin: 'a long password 1',
      IsAdmin: true,
    };
    const saved = (await admin.call('Contact/SaveContact', { withpin: true, user: made })).json as { ID: number };
    const session = await server.login('audited.guest', 'a long password 1');
    expect(session.reply.ErrorCode).toBe(0);
    const current = (await admin.call('Contact/GetContactById', { ContactId: saved.ID })).json;
    await admin.call('Contact/DeleteContact', { user: current });
    const { Data } = await read();
    const signIn = Data?.find(({ Event, Detail }) => Event === 'Login Success' && Detail === 'audited.guest');
    expect(signIn?.User).toBe(`${saved.ID} (deleted)`);
  });

  it('is for administrators only', async () => {
    const viewer = await server.login('north.viewer', server.adminPassword);
    expect(await viewer.call('Audit/GetAuditTrail')).toMatchObject({ status: 204, text: '' });
  });
});

describe('audit', () => {
  const read = async () => auditType.array().parse((await admin.call('Audit/GetAuditTypes')).json);
  const save = async (AuditTypeList: unknown[]) => (await admin.call('Audit/SaveAuditTypes', { AuditTypeList })).json;

  it('has the documented types', async () => {
    const types = await read();
    const documented = [
      { ID: 1, type: 0, symbol: 'Login Success', recorded: -1, retention: 365 },
      { ID: 2, type: 1, symbol: 'Login Failure', recorded: -1, retention: 365 },
      { ID: 7, type: 6, symbol: 'Report Execution', recorded: -1, retention: 365 },
      { ID: 16, type: 15, symbol: 'Report Execution SQL', recorded: 0, retention: 365 },
    ];
    for (const type of documented) expect(types).toContainEqual(expect.objectContaining(type));
  });

  it('records sign-ins, failures and changes with who did them', async () => {
    await expect(server.login('north.viewer', 'canary-guess')).rejects.toThrow();
    await expect(server.login('canary-unknown-name', 'canary-guess')).rejects.toThrow();
    const [unknown, known] = auditEntries('Login Failure');
    expect(unknown).toMatchObject({ detail: 'unknown account', user_id: null });
    expect(known).toMatchObject({ detail: 'north.viewer', user_id: anyOf(Number) });
    expect(JSON.stringify(auditEntries('Login Failure'))).not.toContain('canary');
    await server.login('north.viewer', server.adminPassword);
    expect(auditEntries('Login Success')[0]).toMatchObject({ detail: 'north.viewer' });
    const group = (await admin.call('Group/NewSecurityGroup')).json as object;
    await admin.call('Group/SaveSecurityGroup', { group: { ...group, GroupName: 'Audited' } });
    expect(auditEntries('Administration')[0]).toMatchObject({ detail: 'created group Audited', user_id: 1 });
  });

  it('leaves no entry of a change that was refused', async () => {
    const before = auditEntries('Administration').length;
    const group = (await admin.call('Group/NewSecurityGroup')).json as object;
    await admin.call('Group/SaveSecurityGroup', { group: { ...group, GroupName: 'all users' } });
    expect(auditEntries('Administration')).toHaveLength(before);
  });

  it('records what is switched on and stops what is switched off', async () => {
    const types = await read();
    const changed = types.map((type) => ({
      ...type,
      recorded: type.symbol === 'Logout' ? -1 : type.symbol === 'Login Success' ? 0 : type.recorded,
      retention: 30,
    }));
    expect(await save(changed)).toEqual(changed);
    const successes = auditEntries('Login Success').length;
    const session = await server.login('south.viewer', server.adminPassword);
    await session.call('login/DoLogout');
    expect(auditEntries('Login Success')).toHaveLength(successes);
    expect(auditEntries('Logout')[0]).toMatchObject({ detail: 'south.viewer' });
    expect(await save(types)).toEqual(types);
  });

  it('records who ran which report and its SQL, without what row security compares with', async () => {
    const types = await read();
    const all = types.map((type) => ({ ...type, recorded: -1 }));
    const viewer = await server.login('north.viewer', server.adminPassword);
    const userId = Number(z.object({ ID: z.string() }).parse(viewer.reply.LoginUser).ID);
    const found = z.array(z.looseObject({ id: z.number(), itemtype: z.number(), ReportName: z.string() }));
    const items = found.parse((await viewer.call('library/SearchReports', { searchstring: '' })).json);
    const { id, ReportName } = items.find(({ itemtype }) => itemtype !== 0) ?? { id: 0, ReportName: '' };
    const Reportobj = (await viewer.call('Report/GetReportMetadataById', { ReportID: String(id) })).json;
    const run = () => viewer.call('Report/GetReportData', { Reportobj, supressprompts: true });
    const counts = () => [auditEntries('Report Execution').length, auditEntries('Report Execution SQL').length];
    const [runs = 0, statements = 0] = counts();
    await run();
    expect(counts()).toEqual([runs + 1, statements]);
    await save(all);
    await run();
    expect(counts()).toEqual([runs + 2, statements + 1]);
    expect(auditEntries('Report Execution')[0]).toEqual({ detail: ReportName, user_id: userId });
    const [sql] = auditEntries('Report Execution SQL');
    expect(sql).toMatchObject({ detail: textLike(/^SELECT[^]*\/#\w+#\//), user_id: userId });
    await viewer.call('Report/GetReportData', { Reportobj: { Report: { Reportname: 'Odd', ReportType: 'none' } } });
    expect(auditEntries('Report Execution')[0]).toEqual({ detail: 'Odd, refused', user_id: userId });
    await save(types.map((type) => ({ ...type, recorded: 0 })));
    const before = counts();
    await run();
    expect(counts()).toEqual(before);
    await save(types);
  });

  it('refuses incomplete, unknown and impossible types', async () => {
    const types = await read();
    const [first, ...others] = types;
    for (const list of [
      others,
      [...types, { ...first, ID: 99 }],
      [{ ...first, recorded: 1 }, ...others],
      [{ ...first, retention: 0 }, ...others],
    ]) {
      expect(await save(list)).toMatchObject({ ErrorCode: 9001 });
    }
    expect(await read()).toEqual(types);
  });
});

describe('licences', () => {
  it('are refreshed with a count of the seats', async () => {
    const reply = await admin.call('LicenseManager/RefreshInstalledLicenses');
    expect(reply.json).toEqual({ returncode: 0, message: 'Licenses refreshed: 13 of 1000 seats are taken.' });
  });

  it('are tied to an installation that needs no session to be named', async () => {
    const first = await server.call('LicenseManager/GetInstallationID', {});
    expect(first.text).toMatch(/^\d{4}(-\d{4}){5}$/);
    expect((await server.call('LicenseManager/GetInstallationID', {})).text).toBe(first.text);
  });
});
