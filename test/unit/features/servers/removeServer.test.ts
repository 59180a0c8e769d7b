import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeServer } from '../../../../src/features/servers/removeServer.ts';
import { openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

let server: LocalTestServer;
let scene: CommandScene;

beforeEach(async () => {
  server = await startLocalServer();
  scene = await openCommandScene();
});

afterEach(async () => {
  await scene.close();
  await server.stop();
  person.leave();
});

it('leaves no secret of a remote server whose password was kept', async () => {
  const gone = await scene.addServer('Gone', server.apiBase, server.adminPassword, { keepsPassword: true });
  expect([...scene.secrets.values.values()].join()).toContain(server.adminPassword);
  person.answers('Remove Gone from the list of servers?', 'Remove');
  await removeServer(scene.services, { connectionId: gone.id });
  expect(scene.connections.list()).toEqual([]);
  expect([...scene.secrets.values]).toEqual([]);
  expect(scene.errors).toEqual([]);
});

it('keeps the password of another account on the same server', async () => {
  const gone = await scene.addServer('Gone', server.apiBase, server.adminPassword, { keepsPassword: true });
  const kept = await scene.addServer('Kept', server.apiBase, server.adminPassword, { keepsPassword: true });
  person.answers('Remove Gone', 'Remove');
  await removeServer(scene.services, { connectionId: gone.id });
  expect(await kept.keptCredentials()).toMatchObject({ password: server.adminPassword });
  expect([...scene.secrets.values.keys()].filter((key) => key.includes(gone.id))).toEqual([]);
});

it('removes nothing when the question is declined', async () => {
  const kept = await scene.addServer('Kept', server.apiBase, server.adminPassword, { keepsPassword: true });
  const before = new Map(scene.secrets.values);
  person.answers('Remove Kept', dismiss);
  await removeServer(scene.services, { connectionId: kept.id });
  expect(scene.connections.list()).toEqual([kept]);
  expect(scene.secrets.values).toEqual(before);
});
