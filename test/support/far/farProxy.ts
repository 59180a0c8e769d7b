import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { constants, createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer as createRelay, type AddressInfo, type Server, type Socket } from 'node:net';
import type { MadeCertificate } from '../tls.ts';

/** One call as it went through the proxy. Times in ms. */
export interface FarCall {
  readonly endpoint: string;
  /** Number of the connection that carried it. */
  readonly connection: number;
  readonly startedAt: number;
  /** When its reply was handed back; undefined until then. */
  endedAt: number | undefined;
}

/** A server far away: every connection and every call takes round trips. */
export interface FarProxy {
  apiBase: string;
  /** Calls since the last {@link reset}. */
  readonly calls: FarCall[];
  /** Connections that were opened since the last {@link reset}, with or without a call. */
  opened(): number;
  reset(): void;
  /** Answers this many calls more, and then none until it is called again; those that wait then are cut off. */
  answerOnly(count: number): void;
  /** Endpoint of the first call that waits for an answer that will not come. */
  stuck(): string | undefined;
  close(): Promise<void>;
}

interface FarOptions {
  /** API base of the server behind it. */
  target: string;
  /** Round trip in ms: for each connection, each flight of the TLS handshake and each call. Default 0. */
  roundTripMs?: number;
  /** How long a call takes at the server at least, in ms, so that calls that are sent side by side overlap. Default 0. */
  serverMs?: number;
  /** Shown over TLS if given. */
  certificate?: MadeCertificate;
  /** Whether it then chooses HTTP/2 where that is offered. */
  isHttp2?: boolean;
}

type Incoming = IncomingMessage | Http2ServerRequest;
type Outgoing = ServerResponse | Http2ServerResponse;

/** What stays the same for all requests of a connection. */
function connectionOf(incoming: Incoming): object {
  return ('stream' in incoming && incoming.stream.session) || incoming.socket;
}

/** Ends a reply before its time. */
function cut(response: Outgoing): void {
  if ('stream' in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else response.destroy();
}

/** Starts a proxy on loopback that delays and counts. */
export async function startFarProxy(options: FarOptions): Promise<FarProxy> {
  const { target, roundTripMs = 0, serverMs = 0, certificate, isHttp2 = false } = options;
  const calls: FarCall[] = [];
  const numbers = new WeakMap<object, number>();
  const waiting: { endpoint: string; response: Outgoing }[] = [];
  let [carrying, opened, before, left] = [0, 0, 0, Infinity];
  const agent = new Agent({ keepAlive: true });
  const answer = (incoming: Incoming, response: Outgoing) => {
    const connection = connectionOf(incoming);
    const number = numbers.get(connection) ?? ++carrying;
    numbers.set(connection, number);
    const endpoint = (incoming.url ?? '').replace(/^\/api\//, '');
    const call: FarCall = { endpoint, connection: number, startedAt: performance.now(), endedAt: undefined };
    calls.push(call);
    if (left-- <= 0) {
      incoming.resume();
      waiting.push({ endpoint, response });
      return;
    }
    forward(`${target}/${endpoint}`, incoming, agent).then(
      ({ status, headers, body }) => {
        const pause = Math.max(0, call.startedAt + serverMs - performance.now());
        const end = () => {
          call.endedAt = performance.now();
          if ('stream' in response) response.writeHead(status, headers).end(body);
          else response.writeHead(status, headers).end(body);
        };
        // The clock of a test may have been stopped.
        if (pause === 0) end();
        else setTimeout(end, pause);
      },
      () => cut(response),
    );
  };
  const identity = certificate && { cert: certificate.certificate, key: certificate.key };
  const inner: Server = !identity
    ? createServer({ keepAliveTimeout: 60_000 }, answer)
    : isHttp2
      ? createSecureServer(identity, answer)
      : createTlsServer({ ...identity, keepAliveTimeout: 60_000 }, answer);
  const innerPort = await listen(inner);
  const sockets = new Set<Socket>();
  const relay = createRelay((near) => carry(near, connect(innerPort, '127.0.0.1'), roundTripMs, sockets));
  const port = roundTripMs > 0 ? await listen(relay) : innerPort;
  inner.on('connection', (socket: Socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  return {
    apiBase: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}/api`,
    calls,
    opened: () => opened - before,
    reset: () => {
      calls.splice(0);
      before = opened;
    },
    answerOnly: (count) => {
      left = count;
      for (const { response } of waiting.splice(0)) cut(response);
    },
    stuck: () => waiting[0]?.endpoint,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      agent.destroy();
      for (const server of [relay, inner]) {
        if (server.listening) await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

/** Carries bytes both ways, each half a round trip late, after one round trip for the connection itself. */
function carry(near: Socket, far: Socket, roundTripMs: number, sockets: Set<Socket>): void {
  const readyAt = performance.now() + roundTripMs / 2;
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    sockets.add(from);
    // Otherwise small parts wait for the other side's acknowledgement.
    from.setNoDelay(true);
    const late = (work: () => void) =>
      setTimeout(work, Math.max(performance.now(), readyAt) + roundTripMs / 2 - performance.now());
    from.on('data', (bytes: Buffer) => late(() => to.writable && to.write(bytes)));
    from.on('end', () => late(() => to.end()));
    from.on('error', () => undefined).on('close', () => late(() => to.destroy()));
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

async function forward(url: string, incoming: Incoming, agent: Agent): Promise<Answer> {
  const body = await bytesOf(incoming);
  return new Promise((resolve, reject) => {
    const id = incoming.headers['x-request-id'];
    const headers = { 'content-type': 'application/json', ...(typeof id === 'string' && { 'x-request-id': id }) };
    const outgoing = request(url, { method: 'POST', agent, headers }, (reply) => {
      const kept: Record<string, string> = {};
      for (const name of ['content-type', 'x-request-id']) {
        const value = reply.headers[name];
        if (typeof value === 'string') kept[name] = value;
      }
      bytesOf(reply).then((bytes) => {
        resolve({ status: reply.statusCode ?? 0, headers: kept, body: bytes });
      }, reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function bytesOf(message: Incoming): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The longest row of calls of which each was sent after the one before had been answered. */
export function chainOf(calls: readonly FarCall[]): number {
  let [length, endedAt] = [0, -Infinity];
  const done = calls.filter((call) => call.endedAt !== undefined);
  for (const call of [...done].sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0))) {
    if (call.startedAt < endedAt) continue;
    length += 1;
    endedAt = call.endedAt ?? endedAt;
  }
  return length;
}
