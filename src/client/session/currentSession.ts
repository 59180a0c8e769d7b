import { ClientError } from '../clientError.ts';
import { stateOf, type SessionState, type StoredSession } from './sessionState.ts';

/** The session that this window has, if any, and where it stands; whoever listens hears of each change. */
export class CurrentSession {
  /** Name of the server, for messages. */
  readonly server: string;
  readonly #now: () => number;
  readonly #listeners = new Set<(state: SessionState) => void>();
  #state: SessionState = { kind: 'signedOut' };
  #current: StoredSession | undefined;

  /** @param now the clock, in ms since 1970. */
  constructor(server: string, now: () => number) {
    this.server = server;
    this.#now = now;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** With the token: for the vault and the calls alone. */
  get current(): StoredSession | undefined {
    return this.#current;
  }

  /** The moment, in ms since 1970. */
  get now(): number {
    return this.#now();
  }

  /** Whether the session in use is not past its time. */
  get isAlive(): boolean {
    return this.#current !== undefined && expiryOf(this.#current) > this.#now();
  }

  /** Calls `listener` at every change of state; returns what stops it. */
  onDidChange(listener: (state: SessionState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Goes on with a session that is good. */
  activate(session: StoredSession): void {
    this.#current = session;
    this.set({ kind: 'active', expiresAt: new Date(session.expiresAt), account: session.account });
  }

  /** Takes another session in use, or none, and leaves the state to who calls. */
  hold(session: StoredSession | undefined): void {
    this.#current = session;
  }

  /** The state of the session in use by the clock, as after a sign-in that failed. */
  resume(): void {
    this.set(stateOf(this.#current, this.#now()));
  }

  /** A call with the session in use moved its end to `moment`, in ms since 1970, unless it is later already. */
  lastUntil(moment: number, session: StoredSession): void {
    this.activate({ ...session, expiresAt: new Date(Math.max(moment, expiryOf(session))).toISOString() });
  }

  set(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }

  /** A failure of this session. */
  error(kind: ClientError['kind'], message: string, cause?: unknown): ClientError {
    return new ClientError(kind, message, { server: this.server, cause });
  }
}

/** End of a session, in ms since 1970. */
export function expiryOf({ expiresAt }: StoredSession): number {
  return Date.parse(expiresAt);
}
