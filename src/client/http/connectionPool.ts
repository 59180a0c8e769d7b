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
 */
export class ConnectionPool {
  readonly #create: () => Dispatcher;
  readonly #open = new Set<PooledConnection>();
  /** The one used last is at the end. */
  readonly #idle: PooledConnection[] = [];
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #isClosed = false;

  /** @param create returns a dispatcher with one connection of its own. */
  constructor(create: () => Dispatcher) {
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
      return connection;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  #connect(): PooledConnection {
    const connection: PooledConnection = new PooledConnection(this.#create(), (isReusable) =>
      this.#ended(connection, isReusable && !this.#isClosed),
    );
    this.#open.add(connection);
    // Closed by the server, or after its idle time.
    connection.dispatcher.on('disconnect', () => {
      const at = this.#idle.indexOf(connection);
      if (at < 0) return;
      this.#idle.splice(at, 1);
      this.#discard(connection);
    });
    return connection;
  }

  #ended(connection: PooledConnection, isKept: boolean): void {
    if (isKept) this.#idle.push(connection);
    else this.#discard(connection);
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

  constructor(dispatcher: Dispatcher, end: (isReusable: boolean) => void) {
    this.dispatcher = dispatcher;
    this.#end = end;
  }

  /** Number of different requests that it has carried. */
  get carried(): number {
    return this.#requests.size;
  }

  /** Whether it may carry a request. */
  fits({ request, manner }: ConnectionNeed): boolean {
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
