import type { SessionAccount, SessionVault, StoredSession } from './sessionState.ts';

/** A token rejected at least this long before it expires was ended by a sign-in elsewhere. */
const expiryToleranceMs = 30_000;

/**
 * Whether a session whose token was rejected at `now` should still be valid: then, unless another window renewed it,
 * the account is in use elsewhere. A sign-in in another window ends this session shortly before it shares the next one,
 * so this waits for its lock; a sign-out in another window ends it without a next one.
 */
export async function endedElsewhere(vault: SessionVault, session: StoredSession, now: number): Promise<boolean> {
  if (Date.parse(session.expiresAt) - now <= expiryToleranceMs) return false;
  return vault.withLock(async () => {
    const shared = await vault.read();
    return shared ? shared.token === session.token : !(await vault.isSignedOut?.());
  });
}

/**
 * Marks a session as taken over, for other windows and after a restart, unless a window has signed in again. Never
 * rejects: if it cannot be stored, each window detects it with its next call.
 */
export async function markTakenOver(vault: SessionVault, token: string): Promise<void> {
  try {
    await vault.withLock(async () => {
      const shared = await vault.read();
      if (shared?.token === token && !shared.isTakenOver) await vault.write({ ...shared, isTakenOver: true });
    });
  } catch {
    // See above.
  }
}

/** Whether the session stored by another window is newer than, or differs from, the current one. */
export function isNews(stored: StoredSession, current: StoredSession): boolean {
  const isLater = Date.parse(stored.expiresAt) > Date.parse(current.expiresAt);
  const facts = ['isAdmin', 'isSuperAdmin', 'timezone', 'timezonename', 'demand'] as const;
  return isLater || facts.some((fact) => stored.account[fact] !== current.account[fact]);
}

/** Shares the account's current data with other windows, unless a window has signed in again. */
export async function shareAccount(vault: SessionVault, token: string, account: SessionAccount): Promise<void> {
  await vault.withLock(async () => {
    const shared = await vault.read();
    if (shared?.token === token) await vault.write({ ...shared, account });
  });
}
