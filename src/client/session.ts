import { ClientError, isClientError } from './clientError.ts';
import { emptyReply } from './decode.ts';
import { defaultLimits, type EndpointCaller } from './endpointCall.ts';
import {
  stateOf,
  type CredentialSource,
  type Credentials,
  type SessionAccount,
  type SessionState,
  type SessionVault,
  type StoredSession,
} from './sessionState.ts';
import { diedEarly, isNews, markTakenOver, shareAccount } from './sharedSession.ts';
import { isRefusal, isRejection, refusalWords, signInAt } from './signIn.ts';
import { mayNotSignIn } from './userSession.ts';
import { waitFor } from './waitFor.ts';
import { inBackground, waited } from './waiter.ts';
import { say } from '../words/say.ts';

/** What {@link Session} works with. */
export interface SessionOptions {
  caller: EndpointCaller;
  vault: SessionVault;
  credentials: CredentialSource;
  /** Forgets credentials that the server rejected, if they are kept, so that no window and no later start sends them again. */
  forgetRejected?: ((credentials: Credentials) => Promise<void>) | undefined;
  /** The clock, for tests. */
  now?: () => number;
}

/**
 * The session of one account on one server: one sign-in for any number of calls and windows, rolling expiry, and a
 * clear end when the account signs in elsewhere. API description, Authentication.
 */
export class Session {
  readonly #caller: EndpointCaller;
  readonly #vault: SessionVault;
  readonly #credentials: CredentialSource;
  readonly #forgetRejected: SessionOptions['forgetRejected'];
  readonly #now: () => number;
  readonly #listeners = new Set<(state: SessionState) => void>();
  #state: SessionState = { kind: 'signedOut' };
  #current: StoredSession | undefined;
  #renewal: { token: Promise<string>; dead: string | undefined } | undefined;
  /** Ends the sign-in under way. */
  #signingIn: AbortController | undefined;
  /** Credentials that the server rejected are never sent again: accounts lock. */
  #rejectedPassword: string | undefined;

