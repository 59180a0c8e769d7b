import { fieldTypes, type FieldTypeCode } from '../../../contract/fieldTypes.ts';
import type { ColumnKind } from '../../security/rowSecurityPredicate.ts';
import { aggregates, functionRow } from '../sql/functions.ts';
import type { CastType, Expression } from '../sql/tree.ts';

/** Kind of an expression's value; `unknown` for NULL only. */
export type ExpressionKind = ColumnKind | 'boolean' | 'unknown';

const kindOfType: Record<FieldTypeCode, ColumnKind> = {
  cha: 'text',
  num: 'number',
  dat: 'timestamp',
  dtz: 'timestamp',
  doz: 'date',
  udt: 'unixTime',
  tsp: 'timestamp',
  ddn: 'text',
  lnk: 'text',
  flk: 'text',
  for: 'text',
  cur: 'number',
  per: 'number',
};

/** Kind of a column of a registered field type. API description, Field type codes. */
export function kindOfFieldType(code: string): ColumnKind {
  return Object.hasOwn(fieldTypes, code) ? kindOfType[code as FieldTypeCode] : 'text';
}

/** The field type that best displays a kind of value. API description, Field type codes. */
export function fieldTypeOfKind(kind: ExpressionKind): FieldTypeCode {
  switch (kind) {
    case 'number':
      return 'num';
    case 'date':
      return 'doz';
    case 'timestamp':
      return 'dtz';
    case 'unixTime':
      return 'udt';
    default:
      return 'cha';
  }
}

const kindOfCast: Record<CastType, ColumnKind> = {
  text: 'text',
  number: 'number',
  integer: 'number',
  date: 'date',
  timestamp: 'timestamp',
};

/** The kind of an expression's value, used to parse the values that it is compared with. */
export function kindOf(expression: Expression): ExpressionKind {
  switch (expression.kind) {
    case 'column':
    case 'output':
      return expression.holds;
    case 'value':
      return expression.value.type;
    case 'null':
      return 'unknown';
    case 'arithmetic':
    case 'negative':
      return 'number';
    case 'comparison':
    case 'logical':
    case 'not':
    case 'test':
      return 'boolean';
    case 'call': {
      const { gives } = functionRow(expression.name);
      if (gives === 'same') return firstKnown(expression.arguments);
      return gives === 'time' ? 'date' : gives === 'number' ? 'number' : 'text';
    }
    case 'aggregate':
      return aggregates[expression.name].gives === 'same' && expression.argument
        ? kindOf(expression.argument)
        : 'number';
    case 'case':
      return firstKnown([
        ...expression.branches.map(({ then }) => then),
        ...(expression.otherwise ? [expression.otherwise] : []),
      ]);
    case 'cast':
      return kindOfCast[expression.to];
    case 'guarded':
      return kindOf(expression.operand);
  }
}

function firstKnown(expressions: readonly Expression[]): ExpressionKind {
  return expressions.map(kindOf).find((kind) => kind !== 'unknown') ?? 'unknown';
}

/** Whether a kind is a date or a date and time. Unix time is a number of seconds in SQL. */
export function isTimeKind(kind: ExpressionKind): kind is 'date' | 'timestamp' {
  return kind === 'date' || kind === 'timestamp';
}
