import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections/connection.ts';
import { CommandError } from '../../../../src/editor/commandError.ts';
import { unlockUser } from '../../../../src/features/security/commands.ts';
import { createOn, openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { post } from '../../../support/faults/faultProxy.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

let server: LocalTestServer;
let scene: CommandScene;
let connection: Connection;

beforeAll(async () => {
  server = await startLocalServer();
  scene = await openCommandScene();
  connection = await scene.addServer('Shop', server.apiBase, server.adminPassword);
  for (const name of ['nora', 'omar', 'vera']) await createOn(connection, 'user', name);
});

/** Locks nora and omar by wrong passwords. */
beforeEach(async () => {
  for (const UserId of ['nora', 'omar']) {
    const credentials = { UserId, UserPassword: 'wrong', isGuest: false, bolForceLogin: true };
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await post(`${server.apiBase}/login/DoLogin`, JSON.stringify(credentials));
    }
  }
  expect(await locked()).toEqual(['nora', 'omar']);
}, 60_000);

afterEach(() => person.leave());

afterAll(async () => {
  await scene.close();
  await server.stop();
});

const row = (name: string) => scene.row(connection, 'users', name);

/** Names of locked users, as the sidebar shows them. */
async function locked(): Promise<string[]> {
  const rows = await scene.rows(connection, 'users');
  return rows.flatMap((node) => (node.kind === 'user' && node.user.lockedSince !== null ? [node.user.loginName] : []));
}

it('unlocks the user of a row, and no other', async () => {
  await unlockUser(scene.services, await row('nora'));
  expect(await locked()).toEqual(['omar']);
  expect(person.texts('status')).toEqual(['nora unlocked on Shop']);
});

it('unlocks the locked users of a selection', async () => {
  const rows = [await row('vera'), await row('nora'), await row('omar')];
  await unlockUser(scene.services, rows[0], rows);
  expect(await locked()).toEqual([]);
  expect(person.texts('status')).toEqual(['2 users unlocked on Shop']);
});

it('offers locked users only, and unlocks those that are ticked', async () => {
  person.answers('Unlock User', ['omar']);
  await unlockUser(scene.services, scene.services.tree.serverNode(connection));
  expect(person.shown.find(({ kind }) => kind === 'list')?.choices).toEqual(['nora', 'omar']);
  expect(await locked()).toEqual(['nora']);
});

it('unlocks no one if the list is dismissed', async () => {
  person.answers('Unlock User', dismiss);
  await unlockUser(scene.services, scene.services.tree.serverNode(connection));
  expect(await locked()).toEqual(['nora', 'omar']);
});

it('says so if no one is locked', async () => {
  const rows = [await row('nora'), await row('omar')];
  await unlockUser(scene.services, rows[0], rows);
  await unlockUser(scene.services, scene.services.tree.serverNode(connection));
  expect(person.texts('message')).toEqual(['No users are locked on Shop.']);
});

it('unlocks no one on another installation, where the id is another user', async () => {
  const node = { ...(await row('nora')), installation: 'another' };
  await expect(unlockUser(scene.services, node)).rejects.toThrow(CommandError);
  expect(await locked()).toEqual(['nora', 'omar']);
});
