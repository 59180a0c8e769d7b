import { type FieldTypeCode } from '../../contract/fieldTypes.ts';
import type { ResultColumn } from '../../contract/resources/reportResult.ts';
import { type ExpressionKind, kindOf } from './formulas/expressionKinds.ts';
import type { PlannedField } from './fieldPlan.ts';

const formats: Record<FieldTypeCode, string> = {
  cha: '',
  num: '',
  dat: 'yyyy-MM-dd HH:mm:ss',
  dtz: 'yyyy-MM-dd HH:mm:ss',
  doz: 'yyyy-MM-dd',
  udt: 'yyyy-MM-dd HH:mm:ss',
  tsp: 'yyyy-MM-dd HH:mm:ss',
  ddn: '',
  lnk: '',
  flk: '',
  for: '',
  cur: 'c2',
  per: 'p2',
};

function dataType(kind: ExpressionKind): string {
  switch (kind) {
    case 'number':
    case 'unixTime':
      return 'number';
    case 'date':
    case 'timestamp':
      return 'date';
    default:
      return 'string';
  }
}

const narrowest = 80;
const widest = 320;

/** A column of the result as it is described to clients. Width in pixels. API description, Report result. */
export function resultColumn(field: PlannedField): ResultColumn {
  const kind = kindOf(field.expression);
  const content = kind === 'text' ? 160 : kind === 'timestamp' ? 150 : 100;
  return {
    headerText: field.header,
    key: field.alias,
    dataType: dataType(kind),
    width: Math.min(widest, Math.max(narrowest, content, field.header.length * 8 + 24)),
    dataFormatString: formats[field.fieldType],
    yurbitype: field.fieldType,
    columngroup: '',
  };
}

/**
 * The same column as the described service's grid takes it; ours takes no notice of it. The description names the field
 * (`jqxColumns`) and leaves its entries open.
 */
export function gridColumn({ headerText, key, width }: ResultColumn): object {
  return { text: headerText, datafield: key, width };
}
