import { AnalyticsClient, type ClientOptions, type WriteGuard } from '../../src/client/client.ts';
import type { SessionVault, StoredSession } from '../../src/client/session/sessionState.ts';

/** A vault in memory, for one window. */
export function memoryVault(stored?: StoredSession): SessionVault {
  return {
    read: async () => stored,
    write: async (session) => void (stored = session),
    withLock: (work) => work(),
  };
}

/**
 * A client of the API at `apiBase`, straight or through a proxy of faults, that signs in by itself as `userName`.
 * @param more whatever is to be other than in most tests.
 */
export function testClient(
  apiBase: string,
  { userName, password }: { userName: string; password: string },
  more: Partial<ClientOptions> = {},
): AnalyticsClient {
  return new AnalyticsClient({
    target: { connectionId: 'c', name: 'Test Server', apiBase },
    vault: memoryVault(),
    credentials: async () => ({ userName, password, isGuest: false }),
    ...more,
  });
}

/** Lets a test write straight through a client, with nobody who follows the write. */
export const unwatched: WriteGuard = { answeredEmpty: () => undefined, beforeResend: async () => undefined };
