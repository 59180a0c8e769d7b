import * as z from 'zod';
import type { ResultStore } from '../../../client/results/resultStore.ts';

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
