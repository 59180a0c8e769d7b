import type { AnalyticsClient } from '../client/client.ts';
import type { SessionState } from '../client/sessionState.ts';

/** A connection whose session may be kept alive. */
export interface KeptConnection {
  readonly name: string;
  readonly state: SessionState;
  /** Whether this window has used it. */
  readonly isOpen: boolean;
  client(): Promise<{ session: Pick<AnalyticsClient['session'], 'extend'> }>;
}

/** What {@link keepSessionsAlive} works with. */
export interface KeepAliveOptions {
  list(): readonly KeptConnection[];
  /** Whether the user turned it on; asked each time. */
  isOn(): boolean;
  warn(line: string): void;
}

/** How often sessions are looked at, and how near its end one is extended: more than two looks fit in between. */
export const keepAliveEveryMs = 30_000;
const extendWithinMs = 90_000;

/**
 * Extends the sessions that this window uses and that are about to end, by telling the server so (RefreshSession), if the user turned
 * that on; otherwise makes no request. To be called every {@link keepAliveEveryMs}.
 */
export async function keepSessionsAlive(options: KeepAliveOptions): Promise<void> {
  if (!options.isOn()) return;
  const now = Date.now();
  const ending = options
    .list()
    .filter(
      ({ state, isOpen }) => isOpen && state.kind === 'active' && state.expiresAt.getTime() - now < extendWithinMs,
    );
  for (const connection of ending) {
    try {
      const { session } = await connection.client();
      await session.extend();
    } catch (error) {
      // Nobody waits for it; the session's state tells the user where it stands.
      options.warn(`${connection.name}: the session was not kept alive. ${String(error)}`);
    }
  }
}
