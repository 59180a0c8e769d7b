import { cellTest } from './cellTest.ts';
import type { CellCondition, CellTest } from './cellTest.ts';
import type { ColumnData } from './columnData.ts';
import { Pacer } from './pacer.ts';
import { blockRows } from './resultCell.ts';
import type { ResultStore } from './resultStore.ts';

/** Which rows to keep: those that meet every condition, and of which one of the searched cells contains the text. */
export interface ResultFilter {
  readonly conditions?: readonly { readonly column: number; readonly condition: CellCondition }[];
  readonly search?: {
    readonly text: string;
    /** Column numbers to look in; all without it. */
    readonly columns?: readonly number[];
    readonly matchCase?: boolean;
  };
}

/** Cells of one column to look at, and what for. */
interface ColumnTest {
  readonly data: ColumnData;
  readonly test: CellTest;
}

/**
 * The numbers of the rows that a filter keeps, in their own order. Works in slices of some 8 ms; while the store grows,
 * it looks at the rows there are at the beginning.
 * @throws the signal's reason once it has fired.
 */
export async function filterRows(
  store: ResultStore,
  filter: ResultFilter,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Uint32Array> {
  const rowCount = store.rowCount;
  const pacer = new Pacer(options.signal);
  const required = (filter.conditions ?? []).map(({ column, condition }) => columnTest(store, column, condition));
  const searched = searchTests(store, filter.search);
  const kept = new Uint32Array(rowCount);
  const keep = new Uint8Array(blockRows);
  const tags = new Uint8Array(blockRows);
  const slots = new Float64Array(blockRows);
  let count = 0;
  for (let start = 0; start < rowCount; start += blockRows) {
    const rows = Math.min(blockRows, rowCount - start);
    keep.fill(searched === undefined ? 1 : 0);
    for (const { data, test } of searched ?? []) {
      store.table.readBlock(data, start / blockRows, tags, slots);
      for (let i = 0; i < rows; i++) if (keep[i] === 0 && test(tags[i]!, slots[i]!)) keep[i] = 1;
    }
    for (const { data, test } of required) {
      store.table.readBlock(data, start / blockRows, tags, slots);
      for (let i = 0; i < rows; i++) if (keep[i] === 1 && !test(tags[i]!, slots[i]!)) keep[i] = 0;
    }
    for (let i = 0; i < rows; i++) if (keep[i] === 1) kept[count++] = start + i;
    if (pacer.isDue) await pacer.pause();
  }
  return kept.slice(0, count);
}

function columnTest(store: ResultStore, column: number, condition: CellCondition): ColumnTest {
  const data = store.columnData(column);
  return { data, test: cellTest(data, condition) };
}

/** Tests of which one must pass; none at all where nothing is searched for. */
function searchTests(store: ResultStore, search: ResultFilter['search']): ColumnTest[] | undefined {
  if (search === undefined || search.text === '') return undefined;
  const columns = search.columns ?? store.columns.map((_, column) => column);
  const { text, matchCase } = search;
  return columns.map((column) => columnTest(store, column, { kind: 'contains', text, matchCase }));
}
