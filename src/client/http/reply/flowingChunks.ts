import { finished, type Readable } from 'node:stream';

/** Bytes that may wait for the reader before the source is asked to pause. */
const waitingBytes = 256 * 1024;

/**
 * The chunks of a stream one by one, as they came. Iterating over the stream itself joins those that wait, which copies
 * nearly all bytes of a long reply once more. What came before a failure is given first.
 * @throws what the stream fails with, also when it is closed before its end.
 */
export async function* flowingChunks(stream: Readable): AsyncGenerator<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let size = 0;
  let ending: { error: Error | null | undefined } | undefined;
  let wake: () => void = () => undefined;
  finished(stream, { writable: false }, (error) => {
    ending = { error };
    wake();
  });
  stream.on('data', (chunk: Uint8Array) => {
    waiting.push(chunk);
    size += chunk.byteLength;
    if (size >= waitingBytes) stream.pause();
    wake();
  });
  for (;;) {
    const chunk = waiting.shift();
    if (chunk !== undefined) {
      size -= chunk.byteLength;
      if (stream.isPaused() && size < waitingBytes) stream.resume();
      yield chunk;
    } else if (ending === undefined) await new Promise<void>((resolve) => (wake = resolve));
    else if (ending.error) throw ending.error;
    else return;
  }
}
