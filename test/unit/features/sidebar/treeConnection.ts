import type { SessionState } from '../../../../src/client/session/sessionState.ts';
import { AnalyticsClient } from '../../../../src/client/client.ts';
import type { TreeConnection } from '../../../../src/editor/nodes/treeNode.ts';

/** A super-admin's session that is good for twenty minutes. */
export const activeState: Extract<SessionState, { kind: 'active' }> = {
  kind: 'active',
  expiresAt: new Date(Date.now() + 1_200_000),
  account: {
    userId: '1',
    loginName: 'admin',
    fullName: 'Admin',
    isAdmin: true,
    isSuperAdmin: true,
    isGuest: false,
    productVersion: '1',
  },
};

/** A connection whose state can be set. */
export interface TestConnection extends TreeConnection {
  state: SessionState;
  client(): Promise<AnalyticsClient>;
}

/** What the tree sees of a connection, with a real client for the server at `url`. */
export function treeConnection(url: string, state: SessionState = activeState, isSignedOut = false): TestConnection {
  const entry = {
    id: 'test',
    name: 'Test',
    kind: 'remote',
    apiBase: `${url}/api`,
    installationId: '',
    userName: 'admin',
    isGuest: false,
    keepsPassword: false,
    isSignedOut,
  } as const;
  const client = new AnalyticsClient({
    target: { connectionId: entry.id, name: entry.name, apiBase: entry.apiBase },
    vault: {
      read: async () => undefined,
      write: async () => undefined,
      withLock: (work) => work(),
    },
    credentials: async () => (isSignedOut ? undefined : { userName: 'admin', password: 'secret', isGuest: false }),
  });
  return {
    id: entry.id,
    name: entry.name,
    kind: entry.kind,
    userName: 'admin',
    entry,
    state,
    client: async () => client,
  };
}
