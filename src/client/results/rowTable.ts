import { BytePages } from './bytePages.ts';
import { ColumnData } from './columnData.ts';
import { blockRows } from './resultCell.ts';
import { ResultReadError } from './resultError.ts';
import type { ResultCaps } from './resultError.ts';
import { hashText, TextDictionary } from './textDictionary.ts';
import * as l10n from '../../l10n/l10n.ts';

/**
 * The rows of a result, by column. The scanner writes the cells of row `rowInBlock` to the columns and then commits the
 * row; cells of uncommitted rows are never visible.
 */
export class RowTable {
  /** In the order in which their keys were found; the index is the key's code in `keys`. */
  readonly columns: ColumnData[] = [];
  readonly keys = new TextDictionary(2 ** 20, Infinity);
  readonly pages = new BytePages();
  /** Number of committed rows. */
  rowCount = 0;
  /** Index of the next row in the block being filled. */
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

  /** Bytes of memory in use. */
  get heldBytes(): number {
    return this.columns.reduce((sum, column) => sum + column.heldBytes, this.pages.heldBytes + this.keys.heldBytes);
  }

  /**
   * The column of `key`, created if new.
   * @param offset position in the reply, for the error when there are too many columns.
   */
  column(key: string, offset: number): ColumnData {
    // UTF-8 cannot distinguish lone surrogates; their escaped form can, with a hash that no other text has.
    const isWellFormed = key.isWellFormed();
    const text = isWellFormed ? key : JSON.stringify(key);
    const bytes = Buffer.alloc(Buffer.byteLength(text) + 4);
    const length = bytes.write(text);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const hash = hashText(view, 0, length);
    return this.columnAt(this.keys.intern(view, 0, length, isWellFormed ? hash : ~hash), offset, key);
  }

  /** The column whose key has `code` in `keys`; the next unused code creates a column. For `offset` see `column`. */
  columnAt(code: number, offset: number, key?: string): ColumnData {
    const known = this.columns[code];
    if (known !== undefined) return known;
    if (this.columns.length >= this.caps.maxColumns) {
      throw new ResultReadError(
        'tooLarge',
        offset,
        l10n.t('The result has more than {0} columns.', this.caps.maxColumns),
      );
    }
    const column = new ColumnData(key ?? this.keys.textOf(code), this.pages);
    this.columns.push(column);
    return column;
  }

  /** Commits the row that was written; packs the block when it is full. */
  commitRow(): void {
    this.commitRows(1);
  }

  /** Commits `rows` rows that were written, at most `roomInBlock`. */
  commitRows(rows: number): void {
    this.rowCount += rows;
    this.rowInBlock += rows;
    if (this.rowInBlock === blockRows) this.seal();
  }

  /** Packs the rest and frees memory used for filling. Nothing can be written afterwards. */
  finish(): void {
    if (this.rowInBlock > 0) this.seal();
    for (const column of this.columns) column.finish();
    this.pages.finish();
  }

  /** Throws if the rows exceed the memory limit. `offset` is the position in the reply. */
  checkHeldBytes(offset: number): void {
    if (this.heldBytes > this.caps.maxHeldBytes) {
      const message = l10n.t('The result needs more than {0} bytes of memory.', this.caps.maxHeldBytes);
      throw new ResultReadError('tooLarge', offset, message);
    }
  }

  /** Unpacks the cells of `column` in block number `index` into arrays of `blockRows`; returns their number. */
  readBlock(column: ColumnData, index: number, tags: Uint8Array, slots: Float64Array): number {
    const rows = Math.min(blockRows, this.rowCount - index * blockRows);
    column.readBlock(index, rows, tags, slots, this.isSealed(index));
    return rows;
  }

  /** Writes tag and slot of the cell of `column` at `row` to position `at` of the arrays. */
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
