import * as z from 'zod';
import type { Report } from '../contract/resources/report.ts';

/** Entry of a report's `linkreports`, whose shape the description leaves open. */
const reportLink = z.looseObject({
  ReportID: z.union([z.string(), z.number()]).transform(String),
  Name: z.string().nullish(),
  Links: z.array(z.looseObject({ Field: z.string(), TargetField: z.string().nullish() })).default([]),
});

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

/** The reports that rows of a report open; entries of another shape are passed over. */
export function drillLinks(report: Report | undefined): DrillLink[] {
  return (report?.linkreports ?? []).flatMap((entry) => {
    const read = reportLink.safeParse(entry);
    if (!read.success || read.data.ReportID === '') return [];
    const { ReportID, Name, Links } = read.data;
    return [{ reportId: ReportID, name: Name ?? ReportID, fields: Links.map(({ Field }) => Field) }];
  });
}
