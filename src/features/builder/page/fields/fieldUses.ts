import type { BuilderField, FieldUse } from '../../pageContract.ts';
import type { BuilderStrings } from '../../pageStrings.ts';
import { fieldFamily, type FieldFamily } from '../../../../contract/fieldTypes.ts';

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
export function offeredUses(field: BuilderField, strings: BuilderStrings): OfferedUse[] {
  const labels: Record<FieldUse, string> = {
    value: strings.useValue,
    group: strings.useGroup,
    SUM: strings.useSum,
    AVG: strings.useAverage,
    MIN: strings.useMinimum,
    MAX: strings.useMaximum,
    COUNT: strings.useCount,
    'COUNT DISTINCT': strings.useCountDistinct,
    STDDEV: strings.useDeviation,
    VARIANCE: strings.useVariance,
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
