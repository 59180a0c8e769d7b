import { isMeant, isSameColumn, isSameName, type ColumnPlace, type FieldPlace } from './fieldPlace.ts';

/** A name in a formula: a label, a column of a table, or `?`, the field that the formula belongs to. */
export interface FormulaName {
  readonly label: string;
  /** Alias before the dot; undefined for an unqualified name. */
  readonly table?: string;
  /** Whether it is in brackets or quotes: a bare word may also be a keyword. */
  readonly isQuoted: boolean;
  /** Offset in the formula. */
  readonly offset: number;
  readonly length: number;
}

const part = String.raw`\[[^\][]+\]|"[^"]+"|[\p{L}_][\p{L}\p{N}_]*`;
const formulaParts = new RegExp(String.raw`'(?:[^']|'')*'|(${part})(?:\s*\.\s*(${part}))?(\s*\()?|\?`, 'gu');

/** Keywords, which a field's label can only equal in brackets. */
const keywords = new Set('and as between case cast distinct else end in is like not null or then when'.split(' '));

/** The names in a formula, in order. Ignores texts in single quotes and function calls. */
export function namesInFormula(formula: string): FormulaName[] {
  return [...formula.matchAll(formulaParts)].flatMap((found): FormulaName[] => {
    const [whole, first, second, call = ''] = found;
    const place = { offset: found.index, length: whole.length - call.length };
    if (whole === '?') return [{ label: whole, isQuoted: false, ...place }];
    if (first === undefined || (second === undefined && isWord(formula, found.index, first, call !== ''))) return [];
    if (second === undefined) return [{ label: bare(first), isQuoted: isQuoted(first), ...place }];
    return [{ label: bare(second), table: bare(first), isQuoted: isQuoted(second), ...place }];
  });
}

/** Whether a name in a formula refers to a field. @param own the column of the field that the formula belongs to. */
export function isNamed(name: FormulaName, field: FieldPlace, own: ColumnPlace): boolean {
  const { label, table } = name;
  if (table !== undefined) return isSameColumn({ tableAlias: table, column: label }, field);
  return label === '?' ? isSameColumn(own, field) : isLabelOf(name, field, own.tableAlias);
}

/**
 * Whether a formula refers to a field by its label instead of its column. @param ownTable of the field that the formula
 * belongs to.
 */
export function namesByLabel(formula: string, field: FieldPlace, ownTable: string): boolean {
  return namesInFormula(formula).some((name) => isLabelOf(name, field, ownTable));
}

/**
 * The formula with references to a field by label replaced by its column. @param ownTable like {@link namesByLabel}.
 */
export function namedByColumn(formula: string, field: FieldPlace, ownTable: string): string {
  return withNames(formula, (name) => (isLabelOf(name, field, ownTable) ? columnReference(field) : undefined));
}

/** The formula with names replaced by `write`; keeps those for which it returns undefined. */
export function withNames(formula: string, write: (name: FormulaName) => string | undefined): string {
  return namesInFormula(formula).reduceRight((text, name) => {
    const written = write(name);
    if (written === undefined) return text;
    return text.slice(0, name.offset) + written + text.slice(name.offset + name.length);
  }, formula);
}

/** How a formula refers to a column: `flights.distance`, in brackets if a part is not a plain word. */
export function columnReference({ tableAlias, column }: ColumnPlace): string {
  return [tableAlias, column].map((name) => (/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name))).join('.');
}

/** Whether a formula can contain a name: a name in brackets or quotes ends at the first closing character. */
export function isQuotable(name: string): boolean {
  return name.trim() !== '' && !(/[[\]]/.test(name) && name.includes('"'));
}

/** A name in brackets, or in double quotes if it contains a bracket. */
export function quoted(name: string): string {
  return /[[\]]/.test(name) ? `"${name}"` : `[${name}]`;
}

function isLabelOf({ label, table }: FormulaName, field: FieldPlace, ownTable: string): boolean {
  return table === undefined && label !== '?' && isSameName(label, field.name) && isMeant(field, ownTable);
}

/** Whether an unqualified bare word is a function, a keyword, or the type in CAST. */
function isWord(formula: string, offset: number, word: string, isCalled: boolean): boolean {
  if (isQuoted(word)) return false;
  return isCalled || keywords.has(word.toLowerCase()) || /\bas\s+$/i.test(formula.slice(0, offset));
}

function isQuoted(written: string): boolean {
  return /^[["]/.test(written);
}

function bare(written: string): string {
  return isQuoted(written) ? written.slice(1, -1) : written;
}
