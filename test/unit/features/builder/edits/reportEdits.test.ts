import { applyEdits } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import type { BuilderEdit } from '../../../../../src/features/builder/pageContract.ts';
import {
  addCriterionEdits,
  addFieldEdits,
  addLinkEdits,
  addTotalEdits,
  folderEdits,
  sortEdits,
} from '../../../../../src/features/builder/edits/addEntries.ts';
import { readReport } from '../../../../../src/features/builder/readReport.ts';
import { reportEdits } from '../../../../../src/features/builder/edits/reportEdits.ts';

const field = (name: string, fieldindex: number, more: object = {}) => ({
  fieldindex,
  DbTableAlias: 'flights',
  DbFieldName: name.toLowerCase(),
  DisplayFieldName: name,
  RenamedField: name.toLowerCase(),
  Fieldtype: 'cha',
  strGroup: '',
  Formula: '',
  grouped: 0,
  Criteria: [],
  ...more,
});
const row = (more: object = {}) => ({
  Index: 1,
  Op: '=',
  Value1: 'CA',
  Value2: '',
  Logical: 'AND',
  sortorder: '',
  ...more,
});
const report = (fields: unknown[], more: object = {}) =>
  `${JSON.stringify({ Reportname: 'R', unlisted: 12345678901234567890n.toString(), FieldList: fields, AdHocFields: [], linkreports: [], OutputType: 1, TopN: null, Distinct: 0, ...more }, null, 2)}\n`;
const context = { outputClass: (id: number) => (id === 6 ? 'pie-chart' : undefined) };
const edited = (text: string, edit: BuilderEdit) => applyEdits(text, reportEdits(text, edit, context));
const names = (text: string) => readReport(text).fields.map(({ name }) => name);
const raw = (text: string) =>
  JSON.parse(text) as { FieldList: { fieldindex: number; DisplayFieldName: string; Criteria: { Index: number }[] }[] };

