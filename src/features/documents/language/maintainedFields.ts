import * as vscode from 'vscode';
import { runInBackground } from '../../../editor/progress.ts';
import { JsonText } from '../../../objects/language/jsonText.ts';
import type { ObjectKind } from '../../../objects/kinds/objectKind.ts';
import { isReadOnly, type ObjectShape } from '../../../objects/kinds/objectShape.ts';
import type { LanguageModel } from './languageModel.ts';

/** Makes the fields that a server maintains, the last ones of a document, one foldable region. */
export class MaintainedFields implements vscode.FoldingRangeProvider {
  readonly #model: LanguageModel;

  constructor(model: LanguageModel) {
    this.#model = model;
  }

  provideFoldingRanges(document: vscode.TextDocument): vscode.FoldingRange[] {
    const read = this.#model.read(document);
    const span = read && maintainedSpan(read.json, read.kind.shape);
    if (!span) return [];
    const [start, end] = [document.positionAt(span.start).line, document.positionAt(span.end).line];
    return end > start ? [new vscode.FoldingRange(start, end, vscode.FoldingRangeKind.Region)] : [];
  }
}

/** Offsets of the read-only fields at the end of an object; undefined if there are fewer than two. */
export function maintainedSpan({ root }: JsonText, shape: ObjectShape): { start: number; end: number } | undefined {
  const fields = root?.type === 'object' ? (root.children ?? []) : [];
  const lastEdited = fields.findLastIndex((field) => !isReadOnly(shape, String(field.children?.[0]?.value)));
  const [first, ...others] = fields.slice(lastEdited + 1);
  const last = others.at(-1);
  return first && last && { start: first.offset, end: last.offset + last.length };
}

/** Folds the fields that the server maintains in a document that was just opened in the active editor. */
export function foldMaintained(document: vscode.TextDocument, { shape }: ObjectKind): void {
  const span = maintainedSpan(new JsonText(document.getText()), shape);
  if (!span) return;
  const selectionLines = [document.positionAt(span.start).line];
  runInBackground(vscode.commands.executeCommand('editor.fold', { selectionLines }));
}
