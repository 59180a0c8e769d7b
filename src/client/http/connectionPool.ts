import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

type Connector = buildConnector.connector;

/** Maximum number of spare connections. */
const maxSpares = 8;
/** How long a spare waits, in ms: less than servers wait for the first request. */
const maxIdleMs = 4_000;

/**
 * Connections opened ahead of the requests that will use them. Each request has its own connection, so that a late
 * reply to an earlier request is never taken for its reply; a spare saves the time to connect. Taking a spare opens
 * another one. A spare that receives data before its request is closed.
 */
export class ConnectionPool {
  readonly #idle = new Map<Socket, NodeJS.Timeout>();
  #opening = 0;
  #isClosed = false;

  /** Wraps `connect` to return spares first. For one origin only. */
  ahead(connect: Connector): Connector {
    return (options, callback) => {
      const refill = () => this.#open(connect, options);
      // Waiting for a turn of the event loop shows which spares the server has closed.
      const whenSeen = (next: () => void) => setImmediate(() => setImmediate(next));
      whenSeen(() => {
        const spare = this.#take();
        if (spare) {
          callback(null, spare);
          refill();
          return;
        }
        connect(options, (...result) => {
          // Do not open spares for a server that cannot be reached.
          if (result[0] === null) refill();
          callback(...result);
        });
      });
    };
  }

  /** Closes all spares, including those still connecting. */
  close(): void {
    this.#isClosed = true;
    for (const socket of this.#idle.keys()) socket.destroy();
  }

  #take(): Socket | undefined {
    for (const [socket, timer] of this.#idle) {
      this.#idle.delete(socket);
      clearTimeout(timer);
      socket.removeAllListeners('readable');
      if (!socket.destroyed && socket.readableLength === 0) return socket.ref();
      socket.destroy();
    }
    return undefined;
  }

  #open(connect: Connector, options: buildConnector.Options): void {
    if (this.#isClosed || this.#idle.size + this.#opening >= maxSpares) return;
    this.#opening += 1;
    connect(options, (error, socket) => {
      this.#opening -= 1;
      // Ignored: a request that finds no spare connects itself and reports the failure.
      if (error) return;
      if (this.#isClosed) socket.destroy();
      else this.#keep(socket);
    });
  }

  #keep(socket: Socket): void {
    const drop = () => socket.destroy();
    this.#idle.set(socket, setTimeout(drop, maxIdleMs).unref());
    socket.once('readable', drop).once('close', () => {
      clearTimeout(this.#idle.get(socket));
      this.#idle.delete(socket);
    });
    // An idle spare must not keep the process alive.
    socket.unref();
  }
}
