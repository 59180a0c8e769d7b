import type { StoredKind } from './columnTypes.ts';

/** What a policy compares with a column: a Unix time is a number that the policy declares as one. */
export type ComparedKind = StoredKind | 'unixTime';

/**
 * Why a policy's comparison with a column is uncertain, so that it hides all rows: the column's type (`type`), the
 * order of texts (`order`), a date compared with text (`dateInText`), a pattern on a column that is not text
 * (`pattern`), or a value that is not a number (`number`), not a date (`date`), or a date compared with a number that
 * may be a Unix time (`unixTime`).
 */
export type ComparisonDoubt = 'type' | 'order' | 'dateInText' | 'pattern' | 'number' | 'date' | 'unixTime';

const relativeDate =
  /^\s*\[\s*(today|yesterday|tomorrow|(this|last|next)\s+(week|month|quarter|year)|last\s+\d{1,4}\s+days)\s*\]\s*$/i;
const writtenDate = /^\s*(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\/\d{1,2}\/\d{4})(?!\d)/;
/** Every platform stores a number up to this length without rounding. */
const exactNumber = /^\s*[+-]?(\d{1,18}(\.\d{0,10})?|\.\d{1,10})\s*$/;

/** How a policy compares a column of this kind; undefined when the policy's `columnType` does not match it. */
export function comparedAs(kind: StoredKind | undefined, columnType: string): ComparedKind | undefined {
  if (columnType === '') return kind;
  return columnType === 'unixTime' && kind === 'number' ? columnType : undefined;
}

/**
 * Why a comparison of a column with values hides all rows; undefined when it is certain. List items are separate
 * values.
 */
export function comparisonDoubt(
  kind: ComparedKind | undefined,
  operator: string,
  values: readonly string[],
): ComparisonDoubt | undefined {
  if (kind === undefined) return 'type';
  if (kind === 'text') return textDoubt(operator, values);
  if (operator === 'like') return 'pattern';
  if (kind === 'number') {
    if (values.some(isDate)) return 'unixTime';
    return values.every((value) => exactNumber.test(value)) ? undefined : 'number';
  }
  const isValue = (value: string) => isDate(value) || (kind === 'unixTime' && exactNumber.test(value));
  return values.every(isValue) ? undefined : 'date';
}

/** Dates in text are ordered and compared by their format, which the policy cannot know. */
function textDoubt(operator: string, values: readonly string[]): ComparisonDoubt | undefined {
  if (!['=', '<>', 'in', 'not in', 'like'].includes(operator)) return 'order';
  const isUncertain = (value: string) =>
    relativeDate.test(value) || (['<>', 'not in'].includes(operator) && writtenDate.test(value));
  return values.some(isUncertain) ? 'dateInText' : undefined;
}

function isDate(value: string): boolean {
  return relativeDate.test(value) || writtenDate.test(value);
}
