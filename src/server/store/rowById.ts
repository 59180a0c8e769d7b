import { idOf } from './columns.ts';
import type { Row, Store } from './store.ts';

/**
 * First row of `sql`, whose one value is an `id` as it was sent, if that is the id to the letter: SQLite would take `01`,
 * ` 1` and `1e0` for 1, and what compares texts would not.
 */
export function rowById(store: Store, sql: string, id: string): Row | undefined {
  const row = store.get(sql, id);
  return row && idOf(row, 'id') === id ? row : undefined;
}
