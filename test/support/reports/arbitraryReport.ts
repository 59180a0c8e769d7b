import fc from 'fast-check';
import type { Criteria, Report, ReportField } from '../../../src/contract/resources/report.ts';
import { shopField, shopReport, shopType } from './shopData.ts';

/** Texts that mean something to SQL, LIKE, placeholders or list syntax. */
export const hostileTexts = [
  'North',
  'South',
  'a',
  'A',
  '',
  '%',
  '_',
  '50%_',
  "it's",
  "' OR '1'='1",
  '"; DROP TABLE sales; --',
  "x') UNION SELECT * FROM stores --",
  '/#tenant#/',
  '{?Note}',
  '\\',
  '[*]',
  '$1',
  '日本',
];

const text = fc.constantFrom(...hostileTexts);
const numberText = fc.constantFrom('0', '1', '2', '-3', '4.25', '10', '9007199254740993', '1e2');
const dateText = fc.constantFrom(
  '2026-01-01',
  '2026-02-28',
  '2026-03-01 10:30',
  '[Today]',
  '[Last Month]',
  '[This Year]',
);

const numeric = new Set(['num', 'cur', 'per']);
const isText = (field: ReportField) => field.Fieldtype === 'cha';
const isNumber = (field: ReportField) => numeric.has(field.Fieldtype ?? '');
const valueFor = (field: ReportField) => (isText(field) ? text : isNumber(field) ? numberText : dateText);

const comparisons = [
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  'between',
  'not between',
  'in',
  'not in',
  'is null',
  'is not null',
];
const patterns = ['like', 'not like', 'contains', 'not contains', 'starts with', 'ends with'];

/** A criteria row for a field; sometimes a prompt that has been answered. */
function criteriaRow(field: ReportField): fc.Arbitrary<Criteria> {
  const value = valueFor(field);
  return fc
    .record({
      Op: fc.constantFrom(...comparisons, ...(isText(field) ? patterns : [])),
      Value1: value,
      Value2: value,
      list: fc.array(value, { minLength: 1, maxLength: 3 }),
      Logical: fc.constantFrom('AND', 'OR'),
      Nested: fc.boolean(),
      bprompt: fc.boolean(),
      sortorder: fc.constantFrom('', '', 'asc', '-1', '2'),
    })
    .map(({ list, ...row }) => {
      const isList = row.Op.endsWith('in') && !row.Op.includes('contain');
      const quoted = list.map((item) => `'${item.replaceAll("'", "''")}'`).join(',');
      const isPattern = patterns.slice(2).includes(row.Op) && row.Value1 === '';
      const Value1 = isList ? quoted : isPattern ? 'a' : row.Value1;
      return { ...row, Index: 0, Value1, ...(row.bprompt && { flags: 'set' }) };
    });
}

const formulas: Record<'text' | 'number' | 'date', readonly string[]> = {
  text: [
    "UPPER(?) || '-' || st.region",
    "CASE WHEN ? LIKE '50%' THEN 'half' ELSE ? END",
    'SUBSTRING(COALESCE(?, Region), 1, 2)',
  ],
  number: [
    '? * 2 - [Level]',
    '? / ([Pieces] - 2)',
    'ROUND(ABS(?), 1)',
    'CAST([Note] AS NUMBER) + ?',
    '[Pieces] * 4611686018427387904',
  ],
  date: ['MONTHSTART(?)', 'YEAR(?) - YEAR(st.opened)', "CASE WHEN ? > '2026-02-01' THEN 1 ELSE 0 END"],
};

const columns = shopType.fields.map(({ tableAlias, column }) => `${tableAlias}.${column}`);

const field: fc.Arbitrary<ReportField> = fc
  .record({
    column: fc.constantFrom(...columns),
    isHidden: fc.nat(5).map((n) => n === 0),
    formula: fc.option(fc.nat(10), { freq: 2 }),
    aggregate: fc.constantFrom('', '', '', 'SUM', 'AVG', 'MIN', 'MAX', 'COUNT', 'COUNT DISTINCT'),
    grouped: fc.nat(4).map((n) => (n === 0 ? 1 : 0)),
    rows: fc.nat(2),
  })
  .chain(({ column, formula, aggregate, grouped, isHidden, rows }) => {
    const plain = shopField(column);
    const pool = formulas[isText(plain) ? 'text' : isNumber(plain) ? 'number' : 'date'];
    const Formula = formula === null ? '' : (pool[formula % pool.length] ?? '');
    const takesNumbers = ['SUM', 'AVG'].includes(aggregate);
    const strGroup = takesNumbers && (!isNumber(plain) || Formula !== '') ? 'MAX' : aggregate;
    const counted = strGroup.startsWith('COUNT');
    // Criteria are typed by what the field yields: numbers for counts and for most formulas on dates.
    const typed = counted || Formula.startsWith('YEAR') || Formula.includes('THEN 1') ? shopField('s.pieces') : plain;
    return fc.array(criteriaRow(typed), { maxLength: rows }).map((Criteria) => ({
      ...plain,
      Formula,
      strGroup,
      grouped: strGroup === '' ? grouped : 0,
      Criteria,
      ...(isHidden && { fieldindex: -1 }),
    }));
  });

const totals = fc.array(
  fc.record({
    type: fc.constantFrom('total', 'total', 'calc'),
    func: fc.constantFrom('SUM', 'COUNT', 'MAX', '+', '/'),
    field1: fc.constantFrom('Amount', 'Pieces', 'Note', 's_ratio'),
    field2: fc.constantFrom('', 'Pieces'),
    Value2: fc.constantFrom('', '2'),
    percent: fc.boolean(),
    addgtotal: fc.boolean(),
  }),
  { maxLength: 2 },
);

/**
 * Any report over the shop, most of which can be run. Rows that are cut off are sorted by every column, so that two runs
 * keep the same ones.
 */
export const arbitraryReport: fc.Arbitrary<Report> = fc
  .record({
    fields: fc.array(field, { minLength: 1, maxLength: 5 }),
    totals: fc.oneof({ weight: 3, arbitrary: fc.constant<unknown[]>([]) }, { weight: 1, arbitrary: totals }),
    Distinct: fc.constantFrom(0, 0, 1),
    TopN: fc.constantFrom(null, null, 3),
  })
  .map(({ fields, totals: AdHocFields, Distinct, TopN }) => {
    const sorted = fields.map((each) => ({
      ...each,
      Criteria: [...(each.Criteria ?? []), { Op: '', sortorder: 'asc' }],
    }));
    return shopReport(TopN === null ? fields : sorted, { AdHocFields, Distinct, TopN });
  });
