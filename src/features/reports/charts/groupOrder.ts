import type { CellValue } from '../../../client/results/resultCell.ts';
import { allRows, sortRows } from '../../../client/results/sort/resultSort.ts';
import type { ResultView } from '../view/resultView.ts';
import type { GroupTotals } from './groupTotals.ts';

/** A group among the lines of a grouped grid: its heading, and behind it its rows or the groups that it is made of. */
export interface LineGroup {
  /** From 1. */
  level: number;
  /** Line of its heading. */
  line: number;
  /** Rows of it. */
  count: number;
  values: readonly CellValue[];
  parts: LineGroup[];
}

/** The rows of a view so that groups stay together when they are sorted: by their values, and within them as asked for. */
export async function groupedRows(
  { store, shownRows: rows, arrangement: { sort } }: ResultView,
  grouping: readonly number[],
  signal: AbortSignal,
): Promise<Uint32Array> {
  if (sort.length === 0) return rows ?? allRows(store.rowCount);
  const groups = grouping.map((column) => sort.find((key) => key.column === column) ?? { column, isDescending: false });
  const within = sort.filter(({ column }) => !grouping.includes(column));
  return sortRows(store, [...groups, ...within], { rows, signal });
}

/** Lines of sorted rows, their groups in the order of the totals that they have in the columns sorted by. */
export function linesByTotals(
  lines: Int32Array,
  groups: readonly LineGroup[],
  { columns, arrangement: { sort } }: ResultView,
  grouping: readonly number[],
  totals: GroupTotals,
): Int32Array {
  const compare = (one: LineGroup, other: LineGroup) => {
    for (const { column, isDescending } of sort) {
      if (column === grouping[one.level - 1]) break;
      const key = columns[column]?.source.key ?? '';
      const [a, b] = [totals.number(one.values, key), totals.number(other.values, key)];
      if (Number.isNaN(a) !== Number.isNaN(b)) return Number.isNaN(a) ? 1 : -1;
      if (a < b || a > b) return a < b === isDescending ? 1 : -1;
    }
    return one.line - other.line;
  };
  const ordered = new Int32Array(lines.length);
  let end = 0;
  const put = (siblings: readonly LineGroup[]) => {
    for (const { line, count, parts } of siblings.toSorted(compare)) {
      const own = lines.subarray(line, line + (parts.length > 0 ? 1 : count + 1));
      ordered.set(own, end);
      end += own.length;
      put(parts);
    }
  };
  put(groups);
  return ordered;
}
