import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

type Connector = buildConnector.connector;

/** Connections that wait at most. */
const maxSpares = 8;
/** How long one waits, in ms: less than servers wait for the first request. */
const maxIdleMs = 4_000;

/**
 * Connections opened ahead of the requests that will use them. Every request has a connection of its own, so that no
 * reply of an earlier one, however late, can be taken for its answer; a spare saves it the time of connecting. For each
 * one taken another is opened. A spare on which anything arrives before its request is closed.
 */
export class ConnectionPool {
  readonly #idle = new Map<Socket, NodeJS.Timeout>();
  #opening = 0;
  #isClosed = false;

  /** The same connector, which hands out spares first. For one origin only. */
  ahead(connect: Connector): Connector {
    return (options, callback) => {
      const refill = () => this.#open(connect, options);
      // The turn in between shows which spares the server has closed by now.
      const whenSeen = (next: () => void) => setImmediate(() => setImmediate(next));
      whenSeen(() => {
        const spare = this.#take();
        if (spare) {
          callback(null, spare);
          refill();
          return;
        }
        connect(options, (...result) => {
          // A server that cannot be reached is left alone.
          if (result[0] === null) refill();
          callback(...result);
        });
      });
    };
  }

  /** Closes all spares, and those still being opened once they are. */
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
      // Nobody waits for it: the request that finds none connects for itself, and hears why that fails.
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
    // An idle spare keeps no program alive.
    socket.unref();
  }
}
