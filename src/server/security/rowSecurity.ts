import { comparedAs, comparisonDoubt } from '../../contract/columnComparison.ts';
import type { StoredKind } from '../../contract/columnTypes.ts';
import type { Operator } from '../../contract/operators.ts';
import { parseValue, placeholdersOf, type LabelReading, type ValueText } from '../../contract/placeholders.ts';
import { comparedValues, isOwnText, type PolicyConstraint } from './policyConstraint.ts';
import { conditionOn, likePattern, patternOf, type Subject } from './rowSecurityConditions.ts';
import {
  allOf,
  anyOf,
  joinChain,
  type LikePart,
  maskedValue,
  nothing,
  type Predicate,
} from './rowSecurityPredicate.ts';
import { mostListValues, splitList, ValueError } from './rowSecurityValues.ts';

/** A column that a policy may compare: its name exactly as the database spells it, and what it holds by the database's type. */
export interface SourceColumn {
  name: string;
  kind: StoredKind;
}

/** Other ways to the rows of a table; see {@link SourceTable}. */
export interface OtherPaths {
  /** Relations of the database that show rows of the same origin: what a view reads, and views of what it reads. */
  relations: readonly { owner: string; name: string }[];
  /** Whether the table certainly shows no rows beside its own and those of `relations`. */
  isComplete: boolean;
  /** Further applications whose registered servers lead to the same database. */
  moduleIds: readonly string[];
}

/** A table whose rows have no other way. */
export const noOtherPaths: OtherPaths = { relations: [], isComplete: true, moduleIds: [] };

/** A table of a report type, as a query is about to read it. */
export interface SourceTable {
  /** Application that the report type belongs to. */
  moduleId: string;
  /** Schema; empty for the connection's own. */
  owner: string;
  name: string;
  alias: string;
  /** Columns whose values are known for certain; a policy that compares another one shows no row. */
  columns: readonly SourceColumn[];
  otherPaths: OtherPaths;
}

/** A table whose rows a policy restricts under another name, so that it may not be read under this one. */
export class OtherPathError extends Error {
  constructor(table: SourceTable, restricted: string | undefined) {
    const remedy = `An administrator can add a constraint on "${table.name}" to that policy`;
    super(
      restricted === undefined
        ? `It cannot be told which rows "${table.name}" shows, and a policy restricts rows that may be among them. ${remedy}`
        : `"${table.name}" shows rows of "${restricted}", which a policy restricts. ${remedy}, or the report can use "${restricted}"`,
    );
    this.name = 'OtherPathError';
  }
}

/** A policy, as far as the gate looks at it. */
export interface RowPolicy {
  constraints: readonly PolicyConstraint[];
}

/** What restricts one caller: the active policies, and the values of the tags that they name. */
export interface RowSecurity {
  policies: readonly RowPolicy[];
  /** Values for the caller of a placeholder with this normal label; undefined or none means that no row may be seen. */
  tagValues(label: string): readonly string[] | undefined;
  /** Day (`YYYY-MM-DD`) that relative dates in constraints count from. */
  today: string;
}

/**
 * A table with the caller's row restriction: the only form in which a table enters a query. Only {@link secure} makes
 * one, and the SQL emitter takes nothing else, so no statement can read a table past the policies.
 */
export class SecuredSource {
  readonly #isGenuine = true;
  readonly table: SourceTable;
  /** Condition on the table's columns; undefined when no policy concerns it. */
  readonly restriction: Predicate<string> | undefined;

  private constructor(table: SourceTable, restriction: Predicate<string> | undefined) {
    this.table = table;
    this.restriction = restriction;
  }

  /** The gate itself; see {@link secure}. */
  static behindGate(table: SourceTable, security: RowSecurity): SecuredSource {
    for (const { constraints } of security.policies) requireOnlyPath(table, constraints);
    const restrictions = security.policies.flatMap((policy) => policyRestriction(table, policy, security) ?? []);
    return new SecuredSource(table, restrictions.length > 0 ? allOf(restrictions) : undefined);
  }

  /** Whether `value` came through the gate, whatever the type system was told. */
  static isGenuine(value: unknown): value is SecuredSource {
    return typeof value === 'object' && value !== null && #isGenuine in value && value.#isGenuine;
  }
}

/**
 * Restricts `table` to the rows that all of the caller's policies allow. Fails closed: a column that the table does not
 * have, one whose type makes the comparison uncertain, a tag without a value, or a value that is none of its column's kind
 * lets no row through. Tag values are plain
 * text: they hold no wildcards, no placeholders and no SQL.
 * @throws {OtherPathError} when a policy restricts the same rows under another name and not under this one.
 */
export function secure(table: SourceTable, security: RowSecurity): SecuredSource {
  return SecuredSource.behindGate(table, security);
}

/** Whether a policy compares a column of `table`, so that the database has to be asked what its columns hold. */
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
 * A policy says for every relation what it shows of the rows, or that relation is closed: no column of a view is known
 * to hold what the column of that name holds in the table below it.
 */
function requireOnlyPath(table: SourceTable, constraints: readonly PolicyConstraint[]): void {
  if (constraints.some((constraint) => concerns(constraint, table))) return;
  const applicable = constraints.filter((constraint) => isForModule(constraint, table));
  const { relations, isComplete } = table.otherPaths;
  const restricted = relations.find((relation) => applicable.some((constraint) => isNamed(constraint, relation)));
  if (restricted) throw new OtherPathError(table, restricted.name);
  // What cannot be traced may lead to the database of any application.
  if (!isComplete && constraints.length > 0) throw new OtherPathError(table, undefined);
}

/**
 * Whether other names of a table's rows matter: some policy restricts something, but certainly not this table. Where none
 * does, the database need not be asked for them.
 */
