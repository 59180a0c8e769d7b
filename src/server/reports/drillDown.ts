import * as z from 'zod';
import type { Report } from '../../contract/resources/report.ts';
import { ReportError } from './reportError.ts';

/** Entry of a report's `linkreports`: the report to open, and the fields of it that get the value of a column. */
const reportLink = z.looseObject({
  ReportID: z.coerce.string(),
  Name: z.string().nullish(),
  Links: z.array(z.object({ Field: z.string(), TargetField: z.string() })),
});

export type ReportLink = z.output<typeof reportLink>;

/** A field of the target report and its required value; null means no value. */
export interface FieldEquals {
  field: string;
  value: string | null;
}

/** The links of a report. @throws {ReportError} when an entry is invalid. */
export function readLinks(report: Report): ReportLink[] {
  return (report.linkreports ?? []).map((entry, index) => {
    const read = reportLink.safeParse(entry);
    if (!read.success) throw new ReportError(`linkreports ${index + 1}: ${z.prettifyError(read.error)}`);
    return read.data;
  });
}

/**
 * The link to `targetId`, or the first one if it is undefined.
 * @throws {ReportError} when the report has no such link.
 */
export function chosenLink(report: Report, targetId: string | undefined): ReportLink {
  const link = readLinks(report).find(({ ReportID }) => targetId === undefined || ReportID === targetId);
  if (!link) throw new ReportError(`The report "${report.Reportname ?? ''}" has no drill-down to this report`);
  return link;
}

/**
 * The conditions that a clicked row sets on the target report. `row` is keyed by the source's columns; only the link's
 * columns are used.
 * @throws {ReportError} when the row lacks a column of the link.
 */
export function linkConditions(link: ReportLink, row: Readonly<Record<string, unknown>>): FieldEquals[] {
  const values = new Map(Object.entries(row).map(([key, value]) => [key.toLowerCase(), value]));
  return link.Links.map(({ Field, TargetField }) => {
    const value = values.get(Field.toLowerCase());
    if (value === null) return { field: TargetField, value: null };
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      throw new ReportError(`DrillDownCriteria has no value for the column "${Field}"`);
    }
    return { field: TargetField, value: String(value) };
  });
}
