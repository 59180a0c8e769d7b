import * as z from 'zod';
import type { Report } from '../../../contract/resources/report.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { CellKind } from '../../../contract/pages/resultsPage.ts';
import type { ResultView } from './resultView.ts';

const id = z.union([z.string(), z.number()]).transform(String);

/** An object by the names of its members in small letters: servers write them in their own ways. */
function bySmallNames<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]));
  }, schema);
}

/** Entry of a report's `linkreports`, whose shape the description leaves open. */
const reportLink = bySmallNames(
  z.looseObject({
    reportid: id.nullish(),
    id: id.nullish(),
    name: z.string().nullish(),
    reportname: z.string().nullish(),
    links: z.array(bySmallNames(z.looseObject({ field: z.string() }))).nullish(),
  }),
);

/** A report that a row of another one opens, and the columns that it takes from the row. */
export interface DrillLink {
  reportId: string;
  name: string;
  fields: readonly string[];
}

/** Names, in small letters, of the columns whose values linked reports take. */
export function linkedColumns(report: Report | undefined): ReadonlySet<string> {
  return new Set(drillLinks(report).flatMap(({ fields }) => fields.map((field) => field.toLowerCase())));
}

/** The reports that rows of a report open; entries of another shape are passed over, see {@link hasUnreadLinks}. */
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

/** Whether a report names reports in a shape that is not understood. */
export function hasUnreadLinks(report: Report | undefined): boolean {
  return drillLinks(report).length < (report?.linkreports ?? []).length;
}

/** Whether rows lead on, as the result says, which may come behind the last row. API description, Report result. */
export function rowsDrillDown(store: ResultStore): unknown {
  return store.envelope.ContainsDrilldown;
}

/**
 * Whether the cells of a column open another report. Columns whose values are handed to linked reports do, of whatever type
 * they are, and so do those of that type. Where the result only says that its rows lead on, the first column does; where it
 * says that none does, no column.
 * @param linked keys, in small letters, of the columns whose values are handed to linked reports.
 */
export function isDrillDown(
  { store, columns }: ResultView,
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
