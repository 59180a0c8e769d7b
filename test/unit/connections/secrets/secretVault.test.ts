import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredSession } from '../../../../src/client/session/sessionState.ts';
import { SecretVault } from '../../../../src/connections/secrets/secretVault.ts';
import { MemorySecrets } from '../../../support/memorySecrets.ts';

const start = Date.parse('2026-03-01T12:00:00Z');
const session: StoredSession = {
  token: 'token-1',
  expiresAt: new Date(start).toISOString(),
  timeoutMs: 1_200_000,
  account: {
    userId: '1',
    loginName: 'admin',
    fullName: 'Admin',
    isAdmin: true,
    isGuest: false,
    productVersion: '1.0',
  },
};

const until = (ms: number, token = session.token) => ({
  ...session,
  token,
  expiresAt: new Date(start + ms).toISOString(),
});

let folder: string;
let secrets: MemorySecrets;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'analytics-vault-'));
  secrets = new MemorySecrets();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function vault(realm = 'https://one.example/api'): SecretVault {
  return new SecretVault({ server: 'Reports', secrets, key: 'session', lockFile: path.join(folder, 'lock'), realm });
}

describe('SecretVault', () => {
  it('gives back what another window wrote', async () => {
    await vault().write(session);
    await expect(vault().read()).resolves.toEqual(session);
  });

  it('keeps for other windows and later starts that the account signed in elsewhere', async () => {
    await vault().write({ ...session, isTakenOver: true });
    await expect(vault().read()).resolves.toEqual({ ...session, isTakenOver: true });
    await vault().extend({ ...session, expiresAt: new Date(start + 3_600_000).toISOString() });
    await expect(vault().read()).resolves.toEqual({ ...session, isTakenOver: true });
  });

  it('forgets, and keeps only that the user signed out, wherever the server is found next', async () => {
    await expect(vault().isSignedOut()).resolves.toBe(false);
    await vault().write(session);
    await expect(vault().isSignedOut()).resolves.toBe(false);
    await vault().write(undefined);
    await expect(vault().read()).resolves.toBeUndefined();
    for (const realm of [undefined, 'https://two.example/api']) {
      await expect(vault(realm).isSignedOut()).resolves.toBe(true);
    }
    expect([...secrets.values.values()]).toEqual(['{"isSignedOut":true}']);
    await vault().write(session);
    await expect(vault().isSignedOut()).resolves.toBe(false);
  });

  it('keeps what the sign-in said about the server, and forgets a session in which that has another type', async () => {
    const facts = { tenantMode: true, licenceState: 'Exceeded', licences: 'Agent 25' };
    const whole = { ...session, account: { ...session.account, ...facts } };
    await vault().write(whole);
    await expect(vault().read()).resolves.toEqual(whole);
    for (const wrong of [{ tenantMode: 'yes' }, { licenceState: 1 }, { licences: ['Agent'] }]) {
      const account = { ...session.account, ...wrong };
      await vault().write({ ...session, account } as unknown as StoredSession);
      await expect(vault().read()).resolves.toBeUndefined();
    }
  });

  it('keeps whether the account sees everything', async () => {
    const whole = { ...session, account: { ...session.account, isSuperAdmin: true } };
    await vault().write(whole);
    await expect(vault().read()).resolves.toEqual(whole);
  });

  it('never gives a token out for another server', async () => {
    await vault('https://one.example/api').write(session);
    for (const realm of ['https://two.example/api', 'http://one.example/api', 'https://one.example/api/', '']) {
      await expect(vault(realm).read()).resolves.toBeUndefined();
    }
  });

  it.each(['', 'null', '[]', '{"token":1}', '{"realm":"https://one.example/api","token":"x"}', '{'])(
    'takes %j for no session',
    async (text) => {
      await secrets.store('session', text);
      await expect(vault().read()).resolves.toBeUndefined();
    },
  );

  it('writes a later expiry down, but not every small step', async () => {
    const one = vault();
    await one.write(session);
    await one.extend(until(59_000));
    expect((await vault().read())?.expiresAt).toBe(session.expiresAt);
    await one.extend(until(61_000));
    expect((await vault().read())?.expiresAt).toBe(new Date(start + 61_000).toISOString());
  });

  it('never brings a session back that another window ended, and never shortens one', async () => {
    const one = vault();
    await one.write(session);
    await vault().write({ ...session, expiresAt: new Date(start + 600_000).toISOString() });
    await one.extend(until(120_000));
    expect((await vault().read())?.expiresAt).toBe(new Date(start + 600_000).toISOString());
    await vault().write(undefined);
    await one.extend(until(900_000));
    await expect(vault().read()).resolves.toBeUndefined();
  });

  it('never gives the session that took the place of another one the time of that', async () => {
    const one = vault();
    await one.write(session);
    await vault().write(until(300_000, 'token-2'));
    await one.extend(until(3_600_000));
    await expect(vault().read()).resolves.toEqual(until(300_000, 'token-2'));
  });

  it('writes an expiry down later that it could not write down at first', async () => {
    const one = vault();
    await one.write(session);
    const store = secrets.store.bind(secrets);
    secrets.store = () => Promise.reject(new Error('no keyring'));
    await expect(one.extend(until(120_000))).rejects.toMatchObject({ kind: 'storage' });
    secrets.store = store;
    await one.extend(until(121_000));
    await expect(vault().read()).resolves.toEqual(until(121_000));
  });

  it('says whose session it is, why, and what to do, when the secret storage fails', async () => {
    const broken = () => Promise.reject(new Error('no keyring'));
    secrets.get = secrets.store = secrets.delete = broken;
    for (const use of [() => vault().read(), () => vault().write(session), () => vault().write(undefined)]) {
      const error: unknown = await use().catch((failure: unknown) => failure);
      expect(error).toMatchObject({ kind: 'storage', server: 'Reports', isUnsent: true });
      expect(error).toMatchObject({ message: expect.stringMatching(/Reports.*no keyring/) as string });
      expect(error).toMatchObject({ remedy: expect.stringContaining('keyring') as string });
    }
  });
});
