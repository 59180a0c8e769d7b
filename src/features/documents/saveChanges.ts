import * as vscode from 'vscode';
import { showInformationMessage, showWarningMessage } from '../../editor/messages.ts';
import type { ChangedDocument } from './changedDocuments.ts';
import { isNewObject } from '../../editor/documentUri.ts';
import { closeTabs, showDocument } from '../../editor/openTabs.ts';
import { attempt } from '../../editor/commandError.ts';
import { couldNotReload } from './commands.ts';
import type { DocumentServices } from './documentServices.ts';

/** Saves all changed documents to their servers, whichever row has the focus. */
export async function saveChanges(services: DocumentServices): Promise<void> {
  await saveChosenChanges(services);
}

/** Saves changed documents to their servers: those selected in the Changes view, or all. */
export async function saveChosenChanges(
  services: DocumentServices,
  argument?: unknown,
  selection?: unknown,
): Promise<void> {
  const changes = chosen(services, argument, selection);
  if (changes.length === 0) sayNothingChanged();
  for (const change of changes) {
    // Only the editor's Save command counts as explicit, and it saves the active document.
    await showDocument(change.uri);
    await vscode.commands.executeCommand('workbench.action.files.save');
  }
}

/** Discards the changes of documents after asking; reloads their objects. */
export async function revertChanges(
  services: DocumentServices,
  argument?: unknown,
  selection?: unknown,
): Promise<void> {
  const changes = chosen(services, argument, selection);
  if (changes.length === 0) return sayNothingChanged();
  const names = changes.map(({ target }) => target.name).join(', ');
  const revert = vscode.l10n.t('Discard Changes');
  const question = vscode.l10n.t('Discard the changes to {0}?', names);
  const isNew = ({ target }: ChangedDocument) => isNewObject(target);
  const detail = [
    ...(changes.every(isNew) ? [] : [vscode.l10n.t('The objects are reloaded from the servers.')]),
    ...(changes.some(isNew) ? [vscode.l10n.t('New objects that were never saved are closed.')] : []),
    vscode.l10n.t('This cannot be undone.'),
  ].join(' ');
  if ((await showWarningMessage(question, { modal: true, detail }, revert)) !== revert) return;
  const documents = await services.documents();
  for (const { uri } of changes.filter(isNew)) {
    await vscode.window.showTextDocument(uri, { preview: false });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    // A report builder may show it, too.
    await closeTabs(uri);
  }
  for (const { uri } of changes.filter((change) => !isNew(change))) {
    await attempt(couldNotReload(services.connections, uri), () => documents.reload(uri));
  }
}

function sayNothingChanged(): void {
  void showInformationMessage(vscode.l10n.t('No document has unsaved changes.'));
}

function chosen({ changes }: DocumentServices, argument: unknown, selection: unknown): ChangedDocument[] {
  const given: unknown[] = Array.isArray(selection) ? selection : argument === undefined ? [] : [argument];
  if (given.length === 0) return [...changes.list];
  return changes.list.filter(({ uri }) => given.some((node) => isNodeOf(node, uri)));
}

function isNodeOf(node: unknown, uri: vscode.Uri): boolean {
  return typeof node === 'object' && node !== null && 'uri' in node && String(node.uri) === uri.toString();
}
