import { areWithin } from './conditions.ts';
import { concerns, policiesOfUser, rowAccess, valuesOfUser, type RowAccess, type TableReading } from './rowAccess.ts';
import type { AccessConstraint, AccessPolicy, AccessSnapshot, AccessUser } from './snapshot.ts';

/**
 * How the rows of a table that a user sees change. `changed`: other rows, of which some may be new; it is unknown
 * whether they are more.
 */
export type RowChangeKind = 'all rows' | 'more' | 'changed' | 'fewer' | 'no rows';

/** The most important first. */
export const rowChangeKinds: readonly RowChangeKind[] = ['all rows', 'more', 'changed', 'no rows', 'fewer'];

/** A change of the rows that a user sees. */
export interface RowChange {
  /** Name in the snapshot, by which users are distinct. */
  readonly user: string;
  /** Table as the policies name it; undefined if the constraints of `policy` cannot be read. */
  readonly table: string | undefined;
  /** Name of a policy whose constraints have an unknown form. */
  readonly policy?: string;
  readonly change: RowChangeKind;
  /** Whether it is so in some applications or schemas only. */
  readonly isPartial: boolean;
}

/** Whether a user may see rows after a change that were hidden before. */
export function isGain({ change }: Pick<RowChange, 'change'>): boolean {
  return change === 'all rows' || change === 'more' || change === 'changed';
}

/**
 * Who sees more and who sees fewer rows after a change of users, groups, data tags or policies, by user and table.
 * Unchanged and deleted users are omitted. A new user is listed only for tables of which it sees, or may see, all
 * rows although policies restrict them.
 *
 * Tables are those that policies restrict. A view of such a table is not known here: its rows are those of the table.
 */
export function accessChanges(before: AccessSnapshot, after: AccessSnapshot): RowChange[] {
  const tables = tablesOf([...before.policies, ...after.policies]);
  // Members of a group mostly have the same policies and values.
  const known = new Map<string, UserChange[]>();
  return [...after.users].flatMap(([id, user]) => {
    const earlier = before.users.get(id);
    const was = earlier && situationOf(before, earlier);
    const is = situationOf(after, user);
    if (was?.key === is.key) return [];
    const key = JSON.stringify([was?.key, is.key]);
    const changes = known.get(key) ?? (was ? changesBetween(was, is, tables) : newcomersAccess(is, tables));
    known.set(key, changes);
    return changes.map((change) => ({ user: user.name, ...change }));
  });
}

type UserChange = Omit<RowChange, 'user'>;

/** The policies and values that decide which rows a user sees. */
interface Situation {
  readonly policies: readonly AccessPolicy[];
  readonly valuesOf: (label: string) => readonly string[] | undefined;
  /** Equal keys mean equal rows. */
  readonly key: string;
}

function situationOf(snapshot: AccessSnapshot, user: AccessUser): Situation {
  const policies = policiesOfUser(snapshot, user);
  const valuesOf = valuesOfUser(snapshot, user);
  return { policies, valuesOf, key: JSON.stringify(policies.map((policy) => contentOf(policy, valuesOf))) };
}

/** What a policy compares with what: its constraints and the values of its placeholders. */
function contentOf({ text, labels }: AccessPolicy, valuesOf: Situation['valuesOf']): unknown[] {
  return [text, labels.map((label) => [label, ...(valuesOf(label) ?? []).toSorted()])];
}

function changesBetween(was: Situation, is: Situation, tables: readonly NamedTable[]): UserChange[] {
  const changes = tables.map((table) => tableChanges(was, is, table));
  const gained = new Set(changes.filter(({ kinds }) => kinds.some(isGainKind)).map(({ table }) => table));
  const ofTables = changes.flatMap(({ name, kinds, opened, isOpenElsewhere }): UserChange[] => {
    // Rows that open with another table are its rows, and already reported with it. A table that gets a restriction of its
    // own instead of being closed does not lose rows.
    const mayOpen = opened.some((table) => !gained.has(table) || kinds.includes('fewer'));
    const all = mayOpen ? kinds.map((kind) => (isGainKind(kind) ? kind : 'changed')) : kinds;
    const change = rowChangeKinds.find((kind) => all.includes(kind));
    if (change === undefined) return [];
    const isPartial = all.some((kind) => kind !== change) || (change === 'no rows' && isOpenElsewhere);
    return [{ table: name, change, isPartial }];
  });
  return [...ofTables, ...unreadableChanges(was, is)];
}

