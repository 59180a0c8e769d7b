import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { errorCodes } from '../../../src/contract/errorCodes.ts';
import type { Connection } from '../../../src/connections/connection.ts';
import { startScriptedServer, type ScriptedServer } from '../../support/scriptedServer.ts';
import { openCommandScene, type CommandScene } from '../../support/commandScene.ts';
import { person } from '../../support/vscode/person.ts';

let server: ScriptedServer;
let scene: CommandScene;
let connection: Connection;
/** The one password that the server takes. */
let accepted: string;
/** What happens while the server looks at a password. */
let meanwhile: () => Promise<void>;

beforeEach(async () => {
  accepted = 'first';
  meanwhile = async () => undefined;
  server = await startScriptedServer(async ({ path, body }) => {
    if (path === '/api/LicenseManager/GetInstallationID') return '00000000-0000-4000-8000-000000000001';
    if (path === '/api/login/DoLogin') {
      await meanwhile();
      if (body.UserPassword !== accepted)
        return { ErrorCode: errorCodes.notSignedIn, ErrorMessage: 'Invalid Login', LoginSession: null };
      return { ErrorCode: 0, LoginSession: session() };
    }
    return { ErrorCode: errorCodes.notSignedIn, ErrorMessage: 'Session Expired' };
  });
  scene = await openCommandScene();
  connection = await scene.addServer('Shop', `${server.url}/api`, 'first', true);
  // Its session is over.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
});

afterEach(async () => {
  vi.useRealTimers();
  await scene.close();
  await server.close();
  person.leave();
});

function session() {
  return { SessionToken: `t${server.requests.length}`, ExpirationDate: new Date(Date.now() + 1_200_000).toISOString() };
}

const passwordKey = () => `analytics.password.${connection.id}`;

it('forgets a kept password that the server rejected', async () => {
  accepted = 'second';
  await expect((await connection.client()).call('Contact/GetContactList', {})).rejects.toMatchObject({ kind: 'signInRefused' });
  expect(scene.secrets.values.get(passwordKey())).toBeUndefined();
});

it('keeps a newer password that was stored while the server rejected the old one', async () => {
  accepted = 'second';
  // As another window does once the user has signed in there.
  meanwhile = () => scene.secrets.store(passwordKey(), 'second');
  await expect((await connection.client()).call('Contact/GetContactList', {})).rejects.toMatchObject({ kind: 'signInRefused' });
  expect(scene.secrets.values.get(passwordKey())).toBe('second');
});
