import * as z from 'zod';
import type { CellValue } from '../../../client/results/resultCell.ts';
import { allRows, sortRows } from '../../../client/results/sort/resultSort.ts';
import type { ResultView } from '../view/resultView.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';

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

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Entry of GroupMetadata as far as it is understood: `level` 0 is the whole result. API description, Report result. */
const groupEntry = z.looseObject({
  level: z.coerce.number().int().min(0),
  keys: z.array(z.looseObject({ key: z.string(), val: scalar })).default([]),
  totals: z.array(
    z.looseObject({ key: z.string(), func: z.string().nullish(), val: scalar, percent: z.number().nullish() }),
  ),
});

/** One total of one group. */
export type GroupTotal = z.output<typeof groupEntry>['totals'][number];

/** The totals that a server sent with a result, by group. Entries of another shape are passed over. */
export class GroupTotals {
  readonly #byGroup = new Map<string, readonly GroupTotal[]>();

  constructor(store: ResultStore) {
    const { GroupMetadata: entries } = store.envelope;
    if (!Array.isArray(entries)) return;
    for (const entry of entries as readonly unknown[]) {
      const read = groupEntry.safeParse(entry);
      if (!read.success) continue;
      const { level, keys, totals } = read.data;
      if (keys.length === level) this.#byGroup.set(nameOf(keys.map(({ val }) => val)), totals);
    }
  }

  /** Totals of the group with these values, one per level; of the whole result for none. */
  of(values: readonly unknown[]): readonly GroupTotal[] {
    return this.#byGroup.get(nameOf(values)) ?? [];
  }

  /** The first total of a group in the column with this key, as a number; NaN where there is none. */
  number(values: readonly unknown[], key: string): number {
    const val = this.of(values).find((total) => total.key === key)?.val ?? '';
    return val === '' ? NaN : Number(val);
  }
}

/** Column numbers of the `groups` of a result, in their order; keys that no column has are passed over. */
export function groupColumns(store: ResultStore): number[] {
  const { groups } = store.envelope;
  if (!Array.isArray(groups)) return [];
  const places = new Map(store.columns.map(({ key }, column) => [key, column]));
  return (groups as readonly unknown[]).flatMap((key) => {
    const column = typeof key === 'string' ? places.get(key) : undefined;
    return column === undefined ? [] : [column];
  });
}

function nameOf(values: readonly unknown[]): string {
  return JSON.stringify(values.map((value) => (value === null || value === undefined ? null : textOf(value))));
}

function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'text' in value ? String(value.text) : String(value);
}
