import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createHmac, hkdfSync } from 'node:crypto';
import { endpointPaths, endpoints, ownPaths, type EndpointPath } from '../../contract/endpoints.ts';
import { proofPath, proofKeyPurpose, proofNonce, proofText } from '../../contract/localServer.ts';
import { StreamedJson } from '../calls/handlers.ts';
import { readCertificate } from './certificate.ts';
import type { Dispatch } from './dispatcher.ts';
import type { PublicListening } from './listening.ts';
import { OriginGuard, type AllowedOrigin } from './originGuard.ts';
import { createPages, type Pages } from './pages/pages.ts';
import { findPeer, limitConnections } from './peers.ts';
import { type CallOutcome, type Reply, stoppingReply, textReply } from './reply.ts';
import { writeReply, abandonStream } from './replyWriter.ts';
import { replyToBody, skipRest } from './requestBody.ts';
import { RunningCall, RunningCount } from './runningCall.ts';

/** Answers a challenge for the server that listens on `port`; undefined for a malformed challenge. */
type Prove = (nonce: string, port: number) => string | undefined;

/**
 * Proves this server's identity to the process that supplied its key. Proofs use a key derived from `key`, so that no
 * answer reveals anything about the key that encrypts stored passwords.
 */
export function createProof(key: Uint8Array, installationId: string): Prove {
  const proofKey = Buffer.from(hkdfSync('sha256', key, '', proofKeyPurpose, 32));
  return (nonce, port) => {
    if (!proofNonce.test(nonce)) return undefined;
    const text = proofText({ nonce, port, pid: process.pid, installationId });
    return createHmac('sha256', proofKey).update(text).digest('hex');
  };
}

/**
 * Maximum body length, in bytes, of calls without a session: enough for names, a password, or a report with as many
 * prompts as any user answers.
 */
const openLimits: Partial<Record<EndpointPath, number>> = {
  'login/DoLogin': 64 * 1024,
  'LicenseManager/GetInstallationID': 64 * 1024,
  'Report/ReplacePromptCollection': 2 * 1024 * 1024,
};

/** A call that has ended. */
export interface ObservedCall {
  endpoint: EndpointPath;
  outcome: CallOutcome;
  status: number;
  seconds: number;
}

/** Network options of the server. */
interface ApiServerOptions {
  /** Port to listen on; 0 for any free one. */
  port: number;
  /** How clients on other machines reach the server; undefined for loopback only. */
  listening?: PublicListening | undefined;
  /** Path prefix of all endpoints, such as `/api`. */
  prefix: string;
  allowedOrigin: AllowedOrigin;
  /** Maximum body length in bytes. */
  bodyLimit: number;
  dispatch: Dispatch;
  /** Answers challenges of the process that supplied this server's key; omitted if there is none. */
  prove?: Prove | undefined;
  /** Called after each call to an endpoint, when its reply is written or given up. */
  observe?: ((call: ObservedCall) => void) | undefined;
  /** Logs errors that occur outside any call. */
  log(message: string): void;
}

/** Milliseconds that running calls have to finish when the server stops, unless told otherwise. */
const usualFarewell = 1_000;
/** Milliseconds that calls have, once ended, to say so. */
const lastWords = 500;
const loopback = '127.0.0.1';

/** The HTTP server: listens on loopback unless told otherwise, routes by the contract, limits all that clients send. */
export class ApiServer {
  readonly #options: ApiServerOptions;
  readonly #server: ReturnType<typeof createServer> | ReturnType<typeof createTlsServer>;
  /** Endpoints by full path in lower case; paths are case-insensitive. */
  readonly #endpoints: ReadonlyMap<string, EndpointPath>;
  /** Path prefix of the browser pages: the API's prefix without its last segment. */
  readonly #pageRoot: string;
  readonly #pages: Pages;
  readonly #watched = new Set<RunningCall>();
  readonly #running = new RunningCount();
  #guard: OriginGuard | undefined;
  #isStopping = false;
  #headers: Readonly<Record<string, string>> = {};

