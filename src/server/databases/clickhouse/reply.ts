import { isUtf8 } from 'node:buffer';
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

const lineBreak = 0x0a;

/** The lines of a reply: many at once as bytes, or one as text. Nothing that came before its connection broke is lost. */
export class ReplyLines {
  readonly #chunks: AsyncIterator<Uint8Array>;
  /** What came and is not taken yet is from `#start` to `#end`; up to `#complete`, its lines are complete. */
  #held = Buffer.alloc(0);
  #start = 0;
  #complete = 0;
  #end = 0;
  #isOver = false;
  #problem: { error: unknown } | undefined;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Complete lines with their line breaks, at least one; undefined if none follows. Valid until the next call. */
  async complete(): Promise<Buffer | undefined> {
    while (this.#complete === this.#start) if (!(await this.#read())) return undefined;
    return this.#held.subarray(this.#start, this.#complete);
  }

  /** Skips the first bytes of what {@link complete} returned. */
  take(length: number): void {
    this.#start += length;
  }

  /** The next line, also a last one without a line break; undefined after it. @throws what broke the connection. */
  async next(): Promise<string | undefined> {
    const lines = await this.complete();
    const length = lines ? lines.indexOf(lineBreak) + 1 : this.#end - this.#start;
    if (length === 0) {
      if (this.#problem) throw this.#problem.error;
      return undefined;
    }
    const line = this.#held.toString('utf8', this.#start, this.#start + length - (lines ? 1 : 0));
    this.#start += length;
    if (!lines) this.#complete = this.#start;
    return line;
  }

  /** Reads a chunk; false at the end. */
  async #read(): Promise<boolean> {
    if (this.#isOver) return false;
    try {
      const next = await this.#chunks.next();
      if (next.done) this.#isOver = true;
      else this.#hold(next.value);
    } catch (error) {
      this.#isOver = true;
      this.#problem = { error };
    }
    return !this.#isOver;
  }

  #hold(chunk: Uint8Array): void {
    const rest = this.#end - this.#start;
    if (this.#start > 0) this.#held.copyWithin(0, this.#start, this.#end);
    if (rest + chunk.length > this.#held.length) {
      const larger = Buffer.allocUnsafeSlow(2 * (rest + chunk.length));
      larger.set(this.#held.subarray(0, rest));
      this.#held = larger;
    }
    this.#held.set(chunk, rest);
    this.#start = 0;
    this.#end = rest + chunk.length;
    this.#complete = rest + chunk.lastIndexOf(lineBreak) + 1;
    if (this.#complete === rest) this.#complete = 0;
    else if (!isUtf8(this.#held.subarray(0, this.#complete))) this.#correct();
  }

  /** Replaces bytes that are no UTF-8, which JSON must not hold. */
  #correct(): void {
    const lines = Buffer.from(this.#held.toString('utf8', 0, this.#complete));
    const rest = this.#held.subarray(this.#complete, this.#end);
    this.#held = Buffer.concat([lines, rest]);
    this.#complete = lines.length;
    this.#end = this.#held.length;
  }
}
