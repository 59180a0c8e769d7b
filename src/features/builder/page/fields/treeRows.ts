import type { TreeEntry } from '../../pageContract.ts';

/** A tree prepared for a search on every keystroke. */
interface SearchableTree {
  entries: readonly TreeEntry[];
  /** Searchable texts, by entry index. */
  texts: readonly string[];
  /** Index of an entry's folder; -1 at the top level. */
  parents: readonly number[];
}

/** Trees up to this size are initially expanded. */
const unfoldedUpTo = 200;

/** Prepares a tree for searching. */
export function searchableTree(entries: readonly TreeEntry[]): SearchableTree {
  const path: number[] = [];
  const parents = entries.map(({ depth }, place) => {
    path.length = depth;
    path[depth] = place;
    return path[depth - 1] ?? -1;
  });
  return { entries, texts: entries.map(({ label, source }) => `${label}\n${source}`.toLowerCase()), parents };
}

/** Initially expanded folders. */
export function firstUnfolded({ entries }: SearchableTree): Set<number> {
  const folders = entries.flatMap(({ isFolder }, place) => (isFolder ? [place] : []));
  return new Set(entries.length <= unfoldedUpTo || folders.length === 1 ? folders : []);
}

/**
 * Indices of the visible entries, in order. Without a search: those whose folders are all expanded. With a search: the
 * fields that contain every search word in their name, column or the name of a parent folder, and their folders.
 */
export function shownEntries(tree: SearchableTree, unfolded: ReadonlySet<number>, search: string): number[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.length === 0 ? unfoldedEntries(tree, unfolded) : foundEntries(tree, words);
}

function unfoldedEntries({ entries, parents }: SearchableTree, unfolded: ReadonlySet<number>): number[] {
  const shown: number[] = [];
  const isShown: boolean[] = [];
  for (let place = 0; place < entries.length; place += 1) {
    const parent = parents[place] ?? -1;
    isShown[place] = parent < 0 || (isShown[parent] === true && unfolded.has(parent));
    if (isShown[place]) shown.push(place);
  }
  return shown;
}

function foundEntries({ entries, texts, parents }: SearchableTree, words: readonly string[]): number[] {
  // The words that an entry must still match, after those matched by its folders.
  const lacking: (readonly string[])[] = [];
  const isShown = new Uint8Array(entries.length);
  for (let place = 0; place < entries.length; place += 1) {
    const text = texts[place] ?? '';
    const parent = parents[place] ?? -1;
    const left = (parent < 0 ? words : (lacking[parent] ?? words)).filter((word) => !text.includes(word));
    lacking[place] = left;
    if (left.length > 0 || entries[place]?.isFolder === true) continue;
    for (let at = place; at >= 0 && isShown[at] === 0; at = parents[at] ?? -1) isShown[at] = 1;
  }
  const shown: number[] = [];
  for (let place = 0; place < entries.length; place += 1) if (isShown[place] === 1) shown.push(place);
  return shown;
}

/** Position among siblings, starting at 1, and their number. */
export interface SiblingPlace {
  place: number;
  count: number;
}

/** Sibling positions of the visible rows. */
export function siblingPlaces({ parents }: SearchableTree, rows: readonly number[]): SiblingPlace[] {
  const counts = new Map<number, number>();
  const places = rows.map((entry) => {
    const parent = parents[entry] ?? -1;
    const place = (counts.get(parent) ?? 0) + 1;
    counts.set(parent, place);
    return { place, parent };
  });
  return places.map(({ place, parent }) => ({ place, count: counts.get(parent) ?? place }));
}

/** Rows to render: those from `first` to `end`, and the active one, which a screen reader must always find. */
export function drawnRows(first: number, end: number, active: number, count: number): number[] {
  const rows = Array.from({ length: Math.max(0, Math.min(end, count) - first) }, (_, offset) => first + offset);
  if (active < first) return [active, ...rows];
  return active >= end && active < count ? [...rows, active] : rows;
}
