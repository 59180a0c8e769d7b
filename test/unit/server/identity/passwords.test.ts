import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword, randomPassword, verifyPassword } from '../../../../src/server/identity/passwords.ts';
import { product, isReservedLogin } from '../../../../src/server/identity/product.ts';
import { readSettings, settingsSchema, writeSettings } from '../../../../src/server/store/settings.ts';
import { Store } from '../../../../src/server/store/store.ts';
import { useRealHashes } from '../../../support/security/quickHashes.ts';
import manifest from '../../../../package.json' with { type: 'json' };

describe('passwords', () => {
  let quickAgain: () => void;
  beforeAll(() => (quickAgain = useRealHashes()));
  afterAll(() => quickAgain());

  it('are verified against their own hash only', async () => {
    const hash = await hashPassword('pass word');
    expect(hash).toMatch(/^scrypt\$14\$8\$5\$[\w+/=]{24}\$[\w+/=]{44}$/);
    expect(hash).not.toContain('pass word');
    expect(await verifyPassword('pass word', hash)).toBe(true);
    expect(await verifyPassword('Pass word', hash)).toBe(false);
    expect(await verifyPassword('', hash)).toBe(false);
    expect(await hashPassword('pass word')).not.toBe(hash);
  });

  it('match however their accents were typed', async () => {
    const hash = await hashPassword('caf\u00e9');
    expect(await verifyPassword('cafe\u0301', hash)).toBe(true);
  });

  it('without a hash are never right, even empty', async () => {
    expect(await verifyPassword('', null)).toBe(false);
    expect(await verifyPassword('anything', null)).toBe(false);
  });

  it('reject a stored hash that cannot be read', async () => {
    await expect(verifyPassword('x', 'md5$abc')).rejects.toThrow('cannot be read');
  });

  it('are hashed while the event loop goes on', async () => {
    const work = Promise.all(Array.from({ length: 4 }, () => hashPassword('x')));
    let turns = 0;
    let isDone = false;
    void work.then(() => (isDone = true));
    while (!isDone) {
      await new Promise(setImmediate);
      turns += 1;
    }
    // On the main thread there would be one turn per hash.
    expect(turns).toBeGreaterThan(100);
  });

  it('are drawn at random for a first start', () => {
    const drawn = new Set(Array.from({ length: 100 }, randomPassword));
    expect(drawn.size).toBe(100);
    for (const password of drawn) expect(password).toMatch(/^[\w-]{20}$/);
  });
});

describe('product', () => {
  it('has the version of the package', () => {
    expect(product.version).toBe(manifest.version);
  });

  it('reserves the accounts of internal services, however they are written', () => {
    const store = Store.open(':memory:', [settingsSchema]);
    const isReserved = (name: string) => isReservedLogin(store, name);
    const written = [
      'scheduler',
      'Service',
      ' SCHEDULER ',
      'sche\u200bduler',
      'ｓｃｈｅｄｕｌｅｒ',
      'PRODUCTNAME',
      'product name',
    ];
    expect(written.filter((name) => !isReserved(name))).toEqual([]);
    expect(['admin', 'services', 'Fleet', ''].filter(isReserved)).toEqual([]);
    writeSettings(store, { ...readSettings(store), Productname: 'Fleet\u00a0Reports' });
    expect(['fleetreports', 'FLEET  REPORTS', 'Analytics Studio'].filter((name) => !isReserved(name))).toEqual([]);
    for (const Productname of ['', ' ']) {
      writeSettings(store, { ...readSettings(store), Productname });
      expect(['', 'fleet reports'].filter(isReserved), 'an empty name reserves nothing').toEqual([]);
    }
    store.close();
  });
});
