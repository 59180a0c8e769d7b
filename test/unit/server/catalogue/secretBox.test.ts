import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SecretBox } from '../../../../src/server/catalogue/secretBox.ts';

const key = randomBytes(32);

describe('SecretBox', () => {
  it('opens what it sealed, with the same key and name', () => {
    const sealed = new SecretBox(key).seal('server 1', 'pässword');
    expect(new SecretBox(key).open('server 1', sealed)).toBe('pässword');
    expect(Buffer.from(sealed).includes('pässword')).toBe(false);
  });

  it('seals the same secret differently each time', () => {
    const box = new SecretBox(key);
    expect(Buffer.from(box.seal('server 1', 'x'))).not.toEqual(Buffer.from(box.seal('server 1', 'x')));
  });

  it('refuses another key, another name and changed bytes', () => {
    const sealed = new SecretBox(key).seal('server 1', 'password');
    const changed = Uint8Array.from(sealed, (byte, index) => (index === sealed.length - 1 ? byte ^ 1 : byte));
    expect(() => new SecretBox(randomBytes(32)).open('server 1', sealed)).toThrow('server 1');
    expect(() => new SecretBox(key).open('server 2', sealed)).toThrow('server 2');
    expect(() => new SecretBox(key).open('server 1', changed)).toThrow('cannot be decrypted');
    expect(() => new SecretBox(key).open('server 1', sealed.subarray(0, 5))).toThrow('cannot be decrypted');
  });

  it('takes keys of 32 bytes only', () => {
    expect(() => new SecretBox(randomBytes(16))).toThrow('32 bytes');
  });
});
