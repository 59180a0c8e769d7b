import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections/connection.ts';
import { canSee, offerRoles } from '../../../../src/features/applications/rolesOnNew.ts';
import { openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { ran } from '../../../support/vscode/index.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

let server: LocalTestServer;
let scene: CommandScene;
let connection: Connection;
const application = { applicationId: '7', name: 'Weather' };
const question = 'Application "Weather" is registered on Shop, but you have no role in it.';

beforeAll(async () => {
  server = await startLocalServer();
  scene = await openCommandScene();
  connection = await scene.addServer('Shop', server.apiBase, server.adminPassword);
});

beforeEach(() => {
  ran.length = 0;
});

afterEach(() => {
  person.leave();
});

afterAll(async () => {
  await scene.close();
  await server.stop();
});

/** Whether the wizard goes on, if the application is visible as often as said. */
async function goesOn(...isVisible: readonly boolean[]): Promise<boolean> {
  const answers = [...isVisible];
  const kept = { ...application } as Parameters<typeof canSee>[0]['setup']['kept'];
  const setup = { kept, isVisible: async () => answers.shift() ?? false };
  return canSee({ connection, client: await connection.client(), setup });
}

it('asks nothing where the application is visible', async () => {
  expect(await goesOn(true)).toBe(true);
  expect(ran).toEqual([]);
});

it('offers the author a role, and goes on once the application is visible', async () => {
  person.answers(question, 'Grant Me a Role…');
  expect(await goesOn(false, true)).toBe(true);
  const given = { connectionId: connection.id, application: { id: '7', name: 'Weather' } };
  const own = (await connection.client()).call('Contact/GetContactList', {});
  const id = String((await own).find(({ LoginName }) => LoginName === 'admin')?.ID);
  expect(ran).toEqual([['analytics.role.grant', { ...given, users: [{ id, name: 'admin' }] }]]);
});

it('stops where the application stays invisible, or the question is left', async () => {
  person.answers(question, 'Reload My Permissions');
  expect(await goesOn(false, false)).toBe(false);
  expect(ran).toEqual([['analytics.session.reloadPermissions', { connectionId: connection.id }]]);
  person.answers(question, dismiss);
  expect(await goesOn(false, true)).toBe(false);
});

it('offers roles to others at the end', async () => {
  person.answers('It is ready', 'Grant Application Role…');
  await offerRoles(connection, application, 'It is ready');
  const given = { connectionId: connection.id, application: { id: '7', name: 'Weather' } };
  expect(ran).toEqual([['analytics.role.grant', given]]);
});
