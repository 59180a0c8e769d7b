import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/*
 * Loaded before a server under test, and by the unit tests: derives keys of passwords at the lowest cost. As shipped, a hash takes
 * 0.4 s of a processor, and a run of the tests needs thousands of them.
 */

/** The form in which the product derives keys. */
type Derive = (
  password: string,
  salt: Buffer,
  length: number,
  options: crypto.ScryptOptions,
  callback: (error: Error | null, key: Buffer) => void,
) => void;

// Test files in one process load this module several times.
const kept = globalThis as typeof globalThis & { realScrypt?: Derive };
const real = (kept.realScrypt ??= crypto.scrypt);

const quick: Derive = (password, salt, length, options, callback) =>
  real(password, salt, length, { ...options, N: 2, p: 1 }, callback);

function derive(how: Derive): void {
  Object.assign(crypto, { scrypt: how });
  syncBuiltinESMExports();
}

/** Derives keys as shipped, for tests about that. @returns goes back to the quick way. */
export function useRealHashes(): () => void {
  derive(real);
  return () => derive(quick);
}

derive(quick);
