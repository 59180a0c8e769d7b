import type { CallContext } from '../calls/handlers.ts';
import type { Store } from '../store/store.ts';
import type { StoredUser } from './users.ts';

/** Consecutive failed sign-ins that lock an account. Our choice: the API description does not specify the number. */
const failuresToLock = 5;
/**
 * Failed sign-ins, over all accounts, that lock out web pages together, or one source: many people may share the address
 * of an office.
 */
const sourceFailuresToLock = 30;
/** Time in milliseconds after which one failure of a source is forgotten: no success resets its count. */
const sourceFailureLasts = 5 * 60_000;
const firstWait = 60_000;
/** Each failure after a lock has ended doubles the wait, up to these limits. */
const longestWait = 60 * 60_000;
const longestWaitOfSuperAdmin = 5 * 60_000;
/**
 * Maximum number of accounts whose web page failures are stored: more than pages can try before they are locked out.
 */
const mostAccounts = 1_000;
/** Maximum number of sources whose failures are stored; those that failed least recently are dropped. */
const mostSources = 100_000;

interface Failures {
  count: number;
  /** Time of the last failure, in milliseconds since 1970. */
  last: number;
  /** Start of the last lock. */
  locked: number | undefined;
}

/**
 * Whether an account is locked for programs on this machine, which is what `lockdate` says. Locks expire, so that
 * guesses cannot lock an account permanently; those of super-admins expire after minutes, because there may be no other
 * account that can unlock them.
 */
export function isAccountLocked(user: StoredUser, now: Date): boolean {
  if (user.locked === null) return false;
  const longest = user.isSuperAdmin ? longestWaitOfSuperAdmin : longestWait;
  return isWaiting(Date.parse(user.locked), user.failedLogins - failuresToLock, now, longest);
}

/** A failure that was counted. */
export interface RecordedFailure {
  /** Whether the account is now locked. */
  isLocked: boolean;
  /** Stores the count. */
  write: (store: Store) => void;
  /** To be called when that is durable. */
  stored: () => void;
}

const none: Failures = { count: 0, last: 0, locked: undefined };

/**
 * Locks accounts after failed sign-ins, separately for programs, and for web pages of other origins, which must not be
 * able to lock out the owner's own client. Pages are counted together, per account and over all accounts, since the owner
 * of a domain has any number of origins. Failures of programs are stored with the account, failures of pages in memory.
 *
 * A source on another machine is locked out as pages are. What it tries while locked out does not count for accounts, so
 * that it can lock only a few of them.
 */
export class SignInLocks {
  readonly #pagesByAccount = new Map<string, Failures>();
  readonly #sources = new Map<string, Failures>();
  /** Failures of programs that are not durable yet, such as while the disk is full, by account. */
  readonly #unstored = new Map<string, Pick<StoredUser, 'failedLogins' | 'locked'>>();
  #pages = none;

  /** Whether the source of a call is locked out, whatever account it tries. */
  isSourceLocked({ now, source }: CallContext): boolean {
    const failures = source === undefined ? undefined : this.#sources.get(source);
    return failures !== undefined && isLockedBy(failures, sourceFailuresToLock, now, longestWait);
  }

  /** Whether an account is locked for the source of a call. */
  isLocked(user: StoredUser, context: CallContext): boolean {
    const { now, isFromWebPage } = context;
    if (this.isSourceLocked(context)) return true;
    if (!isFromWebPage) return isAccountLocked({ ...user, ...this.#unstored.get(user.id) }, now);
    const longest = user.isSuperAdmin ? longestWaitOfSuperAdmin : longestWait;
    const ofAccount = this.#pagesByAccount.get(user.id);
    return (
      isLockedBy(this.#pages, sourceFailuresToLock, now, longestWait) ||
      (ofAccount !== undefined && isLockedBy(ofAccount, failuresToLock, now, longest))
    );
  }

  /**
   * Counts a failed sign-in of an account or an unknown name. Attempts during a lock do not extend it.
   */
  recordFailure(user: StoredUser | undefined, context: CallContext): RecordedFailure {
    const { now, isFromWebPage, source } = context;
    if (this.isSourceLocked(context)) return inMemory(true);
    if (source !== undefined) {
      putLast(this.#sources, source, oneMoreOfSource(this.#sources.get(source) ?? none, now), mostSources);
    }
    if (user && this.isLocked(user, context)) return inMemory(true);
    if (isFromWebPage) return inMemory(this.#recordFailureOfPage(user, now));
    return user ? this.#recordFailureOfProgram(user, now) : inMemory(false);
  }

  /** Unlocks an account and resets its failures. */
  unlock(store: Store, userId: string): void {
    storeUnlocked(store, userId);
    this.forget(userId);
  }

  /** Resets the failures of an account that are in memory. */
  forget(userId: string): void {
    this.#pagesByAccount.delete(userId);
    this.#unstored.delete(userId);
  }

  #recordFailureOfProgram(user: StoredUser, now: Date): RecordedFailure {
    const failedLogins = (this.#unstored.get(user.id) ?? user).failedLogins + 1;
    const isLocked = failedLogins >= failuresToLock;
    const count = { failedLogins, locked: isLocked ? now.toISOString() : null };
    this.#unstored.set(user.id, count);
    const sql = 'UPDATE user SET failed_logins = ?, locked = ? WHERE id = ?';
    return {
      isLocked,
      write: (store) => void store.run(sql, failedLogins, count.locked, user.id),
      stored: () => {
        if (this.#unstored.get(user.id) === count) this.#unstored.delete(user.id);
      },
    };
  }

  #recordFailureOfPage(user: StoredUser | undefined, now: Date): boolean {
    const areLocked = isLockedBy(this.#pages, sourceFailuresToLock, now, longestWait);
    if (!areLocked) this.#pages = oneMoreOfSource(this.#pages, now);
    if (!user) return areLocked;
    const after = oneMore(this.#pagesByAccount.get(user.id) ?? none, failuresToLock, now);
    putLast(this.#pagesByAccount, user.id, after, mostAccounts);
    return after.locked !== undefined;
  }
}

/** Stores that an account is unlocked and has no failures. */
export function storeUnlocked(store: Store, userId: string): void {
  store.run('UPDATE user SET locked = NULL, failed_logins = 0 WHERE id = ?', userId);
}

function inMemory(isLocked: boolean): RecordedFailure {
  return { isLocked, write: () => undefined, stored: () => undefined };
}

/** Sets an entry and moves it to the end; drops the first of more than `most`. */
function putLast(entries: Map<string, Failures>, key: string, value: Failures, most: number): void {
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}

function oneMoreOfSource(before: Failures, now: Date): Failures {
  const forgotten = Math.floor(Math.max(0, now.getTime() - before.last) / sourceFailureLasts);
  return oneMore({ ...before, count: Math.max(0, before.count - forgotten) }, sourceFailuresToLock, now);
}

function oneMore({ count }: Failures, toLock: number, now: Date): Failures {
  const last = now.getTime();
  return { count: count + 1, last, locked: count + 1 >= toLock ? last : undefined };
}

function isLockedBy({ count, locked }: Failures, toLock: number, now: Date, longest: number): boolean {
  return locked !== undefined && isWaiting(locked, count - toLock, now, longest);
}

/**
 * A call may arrive just before the lock and be decided after it; a lock far in the future, left by a clock set back,
 * does not count.
 */
function isWaiting(locked: number, doublings: number, now: Date, longest: number): boolean {
  return Math.abs(now.getTime() - locked) < Math.min(firstWait * 2 ** Math.max(0, doublings), longest);
}
