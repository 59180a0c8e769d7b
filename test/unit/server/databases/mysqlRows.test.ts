import { EventEmitter } from 'node:events';
import mysql from 'mysql2';
import { describe, expect, it, vi } from 'vitest';
import { JsonBytes } from '../../../../src/server/databases/jsonBytes.ts';
import {
  MysqlRowWriter,
  type RowField,
  type RowPacket,
  MysqlRowStream,
} from '../../../../src/server/databases/mysql/rowStream.ts';

const unsigned = 32;
const binary = 63;
const utf8 = 45;

function field(name: string, columnType: number, more: Partial<RowField> = {}): RowField {
  return { name, columnType, characterSet: utf8, encoding: 'utf8', flags: 0, decimals: 0, ...more };
}

/** A value behind its length, as the protocol sends what has no fixed length. */
function counted(bytes: Buffer | string): Buffer {
  const value = Buffer.from(bytes);
  if (value.length < 251) return Buffer.concat([Buffer.from([value.length]), value]);
  const length = Buffer.alloc(3);
  length[0] = 0xfc;
  length.writeUInt16LE(value.length, 1);
  return Buffer.concat([length, value]);
}

/** A row of the binary protocol: a byte, the bits of what is null from the third on, the other values. */
function packetOf(values: readonly (Buffer | null)[]): RowPacket {
  const bits = Buffer.alloc((values.length + 9) >> 3);
  values.forEach((value, index) => {
    if (!value) bits[(index + 2) >> 3] = (bits[(index + 2) >> 3] ?? 0) | (1 << ((index + 2) & 7));
  });
  const buffer = Buffer.concat([Buffer.from([0, 0, 0, 7, 0]), bits, ...values.filter((value) => value !== null)]);
  return {
    buffer,
    offset: 4,
    readLengthCodedNumber() {
      this.offset += 3;
      return buffer.readUInt16LE(this.offset - 2);
    },
    readLengthCodedString: () => 'from another encoding',
    readTimeString: () => '-01:02:03',
  };
}

function written(columns: readonly (readonly [RowField, Buffer | null])[]): string {
  const json = new JsonBytes(1);
  const writer = new MysqlRowWriter(columns.map(([each]) => each));
  writer.write(packetOf(columns.map(([, value]) => value)), json);
  return json.written.toString();
}

function whole(bytes: 1 | 2 | 4, value: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  if (value < 0) buffer.writeIntLE(value, 0, bytes);
  else buffer.writeUIntLE(value, 0, bytes);
  return buffer;
}

function long(value: bigint): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt.asUintN(64, value));
  return buffer;
}

function double(value: number): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeDoubleLE(value);
  return buffer;
}

const { Types } = mysql;

