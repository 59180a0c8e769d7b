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
  { value: 'between', meaning: 'lies between Value1 and Value2' },
  { value: 'not between', meaning: 'does not lie between Value1 and Value2' },
  { value: 'in', meaning: 'is one of a list, separated by commas' },
  { value: 'not in', meaning: 'is none of a list, separated by commas' },
  { value: 'like', meaning: 'matches a pattern with % and _' },
  { value: 'not like', meaning: 'does not match a pattern with % and _' },
  { value: 'contains', meaning: 'contains a text' },
  { value: 'not contains', meaning: 'does not contain a text' },
  { value: 'starts with', meaning: 'begins with a text' },
  { value: 'ends with', meaning: 'ends with a text' },
  { value: 'is null', meaning: 'has no value' },
  { value: 'is not null', meaning: 'has a value' },
];

/** Aggregates of a field or a total. @l10n meaning */
export const aggregateChoices: readonly FieldChoice[] = [
  { value: 'SUM', meaning: 'Sum of the values' },
  { value: 'COUNT', meaning: 'How many values there are' },
  { value: 'COUNT DISTINCT', meaning: 'How many different values there are' },
  { value: 'AVG', meaning: 'Mean of the values' },
  { value: 'MIN', meaning: 'Smallest value' },
  { value: 'MAX', meaning: 'Largest value' },
];

/** Notes on a library folder. API description, Library folder. @l10n */
export const folderNotes: FieldNotes = {
  id: 'Identifies the folder.',
  fname: 'Name of the folder.',
  ParentLibrary: 'Id of the folder that it is in.',
  folderpath: 'Path from the root of the library.',
  flevel: 'How deep it lies.',
  fmodtype: 'Kind of folder, as the server numbers it.',
  isParent: 'Whether other folders are in it.',
  isHidden: 'Leaves the folder out of lists.',
  InheritPermissions: 'Whether it is open to the same groups as the folder above.',
  Permissions: 'Groups that the folder is open to. With none, All Users see it.',
  'Permissions.RightID': 'Id of a security group.',
  Application: 'Application that the folder belongs to.',
  isUserAdmin: 'Whether you may administer it.',
  isUserView: 'Whether you may see what is in it.',
  isUserModify: 'Whether you may change what is in it.',
  isPublicView: 'Whether All Users see it.',
  isUserDelete: 'Whether you may delete what is in it.',
  isPersonalFolder: 'Whether it is in a personal library.',
  isRestricted: 'Whether it is open to some groups only.',
};

