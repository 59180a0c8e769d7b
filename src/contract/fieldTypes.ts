/** Field type codes, as used in `Fieldtype` and `yurbitype`. API description, Field type codes. @l10n */
export const fieldTypes = {
  cha: 'Character',
  num: 'Numeric',
  dat: 'SQL datetime, shifted by the time-zone offset',
  dtz: 'SQL datetime, as stored',
  doz: 'Date only, as stored',
  udt: 'Unix datetime',
  tsp: 'Oracle timestamp',
  ddn: 'Drill-down field',
  lnk: 'Link field',
  flk: 'File download link',
  for: 'SQL formula field',
  cur: 'Currency',
  per: 'Percentage',
} as const;

export type FieldTypeCode = keyof typeof fieldTypes;

/** The kind of values of a field type, ignoring its time-zone rule and format. */
export type FieldFamily = 'number' | 'moment' | 'link' | 'drillDown' | 'formula' | 'text';

const families: Record<FieldTypeCode, FieldFamily> = {
  cha: 'text',
  num: 'number',
  dat: 'moment',
  dtz: 'moment',
  doz: 'moment',
  udt: 'moment',
  tsp: 'moment',
  ddn: 'drillDown',
  lnk: 'link',
  flk: 'link',
  for: 'formula',
  cur: 'number',
  per: 'number',
};

/** The family of a field type code; unknown codes count as text. API description, Field type codes. */
export function fieldFamily(code: string): FieldFamily {
  return isFieldTypeCode(code) ? families[code] : 'text';
}

/** Whether `code` is a documented field type code. */
export function isFieldTypeCode(code: unknown): code is FieldTypeCode {
  return typeof code === 'string' && Object.hasOwn(fieldTypes, code);
}
