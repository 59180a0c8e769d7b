import type { ColumnData } from './columnData.ts';
import { blockRows } from './resultCell.ts';
import type { ResultStore } from './resultStore.ts';

/** Target arrays, of length `blockRows`, for tags and slots of some rows of one column. */
export interface CellArrays {
  readonly tags: Uint8Array;
  readonly slots: Float64Array;
}

/** Some rows of one column; overwritten by the next read. */
export interface CellRun extends CellArrays {
  readonly data: ColumnData;
}

/**
 * Reads rows of a store by column, one block length at a time, to be written elsewhere: unpacks whole blocks for rows
 * in their original order, else single cells.
 */
export class CellReader {
  readonly rowCount: number;
  readonly runs: readonly CellRun[];
  readonly #store: ResultStore;
  readonly #rows: Uint32Array | undefined;

  /**
   * @param rows row numbers in the desired order; default: all rows as received.
   * @param arrays returns the target arrays for a column, by its position in `columns`.
   */
  constructor(
    store: ResultStore,
    columns: readonly number[],
    rows: Uint32Array | undefined,
    arrays: (place: number) => CellArrays = newArrays,
  ) {
    this.#store = store;
    this.#rows = rows;
    this.rowCount = rows?.length ?? store.rowCount;
    this.runs = columns.map((column, place) => ({ data: store.columnData(column), ...arrays(place) }));
  }

  /** Reads the rows from `start`, a multiple of `blockRows`, into {@link runs}; returns their number. */
  read(start: number): number {
    const count = Math.max(0, Math.min(blockRows, this.rowCount - start));
    const rows = this.#rows;
    const { table } = this.#store;
    for (const { data, tags, slots } of this.runs) {
      if (rows === undefined) table.readBlock(data, start / blockRows, tags, slots);
      else for (let i = 0; i < count; i++) table.readCell(data, rows[start + i]!, i, tags, slots);
    }
    return count;
  }
}

function newArrays(): CellArrays {
  return { tags: new Uint8Array(blockRows), slots: new Float64Array(blockRows) };
}
