import type * as vscode from 'vscode';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LanguageModel } from '../../../../../src/features/documents/language/languageModel.ts';
import { ProblemMarks } from '../../../../../src/features/documents/language/problemMarks.ts';
import { policyKind } from '../../../../../src/objects/kinds/securityKinds.ts';
import { CodeActionKind, languages, Uri } from '../../../../support/vscode/index.ts';
import { didSave, TextDocument } from '../../../../support/vscode/textDocument.ts';

const base = { id: '1', Name: 'North', CreatedDate: '2026-01-01', ModifiedDate: '2026-02-02' };
const text = JSON.stringify({ ...base, CreatedDate: 'mine', ModifiedDate: 'mine' }, undefined, 2);

let model: LanguageModel;
let marks: ProblemMarks;
let document: vscode.TextDocument;
beforeEach(() => {
  model = new LanguageModel({ connection: () => undefined, baseOf: () => base, scheme: 'analytics' });
  marks = new ProblemMarks(model);
  const uri = Uri.parse(`analytics://one/${policyKind.name}/1/North.policy.json?installation`);
  document = new TextDocument(uri, text) as unknown as vscode.TextDocument;
});
afterEach(() => {
  marks.dispose();
  model.dispose();
});

const asked = (only?: CodeActionKind) => {
  const range = { start: document.positionAt(0), end: document.positionAt(text.length) };
  const context = { only, diagnostics: [], triggerKind: 1 };
  return marks.provideCodeActions(document, range as vscode.Range, context);
};

it('fixes all problems of a document in one edit, when a save or Fix All asks for it', () => {
  for (const kind of ['source.fixAll', 'source.fixAll.analytics', 'source']) {
    const actions = asked(new CodeActionKind(kind));
    expect(actions.map((action) => action.kind?.value)).toEqual(['source.fixAll.analytics']);
    expect(actions[0]?.edit).toBeDefined();
  }
  expect(asked(new CodeActionKind('source.fixAll.eslint'))).toEqual([]);
  expect(asked(new CodeActionKind('source.organizeImports'))).toEqual([]);
});

it('leaves a document alone whose tab was closed before its save was reported, as of a new object', () => {
  const saved = document as unknown as TextDocument;
  const marked = () => languages.getDiagnostics(saved.uri).length;
  vi.useFakeTimers();
  try {
    didSave.fire(saved);
    vi.runAllTimers();
    expect(marked()).toBe(0);
    marks.look(document);
    expect(marked()).toBeGreaterThan(0);
  } finally {
    vi.useRealTimers();
  }
});
