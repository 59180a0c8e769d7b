import type { EventEmitter } from 'node:events';
import mysql from 'mysql2';
import type { FieldPacket } from 'mysql2';
import type { JsonRows } from '../database.ts';
import { JsonBytes } from '../jsonBytes.ts';
import type { PacedPackets } from '../pacedPackets.ts';

/** Maximum unread bytes; when reached, the database has to wait. */
const mostWaiting = 128 * 1024;

/**
 * The rows of a driver command, written as JSON as its packets arrive: the rows since the last read are one batch. The
 * driver's own row arrays and objects are never created.
 */
export class MysqlRowStream {
  /** Resolves when the database has sent its columns; rejects when it refuses the query. */
  readonly begun: Promise<void>;
  readonly #packets: Pick<PacedPackets, 'hold' | 'release'>;
  /** One with its reader, one read ahead, one being filled. */
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
    // The driver's own hook for choosing how rows are read; it expects a class.
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

  /** Waits for the rows since the last call; undefined after the last ones. @throws the driver's error. */
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

  /** Resumes the connection for its next user. */
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

  /** Runs after the current input has been read and other connections have had their turn. */
  #wakeReader(): void {
    if (!this.#wake) return;
    setImmediate(this.#wake);
    this.#wake = undefined;
  }
}

/** The subset of the driver's packets that is read here; `offset` advances. */
export interface RowPacket {
  buffer: Buffer;
  offset: number;
  readLengthCodedNumber(): number | string | null;
  readLengthCodedString(encoding: string): string;
  readTimeString(): string;
}

/** The required metadata of a column. */
export type RowField = Pick<FieldPacket, 'name' | 'columnType' | 'characterSet' | 'encoding' | 'flags' | 'decimals'>;

/** Reads one non-null value and writes it as JSON. */
type ValueWriter = (packet: RowPacket, json: JsonBytes) => void;

const unsignedFlag = 32;
const binaryCharset = 63;
const comma = Buffer.from(',');
const nothing = Buffer.from('null');
const endOfRow = Buffer.from('}');
const quote = Buffer.from('"');
const dash = Buffer.from('-');
const colon = Buffer.from(':');
const space = Buffer.from(' ');
const dot = Buffer.from('.');
const moments = new Set<number>([mysql.Types.DATETIME, mysql.Types.TIMESTAMP]);

/**
 * Writes the rows of a prepared statement as JSON objects, directly from the protocol's binary form: decimals and large
 * whole numbers with all digits, dates and times as stored, bytes as hexadecimal text.
 */
export class MysqlRowWriter {
  readonly #keys: readonly Buffer[];
  readonly #writers: readonly ValueWriter[];

  constructor(fields: readonly RowField[]) {
    this.#keys = fields.map(({ name }, index) => Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`));
    this.#writers = fields.map(writerOf);
  }

