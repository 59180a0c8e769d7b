import * as z from 'zod';
import { identifier, listOf, standardErrorFields, text, timestamp } from '../fields.ts';
import { idText } from '../idText.ts';
import { reportAuthor } from './report.ts';

/**
 * Our own: a dashboard and its reports, in the order in which it shows them. The API description lists dashboards, but
 * has no call for their content.
 */
export const dashboard = z.looseObject({
  ...standardErrorFields,
  id: identifier,
  name: text,
  descr: text,
  folderid: identifier,
  reports: listOf(z.looseObject({ ReportID: identifier })),
  CreatedBy: reportAuthor.nullish(),
  LastModifiedBy: reportAuthor.nullish(),
  CreatedDate: timestamp,
  LastModifiedDate: timestamp,
});

export type Dashboard = z.infer<typeof dashboard>;

/** What the embedded server writes to `item_flags` of a dashboard: the API description leaves the form open. */
const dashboardFlags = z.looseObject({ reports: z.array(z.union([z.int(), z.string()])) });

/** Ids of the reports that `item_flags` of a dashboard names, each once; undefined for the form of another release. */
export function reportsInFlags(flags: string | null | undefined): string[] | undefined {
  try {
    const { data } = dashboardFlags.safeParse(JSON.parse(flags ?? ''));
    return data && [...new Set(data.reports.map(idText))];
  } catch {
    // No JSON.
    return undefined;
  }
}
