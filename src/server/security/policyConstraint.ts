import * as z from 'zod';
import { placeholdersOf, problemOf, type ProfilePlaceholder } from '../../contract/placeholders.ts';

/** Comparisons a constraint may make. */
export const constraintOperators = ['=', '<>', '<', '<=', '>', '>=', 'in', 'not in', 'like', 'between'] as const;

/**
 * One comparison of a row-security policy; our own form, since the API description leaves it open. `Value` and `Value2`
 * are literals or placeholders such as `/#label#/`. `Logical` joins the constraint to the next one on the same table
 * within its policy; AND binds tighter. Unknown fields are kept.
 */
export const policyConstraint = z.looseObject({
  /** Application whose reports are restricted; empty for any. */
  ModuleID: z.string().default(''),
  TableOwner: z.string().default(''),
  TableName: z.string().min(1),
  ColumnName: z.string().min(1),
  Operator: z.enum(constraintOperators),
  Value: z.string(),
  Value2: z.string().default(''),
  Logical: z.enum(['AND', 'OR']).default('AND'),
  /**
   * `unixTime` for a column of numbers that counts seconds since 1970: no database says so, and what a report type registers
   * is not believed.
   */
  ColumnType: z.enum(['', 'unixTime']).default(''),
});

export type PolicyConstraint = z.output<typeof policyConstraint>;

/** The values that a constraint compares with. */
export function comparedValues({ Operator, Value, Value2 }: PolicyConstraint): string[] {
  return Operator === 'between' ? [Value, Value2] : [Value];
}

/** Normal labels that a constraint is filled with; none where a value cannot be filled, since no row is seen then. */
export function labelsOf(constraint: PolicyConstraint): string[] {
  const values = comparedValues(constraint);
  if (values.some(problemOf)) return [];
  return values.flatMap(placeholdersOf).flatMap(({ label }) => label.normal ?? []);
}

/** Profile fields that hold one text each; Tag1 to Tag4 may be lists, as administrators write them. */
const ownTexts: readonly string[] = [
  'login',
  'firstname',
  'lastname',
  'email',
  'company',
] satisfies ProfilePlaceholder[];

/** Whether a normal label is that of a profile field that is one text, which no list may be made of. */
export function isOwnText(label: string): boolean {
  return ownTexts.includes(label);
}
