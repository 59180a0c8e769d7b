import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { ConnectingFailed, NotHandled } from './networkError.ts';
import {
  recentMs,
  type ConnectionNeed,
  type HttpReply,
  type HttpRequest,
  type PooledConnection,
} from './pooledConnection.ts';

/**
 * How many bytes of a reply, and of all replies, the server may send before they are read. Less would slow down a server
 * that is far away: 4 MB fill 100 Mbit/s at a round trip of 250 ms.
 */
const replyWindow = 4 * 1024 * 1024;
const connectionWindow = 4 * replyWindow;
/** Memory of a connection for what is not yet sent or read, in MB. */
const maxSessionMemory = 64;

/** The server chose HTTP/2 for a new connection, over which nothing has been sent. */
export class Http2Chosen extends Error {
  readonly connection: Http2Connection;

  constructor(connection: Http2Connection) {
    super('The server chose HTTP/2.');
    this.connection = connection;
  }
}

/** Takes over a connection for which the server chose HTTP/2, and returns the error that ends its use over HTTP/1.1. */
export type AdoptHttp2 = (socket: TLSSocket) => Http2Chosen;

/** The server wants a request over HTTP/1.1. RFC 9113 does not promise that it has not handled it. */
export class Http1Required extends Error {
  readonly code = 'ERR_HTTP2_STREAM_ERROR';

  constructor() {
    super('the server requires HTTP/1.1');
  }
}

/** A reply ended before it was complete. */
class ReplyCut extends Error {
  readonly code = 'ERR_HTTP2_STREAM_ERROR';

  constructor() {
    super('the reply was cut off');
  }
}

/**
 * A connection over HTTP/2, which carries requests side by side. Each reply has the number of its request, so that none
 * can be taken for another's.
 *
 * undici is not used here, as it takes a reply that ends with a reset for a whole one.
 */
export class Http2Connection {
  readonly #session: ClientHttp2Session;
  /** Requests under way. */
  #busy = 0;
  #heardAt = performance.now();
  #isRetired = false;
  /** Number of the last request that the server may handle; GOAWAY lowers it. */
  #lastHandled = Infinity;

  /** @param idleMs how long it is kept without requests, in ms. */
  constructor(origin: string, socket: TLSSocket, idleMs: number) {
    const settings = { enablePush: false, initialWindowSize: replyWindow };
    this.#session = connect(origin, { createConnection: () => socket, settings, maxSessionMemory });
    this.#session.once('connect', () => {
      // It may have been closed in the same turn.
      if (!this.#session.destroyed) this.#session.setLocalWindowSize(connectionWindow);
    });
    // Every request under way fails with it; without one, it concerns none.
    this.#session.on('error', () => undefined);
    // A reply that was not asked for, which may arrive until the server knows the settings.
    this.#session.on('stream', (pushed) => pushed.on('error', () => undefined).close(constants.NGHTTP2_CANCEL));
    this.#session.on('goaway', (code: number, last: number) => {
      if (code === constants.NGHTTP2_NO_ERROR) this.#lastHandled = Math.min(this.#lastHandled, last);
    });
    this.#session.setTimeout(idleMs);
    this.#session.on('timeout', () => this.#closeUnused());
  }

  /** Whether it may carry a request: the server takes more, and answered lately if the request must not be repeated. */
  fits(manner: ConnectionNeed['manner']): boolean {
    if (this.#session.closed || this.#session.destroyed || this.#isRetired) return false;
    return manner === 'read' || performance.now() - this.#heardAt < recentMs;
  }

  /** A place for one request. @param ended is called when it is over. */
  place(ended: () => void): PooledConnection {
    this.#busy += 1;
    const since = performance.now();
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      this.#busy -= 1;
      if (this.#isRetired) this.retire();
      ended();
    };
    const drop = () => {
      // It may be dead, and no other request should find out as late.
      if (performance.now() - Math.max(since, this.#heardAt) > recentMs) this.#isRetired = true;
      end();
    };
    return {
      request: (request) => this.#request(request),
      wasOpenedAhead: false,
      isEchoing: false,
      answered: () => {
        this.#heardAt = performance.now();
        return false;
      },
      release: end,
      drop,
    };
  }

  async #request({ path, headers, body, signal, began }: HttpRequest): Promise<HttpReply> {
    let stream: ClientHttp2Stream;
    try {
      stream = this.#session.request({
        ':method': 'POST',
        ':path': path,
        ...headers,
        'content-length': Buffer.byteLength(body),
      });
    } catch (cause) {
      // The server has just closed it.
      throw new ConnectingFailed(cause as Error);
    }
    began();
    stream.end(body);
    try {
      const reply = await replyOf(stream, signal);
      this.#heardAt = performance.now();
      return reply;
    } catch (error) {
      if (stream.rstCode === constants.NGHTTP2_HTTP_1_1_REQUIRED) throw new Http1Required();
      // Without a number it was never sent.
      if (stream.id === undefined || stream.id > this.#lastHandled) throw new NotHandled(error as Error);
      throw error;
    }
  }

  /** Takes no more requests, and closes once none is under way. */
  retire(): void {
    this.#isRetired = true;
    this.#closeUnused();
  }

  /** Does not wait for the server, which may never close its side. */
  #closeUnused(): void {
    if (this.#busy === 0) this.#session.destroy();
  }

  /** Closes it now; requests under way fail. */
  destroy(): void {
    this.#session.destroy();
  }
}

/** Waits for the head of a reply. */
function replyOf(stream: ClientHttp2Stream, signal: AbortSignal): Promise<HttpReply> {
  const body = new ReplyBody(stream);
  const cancel = () => body.destroy(signal.reason as Error);
  signal.addEventListener('abort', cancel);
  body.once('close', () => signal.removeEventListener('abort', cancel));
  return new Promise((resolve, reject) => {
    stream.once('response', (headers) => resolve({ statusCode: headers[':status'] ?? 0, headers, body }));
    body.once('error', reject);
    if (signal.aborted) cancel();
  });
}

/** The body of a reply, which ends with an error unless the server has marked its end. */
class ReplyBody extends Readable {
  readonly #stream: ClientHttp2Stream;
  #isWhole = false;

  constructor(stream: ClientHttp2Stream) {
    super();
    this.#stream = stream;
    let isMarked = false;
    // Node.js also ends a stream that was reset, with some codes without an error. Only then has it closed it before.
    const push = stream.push.bind(stream);
    stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (chunk === null && !stream.closed) isMarked = true;
      return push(chunk, encoding);
    };
    stream.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) stream.pause();
    });
    stream.on('end', () => {
      if (!isMarked) return;
      this.#isWhole = true;
      this.push(null);
    });
    stream.on('error', (error: Error) => this.destroy(error));
    stream.on('close', () => {
      if (!this.#isWhole) this.destroy(new ReplyCut());
    });
  }

  override _read(): void {
    this.#stream.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (!this.#isWhole || !this.#stream.writableFinished) this.#stream.close(constants.NGHTTP2_CANCEL);
    callback(error);
  }
}
