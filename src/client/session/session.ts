import { user } from '../../contract/resources/user.ts';
import { isClientError } from '../clientError.ts';
import { accountZone } from './accountRights.ts';
import { emptyReply } from '../http/reply/rawReply.ts';
import { defaultLimits, type EndpointCaller } from '../http/endpointCall.ts';
import { expiryOf, CurrentSession } from './currentSession.ts';
import { SessionRenewal, type RenewalOptions } from './sessionRenewal.ts';
import type { Credentials, SessionAccount, SessionState, SessionVault, StoredSession } from './sessionState.ts';
import { endedElsewhere, isNews, shareAccount } from './sharedSession.ts';
import { isSignInForbidden } from './userSession.ts';
import { waitFor } from '../http/waitFor.ts';
import { awaitServer } from '../http/cancelScope.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Dependencies of {@link Session}. */
export interface SessionOptions extends RenewalOptions {
  /** The clock, replaceable by tests. */
  now?: () => number;
}

/**
 * The session of one account on one server: one sign-in for all calls and windows, rolling expiry, and a defined end
 * when the account signs in elsewhere. API description, Authentication.
 */
export class Session {
  readonly #caller: EndpointCaller;
  readonly #vault: SessionVault;
  readonly #held: CurrentSession;
  readonly #renewal: SessionRenewal;

  constructor({ now = Date.now, ...options }: SessionOptions) {
    this.#caller = options.caller;
    this.#vault = options.vault;
    this.#held = new CurrentSession(options.caller.target.name, now);
    this.#renewal = new SessionRenewal(options, this.#held);
  }

  get state(): SessionState {
    return this.#held.state;
  }

  /** Calls `listener` on every change of state. Returns a function that unsubscribes. */
  onDidChange(listener: (state: SessionState) => void): () => void {
    return this.#held.onDidChange(listener);
  }

  /**
   * Returns a token: the current one, one from another window, or one from a new sign-in with stored credentials.
   * @throws {ClientError} of kind notSignedIn, takenOver or signInRefused when only the user can help.
   */
  async token(): Promise<string> {
    const { state, current, isAlive } = this.#held;
    if (state.kind === 'takenOver') return this.#renewal.takenOver(state.account);
    if (current && isAlive) return current.token;
    // Not rejected, only expired by this clock: another window may have extended it.
    return this.#renew(undefined);
  }