describe('rows of MySQL', () => {
  it.each([
    ['TINY', field('v', Types.TINY), whole(1, -128), '-128'],
    ['TINY UNSIGNED', field('v', Types.TINY, { flags: unsigned }), whole(1, 255), '255'],
    ['SHORT', field('v', Types.SHORT), whole(2, -32768), '-32768'],
    ['YEAR', field('v', Types.YEAR), whole(2, 2026), '2026'],
    ['LONG', field('v', Types.LONG), whole(4, -2147483648), '-2147483648'],
    ['LONG UNSIGNED', field('v', Types.LONG, { flags: unsigned }), whole(4, 4294967295), '4294967295'],
    ['zero', field('v', Types.LONG), whole(4, 0), '0'],
    ['a power of ten', field('v', Types.LONG), whole(4, 1000000000), '1000000000'],
    ['LONGLONG', field('v', Types.LONGLONG), long(-9007199254740993n), '-9007199254740993'],
    ['LONGLONG of 32 bits', field('v', Types.LONGLONG), long(4294967295n), '4294967295'],
    [
      'LONGLONG UNSIGNED',
      field('v', Types.LONGLONG, { flags: unsigned }),
      long(2n ** 64n - 1n),
      '18446744073709551615',
    ],
    ['DOUBLE', field('v', Types.DOUBLE), double(1e-7), '1e-7'],
    ['DECIMAL', field('v', Types.NEWDECIMAL), counted('-12345678901234567890.10'), '-12345678901234567890.10'],
    ['DATE', field('v', Types.DATE), Buffer.from([4, 0xea, 7, 3, 9]), '"2026-03-09"'],
    ['DATE of no day', field('v', Types.DATE), Buffer.from([0]), '"0000-00-00"'],
    ['midnight', field('v', Types.DATETIME), Buffer.from([4, 0xea, 7, 12, 31]), '"2026-12-31 00:00:00"'],
    ['DATETIME', field('v', Types.DATETIME), Buffer.from([7, 0xea, 7, 1, 2, 3, 4, 5]), '"2026-01-02 03:04:05"'],
    [
      'DATETIME(3)',
      field('v', Types.DATETIME, { decimals: 3 }),
      Buffer.from([11, 0xea, 7, 1, 2, 3, 4, 5, 0x08, 0xb0, 0, 0]),
      '"2026-01-02 03:04:05.045"',
    ],
    ['TIME', field('v', Types.TIME), Buffer.from([]), '"-01:02:03"'],
    ['text', field('v', Types.VAR_STRING), counted('a"b\\c\nd\u0001é€😀'), JSON.stringify('a"b\\c\nd\u0001é€😀')],
    ['a long text', field('v', Types.BLOB), counted('é"'.repeat(10_000)), JSON.stringify('é"'.repeat(10_000))],
    ['bytes', field('v', Types.BLOB, { characterSet: binary }), counted(Buffer.from([0, 255])), '"00FF"'],
    ['JSON', field('v', Types.JSON, { characterSet: binary }), counted('{"a":1}'), '"{\\"a\\":1}"'],
    [
      'an old encoding',
      field('v', Types.VAR_STRING, { encoding: 'cesu8' }),
      Buffer.from([]),
      '"from another encoding"',
    ],
    ['NULL', field('v', Types.VAR_STRING), null, 'null'],
  ])('holds %s as stored', (_, column, value, expected) => {
    expect(written([[column, value]])).toBe(`{"v":${expected}}`);
  });

  it('tells what is null among many columns', () => {
    const columns = Array.from({ length: 21 }, (_, index) => {
      return [field(`c${index}`, Types.TINY), index % 3 === 0 ? null : whole(1, index)] as const;
    });
    const expected = Object.fromEntries(columns.map(([{ name }, value]) => [name, value?.[0] ?? null]));
    expect(JSON.parse(written(columns))).toEqual(expected);
  });

  it('come in batches that stay as they are while two more are read, and no faster than they are taken', async () => {
    const packets = { hold: vi.fn(), release: vi.fn() };
    const command = new EventEmitter();
    const rows = new MysqlRowStream(command, packets);
    const column = field('v', Types.VAR_STRING);
    command.emit('fields', [column]);
    await rows.begun;
    type Parsers = (fields: RowField[]) => new () => { next(packet: RowPacket): void };
    const Parser = (Reflect.get(command, 'buildParserFromFields') as Parsers)([column]);
    const parser = new Parser();
    const send = (text: string) => parser.next(packetOf([counted(text)]));
    send('one');
    send('two');
    const first = await rows.next();
    send('three');
    const second = await rows.next();
    expect(packets.hold).not.toHaveBeenCalled();
    for (let sent = 0; sent < 1000; sent += 1) send('x'.repeat(250));
    expect(packets.hold).toHaveBeenCalled();
    packets.release.mockClear();
    const third = await rows.next();
    expect(packets.release).toHaveBeenCalledOnce();
    expect([first, second].map((batch) => String(batch?.json))).toEqual(['{"v":"one"},{"v":"two"}', '{"v":"three"}']);
    expect(third?.count).toBe(1000);
    command.emit('end');
    expect(await rows.next()).toBeUndefined();
  });
});
