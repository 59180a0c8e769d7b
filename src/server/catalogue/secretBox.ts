import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/** Purpose of the key that signs the audit trail; see {@link SecretBox.derivedKey}. */
export const auditPurpose = 'audit trail';

/** Names that secrets of the state are encrypted for. */
export const secretNames = {
  mail: 'mail password',
  secondFactor: 'second-factor client secret',
  server: (serverId: string) => `registered server ${serverId}`,
} as const;

/**
 * Encrypts secrets that the server must be able to read back, such as database passwords: AES-256-GCM with a new nonce
 * each time. A secret can only be decrypted under the name it was encrypted for, so it cannot be moved to another
 * server's row.
 */
export class SecretBox {
  readonly #key: Uint8Array;

  /** @throws Error unless `key` has 32 bytes. */
  constructor(key: Uint8Array) {
    if (key.length !== 32) throw new Error('The key for stored database passwords must have 32 bytes');
    this.#key = Uint8Array.from(key);
  }

  /** A key for another purpose, which tells nothing of this one. */
  derivedKey(purpose: string): Uint8Array {
    return createHmac('sha256', this.#key).update(purpose).digest();
  }

  /** Encrypts `secret` for `name`: nonce, authentication tag, ciphertext. */
  seal(name: string, secret: string): Uint8Array {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(name));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** Decrypts the result of {@link seal} for `name`. @throws Error when key, name or bytes differ. */
  open(name: string, sealed: Uint8Array): string {
    const nonce = sealed.subarray(0, nonceLength);
    const tag = sealed.subarray(nonceLength, nonceLength + tagLength);
    try {
      const decipher = createDecipheriv(algorithm, this.#key, nonce, { authTagLength: tagLength });
      decipher.setAAD(Buffer.from(name)).setAuthTag(tag);
      const text = decipher.update(sealed.subarray(nonceLength + tagLength));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch (error) {
      throw new Error(`The stored password of ${name} cannot be decrypted: was the server's key changed?`, {
        cause: error,
      });
    }
  }
}
