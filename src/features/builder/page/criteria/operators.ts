import { readOperator, valuesTaken, type Operator, type ValueCount } from '../../../../contract/operators.ts';
import type { BuilderCriterion } from '../../pageContract.ts';
import * as l10n from '../../../../l10n/l10n.ts';

/** An operator in the list. `value` is the report's spelling. */
interface OfferedOperator {
  value: Operator;
  label: string;
  takes: ValueCount;
}

/** Operators of criteria, in list order, with localized labels. */
export function offeredOperators(): OfferedOperator[] {
  const labels: [Operator, string][] = [
    ['=', l10n.t('equals')],
    ['<>', l10n.t('is not')],
    ['between', l10n.t('is between')],
    ['not between', l10n.t('is not between')],
    ['in', l10n.t('is one of')],
    ['not in', l10n.t('is none of')],
    ['<', l10n.t('is less than')],
    ['<=', l10n.t('is at most')],
    ['>', l10n.t('is greater than')],
    ['>=', l10n.t('is at least')],
    ['contains', l10n.t('contains')],
    ['not contains', l10n.t('does not contain')],
    ['starts with', l10n.t('starts with')],
    ['ends with', l10n.t('ends with')],
    ['like', l10n.t('is like (% and _)')],
    ['not like', l10n.t('is not like (% and _)')],
    ['is null', l10n.t('is empty')],
    ['is not null', l10n.t('is not empty')],
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
