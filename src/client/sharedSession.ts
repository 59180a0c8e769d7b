import type { SessionVault, StoredSession } from './sessionState.ts';

/** A token that dies this long before its time did not expire: the account signed in elsewhere. */
const expiryToleranceMs = 30_000;

/**
 * Whether a session whose token was rejected at `now` should have lasted: then, unless another window renewed it, the account
 * is in use elsewhere. A sign-in of another window ends this session a moment before it shares the next one, so that one is
 * waited for.
 */
export async function diedEarly(vault: SessionVault, session: StoredSession, now: number): Promise<boolean> {
  if (Date.parse(session.expiresAt) - now <= expiryToleranceMs) return false;
  const shared = await vault.withLock(() => vault.read());
  return !shared || shared.token === session.token;
}

/**
 * Marks a session as taken over for the other windows and for later starts, unless one of them has signed in anew by now. Never
 * rejects: where it cannot be noted, each window finds out with its own next call.
 */
export async function markTakenOver(vault: SessionVault, token: string): Promise<void> {
  try {
    await vault.withLock(async () => {
      const shared = await vault.read();
      if (shared?.token === token && !shared.isTakenOver) await vault.write({ ...shared, isTakenOver: true });
    });
  } catch {
    // Said above.
  }
}
