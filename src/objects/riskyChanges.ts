import { isSameJson } from './canonicalJson.ts';
import { fieldOf, type Json, type JsonObject } from './json.ts';
import { noteOf } from './notes/notesOf.ts';
import type { ObjectKind } from './objectKind.ts';

/** A change that should not happen by a slip: of a setting that decides who gets in, or what everybody sees. */
export interface RiskyChange {
  readonly field: string;
  readonly before: Json;
  readonly now: Json;
  /** What the field is about, in a sentence; empty where nothing is known. */
  readonly meaning: string;
}

/** The risky ones among the changes that `mine` makes to `base`. What `base` does not have cannot be compared. */
export function riskyChanges(kind: ObjectKind, base: JsonObject, mine: JsonObject): RiskyChange[] {
  return (kind.riskyFields ?? []).flatMap((field) => {
    const before = fieldOf(base, field);
    const now = fieldOf(mine, field) ?? null;
    if (before === undefined || isSameJson(before, now)) return [];
    return [{ field, before, now, meaning: noteOf(kind.name, field)?.text ?? '' }];
  });
}
