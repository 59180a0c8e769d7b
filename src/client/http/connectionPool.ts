import type { Dispatcher } from 'undici';
import type { TLSSocket } from 'node:tls';
import { Http1Connection } from './http1Connection.ts';
import { ConnectingFailed, NotHandled } from './networkError.ts';
import { Http1Required, Http2Chosen, Http2Connection, type AdoptHttp2 } from './http2Connection.ts';
import type { ConnectionNeed, HttpReply, HttpRequest, PooledConnection } from './pooledConnection.ts';

/**
 * Maximum number of requests at the same time, and of connections. More would take longer to connect than to wait for
 * one of these.
 */
const maxBusy = 12;
/** From this number of requests at the same time on, connections are opened ahead of more requests. */
const manyBusy = 3;
/** Number of connections that are opened ahead. */
const spareCount = 3;
/** After a connection that was opened ahead has failed or was closed at once, none is opened ahead for this time, in ms. */
const pauseMs = 60_000;
/** Maximum number of times that a request is sent over HTTP/2 while the server does not handle it. */
const mostUnhandled = 3;
/** How long a connection over HTTP/2 is kept without requests, in ms. */
const idleMs = 60_000;

/**
 * Connections to one server, over HTTP/2 if it chooses that, which then share one; otherwise several over HTTP/1.1, each
 * for one request at a time.
 *
 * Connecting takes two or three round trips. While several requests are sent, some connections are therefore opened
 * ahead, without a request.
 */
export class ConnectionPool {
  readonly #create: (adopt: AdoptHttp2 | undefined) => Dispatcher;
  readonly #origin: string;
  readonly #open = new Set<Http1Connection>();
  /** The one used last is at the end. */
  readonly #idle: Http1Connection[] = [];
  /** Those that are opened ahead, until they are connected. */
  readonly #opening = new Map<Http1Connection, Promise<void>>();
  /** All over HTTP/2; the last one is shared by new requests. */
  #http2: Http2Connection[] = [];
  #isHttp1Required = false;
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #isClosed = false;
  #isDestroyed = false;
  #hasAnswered = false;
  /** Until when none is opened ahead. */
  #pausedUntil = -Infinity;

  /** @param create returns a dispatcher with one connection of its own, which offers HTTP/2 if it can be adopted. */
  constructor(origin: string, create: (adopt: AdoptHttp2 | undefined) => Dispatcher) {
    this.#origin = origin;
    this.#create = create;
  }

