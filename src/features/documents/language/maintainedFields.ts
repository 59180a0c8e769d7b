import * as vscode from 'vscode';
import { runInBackground } from '../../../editor/progress.ts';
import type { JsonText } from '../../../objects/language/jsonText.ts';
import { isReadOnly, type ObjectShape } from '../../../objects/kinds/objectShape.ts';
import type { LanguageModel } from './languageModel.ts';

/** Makes the fields that a server maintains, the last ones of a document, one foldable region. */
export class MaintainedFields implements vscode.FoldingRangeProvider {
  readonly #model: LanguageModel;

  constructor(model: LanguageModel) {
    this.#model = model;
  }

  provideFoldingRanges(document: vscode.TextDocument): vscode.FoldingRange[] {
    answered.add(document);
    // The command waits for the ranges that are asked for here.
    if (waiting.delete(document)) foldRegions();
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

/** Documents whose ranges the editor knows or is about to know. */
const answered = new WeakSet<vscode.TextDocument>();
/** Documents to fold as soon as the editor asks for their ranges. */
const waiting = new WeakSet<vscode.TextDocument>();

/** Folds the fields that the server maintains in a document that was just opened in the active editor. */
export function foldMaintained(document: vscode.TextDocument): void {
  if (answered.has(document)) foldRegions();
  else waiting.add(document);
}

/**
 * Folds all regions, of which a document has at most one. Folding by line instead folds the whole document while the
 * editor does not know the region yet.
 */
function foldRegions(): void {
  runInBackground(vscode.commands.executeCommand('editor.foldAllMarkerRegions'));
}
