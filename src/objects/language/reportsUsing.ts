import type { Report } from '../../contract/resources/report.ts';
import type { Call } from './knownObjects.ts';

/** A field of a report type. */
export interface FieldPlace {
  readonly reportType: string;
  readonly tableAlias: string;
  readonly column: string;
  /** Name that reports know it by. */
  readonly name: string;
}

/** A report and what it does with a field. */
export interface ReportUse {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  readonly uses: readonly FieldUse[];
}

/** How a report uses a field. */
export type FieldUse = 'column' | 'criteria' | 'formula';

const requestsAtATime = 4;

/** A report on a report type, with what tells which fields it uses. */
export interface ReportOnType {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  readonly report: Report;
}

/** @param onProgress called after each report with how many were read, of how many. */
interface Reading {
  signal: AbortSignal;
  onProgress?: (read: number, all: number) => void;
}

/**
 * Reads every report on a report type. API description, SearchReports and GetReport.
 * @throws {ClientError} when the list cannot be read, or the search was cancelled. Reports that cannot be read are counted.
 */
export async function readReportsOn(
  call: Call,
  reportType: string,
  { signal, onProgress }: Reading,
): Promise<{ reports: ReportOnType[]; unread: number }> {
  const items = await call('library/SearchReports', { searchstring: '' }, { signal });
  const candidates = items.filter(
    ({ itemtype, ReportType }) => itemtype !== 0 && (!ReportType || ReportType === reportType),
  );
  const reports: ReportOnType[] = [];
  let unread = 0;
  let read = 0;
  const waiting = [...candidates];
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item; item = waiting.shift()) {
      const id = String(item.id ?? '');
      try {
        const report = await call('Report/GetReport', { ReportId: id, isbuilder: true }, { signal });
        reports.push({ id, name: item.ReportName ?? id, folder: item.folderpath ?? '', report: usesAlone(report) });
      } catch (error) {
        if (signal.aborted) throw error;
        unread++;
      }
      onProgress?.(++read, candidates.length);
    }
  };
  await Promise.all(Array.from({ length: requestsAtATime }, work));
  return { reports, unread };
}

/** Reads every report on a field's report type and finds those that use it. @throws {ClientError} as {@link readReportsOn}. */
export async function reportsUsing(
  call: Call,
  field: FieldPlace,
  reading: Reading,
): Promise<{ found: ReportUse[]; unread: number }> {
  const { reports, unread } = await readReportsOn(call, field.reportType, reading);
  return { found: usersOf(reports, field), unread };
}

/** Those of the reports that use a field, by name. */
export function usersOf(reports: readonly ReportOnType[], field: FieldPlace): ReportUse[] {
  return reports
    .map(({ report, ...rest }) => ({ ...rest, uses: usesOf(report, field) }))
    .filter(({ uses }) => uses.length > 0)
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** What {@link usesOf} looks at: reports may be kept by the thousand. */
function usesAlone({ ReportType, FieldList }: Report): Report {
  return {
    ReportType,
    FieldList: FieldList?.map(({ fieldindex, DbTableAlias, DbFieldName, Formula, Criteria }) => ({
      fieldindex,
      DbTableAlias,
      DbFieldName,
      Formula,
      Criteria: Criteria?.map(({ Op, bprompt }) => ({ Op, bprompt })),
    })),
  };
}

/** How a report uses a field; empty when it does not. */
export function usesOf(report: Report, place: FieldPlace): FieldUse[] {
  const { reportType, tableAlias, column } = place;
  if (report.ReportType !== reportType) return [];
  const same = (one: string | null | undefined, other: string) => (one ?? '').toLowerCase() === other.toLowerCase();
  const uses = new Set<FieldUse>();
  for (const entry of report.FieldList ?? []) {
    const isField = same(entry.DbTableAlias, tableAlias) && same(entry.DbFieldName, column);
    if (isField && (entry.fieldindex ?? 1) >= 0) uses.add('column');
    if (isField && (entry.Criteria ?? []).some(({ Op, bprompt }) => Boolean(Op) || bprompt === true))
      uses.add('criteria');
    if (namesInFormula(entry.Formula ?? '').some((name) => isNamed(name, place, isField))) uses.add('formula');
  }
  return [...uses];
}

/** What a formula names: a label alone, a column of a table, or `?`, the field that the formula belongs to. */
interface FormulaName {
  readonly label: string;
  /** Alias before the dot; undefined for a name that stands alone. */
  readonly table?: string;
}

const formulaParts =
  /'(?:[^']|'')*'|\[([^\][]+)\]|"([^"]+)"|([\p{L}_][\p{L}\p{N}_]*)(?:\s*\.\s*([\p{L}_][\p{L}\p{N}_]*))?(\s*\()?|\?/gu;

/** Texts in single quotes and functions that are called name nothing. */
function namesInFormula(formula: string): FormulaName[] {
  return [...formula.matchAll(formulaParts)].flatMap(([whole, inBrackets, inQuotes, word, column, call]) => {
    const label = inBrackets ?? inQuotes ?? (whole === '?' ? whole : undefined);
    if (label !== undefined) return [{ label }];
    if (word === undefined || call !== undefined) return [];
    return [column === undefined ? { label: word } : { label: column, table: word }];
  });
}

function isNamed({ label, table }: FormulaName, { tableAlias, column, name }: FieldPlace, isOwn: boolean): boolean {
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  if (table !== undefined) return same(table, tableAlias) && same(label, column);
  return label === '?' ? isOwn : same(label, name);
}