  /** Sends a request over a connection that fits it. Waits while there are too many. */
  async send(need: ConnectionNeed, request: HttpRequest): Promise<{ reply: HttpReply; connection: PooledConnection }> {
    let chosen: Http2Connection | undefined;
    let unhandled = 0;
    for (;;) {
      await this.#enter();
      let connection: PooledConnection | undefined;
      try {
        if (this.#isDestroyed) throw new ConnectingFailed(new Error('the connections were closed'));
        connection = chosen ? this.#placeOn(chosen) : this.#take(need);
        request.signal.throwIfAborted();
        return { reply: await connection.request(request), connection };
      } catch (error) {
        if (connection) connection.drop();
        else this.#leave();
        if (error instanceof Http1Required) {
          this.#isHttp1Required = true;
          for (const each of this.#http2) each.retire();
        }
        // Nothing has been sent, or it may be sent again.
        if (error instanceof Http2Chosen) chosen = error.connection;
        else if (error instanceof NotHandled && ++unhandled < mostUnhandled) chosen = undefined;
        else if (error instanceof Http1Required && need.manner === 'read') chosen = undefined;
        else throw error;
      }
    }
  }

  /** Takes the place of a request, which each request hands on to its successor. */
  async #enter(): Promise<void> {
    if (this.#busy < maxBusy) this.#busy += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #placeOn(http2: Http2Connection): PooledConnection {
    const place = http2.place(() => this.#leave());
    // Several were connected at the same time: this one carries its request alone.
    if (this.#isClosed || http2 !== this.#http2.at(-1)) http2.retire();
    return place;
  }

  #take(need: ConnectionNeed): PooledConnection {
    const shared = this.#http2.at(-1);
    if (shared?.fits(need.manner)) return this.#placeOn(shared);
    const kept = bestOf(this.#idle, need);
    if (kept) this.#idle.splice(this.#idle.indexOf(kept), 1);
    const connection = kept ?? this.#connect();
    connection.note(need);
    if (this.#busy >= manyBusy && this.#hasAnswered) void this.openAhead();
    return connection;
  }

  /** Connects for requests that will follow soon, without sending any. A failure concerns none of them. */
  async openAhead(): Promise<void> {
    if (this.#isClosed || performance.now() < this.#pausedUntil) return;
    const shared = this.#http2.at(-1);
    if (shared?.fits('once')) return;
    for (const idle of [...this.#idle]) if (idle.isStale) this.#forget(idle);
    const missing = (shared && !this.#isHttp1Required ? 1 : spareCount) - this.#idle.length - this.#opening.size;
    for (let count = 0; count < missing && this.#open.size < maxBusy; count++) {
      const spare = this.#connect();
      this.#opening.set(spare, this.#openSpare(spare));
    }
    await Promise.all(this.#opening.values());
  }

  async #openSpare(spare: Http1Connection): Promise<void> {
    const failure = await spare.open(this.#origin);
    this.#opening.delete(spare);
    if (failure instanceof Http2Chosen) {
      if (this.#isClosed || failure.connection !== this.#http2.at(-1)) failure.connection.retire();
    } else if (failure) this.#pausedUntil = performance.now() + pauseMs;
    if (failure || this.#isClosed) this.#discard(spare);
    // Before those that have answered, which are preferred.
    else this.#idle.unshift(spare);
  }

  #connect(): Http1Connection {
    const adopt = this.#isHttp1Required ? undefined : (socket: TLSSocket) => this.#adopt(socket);
    const connection: Http1Connection = new Http1Connection(this.#create(adopt), (isReusable) =>
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

  #adopt(socket: TLSSocket): Http2Chosen {
    const connection = new Http2Connection(this.#origin, socket, idleMs);
    socket.once('close', () => (this.#http2 = this.#http2.filter((each) => each !== connection)));
    const shared = this.#http2.at(-1);
    if (shared?.fits('once')) this.#http2.unshift(connection);
    else {
      shared?.retire();
      this.#http2.push(connection);
    }
    if (this.#isDestroyed) connection.destroy();
    return new Http2Chosen(connection);
  }

  #forget(idle: Http1Connection): void {
    const at = this.#idle.indexOf(idle);
    if (at < 0) return;
    this.#idle.splice(at, 1);
    this.#discard(idle);
  }

  #ended(connection: Http1Connection, isKept: boolean): void {
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

  #discard(connection: Http1Connection): void {
    this.#open.delete(connection);
    void connection.dispatcher.destroy();
  }

  /** Closes idle connections now, and each other one when its request is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#idle.length = 0;
    for (const each of this.#http2) each.retire();
    for (const spare of this.#opening.keys()) this.#discard(spare);
    await Promise.all([...this.#open].map(({ dispatcher }) => dispatcher.close()));
  }

  /** Closes all connections; requests in progress fail. */
  async destroy(): Promise<void> {
    this.#isClosed = true;
    this.#isDestroyed = true;
    this.#idle.length = 0;
    for (const each of this.#http2) each.destroy();
    await Promise.all([...this.#open].map(({ dispatcher }) => dispatcher.destroy()));
  }
}

/**
 * A write takes the connection that has carried most, and reads keep away from it: what is read back after a write often
 * equals its reply.
 */
function bestOf(idle: readonly Http1Connection[], need: ConnectionNeed): Http1Connection | undefined {
  const fitting = idle.filter((connection) => connection.fits(need));
  if (need.manner === 'read') return fitting.findLast((connection) => !connection.wroteRecently) ?? fitting.at(-1);
  return fitting.sort((a, b) => a.carried - b.carried).at(-1);
}
