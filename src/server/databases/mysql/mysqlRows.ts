import mysql, { type FieldPacket } from 'mysql2';
import type { JsonBytes } from '../jsonBytes.ts';

/** The part of the driver's packets that is read here; `offset` moves on. */
export interface RowPacket {
  buffer: Buffer;
  offset: number;
  readLengthCodedNumber(): number | string | null;
  readLengthCodedString(encoding: string): string;
  readTimeString(): string;
}

/** What is to be known of a column. */
export type RowField = Pick<FieldPacket, 'name' | 'columnType' | 'characterSet' | 'encoding' | 'flags' | 'decimals'>;

/** Reads one value, which is not null, and writes it as JSON. */
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
 * Writes the rows of a prepared statement as JSON objects, straight from the protocol's binary form: decimals and large
 * whole numbers with all digits, moments as stored, bytes as hexadecimal text.
 */
export class MysqlRowWriter {
  readonly #keys: readonly Buffer[];
  readonly #writers: readonly ValueWriter[];

  constructor(fields: readonly RowField[]) {
    this.#keys = fields.map(({ name }, index) => Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`));
    this.#writers = fields.map(writerOf);
  }

  /** Adds a row, behind a comma unless it is the first. */
  write(packet: RowPacket, json: JsonBytes): void {
    if (json.length > 0) json.raw(comma);
    // The first byte is no value; the bits of what is null begin with the third.
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

/** Where the next `length` bytes begin; they count as read. */
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

/** Parts that are zero at the end are not sent: of a midnight only the date, of day zero nothing. */
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
