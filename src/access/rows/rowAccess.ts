import { isProfilePlaceholder } from '../../contract/placeholders.ts';
import { conditionsOf, type Clause, type Restriction } from './conditions.ts';
import type { TagValues } from '../../contract/policyValues.ts';
import type { AccessConstraint, AccessPolicy, AccessSnapshot, AccessUser } from './snapshot.ts';

/** A table as it may be read: constraints for another application or schema do not restrict it. */
export interface TableReading {
  /** Name in lower case. */
  readonly table: string;
  /** Schema, or `catalog.schema`, in lower case; empty if unknown, so that any matches. */
  readonly owner: string;
  /** Applications whose constraints apply: those on the same database. */
  readonly moduleIds: ReadonlySet<string>;
}

/** Which rows of a table a user sees. */
export interface RowAccess {
  /** Restrictions of the policies, which must all hold; none means all rows. */
  readonly restrictions: readonly Restriction[];
  /**
   * Other tables that policies restrict without restricting this one. If this one is a view of their rows, it is
   * closed.
   */
  readonly closedBy: ReadonlySet<string>;
}

/** The policies that restrict a user: assigned to the user or to one of the user's groups, or that may be. */
export function policiesOfUser({ policies }: AccessSnapshot, { id, groupIds }: AccessUser): AccessPolicy[] {
  return policies.filter(
    (policy) =>
      policy.userIds?.has(id) !== false || [...(policy.groupIds ?? [])].some((groupId) => groupIds.has(groupId)),
  );
}

/**
 * A user's values of placeholders: of a profile field, or of the data tag with that label: the user's own value, else
 * those of the user's groups, else the default.
 */
export function valuesOfUser({ tags }: AccessSnapshot, { id, profile, valueGroupIds }: AccessUser): TagValues {
  return (label) => {
    if (isProfilePlaceholder(label)) return profile[label] === '' ? undefined : [profile[label]];
    const [tag, ...namesakes] = tags.get(label) ?? [];
    if (!tag?.isActive || namesakes.length > 0) return undefined;
    const own = tag.userValues.get(id) ?? '';
    if (own !== '') return [own];
    const ofGroups = [...tag.groupValues].filter(([groupId, value]) => valueGroupIds.has(groupId) && value !== '');
    if (ofGroups.length > 0) return [...new Set(ofGroups.map(([, value]) => value))];
    return tag.fallback === '' ? undefined : [tag.fallback];
  };
}

/** Which rows of a table readable policies show to a user with these values. Several policies combine with AND. */
export function rowAccess(policies: readonly AccessPolicy[], valuesOf: TagValues, reading: TableReading): RowAccess {
  const restrictions: Restriction[] = [];
  const closedBy = new Set<string>();
  for (const { constraints = [] } of policies) {
    const own = constraints.filter((constraint) => concerns(constraint, reading));
    if (own.length > 0) restrictions.push(restrictionOf(own, valuesOf));
    // A constraint for another application closes nothing in this one.
    else for (const { table, moduleId } of constraints) if (isFor(moduleId, reading)) closedBy.add(table);
  }
  return { restrictions, closedBy };
}

/** Whether a constraint restricts a table. */
export function concerns(constraint: AccessConstraint, reading: TableReading): boolean {
  if (constraint.table !== reading.table || !isFor(constraint.moduleId, reading)) return false;
  const [one, other] = [constraint.owner, reading.owner];
  // Where one names no catalog, that of the other counts.
  return one === '' || other === '' || one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}

/** Whether a constraint for an application, or for all, applies to a reading. */
function isFor(moduleId: string, { moduleIds }: TableReading): boolean {
  return moduleId === '' || moduleIds.has(moduleId);
}

/** AND binds tighter than OR, as in SQL; a constraint that shows no row ends its alternative. */
function restrictionOf(constraints: readonly AccessConstraint[], valuesOf: TagValues): Restriction {
  const clauses: (Clause | undefined)[] = [];
  let clause: Clause | undefined = [];
  for (const [index, constraint] of constraints.entries()) {
    const conditions = conditionsOf(constraint, valuesOf);
    clause = clause && conditions && [...clause, ...conditions];
    if (constraint.isOr || index === constraints.length - 1) {
      clauses.push(clause);
      clause = [];
    }
  }
  return clauses.filter((each) => each !== undefined);
}
