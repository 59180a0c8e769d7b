import { jsonOf, idOf } from './columns.ts';
import type { Store } from './store.ts';

/*
 * Fields that clients send with an object and the server does not use: unlisted fields, and listed ones without effect
 * here. They are returned unchanged, so that an object survives a round trip. API description, Endpoints (common
 * rules).
 */

/** Extra fields by name. */
export type ExtraFields = Readonly<Record<string, unknown>>;

/** Tables with a column for extra fields. */
export type ExtraTable = 'user' | 'security_group' | 'data_tag' | 'policy' | 'folder';

/** Schema step that adds the column to a table. */
export function extraColumn(table: ExtraTable | 'data_tag_group' | 'data_tag_user'): string {
  return `ALTER TABLE ${table} ADD COLUMN extra TEXT NOT NULL DEFAULT '{}';`;
}

/** Saves the extra fields of an object, replacing the previous ones. */
export function writeExtraFields(store: Store, table: ExtraTable, id: string, fields: ExtraFields): void {
  store.run(`UPDATE ${table} SET extra = ? WHERE id = ?`, JSON.stringify(fields), id);
}

/** The saved extra fields of an object; none if it does not exist. */
export function extraFieldsOf(store: Store, table: ExtraTable, id: string): ExtraFields {
  const row = store.get(`SELECT extra FROM ${table} WHERE id = ?`, id);
  return row ? readExtraFields(jsonOf(row, 'extra')) : {};
}

/** The saved extra fields of all objects of a table that have any, by id. */
export function allExtraFields(store: Store, table: ExtraTable): ReadonlyMap<string, ExtraFields> {
  const rows = store.all(`SELECT id, extra FROM ${table} WHERE extra <> '{}'`);
  return new Map(rows.map((row) => [idOf(row, 'id'), readExtraFields(jsonOf(row, 'extra'))]));
}

/** Extra fields parsed from their column. */
export function readExtraFields(stored: unknown): ExtraFields {
  return typeof stored === 'object' && stored !== null ? { ...stored } : {};
}
