import fc from 'fast-check';
import { applyEdits, type Edit } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { documentText } from '../../src/features/documents/files/documentText.ts';
import { editableView } from '../../src/objects/merge/editableView.ts';
import { isJsonObject, parseExact, type Json } from '../../src/objects/json.ts';
import { reportKind } from '../../src/objects/kinds/libraryKinds.ts';
import type { BuilderEdit, BuilderLink, BuilderReport } from '../../src/features/builder/pageContract.ts';
import {
  addCriterionEdits,
  addFieldEdits,
  addLinkEdits,
  addTotalEdits,
  folderEdits,
  sortEdits,
} from '../../src/features/builder/edits/addEntries.ts';
import { readReport } from '../../src/features/builder/readReport.ts';
import { reportEdits } from '../../src/features/builder/edits/reportEdits.ts';
import { ReportPlaces } from '../../src/features/builder/edits/reportPlaces.ts';
import { arbitraryReport } from '../support/reports/arbitraryReport.ts';
import { figure } from '../support/run/figure.ts';
import { propertyRuns } from '../support/run/soakSize.ts';

const runs = propertyRuns(400, 2_000);

/** Gives every object of the lists a mark, by which it is known again wherever it goes. */
function marked(value: Json, counter = { last: 0 }): Json {
  if (Array.isArray(value)) {
    return value.map((entry) => {
      const inner = marked(entry, counter);
      return isJsonObject(inner) ? { Mark: (counter.last += 1), ...inner } : inner;
    });
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, marked(inner, counter)]));
}

const links = fc.array(
  fc.record({
    ReportID: fc.constantFrom('3', '4'),
    Name: fc.string(),
    Links: fc.array(fc.record({ Field: fc.string(), TargetField: fc.string() }), { maxLength: 2 }),
  }),
  { maxLength: 2 },
);

/** The text of a document whose report has fields of its own, and numbers that JavaScript would change. */
const documents = fc
  .tuple(arbitraryReport, links, fc.bigInt({ min: 2n ** 53n, max: 2n ** 62n }), fc.string())
  .map(([report, linkreports, big, note]) => {
    const whole = JSON.stringify({ ReportID: '7', ...report, linkreports, UnlistedNote: note });
    const full = marked(parseExact(`${whole.slice(0, -1)},"Unlisted":${big},"Share":1.0}`));
    return documentText(editableView(isJsonObject(full) ? full : {}, reportKind.shape));
  });

/** The text of a document in which no two entries of a list say the same. */
const distinctDocuments = documents.map((text) => {
  let count = 0;
  const next = () => `own ${(count += 1)}`;
  const own = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(own);
    if (!isJsonObject(value)) return value;
    const names = ['RenamedField', 'Value2', 'TargetField'].filter((name) => 'Mark' in value && name in value);
    const inner = Object.entries(value).map(([key, entry]): [string, Json] => [key, own(entry)]);
    return Object.fromEntries<Json>([...inner, ...names.map((name): [string, Json] => [name, next()])]);
  };
  const whole = own(parseExact(text));
  return documentText(isJsonObject(whole) ? whole : {});
});

/** Paths of what differs; entries of lists are told by their marks. */
function changes(before: Json | undefined, after: Json | undefined, path = ''): string[] {
  if (Array.isArray(before) && Array.isArray(after)) return listChanges(before, after, path);
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => changes(before[key], after[key], `${path}/${key}`));
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
}

function listChanges(before: readonly Json[], after: readonly Json[], path: string): string[] {
  const byMark = (list: readonly Json[]) =>
    new Map(list.map((entry) => [markOf(entry) ?? `new ${JSON.stringify(entry)}`, entry]));
  const [old, now] = [byMark(before), byMark(after)];
  const kept = [...old.keys()].filter((mark) => now.has(mark));
  const order = [...now.keys()].filter((mark) => old.has(mark));
  return [
    ...(kept.join() === order.join() ? [] : [`${path}/order`]),
    ...[...old.keys()].filter((mark) => !now.has(mark)).map((mark) => `${path}/-${mark}`),
    ...[...now.keys()].filter((mark) => !old.has(mark)).map(() => `${path}/+`),
    ...kept.flatMap((mark) => changes(old.get(mark), now.get(mark), `${path}/${mark}`)),
  ];
}

