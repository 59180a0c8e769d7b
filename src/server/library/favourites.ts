import { idOf } from '../store/columns.ts';
import type { Store } from '../store/store.ts';

/** Ids of the reports and dashboards that a user marked as favourites. */
export function favouritesOf(store: Store, userId: string): ReadonlySet<string> {
  const rows = store.all('SELECT item_id FROM favourite WHERE user_id = ?', userId);
  return new Set(rows.map((row) => idOf(row, 'item_id')));
}

/** Marks or unmarks an item as a user's favourite. */
export function setFavourite(store: Store, userId: string, itemId: string, isFavourite: boolean): void {
  const sql = isFavourite
    ? 'INSERT OR IGNORE INTO favourite (user_id, item_id) VALUES (?, ?)'
    : 'DELETE FROM favourite WHERE user_id = ? AND item_id = ?';
  store.run(sql, userId, itemId);
}
