import { errorCodes } from '../../contract/errorCodes.ts';
import { isFieldTypeCode } from '../../contract/fieldTypes.ts';
import type { Criteria, Report, ReportField, SqlFunction, Totals } from '../../contract/resources/report.ts';
import type { ReportTreeNode } from '../../contract/resources/semanticLayer.ts';
import { neverTimestamp } from '../calls/timestamps.ts';
import { uniqueAlias } from './fieldPlan.ts';
import type { Dialect } from './sql/dialect.ts';
import {
  type AggregateName,
  aggregates,
  functionGroup,
  type FunctionName,
  functionRow,
  functions,
  resultType,
} from './sql/functions.ts';

/** An empty report with all of its collections. API description, NewReport. */
export function newReport(): Report {
  return {
    ErrorCode: errorCodes.success,
    ErrorMessage: null,
    ReportID: '',
    Reportname: 'New Report',
    ModuleName: '',
    ModType: '',
    ReportType: '',
    ServerName: '',
    Description: '',
    DbLogin: '',
    DbPass: '',
    DbName: '',
    DbDriver: '',
    FieldList: [],
    Permissions: [],
    AdHocFields: [],
    linkreports: [],
    FormLayout: [],
    OutputType: 1,
    OutputTypeClass: 'datagrid',
    Distinct: 0,
    TopN: null,
    folderid: 0,
    CreatedBy: null,
    LastModifiedBy: null,
    CreatedDate: neverTimestamp,
    LastModifiedDate: neverTimestamp,
  };
}

/** A report field created from a Field node of a report type's tree. API description, NewField. */
export function newField(node: ReportTreeNode): ReportField {
  const label = node.ReportFieldName || node.text || node.dbfieldname || '';
  const type = node.fieldtype ?? '';
  return {
    fieldindex: 0,
    DbParentTableAlias: node.dbparenttablealias ?? '',
    DbTableAlias: node.dbtablealias ?? '',
    DbFieldName: node.dbfieldname ?? '',
    DisplayFieldName: label,
    ReportFieldName: label,
    RenamedField: uniqueAlias(label, new Set()),
    Fieldtype: isFieldTypeCode(type) ? type : 'cha',
    SearchCriteria: '',
    strGroup: '',
    Formula: '',
    tbl5: '',
    grouped: 0,
    Criteria: null,
    ERROR_CODE: errorCodes.success,
    ERROR_MESSAGE: null,
  };
}

/** An empty criteria row, named after a field if one is given. API description, NewCriteria. */
export function newCriteria(field: Readonly<Record<string, unknown>> | null | undefined): Criteria {
  const name = field?.DisplayFieldName ?? field?.text;
  return {
    Index: 0,
    Field: typeof name === 'string' ? name : '',
    Op: '',
    Value1: '',
    Value2: '',
    Logical: 'AND',
    Nested: false,
    cond: '',
    bskip: false,
    bprompt: false,
    sortorder: '',
    vrpt: '',
    vrpt_displaycol: '',
    vrpt_valuecol: '',
    vdefaulttop: 0,
    bgetvalues: false,
    flags: '',
  };
}

/** An empty totals row of a type. API description, NewTotals. */
export function newTotals(type: string | null | undefined): Totals {
  return { type: type ?? 'total', func: '', field1: '', field2: '', Value2: '', percent: false, addgtotal: false };
}

/** The functions that formulas may call on a platform; `?` is the field. API description, SQL function. */
export function sqlFunctions(dialect: Dialect): SqlFunction[] {
  const scalar = Object.keys(functions) as FunctionName[];
  const aggregate = Object.keys(aggregates) as AggregateName[];
  return [
    ...aggregate.map((name) => sqlFunction(dialect, name, `${name}(?)`, aggregates[name].description)),
    ...scalar.map((name) => sqlFunction(dialect, name, callTemplate(name), functions[name].description)),
  ];
}

const sampleArguments: Partial<Record<FunctionName, string>> = {
  SUBSTRING: '?, 1, 3',
  LEFT: '?, 3',
  RIGHT: '?, 3',
  REPLACE: "?, 'old', 'new'",
  CONCAT: "?, ' '",
  ROUND: '?, 2',
  COALESCE: '?, 0',
  NULLIF: '?, 0',
};

function callTemplate(name: FunctionName): string {
  const others = functionRow(name)
    .takes.slice(1)
    .map(() => '?');
  return `${name}(${sampleArguments[name] ?? ['?', ...others].join(', ')})`;
}

function sqlFunction(
  dialect: Dialect,
  name: FunctionName | AggregateName,
  expression: string,
  description: string,
): SqlFunction {
  return {
    id: name,
    name,
    description,
    expression,
    type: functionGroup(name),
    dbplat: dialect.platform,
    rdatatype: resultType(name),
    systemdefault: true,
    error_message: '',
  };
}
