import type { TextDocument } from 'vscode';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { policyKind } from '../../../../../src/objects/kinds/securityKinds.ts';
import { JsonText } from '../../../../../src/objects/language/jsonText.ts';
import { editableView, withView } from '../../../../../src/objects/merge/editableView.ts';
import type { LanguageModel } from '../../../../../src/features/documents/language/languageModel.ts';
import {
  foldMaintained,
  MaintainedFields,
  maintainedSpan,
} from '../../../../../src/features/documents/language/maintainedFields.ts';
import { commands } from '../../../../support/vscode/index.ts';

const full = {
  id: '7',
  CreatedDate: '2026-01-01',
  Name: 'North',
  CreatedBy: { ID: '1', LoginName: 'admin' },
  Constraints: [{ TableName: 'flights' }],
  ErrorCode: 0,
};

it('shows what people edit before what the server maintains, and sends the order that was read', () => {
  const view = editableView(full, policyKind.shape);
  expect(Object.keys(view)).toEqual(['Name', 'Constraints', 'id', 'CreatedDate', 'CreatedBy']);
  expect(JSON.stringify(withView(full, view, policyKind.shape))).toBe(JSON.stringify(full));
});

it('folds the maintained fields at the end of a document, and nothing where edited fields follow', () => {
  const folded = (text: string) => {
    const span = maintainedSpan(new JsonText(text), policyKind.shape);
    return span && text.slice(span.start, span.end);
  };
  expect(folded('{ "id": "7", "Name": "North", "CreatedDate": "", "CreatedBy": { "ID": "1" } }')).toBe(
    '"CreatedDate": "", "CreatedBy": { "ID": "1" }',
  );
  expect(folded('{ "id": "7", "CreatedDate": "", "Name": "North" }')).toBeUndefined();
  expect(folded('{ "Name": "North", "id": "7" }')).toBeUndefined();
  expect(folded('{ "Name": "North", ')).toBeUndefined();
  expect(folded('[]')).toBeUndefined();
});

describe('a document that was just opened', () => {
  const folds: string[] = [];
  const model = { read: () => undefined } as unknown as LanguageModel;
  beforeEach(() => {
    folds.length = 0;
    vi.spyOn(commands, 'executeCommand').mockImplementation(async (command: string) => void folds.push(command));
  });
  afterEach(() => vi.restoreAllMocks());

  it('is folded once, when the editor asks for its regions', () => {
    const document = { uri: 'one' } as unknown as TextDocument;
    const regions = new MaintainedFields(model);
    foldMaintained(document);
    expect(folds).toEqual([]);
    regions.provideFoldingRanges(document);
    regions.provideFoldingRanges(document);
    expect(folds).toEqual(['editor.foldAllMarkerRegions']);
  });

  it('is folded at once when the editor has asked already', () => {
    const document = { uri: 'two' } as unknown as TextDocument;
    new MaintainedFields(model).provideFoldingRanges(document);
    expect(folds).toEqual([]);
    foldMaintained(document);
    expect(folds).toEqual(['editor.foldAllMarkerRegions']);
  });
});
