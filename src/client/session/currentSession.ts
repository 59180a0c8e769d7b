import { ClientError } from '../clientError.ts';
import { stateOf, type SessionState, type StoredSession } from './sessionState.ts';

/** The session of this window, if any, and its state; notifies listeners of each change. */
export class CurrentSession {
  /** Display name of the server, for messages. */
  readonly server: string;
  readonly #now: () => number;
  readonly #listeners = new Set<(state: SessionState) => void>();
  #state: SessionState = { kind: 'signedOut' };
  #current: StoredSession | undefined;
  #signIns = 0;

  /** @param now the clock, in ms since 1970. */
  constructor(server: string, now: () => number) {
    this.server = server;
    this.#now = now;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Includes the token: for the vault and calls only. */
  get current(): StoredSession | undefined {
    return this.#current;
  }

  /** The current time, in ms since 1970. */
  get now(): number {
    return this.#now();
  }

  /** Whether the current session has not expired. */
  get isAlive(): boolean {
    return this.#current !== undefined && expiryOf(this.#current) > this.#now();
  }

  /** Calls `listener` on every change of state. Returns a function that unsubscribes. */
  onDidChange(listener: (state: SessionState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Activates a valid session. */
  activate(session: StoredSession): void {
    this.#current = session;
    this.set({ kind: 'active', expiresAt: new Date(session.expiresAt), account: session.account });
  }

  /** How often this window has signed in: some servers issue the same token again, so that it does not tell sessions apart. */
  get signIns(): number {
    return this.#signIns;
  }

  /** Activates the session of a sign-in. */
  begin(session: StoredSession): void {
    this.#signIns += 1;
    this.activate(session);
  }

  /** Replaces the current session without updating the state, which the caller does. */
  hold(session: StoredSession | undefined): void {
    this.#current = session;
  }

  /** Derives the state from the current session and time, for example after a failed sign-in. */
  resume(): void {
    this.set(stateOf(this.#current, this.#now()));
  }

  /** Extends the session to `moment`, in ms since 1970, after a successful call; ignored if it already lasts longer. */
  lastUntil(moment: number, session: StoredSession): void {
    this.activate({ ...session, expiresAt: new Date(Math.max(moment, expiryOf(session))).toISOString() });
  }

  set(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }

  /** An error of this session. */
  error(kind: ClientError['kind'], message: string, cause?: unknown): ClientError {
    return new ClientError(kind, message, { server: this.server, cause });
  }
}

/** Expiry of a session, in ms since 1970. */
export function expiryOf({ expiresAt }: StoredSession): number {
  return Date.parse(expiresAt);
}
