import type { FieldTypeCode } from '../../contract/fieldTypes.ts';
import { outputTypes } from '../../contract/outputTypes.ts';
import type { Criteria, Report, ReportField, Totals } from '../../contract/resources/report.ts';
import type { NewReportType } from '../catalogue/reportTypeModel.ts';

/** One condition of a field. With `prompt` it asks at run time, with `values` as defaults. */
export interface SampleCondition {
  op: string;
  values?: readonly [string, string?];
  prompt?: 'mandatory' | 'skippable';
  /** Report that provides the prompt's value list: the column to compare with and the column to show. */
  valuesFrom?: { report: string; value: string; display: string };
}

/** Column of a sample report: `alias.column` of its report type, with its settings in the report. */
export interface SampleField {
  of: string;
  /** Header; defaults to the report type's label. */
  label?: string;
  /** Key of the result's column; defaults to the name of the database's column. */
  key?: string;
  aggregate?: 'SUM' | 'AVG' | 'MIN' | 'MAX' | 'COUNT' | 'COUNT DISTINCT';
  formula?: string;
  type?: FieldTypeCode;
  isGroup?: boolean;
  /** Used only to filter or sort. */
  isHidden?: boolean;
  /** Priority; negative sorts descending. */
  sort?: number;
  where?: readonly SampleCondition[];
}

/** Opens another report for the clicked row: `[column here, column there]`. */
export interface SampleLink {
  to: string;
  columns: readonly (readonly [field: string, targetField: string])[];
}

/** A report of the sample. */
export interface SampleReport {
  /** Identifies the report within the sample. */
  key: string;
  name: string;
  description: string;
  reportType: NewReportType;
  outputType: number;
  fields: readonly SampleField[];
  totals?: readonly Totals[];
  links?: readonly SampleLink[];
  topN?: number;
  isDistinct?: boolean;
}

/** A stored sample report. */
export interface StoredSampleReport {
  id: string;
  name: string;
}

/** Where the sample's reports run. */
export interface SampleApplication {
  name: string;
  moduleType: string;
  serverName: string;
}

/**
 * Builds the definition of a sample report. `stored` contains the reports stored before it, by key.
 * @throws Error when the report refers to a column or a report that does not exist.
 */
export function sampleDefinition(
  report: SampleReport,
  application: SampleApplication,
  stored: ReadonlyMap<string, StoredSampleReport>,
): Report {
  const find = (key: string) => required(stored.get(key), `report ${key}`, report);
  return {
    ErrorCode: 0,
    ErrorMessage: '',
    ReportID: '',
    Reportname: report.name,
    Description: report.description,
    ModuleName: application.name,
    ModType: application.moduleType,
    ReportType: report.reportType.name,
    ServerName: application.serverName,
    ...{ DbLogin: '', DbPass: '', DbName: '', DbDriver: '' },
    FieldList: report.fields.map((field, index) => reportField(report, field, index + 1, find)),
    Permissions: [],
    AdHocFields: [...(report.totals ?? [])],
    linkreports: (report.links ?? []).map(({ to, columns }) => ({
      ReportID: find(to).id,
      Name: find(to).name,
      Links: columns.map(([Field, TargetField]) => ({ Field, TargetField })),
    })),
    FormLayout: [],
    OutputType: report.outputType,
    OutputTypeClass: outputTypes.find(({ id }) => id === report.outputType)?.uiclass ?? '',
    Distinct: Number(report.isDistinct ?? false),
    TopN: report.topN ?? null,
  };
}

type Find = (key: string) => StoredSampleReport;

function reportField(report: SampleReport, field: SampleField, position: number, find: Find): ReportField {
  const [alias = '', column = ''] = field.of.split('.');
  const registered = required(
    report.reportType.fields.find((candidate) => candidate.tableAlias === alias && candidate.column === column),
    `column ${field.of}`,
    report,
  );
  const label = field.label ?? registered.label;
  return {
    fieldindex: field.isHidden ? -position : position,
    DbParentTableAlias: alias,
    DbTableAlias: alias,
    DbFieldName: column,
    DisplayFieldName: label,
    ReportFieldName: registered.label,
    RenamedField: field.key ?? column,
    Fieldtype: field.type ?? registered.fieldType,
    SearchCriteria: '',
    strGroup: field.aggregate ?? '',
    Formula: field.formula ?? '',
    tbl5: '',
    grouped: Number(field.isGroup ?? false),
    Criteria: criteriaOf(field, label, find),
    ERROR_CODE: 0,
    ERROR_MESSAGE: '',
  };
}

function criteriaOf(field: SampleField, label: string, find: Find): Criteria[] {
  const conditions = field.where ?? (field.sort ? [undefined] : []);
  return conditions.map((condition, index) => ({
    Index: index + 1,
    Field: label,
    Op: condition?.op ?? '',
    Value1: condition?.values?.[0] ?? '',
    Value2: condition?.values?.[1] ?? '',
    Logical: 'AND',
    Nested: false,
    cond: '',
    bskip: condition?.prompt === 'skippable',
    bprompt: condition?.prompt !== undefined,
    sortorder: index === 0 && field.sort ? String(field.sort) : '',
    vrpt: condition?.valuesFrom ? find(condition.valuesFrom.report).id : '',
    vrpt_displaycol: condition?.valuesFrom?.display ?? '',
    vrpt_valuecol: condition?.valuesFrom?.value ?? '',
    vdefaulttop: 0,
    bgetvalues: condition?.prompt !== undefined,
    flags: '',
  }));
}

function required<T>(value: T | undefined, what: string, report: SampleReport): T {
  if (value === undefined) throw new Error(`Sample report "${report.name}" names ${what}, which does not exist`);
  return value;
}
