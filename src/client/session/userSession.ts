import { AsyncLocalStorage } from 'node:async_hooks';

/** Whether the code that is running may use sessions that are there, but begin none. */
const borrowers = new AsyncLocalStorage<true>();

/**
 * Runs `work`, whose calls use the session that the user has and never begin another with a kept password: a sign-in ends the
 * account's session elsewhere. Calls without a session fail with a `ClientError` of kind notSignedIn.
 */
export function withUserSessionOnly<T>(work: () => Promise<T>): Promise<T> {
  return borrowers.run(true, work);
}

/** Whether the code that is running may begin no session. */
export function isSignInForbidden(): boolean {
  return borrowers.getStore() === true;
}
