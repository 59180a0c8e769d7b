/** A JSON object whose numbers may be bigints or raw JSON. */
export type Entry = Readonly<Record<string, unknown>>;

/** A value in an entry that is not an object itself, with the names of the properties that lead to it. */
export interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Objects deeper than this are leaves. */
const depthLimit = 4;

/** Whether a value is a JSON object; exact numbers and lists are not. */
export function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

/** Own property of an entry. */
export function valueOf(entry: Entry, name: string): unknown {
  return Object.hasOwn(entry, name) ? entry[name] : undefined;
}

/** Leaves of an entry, in its order. */
export function leavesOf(entry: Entry, above: readonly string[] = []): Leaf[] {
  return Object.entries(entry).flatMap(([name, value]): Leaf[] => {
    const path = [...above, name];
    return isEntry(value) && path.length < depthLimit ? leavesOf(value, path) : [{ path, value }];
  });
}

/** The entry with these leaves. Objects that several leaves share stand where the first one does. */
export function entryOf(leaves: readonly Leaf[]): Record<string, unknown> {
  const entry = Object.create(null) as Record<string, unknown>;
  for (const { path, value } of leaves) {
    let at = entry;
    for (const name of path.slice(0, -1)) {
      const below = at[name];
      at = isOpen(below) ? below : (at[name] = Object.create(null) as Record<string, unknown>);
    }
    at[path.at(-1) ?? ''] = value;
  }
  return entry;
}

function isOpen(value: unknown): value is Record<string, unknown> {
  return isEntry(value);
}

/** Identifies a path. */
export function pathKey(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** The words of a path in lower case: `TargetReport.Id` is `target report id`. */
export function wordsOf(path: readonly string[]): string {
  return path
    .map((name) => name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').replace(/(\p{L})(\p{N})/gu, '$1 $2'))
    .join(' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .toLowerCase();
}

/** Whether two JSON values are equal; the order of properties does not matter, digits of numbers do. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, index) => isEqual(value, other[index]));
  }
  if (isEntry(one) && isEntry(other)) {
    const names = Object.keys(one);
    if (names.length !== Object.keys(other).length) return false;
    return names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]));
  }
  return JSON.isRawJSON(one) && JSON.isRawJSON(other) ? JSON.stringify(one) === JSON.stringify(other) : one === other;
}

/**
 * The most common form among entries: the first entry with the properties that most of them have. Servers hold entries
 * of several releases.
 */
export function commonForm<T extends Entry>(entries: readonly T[]): T | undefined {
  const forms = Map.groupBy(entries, (entry) =>
    JSON.stringify(
      leavesOf(entry)
        .map(({ path }) => path)
        .sort(),
    ),
  );
  return [...forms.values()].sort((one, other) => other.length - one.length)[0]?.[0];
}
