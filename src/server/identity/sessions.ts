import { hash, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../calls/caller.ts';
import { refusal } from '../calls/wholeObject.ts';
import { flagOf, idOf, jsonOf, numberOf, textOf } from '../store/columns.ts';
import { readSettings } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import { callerOf, callerPassport, currentPassport, type CallerPassport } from './callers.ts';
import { findUser, type StoredUser } from './users.ts';

/** An active session. */
export interface ActiveSession {
  readonly userId: string;
  readonly isGuest: boolean;
  /** Milliseconds since 1970. */
  expires: number;
  /** The caller as of the session's last look-up. */
  caller: Caller;
}

interface KnownSession extends ActiveSession {
  readonly tokenHash: string;
  /** The token itself, once it was used since the server's start. */
  token: string | undefined;
  passport: CallerPassport;
  /** The change count of the {@link watchedTables} when the caller was built. */
  madeAt: number;
  /** `expires` as stored in the database. */
  writtenExpires: number;
}

/** Interval for removing expired sessions, in milliseconds. */
const tidyInterval = 5_000;
/** An expiry is written once it has moved by this many milliseconds: a restart may cost a session that much. */
const writeAfter = 60_000;
/** Tables that callers are built from. */
const watchedTables = ['user', 'membership', 'application_role', 'settings'] as const;
/** Maximum number of simultaneous guest sessions. */
const mostGuests = 500;

/**
 * The sessions of this server: in memory, where each call looks them up, and in the database, so that they survive a
 * restart. Starts and ends are written immediately, expiries when they have moved by a minute. Tokens are random and
 * stored only as hashes. One session per user, except for guests, who share an account. A session's caller is rebuilt
 * as soon as any of its source data changes. API description, Authentication.
 */
export class Sessions {
  readonly #store: Store;
  /** Keyed by the hash of the token. */
  readonly #byToken = new Map<string, KnownSession>();
  /** Keyed by the token itself, for tokens already used: most calls find theirs here and need no hash. */
  readonly #byUsedToken = new Map<string, KnownSession>();
  readonly #byUser = new Map<string, KnownSession>();
  readonly #byCaller = new WeakMap<Caller, KnownSession>();
  /** Saves calls about the session itself a second look-up; no other call runs between their two. */
  #lastUsed: KnownSession | undefined;
  /** Counts the changes of the `watchedTables`. */
  readonly #changes: () => number;
  readonly #timer: NodeJS.Timeout;

  /** Loads the sessions that have not expired by `now`. `onError` receives errors of background writes. */
  constructor(store: Store, now: Date, onError: (error: unknown) => void) {
    this.#store = store;
    this.#changes = store.countChanges(watchedTables);
    const expired = 'DELETE FROM session WHERE expires <= ?';
    store.transactionOrLater(() => store.run(expired, now.getTime()), { always: true });
    for (const row of store.all('SELECT token_hash, user_id, is_guest, expires, passport FROM session')) {
      if (numberOf(row, 'expires') <= now.getTime()) continue;
      const user = findUser(store, idOf(row, 'user_id'));
      if (!user) continue;
      const passport = callerPassport.parse(jsonOf(row, 'passport'));
      this.#add(textOf(row, 'token_hash'), user, passport, flagOf(row, 'is_guest'), numberOf(row, 'expires'));
    }
    this.#timer = setInterval(() => {
      try {
        this.#tidy();
      } catch (error) {
        onError(error);
      }
    }, tidyInterval).unref();
  }

  /**
   * Starts a session, which ends the user's earlier one; returns its token. On a full disk it starts in memory.
   * @param also what is stored with it; see {@link Store.transactionOrLater}.
   * @throws {CallFailure} 9001 when the maximum number of guests is signed in: no guest is signed out for another.
   */
  begin(
    user: StoredUser,
    isGuest: boolean,
    now: Date,
    also: () => void = () => undefined,
  ): { token: string; session: ActiveSession } {
    const token = randomBytes(32).toString('base64url');
    const tokenHash = hashOf(token);
    const passport = currentPassport(this.#store, user.id);
    const expires = this.#expiryAfter(now);
    if (isGuest) this.#requireRoomForGuest(now);
    const ended = isGuest ? undefined : this.#byUser.get(user.id);
    this.#store.transactionOrLater(() => {
      also();
      if (ended) this.#delete(ended);
      this.#store.run(
        'INSERT INTO session (token_hash, user_id, is_guest, expires, passport) VALUES (?, ?, ?, ?, ?)',
        tokenHash,
        user.id,
        Number(isGuest),
        expires,
        JSON.stringify(passport),
      );
    });
    if (ended) this.#forget(ended);
    return { token, session: this.#add(tokenHash, user, passport, isGuest, expires) };
  }

  /** The session of a token, its expiry extended to `now` plus the timeout; undefined when it is not active. */
  use(token: string, now: Date): ActiveSession | undefined {
    const session = this.#byUsedToken.get(token) ?? this.#found(token);
    if (!session) return undefined;
    if (session.expires <= now.getTime() || !this.#refresh(session)) {
      this.#end([session]);
      return undefined;
    }
    session.expires = this.#expiryAfter(now);
    this.#lastUsed = session;
    return session;
  }

  /** The session of a caller, or undefined when it has ended. */
  of(caller: Caller): ActiveSession | undefined {
    const session = this.#lastUsed?.caller === caller ? this.#lastUsed : this.#inForce(this.#byCaller.get(caller));
    return session && this.#refresh(session) ? session : undefined;
  }

  /** Sessions that are active at `now`. */
  count(now: Date): { users: number; guests: number } {
    const active = [...this.#byToken.values()].filter(({ expires }) => expires > now.getTime());
    const guests = active.filter(({ isGuest }) => isGuest).length;
    return { users: active.length - guests, guests };
  }

  /** Whether a user has an active session. */
  isSignedIn(userId: string, now: Date): boolean {
    return (this.#byUser.get(userId)?.expires ?? 0) > now.getTime();
  }

  /** Ends the session of a token. @param also what is stored with that; see {@link Store.transactionOrLater}. */
  end(token: string, also?: () => void): void {
    const session = this.#byToken.get(hashOf(token));
    if (session) this.#end([session], also);
  }

  /** Ends every session of a user, except the one with `exceptToken`. */
  endAllOf(userId: string, exceptToken?: string): void {
    const kept = exceptToken === undefined ? undefined : hashOf(exceptToken);
    this.#end([...this.#byToken.values()].filter((other) => other.userId === userId && other.tokenHash !== kept));
  }

  /**
   * Updates a session to its user's current application roles; returns its caller, undefined when the session has
   * ended.
   */
  renewPassport(token: string): Caller | undefined {
    const session = this.#byToken.get(hashOf(token));
    if (!session) return undefined;
    this.#renew(session);
    return this.#refresh(session) ? session.caller : undefined;
  }

  /** Does the same for every session of a user. */
  renewPassportsOf(userId: string): void {
    for (const session of this.#byToken.values()) if (session.userId === userId) this.#renew(session);
  }

  /** Writes pending changes and stops the timer. */
  close(): void {
    clearInterval(this.#timer);
    this.#writeExpiries(1);
  }

  #add(tokenHash: string, user: StoredUser, passport: CallerPassport, isGuest: boolean, expires: number): KnownSession {
    const caller = callerOf(this.#store, user, isGuest, passport);
    const known = { tokenHash, token: undefined, userId: user.id, isGuest, expires, passport, caller };
    const session: KnownSession = { ...known, madeAt: this.#changes(), writtenExpires: expires };
    this.#byCaller.set(caller, session);
    this.#byToken.set(tokenHash, session);
    if (!isGuest) this.#byUser.set(user.id, session);
    return session;
  }

  /** Rebuilds the caller if its source data may have changed; false when its user no longer exists. */
  #refresh(session: KnownSession): boolean {
    const changes = this.#changes();
    if (session.madeAt === changes) return true;
    const user = findUser(this.#store, session.userId);
    if (!user) return false;
    session.caller = callerOf(this.#store, user, session.isGuest, session.passport);
    session.madeAt = changes;
    this.#byCaller.set(session.caller, session);
    return true;
  }

  #renew(session: KnownSession): void {
    const passport = currentPassport(this.#store, session.userId);
    if (isDeepStrictEqual(passport, session.passport)) return;
    const sql = 'UPDATE session SET passport = ? WHERE token_hash = ?';
    this.#store.run(sql, JSON.stringify(passport), session.tokenHash);
    session.passport = passport;
    session.madeAt = -1;
  }

  #inForce(session: KnownSession | undefined): KnownSession | undefined {
    return session && this.#byToken.get(session.tokenHash);
  }

  #end(sessions: readonly KnownSession[], also?: () => void): void {
    const write = () => {
      also?.();
      sessions.forEach((session) => this.#delete(session));
    };
    this.#store.transactionOrLater(write, { always: true });
    sessions.forEach((session) => this.#forget(session));
  }

  #delete(session: KnownSession): void {
    this.#store.run('DELETE FROM session WHERE token_hash = ?', session.tokenHash);
  }

  #found(token: string): KnownSession | undefined {
    const session = this.#byToken.get(hashOf(token));
    if (session) {
      session.token = token;
      this.#byUsedToken.set(token, session);
    }
    return session;
  }

  #forget(session: KnownSession): void {
    this.#byToken.delete(session.tokenHash);
    if (this.#lastUsed === session) this.#lastUsed = undefined;
    if (session.token !== undefined) this.#byUsedToken.delete(session.token);
    if (this.#byUser.get(session.userId) === session) this.#byUser.delete(session.userId);
  }

  #requireRoomForGuest(now: Date): void {
    const isIn = ({ isGuest, expires }: KnownSession) => isGuest && expires > now.getTime();
    if ([...this.#byToken.values()].filter(isIn).length < mostGuests) return;
    throw refusal(
      `${mostGuests} guests are signed in, which is the maximum. Try again later, or sign in with an account.`,
    );
  }

  #expiryAfter(now: Date): number {
    return now.getTime() + readSettings(this.#store).SESSION_TIMEOUT * 60_000;
  }

  #tidy(): void {
    const now = Date.now();
    const expired = [...this.#byToken.values()].filter((session) => session.expires <= now);
    if (expired.length > 0) this.#end(expired);
    this.#writeExpiries(writeAfter);
  }

  #writeExpiries(movedBy: number): void {
    const hasMoved = ({ expires, writtenExpires }: KnownSession) => Math.abs(expires - writtenExpires) >= movedBy;
    const moved = [...this.#byToken.values()].filter(hasMoved);
    // On a full disk, what waits is not repeated each time.
    if (moved.length === 0 || this.#store.waitingWrites > 0) return;
    const write = () => {
      for (const session of moved) {
        this.#store.run('UPDATE session SET expires = ? WHERE token_hash = ?', session.expires, session.tokenHash);
        session.writtenExpires = session.expires;
      }
    };
    this.#store.transactionOrLater(write, { always: true });
  }
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
