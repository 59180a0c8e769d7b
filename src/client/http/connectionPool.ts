import type { Dispatcher } from 'undici';

/**
 * Maximum number of requests at the same time, and of connections. More would take longer to connect than to wait for
 * one of these.
 */
const maxBusy = 12;
/** A connection is closed after this many requests, so that what is noted about it stays small. */
const maxRequests = 100;
/**
 * How long ago a connection must have answered to carry a request that is not repeated if it breaks, in ms: the server,
 * or a router on the way, may have given up a connection that has been idle for longer.
 */
const recentMs = 4_000;
/**
 * How long ago an equal read, or a write, must have been answered on a connection that is to carry another, in ms: their
 * replies then differ at least in the second in which the server wrote them.
 */
const apartMs = 1_100;
/** From this number of requests at the same time on, connections are opened ahead of more requests. */
const manyBusy = 3;
/** Number of connections that are opened ahead. */
const spareCount = 3;
/**
 * How long a connection that was opened ahead waits for its first request, in ms: some servers soon answer 408 to one on
 * which nothing is sent. A read is then repeated; other requests only take one that is younger.
 */
const spareMs = 25_000;
const youngMs = 8_000;
/** After a connection that was opened ahead has failed or was closed at once, none is opened ahead for this time, in ms. */
const pauseMs = 60_000;

/** What a request demands of its connection. */
export interface ConnectionNeed {
  /** Identifies the request. */
  readonly request: string;
  /**
   * `read`: may be repeated; `once`: a write, or a read that must not be repeated automatically; `new`: takes a new
   * connection; `alone`: the same, and closes it after the reply; `stream`: the same, unless the server names the request
   * in each reply.
   */
  readonly manner: 'read' | 'once' | 'new' | 'alone' | 'stream';
}

/**
 * Connections to one server that carry several requests, one at a time.
 *
 * Replies over HTTP/1.1 belong to requests by their order alone. undici closes a connection on which bytes arrive
 * without a request, and one whose request was cancelled. What is left is a reply that arrives a second time while the
 * next request is under way. Therefore a reply that equals an earlier one of its connection, the server's time included,
 * is not accepted; see {@link PooledConnection.answered}. A connection carries the same read or a write again only if
 * the server gives its time, and so late that an equal reply has another time; or at once if the server names the
 * request in each reply, and then no other reply is accepted. Results that are read while they arrive cannot be compared
 * with earlier replies, so each has its own connection unless its head names the request.
 *
 * Connecting takes two or three round trips. While several requests are sent, some connections are therefore opened
 * ahead, without a request.
 */
export class ConnectionPool {
  readonly #create: () => Dispatcher;
  readonly #origin: string;
  readonly #open = new Set<PooledConnection>();
  /** The one used last is at the end. */
  readonly #idle: PooledConnection[] = [];
  /** Those that are opened ahead, until they are connected. */
  readonly #opening = new Map<PooledConnection, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #isClosed = false;
  #hasAnswered = false;
  /** Until when none is opened ahead. */
  #pausedUntil = -Infinity;

  /** @param create returns a dispatcher with one connection of its own. */
  constructor(origin: string, create: () => Dispatcher) {
    this.#origin = origin;
    this.#create = create;
  }

  /** Returns a connection for one request, which must be ended by `release` or `drop`. Waits while there are too many. */
  async take(need: ConnectionNeed): Promise<PooledConnection> {
    if (this.#busy < maxBusy) this.#busy += 1;
    // Its predecessor hands on its place.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      const kept = bestOf(this.#idle, need);
      if (kept) this.#idle.splice(this.#idle.indexOf(kept), 1);
      const connection = kept ?? this.#connect();
      connection.note(need);
      if (this.#busy >= manyBusy && this.#hasAnswered) void this.openAhead();
      return connection;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** Connects for requests that will follow soon, without sending any. A failure concerns none of them. */
  async openAhead(): Promise<void> {
    if (this.#isClosed || performance.now() < this.#pausedUntil) return;
    for (const idle of [...this.#idle]) if (idle.isStale) this.#forget(idle);
    const missing = spareCount - this.#idle.length - this.#opening.size;
    for (let count = 0; count < missing && this.#open.size < maxBusy; count++) {
      const spare = this.#connect();
      this.#opening.set(spare, this.#openSpare(spare));
    }
    await Promise.all(this.#opening.values());
  }

  async #openSpare(spare: PooledConnection): Promise<void> {
    const isOpen = await spare.open(this.#origin);
    this.#opening.delete(spare);
    if (!isOpen) this.#pausedUntil = performance.now() + pauseMs;
    if (!isOpen || this.#isClosed) this.#discard(spare);
    // Before those that have answered, which are preferred.
    else this.#idle.unshift(spare);
  }

  #connect(): PooledConnection {
    const connection: PooledConnection = new PooledConnection(this.#create(), (isReusable) =>
      this.#ended(connection, isReusable && !this.#isClosed),
    );
    this.#open.add(connection);
    // Closed by the server, or after its idle time.
    connection.dispatcher.on('disconnect', () => {
      if (connection.isUnwanted) this.#pausedUntil = performance.now() + pauseMs;
      this.#forget(connection);
    });
    return connection;
  }

  #forget(idle: PooledConnection): void {
    const at = this.#idle.indexOf(idle);
    if (at < 0) return;
    this.#idle.splice(at, 1);
    this.#discard(idle);
  }

  #ended(connection: PooledConnection, isKept: boolean): void {
    if (isKept) {
      this.#idle.push(connection);
      this.#hasAnswered = true;
    } else this.#discard(connection);
    const [oldest] = this.#idle;
    if (oldest && this.#idle.length > maxBusy) {
      this.#idle.shift();
      this.#discard(oldest);
    }
    this.#leave();
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#busy -= 1;
  }

  #discard(connection: PooledConnection): void {
    this.#open.delete(connection);
    void connection.dispatcher.destroy();
  }

  /** Closes idle connections now, and each other one when its request is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#idle.length = 0;
    for (const spare of this.#opening.keys()) this.#discard(spare);
    await Promise.all([...this.#open].map(({ dispatcher }) => dispatcher.close()));
  }

  /** Closes all connections; requests in progress fail. */
  async destroy(): Promise<void> {
    this.#isClosed = true;
    this.#idle.length = 0;
    await Promise.all([...this.#open].map(({ dispatcher }) => dispatcher.destroy()));
  }
}

/**
 * A write takes the connection that has carried most, and reads keep away from it: what is read back after a write often
 * equals its reply.
 */
function bestOf(idle: readonly PooledConnection[], need: ConnectionNeed): PooledConnection | undefined {
  const fitting = idle.filter((connection) => connection.fits(need));
  if (need.manner === 'read') return fitting.findLast((connection) => !connection.wroteRecently) ?? fitting.at(-1);
  return fitting.sort((a, b) => a.carried - b.carried).at(-1);
}

/** A connection with what it has carried so far. */
export class PooledConnection {
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

  /** Connects without sending a request. Returns whether it did; the reason of a failure is that of the next request. */
  open(origin: string): Promise<boolean> {
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
          onResponseError: (_controller, error) => resolve(error === notSent),
        },
      );
    });
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
