import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections/connection.ts';
import { changePassword } from '../../../../src/features/servers/commands.ts';
import { changeOn, createOn, openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { post } from '../../../support/faults/faultProxy.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

const [old, next] = ['a long enough passphrase 1', 'another long passphrase 2'];
let server: LocalTestServer;
let scene: CommandScene;
let admin: Connection;
let own: Connection;
let user: string;
let count = 0;

beforeAll(async () => {
  server = await startLocalServer();
  scene = await openCommandScene();
  admin = await scene.addServer('Admin', server.apiBase, server.adminPassword);
});

beforeEach(async () => {
  user = `nora${(count += 1)}`;
  await createOn(admin, 'user', user);
});

afterEach(() => person.leave());

afterAll(async () => {
  await scene.close();
  await server.stop();
});

/** Adds the user's own account, and signs in. */
async function signIn(keepsPassword: boolean): Promise<void> {
  const account = { userName: user, isGuest: false };
  const entry = { name: user, kind: 'remote', apiBase: server.apiBase, installationId: '', ...account } as const;
  own = scene.connections.draft(entry);
  await own.signIn({ ...account, password: old }, keepsPassword);
  await scene.connections.save(own);
}

const change = () => changePassword(scene.services, { connectionId: own.id });
const first = () => `New password of ${user} on ${user}`;

async function signsIn(password: string): Promise<boolean> {
  const credentials = { UserId: user, UserPassword: password, isGuest: false, bolForceLogin: true };
  const { text } = await post(`${server.apiBase}/login/DoLogin`, JSON.stringify(credentials));
  return text.includes('SessionToken":"');
}

it('sets what was typed twice, and goes on with a session of the new password', async () => {
  await signIn(false);
  person.answers(first(), next).answers('Repeat the password', next);
  await change();
  expect(own.state.kind).toBe('active');
  const client = await own.client();
  expect(await client.call('LicenseManager/GetInstallationID', {})).not.toBe('');
  expect(await own.keptCredentials()).toBeUndefined();
  expect([...scene.secrets.values.values()].join()).not.toContain(next);
  expect([await signsIn(next), await signsIn(old)]).toEqual([true, false]);
});

it('replaces the password that was kept', async () => {
  await signIn(true);
  person.answers(first(), next).answers('Repeat the password', next);
  await change();
  expect(await own.keptCredentials()).toMatchObject({ userName: user, password: next });
  expect([...scene.secrets.values.values()].join()).not.toContain(old);
});

it.each(['New password', 'Repeat the password'])('changes nothing when the box "%s" is left', async (left) => {
  await signIn(true);
  if (left !== 'New password') person.answers(first(), next);
  person.answers(left, dismiss);
  await change();
  expect(await own.keptCredentials()).toMatchObject({ password: old });
  expect([await signsIn(next), await signsIn(old)]).toEqual([false, true]);
});

it('shows in the box why the server refuses it', async () => {
  await signIn(true);
  const strong = (isOn: boolean) =>
    changeOn(admin, 'settings', 'settings', { enforcestrongpassword: isOn ? 'True' : 'False' });
  await strong(true);
  person.answers(first(), 'short').answers('Repeat the password', 'short').answers('Repeat the password', dismiss);
  await change();
  await strong(false);
  expect(person.texts('box').at(-1)).toMatch(/\n.*password/i);
  expect(await own.keptCredentials()).toMatchObject({ password: old });
  expect(await signsIn(old)).toBe(true);
});

it('asks nothing of an account that is signed out', async () => {
  await signIn(true);
  await own.signOut();
  await change();
  expect(person.texts()).toEqual([]);
});
