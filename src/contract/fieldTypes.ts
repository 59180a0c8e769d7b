/** Field type codes, as `Fieldtype` and `yurbitype` carry them. API description, Field type codes. */
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

/** Whether `code` is one of the documented field type codes. */
export function isFieldTypeCode(code: unknown): code is FieldTypeCode {
  return typeof code === 'string' && Object.hasOwn(fieldTypes, code);
}