const markOf = (entry: Json) => (isJsonObject(entry) ? JSON.stringify(entry.Mark) : undefined);

/** An edit, and what it may touch. */
interface Trial {
  what: string;
  edits: (text: string) => Edit[];
  may: RegExp;
}

function trials(text: string, [a, b, c]: readonly [number, number, number], word: string): Trial[] {
  const report = readReport(text);
  const raw = parseExact(text) as { FieldList: Json[]; AdHocFields: Json[]; linkreports: Json[] };
  const context = { outputClass: (id: number) => `class ${id}` };
  const of = (edit: BuilderEdit, may: string): Trial => {
    return { what: JSON.stringify(edit), edits: (now) => reportEdits(now, edit, context), may: new RegExp(`^${may}$`) };
  };
  const total = report.totals[c % Math.max(1, report.totals.length)];
  const link = report.links[c % Math.max(1, report.links.length)];
  return [
    of({ kind: 'setText', name: 'Reportname', value: word }, '/Reportname'),
    of({ kind: 'setText', name: 'Description', value: word }, '/Description'),
    of({ kind: 'setDistinct', value: a % 2 === 0 }, '/Distinct'),
    of({ kind: 'setTopN', value: b % 2 === 0 ? null : b }, '/TopN'),
    of({ kind: 'setOutputType', value: c % 15 }, '/OutputType(Class)?'),
    { what: 'folder', edits: (now) => folderEdits(now, String(a)), may: /^\/folderid$/ },
    { what: 'link', edits: (now) => addLinkEdits(now, { ReportID: '9', Name: word }), may: /^\/linkreports\/\+$/ },
    { what: 'total', edits: (now) => addTotalEdits(now, { type: 'total' }), may: /^\/AdHocFields\/\+$/ },
    ...fieldTrials(report, raw.FieldList, [a, b, c], word, of),
    ...(total ? totalTrials(total.index, markOf(raw.AdHocFields[total.index] ?? null) ?? '', word, of) : []),
    ...(link ? linkTrials(link, raw.linkreports[link.index] ?? null, word, of) : []),
  ];
}

type Of = (edit: BuilderEdit, may: string) => Trial;

function totalTrials(total: number, mark: string, word: string, of: Of): Trial[] {
  return [
    of({ kind: 'setTotal', total, change: { func: word } }, `/AdHocFields/${mark}/func`),
    of({ kind: 'setTotal', total, change: { hasGrandTotal: true } }, `/AdHocFields/${mark}/addgtotal`),
    of({ kind: 'removeTotal', total }, `/AdHocFields/-${mark}`),
  ];
}

function linkTrials({ index: link, pairs }: BuilderLink, entry: Json, word: string, of: Of): Trial[] {
  const mark = markOf(entry) ?? '';
  const raw = isJsonObject(entry) && Array.isArray(entry.Links) ? entry.Links : [];
  const links = `/linkreports/${mark}/Links`;
  return [
    of({ kind: 'addPair', link }, `${links}(/\\+)?`),
    ...pairs.flatMap((_, place) => {
      const pair = markOf(raw[place] ?? null) ?? '';
      return [
        of({ kind: 'setPair', link, place, change: { field: word } }, `${links}/${pair}/Field`),
        of({ kind: 'setPair', link, place, change: { target: word } }, `${links}/${pair}/TargetField`),
        of({ kind: 'removePair', link, place }, `${links}/-${pair}`),
      ];
    }),
    of({ kind: 'removeLink', link }, `/linkreports/-${mark}`),
  ];
}

