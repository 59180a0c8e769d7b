import { Writable } from 'node:stream';

/**
 * The body of a reply, read at the reader's pace. Unlike a Readable, it yields all chunks that came before the
 * connection broke: the server breaks it on purpose after the reason of a failure.
 */
export class ReplyBody extends Writable implements AsyncIterable<Uint8Array> {
  #held: { chunk: Uint8Array; taken: () => void } | undefined;
  #isOver = false;
  #problem: Error | undefined;
  #wake: () => void = () => undefined;

  constructor() {
    // Each chunk waits until the one before it is taken.
    super({ highWaterMark: 1 });
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, taken: () => void): void {
    this.#held = { chunk, taken };
    this.#wake();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#isOver = true;
    this.#problem = error ?? undefined;
    this.#wake();
    done();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const held = this.#held;
      this.#held = undefined;
      if (held) {
        held.taken();
        yield held.chunk;
      } else if (this.#isOver) {
        if (this.#problem) throw this.#problem;
        return;
      } else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** Splits text at line breaks; includes a last line without one, also where the connection broke. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let problem: { error: unknown } | undefined;
  try {
    for await (const chunk of chunks) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    problem = { error };
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
  if (problem) throw problem.error;
}
