import { fieldFamily, type FieldFamily } from '../../../contract/fieldTypes.ts';

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

/** Whether values of a type are numbers, so that they can be added up. */
export function isNumeric(type: string): boolean {
  return fieldFamily(type) === 'number';
}

/** Whether values of a type are moments or days. */
export function isMoment(type: string): boolean {
  return fieldFamily(type) === 'moment';
}
