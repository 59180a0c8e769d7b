import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections/connection.ts';
import type { LocalServer } from '../../../../src/connections/localServer/localServer.ts';
import { sampleAccounts } from '../../../../src/contract/localServer.ts';
import { addAccount } from '../../../../src/features/servers/addServer.ts';
import { openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

let server: LocalTestServer;
let scene: CommandScene;
let local: Connection;

beforeAll(async () => {
  server = await startLocalServer(true);
  scene = await openCommandScene();
  const running = { url: '', pid: 1, installationId: '', apiBase: server.apiBase };
  // The process that the editor would start: here it runs in the test.
  Object.assign(scene.services.localServer, {
    ensureRunning: async () => running,
    peek: async () => running,
    demandProof: async () => undefined,
    password: async () => server.adminPassword,
    rejectPassword: async () => undefined,
    samplePassword: async () => server.adminPassword,
  } satisfies Partial<LocalServer>);
  const account = { userName: 'admin', isGuest: false };
  local = scene.connections.draft({
    ...{ name: 'Local Server', kind: 'local', apiBase: server.apiBase, installationId: '' },
    ...account,
  });
  await local.signIn({ ...account, password: server.adminPassword }, false);
  await scene.connections.save(local);
});
afterEach(() => person.leave());
afterAll(async () => {
  await scene.close();
  await server.stop();
});

it('offers exactly the accounts that the sample has, and signs in with one by a choice', async () => {
  const users = await (await local.client()).call('Contact/GetContactList', {});
  const logins = users.map(({ LoginName }) => LoginName).filter((login) => login !== 'guest');
  expect(new Set(sampleAccounts)).toEqual(new Set(logins));

  person.answers('Sign in as', 'Sample account').answers('Select a sample account', 'north.viewer');
  await addAccount(scene.services, { connectionId: local.id });
  const added = scene.connections.list().find(({ userName }) => userName === 'north.viewer');
  expect(added?.state).toMatchObject({ kind: 'active', account: { loginName: 'north.viewer' } });
});

it('asks for the name of an account that is not in the list', async () => {
  person
    .answers('Sign in as', 'Sample account')
    .answers('Select a sample account', 'Another User Name…')
    .answers('User name', dismiss);
  await addAccount(scene.services, { connectionId: local.id });
  expect(person.shown.at(-1)).toMatchObject({ kind: 'box' });
});
