import { comparedAs, comparisonDoubt, type ComparisonDoubt } from '../../contract/columnComparison.ts';
import { agrees, storedKind } from '../../contract/columnTypes.ts';
import { placeholdersOf } from '../../contract/placeholders.ts';
import type { ReportTypeDefinition } from '../../contract/resources/semanticLayer.ts';
import type { SignedInContext } from '../calls/handlers.ts';
import { listApplications } from '../catalogue/applications.ts';
import { databasePassword, serverModel, type ServerModel, serversOf } from '../catalogue/registeredServers.ts';
import { type NewReportType, readReportType, type ReportTypeField } from '../catalogue/reportTypeModel.ts';
import { reportTypesOf } from '../catalogue/reportTypes.ts';
import { tableOwner } from '../catalogue/tableOwner.ts';
import { type DatabaseColumn, DatabaseError, type DatabaseTable } from '../databases/database.ts';
import { limits } from '../databases/databaseAccess.ts';
import { comparedValues, type PolicyConstraint } from '../security/policyConstraint.ts';
import { listPolicies } from '../security/policies.ts';
import { compares, concerns, noOtherPaths, tableOf } from '../security/rowSecurity.ts';
import { splitList, ValueError } from '../../contract/policyValues.ts';
import type { ReportParts } from './openReport.ts';

/*
 * Compares column types in the databases with the policies' values and the report types' field types, before either is
 * saved. If a database does not answer, saving continues: row security shows no rows until it does.
 */

/** An error that prevents a policy from being saved, or warnings. */
export interface TypeFindings {
  problem: string | undefined;
  warnings: string[];
}

/** Maximum seconds that saving waits for a database; saving does not depend on the answer. */
const patience = 5;

const reasons: Readonly<Record<ComparisonDoubt, string>> = {
  type: 'policies cannot compare this type reliably. Compare another column, or use a view that casts this one',
  order: 'policies cannot compare text by order. Use = or in, or compare a number or a date',
  dateInText: 'text can contain a date in many formats. Compare a date column, or use a view that casts this one',
  pattern: 'patterns apply to text only. Use =, in or between',
  number: 'the value is not a number with at most 18 digits and 10 decimals',
  date: 'the value is not a date or time. Enter YYYY-MM-DD or [Today]',
  unixTime:
    'a number is not a date. If the column contains seconds since 1970, set "ColumnType": "unixTime" in the constraint',
};

/** Checks that each constraint compares its column reliably in every database that has the column. */
export async function checkConstraints(
  parts: ReportParts,
  context: SignedInContext,
  constraints: readonly PolicyConstraint[],
): Promise<TypeFindings> {
  const columnsOf = columnReader(parts, context);
  const warnings: string[] = [];
  for (const [index, constraint] of constraints.entries()) {
    const title = `Constraint ${index + 1} (${constraint.TableName}.${constraint.ColumnName})`;
    const found: (string | undefined)[] = [];
    const answers = serversMeant(context, constraint).map(async (server) => {
      const { owner, name } = tableOf(constraint, tableOwner(server, '').ownerPath !== undefined);
      return { server, columns: await columnsOf(server, { owner: tableOwner(server, owner).owner, name }) };
    });
    for (const { server, columns } of await Promise.all(answers)) {
      if (columns instanceof DatabaseError) {
        const doubt = 'Until it answers, row security shows no row of the table. Check the policy then';
        warnings.push(`${title} could not be checked: ${columns.message}. ${doubt}.`);
        continue;
      }
      const column = columns.find((each) => compares(constraint, each));
      if (column) found.push(problemOf(context, constraint, column, server));
    }
    const problems = found.filter((problem) => problem !== undefined);
    if (problems.length > 0 && problems.length === found.length) {
      return { problem: `${title} would show no row: ${problems[0]}.`, warnings };
    }
    for (const problem of problems) warnings.push(`${title} shows no row in one database: ${problem}.`);
  }
  return { problem: undefined, warnings };
}

/**
 * Whether a report type registers a column that a policy compares with a type that contradicts the database.
 * @throws {ReportTypeError} when the report type is inconsistent.
 */
