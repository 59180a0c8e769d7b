import type { Operator } from '../../contract/operators.ts';
import { fieldTypes } from '../../contract/fieldTypes.ts';
import { outputTypes } from '../../contract/outputTypes.ts';
import { numberBooleans, type FieldChoice, type FieldNotes } from './fieldNote.ts';

const fieldTypeChoices: readonly FieldChoice[] = Object.entries(fieldTypes).map(([value, meaning]) => ({
  value,
  meaning,
}));
/** 0 marks a dashboard in a listing and is not an output type of a report. */
const outputTypeChoices: readonly FieldChoice[] = outputTypes
  .filter(({ id }) => id > 0)
  .map(({ id, name, uiclass }) => ({ value: id, meaning: name, detail: uiclass }));
const outputClassChoices: readonly FieldChoice[] = [
  ...new Map(outputTypes.filter(({ id }) => id > 0).map(({ name, uiclass }) => [uiclass, name])),
].map(([value, meaning]) => ({ value, meaning }));

/** Comparison operators of report criteria and constraints. @l10n meaning */
export const comparisonOperators: readonly (FieldChoice & { value: Operator })[] = [
  { value: '=', meaning: 'is' },
  { value: '<>', meaning: 'is not' },
  { value: '<', meaning: 'is less than' },
  { value: '<=', meaning: 'is at most' },
  { value: '>', meaning: 'is greater than' },
  { value: '>=', meaning: 'is at least' },
  { value: 'between', meaning: 'is between Value1 and Value2' },
  { value: 'not between', meaning: 'is not between Value1 and Value2' },
  { value: 'in', meaning: 'is one of a list, separated by commas' },
  { value: 'not in', meaning: 'is none of a list, separated by commas' },
  { value: 'like', meaning: 'matches a pattern with % and _' },
  { value: 'not like', meaning: 'does not match a pattern with % and _' },
  { value: 'contains', meaning: 'contains text' },
  { value: 'not contains', meaning: 'does not contain text' },
  { value: 'starts with', meaning: 'starts with text' },
  { value: 'ends with', meaning: 'ends with text' },
  { value: 'is null', meaning: 'has no value' },
  { value: 'is not null', meaning: 'has a value' },
];

/** Aggregates of a field or a total. @l10n meaning */
export const aggregateChoices: readonly FieldChoice[] = [
  { value: 'SUM', meaning: 'Sum of the values' },
  { value: 'COUNT', meaning: 'Number of values' },
  { value: 'COUNT DISTINCT', meaning: 'Number of distinct values' },
  { value: 'AVG', meaning: 'Average of the values' },
  { value: 'MIN', meaning: 'Smallest value' },
  { value: 'MAX', meaning: 'Largest value' },
];

/** Notes on a library folder. API description, Library folder. @l10n */
export const folderNotes: FieldNotes = {
  id: 'Identifies the folder.',
  fname: 'Name of the folder.',
  ParentLibrary: 'ID of the parent folder.',
  folderpath: 'Path from the root of the library.',
  flevel: 'Nesting depth.',
  fmodtype: 'Folder type, as numbered by the server.',
  isParent: 'Whether it contains other folders.',
  isHidden: 'Hides the folder from lists.',
  InheritPermissions: 'Whether it is open to the same groups as the parent folder while it has no groups of its own.',
  Permissions:
    'Groups that the folder is open to. If empty, the inherited groups apply, or All Users if none are inherited.',
  'Permissions.RightID': 'ID of a security group.',
  Application: 'Application that the folder belongs to.',
  isUserAdmin: 'Whether you may administer it.',
  isUserView: 'Whether you may see its content.',
  isUserModify: 'Whether you may change its content.',
  isPublicView: 'Whether All Users see it.',
  isUserDelete: 'Whether you may delete its content.',
  isPersonalFolder: 'Whether it is in a personal library.',
  isRestricted: 'Whether it is open to some groups only.',
};

