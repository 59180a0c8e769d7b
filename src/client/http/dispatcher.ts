import type { SecureContext } from 'node:tls';
import type { Socket } from 'node:net';
import { Agent, Pool, ProxyAgent, buildConnector, type Dispatcher, errors } from 'undici';
import type { ProxyTarget, ServerTarget } from './target.ts';
import type { ConnectionPool } from './connectionPool.ts';
import { pinned, trustOf } from './trust.ts';
import { ConnectingFailed } from './networkError.ts';

const connectTimeoutMs = 10_000;
/** Said outright: left out, the environment of the editor (NODE_TLS_REJECT_UNAUTHORIZED) would decide. */
export const isChecked = { rejectUnauthorized: true } as const;
/** Requests under way at a time. */
const maxConnections = 16;

/** Certificates that every connection to one server is checked against; making them takes a moment. */
export interface TrustCache {
  /** For the server; undefined where the connection is not encrypted. */
  server: SecureContext | undefined;
  /** For the proxy itself; undefined where there is none, or it is not encrypted. */
  proxy: SecureContext | undefined;
}

/**
 * The deadline covers the whole call; undici's per-chunk timers would let a dripping server go on for ever. Without
 * pipelining undici closes each connection after its reply, and whatever comes after that is never read.
 */
const pool = { headersTimeout: 0, bodyTimeout: 0, connections: maxConnections, pipelining: 0 };

/**
 * Reads what connections to `target` are checked against.
 * @throws {ClientError} of kind tls when a certificate file of the target cannot be used.
 */
export function sharedTrust(target: ServerTarget): TrustCache {
  const { name, tls, proxy, apiBase } = target;
  const isProxyEncrypted = proxy !== undefined && proxy !== 'none' && proxy.url.startsWith('https:');
  return {
    server: new URL(apiBase).protocol === 'https:' ? trustOf(target) : undefined,
    // The proxy's own certificate is checked alike, but it is not shown what is meant for the server.
    proxy: isProxyEncrypted ? trustOf({ name, tls: { extraCa: tls?.extraCa } }) : undefined,
  };
}

/**
 * The way to one server, by the target's certificates and proxy. Each request has a connection of its own, one of
 * `spares` if they are given. Over a proxy, https goes through a tunnel, so that the
 * proxy sees no content and the server's certificate is checked here all the same.
 */
export function createDispatcher(target: ServerTarget, trust: TrustCache, spares?: ConnectionPool): Dispatcher {
  const pin = trust.server && target.tls?.pinnedFingerprint;
  const guard = (connector: buildConnector.connector) => {
    const certain = pin ? pinned(connector, pin) : connector;
    const checked = bounded(target.prove ? verifiedConnector(certain, target.prove) : certain, connectTimeoutMs);
    return spares?.ahead(checked) ?? checked;
  };
  const connect = {
    timeout: connectTimeoutMs,
    ...(trust.server && { secureContext: trust.server }),
    ...isChecked,
    // A pinned certificate is checked by its fingerprint instead, for which every handshake must show it in full.
    ...(pin && { rejectUnauthorized: false, maxCachedSessions: 0 }),
  };
  if (target.proxy === undefined || target.proxy === 'none') {
    return new Agent({ ...pool, connect: guard(buildConnector(connect)) });
  }
  return new ProxyAgent({
    ...pool,
    uri: target.proxy.url,
    token: proxyToken(target.proxy),
    // A proxy need not tunnel to anything but https.
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

/** Value of the `Proxy-Authorization` header, if the proxy asks for one. */
export function proxyToken({ credentials, authorization }: ProxyTarget): string | undefined {
  if (!credentials) return authorization;
  return `Basic ${Buffer.from(`${credentials.userName}:${credentials.password}`).toString('base64')}`;
}

/**
 * Bounds connecting as a whole, with the tunnel through a proxy, which undici leaves to wait for ever. What fails is told as
 * {@link ConnectingFailed}: undici would connect again, at once and without end, after a proxy that closes the connection.
 */
export function bounded(connector: buildConnector.connector, timeoutMs: number): buildConnector.connector {
  return (options, callback) => {
    const overdue = new AbortController();
    const timer = setTimeout(() => {
      overdue.abort();
      callback(new ConnectingFailed(new errors.ConnectTimeoutError(`no connection within ${timeoutMs} ms`)), null);
    }, timeoutMs);
    // The proxy agent hands the signal to its request for a tunnel.
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

/** The same connector, which hands out a connection only after the other end has passed `prove`. */
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
