import type { Report } from '../../contract/resources/report.ts';
import type { FieldPlace } from './fieldPlace.ts';
import { isNamed, namesInFormula, namesByLabel } from './formulaNames.ts';
import type { Call } from './knownObjects.ts';

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

/** Those of the reports with a formula that calls a field by its label, by name: they fail when it gets another one. */
export function labelUsersOf(reports: readonly ReportOnType[], field: FieldPlace): ReportOnType[] {
  return reports
    .filter(({ report }) => isOnType(report, field))
    .filter(({ report }) => (report.FieldList ?? []).some(({ Formula }) => namesByLabel(Formula ?? '', field)))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** What {@link usesOf} looks at: reports may be kept by the thousand. */
function usesAlone({ ReportType, ModuleName, FieldList }: Report): Report {
  return {
    ReportType,
    ModuleName,
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
  const { tableAlias, column } = place;
  if (!isOnType(report, place)) return [];
  const same = (one: string | null | undefined, other: string) => (one ?? '').toLowerCase() === other.toLowerCase();
  const uses = new Set<FieldUse>();
  for (const entry of report.FieldList ?? []) {
    const isField = same(entry.DbTableAlias, tableAlias) && same(entry.DbFieldName, column);
    const isCompared = (entry.Criteria ?? []).some(({ Op, bprompt }) => Boolean(Op) || bprompt === true);
    // One that is hidden and without criteria is there for its sort: the report fails without it all the same.
    if (isField && !((entry.fieldindex ?? 1) < 0 && isCompared)) uses.add('column');
    if (isField && isCompared) uses.add('criteria');
    if (namesInFormula(entry.Formula ?? '').some((name) => isNamed(name, place, isField))) uses.add('formula');
  }
  return [...uses];
}

/** Whether a report is on a field's report type: of an application where both name one. */
function isOnType({ ReportType, ModuleName }: Report, { reportType, application = '' }: FieldPlace): boolean {
  if (ReportType !== reportType) return false;
  const [own, wanted] = [ModuleName ?? '', application].map((name) => name.trim().toLowerCase());
  return own === '' || wanted === '' || own === wanted;
}
