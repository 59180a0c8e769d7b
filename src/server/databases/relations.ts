import { statSync } from 'node:fs';
import type { DatabaseTable, DerivedRelation, Relations } from './database.ts';

/** Owner of files that views read; no schema can have this name. */
export const fileOwner = '\0file';

/** Identifies a file regardless of the path used. @throws Error when it does not exist. */
export function fileIdentity(file: string): string {
  const { dev, ino } = statSync(file, { bigint: true });
  return `file:${dev}:${ino}`;
}

/** Whether two databases contain the same data. */
export function isSameData(one: Relations, other: Relations): boolean {
  const known = [one.identity, one.otherIdentity];
  return [other.identity, other.otherIdentity].some((identity) => identity !== undefined && known.includes(identity));
}

/** Tables and views by name; see {@link Relations}. */
export function nameSet(tables: readonly DatabaseTable[]): ReadonlySet<string> {
  return new Set(tables.map(fullName));
}

/** Relations that show rows of the same table. */
export interface SharedRows {
  /** All other visible relations that show rows of the same origin. */
  with: readonly DatabaseTable[];
  /** Whether the table certainly reads nothing else. */
  isComplete: boolean;
}

/**
 * Finds everything that shares rows with `table`: all relations that it reads, through any number of views, and all
 * relations that read any of those. Names compare case-insensitively, so that relations whose names differ only in case
 * count as one. The database's own catalog relations share rows with every table.
 */
export function sharedRows(table: DatabaseTable, { searchPath, derived, names, catalog }: Relations): SharedRows {
  const byName = Map.groupBy(derived, ({ name }) => fold(name));
  const meanings = table.owner === '' ? searchPath.map((owner) => ({ owner, name: table.name })) : [table];
  // A relation of the same name without a known owner may be another one.
  const isItself = (other: DatabaseTable) => other.owner !== '' && meanings.some((meaning) => isSame(meaning, other));
  const own = reach(meanings, byName);
  const isCatalog = (one: DatabaseTable) => catalog.test(`${one.owner}.${one.name}`);
  const others = own.tables.filter((one) => !isItself(one));
  // A table that is not in the list of names may be any of them.
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