/** Notes on a report. API description, Reports. @l10n */
export const reportNotes: FieldNotes = {
  ReportID: 'Identifies the report.',
  Reportname: 'Name in the library.',
  Description: 'What the report shows.',
  ModuleName: 'Application that it reports on.',
  ModType: 'Kind of that application.',
  ReportType: 'Report type whose fields it uses, by name.',
  ServerName: 'Registered server that it runs on.',
  FieldList: 'Columns, in order. Each comes from the report type’s field tree.',
  'FieldList.fieldindex': 'Place of the column, from 1; a negative one filters or sorts without being shown.',
  'FieldList.DbTableAlias': 'Alias of the table in the report type.',
  'FieldList.DbParentTableAlias': 'Alias of the table that this one is joined from.',
  'FieldList.DbFieldName': 'Column in the database.',
  'FieldList.DisplayFieldName': 'Heading of the column.',
  'FieldList.ReportFieldName': 'Name of the field in the report type.',
  'FieldList.RenamedField': 'Name of the column in the SQL and in the result.',
  'FieldList.Fieldtype': { text: 'How values are read and shown.', choices: fieldTypeChoices },
  'FieldList.SearchCriteria': 'The criteria in words; written by the server.',
  'FieldList.strGroup': { text: 'Summary of the values; empty for none.', choices: aggregateChoices, isOpen: true },
  'FieldList.Formula': 'Expression in place of the column. Fields are written as [Name]; ? stands for this field.',
  'FieldList.grouped': { text: 'Whether rows are grouped by this column.', choices: numberBooleans },
  'FieldList.Criteria': 'Conditions on this field. All fields’ criteria belong together.',
  'FieldList.Criteria.Index': 'Order of the conditions, from 1.',
  'FieldList.Criteria.Field': 'Heading of the field, for reading.',
  'FieldList.Criteria.Op': { text: 'How the field is compared.', choices: comparisonOperators, isOpen: true },
  'FieldList.Criteria.Value1': 'What it is compared with; the default where it prompts.',
  'FieldList.Criteria.Value2': 'The other end of between.',
  'FieldList.Criteria.Logical': {
    text: 'Joins this condition to the next; AND binds tighter.',
    choices: [
      { value: 'AND', meaning: 'Both must hold' },
      { value: 'OR', meaning: 'One must hold' },
    ],
  },
  'FieldList.Criteria.Nested': 'Whether it stands in brackets with its neighbours.',
  'FieldList.Criteria.cond': 'The condition as compiled; written by the server.',
  'FieldList.Criteria.bskip': 'Whether its prompt may be skipped.',
  'FieldList.Criteria.bprompt': 'Whether the value is asked for when the report runs.',
  'FieldList.Criteria.sortorder': 'Place in the sort order, from 1; negative sorts from high to low.',
  'FieldList.Criteria.vrpt': 'Id of the report that gives the prompt’s list of values.',
  'FieldList.Criteria.vrpt_displaycol': 'Column of that report that is shown.',
  'FieldList.Criteria.vrpt_valuecol': 'Column of that report that is compared with.',
  'FieldList.Criteria.bgetvalues': 'Whether the prompt offers the values that the field has.',
  Permissions: 'Who may do what with it; the server’s own list.',
  AdHocFields: 'Totals of the report.',
  linkreports: 'Reports that a click on a row opens.',
  FormLayout: 'Layout of the web page, kept as it is.',
  OutputType: { text: 'How the result is shown.', choices: outputTypeChoices },
  OutputTypeClass: {
    text: 'How the result is shown, as the web pages name it.',
    choices: outputClassChoices,
    isOpen: true,
  },
  Distinct: { text: 'Whether equal rows are shown once.', choices: numberBooleans },
  TopN: 'Most rows to show; null for all.',
  folderid: 'Id of the folder that it is in. You need the right to change what is in there.',
  CreatedBy: 'Who created the report.',
  LastModifiedBy: 'Who saved it last.',
  CreatedDate: 'When it was created.',
  LastModifiedDate: 'When it was last saved.',
};

/** Notes on a report type. API description, AnyDB module. @l10n */
export const reportTypeNotes: FieldNotes = {
  Moduleid: 'Id of the application.',
  RepTypeID: 'Identifies the report type.',
  RepTypeName: 'Name that reports know it by.',
  SQLTables: 'Tables it draws on, each under an alias of its own.',
  'SQLTables.tablename': 'Table in the database.',
  'SQLTables.tableowner': 'Schema of the table.',
  'SQLTables.tablealias': 'Name of the table within this report type.',
  FieldTree: 'Folders and fields as report builders show them.',
  'FieldTree.id': 'Number of the entry within the tree.',
  'FieldTree.fname': 'Name shown.',
  'FieldTree.flevel': 'Where the entry stands in the tree.',
  'FieldTree.nodetype': {
    text: 'Folder or field.',
    choices: [
      { value: 'G', meaning: 'Folder' },
      { value: 'F', meaning: 'Field' },
    ],
  },
  'FieldTree.tablealias': 'Alias of the field’s table, from SQLTables.',
  'FieldTree.sqlfieldname': 'Column of the field.',
  'FieldTree.datatype': { text: 'How values are read and shown.', choices: fieldTypeChoices },
  'FieldTree.idx_order': 'Place among its neighbours.',
};
