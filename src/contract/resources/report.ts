import * as z from 'zod';
import {
  anyList,
  errorCode,
  flag,
  identifier,
  integer,
  listOf,
  scalar,
  standardErrorFields,
  text,
  timestamp,
} from '../fields.ts';

/** One criteria row of a field. API description, Report (Criteria). */
export const criteria = z.looseObject({
  Index: integer,
  Field: text,
  Op: text,
  Value1: text,
  Value2: text,
  Logical: text,
  Nested: flag,
  cond: scalar,
  bskip: flag,
  bprompt: flag,
  sortorder: scalar,
  vrpt: scalar,
  vrpt_displaycol: scalar,
  vrpt_valuecol: scalar,
  vdefaulttop: integer,
  bgetvalues: flag,
  flags: scalar,
});

/** Field of a report; `tbl10` and `tbl11` appear after criteria compilation. API description, Report field. */
export const reportField = z.looseObject({
  fieldindex: integer,
  DbParentTableAlias: text,
  DbTableAlias: text,
  DbFieldName: text,
  DisplayFieldName: text,
  ReportFieldName: text,
  RenamedField: text,
  Fieldtype: text,
  SearchCriteria: text,
  strGroup: text,
  Formula: text,
  tbl5: text,
  grouped: integer,
  Criteria: listOf(criteria),
  ERROR_CODE: errorCode,
  ERROR_MESSAGE: text,
  tbl10: text,
  tbl11: text,
});

/** Totals row. API description, Report (Totals). */
export const totals = z.looseObject({
  type: text,
  func: text,
  field1: text,
  field2: text,
  Value2: text,
  percent: scalar,
  addgtotal: flag,
});

/** Who created or last changed a report or dashboard. */
export const reportAuthor = z.looseObject({ LoginName: text, FullName: text });

/** Report definition. API description, Report. */
export const report = z.looseObject({
  ...standardErrorFields,
  ReportID: identifier,
  Reportname: text,
  ModuleName: text,
  ModType: text,
  ReportType: text,
  ServerName: text,
  Description: text,
  DbLogin: text,
  DbPass: text,
  DbName: text,
  DbDriver: text,
  FieldList: listOf(reportField),
  Permissions: anyList,
  AdHocFields: anyList,
  linkreports: anyList,
  FormLayout: anyList,
  OutputType: integer,
  OutputTypeClass: text,
  Distinct: integer,
  TopN: integer,
  folderid: identifier,
  CreatedBy: reportAuthor.nullish(),
  LastModifiedBy: reportAuthor.nullish(),
  CreatedDate: timestamp,
  LastModifiedDate: timestamp,
});

/** Collections that a report must include when it is saved. */
export const requiredReportCollections = [
  'FieldList',
  'Permissions',
  'AdHocFields',
  'linkreports',
  'FormLayout',
] as const;

/** Run-time prompt; values go into LowValue and HighValue. API description, Prompt. */
export const prompt = z.looseObject({
  HasError: flag,
  ErrorCode: errorCode,
  ErrorMessage: text,
  PromptField: reportField.nullish(),
  isSkipable: flag,
  isBetween: flag,
  isInList: flag,
  isLike: flag,
  isGreaterThan: flag,
  isLessThan: flag,
  isSkipped: flag,
  LowValue: text,
  HighValue: text,
});

/** Report prepared to run: its definition and its prompts, null if it has none. API description, Report metadata. */
export const reportMetadata = z.looseObject({ Report: report.nullish(), Prompts: listOf(prompt) });

/** Entry of a prompt's value list. API description, GetFieldValues. */
export const fieldValue = z.looseObject({ key: z.unknown().optional(), val: z.unknown().optional() });

/** SQL function template; `?` in `expression` is replaced by the field. API description, SQL function. */
export const sqlFunction = z.looseObject({
  id: text,
  name: text,
  description: text,
  expression: text,
  type: text,
  dbplat: text,
  rdatatype: text,
  systemdefault: flag,
  error_message: text,
});

/** Reply of UpdateReport. */
export const reportEcho = z.looseObject({
  ...standardErrorFields,
  ReportID: identifier,
  Reportname: text,
  Description: text,
});

/** Output type. API description, Output types. */
export const outputType = z.looseObject({ id: integer, name: text, uiclass: text });

export type Criteria = z.infer<typeof criteria>;
export type ReportField = z.infer<typeof reportField>;
export type Totals = z.infer<typeof totals>;
export type Report = z.infer<typeof report>;
export type Prompt = z.infer<typeof prompt>;
export type ReportMetadata = z.infer<typeof reportMetadata>;
export type SqlFunction = z.infer<typeof sqlFunction>;
