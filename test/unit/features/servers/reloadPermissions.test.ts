import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { reloadPermissions } from '../../../../src/features/servers/commands.ts';
import { isClientError } from '../../../../src/client/clientError.ts';
import type { JsonObject } from '../../../../src/objects/json.ts';
import { changeOn, openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { startServer, type TestServer } from '../../../support/server.ts';
import { person } from '../../../support/vscode/person.ts';

let scene: CommandScene;
const servers: TestServer[] = [];

beforeAll(async () => {
  scene = await openCommandScene();
});
afterEach(() => person.leave());
afterAll(async () => {
  await scene.close();
  for (const server of servers) await server.stop();
});

async function addServer(name: string, ...serverArgs: string[]) {
  const server = await startServer({ sample: true, serverArgs });
  servers.push(server);
  return scene.addServer(name, server.apiBase, server.adminPassword);
}

it('says after reloading that the licence of the server expired, and only then', async () => {
  const valid = await addServer('Valid');
  const expired = await addServer('Expired', '--licence-expired');
  await reloadPermissions(scene.services, { connectionId: valid.id });
  expect(person.texts('message')).toEqual([]);
  await reloadPermissions(scene.services, { connectionId: expired.id });
  expect(person.texts('message')).toEqual([expect.stringContaining('The licence of Expired is expired or invalid.')]);
  expect(person.texts('status')).toContainEqual(expect.stringContaining('Permissions on Expired reloaded'));
});

it('advises where seats are held when the server refuses a role with code 200', async () => {
  const full = await addServer('Full', '--licence-seats', '0');
  const users = await (await full.client()).call('Contact/GetContactList', {});
  const of = (login: string) => users.find(({ LoginName }) => LoginName === login);
  const fields = JSON.parse(JSON.stringify({ UserApplications: of('north.viewer')?.UserApplications })) as JsonObject;
  const granting = changeOn(full, 'user', String(of('admin')?.ID), fields);
  const refusal: unknown = await granting.catch((error: unknown) => error);
  if (!isClientError(refusal, 'refused')) throw new Error(String(refusal));
  expect(refusal.code).toBe(200);
  expect(refusal.remedy).toContain('Licences in the sidebar');
});
