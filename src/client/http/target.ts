import type { Socket } from 'node:net';

/** What is trusted beside the system's certificates, and what this client shows of itself. */
export interface TlsTarget {
  /** Certificates of further authorities, PEM. */
  extraCa?: string;
  /**
   * SHA-256 of the one certificate to accept, as the user saw it: hexadecimal, colons allowed. It stands in for
   * authority, names and dates; any other certificate ends the connection before a byte of a request is sent.
   */
  pinnedFingerprint?: string;
  /** Certificate that this client signs in to the connection with, PEM. */
  clientCertificate?: { certificate: string; key: string; passphrase?: string };
}

/** A proxy on the way to the server. */
export interface ProxyTarget {
  /** Root of the proxy, http or https, without credentials. */
  url: string;
  credentials?: { userName: string; password: string };
  /** Value of the `Proxy-Authorization` header that the editor's settings name; credentials come first. */
  authorization?: string;
}

/** The server that a client talks to. */
export interface ServerTarget {
  /** Stable id of the saved connection. */
  connectionId: string;
  /** Name shown to the user. */
  name: string;
  /** Root of the API without a trailing slash, for example `https://reports.example.com/service/api`. */
  apiBase: string;
  tls?: TlsTarget;
  /** Default `none`: straight to the server. */
  proxy?: ProxyTarget | 'none';
  /** What the other end of each connection must pass before anything of a request is sent; rejects otherwise. */
  prove?: ((socket: Socket) => Promise<void>) | undefined;
}