export async function contradictsPolicies(
  parts: ReportParts,
  context: SignedInContext,
  moduleId: string,
  definition: ReportTypeDefinition,
): Promise<boolean> {
  const columnsOf = columnReader(parts, context);
  const reportType = readReportType(definition);
  const constraints = listPolicies(context.store).flatMap((policy) => policy.constraints);
  for (const server of serversOf(context.store, moduleId).map(serverModel)) {
    for (const { table, field } of constraints.flatMap((each) => fieldsCompared(each, reportType, moduleId, server))) {
      const columns = await columnsOf(server, table);
      // Checked again whenever a report runs.
      if (columns instanceof DatabaseError) break;
      const column = columns.find(({ name }) => name.toLowerCase() === field.column.trim().toLowerCase());
      if (column && contradicts(field, column, server)) return true;
    }
  }
  return false;
}

type ColumnReader = (server: ServerModel, table: DatabaseTable) => Promise<readonly DatabaseColumn[] | DatabaseError>;

/** Reads each table once per database; returns the error of a database that does not answer. */
function columnReader({ databases, secrets }: ReportParts, { store, signal }: SignedInContext): ColumnReader {
  const known = new Map<string, ReturnType<ColumnReader>>();
  const away = new Map<string, DatabaseError>();
  const read: ColumnReader = async (server, table) => {
    const address = {
      ...server,
      connectionTimeout: Math.min(server.connectionTimeout, patience),
      commandTimeout: Math.min(server.commandTimeout, patience),
    };
    const earlier = away.get(server.id);
    if (earlier) return earlier;
    try {
      const database = await databases.at(address, () => databasePassword(store, server.id, secrets));
      return await database.columns(table, limits(address, signal));
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.kind === 'cancelled') throw error;
      away.set(server.id, error);
      return error;
    }
  };
  return (server, table) => {
    const key = JSON.stringify([server.id, table.owner, table.name]);
    const reading = known.get(key) ?? read(server, table);
    known.set(key, reading);
    return reading;
  };
}

function serversMeant({ store }: SignedInContext, { ModuleID }: PolicyConstraint): ServerModel[] {
  const moduleIds = ModuleID === '' ? listApplications(store).map(({ id }) => id) : [ModuleID];
  return moduleIds.flatMap((id) => serversOf(store, id)).map(serverModel);
}

/** Why a constraint shows no rows of one database; undefined if there is no problem. */
function problemOf(
  { store }: SignedInContext,
  constraint: PolicyConstraint,
  column: DatabaseColumn,
  server: ServerModel,
): string | undefined {
  const values = literalValues(constraint);
  if (values instanceof ValueError) return values.message;
  const kind = comparedAs(storedKind(server.platform, column.nativeType), constraint.ColumnType);
  const doubt = comparisonDoubt(kind, constraint.Operator, values);
  const place = `the database of "${server.displayName}" holds ${column.nativeType || 'values of no type'} there`;
  if (doubt !== undefined) return `${place}, and ${reasons[doubt]}`;
  for (const { name, definition } of reportTypesOf(store, server.moduleId)) {
    const fields = fieldsCompared(constraint, readReportType(definition), server.moduleId, server);
    const other = fields.find(({ field }) => contradicts(field, column, server));
    if (!other) continue;
    const { label, fieldType } = other.field;
    return `${place}, but the report type "${name}" registers its field "${label}" as ${fieldType}. Correct the report type first`;
  }
  return undefined;
}

/** Literal values of a constraint; the values of placeholders are only known per caller. */
function literalValues(constraint: PolicyConstraint): string[] | ValueError {
  const { Operator } = constraint;
  const known = comparedValues(constraint).filter((value) => placeholdersOf(value).length === 0);
  if (Operator !== 'in' && Operator !== 'not in') return known;
  try {
    return known.flatMap(splitList);
  } catch (error) {
    if (error instanceof ValueError) return error;
    throw error;
  }
}

/** Fields of a report type that are registered for the column of a constraint, with their table. */
function fieldsCompared(
  constraint: PolicyConstraint,
  { tables, fields }: NewReportType,
  moduleId: string,
  server: ServerModel,
): { table: DatabaseTable; field: ReportTypeField }[] {
  return tables.flatMap(({ name, alias, ...table }) => {
    const owned = tableOwner(server, table.owner);
    if (!concerns(constraint, { moduleId, ...owned, name, alias, columns: [], otherPaths: noOtherPaths })) return [];
    return fields
      .filter((field) => field.tableAlias === alias && compares(constraint, { name: field.column }))
      .map((field) => ({ table: { owner: owned.owner, name }, field }));
  });
}

function contradicts(
  { fieldType }: ReportTypeField,
  { nativeType }: DatabaseColumn,
  { platform }: ServerModel,
): boolean {
  const kind = storedKind(platform, nativeType);
  return kind !== undefined && !agrees(fieldType, kind);
}
