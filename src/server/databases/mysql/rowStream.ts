import { type EventEmitter } from 'node:events';
import type { JsonRows } from '../database.ts';
import { JsonBytes } from '../jsonBytes.ts';
import { MysqlRowWriter, type RowField, type RowPacket } from './mysqlRows.ts';
import type { PacedPackets } from '../pacedPackets.ts';

/** As much waits for its reader before the database is told to wait, in bytes. */
const mostWaiting = 128 * 1024;

/**
 * The rows of a command of the driver, written as JSON while its packets come in: what has come since it was last asked is
 * one batch. The driver's own rows, an array or object each, are never made.
 */
export class MysqlRowStream {
  /** Resolves when the database has told its columns; fails when it refuses the query. */
  readonly begun: Promise<void>;
  readonly #packets: Pick<PacedPackets, 'hold' | 'release'>;
  /** One with its reader, one read ahead, one that is filled. */
  readonly #batches = [0, 1, 2].map(() => new JsonBytes(2 * mostWaiting));
  #current = 0;
  #count = 0;
  #isEnded = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  /** `command` has not been answered yet; `packets` are those of the connection that runs it. */
  constructor(command: EventEmitter, packets: Pick<PacedPackets, 'hold' | 'release'>) {
    this.#packets = packets;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.begun = promise;
    // The driver's own way to choose how rows are read; it asks for a class.
    const parser = (fields: readonly RowField[]) => {
      const writer = new MysqlRowWriter(fields);
      return class {
        readonly next = (packet: RowPacket): void => take(writer, packet);
      };
    };
    const take = (writer: MysqlRowWriter, packet: RowPacket) => this.#take(writer, packet);
    Reflect.set(command, 'buildParserFromFields', parser);
    command.once('fields', () => resolve());
    command.once('error', (error: unknown) => {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      reject(this.#failure);
      this.#wakeReader();
    });
    command.once('end', () => {
      this.#isEnded = true;
      this.#wakeReader();
    });
  }

  /** The rows that have come since the last call, once there are any; undefined behind the last ones. @throws what the driver says. */
  async next(): Promise<JsonRows | undefined> {
    while (this.#count === 0) {
      if (this.#failure) throw this.#failure;
      if (this.#isEnded) return undefined;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    const rows = { count: this.#count, json: this.#filling.written };
    this.#count = 0;
    this.#current = (this.#current + 1) % this.#batches.length;
    this.#filling.clear();
    this.resume();
    return rows;
  }

  /** Lets the connection go on for whoever uses it next. */
  resume(): void {
    this.#packets.release();
  }

  get #filling(): JsonBytes {
    const batch = this.#batches[this.#current];
    if (!batch) throw new Error('There is no such batch');
    return batch;
  }

  #take(writer: MysqlRowWriter, packet: RowPacket): void {
    const batch = this.#filling;
    writer.write(packet, batch);
    this.#count += 1;
    if (batch.length >= mostWaiting) this.#packets.hold();
    this.#wakeReader();
  }

  /** After what comes in now has been read and other connections have had their turn. */
  #wakeReader(): void {
    if (!this.#wake) return;
    setImmediate(this.#wake);
    this.#wake = undefined;
  }
}
