import { createHash, randomUUID } from 'node:crypto';
import { type Readable, finished } from 'node:stream';
import { createGunzip, type Gunzip, type ZlibOptions } from 'node:zlib';
import { ClientError } from '../clientError.ts';
import { networkError, proxyStatusError } from './networkError.ts';
import type { ServerTarget } from './target.ts';
import * as l10n from '../../l10n/l10n.ts';
import { realDeadlines, waitFor, type Deadlines } from './waitFor.ts';
import { createDispatcher, sharedTrust, type TrustCache } from './dispatcher.ts';
import { RequestEncoding } from './requestEncoding.ts';
import { ConnectionPool } from './connectionPool.ts';
import type { ConnectionNeed, HttpReply, PooledConnection } from './pooledConnection.ts';

/**
 * Options for inflating replies. Each chunk makes a round trip to another thread: with Node's default chunks of 16 KB a
 * long reply takes 1.8 times the processor time.
 */
export const inflating: ZlibOptions = { chunkSize: 256 * 1024 };

/** Limits of one call. */
export interface SendOptions {
  signal?: AbortSignal | undefined;
  /** Time for the whole call, from connecting to the last byte, in milliseconds. */
  deadlineMs: number;
  /** Maximum size of a reply after inflating, in bytes. */
  maxBytes: number;
}

/** How one request is sent, in addition to its limits; see {@link ConnectionNeed}. */
interface SendManner {
  /** Default `read`. */
  manner?: ConnectionNeed['manner'];
}

/** A reply whose body is still arriving. */
export interface IncomingReply {
  status: number;
  contentType: string;
  /** The server's time when it answered, if given. */
  serverTime: Date | undefined;
  /** The body after decoding. Throws {@link ClientError} if it breaks, exceeds the limit or the deadline passes. */
  body: AsyncIterable<Uint8Array>;
  /** Once the body has been read: whether it may be a copy of an earlier reply instead of the reply to this request. */
  isRepeated(): boolean;
}

/**
 * Posts JSON to one server over its own connections, without knowledge of endpoints or sessions. Does not follow
 * redirects: a token is only sent to the exact origin of the API base.
 */
export class Transport {
  readonly #target: ServerTarget;
  readonly #base: URL;
  readonly #connections: ConnectionPool;
  readonly #encoding = new RequestEncoding();
  readonly #proxy: string | undefined;
  readonly #deadlines: Deadlines;
  #isClosed = false;
  /** Takes further calls after this one is closed. */
  #successor: Transport | undefined;

