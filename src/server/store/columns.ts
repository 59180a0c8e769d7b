import type { Row, Store } from './store.ts';

/** Text of a column that is never null. */
export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw unreadable(column, 'text');
  return value;
}

/** Text of a column, or null. */
export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : textOf(row, column);
}

/** Whole number of a column that is never null. */
export function numberOf(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw unreadable(column, 'a number');
  return value;
}

/** Boolean of a column that holds 0 or 1. */
export function flagOf(row: Row, column: string): boolean {
  return numberOf(row, column) !== 0;
}

/** Identifier of a column as the text used in the API. */
export function idOf(row: Row, column: string): string {
  return String(numberOf(row, column));
}

/** Identifier of a column as text, or null. */
export function idOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : idOf(row, column);
}

/** JSON text of a column, parsed but not yet validated. */
export function jsonOf(row: Row, column: string): unknown {
  return JSON.parse(textOf(row, column));
}

function unreadable(column: string, expected: string): Error {
  return new Error(`Column ${column} of the server's state does not hold ${expected}`);
}

/**
 * Returns the first row of `sql`, whose only parameter is an `id` as sent, if that is exactly the row's id: SQLite
 * takes `01`, ` 1` and `1e0` for 1, but text comparisons do not.
 */
export function rowById(store: Store, sql: string, id: string): Row | undefined {
  const row = store.get(sql, id);
  return row && idOf(row, 'id') === id ? row : undefined;
}
