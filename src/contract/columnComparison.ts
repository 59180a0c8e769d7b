import type { StoredKind } from './columnTypes.ts';

/** What a policy compares with a column: a Unix time is a number of which the policy itself says so. */
export type ComparedKind = StoredKind | 'unixTime';

/**
 * Why a policy's comparison with a column is not certain, so that it shows no row: the column's type (`type`), the order of
 * texts (`order`), a day compared with text (`dateInText`), a pattern over something else than text (`pattern`), or a value
 * that is no number (`number`), no day (`date`), or a day beside a number that may be a Unix time (`unixTime`).
 */
export type ComparisonDoubt = 'type' | 'order' | 'dateInText' | 'pattern' | 'number' | 'date' | 'unixTime';

const relativeDate =
  /^\s*\[\s*(today|yesterday|tomorrow|(this|last|next)\s+(week|month|quarter|year)|last\s+\d{1,4}\s+days)\s*\]\s*$/i;
const writtenDate = /^\s*(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\/\d{1,2}\/\d{4})(?!\d)/;
/** No platform rounds a number that is not longer. */
const exactNumber = /^\s*[+-]?(\d{1,18}(\.\d{0,10})?|\.\d{1,10})\s*$/;

/** What a policy compares a column of this kind as; undefined when `columnType`, which the policy says, does not fit it. */
export function comparedAs(kind: StoredKind | undefined, columnType: string): ComparedKind | undefined {
  if (columnType === '') return kind;
  return columnType === 'unixTime' && kind === 'number' ? columnType : undefined;
}

/** Why a comparison of a column with values shows no row; undefined where nothing speaks against it. Lists come item by item. */
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

/** Texts of days sort and differ by their spelling, which the policy cannot know. */
function textDoubt(operator: string, values: readonly string[]): ComparisonDoubt | undefined {
  if (!['=', '<>', 'in', 'not in', 'like'].includes(operator)) return 'order';
  const isUncertain = (value: string) =>
    relativeDate.test(value) || (['<>', 'not in'].includes(operator) && writtenDate.test(value));
  return values.some(isUncertain) ? 'dateInText' : undefined;
}

function isDate(value: string): boolean {
  return relativeDate.test(value) || writtenDate.test(value);
}
