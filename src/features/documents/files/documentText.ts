import { parseTree, type ParseError } from 'jsonc-parser';
import type * as z from 'zod';
import { repeatsKey } from '../../../client/http/reply/exactJson.ts';
import { isJsonObject, parseExact, type JsonObject } from '../../../objects/json.ts';
import { say } from '../../../l10n/l10n.ts';
import { whyUnfit } from '../save/whyUnfit.ts';

/** How a view reads as a document. */
export function documentText(view: JsonObject): string {
  return `${JSON.stringify(view, undefined, 2)}\n`;
}

/**
 * Reads the text of a document.
 * @throws {Error} that says in one line what is wrong, for text that is no JSON or does not fit the contract.
 */
export function readDocument(text: string, schema: z.ZodType): JsonObject {
  const fault = jsonFault(text);
  if (fault !== undefined) {
    const before = text.slice(0, fault).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    throw new Error(say('It is no valid JSON, first at line {0}, column {1}.', before.length, column));
  }
  const view = parseExact(text);
  if (!isJsonObject(view)) throw new Error(say('The document must be one JSON object.'));
  // Exact numbers are numbers to the contract.
  const plain: unknown = JSON.parse(text);
  if (repeatsKey(text, plain)) {
    throw new Error(say('An object in it has the same key twice; the editor marks it. Leave one of them.'));
  }
  const checked = schema.safeParse(plain);
  if (checked.success) return view;
  throw new Error(whyUnfit(checked.error.issues, plain));
}

/** Where a text first is no JSON; undefined where it is. */
export function jsonFault(text: string): number | undefined {
  const faults: ParseError[] = [];
  parseTree(text, faults, { disallowComments: true });
  return faults[0]?.offset;
}
