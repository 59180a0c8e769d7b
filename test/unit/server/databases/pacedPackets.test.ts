import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PacedPackets } from '../../../../src/server/databases/pacedPackets.ts';

/** A connection as the driver has one, and the bytes that its parser has been given. */
function connection() {
  const stream = new PassThrough();
  const pieces: Buffer[] = [];
  const driver = { stream, packetParser: { execute: (bytes: Buffer) => void pieces.push(Buffer.from(bytes)) } };
  stream.on('data', (bytes: Buffer) => driver.packetParser.execute(bytes));
  return { driver, stream, pieces };
}

const bytes = (length: number) => Buffer.from(Array.from({ length }, (_, index) => index % 251));

describe('the packets of a MySQL connection', () => {
  it('are read in order, a piece in each turn, and the socket waits meanwhile', async () => {
    const { driver, stream, pieces } = connection();
    PacedPackets.of(driver);
    stream.write(bytes(40_000));
    stream.write(bytes(9));
    await turn();
    const early = Buffer.concat(pieces).length;
    expect(early).toBeGreaterThan(0);
    expect(early).toBeLessThan(40_000);
    expect(stream.isPaused()).toBe(true);
    for (let count = 0; count < 10; count += 1) await turn();
    expect(Buffer.concat(pieces)).toEqual(Buffer.concat([bytes(40_000), bytes(9)]));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(16_384);
    expect(stream.isPaused()).toBe(false);
  });

  it('stop between two pieces when they are held, and go on when they are released', async () => {
    const { driver, stream, pieces } = connection();
    const packets = PacedPackets.of(driver);
    expect(PacedPackets.of(driver)).toBe(packets);
    stream.write(bytes(50_000));
    await turn();
    packets.hold();
    const held = pieces.length;
    for (let count = 0; count < 10; count += 1) await turn();
    expect(pieces.length).toBe(held);
    expect(stream.isPaused()).toBe(true);
    packets.release();
    for (let count = 0; count < 10; count += 1) await turn();
    expect(Buffer.concat(pieces)).toEqual(bytes(50_000));
    stream.write(bytes(3));
    await turn();
    expect(pieces.at(-1)).toEqual(bytes(3));
  });

  it('are no business of a connection that is gone', async () => {
    const { driver, stream, pieces } = connection();
    PacedPackets.of(driver);
    stream.write(bytes(50_000));
    await turn();
    stream.destroy();
    const before = pieces.length;
    for (let count = 0; count < 10; count += 1) await turn();
    expect(pieces.length).toBe(before);
  });

  it('are found in no other driver', () => {
    expect(() => PacedPackets.of({ stream: new PassThrough() })).toThrow('in another way');
  });
});
