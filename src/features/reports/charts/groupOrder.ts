import * as z from 'zod';
import type { CellValue } from '../../../client/results/resultCell.ts';
import { allRows, sortRows } from '../../../client/results/sort/resultSort.ts';
import type { ArrangedRows } from '../view/arrangedRows.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';

/** A group in a grouped grid: its heading, followed by its rows or subgroups. */
export interface LineGroup {
  /** Starts at 1. */
  level: number;
  /** Line of the heading. */
  line: number;
  /** Number of rows. */
  count: number;
  values: readonly CellValue[];
  parts: LineGroup[];
}

/** Sorts the rows of a view so that groups stay together: by group values, then as requested within each group. */
export async function groupedRows(
  { store, order: rows, arrangement: { sort } }: ArrangedRows,
  grouping: readonly number[],
  signal: AbortSignal,
): Promise<Uint32Array> {
  if (sort.length === 0) return rows ?? allRows(store.rowCount);
  const groups = grouping.map((column) => sort.find((key) => key.column === column) ?? { column, isDescending: false });
  const within = sort.filter(({ column }) => !grouping.includes(column));
  return sortRows(store, [...groups, ...within], { rows, signal });
}

/** Orders the lines of sorted rows so that groups follow their totals in the sorted columns. */
export function linesByTotals(
  lines: Int32Array,
  groups: readonly LineGroup[],
  { columns, arrangement: { sort } }: ArrangedRows,
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

/** The supported part of a GroupMetadata entry. `level` 0 is the whole result. API description, Report result. */
const groupEntry = z.looseObject({
  level: z.coerce.number().int().min(0),
  keys: z.array(z.looseObject({ key: z.string(), val: scalar })).default([]),
  totals: z.array(
    z.looseObject({ key: z.string(), func: z.string().nullish(), val: scalar, percent: z.number().nullish() }),
  ),
});

/** A total of a group. */
export type GroupTotal = z.output<typeof groupEntry>['totals'][number];

/** The totals that the server sent with a result, by group. Skips entries of any other shape. */
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

  /** Totals of the group with these values, one per level. No values means the whole result. */
  of(values: readonly unknown[]): readonly GroupTotal[] {
    return this.#byGroup.get(nameOf(values)) ?? [];
  }

  /** First total of a group in the column with this key, as a number; NaN if there is none. */
  number(values: readonly unknown[], key: string): number {
    const val = this.of(values).find((total) => total.key === key)?.val ?? '';
    return val === '' ? NaN : Number(val);
  }
}

/** Column numbers of the result's `groups`, in order. Skips keys without a column. */
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
