import { isClientError } from '../clientError.ts';
import type { EndpointCaller } from '../http/endpointCall.ts';
import { expiryOf, type CurrentSession } from './currentSession.ts';
import type { CredentialSource, Credentials, SessionAccount, SessionVault, StoredSession } from './sessionState.ts';
import { markTakenOver } from './sharedSession.ts';
import { isRefusal, isRejection, refusalText, signInAt } from './signIn.ts';
import { inBackground } from '../http/cancelScope.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Dependencies of {@link SessionRenewal}. */
export interface RenewalOptions {
  caller: EndpointCaller;
  vault: SessionVault;
  credentials: CredentialSource;
  /**
   * Deletes stored credentials that the server rejected, so that they are not sent again by any window or after a
   * restart.
   */
  forgetRejected?: ((credentials: Credentials) => Promise<void>) | undefined;
}

/**
 * Starts sessions: from the user's sign-in, from another window or with stored credentials; one at a time for all
 * callers.
 */
export class SessionRenewal {
  readonly #options: RenewalOptions;
  readonly #held: CurrentSession;
  #renewal: { token: Promise<string>; dead: string | undefined } | undefined;
  /** Cancels the sign-in in progress. */
  #signingIn: AbortController | undefined;
  /** Credentials that the server rejected are never sent again, because accounts lock. */
  #rejectedPassword: string | undefined;

  constructor(options: RenewalOptions, held: CurrentSession) {
    this.#options = options;
    this.#held = held;
  }

  /** Whether a renewal is in progress. */
  get isUnderWay(): boolean {
    return this.#renewal !== undefined;
  }

  /** Adopts the rejected password of the previous session, so that it is not sent again. */
  takeOverFrom(earlier: SessionRenewal): void {
    this.#rejectedPassword ??= earlier.#rejectedPassword;
  }

  /** Cancels the sign-in in progress, if any. */
  stop(): void {
    this.#signingIn?.abort();
  }

  /** Allows credentials that were rejected before, because the user entered them. */
  forgive(): void {
    this.#rejectedPassword = undefined;
  }

  /**
   * Returns another token than `dead`. A renewal started before the token was known to be dead may return that token
   * and is repeated; the result of a later one is final, since a server may issue the same token again.
   * @throws {ClientError} of kind notSignedIn, takenOver or signInRefused when only the user can help.
   */
  async renew(dead: string | undefined): Promise<string> {
    for (;;) {
      const renewal = (this.#renewal ??= this.#begin(dead));
      const token = await renewal.token;
      if (token !== dead || renewal.dead === dead) return token;
    }
  }

  /**
   * Signs in; the caller holds the lock. @throws {ClientError} also of kind storage: then other windows do not get the
   * session.
   */
  async login(credentials: Credentials, signal?: AbortSignal): Promise<string> {
    this.#held.set({ kind: 'signingIn' });
    const ending = (this.#signingIn = new AbortController());
    const either = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
    try {
      const session = await signInAt(this.#options.caller, credentials, () => this.#held.now, either);
      this.#held.begin(session);
      await this.#share(session);
      return session.token;
    } catch (error) {
      throw await this.#loginFailed(error, credentials);
    } finally {
      if (this.#signingIn === ending) this.#signingIn = undefined;
    }
  }

  /** Handles a session taken over elsewhere: only the user can continue, in every window. */
  takenOver(account: SessionAccount): never {
    const { state, current } = this.#held;
    this.#held.set({ kind: 'takenOver', account });
    if (state.kind !== 'takenOver' && current) {
      void inBackground(() => markTakenOver(this.#options.vault, current.token));
    }
    throw this.#held.error(
      'takenOver',
      l10n.t('A sign-in elsewhere ended the session of {0} on {1}.', account.loginName, this.#held.server),
    );
  }

  #begin(dead: string | undefined): { token: Promise<string>; dead: string | undefined } {
    // Serves all waiting calls, so cancelling one call does not stop it.
    const token = inBackground(() => this.#options.vault.withLock(() => this.#renewLocked(dead))).finally(() => {
      this.#renewal = undefined;
    });
    return { token, dead };
  }

  async #renewLocked(dead: string | undefined): Promise<string> {
    const { vault, credentials: kept } = this.#options;
    const held = this.#held;
    const shared = await vault.read();
    if (!shared && (await vault.isSignedOut?.())) this.#signedOut();
    if (shared?.isTakenOver) {
      held.hold(shared);
      return this.takenOver(shared.account);
    }
    if (shared && shared.token !== dead && expiryOf(shared) > held.now) {
      held.activate(shared);
      return shared.token;
    }
    if (held.state.kind === 'takenOver') return this.takenOver(held.state.account);
    const account = held.current?.account ?? shared?.account;
    const isOver = () => held.set(account ? { kind: 'expired', account } : { kind: 'signedOut' });
    const credentials = await kept().catch((error: unknown) => {
      if (isClientError(error, 'notSignedIn')) isOver();
      throw error;
    });
    if (!credentials) {
      isOver();
      const message = account
        ? l10n.t('The session of {0} on {1} has expired.', account.loginName, held.server)
        : l10n.t('You are not signed in to {0}.', held.server);
      throw held.error('notSignedIn', message);
    }
    if (credentials.password === this.#rejectedPassword) {
      throw held.error('signInRefused', l10n.t('{0} rejected the saved password.', held.server));
    }
    return this.login(credentials);
  }

  /** Handles a sign-out in another window: running work in this window must not sign in again. */
  #signedOut(): never {
    this.#held.hold(undefined);
    this.#held.set({ kind: 'signedOut' });
    throw this.#held.error('notSignedIn', l10n.t('You are not signed in to {0}.', this.#held.server));
  }

  /** @throws {ClientError} of kind storage: this window is signed in, but others do not get the session. */
  async #share(session: StoredSession): Promise<void> {
    try {
      await this.#options.vault.write(session);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const message = l10n.t(
        '{0} accepted the sign-in, but VS Code cannot store the session: {1}',
        this.#held.server,
        why,
      );
      throw this.#held.error('storage', message, cause);
    }
  }

  async #loginFailed(error: unknown, credentials: Credentials): Promise<unknown> {
    const held = this.#held;
    if (!isRefusal(error)) {
      // A session that could not be shared is still valid in this window; another sign-in would end it.
      if (held.state.kind === 'signingIn') held.resume();
      return error;
    }
    const reason = refusalText(error, credentials);
    if (isRejection(error)) this.#rejectedPassword = credentials.password;
    // A server without a free seat or with temporary problems says nothing about the password: the next call retries.
    if (held.isAlive) held.resume();
    else held.set({ kind: 'refused', reason });
    if (isRejection(error)) await this.#options.forgetRejected?.(credentials);
    return held.error('signInRefused', reason, error);
  }
}
