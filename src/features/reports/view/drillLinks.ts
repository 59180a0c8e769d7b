import * as z from 'zod';
import type { Report } from '../../../contract/resources/report.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { CellKind } from '../../../contract/pages/resultsPage.ts';
import type { ArrangedRows } from './arrangedRows.ts';

const id = z.union([z.string(), z.number()]).transform(String);

/** Parses an object with its property names in lower case: servers differ in their spelling. */
function bySmallNames<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]));
  }, schema);
}

/** An entry of a report's `linkreports`, whose shape the API description does not define. */
const reportLink = bySmallNames(
  z.looseObject({
    reportid: id.nullish(),
    id: id.nullish(),
    name: z.string().nullish(),
    reportname: z.string().nullish(),
    links: z.array(bySmallNames(z.looseObject({ field: z.string() }))).nullish(),
  }),
);

/** A report that a row of another report opens, and the columns that it takes from the row. */
export interface DrillLink {
  reportId: string;
  name: string;
  fields: readonly string[];
}

/** Lower-case names of the columns whose values linked reports take. */
export function linkedColumns(report: Report | undefined): ReadonlySet<string> {
  return new Set(drillLinks(report).flatMap(({ fields }) => fields.map((field) => field.toLowerCase())));
}

/** The reports that rows of a report open. Skips entries of any other shape, see {@link hasUnreadLinks}. */
export function drillLinks(report: Report | undefined): DrillLink[] {
  return (report?.linkreports ?? []).flatMap((entry) => {
    const read = reportLink.safeParse(entry);
    if (!read.success) return [];
    const { reportid, id: ownId, name, reportname, links } = read.data;
    const reportId = reportid ?? ownId ?? '';
    if (reportId === '') return [];
    return [{ reportId, name: name ?? reportname ?? reportId, fields: (links ?? []).map(({ field }) => field) }];
  });
}

/** Whether a report has linked reports of an unsupported shape. */
export function hasUnreadLinks(report: Report | undefined): boolean {
  return drillLinks(report).length < (report?.linkreports ?? []).length;
}

/** The result's flag for drill-down rows, which may arrive after the last row. API description, Report result. */
export function rowsDrillDown(store: ResultStore): unknown {
  return store.envelope.ContainsDrilldown;
}

/**
 * Whether the cells of a column open another report. True for columns whose values are passed to linked reports, of any
 * type, and for columns of the drill-down type. If the result only states that its rows have a drill-down, it is the
 * first column; if it states that none has, no column.
 * @param linked lower-case keys of the columns whose values are passed to linked reports.
 */
export function isDrillDown(
  { store, columns }: ArrangedRows,
  linked: ReadonlySet<string>,
  key: string | undefined,
  kind: CellKind,
): boolean {
  const says = rowsDrillDown(store);
  if (says === false || kind === 'link') return false;
  if (kind === 'drill' || linked.has(key?.toLowerCase() ?? '')) return true;
  const isKnown = linked.size > 0 || columns.some(({ format }) => format.kind === 'drill');
  return says === true && !isKnown && key === columns[0]?.source.key;
}
