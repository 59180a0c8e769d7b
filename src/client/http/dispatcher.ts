import { TLSSocket, type SecureContext } from 'node:tls';
import type { Socket } from 'node:net';
import { Agent, Pool, ProxyAgent, buildConnector, type Dispatcher, errors } from 'undici';
import type { ProxyTarget, ServerTarget } from './target.ts';
import { pinned, trustOf } from './trust.ts';
import { ConnectingFailed } from './networkError.ts';
import type { AdoptHttp2 } from './http2Connection.ts';

const connectTimeoutMs = 10_000;
/** Set explicitly: otherwise the editor's environment (NODE_TLS_REJECT_UNAUTHORIZED) would decide. */
export const isChecked = { rejectUnauthorized: true } as const;
/** How long an idle connection is kept if the server gives no hint, and at most, in ms. Reads that find it closed are repeated. */
const idleMs = 30_000;
const maxIdleMs = 60_000;

/** Trusted certificates for all connections to one server, cached because they are slow to load. */
export interface TrustCache {
  /** For the server; undefined if the connection is not encrypted. */
  server: SecureContext | undefined;
  /** For the proxy; undefined if there is none or it is not encrypted. */
  proxy: SecureContext | undefined;
  /** TLS session of the last connection to the server, which saves the next one a round trip and the certificate. */
  session?: Buffer;
}

/**
 * The deadline covers the whole call; undici's per-chunk timers would never end a slow trickle. One connection with one
 * request at a time, kept for the time that the server allows; the pool of connections is our own.
 */
const pool = {
  headersTimeout: 0,
  bodyTimeout: 0,
  connections: 1,
  pipelining: 1,
  keepAliveTimeout: idleMs,
  keepAliveMaxTimeout: maxIdleMs,
};

/**
 * Loads the certificates that connections to `target` are checked against.
 * @throws {ClientError} of kind tls when a certificate file of the target cannot be used.
 */
export function sharedTrust(target: ServerTarget): TrustCache {
  const { name, tls, proxy, apiBase } = target;
  const isProxyEncrypted = proxy !== undefined && proxy !== 'none' && proxy.url.startsWith('https:');
  return {
    server: new URL(apiBase).protocol === 'https:' ? trustOf(target) : undefined,
    // The proxy's certificate is checked the same way, but the client certificate is for the server only.
    proxy: isProxyEncrypted ? trustOf({ name, tls: { extraCa: tls?.extraCa } }) : undefined,
  };
}

/**
 * Creates a dispatcher for one connection to a server, with the target's certificates and proxy. Through a proxy, https
 * uses a tunnel, so that the proxy sees no content and the server's certificate is still checked here.
 * @param adopt takes over the connection if the server chooses HTTP/2, which is not offered without it.
 */
export function createDispatcher(target: ServerTarget, trust: TrustCache, adopt?: AdoptHttp2): Dispatcher {
  const pin = trust.server && target.tls?.pinnedFingerprint;
  const guard = (connector: buildConnector.connector) => {
    const certain = pin ? pinned(connector, pin) : resumable(connector, trust);
    const proven = bounded(target.prove ? verifiedConnector(certain, target.prove) : certain, connectTimeoutMs);
    return adopt ? adopting(proven, adopt) : proven;
  };
  const connect = {
    timeout: connectTimeoutMs,
    allowH2: adopt !== undefined,
    ...(trust.server && { secureContext: trust.server }),
    ...isChecked,
    // A pinned certificate is checked by fingerprint, so every handshake must send it in full.
    ...(pin ? { rejectUnauthorized: false, maxCachedSessions: 0 } : { session: trust.session }),
  };
  if (target.proxy === undefined || target.proxy === 'none') {
    return new Agent({ ...pool, connect: guard(buildConnector(connect)) });
  }
  return new ProxyAgent({
    ...pool,
    uri: target.proxy.url,
    token: proxyToken(target.proxy),
    // Some proxies only tunnel to https.
    proxyTunnel: trust.server !== undefined,
    requestTls: connect,
    proxyTls: { timeout: connectTimeoutMs, ...(trust.proxy && { secureContext: trust.proxy }), ...isChecked },
    factory: (origin: string | URL, options: Pool.Options) =>
      new Pool(origin, {
        ...options,
        ...pool,
        ...(typeof options.connect === 'function' && { connect: guard(options.connect) }),
      }),
  });
}

/** Value of the `Proxy-Authorization` header, if the proxy requires one. */
export function proxyToken({ credentials, authorization }: ProxyTarget): string | undefined {
  if (!credentials) return authorization;
  return `Basic ${Buffer.from(`${credentials.userName}:${credentials.password}`).toString('base64')}`;
}

/**
 * Limits the time to connect, including a proxy tunnel, for which undici waits indefinitely. Reports failures as {@link
 * ConnectingFailed}, because undici would otherwise reconnect endlessly when a proxy closes the connection.
 */
export function bounded(connector: buildConnector.connector, timeoutMs: number): buildConnector.connector {
  return (options, callback) => {
    const overdue = new AbortController();
    const timer = setTimeout(() => {
      overdue.abort();
      callback(new ConnectingFailed(new errors.ConnectTimeoutError(`no connection within ${timeoutMs} ms`)), null);
    }, timeoutMs);
    // The proxy agent passes the signal to its tunnel request.
    const withSignal: buildConnector.Options & { signal: AbortSignal } = { ...options, signal: overdue.signal };
    connector(withSignal, (...[error, socket]) => {
      if (overdue.signal.aborted) {
        socket?.destroy();
        return;
      }
      clearTimeout(timer);
      if (error) callback(new ConnectingFailed(error), null);
      else callback(null, socket);
    });
  };
}

/** Keeps the TLS session of the last connection, whose certificate was checked. undici itself keeps it only by chance. */
function resumable(connector: buildConnector.connector, trust: TrustCache): buildConnector.connector {
  return (options, callback) => {
    connector(options, (...[error, socket]) => {
      if (error) {
        callback(error, null);
        return;
      }
      if (socket instanceof TLSSocket) {
        trust.session = socket.getSession() ?? trust.session;
        // A server sends it with its first reply.
        socket.on('session', (session) => (trust.session = session));
      }
      callback(null, socket);
    });
  };
}

/** Hands over a connection for which the server chose HTTP/2, and reports the error given for it. */
function adopting(connector: buildConnector.connector, adopt: AdoptHttp2): buildConnector.connector {
  return (options, callback) => {
    connector(options, (...[error, socket]) => {
      if (error) callback(error, null);
      else if (socket instanceof TLSSocket && socket.alpnProtocol === 'h2') callback(adopt(socket), null);
      else callback(null, socket);
    });
  };
}

/** Wraps the connector to return a connection only after the remote end has passed `prove`. */
function verifiedConnector(
  connector: buildConnector.connector,
  prove: (socket: Socket) => Promise<void>,
): buildConnector.connector {
  return (options, callback) => {
    connector(options, (...[error, socket]) => {
      if (error) {
        callback(error, null);
        return;
      }
      prove(socket).then(
        () => callback(null, socket),
        (failure: unknown) => callback(failure instanceof Error ? failure : new Error(String(failure)), null),
      );
    });
  };
}
