/** What the server wants of a person before the account is of use, which only its own pages can take. */
export type SignInRequirement = 'secondFactor' | 'newPassword';

/** Facts of the signed-in account that the interface shows. */
export interface SessionAccount {
  userId: string;
  loginName: string;
  fullName: string;
  /** Whether it administers: what is not granted to it, it does not see all the same. */
  isAdmin: boolean;
  /** Whether it sees everything, whatever was granted. */
  isSuperAdmin?: boolean;
  isGuest: boolean;
  productVersion: string;
  /** Rows that the server returns at most; absent where it does not say. */
  maxRecords?: number;
  demand?: SignInRequirement;
}

/**
 * State of one account's session on one server, replaced whole at every change.
 * `takenOver`: the token died well before its time, so the account signed in elsewhere: ask, do not fight.
 */
export type SessionState =
  | { kind: 'signedOut' }
  | { kind: 'signingIn' }
  | { kind: 'active'; expiresAt: Date; account: SessionAccount }
  | { kind: 'expired'; account: SessionAccount }
  | { kind: 'takenOver'; account: SessionAccount }
  | { kind: 'refused'; reason: string };

/** A session as it is kept between windows. */
export interface StoredSession {
  token: string;
  /** ISO 8601 with zone. */
  expiresAt: string;
  /** Length of the session in milliseconds; each authenticated call starts it anew. */
  timeoutMs: number;
  account: SessionAccount;
  /** A window found that the account signed in elsewhere: no window, and no later start, goes on with this session. */
  isTakenOver?: boolean;
}

/** What a session that was kept means at the moment `now`, in ms since 1970; no request is made for it. */
export function stateOf(stored: StoredSession | undefined, now: number): SessionState {
  if (!stored) return { kind: 'signedOut' };
  const { account } = stored;
  if (stored.isTakenOver === true) return { kind: 'takenOver', account };
  const expiresAt = new Date(stored.expiresAt);
  return expiresAt.getTime() > now ? { kind: 'active', expiresAt, account } : { kind: 'expired', account };
}

/** Where a session is kept so that every window shares it; the lock spans windows. */
export interface SessionVault {
  read(): Promise<StoredSession | undefined>;
  /** Keeps a session, or that the user signed out. */
  write(session: StoredSession | undefined): Promise<void>;
  /** Whether the user signed out, in any window: then only the user signs in again. Absent where there is one window. */
  isSignedOut?(): Promise<boolean>;
  /** Runs `work` while no other window of this connection does the same. */
  withLock<T>(work: () => Promise<T>): Promise<T>;
}

/** What signing in needs. */
export interface Credentials {
  userName: string;
  password: string;
  isGuest: boolean;
}

/**
 * Gives the credentials kept for an account, or undefined when only the user can give them; then a call that needs a
 * session fails with `notSignedIn` and the interface offers to sign in. May throw a `ClientError` of that kind, which says why
 * the kept ones are not to be sent.
 */
export type CredentialSource = () => Promise<Credentials | undefined>;
