import { type Readable, finished } from 'node:stream';
import { createGunzip, type Gunzip, type ZlibOptions } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { ClientError } from '../clientError.ts';
import { networkError, proxyStatusError } from './networkError.ts';
import type { ServerTarget } from './target.ts';
import { say } from '../../l10n/l10n.ts';
import { realDeadlines, waitFor, type Deadlines } from './waitFor.ts';
import { createDispatcher, sharedTrust, type TrustCache } from './dispatcher.ts';
import { ConnectionPool } from './connectionPool.ts';

/** Largest body that is read away; a larger one costs its connection. */
const discardedBytes = 64 * 1024;

/**
 * How replies are inflated. Each piece takes a way to another thread and back: with those of 16 KB that Node.js makes unasked,
 * a long reply takes 1.8 times the processor time.
 */
export const inflating: ZlibOptions = { chunkSize: 256 * 1024 };

/** Limits of one call. */
export interface SendOptions {
  signal?: AbortSignal | undefined;
  /** Time for the whole call, from connecting to the last byte, in milliseconds. */
  deadlineMs: number;
  /** Largest reply accepted after inflating, in bytes. */
  maxBytes: number;
}

/** How one request is sent, beside its limits. */
interface SendManner {
  /**
   * Opens the connection now instead of taking one opened ahead: a write must not meet one that the server is just
   * closing, which would leave its outcome open.
   */
  onFreshConnection?: boolean;
}

/** A reply whose body is still arriving. */
export interface IncomingReply {
  status: number;
  contentType: string;
  /** The server's clock when it answered, if it said so. */
  serverTime: Date | undefined;
  /** Body as identity bytes; throws {@link ClientError} when it breaks, exceeds the cap or the deadline passes. */
  body: AsyncIterable<Uint8Array>;
}

/**
 * Posts JSON to one server over its own connections. Knows nothing of endpoints or sessions. Redirects are not
 * followed: a token goes to the exact origin of the API base or nowhere.
 */
export class Transport {
  readonly #target: ServerTarget;
  readonly #base: URL;
  readonly #connections: Connections;
  readonly #proxy: string | undefined;
  readonly #deadlines: Deadlines;
  #isClosed = false;
  /** Takes what still comes once this one is closed. */
  #successor: Transport | undefined;

  /** @param deadlines for tests. */
  constructor(target: ServerTarget, deadlines = realDeadlines) {
    this.#target = target;
    this.#deadlines = deadlines;
    this.#base = new URL(target.apiBase);
    this.#connections = new Connections(target);
    const { proxy } = target;
    this.#proxy = proxy === undefined || proxy === 'none' ? undefined : new URL(proxy.url).host;
  }

