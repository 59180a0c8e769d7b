import { afterEach, beforeEach, expect, it } from 'vitest';
import { errorCodes } from '../../../src/contract/errorCodes.ts';
import type { Connection } from '../../../src/connections/connection.ts';
import { startScriptedServer, type ScriptedServer } from '../../support/scriptedServer.ts';
import { openCommandScene, type CommandScene } from '../../support/commandScene.ts';
import { person } from '../../support/vscode/person.ts';

let server: ScriptedServer;
let scene: CommandScene;
let connection: Connection;
/** What happens while the server looks at a password. */
let meanwhile: () => Promise<void>;

beforeEach(async () => {
  meanwhile = async () => undefined;
  server = await startScriptedServer(async ({ path }) => {
    if (path === '/api/LicenseManager/GetInstallationID') return '00000000-0000-4000-8000-000000000001';
    await meanwhile();
    return { ErrorCode: errorCodes.notSignedIn, ErrorMessage: 'Invalid Login' };
  });
  scene = await openCommandScene();
  const account = { userName: 'ada', isGuest: false };
  connection = scene.connections.draft({
    ...account,
    name: 'Shop',
    kind: 'remote',
    apiBase: `${server.url}/api`,
    installationId: '',
  });
  await scene.secrets.store(passwordKey(), 'first');
});

afterEach(async () => {
  await connection.openClient?.close();
  connection.dispose();
  await scene.close();
  await server.close();
  person.leave();
});

const passwordKey = () => `analytics.password.${connection.id}`;

it('forgets a kept password that the server rejected', async () => {
  await expect((await connection.client()).call('Contact/GetContactList', {})).rejects.toMatchObject({
    kind: 'signInRefused',
  });
  expect(scene.secrets.values.get(passwordKey())).toBeUndefined();
});

it('keeps a newer password that was stored while the server rejected the old one', async () => {
  // As another window does once the user has signed in there.
  meanwhile = () => scene.secrets.store(passwordKey(), 'second');
  await expect((await connection.client()).call('Contact/GetContactList', {})).rejects.toMatchObject({
    kind: 'signInRefused',
  });
  expect(scene.secrets.values.get(passwordKey())).toBe('second');
});
