/**
 * What the server requires from the user before the account can be used: a second factor, possible only on its own
 * pages, or a new password.
 */
export type SignInRequirement = 'secondFactor' | 'newPassword';

/** Data of the signed-in account for the UI. */
export interface SessionAccount {
  userId: string;
  loginName: string;
  fullName: string;
  /** Whether the account is an administrator: it still cannot see objects without permission. */
  isAdmin: boolean;
  /** Whether the account sees everything, regardless of permissions. */
  isSuperAdmin?: boolean;
  isGuest: boolean;
  productVersion: string;
  /** Maximum number of rows that the server returns; undefined if unknown. */
  maxRecords?: number;
  /** Time zone of the user, as the server gives it: UTC offset in hours, and a name. */
  timezone?: number;
  timezonename?: string;
  /** Whether tenant mode restricts builders and architects to the group All Users. */
  tenantMode?: boolean;
  /** Licence state of the server if it is not the normal one, as the server words it. */
  licenceState?: string;
  /** Licensed seats and features with their counts, such as `Agent 1000`. */
  licences?: string;
  demand?: SignInRequirement;
}

/**
 * State of one account's session on one server, replaced as a whole on every change. `takenOver`: the token became
 * invalid well before it expired, so the account signed in elsewhere: ask the user instead of signing in again.
 */
export type SessionState =
  | { kind: 'signedOut' }
  | { kind: 'signingIn' }
  | { kind: 'active'; expiresAt: Date; account: SessionAccount }
  | { kind: 'expired'; account: SessionAccount }
  | { kind: 'takenOver'; account: SessionAccount }
  | { kind: 'refused'; reason: string };

/** A session as stored for all windows. */
export interface StoredSession {
  token: string;
  /** ISO 8601 with zone. */
  expiresAt: string;
  /** Duration of the session in milliseconds; each authenticated call restarts it. */
  timeoutMs: number;
  account: SessionAccount;
  /** A window detected that the account signed in elsewhere: no window uses this session, also after a restart. */
  isTakenOver?: boolean;
}

/** State of a stored session at time `now`, in ms since 1970, without calling the server. */
export function stateOf(stored: StoredSession | undefined, now: number): SessionState {
  if (!stored) return { kind: 'signedOut' };
  const { account } = stored;
  if (stored.isTakenOver === true) return { kind: 'takenOver', account };
  const expiresAt = new Date(stored.expiresAt);
  return expiresAt.getTime() > now ? { kind: 'active', expiresAt, account } : { kind: 'expired', account };
}

/** Shared storage for a session; the lock spans all windows. */
export interface SessionVault {
  read(): Promise<StoredSession | undefined>;
  /** Stores a session, or undefined for a sign-out. */
  write(session: StoredSession | undefined): Promise<void>;
  /**
   * Whether the user signed out in any window: then only the user can sign in again. Undefined if there is only one
   * window.
   */
  isSignedOut?(): Promise<boolean>;
  /** Runs `work` while holding this connection's lock, which spans all windows. */
  withLock<T>(work: () => Promise<T>): Promise<T>;
}

/** Credentials for signing in. */
export interface Credentials {
  userName: string;
  password: string;
  isGuest: boolean;
}

/**
 * Returns the stored credentials of an account, or undefined if only the user can provide them; then a call that needs
 * a session fails with `notSignedIn` and the UI offers to sign in. May throw a `ClientError` of that kind with the
 * reason why stored credentials must not be sent.
 */
export type CredentialSource = () => Promise<Credentials | undefined>;
