import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnalyticsClient } from '../../../../src/client/client.ts';
import { isClientError } from '../../../../src/client/clientError.ts';
import { startScriptedServer, type ScriptedServer } from '../../../support/scriptedServer.ts';
import { testClient, unwatched as guard } from '../../../support/testClient.ts';

/* What a sign-in says of tenant mode and the licence explains what is refused afterwards. */

const seats = 'Licence state: Exceeded. Licences: Agent 13, Builder 5.';
const mode = 'Tenant mode is on: builders and architects';
let server: ScriptedServer;
let instance: object;
let user: object;
let reply: unknown;

beforeAll(async () => {
  server = await startScriptedServer(({ path }) => {
    if (!path.endsWith('login/DoLogin')) return path.endsWith('Session/CheckSession') ? valid : reply;
    return { ErrorCode: 0, LoginSession: valid, LoginUser: { LoginName: 'ada', ...user }, ...instance };
  });
});

afterAll(() => server.close());

const valid = { ErrorCode: 0, SessionToken: 't', SessionTimeLeft: 20 };
const restricted = {
  Tenant_Mode: true,
  maustate: 'Exceeded\u202e',
  LicensedFeatures: [
    { Feature: 'Agent', count: '13', id: '6' },
    { Feature: 'Builder', count: '5', id: '5' },
  ],
};

/** The remedy in the error of a refused call. */
async function remedyOf(call: (client: AnalyticsClient) => Promise<unknown>, signedIn = restricted, by = {}) {
  [instance, user] = [signedIn, by];
  const client = testClient(`${server.url}/api`, { userName: 'ada', password: 'p' });
  try {
    await call(client);
  } catch (error) {
    if (isClientError(error)) return error.remedy;
    throw error;
  } finally {
    await client.close();
  }
  throw new Error('Nothing was refused.');
}

const saveReport = (client: AnalyticsClient) => client.call('Report/SaveReport', { report: {} }, { guard });
const saveUser = (client: AnalyticsClient) =>
  client.call('Contact/SaveContact', { withpin: false, user: {} }, { guard });

describe('a refused call', () => {
  it('that takes a seat names the licence state and the licences', async () => {
    reply = { ErrorCode: 200, ErrorMessage: 'No seat' };
    expect(await remedyOf(saveUser)).toContain(seats);
    expect(await remedyOf(saveUser, { ...restricted, maustate: 'Normal' })).toMatch(/^Licences: Agent 13, Builder 5\./);
  });

  it('that changes content of the library names tenant mode, except to super-admins', async () => {
    reply = { ErrorCode: 9001, ErrorMessage: 'Not allowed' };
    expect(await remedyOf(saveReport)).toContain(`${mode} cannot save`);
    expect(await remedyOf(saveReport, restricted, { isSuperAdmin: true })).not.toContain('Tenant mode');
    expect(await remedyOf(saveReport, { ...restricted, Tenant_Mode: false })).not.toContain('Tenant mode');
  });

  it('names each only once', async () => {
    reply = { ErrorCode: 200, ErrorMessage: 'No seat' };
    expect((await remedyOf(saveUser)).split('Licence state')).toHaveLength(2);
    reply = { ErrorCode: 9001, ErrorMessage: 'Not allowed' };
    expect((await remedyOf(saveReport)).split(mode)).toHaveLength(2);
  });

  it('for another reason names none of it', async () => {
    reply = { ErrorCode: 9001, ErrorMessage: 'Name: missing' };
    expect(await remedyOf(saveUser)).not.toMatch(/Tenant mode|Licence/);
  });

  it('for want of permission names both', async () => {
    reply = undefined;
    const remedy = await remedyOf((client) => client.call('library/GetFolderById', { folderid: '4' }));
    expect(remedy).toContain(`${mode} only use what the group All Users can see. Licence state: Exceeded.`);
  });
});