describe('an edit of the builder', () => {
  it('removes a criterion, and numbers those after it again only where they are stored in the order of their numbers', () => {
    const numbersAfter = (numbers: readonly number[], removed: number) => {
      const criteria = numbers.map((Index) => row({ Value1: `v${Index}`, Index }));
      const text = report([field('State', 1, { Criteria: criteria })]);
      return raw(edited(text, { kind: 'removeCriterion', field: 0, row: removed })).FieldList[0]?.Criteria.map(
        ({ Index }) => Index,
      );
    };
    expect(numbersAfter([1, 2, 3], 0)).toEqual([1, 2]);
    expect(numbersAfter([1, 2, 3], 2)).toEqual([1, 2]);
    expect(numbersAfter([4, 1, 3, 2], 1)).toEqual([4, 3, 2]);
  });

  const text = report([field('State', 1), field('Delay', 2), field('Origin', 3)]);

  it('writes the one value it names and nothing else', () => {
    const edits = reportEdits(text, { kind: 'renameField', field: 1, value: 'Late' }, context);
    expect(edits).toHaveLength(1);
    const [edit] = edits;
    expect(text.slice(edit?.offset, (edit?.offset ?? 0) + (edit?.length ?? 0))).toBe('"Delay"');
    expect(edit?.content).toBe('"Late"');
  });

  it('writes a header where there is none, also the one that stands in for it', () => {
    const headless = report([field('', 1, { ReportFieldName: 'Flight Date' })]);
    expect(names(headless)).toEqual(['Flight Date']);
    const named = edited(headless, { kind: 'renameField', field: 0, value: 'Flight Date' });
    expect(raw(named).FieldList[0]?.DisplayFieldName).toBe('Flight Date');
  });

  it('keeps totals and links that call a renamed field by its header', () => {
    const calling = report([field('Late', 1, { RenamedField: 'delay' }), field('Other', 2)], {
      AdHocFields: [{ type: 'total', func: 'SUM', field1: 'late ', field2: 'Other' }],
      linkreports: [
        { ReportID: '7', Links: ['Late', 'delay', 'Other'].map((Field) => ({ Field, TargetField: 'Late' })) },
      ],
    });
    const renamed = edited(calling, { kind: 'renameField', field: 0, value: 'L' });
    const { fields, totals, links } = readReport(renamed);
    expect(fields[0]?.name).toBe('L');
    expect(totals).toMatchObject([{ field1: 'delay', field2: 'Other' }]);
    expect(links[0]?.pairs.map((pair) => [pair.field, pair.target])).toEqual([
      ['delay', 'Late'],
      ['delay', 'Late'],
      ['Other', 'Late'],
    ]);
    // Another field of that header, or with a name in the SQL that no report may call it by: nothing is certain.
    for (const RenamedField of ['late', 'a b', '']) {
      const unclear = report([field('Late', 1, { RenamedField })], {
        AdHocFields: [{ type: 'total', func: 'SUM', field1: 'Late' }],
      });
      const edits = reportEdits(unclear, { kind: 'renameField', field: 0, value: 'L' }, context);
      expect(edits).toHaveLength(1);
    }
  });

  it('writes nothing where the text says so already', () => {
    const group = report([field('State', 1, { grouped: 1 })]);
    const same: [string, BuilderEdit][] = [
      [text, { kind: 'renameField', field: 0, value: 'State' }],
      [group, { kind: 'setUse', field: 0, value: 'group' }],
      [report([field('State', 1, { strGroup: 'NONE' })]), { kind: 'setUse', field: 0, value: 'value' }],
      [text, { kind: 'setTopN', value: null }],
      [text, { kind: 'setDistinct', value: false }],
      [text, { kind: 'setHidden', field: 0, value: false }],
      [text, { kind: 'moveField', field: 1, place: 1 }],
    ];
    for (const [before, edit] of same) expect(reportEdits(before, edit, context), edit.kind).toEqual([]);
  });

  it('turns a group into an aggregate and back', () => {
    const sum = edited(report([field('State', 1, { grouped: 1 })]), { kind: 'setUse', field: 0, value: 'SUM' });
    expect(readReport(sum).fields[0]).toMatchObject({ isGroup: false, aggregate: 'SUM' });
    const value = edited(sum, { kind: 'setUse', field: 0, value: 'value' });
    expect(readReport(value).fields[0]).toMatchObject({ isGroup: false, aggregate: '' });
  });

  it('moves a field with its text and numbers those between', () => {
    for (const [from, place, wanted] of [
      [0, 2, ['Delay', 'Origin', 'State']],
      [2, 0, ['Origin', 'State', 'Delay']],
      [1, 0, ['Delay', 'State', 'Origin']],
      [0, 1, ['Delay', 'State', 'Origin']],
    ] as const) {
      const moved = edited(text, { kind: 'moveField', field: from, place });
      expect(names(moved)).toEqual(wanted);
      expect(raw(moved).FieldList.map((entry) => entry.DisplayFieldName)).toEqual(wanted);
      expect(raw(moved).FieldList.map((entry) => entry.fieldindex)).toEqual([1, 2, 3]);
      expect(moved).toBe(report(raw(moved).FieldList));
    }
  });

  it('moves by number alone where the list is in another order, and keeps fields hidden', () => {
    const mixed = report([field('B', 2), field('Hidden', -3), field('A', 1)]);
    const moved = edited(mixed, { kind: 'moveField', field: 1, place: 0 });
    expect(names(moved)).toEqual(['Hidden', 'A', 'B']);
    expect(raw(moved).FieldList.map((entry) => entry.fieldindex)).toEqual([3, -1, 2]);
  });

  it('moves and removes fields beside what is no field', () => {
    const odd = report([null, 'field', field('State', 3), field('Delay', 4)]);
    const moved = edited(odd, { kind: 'moveField', field: 3, place: 0 });
    expect(JSON.parse(moved)).toMatchObject({ FieldList: [{ fieldindex: 1 }, null, 'field', { fieldindex: 4 }] });
    const removed = edited(odd, { kind: 'removeField', field: 0 });
    expect(JSON.parse(removed)).toMatchObject({ FieldList: ['field', { fieldindex: 2 }, { fieldindex: 3 }] });
  });

  it('removes a field and closes the gap', () => {
    const left = edited(text, { kind: 'removeField', field: 0 });
    expect(left).toBe(report([field('Delay', 1), field('Origin', 2)]));
    expect(names(edited(edited(left, { kind: 'removeField', field: 1 }), { kind: 'removeField', field: 0 }))).toEqual(
      [],
    );
  });

  it('hides by the sign of the number', () => {
    const hidden = edited(text, { kind: 'setHidden', field: 1, value: true });
    expect(raw(hidden).FieldList[1]?.fieldindex).toBe(-2);
    expect(edited(hidden, { kind: 'setHidden', field: 1, value: false })).toBe(text);
  });

  it('sets the output type with its class', () => {
    const pie = JSON.parse(edited(text, { kind: 'setOutputType', value: 6 })) as object;
    expect(pie).toMatchObject({ OutputType: 6, OutputTypeClass: 'pie-chart' });
  });

  it('keeps tabs, line ends and everything it does not touch', () => {
    const odd = '{\r\n\t"x": 1.0,\r\n\t"FieldList": [ {"DisplayFieldName":"A", "big": 9007199254740993} ]\r\n}';
    const next = edited(odd, { kind: 'setText', name: 'Description', value: 'd' });
    expect(next).toContain('"big": 9007199254740993');
    expect(next).toContain('"x": 1.0,\r\n');
    expect(next).toContain('\r\n\t"Description": "d"');
    const topped = edited(odd, { kind: 'renameField', field: 0, value: 'B' });
    expect(topped).toBe(odd.replace('"A"', '"B"'));
  });
});

