import type { Socket } from 'node:net';

/** Additional trusted certificates and the client's own certificate. */
export interface TlsTarget {
  /** Additional certificate authorities, PEM. */
  extraCa?: string;
  /**
   * SHA-256 of the only certificate to accept, as the user saw it: hexadecimal, colons allowed. Replaces the checks of
   * authority, names and dates; any other certificate ends the connection before any part of a request is sent.
   */
  pinnedFingerprint?: string;
  /** Client certificate for the connection, PEM. */
  clientCertificate?: { certificate: string; key: string; passphrase?: string };
}

/** A proxy between client and server. */
export interface ProxyTarget {
  /** Root URL of the proxy, http or https, without credentials. */
  url: string;
  credentials?: { userName: string; password: string };
  /** Value of the `Proxy-Authorization` header from the editor's settings; credentials take precedence. */
  authorization?: string;
}

/** The server that a client calls. */
export interface ServerTarget {
  /** Stable id of the saved connection. */
  connectionId: string;
  /** Display name. */
  name: string;
  /** Root of the API without a trailing slash, for example `https://reports.example.com/service/api`. */
  apiBase: string;
  tls?: TlsTarget;
  /** Default `none`: connect directly. */
  proxy?: ProxyTarget | 'none';
  /** Check that the remote end of each connection must pass before any part of a request is sent; rejects otherwise. */
  prove?: ((socket: Socket) => Promise<void>) | undefined;
}
