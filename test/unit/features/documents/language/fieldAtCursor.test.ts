import { expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { fieldAtCursor } from '../../../../../src/features/documents/language/fieldAtCursor.ts';
import type { LanguageModel } from '../../../../../src/features/documents/language/languageModel.ts';
import { findKind } from '../../../../../src/objects/kinds/kinds.ts';
import { JsonText } from '../../../../../src/objects/language/jsonText.ts';
import { noFacts } from '../../../../../src/objects/language/serverFacts.ts';

const report = {
  ReportType: 'Bird Strikes',
  FieldList: [
    { DbTableAlias: 's', DbFieldName: 'species', ReportFieldName: 'Species', Criteria: [{ Value1: 'hawk' }] },
    { DbTableAlias: 's', DbFieldName: 'cost_total', ReportFieldName: 'Total Cost', Criteria: [] },
  ],
};
const reportType = {
  RepTypeName: 'Bird Strikes',
  FieldTree: [{ fname: 'Cost', tablealias: 's', sqlfieldname: 'cost' }],
};

function at(kind: string, object: object, words: string) {
  const text = JSON.stringify(object, null, 2);
  const read = { json: new JsonText(text), kind: findKind(kind) };
  const model = { read: () => read, factsOf: () => noFacts } as unknown as LanguageModel;
  const document = { offsetAt: () => text.indexOf(words) + 2 } as unknown as vscode.TextDocument;
  return fieldAtCursor(model, document, {} as unknown as vscode.Position);
}

it('is the field whose entry the cursor is in: on a key, on a value, within its criteria', () => {
  const species = { reportType: 'Bird Strikes', tableAlias: 's', column: 'species', name: 'Species' };
  for (const words of ['"DbFieldName"', 'species', 'hawk', '"Value1"'])
    expect(at('report', report, words)).toEqual(species);
  expect(at('report', report, 'cost_total')?.column).toBe('cost_total');
  expect(at('report', report, '"ReportType"')).toBeUndefined();
  const formula = { ...report, FieldList: [{ ...report.FieldList[0], Formula: '"a\n" + s.cost_total * x' }] };
  expect(at('report', formula, 's.cost_total')?.column).toBe('cost_total');
  expect(at('report', formula, ' * x')?.column).toBe('species');
  const cost = { reportType: 'Bird Strikes', tableAlias: 's', column: 'cost', name: 'Cost' };
  expect(at('reporttype', reportType, 'sqlfieldname')).toMatchObject(cost);
});
