import type { BuilderField, FieldUse } from '../../pageContract.ts';
import { fieldFamily, type FieldFamily } from '../../../../contract/fieldTypes.ts';
import * as l10n from '../../../../l10n/l10n.ts';

/** A way to use a field, as listed. */
interface OfferedUse {
  value: string;
  label: string;
}

const spellings: Readonly<Record<string, FieldUse>> = {
  '': 'value',
  NONE: 'value',
  GROUP: 'value',
  'GROUP BY': 'value',
  TOTAL: 'SUM',
  AVERAGE: 'AVG',
  MINIMUM: 'MIN',
  MAXIMUM: 'MAX',
  'DISTINCT COUNT': 'COUNT DISTINCT',
  STDEV: 'STDDEV',
  VAR: 'VARIANCE',
};
const uses: readonly FieldUse[] = [
  'value',
  'group',
  'SUM',
  'AVG',
  'MIN',
  'MAX',
  'COUNT',
  'COUNT DISTINCT',
  'STDDEV',
  'VARIANCE',
];
const numbersOnly: readonly FieldUse[] = ['SUM', 'AVG', 'STDDEV', 'VARIANCE'];

/** How a field is used. An unknown aggregate is returned as is. */
export function useOf({ isGroup, aggregate }: Pick<BuilderField, 'isGroup' | 'aggregate'>): string {
  if (isGroup) return 'group';
  const word = aggregate.toUpperCase().replace(/[\s_]+/g, ' ');
  return (Object.hasOwn(spellings, word) ? spellings[word] : undefined) ?? word;
}

/** The suitable uses for a field, and its current one. */
export function offeredUses(field: BuilderField): OfferedUse[] {
  const labels: Record<FieldUse, string> = {
    value: l10n.t('Value'),
    group: l10n.t('Group'),
    SUM: l10n.t('Sum'),
    AVG: l10n.t('Average'),
    MIN: l10n.t('Minimum'),
    MAX: l10n.t('Maximum'),
    COUNT: l10n.t('Count'),
    'COUNT DISTINCT': l10n.t('Count distinct'),
    STDDEV: l10n.t('Std. deviation'),
    VARIANCE: l10n.t('Variance'),
  };
  const current = useOf(field);
  // A formula can return numbers, whatever the field's type.
  const hasNumbers = isNumeric(field.type) || field.formula !== '' || field.type === 'for';
  const offered = uses.filter((use) => use === current || hasNumbers || !numbersOnly.includes(use));
  const known = offered.map((value): OfferedUse => ({ value, label: labels[value] }));
  return isFieldUse(current) ? known : [...known, { value: current, label: current }];
}

/** Whether a text is a use that the builder can write. */
export function isFieldUse(value: string): value is FieldUse {
  return uses.some((use) => use === value);
}

const icons: Record<FieldFamily, string> = {
  number: 'symbol-numeric',
  moment: 'calendar',
  link: 'link',
  drillDown: 'arrow-small-down',
  formula: 'symbol-operator',
  text: 'symbol-string',
};

/** Codicon of a field type code. API description, Field type codes. */
export function typeIcon(type: string): string {
  return icons[fieldFamily(type)];
}

/** Whether values of a type are numbers that can be summed. */
export function isNumeric(type: string): boolean {
  return fieldFamily(type) === 'number';
}

/** Whether values of a type are dates, with or without a time. */
export function isDateTime(type: string): boolean {
  return fieldFamily(type) === 'moment';
}
