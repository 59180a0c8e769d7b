import { auditSymbols } from '../store/auditTrail.ts';
import type { Store } from '../store/store.ts';
import type { CallContext } from '../calls/handlers.ts';
import { adminUserId, guestUserId } from './identitySchema.ts';
import { verifyPassword } from './passwords.ts';
import { isReservedLogin } from './product.ts';
import type { ActiveSession, Sessions } from './sessions.ts';
import { isAccountLocked, type SignInLocks } from './signInLocks.ts';
import { findUser, findUserByLogin, passwordHashOf, type StoredUser } from './users.ts';

/** The sessions that a sign-in begins, and the locks that prevent it. */
export interface SignInParts {
  sessions: Sessions;
  locks: SignInLocks;
}

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
  parts: SignInParts,
  credentials: { loginName: string; password: string },
  mayReplace: (user: StoredUser) => void,
): Promise<SignedIn | undefined> {
  const { store, now } = context;
  const named = findUserByLogin(store, credentials.loginName);
  const account = named && maySignIn(context.store, named) ? named : undefined;
  const hash = account ? passwordHashOf(store, account.id) : null;
  const matches = await verifyPassword(credentials.password, hash);

  // The account may have changed while the hash was computed.
  const user = account && findUser(store, account.id);
  const isRight = user && matches && passwordHashOf(store, user.id) === hash && maySignIn(store, user);
  if (!isRight || parts.locks.isLocked(user, context)) {
    store.transaction(() => recordFailure(context, parts.locks, user));
    return undefined;
  }
  try {
    mayReplace(user);
  } catch (error) {
    // The password was right: whoever tries stolen ones in this way leaves a trace, too.
    context.audit(auditSymbols.loginFailure, `${user.loginName}, signed in elsewhere`, user.id);
    throw error;
  }
  return store.transaction(() => {
    parts.locks.unlock(store, user.id);
    return begin(context, parts.sessions, user, false, now);
  });
}

/** Guests have no password, and reserved names are those of no person; the built-in admin keeps its own in any case. */
function maySignIn(store: Store, { id, loginName }: StoredUser): boolean {
  return id === adminUserId || (id !== guestUserId && !isReservedLogin(store, loginName));
}

/** Begins a session of the built-in guest account. */
export function signInAsGuest(context: CallContext, sessions: Sessions): SignedIn | undefined {
  const guest = findUser(context.store, guestUserId);
  if (!guest || isAccountLocked(guest, context.now)) return undefined;
  return context.store.transaction(() => begin(context, sessions, guest, true, context.now));
}

function begin(context: CallContext, sessions: Sessions, user: StoredUser, isGuest: boolean, now: Date): SignedIn {
  context.store.run('UPDATE user SET last_login = ? WHERE id = ?', now.toISOString(), user.id);
  context.audit(auditSymbols.loginSuccess, isGuest ? 'guest' : user.loginName, user.id);
  const { token, session } = sessions.begin(user, isGuest, now);
  return { token, session, user };
}

/** Counts and audits a failure. A name that is nobody's is not recorded: it may be a password typed in the wrong box. */
function recordFailure(context: CallContext, locks: SignInLocks, user: StoredUser | undefined): void {
  const isLocked = locks.recordFailure(user, context);
  const source = context.isFromWebPage ? ', from a web page' : '';
  const name = user ? `${user.loginName}${isLocked ? ', locked' : ''}` : 'unknown account';
  context.audit(auditSymbols.loginFailure, `${name}${source}`, user?.id);
}