/** Changes of a table, one for each reading of it that is restricted before or after. */
function tableChanges(was: Situation, is: Situation, { table, name, readings }: NamedTable) {
  const kinds: (RowChangeKind | undefined)[] = [];
  const opened: string[] = [];
  const isUnclear = is.policies.some(({ constraints }) => constraints === undefined);
  for (const reading of readings) {
    const earlier = rowAccess(was.policies, was.valuesOf, reading);
    const now = rowAccess(is.policies, is.valuesOf, reading);
    if (earlier.restrictions.length + now.restrictions.length === 0) continue;
    const kind = changeOf(earlier, now);
    // A policy in an unknown form may restrict the table too.
    kinds.push(isGainKind(kind) && isUnclear ? 'changed' : kind);
    opened.push(...openedBy(earlier, now));
  }
  return { table, name, kinds, opened, isOpenElsewhere: kinds.length < readings.length };
}

function isGainKind(change: RowChangeKind | undefined): boolean {
  return change !== undefined && isGain({ change });
}

/** How the rows change; undefined if they stay the same. */
function changeOf(earlier: RowAccess, now: RowAccess): RowChangeKind | undefined {
  const [grows, shrinks] = [
    areWithin(earlier.restrictions, now.restrictions),
    areWithin(now.restrictions, earlier.restrictions),
  ];
  if (grows && shrinks) return undefined;
  if (now.restrictions.length === 0) return 'all rows';
  if (now.restrictions.some((restriction) => restriction.length === 0)) return 'no rows';
  return grows ? 'more' : shrinks ? 'fewer' : 'changed';
}

/** Tables whose restriction no longer closes this one, if it is a view of their rows. */
function openedBy(earlier: RowAccess, now: RowAccess): string[] {
  if (now.restrictions.some((restriction) => restriction.length === 0)) return [];
  return [...earlier.closedBy].filter((table) => !now.closedBy.has(table));
}

/** Changes of policies whose constraints have an unknown form: each restricts something, if nothing more is known. */
function unreadableChanges(was: Situation, is: Situation): UserChange[] {
  const keysOf = ({ policies, valuesOf }: Situation) =>
    new Map(
      policies
        .filter(({ constraints }) => constraints === undefined)
        .map((policy) => [JSON.stringify(contentOf(policy, valuesOf)), policy.name]),
    );
  const now = keysOf(is);
  const lost = [...keysOf(was)].filter(([key]) => !now.has(key)).map(([, name]) => name);
  return lost.map((policy) => ({ table: undefined, policy, change: 'changed', isPartial: false }));
}

function newcomersAccess({ policies, valuesOf }: Situation, tables: readonly NamedTable[]): UserChange[] {
  const isUnclear = policies.some(({ constraints }) => constraints === undefined);
  return tables.flatMap(({ name, constraints, readings }): UserChange[] => {
    const restricted = readings.filter((reading) => constraints.some((constraint) => concerns(constraint, reading)));
    const open = restricted.filter((reading) => rowAccess(policies, valuesOf, reading).restrictions.length === 0);
    const isPartial = open.length < restricted.length;
    return open.length > 0 ? [{ table: name, change: isUnclear ? 'changed' : 'all rows', isPartial }] : [];
  });
}

/** A table that policies restrict, and the ways to read it among which they distinguish. */
interface NamedTable {
  readonly table: string;
  readonly name: string;
  readonly constraints: readonly AccessConstraint[];
  readonly readings: readonly TableReading[];
}

/** For more applications, not every combination is compared. */
const combinedAtMost = 4;

function tablesOf(policies: readonly AccessPolicy[]): NamedTable[] {
  const all = policies.flatMap(({ constraints }) => constraints ?? []);
  // Also a constraint on another table can close a view in its application.
  const modules = subsetsOf([...new Set(all.map(({ moduleId }) => moduleId))].filter((id) => id !== ''));
  return [...Map.groupBy(all, ({ table }) => table)].map(([table, constraints]) => {
    const readings = modules.flatMap((moduleIds) =>
      ownersOf(constraints).map((owner) => ({ table, owner, moduleIds })),
    );
    return { table, name: constraints[0]?.tableName ?? table, constraints, readings };
  });
}

/** The schemas that constraints name, any other, and an unknown one. */
function ownersOf(constraints: readonly AccessConstraint[]): string[] {
  const named = [...new Set(constraints.map(({ owner }) => owner))].filter((owner) => owner !== '');
  return named.length === 0 ? [''] : [...named, anyOther, ''];
}

/** Not a name of a schema. */
const anyOther = '\0';

/** Applications that may be on the same database: every combination of those that constraints name. */
function subsetsOf(ids: readonly string[]): ReadonlySet<string>[] {
  if (ids.length > combinedAtMost) return [[], ...ids.map((id) => [id]), ids].map((subset) => new Set(subset));
  return ids.reduce<ReadonlySet<string>[]>(
    (subsets, id) => [...subsets, ...subsets.map((subset) => new Set([...subset, id]))],
    [new Set()],
  );
}
