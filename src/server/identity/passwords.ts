import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Store } from '../store/store.ts';
import { adminUserId, guestUserId } from './identitySchema.ts';
import { findUser, passwordHashOf } from './users.ts';
import type { EndpointPath } from '../../contract/endpoints.ts';
import type { Caller } from '../calls/caller.ts';

/**
 * Cost of new hashes: 16 MB and five passes. Of the settings that OWASP's password storage guidance considers equally
 * strong, 2^17 × 1 to 2^13 × 10, this one takes the least CPU time except for the one with the least memory.
 */
const cost = { logN: 14, r: 8, p: 5 } as const;
const keyLength = 32;
/**
 * Each hash takes a thread and 16 MB. The runtime has four threads, one of which stays free for files and DNS; on a
 * small machine, two at once leave the other calls their share.
 */
const atOnce = Math.max(2, Math.min(3, availableParallelism() - 1));
const longestQueue = 200;
/** Maximum password length in characters; queued calls keep their passwords in memory. */
export const longestPassword = 1_000;

let running = 0;
const waiting: (() => void)[] = [];

/** Passwords that wait to be checked or hashed. */
export function waitingPasswords(): number {
  return waiting.length;
}

/** Hashes a password with scrypt and a new salt, off the main thread. The result contains its parameters. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return ['scrypt', cost.logN, cost.r, cost.p, salt.toString('base64'), key.toString('base64')].join('$');
}

/**
 * Whether `password` matches `hash`. Without a hash (unknown user, account without a password) it takes the same time
 * and returns false, so that timing does not reveal which accounts exist.
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const parts = readHash(hash) ?? { cost, salt: Buffer.alloc(16), key: undefined };
  const isPossible = password.length <= longestPassword;
  const key = await derive(isPossible ? password : '', parts.salt, parts.cost);
  return isPossible && parts.key !== undefined && parts.key.length === key.length && timingSafeEqual(parts.key, key);
}

/** Generates a password for a first start without one: 120 bits, easy to copy. */
export function randomPassword(): string {
  return randomBytes(15).toString('base64url');
}

interface Cost {
  logN: number;
  r: number;
  p: number;
}

function readHash(hash: string | null): { cost: Cost; salt: Buffer; key: Buffer } | undefined {
  if (hash === null) return undefined;
  const [scheme, logN, r, p, salt, key] = hash.split('$');
  if (scheme !== 'scrypt' || !salt || !key) throw new Error('A stored password hash cannot be read');
  return {
    cost: { logN: Number(logN), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  };
}

async function derive(password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
  await turn();
  try {
    return await scryptAsync(password.normalize('NFKC'), salt, { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/**
 * Waits for one of the {@link atOnce} slots; a finished call passes its slot to the next. @throws Error when too many
 * calls are waiting.
 */
async function turn(): Promise<void> {
  if (running < atOnce) {
    running += 1;
    return;
  }
  if (waiting.length >= longestQueue) throw new Error('Too many sign-ins at once');
  await new Promise<void>((resolve) => waiting.push(resolve));
}

function scryptAsync(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, keyLength, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** Passwords of a data folder at server start. */
interface FirstPasswords {
  /** Resolves when they are stored; until then, no user can sign in. Never rejects. */
  ready: Promise<void>;
  /** The random password generated for a new data folder, or undefined. */
  newPassword: string | undefined;
}

/**
 * Sets the password of the built-in admin of a new data folder, and the same one for the sample's users: `given`, or a
 * random one. If the data folder already has a password, `given` changes nothing, except that it unlocks the admin
 * account if it is that account's password: guesses by others must not lock out the person who starts the server.
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

/** Message for a caller who must change the password. */
export const passwordChangeDue = 'Choose a new password first: until then this account can do nothing else.';

const openPaths: ReadonlySet<EndpointPath> = new Set([
  'Session/CheckSession',
  'Session/RefreshSession',
  'login/DoLogout',
  'Contact/SaveMYContact',
]);

/**
 * Whether a call is blocked until its caller has changed the password (`bforcepasschange`): all are, except those about
 * the session and those that read and save the caller's own account.
 */
export function waitsForPasswordChange(path: EndpointPath, body: object, caller: Caller): boolean {
  if (!caller.mustChangePassword || openPaths.has(path)) return false;
  return !(path === 'Contact/GetContactById' && 'ContactId' in body && body.ContactId === caller.userId);
}
