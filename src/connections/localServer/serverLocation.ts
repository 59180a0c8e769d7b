import type { ServerTarget } from '../../client/http/target.ts';
import type { LocalServer } from './localServer.ts';
import type { RunningServer } from './localServerHome.ts';

/** Where a server's API is at the moment. */
export interface ServerAddress {
  /** Root of the API without a trailing slash. */
  apiBase: string;
  /** Tells this very server apart; sessions are bound to it. A restarted local server is another one. */
  realm: string;
  /** Installation that answers there, as far as that is known without asking: empty for a server that somebody else runs. */
  installationId: string;
  /** What each connection must pass before a password or token is sent on it. */
  prove?: ServerTarget['prove'];
}

/** Finds a connection's server. */
export interface ServerLocation {
  /** The address, after starting the server if it is ours to start. */
  resolve(): Promise<ServerAddress>;
  /** The address if the server is known to be there; starts nothing and asks nobody. */
  peek(): Promise<ServerAddress | undefined>;
  /** Password of the local server's own account, unless the server rejected it. */
  password?(): Promise<string | undefined>;
  /** Keeps that password from being sent again. */
  rejectPassword?(password: string): Promise<void>;
}

/** A server that somebody else runs at a fixed address. */
export function remoteLocation(apiBase: string): ServerLocation {
  const address = { apiBase, realm: apiBase, installationId: '' };
  return { resolve: async () => address, peek: async () => address };
}

/** The embedded server of this machine. */
export function localLocation(server: LocalServer): ServerLocation {
  const addressOf = ({ apiBase, pid, installationId }: RunningServer) => ({
    apiBase,
    realm: `${apiBase}#${pid}`,
    installationId,
  });
  return {
    resolve: async () => {
      const running = await server.ensureRunning();
      return { ...addressOf(running), prove: (socket) => server.demandProof(socket, running) };
    },
    peek: async () => {
      const running = await server.peek();
      return running && addressOf(running);
    },
    password: () => server.password(),
    rejectPassword: (password) => server.rejectPassword(password),
  };
}
