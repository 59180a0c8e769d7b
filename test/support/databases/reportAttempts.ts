import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import { type Registered, tableReport } from './livePlatforms.ts';

/*
 * What somebody sends who knows the API and wants rows that a policy hides, over a table `sales` (id, tenant, amount, note).
 */

export type Json = Record<string, unknown>;

/** Tenants that some database may take for North: by case, blanks, width, accents, wildcards, lists. */
export const others = [
  'South',
  'north',
  'NORTH',
  'North ',
  ' North',
  'Ｎorth',
  'Nörth',
  'North%',
  'N_rth',
  'North,South',
  '',
];

type SentReport = ReturnType<typeof tableReport> & Record<string, unknown>;
export const salesReport = (app: Registered, more: Json = {}): SentReport => ({
  ...tableReport(app, 'sales', ['id', 'tenant', 'amount', 'note']),
  ...more,
});

/** The report with one of its fields changed. */
export function withField(app: Registered, name: string, change: Json, more: Json = {}): SentReport {
  const report = salesReport(app, more);
  const FieldList = report.FieldList.map((field) => (field.DbFieldName === name ? { ...field, ...change } : field));
  return { ...report, FieldList };
}

export const field = (app: Registered, name: string, change: Json = {}): Json => {
  const found = salesReport(app).FieldList.find(({ DbFieldName }) => DbFieldName === name);
  return { ...found, ...change };
};
export const criterion = (Op: string, Value1: unknown = '', more: Json = {}): Json => ({
  Index: 1,
  Op,
  Value1,
  ...more,
});
export const asking = (Op: string): Json => criterion(Op, '', { bprompt: true, bskip: true });

/** What is sent, and as which call. */
export type Attempt = (app: Registered) => { endpoint: EndpointPath; body: object };
const data = (Report: object, more: object = {}) => ({
  endpoint: 'Report/GetReportData' as const,
  body: { Reportobj: { Report }, ...more },
});
const values = (app: Registered, PromptField: Json, Report: object = salesReport(app)) => ({
  endpoint: 'Report/GetFieldValues' as const,
  body: { Reportobj: { Report }, Prompt: { PromptField } },
});
/** A report that asks for a tenant, answered at once by what stands in its criteria. */
const answered = (app: Registered, LowValue: unknown, Op = '='): object =>
  withField(app, 'tenant', { Criteria: [criterion(Op, LowValue, { bprompt: true, flags: 'set' })] });
const formula = (app: Registered, Formula: string, more: Json = {}): object =>
  withField(app, 'note', { Formula, DbFieldName: '', DbTableAlias: '', ...more });
const drill = (app: Registered, Links: unknown, row: unknown, target: object = salesReport(app, { ReportID: '5' })) =>
  data(salesReport(app, { linkreports: [{ ReportID: '5', Links }] }), {
    ...{ IsDrillDown: true, DrillDownCriteria: row, TargetReportobj: target },
  });

