import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections/connection.ts';
import { CommandError, showCommandError } from '../../../../src/editor/commandError.ts';
import { changePassword, reloadPermissions } from '../../../../src/features/servers/commands.ts';
import { showSignInRequirements } from '../../../../src/features/servers/signInRequirements.ts';
import { changeOn, createOn, openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { ran } from '../../../support/vscode/index.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

const [old, next] = ['a long enough passphrase 1', 'another long passphrase 2'];
const demand = 'to set a new password';
const command = 'analytics.profile.changePassword';
let server: LocalTestServer;
let scene: CommandScene;
let admin: Connection;
let own: Connection;
let user: string;
let showing: { dispose(): void };
let count = 0;

beforeAll(async () => {
  server = await startLocalServer();
  scene = await openCommandScene();
  admin = await scene.addServer('Admin', server.apiBase, server.adminPassword);
  showing = showSignInRequirements(scene.connections);
});

beforeEach(async () => {
  user = `nora${(count += 1)}`;
  const account = { userName: user, isGuest: false };
  const entry = { name: user, kind: 'remote', apiBase: server.apiBase, installationId: '', ...account } as const;
  own = scene.connections.draft(entry);
  await scene.connections.save(own);
});

afterEach(() => {
  person.leave();
  ran.length = 0;
});

afterAll(async () => {
  showing.dispose();
  await scene.close();
  await server.stop();
});

const signIn = (password: string) => own.signIn({ userName: user, password, isGuest: false }, false);
const demands = () => person.texts('message').filter((text) => text.includes(demand)).length;
const changes = () => ran.filter(([id]) => id === command);

it('offers a new password at once, and the account works when it is set', async () => {
  await createOn(admin, 'user', user, { bforcepasschange: true });
  person.answers(demand, 'Change Password…');
  await signIn(old);
  await expect.poll(changes).toEqual([[command, { connectionId: own.id }]]);
  const client = await own.client();
  await expect(client.call('library/SearchReports', { searchstring: '' })).rejects.toThrow();
  // Not only the sign-in: a refused read and a refused write offer it, too.
  for (const refused of [() => client.call('Group/GetAllSecurityGroups', {}), () => createOn(own, 'group', 'Mine')]) {
    const asked: unknown[] = [];
    const error: unknown = await refused().catch((failure: unknown) => failure);
    expect(error).toMatchObject({ reason: 'newPassword', remedy: 'Set a new password, then try again.' });
    person.answers('Set a new password', 'Change Password…');
    await showCommandError(new CommandError('Could not do it', error), scene.services.log, {
      retry: async () => expect.unreachable(),
      forServer: async (id, failure) => void asked.push(id, failure.connectionId),
    });
    expect(asked).toEqual([command, own.id]);
  }
  person.answers(`New password of ${user}`, next).answers('Repeat the password', next);
  await changePassword(scene.services, { connectionId: own.id });
  expect(own.state).toMatchObject({ kind: 'active', account: { loginName: user } });
  expect(own.state).not.toHaveProperty('account.demand');
  await client.call('library/SearchReports', { searchstring: '' });
  expect(demands()).toBe(1);
  expect(JSON.stringify([person.texts(), [...scene.secrets.values.values()]])).not.toContain(next);
});

it('offers it when it is demanded during the session, once the permissions are reloaded', async () => {
  await createOn(admin, 'user', user);
  await signIn(old);
  expect(demands()).toBe(0);
  const id = own.state.kind === 'active' ? own.state.account.userId : '';
  await changeOn(admin, 'user', id, { bforcepasschange: true });
  person.answers(demand, dismiss);
  await expect(reloadPermissions(scene.services, { connectionId: own.id })).rejects.toThrow(CommandError);
  expect(own.state).toMatchObject({ account: { demand: 'newPassword' } });
  expect(demands()).toBe(1);
  expect(changes()).toEqual([]);
});

it('offers it when it is demanded during the session, after the first call that is refused', async () => {
  await createOn(admin, 'user', user);
  await signIn(old);
  const client = await own.client();
  await client.call('library/SearchReports', { searchstring: '' });
  const id = own.state.kind === 'active' ? own.state.account.userId : '';
  await changeOn(admin, 'user', id, { bforcepasschange: true });
  person.answers(demand, 'Change Password…');
  await expect(client.call('library/SearchReports', { searchstring: '' })).rejects.toMatchObject({
    reason: 'newPassword',
    remedy: 'Set a new password, then try again.',
  });
  await expect.poll(changes).toEqual([[command, { connectionId: own.id }]]);
  person.answers(`New password of ${user}`, next).answers('Repeat the password', next);
  await changePassword(scene.services, { connectionId: own.id });
  await (await own.client()).call('library/SearchReports', { searchstring: '' });
  expect(own.state).not.toHaveProperty('account.demand');
  expect(demands()).toBe(1);
});
