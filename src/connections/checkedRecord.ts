import { createHash } from 'node:crypto';

/** A stored record; `damaged` if it is not a JSON object or does not match its checksum. */
export type CheckedRecord = { kind: 'damaged' } | { kind: 'whole'; value: object; hasSum: boolean };

/** A record as JSON with a checksum, which earlier releases ignore: a changed id would still be valid JSON. */
export function writeChecked(value: object): string {
  return JSON.stringify({ ...value, sum: sumOf(value) });
}

/** Reads what {@link writeChecked} wrote; records of earlier releases have no checksum. */
export function readChecked(text: string): CheckedRecord {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return { kind: 'damaged' };
  if (!('sum' in value)) return { kind: 'whole', value, hasSum: false };
  const { sum, ...rest } = value;
  return sum === sumOf(rest) ? { kind: 'whole', value: rest, hasSum: true } : { kind: 'damaged' };
}

function sumOf(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
