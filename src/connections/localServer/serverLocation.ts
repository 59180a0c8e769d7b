import type { ServerTarget } from '../../client/http/target.ts';
import type { LocalServer } from './localServer.ts';
import type { RunningServer } from './localServerHome.ts';

/** The current address of a server's API. */
export interface ServerAddress {
  /** Root of the API without a trailing slash. */
  apiBase: string;
  /** Identifies this server instance; sessions are bound to it. Restarting the local server changes it. */
  realm: string;
  /** Installation at this address, if known without a request: empty for a remote server. */
  installationId: string;
  /** Check that each connection must pass before a password or token is sent on it. */
  prove?: ServerTarget['prove'];
}

/** Resolves the address of a connection's server. */
export interface ServerLocation {
  /** The address, after starting the local server if needed. */
  resolve(): Promise<ServerAddress>;
  /** The address if the server is known to be running; neither starts it nor sends a request. */
  peek(): Promise<ServerAddress | undefined>;
  /** Password of the local server's own account, unless the server rejected it. */
  password?(): Promise<string | undefined>;
  /** Prevents that password from being sent again. */
  rejectPassword?(password: string): Promise<void>;
}

/** A remote server at a fixed address. */
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
