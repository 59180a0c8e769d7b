import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { endpointPaths, endpoints, type EndpointPath } from '../../../src/contract/endpoints.ts';
import { endpointCases } from '../../support/matrix/endpointCases.ts';
import { Scene, type Json } from '../../support/matrix/scene.ts';
import type { SignedIn } from '../../support/server.ts';

/* `bforcepasschange` holds on every endpoint, for a super-admin, too, until the password is another one. */

const record = z.record(z.string(), z.unknown());
const oldPassword = 'a first password 1';
const refused = 'Choose a new password first';
let scene: Scene;
let due: SignedIn;
let account: Json;

beforeAll(async () => {
  scene = await Scene.open();
  const template = await scene.ask('Contact/NewContact');
  const user = { ...template, LoginName: 'due', Pin: oldPassword, isAdmin: true, isSuperAdmin: true };
  account = await scene.ask('Contact/SaveContact', { withpin: true, user: { ...user, bforcepasschange: true } });
  due = await scene.server.login('due', oldPassword);
}, 60_000);
afterAll(() => scene.close());

const ownCalls: readonly EndpointPath[] = [
  'Session/CheckSession',
  'Session/RefreshSession',
  'login/DoLogout',
  'Contact/SaveMYContact',
];
const waiting = endpointPaths.filter((path) => endpoints[path].needsToken && !ownCalls.includes(path));

describe('who must choose a new password', () => {
  it('is told so by the sign-in', () => {
    expect(due.reply).toMatchObject({ ErrorCode: 0, LoginUser: { bforcepasschange: true } });
  });

  it.each(waiting)('is refused %s', async (path) => {
    const body = await endpointCases[path].body(scene, 'own', scene.person('superAdmin'));
    const before = scene.storedState();
    const { text, status } = await due.call(path, body);
    expect(scene.storedState()).toBe(before);
    // Where numbers are answered, the form has no room for words.
    if (endpoints[path].form.kind === 'number') expect([status, Number(text)]).toEqual([200, expect.any(Number)]);
    else expect(text).toContain(refused);
  });

  it('reads and checks what the change needs, and saves nothing but it', async () => {
    expect((await due.call('Session/CheckSession')).json).toMatchObject({ ErrorCode: 0 });
    expect((await due.call('Session/RefreshSession')).json).toMatchObject({ ErrorCode: 0 });
    const user = record.parse((await due.call('Contact/GetContactById', { ContactId: account.ID })).json);
    expect(user).toMatchObject({ LoginName: 'due', bforcepasschange: true });
    const attempts = [
      { withpin: false, user: { ...user, FirstName: 'X', bforcepasschange: false } },
      { withpin: true, user: { ...user, FirstName: 'X', Pin: oldPassword } },
      { withpin: true, user: { ...user, FirstName: 'X', Pin: '' } },
    ];
    for (const body of attempts) {
      expect((await due.call('Contact/SaveMYContact', body)).json).toMatchObject({ ErrorCode: 9001 });
    }
    expect(await scene.ask('Contact/GetContactById', { ContactId: account.ID })).toMatchObject({
      FirstName: '',
      bforcepasschange: true,
    });
  });

  it('may do everything once the password is another one, in the session that is open', async () => {
    const user = record.parse((await due.call('Contact/GetContactById', { ContactId: account.ID })).json);
    const saved = await due.call('Contact/SaveMYContact', { withpin: true, user: { ...user, Pin: 'another one 22' } });
    expect(saved.json).toMatchObject({ ErrorCode: 0, bforcepasschange: false });
    expect((await due.call('Contact/GetContactList')).text).toContain('"due"');
    const again = await scene.server.login('due', 'another one 22');
    expect(again.reply).toMatchObject({ LoginUser: { bforcepasschange: false } });
    // Asked for again, it holds for the session that is open.
    const now = await scene.ask('Contact/GetContactById', { ContactId: account.ID });
    await scene.asSuperAdmin('Contact/SaveContact', { withpin: false, user: { ...now, bforcepasschange: true } });
    expect((await again.call('Contact/GetContactList')).text).toContain(refused);
    expect((await again.call('login/DoLogout')).text).toBe('0');
  });

  it('is never the guest, who has no password', async () => {
    const guest = await scene.ask('Contact/GetContactById', { ContactId: '2' });
    const user = { ...guest, bforcepasschange: true };
    expect((await scene.asSuperAdmin('Contact/SaveContact', { withpin: false, user })).json).toMatchObject({
      ErrorCode: 9001,
    });
  });
});

describe('a setting that this server does not act on', () => {
  const switched = {
    ...{ SSOEnabled: 'True', SSOHeader: 'X-User', IIS_PASSTHROUGH_ENABLED: 'True', USERTZ_MODE_ENABLED: 'True' },
    ...{ GUEST_FASTCACHE: 'True', mfa_enabled: 'True', mfa_clientid: 'c', mfa_clientsecret: 's', mfa_apihost: 'h' },
    ...{ mfa_redirect: 'r', bulkemail_enabled: 'True', sqlnolocks: 'True', SchedulerMode: 2, DebugLevel: 1 },
  };

  it('is named when it is saved as if it did, and by every read', async () => {
    const settings = await scene.ask('AppSettings/GetAppSettings');
    expect(settings).toMatchObject({ ErrorMessage: '' });
    expect(settings.InactiveSettings).toEqual(expect.arrayContaining(Object.keys(switched)));
    expect(settings.InactiveSettings).toHaveLength(Object.keys(switched).length);
    for (const [name, value] of Object.entries(switched)) {
      const reply = await scene.ask('AppSettings/SaveAppSettings', { appsettings: { ...settings, [name]: value } });
      expect(reply).toMatchObject({ ErrorCode: 0, ErrorMessage: `Saved, but this server does not apply ${name}.` });
    }
    const acting = { TENANT_MODE_ENABLED: 'True', enableallusersgrp: 'False', enforcestrongpassword: 'True' };
    const reply = await scene.ask('AppSettings/SaveAppSettings', { appsettings: { ...settings, ...acting } });
    expect(reply).toMatchObject({ ErrorCode: 0, ErrorMessage: '' });
    await scene.ask('AppSettings/SaveAppSettings', { appsettings: settings });
  });

  it('of a user is named by the save and by reads, and what a client sends back is not kept', async () => {
    const user = await scene.newUser('own');
    expect(user.InactiveSettings).toBeUndefined();
    const said = { twofa: 'totp', AuthType: 'LDAP', UserState: 3, isFastCache: 1 };
    for (const [name, value] of Object.entries(said)) {
      const saved = await scene.ask('Contact/SaveContact', { withpin: false, user: { ...user, [name]: value } });
      const ErrorMessage = `Saved, but this server does not apply ${name}.`;
      expect(saved).toMatchObject({ ErrorCode: 0, ErrorMessage, InactiveSettings: [name] });
      const read = await scene.ask('Contact/GetContactById', { ContactId: user.ID });
      expect(read).toMatchObject({ ErrorMessage: null, InactiveSettings: [name] });
      const back = await scene.ask('Contact/SaveContact', { withpin: false, user: { ...read, ...user } });
      expect(back).toMatchObject({ ErrorMessage: null });
      expect(back.InactiveSettings).toBeUndefined();
    }
  });
});
