import * as z from 'zod';
import type { Report, ReportField } from '../../contract/resources/report.ts';
import { isMeant, isSameColumn, isSameName, type ColumnPlace, type FieldPlace } from './fieldPlace.ts';
import { isNamed, namesInFormula, namesByLabel } from './formulaNames.ts';
import type { Call } from './knownObjects.ts';
import { linkName, plainAlias } from './problems/linkProblems.ts';

/** A report and how it uses a field. */
export interface ReportUse {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  readonly uses: readonly FieldUse[];
}

/** How a report uses a field, including by passing a value of its rows to a report that it filters. */
export type FieldUse = 'column' | 'criteria' | 'formula' | 'link';

/** On a far server, serial requests take most of the time. */
const requestsAtATime = 12;

/** A report on a report type, with the data that shows which fields it uses. */
export interface ReportOnType {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  readonly report: Report;
}

/** @param onProgress called after each report with the numbers of reports read and in total. */
interface Reading {
  signal: AbortSignal;
  onProgress?: (read: number, all: number) => void;
}

/**
 * Reads all reports on a report type. API description, SearchReports and GetReport.
 * @throws {ClientError} when the list cannot be read or the search was cancelled. Reports that cannot be read are
 * counted.
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

/**
 * Reads all reports on a field's report type and returns those that use the field. Does not read reports on other
 * report types, so does not find values that those pass on.
 * @param namesakes other fields of the same name, if they are still being read.
 * @throws {ClientError} like {@link readReportsOn}, or what `namesakes` rejects with.
 */
export async function reportsUsing(
  call: Call,
  field: FieldPlace,
  reading: Reading,
  namesakes?: Promise<FieldPlace['namesakes']>,
): Promise<{ found: ReportUse[]; unread: number }> {
  const reports = readReportsOn(call, field.reportType, reading);
  const [read, others = field.namesakes] = await Promise.all([reports, namesakes]);
  return { found: usersOf(read.reports, others ? { ...field, namesakes: others } : field), unread: read.unread };
}

/** The reports that use a field, by name. */
export function usersOf(reports: readonly ReportOnType[], field: FieldPlace): ReportUse[] {
  const onType = new Map(reports.filter(({ report }) => isOnType(report, field)).map(({ id, report }) => [id, report]));
  return reports
    .map(({ report, ...rest }) => ({ ...rest, uses: usesOf(report, field, onType) }))
    .filter(({ uses }) => uses.length > 0)
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** The reports with a formula that refers to a field by its label, by name: they fail when it is renamed. */
export function labelUsersOf(reports: readonly ReportOnType[], field: FieldPlace): ReportOnType[] {
  return reports
    .filter(({ report }) => isOnType(report, field))
    .filter(({ report }) =>
      (report.FieldList ?? []).some(({ Formula, DbTableAlias }) =>
        namesByLabel(Formula ?? '', field, DbTableAlias ?? ''),
      ),
    )
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** The data needed by {@link usesOf}, because there may be thousands of cached reports. */
function usesAlone({ ReportType, ModuleName, FieldList, linkreports }: Report): Report {
  return {
    ReportType,
    ModuleName,
    linkreports,
    FieldList: FieldList?.map((field) => ({
      fieldindex: field.fieldindex,
      DbTableAlias: field.DbTableAlias,
      DbFieldName: field.DbFieldName,
      DisplayFieldName: field.DisplayFieldName,
      ReportFieldName: field.ReportFieldName,
      RenamedField: field.RenamedField,
      Formula: field.Formula,
      Criteria: field.Criteria?.map(({ Op, bprompt }) => ({ Op, bprompt })),
    })),
  };
}

/**
 * How a report uses a field; empty if it does not.
 * @param linked the reports on the field's report type that it may link to, by id.
 */
export function usesOf(report: Report, place: FieldPlace, linked: ReadonlyMap<string, Report> = new Map()): FieldUse[] {
  if (!isOnType(report, place)) return [];
  const uses = new Set<FieldUse>();
  for (const entry of report.FieldList ?? []) {
    const own = columnOf(entry);
    const isField = isSameColumn(own, place);
    const isCompared = (entry.Criteria ?? []).some(({ Op, bprompt }) => Boolean(Op) || bprompt === true);
    // A hidden field without criteria is used for sorting: the report still fails without it.
    if (isField && !((entry.fieldindex ?? 1) < 0 && isCompared)) uses.add('column');
    if (isField && isCompared) uses.add('criteria');
    if (namesInFormula(entry.Formula ?? '').some((name) => isNamed(name, place, own))) uses.add('formula');
  }
  if (handedOver(report).some(({ to, name }) => isTakenBy(linked.get(to), name, place))) uses.add('link');
  return [...uses];
}

const reportLink = z.looseObject({
  ReportID: z.union([z.string(), z.number()]).transform(String),
  Links: z.array(z.looseObject({ TargetField: z.string() })),
});

/**
 * The values that rows of a report pass on: the target report, and the name in the target. Links of another form pass
 * on nothing.
 */
function handedOver({ linkreports }: Report): { to: string; name: string }[] {
  return (linkreports ?? []).flatMap((entry) => {
    const { data } = reportLink.safeParse(entry);
    return (data?.Links ?? []).map(({ TargetField }) => ({ to: data?.ReportID ?? '', name: TargetField }));
  });
}

/**
 * Whether a name refers to a field for a report that receives a value by it: one of its own columns, else a label of
 * its report type.
 */
function isTakenBy(report: Report | undefined, name: string, place: FieldPlace): boolean {
  if (!report) return false;
  const entries = (report.FieldList ?? []).map((entry) => ({ ...linkName(entry), column: columnOf(entry) }));
  const own =
    entries.find(({ alias }) => isSameName(alias, name) || isSameName(plainAlias(alias), name)) ??
    entries.find(({ header }) => isSameName(header, name));
  return own ? isSameColumn(own.column, place) : isSameName(name, place.name) && isMeant(place, '');
}

function columnOf({ DbTableAlias, DbFieldName }: ReportField): ColumnPlace {
  return { tableAlias: DbTableAlias ?? '', column: DbFieldName ?? '' };
}

/** Whether a report is on a field's report type, in the same application if both name one. */
function isOnType({ ReportType, ModuleName }: Report, { reportType, application = '' }: FieldPlace): boolean {
  if (ReportType !== reportType) return false;
  const [own, wanted] = [ModuleName ?? '', application].map((name) => name.trim().toLowerCase());
  return own === '' || wanted === '' || own === wanted;
}
