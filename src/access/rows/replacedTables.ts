import { fieldOf, identifierText, type JsonObject } from '../../objects/json.ts';
import { textField } from '../../objects/kinds/objectEntry.ts';
import { objectsIn } from '../../objects/objectParts.ts';
import type { RowChange } from './accessChanges.ts';
import { areWithin } from './conditions.ts';
import { policiesOfUser, rowAccess, valuesOfUser } from './rowAccess.ts';
import { tableNamed, type AccessSnapshot } from './snapshot.ts';

type NamedTable = ReturnType<typeof tableNamed>;

/** A table that a report type reads in place of others. */
export interface ReplacedTable {
  readonly moduleId: string;
  readonly earlier: readonly NamedTable[];
  readonly now: NamedTable;
}

/**
 * Tables that a report type reads from now on, each with those in whose place it may be: the one of the same alias, else
 * all that it no longer reads. Empty if it reads the same tables, or only more or fewer. API description, AnyDB module.
 */
export function replacedTables(before: JsonObject, after: JsonObject): ReplacedTable[] {
  const [was, is] = [tablesIn(before), tablesIn(after)];
  const isIn = (tables: readonly AliasedTable[], { table }: AliasedTable) =>
    tables.some((other) => other.table.owner === table.owner && other.table.table === table.table);
  const left = was.filter((table) => !isIn(is, table));
  return is
    .filter((table) => !isIn(was, table))
    .flatMap(({ alias, table: now }) => {
      const namesake = was.filter((other) => other.alias === alias);
      const earlier = (namesake.length > 0 ? namesake : left).map(({ table }) => table);
      return earlier.length === 0 ? [] : [{ moduleId: identifierText(fieldOf(after, 'Moduleid')) ?? '', earlier, now }];
    });
}

/**
 * Who may see other rows in reports whose tables are replaced: users whom the policies restrict in an earlier table, and
 * not alike in the new one. A view is closed by the policies on its tables, which are not known here.
 */
export function replacementChanges(snapshot: AccessSnapshot, replaced: readonly ReplacedTable[]): RowChange[] {
  const ofAnyModule = new Set(
    snapshot.policies.flatMap(({ constraints = [] }) => constraints.map((one) => one.moduleId)),
  );
  return [...snapshot.users.values()].flatMap((user) => {
    const policies = policiesOfUser(snapshot, user);
    const valuesOf = valuesOfUser(snapshot, user);
    const unreadable = policies.filter(({ constraints }) => constraints === undefined);
    const ofPolicies = unreadable.map(({ name: policy }): RowChange => {
      return { user: user.name, table: undefined, policy, change: 'changed', isPartial: false };
    });
    const ofTables = replaced.flatMap(({ moduleId, earlier, now }): RowChange[] => {
      const { restrictions } = rowAccess(policies, valuesOf, { ...now, moduleIds: new Set([moduleId]) });
      // A constraint for another application counts if it is on the same database.
      const isOpened = earlier.some((table) => {
        const was = rowAccess(policies, valuesOf, { ...table, moduleIds: ofAnyModule });
        return was.restrictions.length > 0 && !areWithin(restrictions, was.restrictions);
      });
      return isOpened ? [{ user: user.name, table: now.tableName, change: 'changed', isPartial: false }] : [];
    });
    return [...ofTables, ...ofPolicies];
  });
}

interface AliasedTable {
  readonly alias: string;
  readonly table: NamedTable;
}

function tablesIn(reportType: JsonObject): AliasedTable[] {
  return objectsIn(reportType, 'SQLTables').map((table) => ({
    alias: textField(table, 'tablealias'),
    table: tableNamed(textField(table, 'tablename'), textField(table, 'tableowner')),
  }));
}
