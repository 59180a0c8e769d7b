declare global {
  interface JSON {
    /** Value whose JSON text is `text`; in V8 since Node 21, but not yet in TypeScript's library. */
    rawJSON(text: string): unknown;
    isRawJSON(value: unknown): boolean;
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  }
}

/** A number whose digits JavaScript would change, such as 9007199254740993 or 1.0; stored as written. */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** A JSON object. */
export interface JsonObject {
  [key: string]: Json;
}

/** A JSON value with exact numbers. `JSON.stringify` writes it as it was read. */
export type Json = null | boolean | number | string | ExactNumber | Json[] | JsonObject;

/**
 * Parses JSON without changing numbers: one that JavaScript would write differently becomes an {@link ExactNumber}.
 * @throws {SyntaxError} for invalid JSON.
 */
export function parseExact(text: string): Json {
  const keepDigits = (_key: string, value: unknown, { source }: { source?: string }): unknown =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value;
  return JSON.parse(text, keepDigits) as Json;
}

/** Whether a value is a JSON object; exact numbers and arrays are not. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

/** Own field of an object; undefined if missing. Safe for any key. */
export function fieldOf(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** An identifier as a JSON number with all its digits, or as text if it is not an integer. */
export function numberOrText(id: string): Json {
  return /^-?(?:0|[1-9]\d*)$/.test(id) ? parseExact(id) : id;
}

/** Text of an identifier, given as text or number; undefined for null, empty text and anything else. */
export function identifierText(value: Json | undefined): string | undefined {
  if (typeof value === 'number' || JSON.isRawJSON(value)) return JSON.stringify(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
