import * as vscode from 'vscode';
import { diagnostic, InertCodeAction } from '../../../editor/documentMarks.ts';
import { displayText } from '../../../editor/displayText.ts';
import { findProblems } from '../../../objects/language/problems/findProblems.ts';
import { fixAllChange } from '../../../objects/language/problems/fixAll.ts';
import { JsonText, type TextChange } from '../../../objects/language/jsonText.ts';
import type { Problem, ReportsChange } from '../../../objects/language/problems/problem.ts';
import { documentTarget, documentUri } from '../../../editor/documentUri.ts';
import { isShown, urisOfTab, type LanguageModel, rangeOf } from './languageModel.ts';

const severities: Record<Problem['severity'], vscode.DiagnosticSeverity> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
};

/** Debounce delay after a keystroke, in milliseconds; longer for long texts, which are analysed as a whole. */
const pauseMs = 250;
const longText = 1_000_000;
const longPauseMs = 1_500;

export const fixAllKind = vscode.CodeActionKind.SourceFixAll.append('analytics');

/** A code action; its edits in reports are computed once it is chosen. */
class FixAction extends InertCodeAction {
  readonly document: vscode.TextDocument;
  readonly inReports: ReportsChange | undefined;

  constructor(title: string, document: vscode.TextDocument, inReports: ReportsChange | undefined) {
    super(title, vscode.CodeActionKind.QuickFix);
    this.document = document;
    this.inReports = inReports;
  }
}

function editOf(parts: readonly { document: vscode.TextDocument; changes: readonly TextChange[] }[]) {
  const edit = new vscode.WorkspaceEdit();
  for (const { document, changes } of parts) {
    for (const change of changes) edit.replace(document.uri, rangeOf(document, change), change.text);
  }
  return edit;
}

/** Diagnostics of open documents, in the text and in the Problems view, with quick fixes. */
export class ProblemMarks implements vscode.CodeActionProvider, vscode.Disposable {
  readonly #model: LanguageModel;
  readonly #marks = vscode.languages.createDiagnosticCollection('analytics');
  readonly #problems = new WeakMap<vscode.TextDocument, { version: number; problems: Problem[] }>();
  readonly #waiting = new Map<string, NodeJS.Timeout>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(model: LanguageModel) {
    this.#model = model;
    this.#subscriptions = [
      this.#marks,
      vscode.workspace.onDidOpenTextDocument((document) => this.look(document)),
      // A document is opened before its tab.
      vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
        // The editor closes the document long after its last tab; its diagnostics are no longer needed.
        for (const uri of closed.flatMap(urisOfTab)) if (!isShown(uri)) this.#forget(uri);
        const uris = new Set(opened.flatMap(urisOfTab).map(String));
        for (const document of vscode.workspace.textDocuments) {
          if (uris.has(document.uri.toString())) this.look(document);
        }
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#lookSoon(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.#lookSoon(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
      model.onDidChange((connectionId) => {
        for (const document of vscode.workspace.textDocuments) {
          if (document.uri.authority === connectionId) this.#lookSoon(document);
        }
      }),
    ];
  }

  /** Updates the diagnostics of a document now, and again when more is known about its server. */
  look(document: vscode.TextDocument): void {
    const read = this.#model.read(document);
    if (!read) return;
    this.#mark(document);
    // Documents without a visible tab make no calls. The model announces loaded data, which calls this method again.
    if (isShown(document.uri)) void this.#model.learn(read);
  }

  provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { only }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    if (only && !only.contains(vscode.CodeActionKind.QuickFix)) {
      return only.contains(fixAllKind) ? this.#fixAll(document) : [];
    }
    const marks = this.#marks.get(document.uri) ?? [];
    return this.#problemsOf(document)
      .filter((problem) => rangeOf(document, problem).intersection(range) !== undefined)
      .flatMap((problem) => {
        const where = rangeOf(document, problem);
        const diagnostics = marks.filter((mark) => mark.code === problem.code && mark.range.isEqual(where));
        return problem.fixes.map((fix) => {
          const action = new FixAction(displayText(fix.title), document, fix.inReports);
          const target = documentTarget(document.uri);
          if (fix.command) {
            const called = { ...target, installation: document.uri.query };
            action.command = { title: action.title, command: fix.command, arguments: [called] };
          }
          if (!fix.command && !fix.inReports) action.edit = editOf([{ document, changes: fix.changes }]);
          action.diagnostics = diagnostics;
          action.isPreferred = fix.isPreferred === true;
          return action;
        });
      });
  }

  /**
   * Computes the edits of a quick fix in reports, once it is chosen. The reports stay unsaved, and one undo reverts all
   * edits.
   * @throws {Error} if a report cannot be read; then nothing is changed.
   */
  async resolveCodeAction(action: vscode.CodeAction, token: vscode.CancellationToken): Promise<vscode.CodeAction> {
    if (!(action instanceof FixAction) || !action.inReports) return action;
    const { document, inReports } = action;
    const target = documentTarget(document.uri);
    if (!target) return action;
    const uris = inReports.reports.map(({ id, name }) =>
      documentUri({ ...target, kind: 'report', id, name: displayText(name) }, document.uri.query),
    );
    const reports = await Promise.all(uris.map((uri) => vscode.workspace.openTextDocument(uri)));
    if (token.isCancellationRequested) return action;
    action.edit = editOf(
      reports.map((report) => ({ document: report, changes: inReports.changes(new JsonText(report.getText())) })),
    );
    return action;
  }

  dispose(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  /** *Fix All*, also by `editor.codeActionsOnSave`. */
  #fixAll(document: vscode.TextDocument): vscode.CodeAction[] {
    const read = this.#model.read(document);
    const change = read && fixAllChange(this.#model.contextOf(read));
    if (!change) return [];
    const action = new InertCodeAction(vscode.l10n.t('Fix all problems with one sure fix'), fixAllKind);
    action.edit = editOf([{ document, changes: [change] }]);
    return [action];
  }

  /** Not at a document that was forgotten: the editor reports the save of a new object's document after closing its tab. */
  #lookSoon(document: vscode.TextDocument): void {
    if (!this.#marks.has(document.uri) && !isShown(document.uri)) return;
    const key = document.uri.toString();
    clearTimeout(this.#waiting.get(key));
    const isLong = document.lineCount > longText / 30 && document.getText().length > longText;
    const look = () => {
      this.#waiting.delete(key);
      if (!document.isClosed) this.look(document);
    };
    this.#waiting.set(key, setTimeout(look, isLong ? longPauseMs : pauseMs));
  }

  #mark(document: vscode.TextDocument): void {
    const read = this.#model.read(document);
    if (!read) return;
    const problems = findProblems(this.#model.contextOf(read));
    this.#problems.set(document, { version: document.version, problems });
    this.#marks.set(
      document.uri,
      problems.map((problem) => {
        const mark = diagnostic(rangeOf(document, problem), displayText(problem.message), severities[problem.severity]);
        mark.source = vscode.l10n.t('Analytics');
        mark.code = problem.code;
        return mark;
      }),
    );
  }

  #problemsOf(document: vscode.TextDocument): readonly Problem[] {
    if (this.#problems.get(document)?.version !== document.version) this.#mark(document);
    return this.#problems.get(document)?.problems ?? [];
  }

  #forget(uri: vscode.Uri): void {
    clearTimeout(this.#waiting.get(uri.toString()));
    this.#waiting.delete(uri.toString());
    this.#marks.delete(uri);
  }
}