  /**
   * Signs in with credentials entered by the user. This ends every other session of the account.
   * @throws {ClientError} also of kind cancelled; the server may have signed the account in anyway.
   */
  async signIn(credentials: Credentials, signal?: AbortSignal): Promise<void> {
    this.#renewal.forgive();
    const facts = { server: this.#caller.target.name, endpoint: 'login/DoLogin' };
    await awaitServer(facts.server, signal, (either) => {
      const work = this.#vault.withLock(async () => {
        // The user may have cancelled while another window held the lock.
        if (!either?.aborted) await this.#renewal.login(credentials, either);
      });
      return waitFor(work, { signal: either, deadlineMs: defaultLimits.deadlineMs }, facts);
    });
  }

  /**
   * Signs out here and, if reachable, on the server. First cancels a sign-in in progress and waits for one of another
   * window, which would otherwise restore the session.
   */
  async signOut(signal?: AbortSignal): Promise<void> {
    this.#renewal.stop();
    const facts = { server: this.#caller.target.name, endpoint: 'login/DoLogout' };
    await awaitServer(facts.server, signal, async (either) => {
      const ended = this.#vault.withLock(() => this.#forget());
      const token = await waitFor(ended, { signal: either, deadlineMs: defaultLimits.deadlineMs }, facts);
      if (token !== undefined) await this.#signOutThere(token, either);
    });
  }

  async #signOutThere(token: string, signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#caller.call('login/DoLogout', {}, token, { signal });
    } catch (error) {
      // The session is already gone, which is the desired result.
      if (!isClientError(error, 'notSignedIn')) throw error;
    }
  }

  /** @returns the token that was in use: that of the window that signed in last. */
  async #forget(): Promise<string | undefined> {
    const own = this.#held.current?.token;
    this.#held.hold(undefined);
    this.#held.set({ kind: 'signedOut' });
    const shared = await this.#vault.read();
    await this.#vault.write(undefined);
    return shared?.token ?? own;
  }

  /**
   * Adopts the session of another window, without calling the server.
   * @param earlier the session that this one replaces: its taken-over state is inherited, and a password rejected there
   * is not sent here.
   */
  async restore(earlier?: Session): Promise<void> {
    if (earlier) this.#renewal.takeOverFrom(earlier.#renewal);
    const stored = await this.#vault.read();
    const held = this.#held;
    const past = earlier?.state;
    if (earlier && stored && past?.kind === 'takenOver' && earlier.#held.current?.token === stored.token) {
      held.hold(stored);
      held.set(past);
      return;
    }
    const { current } = held;
    if (stored?.token !== current?.token) {
      held.hold(stored);
      held.resume();
      return;
    }
    if (stored?.isTakenOver) held.set({ kind: 'takenOver', account: stored.account });
    // Another window used the session, so the server extended it, or reloaded the account.
    else if (stored && current && isNews(stored, current)) held.lastUntil(expiryOf(current), stored);
  }

  /** Updates the account, in every window, with the server's current data. */
  async renewAccount(facts: Partial<SessionAccount>): Promise<void> {
    const { current, state } = this.#held;
    if (!current || state.kind !== 'active') return;
    const account = { ...current.account, ...facts };
    this.#held.activate({ ...current, account });
    await shareAccount(this.#vault, current.token, account);
  }

  /**
   * Takes the time zone from a reply with a user, if it is this account's. Never rejects: a zone that cannot be shared
   * is read again at the next sign-in.
   */
  async noteUser(reply: unknown): Promise<void> {
    const { current } = this.#held;
    const { data: read } = user.safeParse(reply);
    const id = String(read?.ID ?? '');
    if (!current || read === undefined || typeof read.timezone !== 'number' || id === '') return;
    const zone = accountZone(read);
    const { userId, timezone, timezonename } = current.account;
    if (id !== userId) return;
    if (zone.timezone === timezone && zone.timezonename === timezonename) return;
    await this.renewAccount(zone).catch(() => undefined);
  }

  /** The session for other windows. Contains the token: for the vault only. */
  get shared(): StoredSession | undefined {
    return this.#held.state.kind === 'active' ? this.#held.current : undefined;
  }

  /** The current time, in milliseconds since 1970, by the session's clock. */
  get now(): number {
    return this.#held.now;
  }

  /**
   * Records that a call with `token` succeeded: the server extended the session when it received the call.
   * @param sentAt when the call was sent, by {@link now}, so that a long call does not add its own duration.
   */
  succeeded(token: string, sentAt: number): void {
    const { current, state } = this.#held;
    // A late reply says nothing about a session that has ended since.
    if (current?.token !== token || !['active', 'expired'].includes(state.kind)) return;
    this.#held.lastUntil(sentAt + current.timeoutMs, current);
  }

  /**
   * Restarts the session's expiry without signing in if it has ended: background work must not take the session back
   * from another sign-in. API description, Authentication (RefreshSession).
   * @throws {ClientError} when the server cannot be reached or rejects the token.
   */
  async extend(): Promise<void> {
    const { current, state } = this.#held;
    if (!current || state.kind !== 'active') return;
    const sentAt = this.now;
    try {
      const { value } = await this.#caller.call('Session/RefreshSession', {}, current.token);
      if (value !== emptyReply) this.succeeded(current.token, sentAt);
    } catch (error) {
      const isRejected = isClientError(error, 'notSignedIn');
      if (isRejected && (await this.#isTakenAway(current))) this.#renewal.takenOver(current.account);
      throw error;
    }
  }

  /** How often this window has signed in. */
  get signIns(): number {
    return this.#held.signIns;
  }

  /**
   * Handles a rejected `token`. Returns another token to try once, or the same one of a newer session.
   * @param signIns as it was when the rejected call was sent.
   * @throws {ClientError} takenOver if the token was rejected before it expired; otherwise like {@link token}.
   */
  async rejected(token: string, signIns = this.signIns): Promise<string> {
    const { current } = this.#held;
    if (current && (current.token !== token || signIns !== this.signIns)) return current.token;
    if (current && (await this.#isTakenAway(current))) return this.#renewal.takenOver(current.account);
    const now = this.#held.current;
    if (now && now.token !== token) return now.token;
    return this.#renew(token);
  }

  /** Whether `session`, whose token was rejected, was ended by a sign-in elsewhere and this window has no newer one. */
  async #isTakenAway(session: StoredSession): Promise<boolean> {
    const isEarly = await endedElsewhere(this.#vault, session, this.now);
    return isEarly && this.#held.current?.token === session.token;
  }

  /**
   * Asks the server whether `token` is valid, after an inconclusive reply (204, an empty list). API description,
   * CheckSession.
   */
  async isValid(token: string, signal?: AbortSignal): Promise<boolean> {
    const sentAt = this.now;
    try {
      const { value } = await this.#caller.call('Session/CheckSession', {}, token, { signal });
      if (value === emptyReply) return false;
      this.succeeded(token, sentAt);
      return true;
    } catch (error) {
      if (isClientError(error, 'notSignedIn')) return false;
      throw error;
    }
  }

  async #renew(dead: string | undefined): Promise<string> {
    if (isSignInForbidden() && !this.#renewal.isUnderWay) return this.#borrowed(dead);
    return this.#renewal.renew(dead);
  }

  /** A newer session from another window. @throws {ClientError} of kind notSignedIn if there is none. */
  async #borrowed(dead: string | undefined): Promise<string> {
    await this.restore();
    const { current, isAlive, server } = this.#held;
    if (current && current.token !== dead && isAlive) return current.token;
    throw this.#held.error('notSignedIn', l10n.t('You are not signed in to {0}.', server));
  }
}
