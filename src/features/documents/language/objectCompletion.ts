import * as vscode from 'vscode';
import { completionItem, plainMarkdown } from '../../../editor/documentMarks.ts';
import { displayText } from '../../../editor/displayText.ts';
import { neededAt, suggest } from '../../../objects/language/suggest.ts';
import type { Suggestion } from '../../../objects/language/suggestion.ts';
import { type LanguageModel, type ObjectDocument, rangeOf } from './languageModel.ts';

/** Characters that trigger completion. */
export const completionTriggers = ['"', ':', ' ', '/', '#', '['];

const icons: Record<Suggestion['icon'], vscode.CompletionItemKind> = {
  object: vscode.CompletionItemKind.Reference,
  tag: vscode.CompletionItemKind.Variable,
  field: vscode.CompletionItemKind.Field,
  function: vscode.CompletionItemKind.Function,
  key: vscode.CompletionItemKind.Property,
  entry: vscode.CompletionItemKind.Struct,
  value: vscode.CompletionItemKind.Value,
};

/** Completes names of the server's objects, tags, columns, fields and functions. */
export class ObjectCompletion implements vscode.CompletionItemProvider {
  readonly #model: LanguageModel;

  constructor(model: LanguageModel) {
    this.#model = model;
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.CompletionItem[]> {
    const read = this.#model.read(document);
    if (!read) return [];
    const offset = document.offsetAt(position);
    const { version } = document;
    await this.#learn(read, offset);
    if (token.isCancellationRequested || document.version !== version) return [];
    const { json, kind } = read;
    const facts = this.#model.factsOf(read);
    const found = suggest({ document: json, kind: kind.name, offset, facts });
    return found.map((suggestion, index) => itemOf(document, suggestion, index));
  }

  async #learn(read: ObjectDocument, offset: number): Promise<void> {
    const { json, kind, uri } = read;
    const holder = uri.toString();
    const directory = this.#model.directoryOf(read);
    if (!directory) return;
    const { objects, columns } = neededAt(json, kind.name, offset);
    const server = await this.#model.reportServer(read);
    await Promise.all([
      this.#model.learn(read, objects),
      ...(columns ? [directory.columns(holder)] : []),
      ...(server ? [directory.functions(server, holder)] : []),
    ]);
  }
}

function itemOf(document: vscode.TextDocument, suggestion: Suggestion, index: number): vscode.CompletionItem {
  const { label, detail, lines, icon, insert, isSnippet, span, filter, alsoChanges } = suggestion;
  const item = completionItem(displayText(label), displayText(detail), icons[icon]);
  item.insertText = isSnippet ? new vscode.SnippetString(insert) : insert;
  item.range = rangeOf(document, span);
  item.filterText = filter;
  // Before the completions of the JSON schema, in list order.
  item.sortText = `!${String(index).padStart(6, '0')}`;
  if (lines.length > 0) item.documentation = plainMarkdown('', lines);
  if (alsoChanges && alsoChanges.length > 0) {
    item.additionalTextEdits = alsoChanges.map((change) => new vscode.TextEdit(rangeOf(document, change), change.text));
  }
  return item;
}
