import type { AnalyticsClient } from '../../client/client.ts';
import type { SessionState } from '../../client/session/sessionState.ts';

/** A connection whose session may be kept alive. */
export interface StoredConnection {
  readonly name: string;
  readonly state: SessionState;
  /** What this window uses it with, if it does: nothing is started for a session. */
  readonly openClient: { session: Pick<AnalyticsClient['session'], 'extend'> } | undefined;
}

/** What {@link keepAliveRounds} works with. */
export interface KeepAliveOptions {
  list(): readonly StoredConnection[];
  /** Whether the user turned it on; asked each time. */
  isOn(): boolean;
  warn(line: string): void;
}

/** How often sessions are looked at, and how near its end one is extended: more than two looks fit in between. */
export const keepAliveEveryMs = 30_000;
const extendWithinMs = 90_000;

/**
 * Gives what extends the sessions that this window uses and that are about to end, by telling the server so (RefreshSession), if
 * the user turned that on; otherwise it makes no request. To be called every {@link keepAliveEveryMs}: a session whose server is
 * still being asked is left to that.
 */
export function keepAliveRounds(options: KeepAliveOptions): () => Promise<void> {
  const underWay = new Set<StoredConnection>();
  const extend = async (connection: StoredConnection) => {
    underWay.add(connection);
    try {
      await connection.openClient?.session.extend();
    } catch (error) {
      // Nobody waits for it; the session's state tells the user where it stands.
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
