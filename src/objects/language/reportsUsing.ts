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

/**
 * Reads every report on a report type and finds those that use one of its fields. API description, SearchReports and
 * GetReport.
 * @param onProgress called after each report with how many were read, of how many.
 * @throws {ClientError} when the list cannot be read, or the search was cancelled. Reports that cannot be read are counted.
 */
export async function reportsUsing(
  call: Call,
  field: FieldPlace,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (read: number, all: number) => void },
): Promise<{ found: ReportUse[]; unread: number }> {
  const items = await call('library/SearchReports', { searchstring: '' }, { signal });
  const candidates = items.filter(
    ({ itemtype, ReportType }) => itemtype !== 0 && (!ReportType || ReportType === field.reportType),
  );
  const found: ReportUse[] = [];
  let unread = 0;
  let read = 0;
  const waiting = [...candidates];
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item; item = waiting.shift()) {
      const id = String(item.id ?? '');
      try {
        const report = await call('Report/GetReport', { ReportId: id, isbuilder: true }, { signal });
        const uses = usesOf(report, field);
        if (uses.length > 0) found.push({ id, name: item.ReportName ?? id, folder: item.folderpath ?? '', uses });
      } catch (error) {
        if (signal.aborted) throw error;
        unread++;
      }
      onProgress?.(++read, candidates.length);
    }
  };
  await Promise.all(Array.from({ length: requestsAtATime }, work));
  return { found: found.sort((a, b) => a.name.localeCompare(b.name)), unread };
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
