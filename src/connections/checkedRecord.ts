import { createHash } from 'node:crypto';

/** A stored record; `damaged` if it is not a JSON object or does not match its checksum. */
export type CheckedRecord = { kind: 'damaged' } | { kind: 'whole'; value: object; hasSum: boolean };

/** A record as JSON with a checksum, which earlier releases ignore: a changed id would still be valid JSON. */
export function writeChecked(value: object): string {
  return JSON.stringify(withSum(value));
}

/** Reads what {@link writeChecked} wrote; records of earlier releases have no checksum. */
export function readChecked(text: string): CheckedRecord {
  return checked(parsed(text));
}

/** A value to store in the editor's state with a checksum; the records of a list have one each. */
export function withSums(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => (isRecord(each) ? withSum(each) : each));
  return isRecord(value) ? withSum(value) : value;
}

/** Reads what {@link withSums} made; undefined if it is damaged. The damaged records of a list are returned apart. */
export function readSums(stored: unknown): { value: unknown; damaged: readonly unknown[] } | undefined {
  if (Array.isArray(stored)) {
    const [whole, damaged]: [unknown[], unknown[]] = [[], []];
    for (const each of stored as readonly unknown[]) {
      const read = isRecord(each) ? checked(each) : undefined;
      if (read?.kind === 'damaged') damaged.push(each);
      else whole.push(read ? read.value : each);
    }
    return { value: whole, damaged };
  }
  if (!isRecord(stored)) return { value: stored, damaged: [] };
  const read = checked(stored);
  return read.kind === 'whole' ? { value: read.value, damaged: [] } : undefined;
}

function checked(value: unknown): CheckedRecord {
  if (!isRecord(value)) return { kind: 'damaged' };
  if (!('sum' in value)) return { kind: 'whole', value, hasSum: false };
  const { sum, ...rest } = value;
  return sum === sumOf(rest) ? { kind: 'whole', value: rest, hasSum: true } : { kind: 'damaged' };
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function withSum(value: object): object {
  return { ...value, sum: sumOf(value) };
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
