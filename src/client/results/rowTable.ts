import { BytePages } from './bytePages.ts';
import { ColumnData } from './columnData.ts';
import { blockRows } from './resultCell.ts';
import { ResultReadError } from './resultError.ts';
import type { ResultCaps } from './resultError.ts';
import { hashText, TextDictionary } from './textDictionary.ts';
import { say } from '../../l10n/l10n.ts';

/**
 * The rows of a result, by column. The scanner writes the cells of row `rowInBlock` into the columns and then commits the
 * row; what was written for a row that is not committed is never seen.
 */
export class RowTable {
  /** In the order in which their keys became known; the position is the key's code in `keys`. */
  readonly columns: ColumnData[] = [];
  readonly keys = new TextDictionary(2 ** 20, Infinity);
  readonly pages = new BytePages();
  /** Rows committed. */
  rowCount = 0;
  /** Place of the next row in the block that is being filled. */
  rowInBlock = 0;
  private sealedBlocks = 0;
  private readonly caps: Pick<ResultCaps, 'maxColumns' | 'maxHeldBytes'>;

  constructor(caps: Pick<ResultCaps, 'maxColumns' | 'maxHeldBytes'>) {
    this.caps = caps;
  }

  /** Rows that can be written before the block must be packed. */
  get roomInBlock(): number {
    return blockRows - this.rowInBlock;
  }

  /** Bytes of memory held. */
  get heldBytes(): number {
    return this.columns.reduce((sum, column) => sum + column.heldBytes, this.pages.heldBytes + this.keys.heldBytes);
  }

  /**
   * The column of `key`, new if it was not known.
   * @param offset place in the reply, for the error when there are too many columns.
   */
  column(key: string, offset: number): ColumnData {
    // UTF-8 cannot tell lone surrogates apart; their escaped form can, under a hash that no other text has.
    const isWellFormed = key.isWellFormed();
    const text = isWellFormed ? key : JSON.stringify(key);
    const bytes = Buffer.alloc(Buffer.byteLength(text) + 4);
    const length = bytes.write(text);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const hash = hashText(view, 0, length);
    return this.columnAt(this.keys.intern(view, 0, length, isWellFormed ? hash : ~hash), offset, key);
  }

  /** The column whose key has `code` in `keys`; the newest code makes a new column. See `column` for `offset`. */
  columnAt(code: number, offset: number, key?: string): ColumnData {
    const known = this.columns[code];
    if (known !== undefined) return known;
    if (this.columns.length >= this.caps.maxColumns) {
      throw new ResultReadError('tooLarge', offset, say('The result has more than {0} columns.', this.caps.maxColumns));
    }
    const column = new ColumnData(key ?? this.keys.textOf(code), this.pages);
    this.columns.push(column);
    return column;
  }

  /** Counts the row that was written; packs the block when it is full. */
  commitRow(): void {
    this.commitRows(1);
  }

  /** Counts `rows` rows that were written, at most `roomInBlock`. */
  commitRows(rows: number): void {
    this.rowCount += rows;
    this.rowInBlock += rows;
    if (this.rowInBlock === blockRows) this.seal();
  }

  /** Packs what is left and gives back memory kept for filling. Nothing is written afterwards. */
  finish(): void {
    if (this.rowInBlock > 0) this.seal();
    for (const column of this.columns) column.finish();
    this.pages.finish();
  }

  /** Throws once the rows take more memory than allowed. `offset` is the place in the reply. */
  checkHeldBytes(offset: number): void {
    if (this.heldBytes > this.caps.maxHeldBytes) {
      const message = say('The result needs more than {0} bytes of memory.', this.caps.maxHeldBytes);
      throw new ResultReadError('tooLarge', offset, message);
    }
  }

  /** Unpacks the cells of `column` in block number `index` into arrays of `blockRows`; says how many there are. */
  readBlock(column: ColumnData, index: number, tags: Uint8Array, slots: Float64Array): number {
    const rows = Math.min(blockRows, this.rowCount - index * blockRows);
    column.readBlock(index, rows, tags, slots, this.isSealed(index));
    return rows;
  }

  /** Puts tag and slot of the cell of `column` at `row` into place `at` of the arrays. */
  readCell(column: ColumnData, row: number, at: number, tags: Uint8Array, slots: Float64Array): void {
    const block = Math.floor(row / blockRows);
    column.readCell(block, row - block * blockRows, this.isSealed(block), at, tags, slots);
  }

  /** Whether block number `index` is packed. */
  isSealed(index: number): boolean {
    return index < this.sealedBlocks;
  }

  private seal(): void {
    for (const column of this.columns) column.seal(this.sealedBlocks, this.rowInBlock);
    this.sealedBlocks++;
    this.rowInBlock = 0;
  }
}
