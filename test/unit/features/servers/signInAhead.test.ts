import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { signIn } from '../../../../src/editor/pickers/signIn.ts';
import { openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { startFarProxy, type FarProxy } from '../../../support/far/farProxy.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

let server: LocalTestServer;
let proxy: FarProxy;
let scene: CommandScene;

beforeAll(async () => {
  server = await startLocalServer(true);
  proxy = await startFarProxy({ target: server.apiBase });
  scene = await openCommandScene();
});
afterEach(() => person.leave());
afterAll(async () => {
  await scene.close();
  await proxy.close();
  await server.stop();
});

const draft = (apiBase: string) =>
  scene.connections.draft({
    ...{ name: 'Far', kind: 'remote', apiBase, installationId: '' },
    ...{ userName: 'admin', isGuest: false },
  });

it('connects while a password is typed, so that the sign-in finds a connection', async () => {
  const connection = draft(proxy.apiBase);
  person.answers('Password of admin', 'mistyped').answers('Password of admin', () => {
    // What was opened while the first one was typed.
    expect(proxy.opened()).toBeGreaterThan(2);
    proxy.reset();
    return server.adminPassword;
  });
  expect(await signIn(connection)).toBe(true);
  const logins = proxy.calls.filter(({ endpoint }) => endpoint === 'login/DoLogin');
  expect(logins).toHaveLength(1);
  // A sign-in takes no connection that carried another request.
  expect(proxy.opened()).toBe(0);
});

it('says nothing of a server that cannot be reached until the password is entered', async () => {
  const stopped = await startFarProxy({ target: server.apiBase });
  await stopped.close();
  const connection = draft(stopped.apiBase);
  await connection.openAhead();
  expect([...person.texts('message'), ...scene.errors]).toEqual([]);
  person.answers('Password of admin', 'any').answers('no server is listening at this address', dismiss);
  expect(await signIn(connection)).toBe(false);
  expect([...person.texts('message'), ...scene.errors]).toEqual([]);
});
