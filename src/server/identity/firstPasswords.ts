import type { Store } from '../store/store.ts';
import { adminUserId, guestUserId } from './identitySchema.ts';
import { hashPassword, randomPassword, verifyPassword } from './passwords.ts';
import { findUser, passwordHashOf } from './users.ts';

/** Passwords of a data folder as the server starts. */
export interface FirstPasswords {
  /** Settles when they are stored; until then nobody can sign in. Never rejects. */
  ready: Promise<void>;
  /** The random password that a new data folder was given, or undefined. */
  newPassword: string | undefined;
}

/**
 * Gives the built-in admin of a new data folder its password, and the sample's users the same one: `given`, or a random
 * one. On a data folder that has one already, `given` changes nothing, except that it opens a locked admin account when
 * it is that account's password: whoever starts the server must not be shut out by others' guesses.
 */
export function prepareFirstPasswords(
  store: Store,
  given: string | undefined,
  log: (message: string) => void,
): FirstPasswords {
  const adminHash = passwordHashOf(store, adminUserId);
  const isNew = adminHash === null;
  const newPassword = isNew && given === undefined ? randomPassword() : undefined;
  const password = newPassword ?? given;
  const work = async () => {
    if (password === undefined) return;
    if (isNew) await storeFirst(store, password);
    else if (findUser(store, adminUserId)?.locked) await unlock(store, password, adminHash);
  };
  const ready = work().catch((error: unknown) => log(`The first passwords could not be stored: ${String(error)}`));
  return { ready, newPassword };
}

async function storeFirst(store: Store, password: string): Promise<void> {
  const hash = await hashPassword(password);
  store.run('UPDATE user SET password_hash = ? WHERE password_hash IS NULL AND id <> ?', hash, guestUserId);
}

async function unlock(store: Store, password: string, adminHash: string): Promise<void> {
  if (!(await verifyPassword(password, adminHash))) return;
  store.run('UPDATE user SET locked = NULL, failed_logins = 0 WHERE id = ?', adminUserId);
}