export const attempts: Readonly<Record<string, Attempt>> = {
  'an answer that is an object': (app) => data(answered(app, { toString: 'x', $ne: null })),
  'an answer that is a list': (app) => data(answered(app, ['North', "x') OR ('1'='1"])),
  'an answer that is true': (app) => data(answered(app, true)),
  'an answer that ends the text': (app) => data(answered(app, "x' OR '1'='1")),
  'an answer with a backslash before the quote': (app) => data(answered(app, "\\' OR 1=1 -- ")),
  'a list of every other tenant': (app) => data(answered(app, others.map((each) => `"${each}"`).join(), 'in')),
  'a pattern for everything': (app) => data(answered(app, '%', 'like')),
  'a list that leaves nothing out': (app) => data(answered(app, '"none of them"', 'not in')),
  'the placeholder of the tag': (app) => data(answered(app, '/#tenant#/', '<>')),
  'the placeholder of a profile, twice': (app) => data(answered(app, '/#login#/ /#tag1#/', '<>')),
  'rows without a value, or any': (app) =>
    data(
      withField(app, 'tenant', {
        Criteria: [
          criterion('is null', '', { Logical: 'OR', Nested: true }),
          { ...criterion('is not null'), Index: 2, Nested: true },
        ],
      }),
    ),
  'OR from one field to the next': (app) => {
    const report = withField(app, 'id', { Criteria: [criterion('>', '0', { Logical: 'OR' })] });
    return data({
      ...report,
      FieldList: report.FieldList.map((each) =>
        each.DbFieldName === 'note' ? { ...each, Criteria: [criterion('starts with', 's', { Logical: 'OR' })] } : each,
      ),
    });
  },
  'a hidden field that filters and sorts': (app) =>
    data(withField(app, 'amount', { fieldindex: -1, Criteria: [criterion('>', '100', { sortorder: '-1' })] })),
  'the same index for all fields': (app) =>
    data({ ...salesReport(app), FieldList: salesReport(app).FieldList.map((each) => ({ ...each, fieldindex: 1 })) }),
  'an index that is not a number': (app) => data(withField(app, 'id', { fieldindex: 1e300 })),
  'the same name for two columns': (app) => data(withField(app, 'note', { RenamedField: 'TENANT' })),
  'a name that is another source': (app) => data(withField(app, 'note', { RenamedField: 'sales.note' })),
  'the name of the table in place of its alias': (app) => data(withField(app, 'note', { DbTableAlias: 'sales' })),
  'an alias that does not exist': (app) => data(withField(app, 'note', { DbTableAlias: 'u' })),
  'a quoted alias': (app) => data(withField(app, 'note', { DbTableAlias: '"t"', DbFieldName: '"note"' })),
  'a largest value': (app) =>
    data({
      ...salesReport(app),
      FieldList: [field(app, 'amount', { strGroup: 'MAX' }), field(app, 'note', { strGroup: 'MAX' })],
    }),
  'a sum by nothing': (app) => data({ ...salesReport(app), FieldList: [field(app, 'amount', { strGroup: 'SUM' })] }),
  'a sum that must be large': (app) =>
    data({
      ...salesReport(app),
      FieldList: [field(app, 'amount', { strGroup: 'SUM', Criteria: [criterion('>', '30')] })],
    }),
  'a total of the whole': (app) =>
    data(
      salesReport(app, {
        AdHocFields: [{ type: 'total', func: 'SUM', field1: 'amount', addgtotal: true, percent: true }],
      }),
    ),
  'the last of all, first': (app) => data(withField(app, 'amount', { Criteria: [{ sortorder: 'desc' }] }, { TopN: 1 })),
  'fewer than no rows': (app) => data(salesReport(app, { TopN: -1 })),
  'distinct by a text': (app) => data(salesReport(app, { Distinct: 1, OutputType: 8 })),
  'a formula that compares all rows': (app) =>
    data(formula(app, "CASE WHEN [tenant] <> 'North' THEN [note] ELSE 'x' END")),
  'a formula with a sub-query': (app) => data(formula(app, '(SELECT max(note) FROM sales)')),
  'a formula over a window': (app) => data(formula(app, 'MAX([note]) OVER ()')),
  'a formula with a comment': (app) => data(formula(app, '[note] -- ')),
  'a formula that is an aggregate of an aggregate': (app) => data(formula(app, 'MAX(MAX([note]))')),
  'values of the column that the policy compares': (app) => values(app, field(app, 'tenant')),
  'values of a formula': (app) => values(app, field(app, 'note', { Formula: "CONCAT([tenant], ':', [note])" })),
  'values of an aggregate': (app) => values(app, field(app, 'note', { strGroup: 'MAX' })),
  'values with a criterion of their own': (app) =>
    values(app, field(app, 'note', { Criteria: [criterion('<>', 'n1', { Logical: 'OR', bprompt: true })] })),
  'values of a hidden field': (app) => values(app, field(app, 'note', { fieldindex: -5, grouped: 1 })),
  'values of a report that nobody saved': (app) =>
    values(app, field(app, 'note', { Criteria: [{ vrpt: '999', vrpt_valuecol: 'note' }] })),
  'values by a report with an odd number': (app) =>
    values(app, field(app, 'note', { Criteria: [{ vrpt: '1 OR 1=1' }] })),
  'a drill-down to a column that is not in the report': (app) =>
    drill(app, [{ Field: 'id', TargetField: 'ctid' }], { id: '3' }),
  'a drill-down with the row of another tenant': (app) => drill(app, [{ Field: 'id', TargetField: 'id' }], { id: '3' }),
  'a drill-down without conditions': (app) => drill(app, [], {}),
  'a drill-down by a prototype': (app) =>
    drill(app, [{ Field: '__proto__', TargetField: 'note' }], JSON.parse('{"__proto__":"x","id":3}')),
  'a drill-down whose value is a list': (app) => drill(app, [{ Field: 'id', TargetField: 'id' }], { id: [3, 4] }),
  'a drill-down to metadata with other criteria': (app) =>
    drill(app, [{ Field: 'id', TargetField: 'id' }], { id: '3' }, { Report: answered(app, '%', 'like'), Prompts: [] }),
  'SQL that is only shown': (app) => ({ endpoint: 'Report/GetSQL', body: { Reportobj: answered(app, '/#tenant#/') } }),
  'criteria that are only compiled': (app) => ({
    endpoint: 'Report/ReportProcUI',
    body: { db_platform: 'sqlite', report: answered(app, '/#tenant#/') },
  }),
};
