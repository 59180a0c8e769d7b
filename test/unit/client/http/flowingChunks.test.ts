import { PassThrough, Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { backpressured } from '../../../../src/client/http/transport.ts';

const kilobytes = (count: number) => new Uint8Array(count * 1024);

it('gives chunks one by one, as they came, however many wait', async () => {
  const stream = new PassThrough();
  for (const text of ['one', 'two', 'three']) stream.write(text);
  stream.end('four');
  const chunks = await Array.fromAsync(backpressured(stream), (chunk) => Buffer.from(chunk).toString());
  expect(chunks).toEqual(['one', 'two', 'three', 'four']);
});

it('lets the source wait while nobody reads, and go on afterwards', async () => {
  let given = 0;
  const stream = new Readable({
    highWaterMark: 64 * 1024,
    read() {
      this.push(given++ < 100 ? kilobytes(64) : null);
    },
  });
  const chunks = backpressured(stream);
  await chunks.next();
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(given).toBeLessThan(12);
  let bytes = 64 * 1024;
  for await (const chunk of chunks) bytes += chunk.byteLength;
  expect(bytes).toBe(100 * 64 * 1024);
});

it('gives what came before a failure, and then the failure', async () => {
  const stream = new PassThrough();
  const chunks = backpressured(stream);
  const first = chunks.next();
  stream.write('kept');
  expect(Buffer.from((await first).value ?? []).toString()).toBe('kept');
  stream.destroy(new Error('cut off'));
  await expect(chunks.next()).rejects.toThrow('cut off');
});

it('does not take a stream that is closed early for one that has ended', async () => {
  const stream = new PassThrough();
  const chunks = backpressured(stream);
  const next = chunks.next();
  stream.destroy();
  await expect(next).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
});
