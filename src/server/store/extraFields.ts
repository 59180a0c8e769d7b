import { jsonOf, idOf } from './columns.ts';
import type { Store } from './store.ts';

/*
 * Fields that clients send with an object and the server has no use for: unlisted ones, and listed ones that mean nothing
 * here. They come back as they came, so that an object survives a round trip whole. API description, Endpoints (common rules).
 */

/** Such fields by name. */
export type ExtraFields = Readonly<Record<string, unknown>>;

/** Tables with the column that they are kept in. */
export type ExtraTable = 'user' | 'security_group' | 'data_tag' | 'policy' | 'folder';

/** Step of a room's schema that gives a table the column. */
export function extraColumn(table: ExtraTable | 'data_tag_group' | 'data_tag_user'): string {
  return `ALTER TABLE ${table} ADD COLUMN extra TEXT NOT NULL DEFAULT '{}';`;
}

/** Keeps the fields of an object, in place of those kept before. */
export function writeExtraFields(store: Store, table: ExtraTable, id: string, fields: ExtraFields): void {
  store.run(`UPDATE ${table} SET extra = ? WHERE id = ?`, JSON.stringify(fields), id);
}

/** The fields kept of an object; none where there is no such object. */
export function extraFieldsOf(store: Store, table: ExtraTable, id: string): ExtraFields {
  const row = store.get(`SELECT extra FROM ${table} WHERE id = ?`, id);
  return row ? readExtraFields(jsonOf(row, 'extra')) : {};
}

/** The fields kept of all objects of a table that have any, by id. */
export function allExtraFields(store: Store, table: ExtraTable): ReadonlyMap<string, ExtraFields> {
  const rows = store.all(`SELECT id, extra FROM ${table} WHERE extra <> '{}'`);
  return new Map(rows.map((row) => [idOf(row, 'id'), readExtraFields(jsonOf(row, 'extra'))]));
}

/** Stored fields as read from their column. */
export function readExtraFields(stored: unknown): ExtraFields {
  return typeof stored === 'object' && stored !== null ? { ...stored } : {};
}
