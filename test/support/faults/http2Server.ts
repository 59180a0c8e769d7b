import { performServerHandshake, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { createServer, type TLSSocket } from 'node:tls';
import type { MadeCertificate } from '../tls.ts';

/** A request as it arrived. */
export interface Http2Request {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Number of its connection, from 1. */
  readonly connection: number;
  readonly socket: TLSSocket;
  /** Number of its stream. */
  readonly id: number;
  /** Whether the client has cancelled it. */
  isCancelled(): boolean;
}

/** A server that offers HTTP/2 and answers with any frames, also against the rules. */
export interface Http2Server {
  readonly apiBase: string;
  readonly requests: readonly Http2Request[];
  /** Protocol of each connection so far. */
  readonly connections: readonly string[];
  open(): number;
  close(): Promise<void>;
}

const [data, head, reset, settings, push, goAway] = [0, 1, 3, 4, 5, 7];
/** Flags: end of the headers; end of the reply. */
const [endHeaders, endStream] = [4, 1];
/** The status 200, by its number in the table of HPACK. */
const ok = Buffer.from([0x88]);

function frame(type: number, flags: number, id: number, payload: Buffer): Buffer {
  const prefix = Buffer.alloc(9);
  prefix.writeUIntBE(payload.length, 0, 3);
  prefix.writeUInt8(type, 3);
  prefix.writeUInt8(flags, 4);
  prefix.writeUInt32BE(id, 5);
  return Buffer.concat([prefix, payload]);
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index));
  return bytes;
}

/** A header that is not compressed, without an index. RFC 7541, 6.2.2. */
function literal(name: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);
}

/** Frames of replies. */
export const frames = {
  head: (id: number, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    frame(head, endHeaders, id, Buffer.concat([ok, ...Object.entries(headers).map((each) => literal(...each))])),
  data: (id: number, text: string) => frame(data, 0, id, Buffer.from(text)),
  end: (id: number, text = '') => frame(data, endStream, id, Buffer.from(text)),
  reset: (id: number, code: number) => frame(reset, 0, id, numbers(code)),
  push: (id: number, promised: number) => frame(push, endHeaders, id, Buffer.concat([numbers(promised), ok])),
  /** How many requests the server takes at once. */
  atOnce: (count: number) => frame(settings, 0, 0, Buffer.concat([Buffer.from([0, 3]), numbers(count)])),
  /** @param last number of the last request that the server handles. */
  goAway: (last: number, code = 0) => frame(goAway, 0, 0, numbers(last, code)),
};

/**
 * @param answer is called with each whole request; over HTTP/1.1 it gets the socket alone. `neverEnds`: connections stay open
 * until the client gives them up.
 */
export async function startHttp2Server(
  { certificate, key }: MadeCertificate,
  answer: (request: Http2Request) => void,
  options: { protocols?: string[]; http1?: (socket: Socket) => void; neverEnds?: boolean } = {},
): Promise<Http2Server> {
  const requests: Http2Request[] = [];
  const connections: string[] = [];
  const sockets = new Set<Socket>();
  const ALPNProtocols = options.protocols ?? ['h2', 'http/1.1'];
  const allowHalfOpen = options.neverEnds ?? false;
  const server = createServer({ cert: certificate, key, ALPNProtocols, allowHalfOpen }, (socket) => {
    const connection = connections.push(String(socket.alpnProtocol));
    socket.on('error', () => undefined);
    if (socket.alpnProtocol !== 'h2') {
      options.http1?.(socket);
      return;
    }
    readRequests(socket, allowHalfOpen, (stream, path, headers, body) => {
      const isCancelled = () => stream.closed;
      const request = { path, headers, body, connection, socket, id: stream.id ?? 0, isCancelled };
      requests.push(request);
      answer(request);
    });
  });
  server.on('connection', (socket: Socket) => sockets.add(socket.on('close', () => sockets.delete(socket))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    apiBase: `https://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    requests,
    connections,
    open: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Reads by Node.js, which answers settings, windows and pings; replies are written past it. */
function readRequests(
  socket: TLSSocket,
  neverEnds: boolean,
  arrived: (stream: ServerHttp2Stream, path: string, headers: Record<string, string>, body: string) => void,
): void {
  const [outside, inside] = duplexPair();
  for (const side of [outside, inside]) side.on('error', () => undefined);
  outside.pipe(socket, { end: !neverEnds }).pipe(outside, { end: !neverEnds });
  const session = performServerHandshake(inside);
  session.on('error', () => undefined);
  session.on('stream', (stream, headers) => {
    let body = '';
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => (body += chunk.toString()));
    stream.on('end', () => {
      const text = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      if (!stream.closed) arrived(stream, text[':path'] ?? '', text, body);
    });
  });
}
