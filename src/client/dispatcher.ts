import type { SecureContext } from 'node:tls';
import { Agent, Pool, ProxyAgent, buildConnector, type Dispatcher } from 'undici';
import type { ProxyTarget, ServerTarget } from './target.ts';
import { pinned, trustOf } from './trust.ts';

const connectTimeoutMs = 10_000;
/** Fresh connections at a time; a kept one is alone in its dispatcher. */
const freshConnections = 8;

/** Certificates that every connection to one server is checked against; making them takes a moment. */
export interface SharedTrust {
  /** For the server; undefined where the connection is not encrypted. */
  server: SecureContext | undefined;
  /** For the proxy itself; undefined where there is none, or it is not encrypted. */
  proxy: SecureContext | undefined;
}

/** How connections are used. */
export interface ConnectionUse {
  /** Whether every request gets a fresh connection, which nothing of an earlier exchange can be left on. */
  isFresh: boolean;
}

/** The deadline covers the whole call; undici's per-chunk timers would let a dripping server go on for ever. */
const timers = { headersTimeout: 0, bodyTimeout: 0 };

/**
 * Reads what connections to `target` are checked against.
 * @throws {ClientError} of kind tls when a certificate file of the target cannot be used.
 */
export function sharedTrust(target: ServerTarget): SharedTrust {
  const { name, tls, proxy, apiBase } = target;
  const isProxyEncrypted = proxy !== undefined && proxy !== 'none' && proxy.url.startsWith('https:');
  return {
    server: new URL(apiBase).protocol === 'https:' ? trustOf(target) : undefined,
    // The proxy's own certificate is checked alike, but it is not shown what is meant for the server.
    proxy: isProxyEncrypted ? trustOf({ name, tls: { extraCa: tls?.extraCa } }) : undefined,
  };
}

/**
 * The way to one server, by the target's certificates and proxy. Over a proxy, https goes through a tunnel, so that the
 * proxy sees no content and the server's certificate is checked here all the same.
 */
export function createDispatcher(target: ServerTarget, trust: SharedTrust, { isFresh }: ConnectionUse): Dispatcher {
  const pool = { ...timers, connections: isFresh ? freshConnections : 1, pipelining: isFresh ? 0 : 1 };
  const pin = trust.server && target.tls?.pinnedFingerprint;
  const guard = (connector: buildConnector.connector) => (pin ? pinned(connector, pin) : connector);
  const connect = {
    timeout: connectTimeoutMs,
    ...(trust.server && { secureContext: trust.server }),
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
    proxyTls: { timeout: connectTimeoutMs, ...(trust.proxy && { secureContext: trust.proxy }) },
    factory: (origin: string | URL, options: Pool.Options) =>
      new Pool(origin, {
        ...options,
        ...(typeof options.connect === 'function' && { connect: guard(options.connect) }),
      }),
  });
}

/** Value of the `Proxy-Authorization` header, if the proxy asks for one. */
export function proxyToken({ credentials }: ProxyTarget): string | undefined {
  if (!credentials) return undefined;
  return `Basic ${Buffer.from(`${credentials.userName}:${credentials.password}`).toString('base64')}`;
}
