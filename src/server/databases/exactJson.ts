declare global {
  interface JSON {
    /** Value whose JSON text is `text`. In V8 since Node 21; TypeScript's library does not list it yet. */
    rawJSON(text: string): unknown;
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  }
}

/** Parses JSON and keeps the digits of its numbers: they are written again exactly as they were read. */
export function parseExact(json: string): unknown {
  return JSON.parse(json, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value,
  );
}