describe('criteria', () => {
  const text = report([field('State', 1, { Criteria: [row(), row({ Index: 2, Value1: 'NY' })] })]);

  it('change value by value', () => {
    const change = { operator: 'in', list: ['CA', 'a,b'], joiner: 'OR' as const, isPrompt: true };
    const next = edited(text, { kind: 'setCriterion', field: 0, row: 1, change });
    const [, second] = readReport(next).fields[0]?.criteria ?? [];
    expect(second).toMatchObject({ operator: 'in', list: ['CA', 'a,b'], joiner: 'OR', isPrompt: true });
    expect(JSON.parse(next)).toMatchObject({ FieldList: [{ Criteria: [{ Op: '=' }, { Value1: 'CA,"a,b"' }] }] });
  });

  it('mean equals where a value is typed before an operator is chosen', () => {
    const fresh = report([field('State', 1, { Criteria: [row({ Op: '', Value1: '' })] })]);
    const typed = edited(fresh, { kind: 'setCriterion', field: 0, row: 0, change: { value1: 'CA' } });
    expect(readReport(typed).fields[0]?.criteria).toMatchObject([{ operator: '=', value1: 'CA' }]);
    const chosen = edited(fresh, { kind: 'setCriterion', field: 0, row: 0, change: { operator: '>=' } });
    const both = edited(chosen, { kind: 'setCriterion', field: 0, row: 0, change: { value1: '5' } });
    expect(readReport(both).fields[0]?.criteria).toMatchObject([{ operator: '>=', value1: '5' }]);
  });

  it('change places within their field, and are counted anew', () => {
    const three = report([
      field('State', 1, { Criteria: ['CA', 'NY', 'TX'].map((Value1, at) => row({ Value1, Index: at + 1 })) }),
    ]);
    const values = (next: string) => readReport(next).fields[0]?.criteria.map(({ value1 }) => value1);
    const down = edited(three, { kind: 'moveCriterion', field: 0, row: 0, place: 1 });
    expect(values(down)).toEqual(['NY', 'CA', 'TX']);
    expect(raw(down).FieldList[0]?.Criteria.map(({ Index }) => Index)).toEqual([1, 2, 3]);
    expect(edited(down, { kind: 'moveCriterion', field: 0, row: 1, place: 0 })).toBe(three);
  });

  it('come in the order of their numbers, wherever they stand', () => {
    const mixed = report([
      field('State', 1, { Criteria: [3, 1, 2].map((Index) => row({ Value1: `v${Index}`, Index })) }),
    ]);
    const values = (next: string) => readReport(next).fields[0]?.criteria.map(({ value1 }) => value1);
    expect(values(mixed)).toEqual(['v1', 'v2', 'v3']);
    const moved = edited(mixed, { kind: 'moveCriterion', field: 0, row: 1, place: 2 });
    expect(values(moved)).toEqual(['v2', 'v1', 'v3']);
    expect(raw(moved).FieldList[0]?.Criteria.map(({ Index }) => Index)).toEqual([3, 2, 1]);
    expect(edited(moved, { kind: 'moveCriterion', field: 0, row: 1, place: 2 })).toBe(mixed);
    expect(values(edited(mixed, { kind: 'removeCriterion', field: 0, row: 1 }))).toEqual(['v2', 'v3']);
    const added = applyEdits(mixed, addCriterionEdits(mixed, 0, row({ Index: 0, Value1: 'new' })));
    expect(values(added)).toEqual(['v1', 'v2', 'v3', 'new']);
  });

  it('are removed, but a sort in the same row stays', () => {
    const left = edited(text, { kind: 'removeCriterion', field: 0, row: 0 });
    expect(raw(left).FieldList[0]?.Criteria).toEqual([row({ Value1: 'NY' })]);
    const sorted = report([field('State', 1, { Criteria: [row({ sortorder: '-1' })] })]);
    const kept = readReport(edited(sorted, { kind: 'removeCriterion', field: 0, row: 0 })).fields[0];
    expect(kept).toMatchObject({ criteria: [], sort: { isDescending: true, priority: 1 } });
  });

  it('are added at the end, also where a field has none, or something else in place of a list', () => {
    const added = applyEdits(text, addCriterionEdits(text, 0, row({ Index: 0, Value1: 'TX' })));
    expect(raw(added).FieldList[0]?.Criteria.map(({ Index }) => Index)).toEqual([1, 2, 3]);
    for (const Criteria of [null, [], {}, 'none', 5]) {
      const bare = report([field('State', 1, { Criteria })]);
      expect(readReport(applyEdits(bare, addCriterionEdits(bare, 0, row()))).fields[0]?.criteria).toHaveLength(1);
    }
    const holed = report([field('State', 1, { Criteria: [null, row({ Index: 4 })] })]);
    const after = applyEdits(holed, addCriterionEdits(holed, 0, row({ Value1: 'TX' })));
    expect(raw(after).FieldList[0]?.Criteria.map((one) => one?.Index)).toEqual([undefined, 4, 5]);
  });
});

