import * as vscode from 'vscode';
import type { ConflictOutcome } from '../objects/saveObject.ts';
import type { ChooseSide } from '../objects/threeWayMerge.ts';
import { documentText } from './documentText.ts';

/** Asks the user about the conflicts of a document; undefined when the user decides nothing. */
export type AskAboutConflict = (uri: vscode.Uri, conflict: ConflictOutcome) => Promise<ChooseSide | undefined>;

const stateScheme = 'analytics-server-state';

/** Shows the server's state beside the document and asks whose changes are to stand. */
export class ConflictQuestion implements vscode.Disposable {
  readonly #states = new Map<string, string>();
  #count = 0;
  readonly #registration: vscode.Disposable;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(stateScheme, {
      provideTextDocumentContent: (uri) => this.#states.get(uri.toString()) ?? '',
    });
  }

  /** Opens the comparison and waits for an answer. */
  readonly ask: AskAboutConflict = async (uri, { conflicts, theirs }) => {
    // A state of its own for each question: the comparison shows what the answer is bound to.
    const state = uri.with({ scheme: stateScheme, query: String(++this.#count), fragment: '' });
    this.#states.set(state.toString(), documentText(theirs));
    const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
    await vscode.commands.executeCommand('vscode.diff', state, uri, vscode.l10n.t('{0}: server ↔ yours', name));
    const keepMine = vscode.l10n.t('Keep Mine');
    const keepTheirs = vscode.l10n.t('Keep Theirs');
    const perField = vscode.l10n.t('Choose per Field…');
    const fields = conflicts.map(({ path }) => path).join(', ');
    const answer = await vscode.window.showWarningMessage(
      vscode.l10n.t('{0} was changed on the server in the same fields as here: {1}. Nothing was sent.', name, fields),
      keepMine,
      keepTheirs,
      ...(conflicts.length > 1 ? [perField] : []),
    );
    this.#states.delete(state.toString());
    if (answer === keepMine) return () => 'mine';
    if (answer === keepTheirs) return () => 'theirs';
    if (answer !== perField) return undefined;
    const mine = await vscode.window.showQuickPick(
      conflicts.map(({ path }) => path),
      { canPickMany: true, title: vscode.l10n.t('Fields in which your change is to stand') },
    );
    return mine && (({ path }) => (mine.includes(path) ? 'mine' : 'theirs'));
  };

  dispose(): void {
    this.#registration.dispose();
  }
}
