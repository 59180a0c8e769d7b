import { readOperator, valuesTaken, type Operator, type ValueCount } from '../../../../contract/operators.ts';
import type { BuilderCriterion } from '../../pageContract.ts';
import type { BuilderStrings } from '../../pageStrings.ts';

/** An operator in the list. `value` is the report's spelling. */
interface OfferedOperator {
  value: Operator;
  label: string;
  takes: ValueCount;
}

/** Operators of criteria, in list order, with localized labels. */
export function offeredOperators(strings: BuilderStrings): OfferedOperator[] {
  const labels: [Operator, string][] = [
    ['=', strings.opEquals],
    ['<>', strings.opDiffers],
    ['between', strings.opBetween],
    ['not between', strings.opNotBetween],
    ['in', strings.opIn],
    ['not in', strings.opNotIn],
    ['<', strings.opLess],
    ['<=', strings.opAtMost],
    ['>', strings.opGreater],
    ['>=', strings.opAtLeast],
    ['contains', strings.opContains],
    ['not contains', strings.opNotContains],
    ['starts with', strings.opStartsWith],
    ['ends with', strings.opEndsWith],
    ['like', strings.opLike],
    ['not like', strings.opNotLike],
    ['is null', strings.opIsNull],
    ['is not null', strings.opIsNotNull],
  ];
  return labels.map(([value, label]) => ({ value, label, takes: valuesTaken(value) }));
}

/** The listed operator for a report's spelling; the spelling itself if unknown. */
export function knownOperator(text: string): string {
  return readOperator(text) ?? text.trim();
}

/** Whether a row lacks values. Prompts may lack them. */
export function hasMissingValues({ operator, value1, value2, list, isPrompt }: Omit<BuilderCriterion, 'row'>): boolean {
  const known = readOperator(operator);
  if (isPrompt || known === undefined) return false;
  switch (valuesTaken(known)) {
    case 'none':
      return false;
    case 'one':
      return value1 === '';
    case 'two':
      return value1 === '' || value2 === '';
    case 'list':
      return list.length === 0;
  }
}
