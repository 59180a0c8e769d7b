import { readOperator, valuesTaken, type Operator, type ValueCount } from '../../../../contract/operators.ts';
import type { BuilderCriterion } from '../../pageContract.ts';
import type { BuilderStrings } from '../../pageStrings.ts';

/** An operator as the list offers it; `value` is what the report says. */
interface OfferedOperator {
  value: Operator;
  label: string;
  takes: ValueCount;
}

/** Operators of criteria, in the order of the list, with their words. */
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

/** The offered operator that a report's spelling means; the spelling itself where none is known. */
export function knownOperator(text: string): string {
  return readOperator(text) ?? text.trim();
}

/** Whether a row compares with nothing yet. One that asks when it is run may do so. */
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