  /** @param deadlines replaceable by tests. */
  constructor(target: ServerTarget, deadlines = realDeadlines) {
    this.#target = target;
    this.#deadlines = deadlines;
    this.#base = new URL(target.apiBase);
    // Created by the first request, because reading certificates takes time.
    let trust: TrustCache | undefined;
    const { origin } = this.#base;
    this.#connections = new ConnectionPool(origin, (adopt) =>
      createDispatcher(target, (trust ??= sharedTrust(target)), adopt),
    );
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
      throw new ClientError(
        'unreachable',
        l10n.t('The extension closed the connection to {0}.', this.#target.name),
        facts,
      );
    }
    let hasGoneOut = false;
    const began = () => (hasGoneOut = true);
    let reply: HttpReply;
    let connection: PooledConnection;
    // Some servers and gateways return it, which proves what a reply belongs to.
    const requestId = randomUUID();
    try {
      // undici only honors the signal once connected, and then sends nothing; until then the caller stops waiting here.
      const facts = { server: this.#target.name, endpoint: path };
      const exchange = this.#exchange(path, json, { ...options, signal, began, requestId });
      ({ reply, connection } = await waitFor(exchange, { signal, deadlineMs: options.deadlineMs }, facts));
    } catch (cause) {
      const error = cause instanceof ClientError ? cause : explain(cause);
      throw hasGoneOut ? error : error.asUnsent();
    }
    const isOk = reply.statusCode === 200;
    const isEchoed = headerText(reply.headers['x-request-id']) === requestId;
    // Parts of a stream are shown before its end, so that its head has to tell.
    const isOther = isOk && options.manner === 'stream' && connection.isEchoing && !isEchoed;
    if (!isOk || isOther) {
      // The body is not needed and may be endless. Its connection is closed: a copy of an empty reply would look like another.
      reply.body.on('error', () => undefined).destroy();
      connection.drop();
    }
    if (isOther) return this.send(path, json, { ...options, manner: 'alone' });
    // It was opened ahead, and the server closed it before the request arrived.
    const isRead = (options.manner ?? 'read') === 'read';
    if (reply.statusCode === 408 && isRead && connection.wasOpenedAhead)
      return this.send(path, json, { ...options, manner: 'new' });
    // Through a tunnel only the server can answer with this status, after receiving the request.
    if (reply.statusCode === 407 && this.#proxy !== undefined && this.#base.protocol === 'http:') {
      throw proxyStatusError(407, this.#proxy, { server: this.#target.name, endpoint: path });
    }
    const received = { reply, connection, isEchoed, isRepeated: false };
    return {
      status: reply.statusCode,
      contentType: headerText(reply.headers['content-type']).toLowerCase(),
      serverTime: parseDate(headerText(reply.headers.date)),
      body: isOk ? this.#read(received, options, path, explain) : nothing(),
      isRepeated: () => received.isRepeated,
    };
  }

  /** Connects for requests that will follow soon; see {@link ConnectionPool.openAhead}. */
  async openAhead(): Promise<void> {
    await this.#connections.openAhead();
  }

  async #exchange(
    path: string,
    json: string,
    { manner = 'read', signal, began, requestId }: SendManner & RequestParts,
  ): Promise<{ reply: HttpReply; connection: PooledConnection }> {
    const { body, headers } = await this.#encoding.encode(json);
    const need = { request: `${path}\n${json}`, manner };
    const sent = await this.#connections.send(need, {
      origin: this.#base.origin,
      path: `${this.#base.pathname.replace(/\/$/, '')}/${path}`,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/plain',
        'accept-encoding': 'gzip',
        'x-request-id': requestId,
        ...headers,
      },
      body,
      signal,
      began,
    });
    this.#encoding.answered(sent.reply.statusCode, headerText(sent.reply.headers['accept-encoding']));
    return sent;
  }

  /**
   * Rejects new calls and closes each connection when its calls are done.
   * @param successor another route to the same address, for the remaining steps of calls in progress.
   */
  async drain(successor?: Transport): Promise<void> {
    this.#successor = successor;
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#connections.close();
  }

  /** Closes all connections; calls in progress fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connections.destroy();
  }

  async *#read(
    received: ReceivedReply,
    options: SendOptions,
    endpoint: string,
    explain: (cause: unknown) => ClientError,
  ): AsyncGenerator<Uint8Array> {
    const { reply, connection, isEchoed } = received;
    const encoding = headerText(reply.headers['content-encoding']).toLowerCase();
    const facts = { server: this.#target.name, endpoint, status: reply.statusCode };
    if (!['', 'identity', 'gzip'].includes(encoding)) {
      reply.body.on('error', () => undefined).destroy();
      connection.drop();
      throw new ClientError('malformed', l10n.t('{0} used an encoding that was not requested.', facts.server), facts);
    }
    const tooLarge = () => new ClientError('tooLarge', l10n.t('The reply exceeds {0} bytes.', options.maxBytes), facts);
    const gunzip = encoding === 'gzip' ? createGunzip(inflating) : undefined;
    if (gunzip) inflate(reply.body, gunzip, options.maxBytes, tooLarge);
    const date = headerText(reply.headers.date);
    const digest = createHash('sha1').update(`${date}\n`);
    let bytes = 0;
    try {
      for await (const chunk of backpressured(gunzip ?? reply.body)) {
        if (bytes < digestedBytes) digest.update(chunk.subarray(0, digestedBytes - bytes));
        bytes += chunk.byteLength;
        if (bytes > options.maxBytes) throw tooLarge();
        yield chunk;
      }
      digest.update(`\n${bytes}`);
      received.isRepeated = connection.answered(digest.digest('base64'), { isDated: date !== '', isEchoed });
      if (!received.isRepeated) connection.release();
    } catch (cause) {
      throw cause instanceof ClientError ? cause : explain(cause);
    } finally {
      // Leaving early must free the connection immediately.
      reply.body.destroy();
      gunzip?.destroy();
      connection.drop();
    }
  }
}

/** Bytes of a reply that are compared, with its length, to detect a copy. All of a large result would take a fifth of its time. */
const digestedBytes = 1024 * 1024;

interface RequestParts {
  readonly signal: AbortSignal;
  /** Called when it is passed to its connection. */
  readonly began: () => void;
  readonly requestId: string;
}

/** A reply with its connection. */
interface ReceivedReply {
  readonly reply: HttpReply;
  readonly connection: PooledConnection;
  /** Whether it names the request. */
  readonly isEchoed: boolean;
  isRepeated: boolean;
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // Nothing to wait for.
}

/**
 * Pipes `body` through `gunzip`, which reports network errors to the reader. Blocks that inflate to nothing count too.
 */
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

/** Bytes to buffer before the source is paused. */
const waitingBytes = 256 * 1024;

/**
 * The chunks of a stream as received. Iterating over the stream itself joins buffered chunks, which copies nearly all
 * bytes of a long reply again. Chunks received before a failure are returned first.
 * @throws the error of the stream, also when it is closed prematurely.
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
