import type { ColumnData } from './columnData.ts';
import { blockRows } from './resultCell.ts';
import type { ResultStore } from './resultStore.ts';

/** Where tags and slots of some rows of one column are put: arrays of `blockRows`. */
export interface CellArrays {
  readonly tags: Uint8Array;
  readonly slots: Float64Array;
}

/** Some rows of one column, overwritten by the next read. */
export interface CellRun extends CellArrays {
  readonly data: ColumnData;
}

/**
 * Reads rows of a store by column, a block's length at a time, for whoever writes them elsewhere: unpacked whole where
 * the rows are in their own order, cell by cell where they are not.
 */
export class CellReader {
  readonly rowCount: number;
  readonly runs: readonly CellRun[];
  readonly #store: ResultStore;
  readonly #rows: Uint32Array | undefined;

  /**
   * @param rows row numbers in the order wanted; all rows as they came without it.
   * @param arrays gives the arrays that a column, by its place among `columns`, is read into.
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

  /** Reads the rows from `start`, a multiple of `blockRows`, into {@link runs}; says how many there are. */
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
