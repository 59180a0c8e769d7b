import { fieldOf, identifierText, isJsonObject, type Json, type JsonObject } from '../json.ts';

/** Entries of a list by identity, in list order. Undefined if an entry has no identity or two have the same. */
export function entriesByKey(list: Json | undefined, key: string): Map<string, JsonObject> | undefined {
  if (!Array.isArray(list)) return undefined;
  const entries = new Map<string, JsonObject>();
  for (const entry of list) {
    const identity = isJsonObject(entry) ? identifierText(fieldOf(entry, key)) : undefined;
    if (identity === undefined || entries.has(identity)) return undefined;
    if (isJsonObject(entry)) entries.set(identity, entry);
  }
  return entries;
}
