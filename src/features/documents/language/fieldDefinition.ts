import * as vscode from 'vscode';
import { fieldNode, textAt } from '../../../objects/language/jsonText.ts';
import { listEntries } from '../../../objects/language/references.ts';
import { displayText } from '../../../editor/displayText.ts';
import { documentUri } from '../../../editor/documentUri.ts';
import { fieldAtCursor } from './fieldAtCursor.ts';
import { type LanguageModel, rangeOf } from './languageModel.ts';

/** Go to Definition from a report's field to the field of its report type. */
export class FieldDefinition implements vscode.DefinitionProvider {
  readonly #model: LanguageModel;

  constructor(model: LanguageModel) {
    this.#model = model;
  }

  async provideDefinition(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Location | undefined> {
    const read = this.#model.read(document);
    if (read?.kind.name !== 'report' || !read.target) return undefined;
    // Labels in formulas are labels of the report type's fields.
    await this.#model.learn(read);
    const field = fieldAtCursor(this.#model, document, position);
    const server = field && (await this.#model.reportServer(read));
    const types = server && (await this.#model.directoryOf(read)?.reportTypes(server, document.uri.toString()));
    const type = types?.find(({ name }) => name === field?.reportType);
    if (!field || !type || token.isCancellationRequested) return undefined;
    const target = { ...read.target, kind: 'reporttype', id: type.documentId, name: displayText(type.name) };
    const uri = documentUri(target, document.uri.query).with({ scheme: document.uri.scheme });
    const opened = await vscode.workspace.openTextDocument(uri);
    const found = this.#model.read(opened);
    if (!found) return undefined;
    const entry = listEntries(found.json, 'FieldTree').find(
      (candidate) =>
        isSame(textAt(fieldNode(candidate, 'tablealias')), field.tableAlias) &&
        isSame(textAt(fieldNode(candidate, 'sqlfieldname')), field.column),
    );
    return new vscode.Location(uri, entry ? rangeOf(opened, entry) : new vscode.Range(0, 0, 0, 0));
  }
}

/** Servers match table and column names case-insensitively. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
