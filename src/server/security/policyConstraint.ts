import * as z from 'zod';
import { policyOperators } from '../../contract/operators.ts';
import { placeholdersOf, problemOf } from '../../contract/placeholders.ts';

/**
 * One comparison of a row-security policy; our own form, since the API description does not define one. `Value` and
 * `Value2` are literals or placeholders such as `/#label#/`. `Logical` joins the constraint to the next one on the same
 * table within its policy; AND binds tighter. Unknown fields are preserved.
 */
export const policyConstraint = z.looseObject({
  /** Application whose reports are restricted; empty for all. */
  ModuleID: z.string().default(''),
  TableOwner: z.string().default(''),
  TableName: z.string().min(1),
  ColumnName: z.string().min(1),
  Operator: z.enum(policyOperators),
  Value: z.string(),
  Value2: z.string().default(''),
  Logical: z.enum(['AND', 'OR']).default('AND'),
  /**
   * `unixTime` for a numeric column with seconds since 1970: databases do not mark such columns, and the type in a
   * report type is not trusted.
   */
  ColumnType: z.enum(['', 'unixTime']).default(''),
});

export type PolicyConstraint = z.output<typeof policyConstraint>;

/** The values that a constraint compares with. */
export function comparedValues({ Operator, Value, Value2 }: PolicyConstraint): string[] {
  return Operator === 'between' ? [Value, Value2] : [Value];
}

/** Normal labels of a constraint's placeholders; empty if its value cannot be filled, since it then shows no rows. */
export function labelsOf(constraint: PolicyConstraint): string[] {
  const values = comparedValues(constraint);
  if (values.some(problemOf)) return [];
  return values.flatMap(placeholdersOf).flatMap(({ label }) => label.normal ?? []);
}
