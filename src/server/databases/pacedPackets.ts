import { Readable } from 'node:stream';

/** Bytes that are read before others have their turn: about half a millisecond of rows. */
const mostAtOnce = 16 * 1024;

/** The part of the driver that takes packets out of the bytes of a connection. */
interface PacketParser {
  execute(bytes: Buffer): void;
}

const paced = new WeakMap<object, PacedPackets>();

/**
 * What comes in on a connection of the MySQL driver, read a piece at a time. The driver itself reads whatever its socket gives
 * at once, and that is milliseconds of rows in which no other call is served.
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

  /** Paces a connection from now on; once it is, answers the same again. @throws Error for another driver's connection. */
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

  /** Takes bytes as the driver's own parser would. */
  execute(bytes: Buffer): void {
    this.#waiting.push(bytes);
    if (!this.#isScheduled) this.#readOn();
  }

  /** Reads nothing more until {@link release}, and lets the database wait. */
  hold(): void {
    this.#isHeld = true;
    this.#pause();
  }

  /** Reads on. */
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
