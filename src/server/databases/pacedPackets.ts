import { Readable } from 'node:stream';

/** Bytes read before other work gets its turn: about half a millisecond of rows. */
const mostAtOnce = 16 * 1024;

/** The part of the driver that splits a connection's bytes into packets. */
interface PacketParser {
  execute(bytes: Buffer): void;
}

const paced = new WeakMap<object, PacedPackets>();

/**
 * Reads the input of a MySQL driver connection in pieces. The driver itself reads everything that its socket delivers
 * at once: milliseconds of rows during which no other call runs.
 */
export class PacedPackets implements PacketParser {
  readonly #parser: PacketParser;
  readonly #socket: Readable;
  readonly #waiting: Buffer[] = [];
  #isHeld = false;
  #isPaused = false;
  #isScheduled = false;

  constructor(parser: PacketParser, socket: Readable) {
    this.#parser = parser;
    this.#socket = socket;
  }

  /**
   * Paces a connection from now on; returns the same object for a connection that is already paced.
   * @throws Error for another driver's connection.
   */
  static of(connection: object): PacedPackets {
    const known = paced.get(connection);
    if (known) return known;
    const parser: unknown = Reflect.get(connection, 'packetParser');
    const socket: unknown = Reflect.get(connection, 'stream');
    if (!isParser(parser) || !(socket instanceof Readable)) throw new Error('The MySQL driver reads in another way');
    const packets = new PacedPackets(parser, socket);
    Reflect.set(connection, 'packetParser', packets);
    paced.set(connection, packets);
    return packets;
  }

  /** Accepts bytes as the driver's own parser would. */
  execute(bytes: Buffer): void {
    this.#waiting.push(bytes);
    if (!this.#isScheduled) this.#readOn();
  }

  /** Stops reading until {@link release} and lets the database wait. */
  hold(): void {
    this.#isHeld = true;
    this.#pause();
  }

  /** Resumes reading. */
  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#goOn();
  }

  #readOn(): void {
    this.#isScheduled = false;
    if (this.#isHeld) return;
    const bytes = this.#waiting.shift();
    if (!bytes || this.#socket.destroyed) return;
    if (bytes.length > mostAtOnce) this.#waiting.unshift(bytes.subarray(mostAtOnce));
    this.#parser.execute(bytes.subarray(0, mostAtOnce));
    if (!this.#isHeld) this.#goOn();
  }

  #goOn(): void {
    if (this.#waiting.length > 0) {
      this.#pause();
      if (!this.#isScheduled) setImmediate(() => this.#readOn());
      this.#isScheduled = true;
    } else if (this.#isPaused) {
      this.#isPaused = false;
      this.#socket.resume();
    }
  }

  #pause(): void {
    if (!this.#isPaused) this.#socket.pause();
    this.#isPaused = true;
  }
}

function isParser(value: unknown): value is PacketParser {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'execute') === 'function';
}