function fieldTrials(
  { fields }: BuilderReport,
  raw: readonly Json[],
  [a, b, c]: readonly [number, number, number],
  word: string,
  of: Of,
): Trial[] {
  const found = fields[a % Math.max(1, fields.length)];
  if (!found) return [];
  const { index: field, criteria } = found;
  const mark = markOf(raw[field] ?? null) ?? '';
  const at = `/FieldList/${mark}`;
  const added = [1001, 1002].map((Mark) => ({ Mark, DisplayFieldName: word, RenamedField: word, Criteria: null }));
  const newRow = { Mark: 1003 };
  const numbers = '/FieldList/\\d+/fieldindex';
  const row = criteria[b % Math.max(1, criteria.length)]?.row;
  const uses = ['value', 'group', 'SUM', 'COUNT DISTINCT'] as const;
  return [
    of(
      { kind: 'renameField', field, value: word },
      `${at}/DisplayFieldName|/AdHocFields/\\d+/field[12]|/linkreports/\\d+/Links/\\d+/Field`,
    ),
    of({ kind: 'setFormula', field, value: word }, `${at}/Formula`),
    of({ kind: 'setUse', field, value: uses[c % uses.length] ?? 'value' }, `${at}/(grouped|strGroup)`),
    of({ kind: 'setHidden', field, value: !found.isHidden }, `${at}/fieldindex`),
    of({ kind: 'moveField', field, place: b % fields.length }, `/FieldList/order|${numbers}`),
    of({ kind: 'removeField', field }, `/FieldList/-${mark}|${numbers}`),
    {
      what: 'add fields',
      edits: (now) => addFieldEdits(now, added, b % 2 === 0 ? null : c % fields.length),
      may: new RegExp(`^(/FieldList/\\+|${numbers})$`),
    },
    {
      what: 'add criterion',
      edits: (now) => addCriterionEdits(now, field, { ...newRow, Op: '=' }),
      may: new RegExp(`^${at}/Criteria/\\+$`),
    },
    ...(['asc', 'desc', null] as const).map((direction) => ({
      what: `sort ${direction}`,
      edits: (now: string) => sortEdits(now, field, direction, { ...newRow, Op: '' }),
      may: new RegExp(`^${at}/Criteria/(\\+|-\\d+|\\d+/(sortorder|Index))$`),
    })),
    ...(row === undefined
      ? []
      : criterionTrials(raw[field] ?? null, { field, row, place: c % criteria.length }, at, of)),
  ];
}

function criterionTrials(
  raw: Json,
  { field, row, place }: { field: number; row: number; place: number },
  at: string,
  of: Of,
): Trial[] {
  const rows = isJsonObject(raw) && Array.isArray(raw.Criteria) ? raw.Criteria : [];
  const one = `${at}/Criteria/${markOf(rows[row] ?? null)}`;
  const change = (part: Extract<BuilderEdit, { kind: 'setCriterion' }>['change'], may: string) =>
    of({ kind: 'setCriterion', field, row, change: part }, `${one}/${may}`);
  return [
    change({ operator: 'in' }, 'Op'),
    change({ value1: 'x' }, '(Value1|Op)'),
    change({ value2: 'x' }, 'Value2'),
    change({ list: ["it's", 'b'] }, '(Value1|Op)'),
    change({ joiner: 'OR' }, 'Logical'),
    change({ isNested: true }, 'Nested'),
    change({ isPrompt: true }, 'bprompt'),
    change({ isSkipable: true }, 'bskip'),
    of(
      { kind: 'removeCriterion', field, row },
      `${at}/Criteria/-\\d+|${at}/Criteria/\\d+/Index|${one}/(Op|Value1|Value2|bprompt)`,
    ),
    of({ kind: 'moveCriterion', field, row, place }, `${at}/Criteria/order|${at}/Criteria/\\d+/Index`),
  ];
}

