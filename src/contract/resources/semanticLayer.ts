import * as z from 'zod';
import { anyList, errorCode, flag, identifier, integer, listOf, standardErrorFields, text } from '../fields.ts';

/** Table of a report type. API description, AnyDB module. */
export const sqlTable = z.looseObject({ tablename: text, tableowner: text, tablealias: text });

/** Folder (G) or field (F) of a report type's tree. API description, AnyDB module. */
export const fieldTreeEntry = z.looseObject({
  id: integer,
  fname: text,
  flevel: text,
  nodetype: text,
  tablealias: text,
  sqlfieldname: text,
  datatype: text,
  idx_order: integer,
});

/** Definition of one report type. API description, AnyDB module. */
export const reportTypeDefinition = z.looseObject({
  ErrorCode: errorCode,
  Moduleid: integer,
  RepTypeID: integer,
  RepTypeName: text,
  SQLTables: listOf(sqlTable),
  FieldTree: listOf(fieldTreeEntry),
});

/** Semantic layer of one application. API description, AnyDB module. */
export const anyDbModule = z.looseObject({
  ReportTypes: listOf(reportTypeDefinition),
  DBSQLTableList: z.looseObject({ AllDbtables: anyList }).nullish(),
  isExcelCSV: flag,
});

/** Column of a database table. API description, AnyDB module (table column). */
export const tableColumn = z.looseObject({
  columnname: text,
  datatype: text,
  tablealias: text,
  MaxLength: integer,
  isNullValueAllowed: flag,
});

/** Field type offered by App Builder. API description, AnyDB module (field type). */
export const fieldType = z.looseObject({ name: text, description: text, id: integer });

/** Report type by name. API description, AnyDB module (report type). */
export const reportType = z.looseObject({ reporttypeid: integer, name: text, moduleid: integer });

/** Time zone; `Offset` in hours. API description, AnyDB module (time zone). */
export const timeZone = z.looseObject({ Name: text, Code: text, Offset: z.number().nullish() });

/** Node of a report type's field tree; Field nodes can be passed to NewField. API description, GetReportTree. */
export interface ReportTreeNode {
  id?: number | null;
  text?: string | null;
  type?: string | null;
  Tag?: unknown;
  children?: ReportTreeNode[] | null;
  dbfieldname?: string | null;
  dbtablealias?: string | null;
  dbparenttablealias?: string | null;
  fieldtype?: string | null;
  ReportFieldName?: string | null;
  [key: string]: unknown;
}

export const reportTreeNode: z.ZodType<ReportTreeNode> = z.looseObject({
  id: integer,
  text,
  type: text,
  Tag: z.unknown().optional(),
  get children() {
    return z.array(reportTreeNode).nullish();
  },
  dbfieldname: text,
  dbtablealias: text,
  dbparenttablealias: text,
  fieldtype: text,
  ReportFieldName: text,
});

/** Reply of GetReportTree. */
export const reportTree = z.looseObject({ ...standardErrorFields, rootnode: reportTreeNode.nullish() });

/** Reply of InsertAnyDbModule. API description, Applications and servers. */
export const newModule = z.looseObject({
  ...standardErrorFields,
  ID: identifier,
  Name: text,
  ModuleType: text,
  ProductCode: text,
  isAnyDbApp: flag,
});

export type SqlTable = z.infer<typeof sqlTable>;
export type FieldTreeEntry = z.infer<typeof fieldTreeEntry>;
export type ReportTypeDefinition = z.infer<typeof reportTypeDefinition>;
export type AnyDbModule = z.infer<typeof anyDbModule>;
export type TableColumn = z.infer<typeof tableColumn>;
export type ReportTree = z.infer<typeof reportTree>;
