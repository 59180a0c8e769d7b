import { isClientError } from '../clientError.ts';
import type { EndpointCaller } from '../http/endpointCall.ts';
import { expiryOf, type CurrentSession } from './currentSession.ts';
import type { CredentialSource, Credentials, SessionAccount, SessionVault, StoredSession } from './sessionState.ts';
import { markTakenOver } from './sharedSession.ts';
import { isRefusal, isRejection, refusalText, signInAt } from './signIn.ts';
import { inBackground } from '../http/cancelScope.ts';
import { say } from '../../l10n/l10n.ts';

/** What {@link SessionRenewal} works with. */
export interface RenewalOptions {
  caller: EndpointCaller;
  vault: SessionVault;
  credentials: CredentialSource;
  /** Forgets credentials that the server rejected, if they are kept, so that no window and no later start sends them again. */
  forgetRejected?: ((credentials: Credentials) => Promise<void>) | undefined;
}

/** How a session begins: by the user's sign-in, that of another window, or kept credentials; one at a time, whoever asks. */
export class SessionRenewal {
  readonly #options: RenewalOptions;
  readonly #held: CurrentSession;
  #renewal: { token: Promise<string>; dead: string | undefined } | undefined;
  /** Ends the sign-in under way. */
  #signingIn: AbortController | undefined;
  /** Credentials that the server rejected are never sent again: accounts lock. */
  #rejectedPassword: string | undefined;

  constructor(options: RenewalOptions, held: CurrentSession) {
    this.#options = options;
    this.#held = held;
  }

  /** Whether a renewal is under way. */
  get isUnderWay(): boolean {
    return this.#renewal !== undefined;
  }

  /** What was rejected in the session before this one is not sent here. */
  takeOverFrom(earlier: SessionRenewal): void {
    this.#rejectedPassword ??= earlier.#rejectedPassword;
  }

  /** Ends the sign-in under way, if there is one. */
  stop(): void {
    this.#signingIn?.abort();
  }

  /** The user gives credentials: they are sent whatever was rejected before. */
  forgive(): void {
    this.#rejectedPassword = undefined;
  }

  /**
   * Gives another token than `dead`. One begun by a call that did not know of the dead token may bring just that; what
   * one brings that knew of it is as good as it gets: a server may answer a sign-in with the same token once more.
   * @throws {ClientError} of kind notSignedIn, takenOver or signInRefused when only the user can help.
   */
  async renew(dead: string | undefined): Promise<string> {
    for (;;) {
      const renewal = (this.#renewal ??= this.#begin(dead));
      const token = await renewal.token;
      if (token !== dead || renewal.dead === dead) return token;
    }
  }

  /** Signs in; the lock is held by who calls. @throws {ClientError} also of kind storage: then no other window will know. */
  async login(credentials: Credentials, signal?: AbortSignal): Promise<string> {
    this.#held.set({ kind: 'signingIn' });
    const ending = (this.#signingIn = new AbortController());
    const either = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
    try {
      const session = await signInAt(this.#options.caller, credentials, () => this.#held.now, either);
      this.#held.activate(session);
      await this.#share(session);
      return session.token;
    } catch (error) {
      throw await this.#loginFailed(error, credentials);
    } finally {
      if (this.#signingIn === ending) this.#signingIn = undefined;
    }
  }

  /** The account is in use elsewhere: the user is asked, and no window goes on by itself. */
  takenOver(account: SessionAccount): never {
    const { state, current } = this.#held;
    this.#held.set({ kind: 'takenOver', account });
    if (state.kind !== 'takenOver' && current) {
      void inBackground(() => markTakenOver(this.#options.vault, current.token));
    }
    throw this.#held.error(
      'takenOver',
      say('The session of {0} on {1} was ended by a sign-in elsewhere.', account.loginName, this.#held.server),
    );
  }

  #begin(dead: string | undefined): { token: Promise<string>; dead: string | undefined } {
    // It serves every call that waits, whoever gives up.
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
        ? say('The session of {0} on {1} has expired.', account.loginName, held.server)
        : say('You are not signed in on {0}.', held.server);
      throw held.error('notSignedIn', message);
    }
    if (credentials.password === this.#rejectedPassword) {
      throw held.error('signInRefused', say('{0} rejected the saved password.', held.server));
    }
    return this.login(credentials);
  }

  /** The user ended the session in another window: no work that is under way in this one brings it back. */
  #signedOut(): never {
    this.#held.hold(undefined);
    this.#held.set({ kind: 'signedOut' });
    throw this.#held.error('notSignedIn', say('You are not signed in on {0}.', this.#held.server));
  }

  /** @throws {ClientError} of kind storage: this window is signed in, but no other will know. */
  async #share(session: StoredSession): Promise<void> {
    try {
      await this.#options.vault.write(session);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const message = say('{0} signed in, but the editor cannot keep the session: {1}', this.#held.server, why);
      throw this.#held.error('storage', message, cause);
    }
  }

  async #loginFailed(error: unknown, credentials: Credentials): Promise<unknown> {
    const held = this.#held;
    if (!isRefusal(error)) {
      // What could not be shared is good for this window: another sign-in would end it.
      if (held.state.kind === 'signingIn') held.resume();
      return error;
    }
    const reason = refusalText(error, credentials);
    if (isRejection(error)) this.#rejectedPassword = credentials.password;
    // A server without a free seat, or in trouble for a while, says nothing about the password: the next call tries again.
    if (held.isAlive) held.resume();
    else held.set({ kind: 'refused', reason });
    if (isRejection(error)) await this.#options.forgetRejected?.(credentials);
    return held.error('signInRefused', reason, error);
  }
}
