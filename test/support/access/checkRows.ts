import { expect } from 'vitest';
import { isGain, type RowChange } from '../../../src/access/rows/accessChanges.ts';
import type { SeenRows } from './accessWorld.ts';

/** What a user sees of a table before and after an edit. */
export interface Seen {
  readonly table: string;
  readonly was: SeenRows;
  readonly is: SeenRows;
}

/** Ids that are in one set of rows and not in another one. */
export function idsBeyond(some: SeenRows, others: SeenRows): number[] {
  return [...some.ids].filter((id) => !others.ids.has(id));
}

/** A view and its table show the same rows: what opens one may be announced for the other. */
const sameRows = (table: string) => (table === 'notes' ? ['notes'] : ['deals', 'deals_view']);

/** The announced gains of a table, or of a view of it. */
export function gainsOf(changes: readonly RowChange[], table: string): RowChange[] {
  return changes.filter((change) => sameRows(table).includes(change.table?.toLowerCase() ?? '') && isGain(change));
}

/**
 * Compares the rows that a user gained and lost with what was announced.
 * @param changes announced for this user.
 * @param rowCount all rows of a table.
 * @throws {Error} if a gain was not announced, or something else happened than was announced.
 */
export function checkRows(changes: readonly RowChange[], { table, was, is }: Seen, rowCount: number): void {
  const [gained, lost] = [idsBeyond(is, was), idsBeyond(was, is)];
  if (gained.length > 0) expect(gainsOf(changes, table), 'rows were gained').not.toEqual([]);
  const isViewed = table !== 'notes' && (was.isClosed || is.isClosed);
  const change = changes.find((each) => each.table?.toLowerCase() === table);
  if (change?.isPartial) return;
  switch (change?.change) {
    case 'all rows':
      if (!is.isClosed) expect(is.ids.size, 'all rows').toBe(rowCount);
      break;
    case 'more':
      if (!is.isClosed) expect(lost, 'more').toEqual([]);
      break;
    case 'fewer':
      if (!isViewed) expect(gained, 'fewer').toEqual([]);
      break;
    case 'no rows':
      expect(is.ids.size, 'no rows').toBe(0);
      break;
    case 'changed':
      break;
    case undefined:
      if (!isViewed && !is.isClosed) expect(lost, 'nothing was said').toEqual([]);
  }
}
