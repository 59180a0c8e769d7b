/** Text of an identifier, whether sent as text, as a number or as an exact number; empty for any other value. */
export function idText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'object' && value !== null && 'rawJSON' in value ? String(value.rawJSON) : '';
}
