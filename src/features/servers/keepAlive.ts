import type { AnalyticsClient } from '../../client/client.ts';
import type { SessionState } from '../../client/session/sessionState.ts';

/** A connection whose session can be kept alive. */
export interface StoredConnection {
  readonly name: string;
  readonly state: SessionState;
  /** The client this window has open, if any: no session is started. */
  readonly openClient: { session: Pick<AnalyticsClient['session'], 'extend'> } | undefined;
}

/** Dependencies of {@link keepAliveRounds}. */
export interface KeepAliveOptions {
  list(): readonly StoredConnection[];
  /** Whether the user enabled it; checked each time. */
  isOn(): boolean;
  warn(line: string): void;
}

/** Check interval, and the time left at which a session is extended: more than two checks fit in between. */
export const keepAliveEveryMs = 30_000;
const extendWithinMs = 90_000;

/**
 * Returns a function that extends sessions used by this window that are about to expire, with a RefreshSession request,
 * if the user enabled it; otherwise it sends no request. Call it every {@link keepAliveEveryMs}; a session with a
 * pending request is skipped.
 */
export function keepAliveRounds(options: KeepAliveOptions): () => Promise<void> {
  const underWay = new Set<StoredConnection>();
  const extend = async (connection: StoredConnection) => {
    underWay.add(connection);
    try {
      await connection.openClient?.session.extend();
    } catch (error) {
      // No caller waits for it; the session's state informs the user.
      options.warn(`${connection.name}: the session was not kept alive. ${String(error)}`);
    } finally {
      underWay.delete(connection);
    }
  };
  return async () => {
    if (!options.isOn()) return;
    const now = Date.now();
    const ending = options.list().filter((connection) => {
      const { state, openClient } = connection;
      const isEnding = state.kind === 'active' && state.expiresAt.getTime() - now < extendWithinMs;
      return isEnding && openClient !== undefined && !underWay.has(connection);
    });
    await Promise.all(ending.map(extend));
  };
}
