import type { Dispatcher } from 'undici';
import {
  recentMs,
  type ConnectionNeed,
  type HttpReply,
  type HttpRequest,
  type PooledConnection,
} from './pooledConnection.ts';

/** A connection is closed after this many requests, so that what is noted about it stays small. */
const maxRequests = 100;
/**
 * How long ago an equal read, or a write, must have been answered on a connection that is to carry another, in ms: their
 * replies then differ at least in the second in which the server wrote them.
 */
const apartMs = 1_100;
/**
 * How long a connection that was opened ahead waits for its first request, in ms: some servers soon answer 408 to one on
 * which nothing is sent. A read is then repeated; other requests only take one that is younger.
 */
const spareMs = 25_000;
const youngMs = 8_000;

/**
 * A connection over HTTP/1.1 with what it has carried so far.
 *
 * Replies belong to requests by their order alone. undici closes a connection on which bytes arrive without a request,
 * and one whose request was cancelled. What is left is a reply that arrives a second time while the next request is under
 * way. Therefore a reply that equals an earlier one of its connection, the server's time included, is not accepted; see
 * {@link Http1Connection.answered}. A connection carries the same read or a write again only if the server gives its time,
 * and so late that an equal reply has another time; or at once if the server names the request in each reply, and then no
 * other reply is accepted. Results that are read while they arrive cannot be compared with earlier replies, so each has its
 * own connection unless its head names the request.
 */
export class Http1Connection implements PooledConnection {
  readonly dispatcher: Dispatcher;
  readonly #end: (isReusable: boolean) => void;
  /** When each request was last answered. */
  readonly #requests = new Map<string, number>();
  readonly #replies = new Set<string>();
  /** Number of replies. */
  #answers = 0;
  /** When it last answered a request that must not be repeated. */
  #wroteAt = -Infinity;
  /** Whether each reply so far gave the server's time. */
  #isDated = true;
  /** Whether the replies so far named their requests; undefined before the first. */
  #isEchoing: boolean | undefined;
  /** The request that it carries. */
  #request = '';
  #isWrite = false;
  #isAlone = false;
  #isOver = true;
  #answeredAt = -Infinity;
  /** When it was connected, if it was opened ahead. */
  #openedAt = -Infinity;

  constructor(dispatcher: Dispatcher, end: (isReusable: boolean) => void) {
    this.dispatcher = dispatcher;
    this.#end = end;
  }

  /** Number of different requests that it has carried. */
  get carried(): number {
    return this.#requests.size;
  }

  /** Connects without sending a request. Returns why it failed, which is also the reason of the next request. */
  open(origin: string): Promise<Error | undefined> {
    const notSent = new Error('Nothing is sent.');
    return new Promise((resolve) => {
      this.dispatcher.dispatch(
        { origin, path: '/', method: 'POST' },
        {
          // undici then sends nothing and keeps the connection.
          onRequestStart: () => {
            this.#openedAt = performance.now();
            throw notSent;
          },
          onResponseError: (_controller, error) => resolve(error === notSent ? undefined : error),
        },
      );
    });
  }

  request({ origin, path, headers, body, signal, began }: HttpRequest): Promise<HttpReply> {
    return this.dispatcher.compose(atStart(began)).request({ origin, path, method: 'POST', headers, body, signal });
  }

  /** Whether it was opened ahead and carries its first request. */
  get wasOpenedAhead(): boolean {
    return this.#openedAt !== -Infinity && this.#requests.size === 1;
  }

  /** Whether it has carried nothing. */
  get isUnused(): boolean {
    return this.#requests.size === 0;
  }

  /** When it is closed: whether the server wants no connection without a request. */
  get isUnwanted(): boolean {
    return this.isUnused && performance.now() - this.#openedAt < recentMs;
  }

  /** Whether it has waited too long for its first request. */
  get isStale(): boolean {
    return this.isUnused && performance.now() - this.#openedAt > spareMs;
  }

  /** Whether it may carry a request. */
  fits({ request, manner }: ConnectionNeed): boolean {
    if (this.isUnused) {
      const longest = manner === 'read' ? spareMs : manner === 'new' ? youngMs : recentMs;
      return performance.now() - this.#openedAt < longest;
    }
    if (manner === 'new' || manner === 'alone' || this.#answers >= maxRequests) return false;
    if (manner === 'read') return this.#isApart(this.#requests.get(request));
    if (manner === 'stream' && !this.isEchoing) return false;
    return this.#isApart(this.#wroteAt) && performance.now() - this.#answeredAt < recentMs;
  }

  /** Whether each reply so far named its request: one that does not is another's. */
  get isEchoing(): boolean {
    return this.#isEchoing === true;
  }

  /** Whether it carried a request that must not be repeated a moment ago: what is read back often equals its reply. */
  get wroteRecently(): boolean {
    return !this.#isApart(this.#wroteAt);
  }

  /** Whether an equal reply to a request at `before` would be recognized as another one. */
  #isApart(before = -Infinity): boolean {
    if (before === -Infinity || this.#isEchoing) return true;
    return this.#isDated && performance.now() - before >= apartMs;
  }

  /** Notes the request that it carries from now on. */
  note({ request, manner }: ConnectionNeed): void {
    this.#isOver = false;
    this.#isAlone = manner === 'alone' || manner === 'stream';
    this.#request = request;
    this.#isWrite = manner === 'once';
    // Until it is answered.
    this.#requests.set(request, Infinity);
    if (this.#isWrite) this.#wroteAt = Infinity;
  }

  /**
   * Notes a complete reply.
   * @param digest of its content and the server's time in it.
   * @param isDated whether it gives the server's time; `isEchoed` whether it names the request.
   * @returns whether it may be a copy of an earlier reply on this connection: it equals one, or does not name the
   * request although earlier ones did.
   */
  answered(digest: string, { isDated, isEchoed }: { isDated: boolean; isEchoed: boolean }): boolean {
    this.#answeredAt = performance.now();
    this.#requests.set(this.#request, this.#answeredAt);
    if (this.#isWrite) this.#wroteAt = this.#answeredAt;
    this.#isDated &&= isDated;
    const isRepeated = !isEchoed && (this.isEchoing || this.#replies.has(digest));
    this.#isEchoing = isEchoed && this.#isEchoing !== false;
    this.#replies.add(digest);
    this.#answers += 1;
    return isRepeated;
  }

  /** Ends its request: the next one may follow. */
  release(): void {
    this.#finish(!this.#isAlone || this.isEchoing);
  }

  /** Ends its request and closes it: more bytes may arrive. */
  drop(): void {
    this.#finish(false);
  }

  #finish(isReusable: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#end(isReusable);
  }
}

/** Reports when a request is passed to its connection; until then nothing has been sent. */
function atStart(started: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const name = handler.onRequestStart ? 'onRequestStart' : 'onConnect';
    const begin: unknown = Reflect.get(handler, name);
    // A handler that does not report the start must be assumed to have started.
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
