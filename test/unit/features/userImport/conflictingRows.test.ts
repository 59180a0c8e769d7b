import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections/connection.ts';
import { createApplication } from '../../../../src/features/applications/applications.ts';
import { importUsers } from '../../../../src/features/userImport/importUsers.ts';
import type { ImportSnapshot } from '../../../../src/features/userImport/pageContract.ts';
import { createOn, openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { person } from '../../../support/vscode/person.ts';
import { closePanels, panels } from '../../../support/vscode/webviews.ts';

/* Rows that contradict each other, or name what does not exist: none of them gives access, and the other rows are imported. */

let server: LocalTestServer;
let scene: CommandScene;
let connection: Connection;

beforeAll(async () => {
  server = await startLocalServer();
  scene = await openCommandScene();
  connection = await scene.addServer('Shop', server.apiBase, server.adminPassword);
  await createApplication(await connection.client(), 'Flights', '');
});

afterEach(() => {
  closePanels();
  person.leave();
});

afterAll(async () => {
  await scene.close();
  await server.stop();
});

const own = 'Of their own 12';

it('gives no access by rows that contradict each other, and imports the others', async () => {
  const group = await createOn(connection, 'group', 'North');
  const file = path.join(scene.folder, 'users.csv');
  const rows = [
    `ada,${own},North:View,,`,
    `ole,${own},North:View,Flights,Agent`,
    `Ada,${own},North:Delete,,`,
    `ina,${own},North:View|#${group}:Admin,,`,
    `eva,${own},,Nowhere,Agent`,
    `max,${own},,Flights,Emperor`,
    `kim,${own},Nowhere,,`,
    `lea,${own},,,Agent`,
  ];
  await writeFile(file, ['LoginName,Password,Groups,Application,Role', ...rows].join('\n'));
  person.answers('Users to import into Shop', file);
  await importUsers(scene.services, scene.services.tree.serverNode(connection));
  const panel = panels.at(-1);
  if (!panel) throw new Error('There is no panel.');
  const shown = async () => (await panel.ask('ready')) as ImportSnapshot;
  const refused = (await shown()).rows.filter(({ look }) => look === 'invalid');
  expect(refused.map(({ loginName, reason }) => `${loginName}: ${reason}`)).toEqual([
    'ada: ada is in the file more than once.',
    'Ada: Ada is in the file more than once.',
    `ina: The group "#${group}" is listed more than once. List it once, with the role you want.`,
    'eva: There is no application "Nowhere", or more than one.',
    'max: "Emperor" is not a role in applications. Use Agent, Builder or Architect.',
    'kim: There is no group "Nowhere".',
  ]);
  await panel.ask('import');
  await expect
    .poll(async () => (await shown()).rows.filter(({ look }) => look === 'done').length, { timeout: 20_000 })
    .toBe(2);
  const users = await (await connection.client()).call('Contact/GetContactList', {});
  const logins = users.map(({ LoginName }) => LoginName ?? '');
  expect(logins.filter((name) => /^(ada|ole|ina|eva|max|kim|lea)$/i.test(name)).sort()).toEqual(['lea', 'ole']);
  const ole = users.find(({ LoginName }) => LoginName === 'ole');
  const roles = (ole?.SecurityGroups ?? []).filter(({ GroupName }) => GroupName === 'North');
  expect(roles.map(({ GroupRoles }) => GroupRoles?.map(({ RoleId }) => String(RoleId)))).toEqual([['2']]);
  expect(ole?.UserApplications?.map(({ ApplicationRoleName }) => ApplicationRoleName)).toEqual(['Agent']);
});
