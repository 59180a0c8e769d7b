import { Agent, Pool, ProxyAgent, buildConnector, type Dispatcher } from 'undici';
import type { ProxyTarget, ServerTarget } from './target.ts';
import { pinned, trustOf } from './trust.ts';

const connectTimeoutMs = 10_000;
const connectionsPerServer = 8;
/** How connections are used. */
export interface ConnectionUse {
  /** Whether every request gets a fresh connection, which nothing of an earlier exchange can be left on. */
  isFresh: boolean;
}

/** The deadline covers the whole call; undici's per-chunk timers would let a dripping server go on for ever. */
const timers = { connections: connectionsPerServer, headersTimeout: 0, bodyTimeout: 0 };

/**
 * The connection pool of one server, by the target's certificates and proxy. Over a proxy, https goes through a tunnel,
 * so that the proxy sees no content and the server's certificate is checked here all the same.
 * @throws {ClientError} of kind tls when a certificate file of the target cannot be used.
 */
export function createDispatcher(target: ServerTarget, { isFresh }: ConnectionUse = { isFresh: false }): Dispatcher {
  const pool = { ...timers, pipelining: isFresh ? 0 : 1 };
  const tls = new URL(target.apiBase).protocol === 'https:' ? tlsOptions(target) : {};
  const fingerprint = 'secureContext' in tls ? target.tls?.pinnedFingerprint : undefined;
  const guard = (connector: buildConnector.connector) => (fingerprint ? pinned(connector, fingerprint) : connector);
  const connect = { timeout: connectTimeoutMs, ...tls };
  if (target.proxy === undefined || target.proxy === 'none') {
    return new Agent({ ...pool, connect: guard(buildConnector(connect)) });
  }
  return new ProxyAgent({
    ...pool,
    uri: target.proxy.url,
    token: proxyToken(target.proxy),
    // A proxy need not tunnel to anything but https.
    proxyTunnel: 'secureContext' in tls,
    requestTls: connect,
    proxyTls: { timeout: connectTimeoutMs, ...(target.proxy.url.startsWith('https:') && proxyTrust(target)) },
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

/** The proxy's own certificate is checked alike, but it is not shown what is meant for the server. */
function proxyTrust({ name, tls }: ServerTarget) {
  return { secureContext: trustOf({ name, tls: { extraCa: tls?.extraCa } }) };
}

function tlsOptions(target: ServerTarget) {
  return {
    secureContext: trustOf(target),
    // A pinned certificate is checked by its fingerprint instead, for which every handshake must show it in full.
    ...(target.tls?.pinnedFingerprint && { rejectUnauthorized: false, maxCachedSessions: 0 }),
  };
}
