import type { SessionAccount, SessionVault, StoredSession } from './sessionState.ts';

/** A token that dies this long before its time did not expire: the account signed in elsewhere. */
const expiryToleranceMs = 30_000;

/**
 * Whether a session whose token was rejected at `now` should have lasted: then, unless another window renewed it, the account
 * is in use elsewhere. A sign-in of another window ends this session a moment before it shares the next one, so that one is
 * waited for; a sign-out there ends it without one.
 */
export async function endedElsewhere(vault: SessionVault, session: StoredSession, now: number): Promise<boolean> {
  if (Date.parse(session.expiresAt) - now <= expiryToleranceMs) return false;
  return vault.withLock(async () => {
    const shared = await vault.read();
    return shared ? shared.token === session.token : !(await vault.isSignedOut?.());
  });
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

/** Whether what another window wrote of the same session is later than, or other than, what this one knows. */
export function isNews(stored: StoredSession, current: StoredSession): boolean {
  const { isAdmin, isSuperAdmin } = stored.account;
  const isLater = Date.parse(stored.expiresAt) > Date.parse(current.expiresAt);
  return isLater || isAdmin !== current.account.isAdmin || isSuperAdmin !== current.account.isSuperAdmin;
}

/** Tells the other windows what the account of a session is by now, unless one of them has signed in anew. */
export async function shareAccount(vault: SessionVault, token: string, account: SessionAccount): Promise<void> {
  await vault.withLock(async () => {
    const shared = await vault.read();
    if (shared?.token === token) await vault.write({ ...shared, account });
  });
}