describe('an edit of the builder', () => {
  it('writes no field that its author did not touch', () => {
    const kinds = new Map<string, number>();
    let tried = 0;
    const places = fc.tuple(fc.nat(30), fc.nat(30), fc.nat(30));
    fc.assert(
      fc.property(documents, places, fc.string({ minLength: 1 }), (text, place, word) => {
        for (const { what, edits, may } of trials(text, place, word)) {
          const wanted = edits(text);
          const after = applyEdits(text, wanted);
          const touched = changes(parseExact(text), parseExact(after));
          expect(
            touched.filter((path) => !may.test(path)),
            what,
          ).toEqual([]);
          if (what.startsWith('{') && touched.length > 0) kinds.set(what.split('"')[3] ?? '', tried);
          tried += 1;
        }
      }),
      { numRuns: runs },
    );
    expect([...kinds.keys()].toSorted()).toEqual([
      'addPair',
      'moveCriterion',
      'moveField',
      'removeCriterion',
      'removeField',
      'removeLink',
      'removePair',
      'removeTotal',
      'renameField',
      'setCriterion',
      'setDistinct',
      'setFormula',
      'setHidden',
      'setOutputType',
      'setPair',
      'setText',
      'setTopN',
      'setTotal',
      'setUse',
    ]);
    figure('builder', `${tried} edits of ${runs} random reports, 0 wrote a field that the author did not touch`);
  });

  it('hits what it was meant for, whatever was done to the report since', () => {
    const context = { outputClass: (id: number) => `class ${id}` };
    let [tried, refused] = [0, 0];
    const choices = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 10, maxLength: 10 });
    const places = fc.tuple(fc.nat(30), fc.nat(30), fc.nat(30));
    fc.assert(
      fc.property(distinctDocuments, places, places, choices, (text, one, other, pairs) => {
        const between = trials(text, one, 'between');
        const edits = trials(text, other, 'late').filter(({ what }) => what.startsWith('{'));
        for (const [first, last] of pairs) {
          const [before, late] = [between[first % between.length], edits[last % edits.length]];
          if (!before || !late) continue;
          const reports = new ReportPlaces();
          const version = reports.changed(readReport(text));
          const then = applyEdits(text, before.edits(text));
          reports.changed(readReport(then));
          const edit = reports.edit(version, JSON.parse(late.what) as BuilderEdit);
          tried += 1;
          if (edit === undefined) {
            refused += 1;
            expect(before.what, late.what).toMatch(/"remove/);
            continue;
          }
          const now = applyEdits(then, reportEdits(then, edit, context));
          const touched = changes(parseExact(then), parseExact(now));
          expect(
            touched.filter((path) => !late.may.test(path)),
            `${late.what} after ${before.what}`,
          ).toEqual([]);
        }
      }),
      { numRuns: runs },
    );
    figure(
      'builder',
      `${tried} edits that another one overtook: ${refused} refused as what they named was gone, 0 hit anything else`,
    );
  });

  it('writes nothing where the text says so already', () => {
    const context = { outputClass: () => undefined };
    fc.assert(
      fc.property(documents, fc.nat(30), (text, place) => {
        const report = readReport(text);
        const field = report.fields[place % report.fields.length];
        if (!field) return;
        const { index, criteria } = field;
        const [first] = criteria;
        const same: BuilderEdit[] = [
          { kind: 'setText', name: 'Reportname', value: report.name },
          { kind: 'setDistinct', value: report.isDistinct },
          { kind: 'setTopN', value: report.topN },
          { kind: 'setOutputType', value: report.outputType },
          { kind: 'renameField', field: index, value: field.header },
          { kind: 'setFormula', field: index, value: field.formula },
          { kind: 'setHidden', field: index, value: field.isHidden },
        ];
        if (first) {
          const { row, ...change } = first;
          // A list is another spelling of the first value.
          same.push({ kind: 'setCriterion', field: index, row, change: { ...change, list: undefined } });
        }
        for (const edit of same) expect(reportEdits(text, edit, context), edit.kind).toEqual([]);
      }),
      { numRuns: runs },
    );
  });
});