  /**
   * Posts `json` to `path` below the API base.
   * @throws {ClientError} of kind unreachable, tls, proxy, timeout or cancelled.
   */
  async send(path: string, json: string, options: SendOptions & SendManner): Promise<IncomingReply> {
    if (this.#isClosed && this.#successor) return this.#successor.send(path, json, options);
    const deadline = this.#deadlines(options.deadlineMs);
    const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
    const explain = (cause: unknown) =>
      networkError(
        cause,
        { signal, deadlineMs: options.deadlineMs, proxy: this.#proxy },
        { server: this.#target.name, endpoint: path },
      );
    if (this.#isClosed) {
      const facts = { server: this.#target.name, endpoint: path, isUnsent: true };
      throw new ClientError('unreachable', say('The connection to {0} was closed here.', this.#target.name), facts);
    }
    const dispatcher = this.#connections.take(options.onFreshConnection ?? false);
    let reply: Dispatcher.ResponseData;
    let hasGoneOut = false;
    const watched = dispatcher.compose(atStart(() => (hasGoneOut = true)));
    try {
      const request = watched.request({
        origin: this.#base.origin,
        path: `${this.#base.pathname.replace(/\/$/, '')}/${path}`,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/plain',
          'accept-encoding': 'gzip',
        },
        body: json,
        signal,
      });
      // undici hears the signal once it is connected, and then sends nothing: until then nobody waits for it.
      const facts = { server: this.#target.name, endpoint: path };
      reply = await waitFor(request, { signal, deadlineMs: options.deadlineMs }, facts);
    } catch (cause) {
      const error = cause instanceof ClientError ? cause : explain(cause);
      throw hasGoneOut ? error : error.asUnsent();
    }
    // Through a tunnel no proxy answers: there it is the server's word, after it got the request.
    if (reply.statusCode === 407 && this.#proxy !== undefined && this.#base.protocol === 'http:') {
      reply.body.on('error', () => undefined).destroy();
      throw proxyStatusError(407, this.#proxy, { server: this.#target.name, endpoint: path });
    }
    const isRead = reply.statusCode === 200;
    // No other status is told more of by its body, which may be endless: a short one is read away to keep the connection.
    if (!isRead) reply.body.dump({ limit: discardedBytes, signal }).catch(() => undefined);
    return {
      status: reply.statusCode,
      contentType: headerText(reply.headers['content-type']).toLowerCase(),
      serverTime: parseDate(headerText(reply.headers.date)),
      body: isRead ? this.#read(reply, options, path, explain) : nothing(),
    };
  }

  /**
   * Takes no further call, and closes each connection once the calls under way on it are answered.
   * @param successor another way to the same address, for the steps that calls under way still have to take.
   */
  async drain(successor?: Transport): Promise<void> {
    this.#successor = successor;
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#connections.close();
  }

  /** Closes all connections; calls under way fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connections.destroy();
  }

  async *#read(
    reply: Dispatcher.ResponseData,
    options: SendOptions,
    endpoint: string,
    explain: (cause: unknown) => ClientError,
  ): AsyncGenerator<Uint8Array> {
    const encoding = headerText(reply.headers['content-encoding']).toLowerCase();
    const facts = { server: this.#target.name, endpoint, status: reply.statusCode };
    if (!['', 'identity', 'gzip'].includes(encoding)) {
      reply.body.on('error', () => undefined).destroy();
      throw new ClientError('malformed', say('{0} sent an encoding that was not asked for.', facts.server), facts);
    }
    const tooLarge = () => new ClientError('tooLarge', say('The reply exceeds {0} bytes.', options.maxBytes), facts);
    const gunzip = encoding === 'gzip' ? createGunzip(inflating) : undefined;
    if (gunzip) inflate(reply.body, gunzip, options.maxBytes, tooLarge);
    let bytes = 0;
    try {
      for await (const chunk of backpressured(gunzip ?? reply.body)) {
        bytes += chunk.byteLength;
        if (bytes > options.maxBytes) throw tooLarge();
        yield chunk;
      }
    } catch (cause) {
      throw cause instanceof ClientError ? cause : explain(cause);
    } finally {
      // Leaving early must free the connection at once.
      reply.body.destroy();
      gunzip?.destroy();
    }
  }
}

/** Tells when a request is given to its connection; until then nothing of it has gone out. */
function atStart(started: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const name = handler.onRequestStart ? 'onRequestStart' : 'onConnect';
    const begin: unknown = Reflect.get(handler, name);
    // A handler that does not tell has begun for all we know.
    if (typeof begin !== 'function') started();
    else {
      handler[name] = (...parts: unknown[]) => {
        started();
        return begin.apply(handler, parts) as void;
      };
    }
    return dispatch(options, handler);
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // There is nothing to wait for.
}

/** Pipes `body` through `gunzip`; errors of the wire reach the reader there. Blocks that inflate to nothing count too. */
function inflate(body: Readable, gunzip: Gunzip, maxBytes: number, tooLarge: () => Error): void {
  let wireBytes = 0;
  body.on('data', (chunk: Buffer) => {
    wireBytes += chunk.byteLength;
    if (wireBytes > maxBytes) gunzip.destroy(tooLarge());
  });
  body.on('error', (error: Error) => gunzip.destroy(error)).pipe(gunzip);
}

function headerText(value: string | string[] | undefined): string {
  return Array.isArray(value) ? (value[0] ?? '') : (value ?? '');
}

function parseDate(value: string): Date | undefined {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** The connections to one server: none ever carries a second request. */
class Connections {
  readonly #target: ServerTarget;
  readonly #spares = new ConnectionPool();
  /** Made by the first request: reading certificates takes a moment. */
  #trust: TrustCache | undefined;
  #fresh: Dispatcher | undefined;
  #ahead: Dispatcher | undefined;

  constructor(target: ServerTarget) {
    this.#target = target;
  }

  /**
   * A way to send one request: over a connection opened just for it, or over one opened ahead, which the server may be
   * closing at that moment.
   * @throws {ClientError} of kind tls when a certificate file of the target cannot be used.
   */
  take(isFresh: boolean): Dispatcher {
    this.#trust ??= sharedTrust(this.#target);
    if (isFresh) return (this.#fresh ??= createDispatcher(this.#target, this.#trust));
    return (this.#ahead ??= createDispatcher(this.#target, this.#trust, this.#spares));
  }

  /** Closes each connection once its requests are answered. */
  async close(): Promise<void> {
    this.#spares.close();
    await Promise.all([this.#fresh?.close(), this.#ahead?.close()]);
  }

  /** Ends all connections; requests under way fail. */
  async destroy(): Promise<void> {
    this.#spares.close();
    await Promise.all([this.#fresh?.destroy(), this.#ahead?.destroy()]);
  }
}

/** Bytes that may wait for the reader before the source is asked to pause. */
const waitingBytes = 256 * 1024;

/**
 * The chunks of a stream one by one, as they came. Iterating over the stream itself joins those that wait, which copies
 * nearly all bytes of a long reply once more. What came before a failure is given first.
 * @throws what the stream fails with, also when it is closed before its end.
 */
export async function* backpressured(stream: Readable): AsyncGenerator<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let size = 0;
  let ending: { error: Error | null | undefined } | undefined;
  let wake: () => void = () => undefined;
  finished(stream, { writable: false }, (error) => {
    ending = { error };
    wake();
  });
  stream.on('data', (chunk: Uint8Array) => {
    waiting.push(chunk);
    size += chunk.byteLength;
    if (size >= waitingBytes) stream.pause();
    wake();
  });
  for (;;) {
    const chunk = waiting.shift();
    if (chunk !== undefined) {
      size -= chunk.byteLength;
      if (stream.isPaused() && size < waitingBytes) stream.resume();
      yield chunk;
    } else if (ending === undefined) await new Promise<void>((resolve) => (wake = resolve));
    else if (ending.error) throw ending.error;
    else return;
  }
}
