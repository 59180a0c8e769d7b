import { afterEach, expect, it, vi } from 'vitest';
import type { AnalyticsClient } from '../../../../src/client/client.ts';
import { startScriptedServer, type ScriptedServer } from '../../../support/scriptedServer.ts';
import { testClient } from '../../../support/testClient.ts';

const own = 'Contact/GetContactById';
const refused = { ErrorCode: 9001, ErrorMessage: 'No.' };
let server: ScriptedServer;
let client: AnalyticsClient;

afterEach(async () => {
  vi.useRealTimers();
  await client.close();
  await server.close();
});

/** A server that refuses everything, and answers to the account's own record. */
async function start(record: () => unknown, user: object = { ID: '7', LoginName: 'ada' }): Promise<void> {
  server = await startScriptedServer(({ path }) => {
    if (path.endsWith('login/DoLogin')) {
      const SessionExpir = new Date(Date.now() + 20 * 60_000).toISOString();
      return { ErrorCode: 0, LoginSession: { SessionToken: 't', SessionExpir }, LoginUser: user };
    }
    if (path.endsWith('Session/CheckSession')) return { ErrorCode: 0, SessionToken: 't' };
    return path.endsWith(own) ? record() : refused;
  });
  client = testClient(`${server.url}/api`, { userName: 'ada', password: 'p' });
}

const ask = () => client.call('AppSettings/GetAppSettings', {}).catch((error: unknown) => error);

it('asks once a minute whether a password is due, however many calls are refused', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  await start(() => ({ ErrorCode: 0, ID: '7', LoginName: 'ada', bforcepasschange: false }));
  const first = await Promise.all([ask(), ask(), ask()]);
  for (const error of [...first, await ask()]) expect(error).toMatchObject({ kind: 'refused', reason: undefined });
  expect(server.count(own)).toBe(1);
  vi.setSystemTime(Date.now() + 61_000);
  await ask();
  await ask();
  expect(server.count(own)).toBe(2);
});

it('takes the demand from the record, and its end', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  let bforcepasschange = true;
  await start(() => ({ ErrorCode: 0, ID: '7', LoginName: 'ada', bforcepasschange }));
  const all = await Promise.all([ask(), ask()]);
  for (const error of [...all, await ask()]) expect(error).toMatchObject({ kind: 'refused', reason: 'newPassword' });
  expect(client.session.state).toMatchObject({ kind: 'active', account: { demand: 'newPassword' } });
  expect(server.count(own)).toBe(1);
  // Set elsewhere: what is refused later has another reason.
  bforcepasschange = false;
  vi.setSystemTime(Date.now() + 61_000);
  expect(await ask()).toMatchObject({ kind: 'refused', reason: undefined });
  expect(client.session.state).toMatchObject({ kind: 'active', account: { demand: undefined } });
});

it.each([
  ['is refused', () => refused],
  ['is empty', () => undefined],
  ['is that of another user', () => ({ ErrorCode: 0, ID: '8', LoginName: 'ole', bforcepasschange: true })],
  ['says nothing about it', () => ({ ErrorCode: 0, ID: '7', LoginName: 'ada' })],
])('throws the refusal itself if the record %s', async (_case, record) => {
  await start(record);
  expect(await ask()).toMatchObject({ kind: 'refused', reason: undefined });
  expect(client.session.state).not.toHaveProperty('account.demand');
});

it('does not ask for an account without a password or an id', async () => {
  await start(() => refused, { LoginName: 'ada' });
  await ask();
  expect(server.count(own)).toBe(0);
});
