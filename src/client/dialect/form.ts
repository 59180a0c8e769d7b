import { entryOf, isEntry, isEqual, leavesOf, pathKey, valueOf, wordsOf, type Entry, type Leaf } from './entryText.ts';
import type { ListKind, Part } from './lists.ts';

/** What a leaf of a server's entries holds: one part, or two as `alias.column`. */
interface Slot {
  readonly names: readonly string[];
  readonly part: Part | undefined;
  /** Value in the entry that the form was learned from. */
  readonly sample: unknown;
  /** Form of the entries of a list. */
  readonly below?: Form | undefined;
}

type Recognition = Pick<ListKind, 'parts' | 'pairs' | 'word' | 'fillers'>;

const flagWords = [
  ['Y', 'N'],
  ['Yes', 'No'],
  ['True', 'False'],
  ['1', '0'],
] as const;

/**
 * The form of a server's entries, learned from one of them. `toOurs` and `toWire` undo each other for the entries that
 * {@link reads}.
 */
export class Form {
  readonly #kind: Recognition;
  readonly #slots: ReadonlyMap<string, Slot>;
  readonly #leaves: readonly Leaf[];
  /** Spellings of words, by part and word of ours. */
  readonly #words = new Map<string, unknown>();

  private constructor(kind: Recognition, leaves: readonly Leaf[], slots: ReadonlyMap<string, Slot>) {
    this.#kind = kind;
    this.#leaves = leaves;
    this.#slots = slots;
  }

  /** The form of an entry; parts that it does not have are missing. */
  static of(kind: Recognition, sample: Entry): Form {
    const leaves = leavesOf(sample);
    const slots = new Map<string, Slot>();
    for (const part of kind.parts) {
      const free = leaves.filter(({ path, value }) => !slots.has(pathKey(path)) && fits(part, value));
      const leaf =
        free.find(({ path }) => path.length === 1 && path[0] === part.name) ??
        free.find(({ path }) => part.finds.test(wordsOf(path)));
      if (leaf)
        slots.set(pathKey(leaf.path), { names: [part.name], part, sample: leaf.value, below: belowOf(part, leaf) });
    }
    const found = new Set([...slots.values()].flatMap(({ names }) => names));
    for (const { names, finds } of kind.pairs ?? []) {
      if (names.every((name) => found.has(name))) continue;
      const leaf = leaves.find(
        ({ path, value }) => finds.test(wordsOf(path)) && typeof value === 'string' && /[^.]\.[^.]/.test(value),
      );
      if (leaf) slots.set(pathKey(leaf.path), { names, part: undefined, sample: leaf.value });
    }
    return new Form(kind, leaves, slots);
  }

  /** Whether an entry of the server survives the way to our form and back. Learns the spelling of its words. */
  reads(entry: Entry): boolean {
    for (const { path, value } of leavesOf(entry)) {
      const slot = this.#slots.get(pathKey(path));
      const word = slot?.part?.isWord && this.#kind.word(this.#plain(entry), slot.part.name, value);
      if (slot?.part && word && !this.#words.has(`${slot.part.name} ${word}`)) {
        this.#words.set(`${slot.part.name} ${word}`, value);
      }
    }
    return isEqual(this.toWire(this.toOurs(entry)), entry);
  }

  /** The entry in our form; what is not part of it stays as it is. */
  toOurs(entry: Entry): Record<string, unknown> {
    const ours = this.#plain(entry);
    for (const { path, value } of leavesOf(entry)) {
      const part = this.#slots.get(pathKey(path))?.part;
      if (part?.isWord) ours[part.name] = this.#kind.word(ours, part.name, value) ?? value;
    }
    const isDerived = this.#kind.parts.some(({ name, isWord }) => name === 'type' && isWord) && !this.#has('type');
    if (isDerived) ours.type = this.#kind.word(ours, 'type', undefined);
    return ours;
  }