/** Notes on a report. API description, Reports. @l10n */
export const reportNotes: FieldNotes = {
  ReportID: 'Identifies the report.',
  Reportname: 'Name in the library.',
  Description: 'Description of the report.',
  ModuleName: 'Application that the report is about.',
  ModType: 'Type of that application.',
  ReportType: 'Name of the report type that provides the fields.',
  ServerName: 'Registered server that it runs on.',
  FieldList: 'Columns in order. Each comes from the field tree of the report type.',
  'FieldList.fieldindex': 'Column position, from 1; a negative position filters or sorts without showing the column.',
  'FieldList.DbTableAlias': 'Alias of the table in the report type.',
  'FieldList.DbParentTableAlias': 'Alias of the parent table of the join.',
  'FieldList.DbFieldName': 'Column in the database.',
  'FieldList.DisplayFieldName': 'Column heading.',
  'FieldList.ReportFieldName': 'Name of the field in the report type.',
  'FieldList.RenamedField': 'Name of the column in the SQL and in the result.',
  'FieldList.Fieldtype': { text: 'How values are read and shown.', choices: fieldTypeChoices },
  'FieldList.SearchCriteria': 'The criteria in words; written by the server.',
  'FieldList.strGroup': { text: 'Summary of the values; empty for none.', choices: aggregateChoices, isOpen: true },
  'FieldList.Formula': 'Expression to use instead of the column. Write fields as [Name]; ? is this field.',
  'FieldList.grouped': { text: 'Whether rows are grouped by this column.', choices: numberBooleans },
  'FieldList.Criteria': 'Conditions for this field. Criteria of all fields are evaluated together.',
  'FieldList.Criteria.Index': 'Order of the conditions, starting at 1.',
  'FieldList.Criteria.Field': 'Field heading, for information only.',
  'FieldList.Criteria.Op': { text: 'Comparison operator of the field.', choices: comparisonOperators, isOpen: true },
  'FieldList.Criteria.Value1': 'Value to compare with; the default value if it is a prompt.',
  'FieldList.Criteria.Value2': 'The other end of between.',
  'FieldList.Criteria.Logical': {
    text: 'Joins this condition to the next one; AND takes precedence over OR.',
    choices: [
      { value: 'AND', meaning: 'Both conditions must match' },
      { value: 'OR', meaning: 'At least one condition must match' },
    ],
  },
  'FieldList.Criteria.Nested': 'Whether it is in parentheses with its neighbours.',
  'FieldList.Criteria.cond': 'The compiled condition; written by the server.',
  'FieldList.Criteria.bskip': 'Whether its prompt may be skipped.',
  'FieldList.Criteria.bprompt': 'Whether the report asks for the value when it runs.',
  'FieldList.Criteria.sortorder': 'Position in the sort order, from 1; a negative position sorts in descending order.',
  'FieldList.Criteria.vrpt': 'ID of the report that provides the value list of the prompt.',
  'FieldList.Criteria.vrpt_displaycol': 'Report column to show.',
  'FieldList.Criteria.vrpt_valuecol': 'Report column to compare with.',
  'FieldList.Criteria.bgetvalues': 'Whether the prompt suggests the values of the field.',
  Permissions: 'Permissions on it; the server’s own list.',
  AdHocFields: 'Totals of the report.',
  linkreports: 'Reports that a click on a row opens.',
  FormLayout: 'Layout of the web page. Kept unchanged.',
  OutputType: { text: 'How the result is shown.', choices: outputTypeChoices },
  OutputTypeClass: {
    text: 'How the result is shown, using the name from the web pages.',
    choices: outputClassChoices,
    isOpen: true,
  },
  Distinct: { text: 'Whether duplicate rows are shown once.', choices: numberBooleans },
  TopN: 'Maximum number of rows to show; null for all.',
  folderid: 'ID of the parent folder. You need permission to change its contents.',
  CreatedBy: 'Who created the report.',
  LastModifiedBy: 'Who saved it last.',
  CreatedDate: 'When it was created.',
  LastModifiedDate: 'When it was last saved.',
};

/** Notes on a dashboard, which the API description does not have. @l10n */
export const dashboardNotes: FieldNotes = {
  id: 'Identifies the dashboard.',
  name: 'Name of the dashboard.',
  descr: 'Description of the dashboard (optional).',
  folderid: 'ID of the library folder.',
  reports: 'Reports that the dashboard shows side by side, in this order. Readers see only those that they can run.',
  'reports.ReportID': 'ID of a report.',
  CreatedBy: 'Who created the dashboard.',
  LastModifiedBy: 'Who saved it last.',
  CreatedDate: 'When it was created.',
  LastModifiedDate: 'When it was last saved.',
};

/** Notes on a report type. API description, AnyDB module. @l10n */
export const reportTypeNotes: FieldNotes = {
  Moduleid: 'ID of the application.',
  RepTypeID: 'Identifies the report type.',
  RepTypeName: 'Name that reports use to refer to it.',
  SQLTables: 'Tables of the report type, each under its own alias.',
  'SQLTables.tablename': 'Table in the database.',
  'SQLTables.tableowner': 'Schema of the table.',
  'SQLTables.tablealias': 'Name of the table within this report type.',
  FieldTree: 'Folders and fields as shown in the report builder.',
  'FieldTree.id': 'Number of the entry in the tree.',
  'FieldTree.fname': 'Display name.',
  'FieldTree.flevel': 'Position of the entry in the tree.',
  'FieldTree.nodetype': {
    text: 'Folder or field.',
    choices: [
      { value: 'G', meaning: 'Folder' },
      { value: 'F', meaning: 'Field' },
    ],
  },
  'FieldTree.tablealias': 'Alias of the table of the field, from SQLTables.',
  'FieldTree.sqlfieldname': 'Column of the field.',
  'FieldTree.datatype': { text: 'How values are read and shown.', choices: fieldTypeChoices },
  'FieldTree.idx_order': 'Position among its siblings.',
};
