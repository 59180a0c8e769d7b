import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections/connection.ts';
import { setPin } from '../../../../src/features/security/commands.ts';
import { createOn, openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { post } from '../../../support/faults/faultProxy.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

const old = 'a long enough passphrase 1';
const next = 'another long passphrase 2';
let server: LocalTestServer;
let scene: CommandScene;
let connection: Connection;
let user: string;
let count = 0;

beforeAll(async () => {
  server = await startLocalServer();
  scene = await openCommandScene();
  connection = await scene.addServer('Shop', server.apiBase, server.adminPassword);
});

beforeEach(async () => {
  user = `user${(count += 1)}`;
  await createOn(connection, 'user', user);
  person.answers('New PIN', old).answers('Repeat the PIN', old);
  await setPin(scene.services, await row());
});

afterEach(() => person.leave());

afterAll(async () => {
  await scene.close();
  await server.stop();
});

const row = () => scene.row(connection, 'users', user);

async function signsIn(password: string): Promise<boolean> {
  const credentials = { UserId: user, UserPassword: password, isGuest: false, bolForceLogin: true };
  const { text } = await post(`${server.apiBase}/login/DoLogin`, JSON.stringify(credentials));
  return text.includes('SessionToken":"');
}

it('sets what was typed twice', async () => {
  person.answers('New PIN', next).answers('Repeat the PIN', next);
  await setPin(scene.services, await row());
  expect([await signsIn(next), await signsIn(old)]).toEqual([true, false]);
});

it.each(['New PIN', 'Repeat the PIN'])('sets nothing when the box "%s" is left', async (left) => {
  if (left !== 'New PIN') person.answers('New PIN', next);
  person.answers(left, dismiss);
  await setPin(scene.services, await row());
  expect([await signsIn(next), await signsIn(old)]).toEqual([false, true]);
});

it('sends nothing as long as the two differ, and says so in the box', async () => {
  person.answers('New PIN', next).answers('Repeat the PIN', `${next}x`).answers('The PINs do not match.', dismiss);
  await setPin(scene.services, await row());
  expect([await signsIn(next), await signsIn(`${next}x`), await signsIn(old)]).toEqual([false, false, true]);
});

it('asks again for an empty one', async () => {
  person.answers('New PIN', '').answers('Enter a PIN.', dismiss);
  await setPin(scene.services, await row());
  expect(await signsIn(old)).toBe(true);
});

it('sets nothing when the list of users is left', async () => {
  person.answers('User', dismiss);
  await setPin(scene.services);
  expect(await signsIn(old)).toBe(true);
});
