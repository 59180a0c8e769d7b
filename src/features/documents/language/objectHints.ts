import * as vscode from 'vscode';
import { documentLink, hover, inlayHint } from '../../../editor/documentMarks.ts';
import { displayText } from '../../../editor/displayText.ts';
import { hoverAt } from '../../../objects/language/hover.ts';
import { nameHints, objectLinks } from '../../../objects/language/hints.ts';
import { referencesIn } from '../../../objects/language/references.ts';
import { reasonOf } from '../save/saveWords.ts';
import { type LanguageModel, type ObjectDocument, openCommand, rangeOf } from './languageModel.ts';

/** Explains ids: with hovers, with names as inlay hints, and with links that open the object. */
export class ObjectHints
  implements vscode.HoverProvider, vscode.InlayHintsProvider, vscode.DocumentLinkProvider, vscode.Disposable
{
  readonly #model: LanguageModel;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  readonly onDidChangeInlayHints = this.#changed.event;

  constructor(model: LanguageModel) {
    this.#model = model;
    this.#subscription = model.onDidChange(() => this.#changed.fire());
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const read = this.#model.read(document);
    if (!read) return undefined;
    const offset = document.offsetAt(position);
    await this.#model.learn(read, read.kind.name === 'policy' ? ['group'] : []);
    await this.#learnFunctions(read);
    const facts = this.#model.factsOf(read);
    const found = hoverAt(read.json, read.kind.name, offset, facts);
    if (!found) return this.#failureHover(document, read, offset);
    // The link at the same range opens the object; the editor adds that hint itself.
    return hover(rangeOf(document, found), found.title, found.lines);
  }

  provideInlayHints(document: vscode.TextDocument, range: vscode.Range): vscode.InlayHint[] {
    const read = this.#model.read(document);
    if (!read) return [];
    const offset = document.offsetAt(range.start);
    const span = { offset, length: document.offsetAt(range.end) - offset };
    return nameHints(read.json, read.kind.name, this.#model.factsOf(read), span).map(({ offset: at, text }) => {
      const hint = inlayHint(document.positionAt(at), displayText(text));
      hint.paddingLeft = true;
      return hint;
    });
  }

  async provideDocumentLinks(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    const read = this.#model.read(document);
    const { target } = read ?? {};
    if (!read || !target) return [];
    await this.#model.learn(read);
    return objectLinks(read.json, read.kind.name, this.#model.factsOf(read)).map((link) => {
      const words = vscode.l10n.t('Open {0}', displayText(link.target.name));
      return documentLink(rangeOf(document, link), openCommand(target.connectionId, link.target), words);
    });
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async #learnFunctions(read: ObjectDocument): Promise<void> {
    const server = await this.#model.reportServer(read);
    if (server) await this.#model.directoryOf(read)?.functions(server, read.uri.toString());
  }

  /** Explains why an id has no name: its list could not be read. */
  #failureHover(document: vscode.TextDocument, read: ObjectDocument, offset: number): vscode.Hover | undefined {
    const node = read.json.nodeAt(offset);
    const reference = referencesIn(read.json, read.kind.name).find((found) => found.node === node);
    const failure = reference && this.#model.directoryOf(read)?.failure(reference.row.to);
    if (!reference || failure === undefined) return undefined;
    const title = vscode.l10n.t('Names are unavailable: could not read them from {0}', this.#model.serverName(read));
    return hover(rangeOf(document, reference), title, [reasonOf(failure)]);
  }
}