  constructor(options: ApiServerOptions) {
    this.#options = options;
    const prefix = `${options.prefix.toLowerCase()}/`;
    this.#pageRoot = prefix.replace(/[^/]+\/$/, '');
    this.#endpoints = new Map(
      [...endpointPaths, ...ownPaths].flatMap((path) => [
        [`${options.prefix}/${path}`, path],
        [`${prefix}${path.toLowerCase()}`, path],
      ]),
    );
    const { dispatch, allowedOrigin } = options;
    this.#pages = createPages({ dispatch, allowedOrigin, log: (message) => options.log(message) });
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      this.#answer(request, response).catch((error: unknown) => this.#giveUp(response, error));
    };
    const { listening } = options;
    this.#server = listening?.certificate
      ? createTlsServer(
          { ...timeouts, handshakeTimeout: 10_000, ...readCertificate(listening.certificate, listening, new Date()) },
          answer,
        )
      : createServer(timeouts, answer);
    limitConnections(this.#server, listening);
  }

  /** Calls that are being answered. */
  get runningCalls(): number {
    return this.#running.count;
  }

  /** Reads the certificate again. @throws Error when it is not usable; the present one stays in use. */
  reloadCertificate(): void {
    const { listening } = this.#options;
    if (!listening?.certificate || !('setSecureContext' in this.#server)) return;
    this.#server.setSecureContext(readCertificate(listening.certificate, listening, new Date()));
  }

  /** Starts listening; resolves with the port. @throws Error when the port is in use. */
  async listen(): Promise<number> {
    const { listening, allowedOrigin } = this.#options;
    this.#server.listen(this.#options.port, listening?.address ?? loopback);
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The server has no port');
    this.#guard = new OriginGuard(address.port, allowedOrigin, listening?.publicUrl);
    this.#headers = { ...this.#guard.corsHeaders(), ...commonHeaders, ...(listening && publicHeaders) };
    return address.port;
  }

  /**
   * Refuses new calls with 503 and gives running ones `withinMs` to finish. The others learn that the server stops;
   * replies that have begun are cut off, which clients see as incomplete.
   */
  async stop(withinMs = usualFarewell): Promise<void> {
    this.#isStopping = true;
    await this.#running.none(withinMs);
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeIdleConnections();
    for (const call of this.#watched) call.stop();
    const cutOff = setTimeout(() => this.#server.closeAllConnections(), lastWords);
    await closed;
    clearTimeout(cutOff);
  }

  /** Awaits nothing that is available synchronously: that would take a good part of a small call's time. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { observe } = this.#options;
    const began = observe ? performance.now() : 0;
    let reply: Reply | undefined;
    this.#running.add(1);
    try {
      const answer = this.#replyTo(request, response);
      reply = answer instanceof Promise ? await answer : answer;
      const sent = this.#send(request, response, reply);
      if (sent) await sent;
    } finally {
      this.#running.add(-1);
      const endpoint = observe && request.method === 'POST' ? this.#endpointAt(request.url ?? '') : undefined;
      if (endpoint) observe?.({ endpoint, ...endOf(reply, response), seconds: (performance.now() - began) / 1_000 });
    }
  }

  #send(request: IncomingMessage, response: ServerResponse, reply: Reply): Promise<void> | undefined {
    if (!request.complete) return skipRest(request).then(() => this.#write(request, response, reply));
    return this.#write(request, response, reply);
  }

  #write(request: IncomingMessage, response: ServerResponse, reply: Reply): Promise<void> | undefined {
    if (response.destroyed) return reply.body instanceof StreamedJson ? abandonStream(reply.body) : undefined;
    if (this.#isStopping) response.shouldKeepAlive = false;
    const id = request.headers['x-request-id'];
    // Tells a client that keeps its connections which request was answered.
    const own = typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? { 'X-Request-Id': id } : undefined;
    const headers = reply.headers || own ? { ...this.#headers, ...reply.headers, ...own } : this.#headers;
    return writeReply(request, response, reply, headers);
  }

  #replyTo(request: IncomingMessage, response: ServerResponse): Reply | Promise<Reply> {
    const peer = findPeer(request, this.#options.listening);
    if ('refusal' in peer) return textReply(peer.refusal, 403);
    const refusal = this.#guard?.refusal(request);
    if (refusal !== undefined) return textReply(refusal, 403);
    const isFromWebPage = this.#guard?.isFromWebPage(request) ?? true;
    const call = new RunningCall(response, this.#watched, { isFromWebPage, source: peer.source });
    const endpoint = this.#endpointAt(request.url ?? '');
    if (!endpoint) return this.#pageOrNothing(request, call);
    if (request.method === 'OPTIONS') return { status: 204, headers: preflightHeaders };
    if (request.method !== 'POST') return notAllowed('POST, OPTIONS');
    if (this.#isStopping) return stoppingReply(endpoints[endpoint]);
    const limit = this.#limitOf(endpoint);
    return replyToBody(request, limit, (body) => this.#options.dispatch(endpoint, body, call));
  }

  #limitOf(endpoint: EndpointPath): number {
    return Math.min(openLimits[endpoint] ?? Infinity, this.#options.bodyLimit);
  }

  /** Finds the endpoint of a URL; most clients use the documented spelling. */
  #endpointAt(url: string): EndpointPath | undefined {
    return this.#endpoints.get(url) ?? this.#endpoints.get(pathAndQuery(url)[0].toLowerCase());
  }

  async #pageOrNothing(request: IncomingMessage, call: RunningCall): Promise<Reply> {
    const [path, query] = pathAndQuery(request.url ?? '');
    if (path === '/') return this.#welcome(request);
    if (path === proofPath && this.#options.prove) return this.#proof(request, query);
    const page = await this.#page(request, path.toLowerCase(), query, call);
    return page ?? textReply(`There is no ${path} here. The API is at ${this.#options.prefix}.`, 404);
  }

  async #page(request: IncomingMessage, path: string, query: string, call: RunningCall): Promise<Reply | undefined> {
    if (!path.startsWith(this.#pageRoot) || !path.endsWith('.html')) return undefined;
    if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed('GET, HEAD');
    return this.#pages(path.slice(this.#pageRoot.length), new URLSearchParams(query), call);
  }

  #welcome(request: IncomingMessage): Reply {
    if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed('GET, HEAD');
    return textReply(`Analytics Studio embedded server. The API is at ${this.#options.prefix}.\n`);
  }

  #proof(request: IncomingMessage, query: string): Reply {
    if (request.method !== 'GET') return notAllowed('GET');
    const nonce = new URLSearchParams(query).get('nonce') ?? '';
    const proof = this.#options.prove?.(nonce, request.socket.localPort ?? 0);
    return proof === undefined ? textReply('A nonce has 64 hexadecimal digits.', 400) : textReply(proof);
  }

  /** Logs the error, unless the client disconnected. */
  #giveUp(response: ServerResponse, error: unknown): void {
    if (response.destroyed) return;
    this.#options.log(`A reply could not be written: ${error instanceof Error ? error.stack : String(error)}`);
    response.destroy();
  }
}

/** How a call ended; its client may have disconnected during a reply that succeeded until then. */
function endOf(reply: Reply | undefined, response: ServerResponse): Pick<ObservedCall, 'outcome' | 'status'> {
  const { status, outcome } = reply ?? { status: 500, outcome: 'failed' };
  if (response.destroyed && !response.writableFinished) return { status, outcome: 'cut_off' };
  return { status, outcome: outcome ?? (status < 400 ? 'success' : 'refused') };
}

const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 2_000,
} as const;
/** Of a server with a public name. Pages replace the policy by their own. */
const publicHeaders = {
  'Strict-Transport-Security': 'max-age=31536000',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
const commonHeaders = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;
const preflightHeaders = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'Content-Type',
  'Access-Control-Max-Age': '600',
} as const;

function pathAndQuery(url: string): [path: string, query: string] {
  const [path = '', query = ''] = url.split('?', 2);
  return [path, query];
}

function notAllowed(methods: string): Reply {
  return { ...textReply(`Allowed here: ${methods}.`, 405), headers: { Allow: methods } };
}