  /** The server's entry for one in our form, which may be new. */
  toWire(ours: Entry): Entry {
    const isDerived = !this.#has('type');
    const rest = new Map(leavesOf(ours).map((leaf) => [pathKey(leaf.path), leaf]));
    const extras = this.#leaves.filter(({ path }) => !this.#slots.has(pathKey(path)));
    const isNew = extras.length > 0 && !extras.some(({ path }) => rest.has(pathKey(path)));
    const leaves: Leaf[] = [];
    for (const { path, value } of this.#leaves) {
      const key = pathKey(path);
      const slot = this.#slots.get(key);
      const leaf = rest.get(key);
      if (slot) {
        const parts = slot.names.map((name) => rest.get(pathKey([name]))?.value);
        for (const name of slot.names) rest.delete(pathKey([name]));
        if (parts.some((part) => part !== undefined)) leaves.push({ path, value: this.#written(slot, parts) });
        else if (slot.part?.isConstant) leaves.push({ path, value });
        else if (isNew) leaves.push({ path, value: emptyLike(path, value) });
      } else if (leaf) {
        rest.delete(key);
        leaves.push(leaf);
      } else if (isNew) leaves.push({ path, value: emptyLike(path, value) });
    }
    for (const leaf of rest.values()) {
      const [name = ''] = leaf.path;
      const isOurs =
        this.#kind.fillers?.test(name) ||
        (name === 'type' && isDerived && this.#kind.parts.some((part) => part.name === name));
      if (!isOurs) leaves.push(leaf);
    }
    return entryOf(leaves);
  }

  #plain(entry: Entry): Record<string, unknown> {
    const hasExtras = !this.#isAsNew(entry);
    return entryOf(
      leavesOf(entry).flatMap((leaf): Leaf[] => {
        const key = pathKey(leaf.path);
        const slot = this.#slots.get(key);
        if (!slot) return hasExtras || !this.#leaves.some(({ path }) => pathKey(path) === key) ? [leaf] : [];
        const [first = '', second] = slot.names;
        const { value } = leaf;
        if (second !== undefined) {
          if (typeof value !== 'string') return [leaf];
          const dot = value.lastIndexOf('.');
          return [
            { path: [first], value: value.slice(0, Math.max(dot, 0)) },
            { path: [second], value: value.slice(dot + 1) },
          ];
        }
        if (slot.below && Array.isArray(value)) {
          const { below } = slot;
          return [{ path: [first], value: value.map((each: unknown) => (isEntry(each) ? below.toOurs(each) : each)) }];
        }
        return [{ path: [first], value: slot.part?.isFlag ? flagOf(value) : value }];
      }),
    );
  }

  /** Whether an entry has, besides its parts, only what a new one gets: our form then omits that. */
  #isAsNew(entry: Entry): boolean {
    const found = new Map(leavesOf(entry).map(({ path, value }) => [pathKey(path), value]));
    return this.#leaves.every(({ path, value }) => {
      const key = pathKey(path);
      return found.has(key) && (this.#slots.has(key) || isEqual(found.get(key), emptyLike(path, value)));
    });
  }

  #written({ names, part, sample, below }: Slot, parts: readonly unknown[]): unknown {
    const [value] = parts;
    if (names.length > 1) return parts.map((each) => (typeof each === 'string' ? each : '')).join('.');
    if (below && Array.isArray(value)) return value.map((each: unknown) => (isEntry(each) ? below.toWire(each) : each));
    if (part?.isFlag && typeof value === 'boolean') return flagLike(sample, value);
    if (part?.isWord && typeof value === 'string') return this.#spelling(part.name, value);
    // Our own documents hold identifiers as text.
    if (typeof sample === 'number' && typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value);
    return value;
  }

  #spelling(part: string, word: string): unknown {
    const known = this.#words.get(`${part} ${word}`);
    if (known !== undefined) return known;
    const other = [...this.#words].find(([key]) => key.startsWith(`${part} `))?.[1];
    if (typeof other !== 'string') return word;
    const written = other.replace(/\binner\b|\bleft(?: outer)?\b/i, (found) =>
      isUpper(found) ? word.toUpperCase() : word,
    );
    return written === other ? word : written;
  }

  #has(name: string): boolean {
    return [...this.#slots.values()].some(({ names }) => names.includes(name));
  }
}

function belowOf(part: Part, { value }: Leaf): Form | undefined {
  if (!part.parts || !Array.isArray(value)) return undefined;
  const first: unknown = value.find(isEntry);
  return isEntry(first) ? Form.of({ parts: part.parts, word: () => undefined }, first) : undefined;
}

function fits({ parts, isFlag }: Part, value: unknown): boolean {
  if (parts) return Array.isArray(value) && value.every(isEntry);
  return isFlag ? typeof flagOf(value) === 'boolean' : !Array.isArray(value);
}

/** A flag as servers write it; the value itself if it is none. */
function flagOf(value: unknown): unknown {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).toLowerCase() : '';
  const pair = flagWords.find((words) => words.some((word) => word.toLowerCase() === text));
  return pair ? pair[0].toLowerCase() === text : value;
}

function flagLike(sample: unknown, value: boolean): unknown {
  if (typeof sample === 'number') return Number(value);
  if (typeof sample !== 'string') return value;
  const pair = flagWords.find((words) => words.some((word) => word.toLowerCase() === sample.toLowerCase()));
  const word = pair ? pair[value ? 0 : 1] : String(value);
  if (sample === sample.toLowerCase()) return word.toLowerCase();
  return isUpper(sample) ? word.toUpperCase() : word;
}

function isUpper(text: string): boolean {
  return text === text.toUpperCase();
}

/** What a new entry has where an existing one has `value`: no text, no id; words and other numbers as they are. */
function emptyLike(path: readonly string[], value: unknown): unknown {
  const words = wordsOf(path);
  if (typeof value === 'string') return /type|kind|class|mode/.test(words) ? value : '';
  if (typeof value === 'number') return /\bid$/.test(words) ? 0 : value;
  return typeof value === 'boolean' ? value : null;
}

/** The form of a list's entries; undefined if one of them lacks what our form needs. */
export function formOf(kind: ListKind, entry: Entry): Form | undefined {
  const form = Form.of(kind, entry);
  return kind.isWhole(form.toOurs(entry)) && form.reads(entry) ? form : undefined;
}

/** Whether an entry is in our own form. */
export function isOurs(kind: ListKind, entry: Entry): boolean {
  return kind.isWhole(Object.fromEntries(kind.parts.map(({ name }) => [name, valueOf(entry, name)])));
}