describe('the sort of a field', () => {
  const plain = { ...row({ Op: '', Value1: '' }), sortorder: '' };
  const sort = (text: string, index: number, direction: 'asc' | 'desc' | null) =>
    applyEdits(text, sortEdits(text, index, direction, plain));
  const sorts = (text: string) => readReport(text).fields.map((entry) => entry.sort);

  it('comes, turns around and goes, and comes last among the others', () => {
    const text = report([field('State', 1), field('Delay', 2, { Criteria: [row()] })]);
    const first = sort(text, 0, 'asc');
    const both = sort(first, 1, 'desc');
    expect(sorts(both)).toEqual([
      { isDescending: false, priority: 1 },
      { isDescending: true, priority: 2 },
    ]);
    expect(readReport(both).fields.map(({ criteria }) => criteria.length)).toEqual([0, 1]);
    expect(sorts(sort(both, 0, 'desc'))[0]).toEqual({ isDescending: true, priority: 1 });
    expect(sort(first, 0, null)).toBe(text);
  });

  it('keeps words where words were', () => {
    const text = report([field('State', 1, { Criteria: [row({ sortorder: 'asc' })] })]);
    expect(sort(text, 0, 'desc')).toContain('"sortorder": "desc"');
    expect(sorts(sort(text, 0, null))).toEqual([null]);
    // A number would come before the words.
    const more = report([field('State', 1, { Criteria: [row({ sortorder: 'asc' })] }), field('Delay', 2)]);
    expect(sorts(sort(more, 1, 'desc'))[1]).toEqual({ isDescending: true, priority: null });
  });
});

describe('what is added', () => {
  const text = report([field('State', 1), field('Delay', 2)]);
  const fresh = (name: string) => ({ ...field(name, 0), Criteria: null });

  it('fields get numbers, criteria and names of their own', () => {
    const added = applyEdits(text, addFieldEdits(text, [fresh('Origin'), fresh('Delay')], null));
    expect(names(added)).toEqual(['State', 'Delay', 'Origin', 'Delay']);
    expect(readReport(added).fields.map(({ alias }) => alias)).toEqual(['state', 'delay', 'origin', 'delay_2']);
    expect(raw(added).FieldList.map(({ fieldindex }) => fieldindex)).toEqual([1, 2, 3, 4]);
    expect(raw(added).FieldList[2]?.Criteria).toEqual([]);
  });

  it('fields go where they were dropped', () => {
    const between = applyEdits(text, addFieldEdits(text, [fresh('A'), fresh('B')], 1));
    expect(names(between)).toEqual(['State', 'A', 'B', 'Delay']);
    expect(raw(between).FieldList.map(({ fieldindex }) => fieldindex)).toEqual([1, 2, 3, 4]);
    for (const FieldList of [[], null]) {
      const empty = report([], { FieldList });
      expect(names(applyEdits(empty, addFieldEdits(empty, [fresh('A')], null)))).toEqual(['A']);
    }
  });

  it('totals, links and the folder', () => {
    const total = applyEdits(text, addTotalEdits(text, { type: 'total', func: '', field1: '' }));
    const set = edited(total, {
      kind: 'setTotal',
      total: 0,
      change: { func: 'SUM', field1: 'delay', isPercent: true },
    });
    expect(readReport(set).totals).toMatchObject([{ func: 'SUM', field1: 'delay', isPercent: true }]);
    const link = applyEdits(set, addLinkEdits(set, { ReportID: '7', Name: 'Target' }));
    const pairs = [{ field: 'state', target: 'State' }];
    // As two boxes do that are filled before the first has been answered.
    const handed = [
      { kind: 'addPair', link: 0 },
      { kind: 'setPair', link: 0, place: 0, change: { field: 'state' } },
      { kind: 'setPair', link: 0, place: 0, change: { target: 'State' } },
    ] as const;
    const filled = handed.reduce((now, edit) => edited(now, edit), link);
    expect(readReport(filled).links).toMatchObject([{ reportId: '7', pairs }]);
    const emptied = edited(filled, { kind: 'removePair', link: 0, place: 0 });
    expect(readReport(emptied).links).toMatchObject([{ reportId: '7', pairs: [] }]);
    expect(readReport(applyEdits(text, folderEdits(text, '12'))).folderId).toBe('12');
    expect(applyEdits(text, folderEdits(text, '9007199254740993'))).toMatch(/"folderid": ?9007199254740993\b/);
  });
});
