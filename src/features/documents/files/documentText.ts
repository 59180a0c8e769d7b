import { parseTree, type ParseError } from 'jsonc-parser';
import type * as z from 'zod';
import { repeatsKey } from '../../../client/http/reply/exactJson.ts';
import { isJsonObject, parseExact, type JsonObject } from '../../../objects/json.ts';
import * as l10n from '../../../l10n/l10n.ts';

/** Formats a view as document text. */
export function documentText(view: JsonObject): string {
  return `${JSON.stringify(view, undefined, 2)}\n`;
}

/**
 * Parses the text of a document.
 * @throws {Error} with a one-line message if the text is invalid JSON or does not match the contract.
 */
export function readDocument(text: string, schema: z.ZodType): JsonObject {
  const fault = jsonFault(text);
  if (fault !== undefined) {
    const before = text.slice(0, fault).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    throw new Error(l10n.t('Invalid JSON at line {0}, column {1}.', before.length, column));
  }
  const view = parseExact(text);
  if (!isJsonObject(view)) throw new Error(l10n.t('The document must be a single JSON object.'));
  // The contract expects exact numbers to be numbers.
  const plain: unknown = JSON.parse(text);
  if (repeatsKey(text, plain)) {
    throw new Error(l10n.t('An object has a duplicate key, marked in the editor. Remove one of the two.'));
  }
  const checked = schema.safeParse(plain);
  if (checked.success) return view;
  throw new Error(explainMismatch(checked.error.issues, plain));
}

/** Offset of the first JSON syntax error; undefined if the text is valid. */
export function jsonFault(text: string): number | undefined {
  const faults: ParseError[] = [];
  parseTree(text, faults, { disallowComments: true });
  return faults[0]?.offset;
}

type Issue = z.core.$ZodIssue;

/** The first reason why `value` does not match the contract, localized. */
export function explainMismatch([issue]: readonly Issue[], value: unknown): string {
  const place = issue?.path.join('.') || l10n.t('The document');
  if (issue?.code === 'invalid_value')
    return l10n.t('{0} must be one of: {1}.', place, issue.values.map(String).join(', '));
  if (issue?.code === 'invalid_type') {
    if (valueAt(value, issue.path) === undefined) return l10n.t('{0} is missing.', place);
    const wanted = typeWord(issue.expected);
    if (wanted !== undefined) return l10n.t('{0} must be {1}.', place, wanted);
  }
  const [first, ...others] = issue?.code === 'invalid_union' ? wantedTypes(issue) : [];
  if (first !== undefined)
    return others.length === 0
      ? l10n.t('{0} must be {1}.', place, first)
      : l10n.t('{0} must be one of: {1}.', place, [first, ...others].join(', '));
  return l10n.t('{0} has an invalid value: {1}.', place, issue?.message ?? '?');
}

/** The allowed types of a union as text; empty if it allows more than types. */
function wantedTypes({ errors }: Extract<Issue, { code: 'invalid_union' }>): string[] {
  const wanted = errors.map(([issue]) =>
    issue?.code === 'invalid_type' && issue.path.length === 0 ? issue.expected : '',
  );
  const words = wanted.filter((type) => type !== 'null').map(typeWord);
  return words.every((word) => word !== undefined) ? [...new Set(words)] : [];
}

function typeWord(type: string): string | undefined {
  switch (type) {
    case 'string':
      return l10n.t('a string');
    case 'number':
      return l10n.t('a number');
    case 'int':
      return l10n.t('a whole number');
    case 'boolean':
      return l10n.t('true or false');
    case 'array':
      return l10n.t('an array');
    case 'object':
    case 'record':
      return l10n.t('an object');
    default:
      return undefined;
  }
}

/** The value at a path; undefined if there is none. */
function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  );
}
