import { AsyncLocalStorage } from 'node:async_hooks';

/** Set while the running code may use existing sessions but must not start one. */
const borrowers = new AsyncLocalStorage<true>();

/**
 * Runs `work` with existing sessions only. Its calls never sign in with a stored password, because a sign-in ends the
 * account's session elsewhere. Without a session they fail with a `ClientError` of kind notSignedIn.
 */
export function withUserSessionOnly<T>(work: () => Promise<T>): Promise<T> {
  return borrowers.run(true, work);
}

/** Whether the running code must not start a session. */
export function isSignInForbidden(): boolean {
  return borrowers.getStore() === true;
}
