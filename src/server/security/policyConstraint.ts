import * as z from 'zod';

/** Comparisons a constraint may make. */
export const constraintOperators = ['=', '<>', '<', '<=', '>', '>=', 'in', 'not in', 'like', 'between'] as const;

/** Placeholders of the caller's own profile, beside the labels of data tags; case does not matter. */
export const profilePlaceholders = [
  'tag1',
  'tag2',
  'tag3',
  'tag4',
  'login',
  'firstname',
  'lastname',
  'email',
  'company',
] as const;

/** One of {@link profilePlaceholders}. */
export type ProfilePlaceholder = (typeof profilePlaceholders)[number];

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

const placeholder = /\/#(.*?)#\//gsu;

/** Labels of the placeholders `/#label#/` within a constraint's value, as written. */
export function placeholdersOf(value: string): string[] {
  return [...value.matchAll(placeholder)].map((match) => match[1] ?? '');
}

/** Profile fields that hold one text each; Tag1 to Tag4 may be lists, as administrators write them. */
const ownTexts: readonly string[] = [
  'login',
  'firstname',
  'lastname',
  'email',
  'company',
] satisfies ProfilePlaceholder[];

/** Whether a label stands for a profile field that is one text, which no list may be made of. */
export function isOwnText(label: string): boolean {
  return ownTexts.includes(label.toLowerCase());
}

/** Whether a label is one of the profile placeholders rather than a data tag's. */
export function isProfilePlaceholder(label: string): boolean {
  return profilePlaceholders.some((name) => name === label.toLowerCase());
}