export function mayHaveOtherPaths(table: SourceTable, policies: readonly RowPolicy[]): boolean {
  return policies.some(
    ({ constraints }) => constraints.length > 0 && !constraints.some((constraint) => concerns(constraint, table)),
  );
}

/** Whether a constraint restricts the rows of a table. */
export function concerns(constraint: PolicyConstraint, table: SourceTable): boolean {
  return isForModule(constraint, table) && isNamed(constraint, table);
}

/** A constraint for one application holds wherever that application's databases are read. */
function isForModule({ ModuleID }: PolicyConstraint, { moduleId, otherPaths }: SourceTable): boolean {
  return ModuleID === '' || ModuleID === moduleId || otherPaths.moduleIds.includes(ModuleID);
}

/** Names compare without case; an owner left empty on either side may be any. */
function isNamed(constraint: PolicyConstraint, table: { owner: string; name: string }): boolean {
  const named = nameParts(constraint.TableName);
  const real = nameParts(table.name);
  const owners = [constraint.TableOwner || named.owner, table.owner || real.owner].map(foldName);
  return foldName(named.name) === foldName(real.name) && (owners.includes('') || owners[0] === owners[1]);
}

/** Whether a constraint compares the column of this name. */
export function compares(constraint: PolicyConstraint, column: { name: string }): boolean {
  return foldName(column.name) === foldName(constraint.ColumnName);
}

/** The table that a constraint restricts; its owner is empty where any is meant. */
export function tableOf({ TableOwner, TableName }: PolicyConstraint): { owner: string; name: string } {
  const { owner, name } = nameParts(TableName);
  return { owner: bareName(TableOwner || owner), name: bareName(name) };
}

function nameParts(name: string): { owner: string; name: string } {
  return { owner: name.split('.').at(-2) ?? '', name: name.slice(name.lastIndexOf('.') + 1) };
}

function bareName(name: string): string {
  return name.trim().replace(/^["`[]|["`\]]$/g, '');
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
 * A constraint's value as those read it who may not read policies: a placeholder as it is; of anything else neither what it
 * says nor how much of it there is.
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
  const ways = (value: string) => fill(value, security);
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

/** @throws {ValueError} when it is not certain what the database makes of the comparison. */
function requireCertain({ kind }: Subject<string>, operator: Operator, texts: readonly string[]): void {
  if (comparisonDoubt(kind, operator, texts) !== undefined) throw new ValueError();
}

function certain(subject: Subject<string>, operator: Operator, texts: readonly string[]): Predicate<string> {
  requireCertain(subject, operator, texts);
  return conditionOn(subject, operator, texts);
}

/** A piece of a filled template: its own text, or one that came from a tag or, a single item of any list, from a profile. */
interface FilledPart {
  text: string;
  isTag: boolean;
  isOneItem: boolean;
}

/** One way of filling a value. */
type Filled = readonly FilledPart[];

/**
 * Every way of filling a value with the caller's tag values. A tag without values leaves none, and no condition is met
 * by none.
 * @throws {ValueError} when a placeholder of it is broken or names nothing certain, or when there are too many ways.
 */
function fill(value: string, security: RowSecurity): Filled[] {
  let combinations: Filled[] = [[]];
  for (const part of parseValue(value)) {
    const pieces = part.kind === 'text' ? [textPiece(part)] : tagPieces(part.label, security);
    if (combinations.length * pieces.length > mostListValues) throw new ValueError();
    combinations = combinations.flatMap((left) => pieces.map((piece) => [...left, piece]));
  }
  return combinations;
}

function textPiece({ text, isBroken }: ValueText): FilledPart {
  if (isBroken) throw new ValueError();
  return { text, isTag: false, isOneItem: false };
}

function tagPieces({ normal }: LabelReading, security: RowSecurity): FilledPart[] {
  if (normal === undefined) throw new ValueError();
  const texts = (security.tagValues(normal) ?? []).filter((value) => value !== '');
  return texts.map((text) => ({ text, isTag: true, isOneItem: isOwnText(normal) }));
}

function plainText(parts: Filled): string {
  return parts.map(({ text }) => text).join('');
}

/** The text of a template for an order comparison, which has no single meaning between several values. */
function onlyText([way, ...others]: readonly Filled[]): string {
  if (!way || others.length > 0) throw new ValueError();
  return plainText(way);
}

/** @throws {ValueError} when the lists together have too many values. */
function listOf(ways: readonly Filled[]): string[] {
  const texts: string[] = [];
  for (const way of ways) {
    const items = listItems(way);
    if (texts.length + items.length > mostListValues) throw new ValueError();
    texts.push(...items);
  }
  return texts;
}

/**
 * The items of a filled template as a list. What a profile says stays one item, whatever it holds: users write some of it
 * themselves. So the list is split while a name stands for it that holds no separators.
 * @throws {ValueError} when it would have to be part of an item and holds what separates items.
 */
function listItems(parts: Filled): string[] {
  const held = new Map<string, string>();
  const list = parts.map(({ text, isOneItem }, index) => {
    if (!isOneItem || !/[,'"]|^\s|\s$/u.test(text)) return text;
    const name = `\0${index}\0`;
    held.set(name, text);
    return name;
  });
  return splitList(list.join('')).map((item) => {
    const text = held.get(item);
    if (text === undefined && item.includes('\0')) throw new ValueError();
    return text ?? item;
  });
}

function patternParts(part: FilledPart): LikePart[] {
  return part.isTag ? [{ literal: part.text }] : patternOf(part.text);
}

function closed(build: () => Predicate<string>): Predicate<string> {
  try {
    return build();
  } catch (error) {
    if (error instanceof ValueError) return nothing;
    throw error;
  }
}
