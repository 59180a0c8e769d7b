import { auditSymbols } from '../store/auditTrail.ts';
import type { CallContext } from '../calls/handlers.ts';
import { guestUserId } from './identitySchema.ts';
import { verifyPassword } from './passwords.ts';
import { isReservedLogin } from './product.ts';
import type { ActiveSession, Sessions } from './sessions.ts';
import { findUser, findUserByLogin, passwordHashOf, type StoredUser } from './users.ts';

/** Failed sign-ins in a row that lock an account. Ours: the API description leaves the number open. */
const failuresToLock = 5;

/** A session that has just begun. */
export interface SignedIn {
  token: string;
  session: ActiveSession;
  user: StoredUser;
}

/**
 * Signs a user in by password; undefined when name or password is wrong, or the account is locked or reserved. Which of
 * these it was shows neither in the answer nor in the time it takes. Success and failure are audited. `mayReplace` is
 * asked once the password is right and may throw to leave the user's earlier session in force.
 */
export async function signInWithPassword(
  context: CallContext,
  sessions: Sessions,
  credentials: { loginName: string; password: string },
  mayReplace: (user: StoredUser) => void,
): Promise<SignedIn | undefined> {
  const { store, now } = context;
  const named = findUserByLogin(store, credentials.loginName);
  const account = named && named.id !== guestUserId && !isReservedLogin(named.loginName) ? named : undefined;
  const hash = account ? passwordHashOf(store, account.id) : null;
  const matches = await verifyPassword(credentials.password, hash);

  // The account may have changed while the hash was computed.
  const user = account && findUser(store, account.id);
  if (!user || !matches || user.locked !== null || passwordHashOf(store, user.id) !== hash) {
    store.transaction(() => recordFailure(context, user));
    return undefined;
  }
  try {
    mayReplace(user);
  } catch (error) {
    // The password was right: whoever tries stolen ones in this way leaves a trace, too.
    context.audit(auditSymbols.loginFailure, `${user.loginName}, signed in elsewhere`, user.id);
    throw error;
  }
  return store.transaction(() => begin(context, sessions, user, false, now));
}

/** Begins a session of the built-in guest account. */
export function signInAsGuest(context: CallContext, sessions: Sessions): SignedIn | undefined {
  const guest = findUser(context.store, guestUserId);
  if (!guest || guest.locked !== null) return undefined;
  return context.store.transaction(() => begin(context, sessions, guest, true, context.now));
}

function begin(context: CallContext, sessions: Sessions, user: StoredUser, isGuest: boolean, now: Date): SignedIn {
  const sql = 'UPDATE user SET last_login = ?, failed_logins = 0 WHERE id = ?';
  context.store.run(sql, now.toISOString(), user.id);
  context.audit(auditSymbols.loginSuccess, isGuest ? 'guest' : user.loginName, user.id);
  const { token, session } = sessions.begin(user, isGuest, now);
  return { token, session, user };
}

/** Counts and audits a failure. A name that is nobody's is not recorded: it may be a password typed in the wrong box. */
function recordFailure(context: CallContext, user: StoredUser | undefined): void {
  const { store, now } = context;
  if (!user) {
    context.audit(auditSymbols.loginFailure, 'unknown account');
    return;
  }
  const failures = user.failedLogins + 1;
  const locked = user.locked ?? (failures >= failuresToLock ? now.toISOString() : null);
  store.run('UPDATE user SET failed_logins = ?, locked = ? WHERE id = ?', failures, locked, user.id);
  context.audit(auditSymbols.loginFailure, locked ? `${user.loginName}, locked` : user.loginName, user.id);
}
