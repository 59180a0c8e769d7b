import type { Readable } from 'node:stream';

/** Length in bytes of a frame's head: the number of rows and their length in bytes, both as 32 bits. */
export const frameHead = 8;
/** Replaces the count: the announced rows cannot be read. */
export const failedFrame = 0xffffffff;
/** Replaces the count: the rows contain a text that is too long. */
export const oversizedFrame = 0xfffffffe;
/** Approximate size in bytes at which a frame is sent. */
export const frameSize = 256 * 1024;

/** Rows received through a pipe; an empty frame is the end. */
export interface RowFrame {
  count: number;
  /** JSON objects, each followed by a comma; valid until two more frames have been read. */
  rows: Buffer;
}

/** Writes the head of a frame. */
export function writeHead(frame: Buffer, count: number, length: number): void {
  frame.writeUInt32LE(count, 0);
  frame.writeUInt32LE(length, 4);
}

/**
 * Reads frames from a pipe: as many as are requested, and one more. They use reused memory, and the pipe's buffers are
 * released immediately: as garbage they would add up to many megabytes.
 */
export class RowFrames {
  readonly #pipe: Readable;
  readonly #head = Buffer.alloc(frameHead);
  /** With the reader, read ahead, complete, being filled; there may be two complete ones. */
  readonly #buffers = Array.from({ length: 6 }, () => Buffer.alloc(0));
  #current = 0;
  /** Received bytes of the frame, its head included. */
  #filled = 0;
  readonly #complete: RowFrame[] = [];
  #waiting: { resolve: (frame: RowFrame) => void; reject: (error: Error) => void } | undefined;

  constructor(pipe: Readable) {
    this.#pipe = pipe;
    // The end of the process reports it, too.
    pipe.on('error', () => undefined);
    pipe.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  /** The next frame; only one request may be pending. */
  next(): Promise<RowFrame> {
    const frame = this.#complete.shift();
    if (this.#complete.length === 0) this.#pipe.resume();
    if (frame) return Promise.resolve(frame);
    return new Promise((resolve, reject) => (this.#waiting = { resolve, reject }));
  }

  /** Rejects the pending request for a frame that will never arrive. */
  fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }

  #take(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#filled < frameHead) {
        const taken = Math.min(frameHead - this.#filled, chunk.length - at);
        chunk.copy(this.#head, this.#filled, at, at + taken);
        this.#filled += taken;
        at += taken;
      } else {
        const taken = Math.min(frameHead + this.#length - this.#filled, chunk.length - at);
        chunk.copy(this.#buffer(), this.#filled - frameHead, at, at + taken);
        this.#filled += taken;
        at += taken;
      }
      if (this.#filled >= frameHead && this.#filled === frameHead + this.#length) this.#deliver();
    }
    const { buffer, byteLength } = chunk;
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
  }

  get #length(): number {
    return this.#head.readUInt32LE(4);
  }

  #buffer(): Buffer {
    const known = this.#buffers[this.#current];
    if (known && known.length >= this.#length) return known;
    return (this.#buffers[this.#current] = Buffer.allocUnsafeSlow(Math.max(this.#length, frameSize)));
  }

  #deliver(): void {
    const frame = { count: this.#head.readUInt32LE(0), rows: this.#buffer().subarray(0, this.#length) };
    this.#filled = 0;
    this.#current = (this.#current + 1) % this.#buffers.length;
    if (this.#waiting) {
      this.#waiting.resolve(frame);
      this.#waiting = undefined;
      return;
    }
    this.#complete.push(frame);
    this.#pipe.pause();
  }
}
