import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { frameHead, RowFrames, writeHead } from '../../../../src/server/databases/rowFrames.ts';

function frameOf(count: number, rows: string): Buffer {
  const frame = Buffer.concat([Buffer.alloc(frameHead), Buffer.from(rows)]);
  writeHead(frame, count, frame.length - frameHead);
  return frame;
}

/** A pipe gives its bytes away: what is written into it here must be its own. */
function send(pipe: PassThrough, bytes: Buffer, size: number): void {
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    const own = Buffer.allocUnsafeSlow(part.length);
    part.copy(own);
    pipe.write(own);
  }
}

describe('frames of rows', () => {
  it.each([1, 3, 7, 64, 1_000_000])(
    'come out whole, whatever the pipe makes of them (%i bytes at once)',
    async (size) => {
      const pipe = new PassThrough({ highWaterMark: 1 });
      const frames = new RowFrames(pipe);
      const texts = ['{"a":1},', `{"a":"${'é'.repeat(300)}"},`, '{"a":null},{"a":2},', 'x'.repeat(300_000)];
      const sent = [...texts.map((text, index) => frameOf(index + 1, text)), frameOf(0, '')];
      send(pipe, Buffer.concat(sent), size);
      const found: [number, string][] = [];
      for (let frame = await frames.next(); frame.count > 0; frame = await frames.next()) {
        found.push([frame.count, String(frame.rows)]);
      }
      expect(found).toEqual(texts.map((text, index) => [index + 1, text]));
    },
  );

  it('stay as they are while the next one is taken, and are read no faster than that', async () => {
    const pipe = new PassThrough();
    const frames = new RowFrames(pipe);
    const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(1000));
    for (const text of texts) send(pipe, frameOf(1, text), 1_000_000);
    let before: Buffer | undefined;
    for (const [index, text] of texts.entries()) {
      const { rows } = await frames.next();
      await new Promise(setImmediate);
      expect(String(rows)).toBe(text);
      if (before) expect(String(before)).toBe(texts[index - 1]);
      before = rows;
      if (index < 15) expect(pipe.isPaused()).toBe(true);
    }
  });

  it('that never come are waited for no longer', async () => {
    const frames = new RowFrames(new PassThrough());
    const waiting = frames.next();
    frames.fail(new Error('It has ended'));
    await expect(waiting).rejects.toThrow('It has ended');
  });
});
