import { isMeant, isSameColumn, isSameName, type ColumnPlace, type FieldPlace } from './fieldPlace.ts';

/** What a formula names: a label alone, a column of a table, or `?`, the field that the formula belongs to. */
export interface FormulaName {
  readonly label: string;
  /** Alias before the dot; undefined for a name that stands alone. */
  readonly table?: string;
  /** Whether it stands in brackets or quotes: a bare word may also be a word of the language. */
  readonly isQuoted: boolean;
  /** Where it stands in the formula. */
  readonly offset: number;
  readonly length: number;
}

const part = String.raw`\[[^\][]+\]|"[^"]+"|[\p{L}_][\p{L}\p{N}_]*`;
const formulaParts = new RegExp(String.raw`'(?:[^']|'')*'|(${part})(?:\s*\.\s*(${part}))?(\s*\()?|\?`, 'gu');

/** Words of the language that a field's label would have to stand in brackets beside. */
const keywords = new Set('and as between case cast distinct else end in is like not null or then when'.split(' '));

/** The names in a formula, in order. Texts in single quotes and functions that are called name nothing. */
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

/** Whether a name of a formula means a field. @param own the column of the field that the formula belongs to. */
export function isNamed(name: FormulaName, field: FieldPlace, own: ColumnPlace): boolean {
  const { label, table } = name;
  if (table !== undefined) return isSameColumn({ tableAlias: table, column: label }, field);
  return label === '?' ? isSameColumn(own, field) : isLabelOf(name, field, own.tableAlias);
}

/** Whether a formula calls a field by its label, not by its column. @param ownTable of the field that it belongs to. */
export function namesByLabel(formula: string, field: FieldPlace, ownTable: string): boolean {
  return namesInFormula(formula).some((name) => isLabelOf(name, field, ownTable));
}

/** A formula that names a field by its column wherever it was called by its label. @param ownTable as {@link namesByLabel}. */
export function namedByColumn(formula: string, field: FieldPlace, ownTable: string): string {
  return withNames(formula, (name) => (isLabelOf(name, field, ownTable) ? columnReference(field) : undefined));
}

/** A formula with some of its names written differently; those that `write` gives nothing for stay. */
export function withNames(formula: string, write: (name: FormulaName) => string | undefined): string {
  return namesInFormula(formula).reduceRight((text, name) => {
    const written = write(name);
    if (written === undefined) return text;
    return text.slice(0, name.offset) + written + text.slice(name.offset + name.length);
  }, formula);
}

/** How a formula names a column: `flights.distance`, in brackets where a part is no plain word. */
export function columnReference({ tableAlias, column }: ColumnPlace): string {
  return [tableAlias, column].map((name) => (/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name))).join('.');
}

/** Whether a formula can hold a name: what is written in brackets or quotes ends at the first that closes it. */
export function isQuotable(name: string): boolean {
  return name.trim() !== '' && !(/[[\]]/.test(name) && name.includes('"'));
}

/** A name in brackets; in double quotes where it holds a bracket. */
export function quoted(name: string): string {
  return /[[\]]/.test(name) ? `"${name}"` : `[${name}]`;
}

function isLabelOf({ label, table }: FormulaName, field: FieldPlace, ownTable: string): boolean {
  return table === undefined && label !== '?' && isSameName(label, field.name) && isMeant(field, ownTable);
}

/** Whether a bare word that stands alone is a function, a word of the language, or the type that CAST names. */
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
