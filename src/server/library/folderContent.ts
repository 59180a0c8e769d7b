import { numberOf, idOf } from '../store/columns.ts';
import type { Store } from '../store/store.ts';

/** A folder's subtree: its folders, itself included, and the number of reports and dashboards in them. */
export function contentOf(store: Store, folderId: string): { folderIds: string[]; itemCount: number } {
  const subtree = `WITH RECURSIVE below (id) AS (
    SELECT id FROM folder WHERE id = ?
    UNION SELECT folder.id FROM folder JOIN below ON folder.parent_id = below.id)`;
  const folderIds = store.all(`${subtree} SELECT id FROM below`, folderId).map((row) => idOf(row, 'id'));
  const items = store.get(
    `${subtree} SELECT count(*) AS count FROM item JOIN below ON item.folder_id = below.id`,
    folderId,
  );
  return { folderIds, itemCount: items ? numberOf(items, 'count') : 0 };
}
