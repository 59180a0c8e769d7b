import type { DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { longestBatch } from '../database.ts';
import { tooLongRows } from '../queryRules.ts';

/**
 * Bytes per text in a vector: its length, then either the text if it has up to 12 bytes, or its first 4 bytes and its
 * address.
 */
const bytesPerEntry = 16;
const longestInline = 12;
const wordsPerEntry = bytesPerEntry / 4;

/** Reads the texts of chunks, one chunk at a time. */
export class ChunkTexts {
  readonly #name: string;
  #bytes = Buffer.alloc(0);

  /** `name` is the name of the registered server. */
  constructor(name: string) {
    this.#name = name;
  }

  /**
   * The texts of a chunk's first column, which has no nulls, concatenated as UTF-8 and valid until the next chunk is
   * taken. They are copied from the database's memory without becoming JavaScript strings; DuckDB writes a chunk's
   * texts into a few blocks of memory, each copied in one go. The chunk is empty afterwards: its memory is freed
   * immediately instead of by the garbage collector.
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

/** Locations of the texts of a chunk's first column. */
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

  /** The row after the last one whose text is in the same block: each text begins where the previous one ends. */
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

  /** Frees the memory; nothing can be read afterwards. */
  letGo(): void {
    free(this.#entries);
  }

  /** Addresses fit into a number; BigInts would be garbage, several for each row. */
  #addressOf(row: number): number {
    const low = row * wordsPerEntry + 2;
    return (this.#words[low] ?? 0) + (this.#words[low + 1] ?? 0) * 2 ** 32;
  }
}

/** Frees bytes copied by the bindings; until garbage collection they would add up to many megabytes. */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
