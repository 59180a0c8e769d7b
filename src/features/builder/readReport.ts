import type {
  BuilderCriterion,
  BuilderField,
  BuilderLink,
  BuilderReport,
  BuilderSort,
  BuilderTotal,
} from './pageContract.ts';
import { readInList } from '../reports/prompts/promptFields.ts';
import * as l10n from '../../l10n/l10n.ts';

/** A JSON object with properties of any type. */
type Loose = Readonly<Record<string, unknown>>;

/**
 * Parses a document into the report that the builder shows. Missing values, and values of a type that the API does not
 * list, are shown as empty and stay unchanged in the text.
 * @throws {SyntaxError} if the text is not JSON.
 * @throws {Error} if the JSON is not an object.
 */
export function readReport(text: string): BuilderReport {
  const parsed: unknown = JSON.parse(text);
  if (!isLoose(parsed)) throw new Error(l10n.t('A report must be a single JSON object.'));
  return {
    name: textOf(parsed.Reportname),
    description: textOf(parsed.Description),
    application: textOf(parsed.ModuleName),
    reportType: textOf(parsed.ReportType),
    server: textOf(parsed.ServerName),
    folderId: textOf(parsed.folderid),
    outputType: numberOf(parsed.OutputType) ?? 1,
    isDistinct: Boolean(numberOf(parsed.Distinct)),
    topN: numberOf(parsed.TopN) || null,
    fields: readFields(parsed.FieldList),
    totals: listOf(parsed.AdHocFields).map(readTotal),
    links: listOf(parsed.linkreports).map(readLink),
  };
}

/** Fields in display order: by the absolute value of `fieldindex`, else as stored. */
function readFields(list: unknown): BuilderField[] {
  return listOf(list)
    .map((field, index) => ({
      field: readField(field, index),
      place: Math.abs(numberOf(field.fieldindex) ?? 0) || index + 1,
    }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ field }) => field);
}

function readField(field: Loose, index: number): BuilderField {
  const names = [field.DisplayFieldName, field.ReportFieldName, field.RenamedField, field.DbFieldName].map(textOf);
  const [table, column] = [textOf(field.DbTableAlias), textOf(field.DbFieldName)];
  const rows = listOf(field.Criteria);
  return {
    index,
    name: names.find((name) => name !== '') ?? '',
    header: textOf(field.DisplayFieldName),
    alias: textOf(field.RenamedField),
    source: column === '' ? '' : `${table}.${column}`,
    type: textOf(field.Fieldtype),
    isHidden: (numberOf(field.fieldindex) ?? 1) < 0,
    isGroup: Boolean(numberOf(field.grouped)),
    aggregate: textOf(field.strGroup).trim(),
    formula: textOf(field.Formula),
    sort: rows.map((row) => readSort(row.sortorder)).find((sort) => sort !== null) ?? null,
    criteria: criteriaOrder(rows).flatMap((place) => readCriterion(rows[place] ?? {}, place)),
  };
}

/** Indices of criteria rows in effective order: by `Index`, else as stored. */
export function criteriaOrder(rows: readonly { Index?: unknown }[]): number[] {
  return rows
    .map(({ Index }, place) => ({ place, index: numberOf(Index) ?? 0 }))
    .toSorted((one, other) => one.index - other.index)
    .map(({ place }) => place);
}

/** A row that neither filters nor prompts holds at most a sort. */
function readCriterion(row: Loose, place: number): BuilderCriterion[] {
  const operator = textOf(row.Op).trim();
  if (operator === '' && row.bprompt !== true && textOf(row.sortorder) !== '') return [];
  return [
    {
      row: place,
      operator,
      value1: textOf(row.Value1),
      value2: textOf(row.Value2),
      list: readInList(textOf(row.Value1)),
      joiner: textOf(row.Logical).trim().toUpperCase() === 'OR' ? 'OR' : 'AND',
      isNested: row.Nested === true,
      isPrompt: row.bprompt === true,
      isSkipable: row.bskip === true,
    },
  ];
}

/** A sort of a criteria row: `asc`, `desc`, or a signed number that is also the priority. */
export function readSort(value: unknown): BuilderSort | null {
  const text = textOf(value).trim().toLowerCase();
  const word = /^(asc|desc)/.exec(text)?.[1];
  if (word !== undefined) return { isDescending: word === 'desc', priority: null };
  const number = /^([+-]?)(\d{1,6})$/.exec(text);
  if (number === null || Number(number[2]) === 0) return null;
  return { isDescending: number[1] === '-', priority: Number(number[2]) };
}

function readTotal(total: Loose, index: number): BuilderTotal {
  return {
    index,
    type: textOf(total.type) || 'total',
    func: textOf(total.func),
    field1: textOf(total.field1),
    field2: textOf(total.field2),
    value2: textOf(total.Value2),
    isPercent: isYes(total.percent),
    hasGrandTotal: total.addgtotal === true,
  };
}

function readLink(link: Loose, index: number): BuilderLink {
  const pairs = listOf(link.Links).map(({ Field, TargetField }) => ({
    field: textOf(Field),
    target: textOf(TargetField),
  }));
  return { index, reportId: textOf(link.ReportID), name: textOf(link.Name), pairs };
}

/** Servers write true as a boolean, a number or a word. */
function isYes(value: unknown): boolean {
  return ['true', '1', 'yes', 'y'].includes(textOf(value).trim().toLowerCase());
}

function listOf(value: unknown): Loose[] {
  return Array.isArray(value) ? value.map((entry: unknown) => (isLoose(entry) ? entry : {})) : [];
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function isLoose(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