  constructor(options: SessionOptions) {
    this.#caller = options.caller;
    this.#vault = options.vault;
    this.#credentials = options.credentials;
    this.#forgetRejected = options.forgetRejected;
    this.#now = options.now ?? Date.now;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Calls `listener` at every change of state; returns what stops it. */
  onDidChange(listener: (state: SessionState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * A token to send: the one in use, one that another window obtained, or a fresh sign-in with kept credentials.
   * @throws {ClientError} of kind notSignedIn, takenOver or signInRefused when only the user can help.
   */
  async token(): Promise<string> {
    if (this.#state.kind === 'takenOver') return this.#takenOver(this.#state.account);
    if (this.#current && this.#isAlive()) return this.#current.token;
    // Not rejected, only past its time here: another window may have extended it.
    return this.#renew(undefined);
  }

  /**
   * Signs in with credentials that the user gave. This ends every other session of the account.
   * @throws {ClientError} also of kind cancelled; the server may have signed the account in all the same.
   */
  async signIn(credentials: Credentials, signal?: AbortSignal): Promise<void> {
    this.#rejectedPassword = undefined;
    const facts = { server: this.#caller.target.name, endpoint: 'login/DoLogin' };
    await waited(facts.server, signal, (either) => {
      const work = this.#vault.withLock(async () => {
        // The user may have given up while another window had the lock.
        if (!either?.aborted) await this.#login(credentials, either);
      });
      return waitFor(work, { signal: either, deadlineMs: defaultLimits.deadlineMs }, facts);
    });
  }

  /**
   * Signs out here and, if the server can be reached, there. A sign-in under way is ended first, and one of another window
   * waited for: else it would bring the session back.
   */
  async signOut(signal?: AbortSignal): Promise<void> {
    this.#signingIn?.abort();
    const facts = { server: this.#caller.target.name, endpoint: 'login/DoLogout' };
    await waited(facts.server, signal, async (either) => {
      const ended = this.#vault.withLock(() => this.#forget());
      const token = await waitFor(ended, { signal: either, deadlineMs: defaultLimits.deadlineMs }, facts);
      if (token !== undefined) await this.#signOutThere(token, either);
    });
  }

  async #signOutThere(token: string, signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#caller.call('login/DoLogout', {}, token, { signal });
    } catch (error) {
      // A session that is gone already is what was asked for.
      if (!isClientError(error, 'notSignedIn')) throw error;
    }
  }

  /** @returns the token that was in use: that of the window which signed in last. */
  async #forget(): Promise<string | undefined> {
    const own = this.#current?.token;
    this.#current = undefined;
    this.#set({ kind: 'signedOut' });
    const shared = await this.#vault.read();
    await this.#vault.write(undefined);
    return shared?.token ?? own;
  }

  /**
   * Takes up the session that another window left, without calling the server.
   * @param earlier the session that this one takes the place of: what was taken over there is not fought over here either, and
   * a password that was rejected there is not sent here.
   */
  async restore(earlier?: Session): Promise<void> {
    if (earlier) this.#rejectedPassword ??= earlier.#rejectedPassword;
    const stored = await this.#vault.read();
    const past = earlier?.state;
    if (earlier && stored && past?.kind === 'takenOver' && earlier.#current?.token === stored.token) {
      this.#current = stored;
      this.#set(past);
      return;
    }
    const current = this.#current;
    if (stored?.token === current?.token) {
      if (stored?.isTakenOver) this.#set(stateOf(stored, this.#now()));
      // Another window used the session, so that the server has moved its expiry, or read anew who it is.
      else if (stored && current && isNews(stored, current)) {
        const expires = Math.max(this.#expiry(stored), this.#expiry(current));
        this.#activate({ ...stored, expiresAt: new Date(expires).toISOString() });
      }
      return;
    }
    this.#current = stored;
    this.#resume();
  }

  /** Takes over, for every window, what the server says of the account by now. */
  async renewAccount(facts: Partial<Pick<SessionAccount, 'isAdmin' | 'isSuperAdmin'>>): Promise<void> {
    const current = this.#current;
    if (!current || this.#state.kind !== 'active') return;
    const account = { ...current.account, ...facts };
    this.#activate({ ...current, account });
    await shareAccount(this.#vault, current.token, account);
  }

  /** What other windows take the session up with. It holds the token: for the vault alone. */
  get shared(): StoredSession | undefined {
    return this.#state.kind === 'active' ? this.#current : undefined;
  }

  /** The moment, in milliseconds since 1970, by the session's own clock. */
  get now(): number {
    return this.#now();
  }

  /**
   * Notes that a call with `token` succeeded: the server has moved the session's expiry when it took up the call.
   * @param sentAt when the call was sent, by {@link now}: a long one must not count its own time.
   */
  succeeded(token: string, sentAt: number): void {
    const current = this.#current;
    // A reply that was long under way says nothing about a session that has ended since.
    if (current?.token !== token || !['active', 'expired'].includes(this.#state.kind)) return;
    const expires = Math.max(sentAt + current.timeoutMs, this.#expiry(current));
    this.#activate({ ...current, expiresAt: new Date(expires).toISOString() });
  }

  /**
   * Starts the session's time anew, without a sign-in should it have ended: work in the background takes no session back from
   * whoever signed in elsewhere. API description, Authentication (RefreshSession).
   * @throws {ClientError} when the server cannot be reached, or rejects the token.
   */
  async extend(): Promise<void> {
    const current = this.#current;
    if (!current || this.#state.kind !== 'active') return;
    const sentAt = this.#now();
    try {
      const { value } = await this.#caller.call('Session/RefreshSession', {}, current.token);
      if (value !== emptyReply) this.succeeded(current.token, sentAt);
    } catch (error) {
      if (isClientError(error, 'notSignedIn') && (await this.#isTakenAway(current))) this.#takenOver(current.account);
      throw error;
    }
  }

  /**
   * The server rejected `token`. Gives another token to try once.
   * @throws {ClientError} takenOver when it died before its time; else as {@link token}.
   */
  async rejected(token: string): Promise<string> {
    const current = this.#current;
    if (current && current.token !== token) return current.token;
    if (current && (await this.#isTakenAway(current))) return this.#takenOver(current.account);
    if (this.#current && this.#current.token !== token) return this.#current.token;
    return this.#renew(token);
  }

  /** Whether `session`, whose token was rejected, was ended by a sign-in elsewhere, and this window has no other by now. */
  async #isTakenAway(session: StoredSession): Promise<boolean> {
    const isEarly = await diedEarly(this.#vault, session, this.#now());
    return isEarly && this.#current?.token === session.token;
  }

  /**
   * Asks the server whether `token` still holds, after a reply that proves nothing (204, an empty list).
   * API description, CheckSession.
   */
  async isValid(token: string, signal?: AbortSignal): Promise<boolean> {
    const sentAt = this.#now();
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

  /**
   * One renewal at a time, whoever asks. One begun by a call that did not know of the dead token may bring just that; what
   * one brings that knew of it is as good as it gets: a server may answer a sign-in with the same token once more.
   */
  async #renew(dead: string | undefined): Promise<string> {
    if (mayNotSignIn() && !this.#renewal) return this.#borrowed(dead);
    for (;;) {
      const renewal = (this.#renewal ??= this.#beginRenewal(dead));
      const token = await renewal.token;
      if (token !== dead || renewal.dead === dead) return token;
    }
  }

  /** The session that another window has begun since. @throws {ClientError} of kind notSignedIn when there is none. */
  async #borrowed(dead: string | undefined): Promise<string> {
    await this.restore();
    const current = this.#current;
    if (current && current.token !== dead && this.#isAlive()) return current.token;
    throw this.#error('notSignedIn', say('You are not signed in on {0}.', this.#caller.target.name));
  }

  #beginRenewal(dead: string | undefined): { token: Promise<string>; dead: string | undefined } {
    // It serves every call that waits, whoever gives up.
    const token = inBackground(() => this.#vault.withLock(() => this.#renewLocked(dead))).finally(() => {
      this.#renewal = undefined;
    });
    return { token, dead };
  }

  async #renewLocked(dead: string | undefined): Promise<string> {
    const shared = await this.#vault.read();
    if (!shared && (await this.#vault.isSignedOut?.())) this.#signedOut();
    if (shared?.isTakenOver) {
      this.#current = shared;
      return this.#takenOver(shared.account);
    }
    if (shared && shared.token !== dead && this.#expiry(shared) > this.#now()) {
      this.#activate(shared);
      return shared.token;
    }
    if (this.#state.kind === 'takenOver') return this.#takenOver(this.#state.account);
    const account = this.#current?.account ?? shared?.account;
    const isOver = () => this.#set(account ? { kind: 'expired', account } : { kind: 'signedOut' });
    const credentials = await this.#credentials().catch((error: unknown) => {
      if (isClientError(error, 'notSignedIn')) isOver();
      throw error;
    });
    if (!credentials) {
      isOver();
      const { name } = this.#caller.target;
      const message = account
        ? say('The session of {0} on {1} has expired.', account.loginName, name)
        : say('You are not signed in on {0}.', name);
      throw this.#error('notSignedIn', message);
    }
    if (credentials.password === this.#rejectedPassword) {
      throw this.#error('signInRefused', say('{0} rejected the saved password.', this.#caller.target.name));
    }
    return this.#login(credentials);
  }

  async #login(credentials: Credentials, signal?: AbortSignal): Promise<string> {
    this.#set({ kind: 'signingIn' });
    const ending = (this.#signingIn = new AbortController());
    const either = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
    try {
      const session = await signInAt(this.#caller, credentials, this.#now, either);
      this.#activate(session);
      await this.#share(session);
      return session.token;
    } catch (error) {
      throw await this.#loginFailed(error, credentials);
    } finally {
      if (this.#signingIn === ending) this.#signingIn = undefined;
    }
  }

  /** @throws {ClientError} of kind storage: this window is signed in, but no other will know. */
  async #share(session: StoredSession): Promise<void> {
    try {
      await this.#vault.write(session);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const { name } = this.#caller.target;
      throw this.#error('storage', say('{0} signed in, but the editor cannot keep the session: {1}', name, why), cause);
    }
  }

  async #loginFailed(error: unknown, credentials: Credentials): Promise<unknown> {
    if (!isRefusal(error)) {
      // What could not be shared is good for this window: another sign-in would end it.
      if (this.#state.kind === 'signingIn') this.#resume();
      return error;
    }
    const reason = refusalWords(error, credentials);
    if (isRejection(error)) this.#rejectedPassword = credentials.password;
    // A server without a free seat, or in trouble for a while, says nothing about the password: the next call tries again.
    if (this.#isAlive()) this.#resume();
    else this.#set({ kind: 'refused', reason });
    if (isRejection(error)) await this.#forgetRejected?.(credentials);
    return this.#error('signInRefused', reason, error);
  }

  #isAlive(): boolean {
    return this.#current !== undefined && this.#expiry(this.#current) > this.#now();
  }

  /** Back to where a sign-in that failed found the session. */
  #resume(): void {
    this.#set(stateOf(this.#current, this.#now()));
  }

  /** The user ended the session in another window: no work that is under way in this one brings it back. */
  #signedOut(): never {
    this.#current = undefined;
    this.#set({ kind: 'signedOut' });
    throw this.#error('notSignedIn', say('You are not signed in on {0}.', this.#caller.target.name));
  }

  #takenOver(account: SessionAccount): never {
    const { kind } = this.#state;
    this.#set({ kind: 'takenOver', account });
    if (kind !== 'takenOver' && this.#current) {
      const { token } = this.#current;
      void inBackground(() => markTakenOver(this.#vault, token));
    }
    throw this.#error(
      'takenOver',
      say('The session of {0} on {1} was ended by a sign-in elsewhere.', account.loginName, this.#caller.target.name),
    );
  }

  #activate(session: StoredSession): void {
    this.#current = session;
    this.#set({ kind: 'active', expiresAt: new Date(session.expiresAt), account: session.account });
  }

  #expiry(session: StoredSession): number {
    return Date.parse(session.expiresAt);
  }

  #error(kind: ClientError['kind'], message: string, cause?: unknown): ClientError {
    return new ClientError(kind, message, { server: this.#caller.target.name, cause });
  }

  #set(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }
}
