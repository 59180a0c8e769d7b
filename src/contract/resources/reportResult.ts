import * as z from 'zod';
import { anyList, flag, identifier, integer, listOf, standardErrorFields, text } from '../fields.ts';

/** Column of a report result; `yurbitype` is a field type code. API description, Report result. */
export const resultColumn = z.looseObject({
  headerText: text,
  key: z.string(),
  dataType: text,
  width: integer,
  dataFormatString: text,
  yurbitype: text,
  columngroup: text,
});

/** A report result without its rows. `HasError` decides, not `ErrorCode`. API description, Report result. */
export const resultEnvelope = z.looseObject({
  ...standardErrorFields,
  HasError: flag,
  ReportID: identifier,
  OutputType: integer,
  Columns: listOf(resultColumn),
  GroupMetadata: anyList,
  groups: anyList,
  IsFromCache: flag,
  IsTopLevel: flag,
  ContainsDrilldown: flag,
  etime: z.union([z.string(), z.number()]).nullish(),
  dbtime: z.union([z.string(), z.number()]).nullish(),
});

/** Report result with its rows, which are objects keyed by the columns' keys. API description, Report result. */
export const reportResult = resultEnvelope.extend({ Data: listOf(z.record(z.string(), z.unknown())) });

export type ResultColumn = z.infer<typeof resultColumn>;
export type ResultEnvelope = z.infer<typeof resultEnvelope>;
export type ReportResult = z.infer<typeof reportResult>;
