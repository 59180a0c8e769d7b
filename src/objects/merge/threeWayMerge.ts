import { isSameJson } from './canonicalJson.ts';
import { entriesByKey } from './entryKeys.ts';
import { fieldOf, isJsonObject, type Json, type JsonObject } from '../json.ts';
import { isReadOnly, shapeOf, type FieldShape, type ObjectShape } from '../kinds/objectShape.ts';

/** A field that both sides changed differently. Undefined means that a side removed the field. */
export interface FieldConflict {
  /** Path of names of fields and identities of entries, for example `Groups/12/GroupName`. */
  readonly path: string;
  readonly base: Json | undefined;
  readonly mine: Json | undefined;
  readonly theirs: Json | undefined;
}

/** Result of a merge. */
export interface Merge {
  /** Both sides' changes merged. For conflicts, the side chosen by `choose`, else theirs. */
  readonly view: JsonObject;
  /** Conflicts that `choose` left open. */
  readonly conflicts: readonly FieldConflict[];
  /** Paths of their changes that were taken over. */
  readonly theirChanges: readonly string[];
  /** Paths of my changes that were kept. */
  readonly myChanges: readonly string[];
  /** Paths of read-only fields that mine changes; theirs is used. */
  readonly readOnlyEdits: readonly string[];
}

/** Resolves a conflict; undefined leaves it open. */
export type ChooseSide = (conflict: FieldConflict) => 'mine' | 'theirs' | undefined;

/**
 * Restricts a decision to the conflicts that it was made for: others, and those whose values have changed since they
 * were shown, stay open.
 */
export function onlyForConflicts(shown: readonly FieldConflict[], choose: ChooseSide): ChooseSide {
  return (conflict) => {
    const wasShown = shown.some(
      ({ path, mine, theirs }) =>
        path === conflict.path && isSameJson(mine, conflict.mine) && isSameJson(theirs, conflict.theirs),
    );
    return wasShown ? choose(conflict) : undefined;
  };
}

/**
 * Merges two changed copies of a view. Changes of different fields are merged, also in different entries of lists with
 * identities; different changes of the same field conflict. A list without identities is one field. Removals from a
 * list that restricts access conflict if they would empty it.
 */
export function threeWayMerge(
  base: JsonObject,
  mine: JsonObject,
  theirs: JsonObject,
  shape: ObjectShape,
  choose: ChooseSide = () => undefined,
): Merge {
  const merging = new Merging(choose);
  const view = merging.object({ base, mine, theirs }, shape, '');
  const { conflicts, theirChanges, myChanges, readOnlyEdits } = merging;
  return { view, conflicts, theirChanges, myChanges, readOnlyEdits };
}

/** The three copies of a value. */
interface Copies<T> {
  readonly base: T;
  readonly mine: T;
  readonly theirs: T;
}

class Merging {
  readonly conflicts: FieldConflict[] = [];
  readonly theirChanges: string[] = [];
  readonly myChanges: string[] = [];
  readonly readOnlyEdits: string[] = [];
  readonly #choose: ChooseSide;

  constructor(choose: ChooseSide) {
    this.#choose = choose;
  }

  object({ base, mine, theirs }: Copies<JsonObject>, shape: ObjectShape, path: string): JsonObject {
    const names = new Set([...Object.keys(theirs), ...Object.keys(mine), ...Object.keys(base)]);
    const fields: [string, Json][] = [];
    for (const name of names) {
      const copies = { base: fieldOf(base, name), mine: fieldOf(mine, name), theirs: fieldOf(theirs, name) };
      const place = `${path}${name}`;
      const value = isReadOnly(shape, name)
        ? this.#readOnly(copies, shapeOf(shape, name), place)
        : this.#value(copies, shapeOf(shape, name), place);
      if (value !== undefined) fields.push([name, value]);
    }
    return Object.fromEntries(fields);
  }

  #readOnly(copies: Copies<Json | undefined>, shape: FieldShape | undefined, path: string): Json | undefined {
    const { base, mine, theirs } = copies;
    if (!isSameJson(mine, base, shape) && !isSameJson(mine, theirs, shape)) this.readOnlyEdits.push(path);
    return theirs;
  }

  #value(copies: Copies<Json | undefined>, shape: FieldShape | undefined, path: string): Json | undefined {
    const { base, mine, theirs } = copies;
    if (isJsonObject(base) && isJsonObject(mine) && isJsonObject(theirs)) {
      return this.object({ base, mine, theirs }, shape ?? {}, `${path}/`);
    }
    const lists = shape?.key === undefined ? undefined : keyed(copies, shape.key);
    if (lists && shape) {
      const entries = this.#entries(lists, shape, path);
      const opens = shape.isRestriction && entries.length === 0 && lists.mine.size > 0 && lists.theirs.size > 0;
      // Each side kept some entries, so neither intended to give access to everyone.
      return opens ? this.#decide(copies, path) : entries;
    }
    if (isSameJson(mine, theirs, shape)) return theirs;
    if (isSameJson(mine, base, shape)) {
      this.theirChanges.push(path);
      return theirs;
    }
    if (isSameJson(theirs, base, shape)) {
      this.myChanges.push(path);
      return mine;
    }
    return this.#decide(copies, path);
  }

  /** An entry whose identity is read-only: only the server adds and removes such entries. */
  #fixedEntry(copies: Copies<Json | undefined>, shape: FieldShape, path: string): Json | undefined {
    const { base, mine, theirs } = copies;
    const isThere = (value: Json | undefined) => value !== undefined;
    if (isThere(mine) === isThere(base) || isThere(mine) === isThere(theirs)) return this.#value(copies, shape, path);
    this.readOnlyEdits.push(path);
    return theirs;
  }

  #decide({ base, mine, theirs }: Copies<Json | undefined>, path: string): Json | undefined {
    const conflict = { path, base, mine, theirs };
    const side = this.#choose(conflict);
    if (side === undefined) this.conflicts.push(conflict);
    if (side !== 'mine') return theirs;
    this.myChanges.push(path);
    return mine;
  }

  #entries({ base, mine, theirs }: Copies<Map<string, JsonObject>>, shape: FieldShape, path: string): Json[] {
    const { key: identity, ...entryShape } = shape;
    const isFixed = identity !== undefined && isReadOnly(shape, identity);
    const keys = new Set([...theirs.keys(), ...mine.keys(), ...base.keys()]);
    const entries: Json[] = [];
    for (const key of keys) {
      const copies = { base: base.get(key), mine: mine.get(key), theirs: theirs.get(key) };
      const place = `${path}/${key}`;
      const entry = isFixed ? this.#fixedEntry(copies, entryShape, place) : this.#value(copies, entryShape, place);
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }
}

/** The copies of a list by identity; undefined unless every entry of all three has a unique one. */
function keyed(copies: Copies<Json | undefined>, key: string): Copies<Map<string, JsonObject>> | undefined {
  const base = entriesByKey(copies.base, key);
  const mine = entriesByKey(copies.mine, key);
  const theirs = entriesByKey(copies.theirs, key);
  return base && mine && theirs && { base, mine, theirs };
}
