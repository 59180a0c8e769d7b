import type { DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { longestBatch } from '../database.ts';
import { tooLongRows } from '../queryRules.ts';

/** Bytes of one text in a vector: its length, then either its first 12 bytes or 4 of them and the address of all. */
const bytesPerEntry = 16;
const longestInline = 12;
const wordsPerEntry = bytesPerEntry / 4;

/** Reads the texts of chunks, one chunk at a time. */
export class ChunkTexts {
  readonly #name: string;
  #bytes = Buffer.alloc(0);

  /** `name` is that of the registered server. */
  constructor(name: string) {
    this.#name = name;
  }

  /**
   * The texts of a chunk's first column, none of them null, one behind the other as UTF-8, until the next chunk is taken.
   * They are copied as the database holds them and never become JavaScript strings; DuckDB writes the texts of a chunk into
   * a few blocks of memory, each of which is copied at once. The chunk is empty afterwards: its memory is free at once,
   * not only when the garbage collector finds it.
   * @throws {DatabaseError} when they are too long to be copied.
   */
  take(chunk: DuckDBDataChunk): Buffer {
    const entries = new Entries(chunk);
    const total = entries.totalLength();
    if (total > longestBatch) throw tooLongRows(this.#name);
    if (this.#bytes.length < total) this.#bytes = Buffer.allocUnsafeSlow(total);
    for (let row = 0, at = 0; row < entries.count;) {
      if (entries.lengthOf(row) <= longestInline) {
        at += entries.copyInline(row, this.#bytes, at);
        row += 1;
        continue;
      }
      const next = entries.endOfBlock(row);
      at += entries.copyBlock(row, next, this.#bytes, at);
      row = next;
    }
    entries.letGo();
    chunk.reset();
    return this.#bytes.subarray(0, total);
  }
}

/** Where the texts of a chunk's first column are. */
class Entries {
  readonly count: number;
  readonly #entries: Uint8Array;
  readonly #words: Uint32Array;

  constructor(chunk: DuckDBDataChunk) {
    this.count = chunk.rowCount;
    const vector = duckdb.data_chunk_get_vector(chunk.chunk, 0);
    this.#entries = duckdb.vector_get_data(vector, this.count * bytesPerEntry);
    const { buffer, byteOffset } = this.#entries;
    this.#words = new Uint32Array(buffer, byteOffset, this.count * wordsPerEntry);
  }

  lengthOf(row: number): number {
    return this.#words[row * wordsPerEntry] ?? 0;
  }

  totalLength(): number {
    let total = 0;
    for (let row = 0; row < this.count; row += 1) total += this.lengthOf(row);
    return total;
  }

  copyInline(row: number, target: Buffer, at: number): number {
    const start = row * bytesPerEntry + 4;
    const length = this.lengthOf(row);
    for (let index = 0; index < length; index += 1) target[at + index] = this.#entries[start + index] ?? 0;
    return length;
  }

  /** The row behind the last one whose text belongs to the same block: each begins where the one before it ends. */
  endOfBlock(first: number): number {
    let row = first + 1;
    while (row < this.count && this.lengthOf(row) > longestInline) {
      if (this.#addressOf(row) !== this.#addressOf(row - 1) + this.lengthOf(row - 1)) break;
      row += 1;
    }
    return row;
  }

  copyBlock(first: number, end: number, target: Buffer, at: number): number {
    const last = end - 1;
    const length = this.#addressOf(last) - this.#addressOf(first) + this.lengthOf(last);
    const { buffer, byteOffset } = this.#entries;
    if (!(buffer instanceof ArrayBuffer)) throw new Error('The memory of a chunk is shared');
    const block = duckdb.get_data_from_pointer(buffer, byteOffset + first * bytesPerEntry + 8, length);
    target.set(block, at);
    free(block);
    return length;
  }

  /** Frees what has been read; nothing can be read afterwards. */
  letGo(): void {
    free(this.#entries);
  }

  /** Addresses fit into a number; large integers would be garbage, several for each row. */
  #addressOf(row: number): number {
    const low = row * wordsPerEntry + 2;
    return (this.#words[low] ?? 0) + (this.#words[low + 1] ?? 0) * 2 ** 32;
  }
}

/** Frees bytes that the bindings have copied; until the garbage collector found them they would be many megabytes. */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
