import { afterEach, expect, it } from 'vitest';
import { AnalyticsClient } from '../../../../src/client/client.ts';
import { isClientError } from '../../../../src/client/clientError.ts';
import type { StoredSession } from '../../../../src/client/session/sessionState.ts';
import { handled, startScriptedServer, type Script, type ScriptedServer } from '../../../support/scriptedServer.ts';
import { memoryVault } from '../../../support/testClient.ts';

/* A server of another release answers 404 to some calls: those are not asked for again, and the address is not doubted. */

const stored = (token: string): StoredSession => ({
  ...{ token, timeoutMs: 1_200_000, expiresAt: new Date(Date.now() + 1_200_000).toISOString() },
  account: { userId: '7', loginName: 'ada', fullName: '', isAdmin: false, isGuest: false, productVersion: '' },
});
let server: ScriptedServer;
let client: AnalyticsClient;

afterEach(async () => {
  await client.close();
  await server.close();
});

async function open(script: Script): Promise<void> {
  server = await startScriptedServer(script);
  client = new AnalyticsClient({
    target: { connectionId: 'c', name: 'Shop', apiBase: server.url },
    vault: memoryVault(stored('one')),
    credentials: async () => undefined,
  });
  await client.session.restore();
}

const lacking: Script = ({ path }, response) => {
  if (path.endsWith('GetAllDataTags')) return handled404(response);
  return path.endsWith('CheckSession') ? { ErrorCode: 0, SessionToken: 'one' } : [{ GroupId: '1' }];
};

function handled404(response: Parameters<Script>[1]): typeof handled {
  response.writeHead(404).end();
  return handled;
}

const failure = async () => {
  const error: unknown = await client.call('DataTag/GetAllDataTags', {}).catch((thrown: unknown) => thrown);
  if (!isClientError(error)) throw error;
  return error;
};

it('is asked three times at most for an endpoint that its release lacks', async () => {
  await open(lacking);
  for (let time = 0; time < 5; time += 1) {
    const { kind, message, remedy } = await failure();
    expect(kind).toBe('notFound');
    expect(message).toBe('This release of Shop does not have DataTag/GetAllDataTags.');
    expect(remedy).not.toContain('address');
  }
  expect(server.count('GetAllDataTags')).toBe(3);
  await client.call('Group/GetAllSecurityGroups', {});
});

it('is asked again if nothing answers at its address, which may be wrong then', async () => {
  let isUp = false;
  await open((request, response) => (isUp ? (lacking(request, response) ?? []) : handled404(response)));
  expect((await failure()).message).toContain('The address or prefix may be wrong.');
  isUp = true;
  expect((await failure()).message).toContain('This release of Shop');
  expect(server.count('GetAllDataTags')).toBe(2);
});

it('is asked again if the endpoint answered before: something on the way does not', async () => {
  let isUp = true;
  await open((request, response) =>
    isUp && request.path.endsWith('GetAllDataTags') ? [{ ID: '1' }] : lacking(request, response),
  );
  await client.call('DataTag/GetAllDataTags', {});
  isUp = false;
  for (let time = 0; time < 5; time += 1) expect((await failure()).message).not.toContain('This release');
  isUp = true;
  expect(await client.call('DataTag/GetAllDataTags', {})).toHaveLength(1);
});
