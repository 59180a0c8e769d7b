import { comparedAs, comparisonDoubt } from '../../contract/columnComparison.ts';
import type { StoredKind } from '../../contract/columnTypes.ts';
import type { Operator } from '../../contract/operators.ts';
import { parseValue, placeholdersOf } from '../../contract/placeholders.ts';
import { fill, listOf, onlyText, plainText } from '../../contract/policyValues.ts';
import { bareName, namePath, pathName } from '../../contract/tableNames.ts';
import { patternParts } from './rowSecurityConditions.ts';
import { comparedValues, type PolicyConstraint } from './policyConstraint.ts';
import { conditionOn, likePattern, type Subject } from './rowSecurityConditions.ts';
import { allOf, anyOf, joinChain, maskedValue, nothing, type Predicate } from './rowSecurityPredicate.ts';
import { ValueError } from '../../contract/policyValues.ts';

/**
 * A column that a policy may compare: its name, spelled exactly as in the database, and its kind, from the database's
 * type.
 */
export interface SourceColumn {
  name: string;
  kind: StoredKind;
}

/** Other access paths to the rows of a table; see {@link SourceTable}. */
export interface OtherPaths {
  /** Relations of the database that show rows of the same origin: sources of a view, and views of those sources. */
  relations: readonly { owner: string; name: string }[];
  /** Whether the table is known to show only its own rows and those of `relations`. */
  isComplete: boolean;
  /** Other applications whose registered servers use the same database. */
  moduleIds: readonly string[];
}

/** For a table whose rows have no other access path. */
export const noOtherPaths: OtherPaths = { relations: [], isComplete: true, moduleIds: [] };

/** A table of a report type that a query is about to read. */
export interface SourceTable {
  /** Application of the report type. */
  moduleId: string;
  /** Schema, or `catalog.schema`; empty for the connection's default. */
  owner: string;
  /** Catalog and schema, on platforms with catalogs. */
  ownerPath?: readonly string[];
  name: string;
  alias: string;
  /** Columns whose values are known for certain; a policy that compares any other column hides all rows. */
  columns: readonly SourceColumn[];
  otherPaths: OtherPaths;
}

/**
 * A policy restricts the rows of this table under another name, so that reading them under this name is not allowed.
 */
export class OtherPathError extends Error {
  constructor(table: SourceTable, restricted: string | undefined) {
    const remedy = `An administrator can add a constraint on "${table.name}" to that policy`;
    super(
      restricted === undefined
        ? `It is unknown which rows "${table.name}" shows, and a policy restricts rows that may be among them. ${remedy}`
        : `"${table.name}" shows rows of "${restricted}", which a policy restricts. ${remedy}, or the report can use "${restricted}"`,
    );
    this.name = 'OtherPathError';
  }
}

/** The part of a policy that the gate uses. */
export interface RowPolicy {
  constraints: readonly PolicyConstraint[];
}

/** The restrictions of one caller: the active policies, and the values of their tags. */
export interface RowSecurity {
  policies: readonly RowPolicy[];
  /** The caller's values of a placeholder with this normal label; undefined or empty hides all rows. */
  tagValues(label: string): readonly string[] | undefined;
  /** Day (`YYYY-MM-DD`) that relative dates in constraints are based on. */
  today: string;
}

/**
 * A table with the caller's row restriction: the only form in which a query accepts a table. Only {@link secure}
 * creates one, and the SQL emitter accepts nothing else, so no statement can bypass the policies.
 */
export class SecuredSource {
  readonly #isGenuine = true;
  readonly table: SourceTable;
  /** Condition on the table's columns; undefined when no policy applies to it. */
  readonly restriction: Predicate<string> | undefined;

  private constructor(table: SourceTable, restriction: Predicate<string> | undefined) {
    this.table = table;
    this.restriction = restriction;
  }

  /** The implementation of {@link secure}. */
  static behindGate(table: SourceTable, security: RowSecurity): SecuredSource {
    for (const { constraints } of security.policies) requireOnlyPath(table, constraints);
    const restrictions = security.policies.flatMap((policy) => policyRestriction(table, policy, security) ?? []);
    return new SecuredSource(table, restrictions.length > 0 ? allOf(restrictions) : undefined);
  }

