import { statSync } from 'node:fs';
import type { DatabaseTable, DerivedRelation, Relations } from './database.ts';

/** Owner of files that views read; no schema has such a name. */
export const fileOwner = '\0file';

/** The same text for the same file, whichever of its paths is given. @throws Error when there is none. */
export function fileIdentity(file: string): string {
  const { dev, ino } = statSync(file, { bigint: true });
  return `file:${dev}:${ino}`;
}

/** Whether two databases hold the same data. */
export function isSameData(one: Relations, other: Relations): boolean {
  const known = [one.identity, one.otherIdentity];
  return [other.identity, other.otherIdentity].some((identity) => identity !== undefined && known.includes(identity));
}

/** Tables and views by name; see {@link Relations}. */
export function nameSet(tables: readonly DatabaseTable[]): ReadonlySet<string> {
  return new Set(tables.map(fullName));
}

/** What else shows rows of a table. */
export interface SharedRows {
  /** Every other relation that shows rows of the same origin, as far as it can be seen. */
  with: readonly DatabaseTable[];
  /** Whether the table certainly reads nothing else. */
  isComplete: boolean;
}

/**
 * Finds everything that shares rows with `table`: what it reads, through any number of views, and whatever reads any of
 * that. Names compare without case, so that relations whose names differ in case alone count as one. What the database
 * itself keeps tells of all rows.
 */
export function sharedRows(table: DatabaseTable, { searchPath, derived, names, catalog }: Relations): SharedRows {
  const byName = Map.groupBy(derived, ({ name }) => fold(name));
  const meanings = table.owner === '' ? searchPath.map((owner) => ({ owner, name: table.name })) : [table];
  // One of the same name whose owner is not said may be another.
  const isItself = (other: DatabaseTable) => other.owner !== '' && meanings.some((meaning) => isSame(meaning, other));
  const own = reach(meanings, byName);
  const isCatalog = (one: DatabaseTable) => catalog.test(`${one.owner}.${one.name}`);
  const others = own.tables.filter((one) => !isItself(one));
  // One that is none of the names may be any of them.
  const isNamed = !names || meanings.some((one) => names.has(fullName(one)));
  const isComplete = isNamed && own.isComplete && !meanings.every(isCatalog) && !others.some(isCatalog);
  const ownByName = Map.groupBy(own.tables, ({ name }) => fold(name));
  const sharing = derived.filter((relation) => {
    if (isItself(relation)) return false;
    const theirs = reach([relation], byName);
    const isShared = (one: DatabaseTable) => (ownByName.get(fold(one.name)) ?? []).some((other) => isSame(one, other));
    return !theirs.isComplete || theirs.tables.some(isShared);
  });
  return { with: [...others, ...sharing], isComplete };
}

/** Everything that reading `start` reads, itself included. */
function reach(
  start: readonly DatabaseTable[],
  byName: ReadonlyMap<string, readonly DerivedRelation[]>,
): { tables: DatabaseTable[]; isComplete: boolean } {
  const found = new Map<string, DatabaseTable>();
  const waiting = [...start];
  let isComplete = true;
  for (let table = waiting.pop(); table; table = waiting.pop()) {
    const key = JSON.stringify([fold(table.owner), fold(table.name)]);
    if (found.has(key)) continue;
    found.set(key, table);
    for (const relation of byName.get(fold(table.name)) ?? []) {
      if (!isSame(relation, table)) continue;
      isComplete &&= relation.isComplete;
      waiting.push(...relation.reads);
    }
  }
  return { tables: [...found.values()], isComplete };
}

function isSame(one: DatabaseTable, other: DatabaseTable): boolean {
  const owners = [fold(one.owner), fold(other.owner)];
  return fold(one.name) === fold(other.name) && (owners.includes('') || owners[0] === owners[1]);
}

function fullName({ owner, name }: DatabaseTable): string {
  return fold(`${owner}.${name}`);
}

function fold(name: string): string {
  return name.toLowerCase();
}
