declare global {
  interface JSON {
    /** Value whose JSON text is `text`. In V8 since Node 21; TypeScript's library does not declare it yet. */
    rawJSON(text: string): unknown;
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  }
}

/** Parses JSON and preserves the digits of its numbers, so that they are written exactly as they were read. */
export function parseExact(json: string): unknown {
  return JSON.parse(json, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value,
  );
}

/** A date and time without the trailing zeros that its type adds to the seconds. */
export function withoutZeros(moment: string): string {
  return moment.replace(/\.(\d*?)0+(?=\D|$)/, (_, kept: string) => (kept === '' ? '' : `.${kept}`));
}

/** A value as JSON text; bytes become hexadecimal text. */
export function plainText(value: unknown): string {
  return JSON.stringify(Buffer.isBuffer(value) ? value.toString('hex').toUpperCase() : String(value));
}
