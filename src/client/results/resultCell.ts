/** Number whose decimal text exceeds the precision of a double, stored as received. */
export interface ExactNumber {
  readonly kind: 'exact';
  readonly text: string;
}

/** Object or array in a cell, stored as its JSON text. */
export interface JsonCell {
  readonly kind: 'json';
  readonly text: string;
}

/** Represents a key that a row does not have, since `undefined` does not survive a message. */
export interface MissingCell {
  readonly kind: 'missing';
}

/** Value of one cell. `undefined` means that the row does not have the key, which differs from `null`. */
export type CellValue = string | number | boolean | null | undefined | ExactNumber | JsonCell;

/** Value of one cell in a message to a page: plain data without undefined. */
export type WindowCell = Exclude<CellValue, undefined> | MissingCell;

/**
 * How a cell is stored. Cells tagged `number` and above also fill the column's slot of that row: with the number
 * itself, the code of a text in the column's dictionary, or an address in the store's byte pages.
 */
export const cellTag = {
  missing: 0,
  null: 1,
  false: 2,
  true: 3,
  /** Slot: the value. */
  number: 4,
  /** Slot: address of the decimal text. */
  exact: 5,
  /** Slot: code in the column's dictionary. */
  code: 6,
  /** Slot: address of UTF-8 text. */
  text: 7,
  /** Slot: address of a JSON string literal, for text with lone surrogates, which UTF-8 cannot hold. */
  literal: 8,
  /** Slot: address of the JSON text of an object or array. */
  json: 9,
} as const;

/** Rows per block: the unit in which columns grow, are packed and are read by sorting, filtering and grouping. */
export const blockRows = 4096;
