import * as z from 'zod';
import { identifier, listOf, standardErrorFields, text, timestamp } from '../fields.ts';
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