  /** Whether the gate created `value`, checked at run time because casts can deceive the type system. */
  static isGenuine(value: unknown): value is SecuredSource {
    return typeof value === 'object' && value !== null && #isGenuine in value && value.#isGenuine;
  }
}

/**
 * Restricts `table` to the rows that all of the caller's policies allow. Fails closed: a missing column, a column whose
 * type makes the comparison uncertain, a tag without a value, or a value that does not match its column's kind hides
 * all rows. Tag values are plain text: wildcards, placeholders and SQL in them have no effect.
 * @throws {OtherPathError} when a policy restricts the same rows under another name but not under this one.
 */
export function secure(table: SourceTable, security: RowSecurity): SecuredSource {
  return SecuredSource.behindGate(table, security);
}

/** Whether a policy compares a column of `table`, so that the database must describe its columns. */
export function needsDescription(table: SourceTable, policies: readonly RowPolicy[]): boolean {
  return policies.some(({ constraints }) => constraints.some((constraint) => concerns(constraint, table)));
}

function policyRestriction(
  table: SourceTable,
  policy: RowPolicy,
  security: RowSecurity,
): Predicate<string> | undefined {
  const own = policy.constraints.filter((constraint) => concerns(constraint, table));
  return joinChain(
    own.map((constraint) => ({
      predicate: constraintPredicate(table, constraint, security),
      joiner: constraint.Logical,
    })),
  );
}

/**
 * A policy must state for every relation which rows it shows, otherwise the relation is closed: a view's column need
 * not contain the same values as the column of that name in the table below it.
 */
function requireOnlyPath(table: SourceTable, constraints: readonly PolicyConstraint[]): void {
  if (constraints.some((constraint) => concerns(constraint, table))) return;
  const applicable = constraints.filter((constraint) => isForModule(constraint, table));
  const { relations, isComplete } = table.otherPaths;
  const restricted = relations.find((relation) => applicable.some((constraint) => isNamed(constraint, relation)));
  if (restricted) throw new OtherPathError(table, restricted.name);
  // A table that cannot be traced may read the database of any application.
  if (!isComplete && constraints.length > 0) throw new OtherPathError(table, undefined);
}

/**
 * Whether other names of a table's rows matter: a policy restricts something that is not certainly this table.
 * Otherwise, the database need not be queried for them.
 */
export function mayHaveOtherPaths(table: SourceTable, policies: readonly RowPolicy[]): boolean {
  return policies.some(
    ({ constraints }) => constraints.length > 0 && !constraints.some((constraint) => concerns(constraint, table)),
  );
}

/** Whether a constraint restricts a table's rows. */
export function concerns(constraint: PolicyConstraint, table: SourceTable): boolean {
  return isForModule(constraint, table) && isNamed(constraint, table);
}

/** A constraint for one application applies wherever that application's databases are read. */
function isForModule({ ModuleID }: PolicyConstraint, { moduleId, otherPaths }: SourceTable): boolean {
  return ModuleID === '' || ModuleID === moduleId || otherPaths.moduleIds.includes(ModuleID);
}

/** Names are compared ignoring case; an empty owner on either side matches any, as does a missing catalog. */
function isNamed(
  constraint: PolicyConstraint,
  table: { owner: string; ownerPath?: readonly string[]; name: string },
): boolean {
  if (table.ownerPath) {
    const theirs = [...table.ownerPath, table.name].map(foldName).reverse();
    return constraintPath(constraint).every((part, index) => part === '' || foldName(part) === theirs[index]);
  }
  const named = nameParts(constraint.TableName);
  const real = nameParts(table.name);
  const owner = foldName(table.owner || real.owner);
  const owners = possibleOwners(constraint.TableOwner || named.owner).map(foldName);
  return (
    foldName(named.name) === foldName(real.name) && (owner === '' || owners.includes('') || owners.includes(owner))
  );
}

/** Schemas that an owner can mean on a platform without catalogs, whose tables Trino may show in a catalog. */
function possibleOwners(owner: string): string[] {
  return [owner, ...namePath(owner).slice(1).slice(-1)];
}

