import type { BuilderStrings } from '../../protocol/builderStrings.ts';

/** How many values an operator takes. */
export type ValueCount = 'none' | 'one' | 'two' | 'list';

/** An operator as the list offers it; `value` is what the report says. */
export interface OfferedOperator {
  value: string;
  label: string;
  takes: ValueCount;
}

/** Operators of criteria, in the order of the list, with their words. */
export function offeredOperators(strings: BuilderStrings): OfferedOperator[] {
  return [
    { value: '=', label: strings.opEquals, takes: 'one' },
    { value: '<>', label: strings.opDiffers, takes: 'one' },
    { value: 'between', label: strings.opBetween, takes: 'two' },
    { value: 'not between', label: strings.opNotBetween, takes: 'two' },
    { value: 'in', label: strings.opIn, takes: 'list' },
    { value: 'not in', label: strings.opNotIn, takes: 'list' },
    { value: '<', label: strings.opLess, takes: 'one' },
    { value: '<=', label: strings.opAtMost, takes: 'one' },
    { value: '>', label: strings.opGreater, takes: 'one' },
    { value: '>=', label: strings.opAtLeast, takes: 'one' },
    { value: 'contains', label: strings.opContains, takes: 'one' },
    { value: 'not contains', label: strings.opNotContains, takes: 'one' },
    { value: 'starts with', label: strings.opStartsWith, takes: 'one' },
    { value: 'ends with', label: strings.opEndsWith, takes: 'one' },
    { value: 'like', label: strings.opLike, takes: 'one' },
    { value: 'not like', label: strings.opNotLike, takes: 'one' },
    { value: 'is null', label: strings.opIsNull, takes: 'none' },
    { value: 'is not null', label: strings.opIsNotNull, takes: 'none' },
  ];
}

const otherSpellings: Readonly<Record<string, string>> = {
  '==': '=',
  '!=': '<>',
  equals: '=',
  'equal to': '=',
  is: '=',
  'not equal': '<>',
  'not equal to': '<>',
  'is not': '<>',
  'is between': 'between',
  'is not between': 'not between',
  'in list': 'in',
  'is in list': 'in',
  'one of': 'in',
  'not in list': 'not in',
  'none of': 'not in',
  'less than': '<',
  'at most': '<=',
  'greater than': '>',
  'at least': '>=',
  before: '<',
  after: '>',
  'does not contain': 'not contains',
  'begins with': 'starts with',
  'is like': 'like',
  'is not like': 'not like',
  null: 'is null',
  'is empty': 'is null',
  'not null': 'is not null',
  'is not empty': 'is not null',
};

/** The offered operator that a report's spelling means; the spelling itself where none is known. */
export function knownOperator(text: string): string {
  const spelling = text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
  return (Object.hasOwn(otherSpellings, spelling) ? otherSpellings[spelling] : undefined) ?? spelling;
}
