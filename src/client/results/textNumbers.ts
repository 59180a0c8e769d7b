import type { ColumnData } from './columnData.ts';
import { keepsValue } from './numberText.ts';
import { cellTag } from './resultCell.ts';
import type { ResultColumn } from './resultColumn.ts';

/** Numeric texts up to this length fit into a double without loss. */
const safeLength = 15;
const numberTypes: readonly (string | undefined)[] = ['num', 'cur', 'per'];
/** Field types whose cells are not numbers, whatever their database type. */
const otherTypes: readonly (string | undefined)[] = ['dat', 'udt', 'dtz', 'tsp', 'doz', 'ddn', 'lnk', 'flk'];

/**
 * Whether a column holds numbers, by its field type code or, if that is inconclusive, its data type. Servers send
 * decimals as text: in such a column a numeric text counts as a number. API description, Field type codes.
 */
export function isNumberColumn(column: Pick<ResultColumn, 'fieldType' | 'dataType'> | undefined): boolean {
  if (column === undefined || otherTypes.includes(column.fieldType)) return false;
  if (numberTypes.includes(column.fieldType)) return true;
  const type = column.dataType ?? '';
  return /^(system\.)?(number|numeric|decimal|double|float|single|real|(big|small|tiny)?int(eger|16|32|64)?)$/i.test(
    type,
  );
}

/** The text of a decimal number without surrounding blanks and plus sign; undefined for any other text. */
export function decimalIn(text: string): string | undefined {
  const trimmed = text.trim();
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return undefined;
  return trimmed.startsWith('+') ? trimmed.slice(1) : trimmed;
}

/** The numeric value of a text; undefined if it is not a number or out of range for a double. */
export function numberIn(text: string): number | undefined {
  const decimal = decimalIn(text);
  const number = decimal === undefined ? NaN : Number(decimal);
  return Number.isFinite(number) ? number : undefined;
}

/** The numeric value of a text, if a double holds all of its digits. */
export function exactNumberIn(text: string): number | undefined {
  const number = numberIn(text);
  if (number === undefined) return undefined;
  return keepsValue(decimalIn(text) ?? '', number) ? number : undefined;
}

/** Reads numbers from the text cells of one column, each text of the dictionary once. */
export class TextNumbers {
  /** Whether a number read so far has more digits than its double. */
  hasLostDigits = false;
  readonly #data: ColumnData;
  readonly #known: Float64Array;
  readonly #isKnown: Uint8Array;

  constructor(data: ColumnData) {
    this.#data = data;
    this.#known = new Float64Array(data.dictionary.size);
    this.#isKnown = new Uint8Array(data.dictionary.size);
  }

  /** The number in a text cell; NaN for other cells and texts that are not numbers. */
  of(tag: number, slot: number): number {
    if (tag === cellTag.code) {
      if (this.#isKnown[slot] === 1) return this.#known[slot]!;
      const number = this.#read(this.#data.dictionary.textOf(slot));
      if (slot < this.#known.length) {
        this.#known[slot] = number;
        this.#isKnown[slot] = 1;
      }
      return number;
    }
    if (tag !== cellTag.text && tag !== cellTag.literal) return NaN;
    const value = this.#data.valueOf(tag, slot);
    return typeof value === 'string' ? this.#read(value) : NaN;
  }

  #read(text: string): number {
    const number = numberIn(text);
    if (number !== undefined && text.length > safeLength && exactNumberIn(text) === undefined)
      this.hasLostDigits = true;
    return number ?? NaN;
  }
}
