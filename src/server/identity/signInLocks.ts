import type { CallContext } from '../calls/handlers.ts';
import type { Store } from '../store/store.ts';
import type { StoredUser } from './users.ts';

/** Failed sign-ins in a row that lock an account. Ours: the API description leaves the number open. */
const failuresToLock = 5;
/** Failed sign-ins of all web pages together that lock pages out. */
const pageFailuresToLock = 30;
/** One failure of pages is forgotten in this time, in milliseconds: they have no success that ends a row. */
const pageFailureLasts = 5 * 60_000;
const firstWait = 60_000;
/** Each failure after a lock has ended doubles the wait, up to these. */
const longestWait = 60 * 60_000;
const longestWaitOfSuperAdmin = 5 * 60_000;
/** Accounts whose failures from pages are kept: more than pages can try before they are locked out. */
const mostAccounts = 1_000;

interface Failures {
  count: number;
  /** When the last one was, in milliseconds since 1970. */
  last: number;
  /** When the last lock began. */
  locked: number | undefined;
}

/**
 * Whether an account is locked for programs on this machine, which is what `lockdate` says. Locks expire, so that guesses cannot
 * lock an account for good; those of super-admins expire after minutes, because no other account may be able to unlock them.
 */
export function isAccountLocked(user: StoredUser, now: Date): boolean {
  if (user.locked === null) return false;
  const longest = user.isSuperAdmin ? longestWaitOfSuperAdmin : longestWait;
  return isWaiting(Date.parse(user.locked), user.failedLogins - failuresToLock, now, longest);
}

/**
 * Locks of accounts after failed sign-ins, apart for the two sources that there are on loopback: programs on this machine, and web
 * pages of other origins, which must not be able to lock out the owner's own client. Pages count together, over each account
 * and over all of them, since the owner of a domain has any number of origins. What programs do is stored with the account, what
 * pages do is kept in memory.
 */
export class SignInLocks {
  readonly #pagesByAccount = new Map<string, Failures>();
  #pages: Failures = { count: 0, last: 0, locked: undefined };

  /** Whether an account is locked for the source of a call. */
  isLocked(user: StoredUser, { now, isFromWebPage }: CallContext): boolean {
    if (!isFromWebPage) return isAccountLocked(user, now);
    const longest = user.isSuperAdmin ? longestWaitOfSuperAdmin : longestWait;
    const ofAccount = this.#pagesByAccount.get(user.id);
    return (
      isLockedBy(this.#pages, pageFailuresToLock, now, longestWait) ||
      (ofAccount !== undefined && isLockedBy(ofAccount, failuresToLock, now, longest))
    );
  }

  /**
   * Counts a failed sign-in, of an account or of an unknown name; returns whether the account is locked now. Attempts
   * during a lock do not make it longer.
   */
  recordFailure(user: StoredUser | undefined, context: CallContext): boolean {
    const { store, now, isFromWebPage } = context;
    if (user && this.isLocked(user, context)) return true;
    if (isFromWebPage) return this.#recordFailureOfPage(user, now);
    if (!user) return false;
    const failures = user.failedLogins + 1;
    const isLocked = failures >= failuresToLock;
    const sql = 'UPDATE user SET failed_logins = ?, locked = ? WHERE id = ?';
    store.run(sql, failures, isLocked ? now.toISOString() : null, user.id);
    return isLocked;
  }

  /** Takes the locks from an account, and forgets its failures. */
  unlock(store: Store, userId: string): void {
    store.run('UPDATE user SET locked = NULL, failed_logins = 0 WHERE id = ?', userId);
    this.#pagesByAccount.delete(userId);
  }

  #recordFailureOfPage(user: StoredUser | undefined, now: Date): boolean {
    const forgotten = Math.floor(Math.max(0, now.getTime() - this.#pages.last) / pageFailureLasts);
    const recent = { ...this.#pages, count: Math.max(0, this.#pages.count - forgotten) };
    const areLocked = isLockedBy(this.#pages, pageFailuresToLock, now, longestWait);
    if (!areLocked) this.#pages = oneMore(recent, pageFailuresToLock, now);
    if (!user) return areLocked;
    const before = this.#pagesByAccount.get(user.id) ?? { count: 0, last: 0, locked: undefined };
    const after = oneMore(before, failuresToLock, now);
    // Set again as the newest; the oldest make room.
    this.#pagesByAccount.delete(user.id);
    this.#pagesByAccount.set(user.id, after);
    const [oldest] = this.#pagesByAccount.keys();
    if (this.#pagesByAccount.size > mostAccounts && oldest !== undefined) this.#pagesByAccount.delete(oldest);
    return after.locked !== undefined;
  }
}

function oneMore({ count }: Failures, toLock: number, now: Date): Failures {
  const last = now.getTime();
  return { count: count + 1, last, locked: count + 1 >= toLock ? last : undefined };
}

function isLockedBy({ count, locked }: Failures, toLock: number, now: Date, longest: number): boolean {
  return locked !== undefined && isWaiting(locked, count - toLock, now, longest);
}

/** A call may have come just before the lock and be decided after it; a lock far in the future, by a clock put back, is none. */
function isWaiting(locked: number, doublings: number, now: Date, longest: number): boolean {
  return Math.abs(now.getTime() - locked) < Math.min(firstWait * 2 ** Math.max(0, doublings), longest);
}