  /** Adds a row, after a comma unless it is the first. */
  write(packet: RowPacket, json: JsonBytes): void {
    if (json.length > 0) json.raw(comma);
    // The first byte is not a value; columns begin at the third bit of the null bitmap.
    const bits = packet.offset + 1;
    packet.offset = bits + ((this.#keys.length + 9) >> 3);
    for (let index = 0; index < this.#keys.length; index += 1) {
      json.raw(this.#keys[index] ?? nothing);
      const isNull = ((packet.buffer[bits + ((index + 2) >> 3)] ?? 0) >> ((index + 2) & 7)) & 1;
      if (isNull) json.raw(nothing);
      else this.#writers[index]?.(packet, json);
    }
    json.raw(endOfRow);
  }
}

function writerOf({ columnType = 0, characterSet, encoding = 'utf8', flags, decimals }: RowField): ValueWriter {
  const isUnsigned = typeof flags === 'number' && (flags & unsignedFlag) !== 0;
  switch (columnType) {
    case mysql.Types.TINY:
      return fixed(1, (buffer, at) => (isUnsigned ? buffer.readUInt8(at) : buffer.readInt8(at)));
    case mysql.Types.YEAR:
      return fixed(2, (buffer, at) => buffer.readUInt16LE(at));
    case mysql.Types.SHORT:
      return fixed(2, (buffer, at) => (isUnsigned ? buffer.readUInt16LE(at) : buffer.readInt16LE(at)));
    case mysql.Types.LONG:
    case mysql.Types.INT24:
      return fixed(4, (buffer, at) => (isUnsigned ? buffer.readUInt32LE(at) : buffer.readInt32LE(at)));
    case mysql.Types.LONGLONG:
      return longWriter(isUnsigned);
    case mysql.Types.FLOAT:
      return (packet, json) => json.ascii(String(packet.buffer.readFloatLE(advance(packet, 4))));
    case mysql.Types.DOUBLE:
      return (packet, json) => json.ascii(String(packet.buffer.readDoubleLE(advance(packet, 8))));
    case mysql.Types.DECIMAL:
    case mysql.Types.NEWDECIMAL:
      return (packet, json) => {
        const length = lengthOf(packet);
        const start = advance(packet, length);
        json.raw(packet.buffer, start, start + length);
      };
    case mysql.Types.DATE:
    case mysql.Types.NEWDATE:
    case mysql.Types.DATETIME:
    case mysql.Types.TIMESTAMP:
      return momentWriter(moments.has(columnType), decimals);
    case mysql.Types.TIME:
      return (packet, json) => json.ascii(`"${packet.readTimeString()}"`);
    case mysql.Types.JSON:
      return textWriter('utf8');
    default:
      return characterSet === binaryCharset ? bytesWriter : textWriter(encoding);
  }
}

/** Position of the next `length` bytes, which are skipped. */
function advance(packet: RowPacket, length: number): number {
  const start = packet.offset;
  packet.offset += length;
  return start;
}

function lengthOf(packet: RowPacket): number {
  const first = packet.buffer[packet.offset] ?? 0;
  if (first > 250) return Number(packet.readLengthCodedNumber());
  packet.offset += 1;
  return first;
}

function fixed(bytes: number, read: (buffer: Buffer, at: number) => number): ValueWriter {
  return (packet, json) => json.word(read(packet.buffer, advance(packet, bytes)));
}

function longWriter(isUnsigned: boolean): ValueWriter {
  return (packet, json) => {
    const at = advance(packet, 8);
    const { buffer } = packet;
    if (buffer.readInt32LE(at + 4) === 0) json.word(buffer.readUInt32LE(at));
    else json.ascii(String(isUnsigned ? buffer.readBigUInt64LE(at) : buffer.readBigInt64LE(at)));
  };
}

function textWriter(encoding: string): ValueWriter {
  if (encoding !== 'utf8' && encoding !== 'ascii') {
    return (packet, json) => {
      const bytes = Buffer.from(packet.readLengthCodedString(encoding));
      json.text(bytes, 0, bytes.length);
    };
  }
  return (packet, json) => {
    const length = lengthOf(packet);
    const start = advance(packet, length);
    json.text(packet.buffer, start, start + length);
  };
}

function bytesWriter(packet: RowPacket, json: JsonBytes): void {
  const length = lengthOf(packet);
  const start = advance(packet, length);
  json.ascii(`"${packet.buffer.toString('hex', start, start + length).toUpperCase()}"`);
}

/** Trailing zero parts are not sent: of a midnight only the date, of day zero nothing. */
function momentWriter(hasTime: boolean, decimals: number): ValueWriter {
  return (packet, json) => {
    const length = lengthOf(packet);
    const at = advance(packet, length);
    const { buffer } = packet;
    const part = (offset: number) => (offset < length ? (buffer[at + offset] ?? 0) : 0);
    json.raw(quote);
    json.padded(part(0) + part(1) * 256, 4);
    json.raw(dash);
    json.padded(part(2), 2);
    json.raw(dash);
    json.padded(part(3), 2);
    if (hasTime || length > 4) {
      json.raw(space);
      json.padded(part(4), 2);
      json.raw(colon);
      json.padded(part(5), 2);
      json.raw(colon);
      json.padded(part(6), 2);
    }
    if (length > 7) {
      const fraction = String(buffer.readUInt32LE(at + 7)).padStart(6, '0');
      json.raw(dot);
      json.ascii(decimals > 0 ? fraction.slice(0, decimals) : fraction);
    }
    json.raw(quote);
  };
}