/** Name, schema and catalog of a constraint's table, as far as they are given. */
function constraintPath({ TableOwner, TableName }: PolicyConstraint): string[] {
  const [name = '', ...owners] = namePath(TableName).reverse();
  const [schema = '', ...more] = TableOwner.trim() === '' ? owners : namePath(TableOwner).reverse();
  return [name, schema, ...(more.length > 0 ? more : owners.slice(1))];
}

/** Whether a constraint compares the column of this name. */
export function compares(constraint: PolicyConstraint, column: { name: string }): boolean {
  return foldName(column.name) === foldName(constraint.ColumnName);
}

/** The table that a constraint restricts; its owner is empty if any matches. `hasCatalogs` is that of the platform. */
export function tableOf(constraint: PolicyConstraint, hasCatalogs: boolean): { owner: string; name: string } {
  if (hasCatalogs) {
    const [name = '', ...owners] = constraintPath(constraint);
    return { owner: pathName(owners.filter((part) => part !== '').reverse()), name };
  }
  const { owner, name } = nameParts(constraint.TableName);
  return { owner: bareName(constraint.TableOwner || owner), name: bareName(name) };
}

function nameParts(name: string): { owner: string; name: string } {
  return { owner: name.split('.').at(-2) ?? '', name: name.slice(name.lastIndexOf('.') + 1) };
}

function foldName(name: string): string {
  return bareName(name).toLowerCase();
}

function constraintPredicate(
  table: SourceTable,
  constraint: PolicyConstraint,
  security: RowSecurity,
): Predicate<string> {
  const column = table.columns.find((each) => compares(constraint, each));
  const kind = comparedAs(column?.kind, constraint.ColumnType);
  if (!column || !kind) return nothing;
  const subject: Subject<string> = { operand: column.name, kind, today: security.today };
  const values = comparedValues(constraint);
  const actual = closed(() => restriction(subject, constraint, security));
  const template = { kind: 'template', operand: column.name, operator: constraint.Operator, actual } as const;
  const placeholders = values.map(masked);
  if (!placeholders.includes(maskedValue)) return { ...template, placeholders };
  const hasPlaceholders = values.some((value) => placeholdersOf(value).length > 0);
  return { ...template, placeholders, unmasked: hasPlaceholders ? { ...template, placeholders: values } : actual };
}

/**
 * A constraint's value as shown to readers without access to policies: placeholders are unchanged; of other text,
 * neither the content nor the length is revealed.
 */
function masked(value: string): string {
  const [first, ...more] = parseValue(value);
  return first?.kind === 'placeholder' && more.length === 0 ? value : maskedValue;
}

function restriction(
  subject: Subject<string>,
  { Operator, Value, Value2 }: PolicyConstraint,
  security: RowSecurity,
): Predicate<string> {
  const ways = (value: string) => fill(value, (label) => security.tagValues(label));
  switch (Operator) {
    case '=':
    case '<>':
      return certain(subject, Operator === '=' ? 'in' : 'not in', ways(Value).map(plainText));
    case 'in':
    case 'not in':
      return certain(subject, Operator, listOf(ways(Value)));
    case 'like':
      requireCertain(subject, Operator, ways(Value).map(plainText));
      return anyOf(ways(Value).map((parts) => likePattern(subject, parts.flatMap(patternParts), false)));
    case 'between':
      return certain(subject, Operator, [onlyText(ways(Value)), onlyText(ways(Value2))]);
    default:
      return certain(subject, Operator, [onlyText(ways(Value))]);
  }
}

/** @throws {ValueError} when the database's result of the comparison is not certain. */
function requireCertain({ kind }: Subject<string>, operator: Operator, texts: readonly string[]): void {
  if (comparisonDoubt(kind, operator, texts) !== undefined) throw new ValueError();
}

function certain(subject: Subject<string>, operator: Operator, texts: readonly string[]): Predicate<string> {
  requireCertain(subject, operator, texts);
  return conditionOn(subject, operator, texts);
}

function closed(build: () => Predicate<string>): Predicate<string> {
  try {
    return build();
  } catch (error) {
    if (error instanceof ValueError) return nothing;
    throw error;
  }
}
