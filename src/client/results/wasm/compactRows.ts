import type { ByteWindow } from '../scan/byteWindow.ts';
import type { ColumnData } from '../columnData.ts';
import type { KeyBytes } from '../scan/keyBytes.ts';
import { byte } from '../scan/jsonBytes.ts';
import { cellTag } from '../resultCell.ts';
import type { RowScanner } from '../scan/rowScanner.ts';
import type { RowTable } from '../rowTable.ts';
import { closeCompactRows } from './compactRowsInstance.ts';
import type { CompactRowsInstance } from './compactRowsInstance.ts';

/** Minimum length of a run of rows that is worth a call. */
const longRun = 16;
/** Maximum exponent of the power of two of rows left to RowScanner. */
const maxMisses = 10;

/**
 * Reads rows that repeat the keys of the previous row, byte for byte and without white space, many per call to
 * WebAssembly; RowScanner then stores the cells that were left pending. RowScanner reads rows of any other form, and
 * `learn` takes the expected form of the next rows from them. After repeated failures, more and more rows are left to
 * RowScanner before the next attempt.
 */
export class CompactRows {
  private readonly wasm: CompactRowsInstance;
  private readonly window: ByteWindow;
  private readonly twin: RowScanner;
  private readonly table: RowTable;
  /** The expected columns in order, each with the bytes of its key. */
  private columns: readonly ColumnData[] = [];
  private keys: readonly KeyBytes[] = [];
  /**
   * The columns whose texts the module caches, by position. Unlike `columns`, not cleared after a row of another form.
   */
  private readonly owners: ColumnData[] = [];
  private misses = 0;
  private skip = 0;

  /** @param window starts as the window of `wasm`; once it has outgrown that, RowScanner reads every row. */
  constructor(wasm: CompactRowsInstance, window: ByteWindow, twin: RowScanner, table: RowTable) {
    this.wasm = wasm;
    this.window = window;
    this.twin = twin;
    this.table = table;
  }

  /**
   * Reads and commits up to `limit` rows from `at`; returns the index after the last one, or -1 if RowScanner must read
   * the next row.
   */
  scanRows(at: number, limit: number): number {
    const { wasm, columns, window, table } = this;
    if (columns.length === 0 || this.skip > 0 || window.bytes !== wasm.window) return -1;
    for (let i = 0; i < columns.length; i++) wasm.interning[i] = columns[i]!.isInterning ? 1 : 0;
    const rows = wasm.module.scanRows(at, columns.length, Math.min(limit, wasm.maxRows, table.roomInBlock));
    if (rows === 0) return -1;
    if (rows >= longRun) this.misses = 0;
    const base = table.rowInBlock;
    for (let i = 0; i < columns.length; i++) {
      const { tags, slots } = columns[i]!;
      const first = i * wasm.maxRows;
      tags.set(wasm.tags.subarray(first, first + rows), base);
      slots.set(wasm.slots.subarray(first, first + rows), base);
    }
    const whole = this.keepPending(rows);
    if (whole < rows) {
      // Invalid JSON: RowScanner reports where and why. Reading the previous rows again shows where they end.
      for (const { tags } of columns) tags.fill(cellTag.missing, base + whole, base + rows);
      wasm.module.scanRows(at, columns.length, whole);
    }
    table.commitRows(whole);
    return whole === 0 ? -1 : wasm.module.next.value;
  }

  /** Ends reading. */
  close(): void {
    closeCompactRows(this.wasm);
  }

  /** Expects the next rows to have the form of the row that RowScanner has just read. */
  learn(): void {
    if (this.skip > 0) {
      this.skip--;
      return;
    }
    this.skip = 2 ** this.misses - 1;
    this.misses = Math.min(this.misses + 1, maxMisses);
    const { wasm } = this;
    const columns = this.twin.lastRowColumns(wasm.maxColumns);
    const keys = columns.map(({ keyBytes }) => keyBytes);
    const isSame = columns.length === this.columns.length && keys.every((key, i) => key === this.keys[i]);
    if (isSame) return;
    const isCompact = keys.every(({ bytes }) => bytes.length > 0 && bytes.length < wasm.maxKeyBytes);
    this.columns = isCompact ? columns : [];
    this.keys = isCompact ? keys : [];
    this.columns.forEach((column, i) => this.own(column, i));
    this.keys.forEach(({ bytes }, i) => {
      wasm.keys[i * wasm.maxKeyBytes] = i === 0 ? byte.openObject : byte.comma;
      wasm.keys.set(bytes, i * wasm.maxKeyBytes + 1);
      wasm.keyLengths[i] = bytes.length + 1;
    });
  }

  /** Caches texts at `position` for `column` only, dropping those of the previous column or reply. */
  private own(column: ColumnData, position: number): void {
    if (this.owners[position] === column) return;
    this.wasm.module.forget(position);
    this.owners[position] = column;
  }

  /** Stores the pending cells of `rows` rows; returns the number of rows before the first with an invalid one. */
  private keepPending(rows: number): number {
    const { wasm, columns, twin } = this;
    const { pendingCells } = wasm;
    const base = this.table.rowInBlock;
    const end = wasm.module.pending.value * 4;
    for (let i = 0; i < end; i += 4) {
      const cell = pendingCells[i]!;
      const position = (cell >> 1) & 0x7f;
      const column = columns[position]!;
      const row = base + (cell >> 8);
      const start = pendingCells[i + 1]!;
      const length = pendingCells[i + 2]!;
      if ((cell & 1) === 1) {
        if (twin.scanCell(start, column, row) !== start + length) return cell >> 8;
        continue;
      }
      twin.keepText(start, length, pendingCells[i + 3]!, column, row);
      if (column.tags[row] === cellTag.code && length <= wasm.maxKnownBytes) {
        wasm.module.remember(position, start, length, column.slots[row]!);
      }
    }
    return rows;
  }
}
