import * as vscode from 'vscode';
import { setStatusBarMessage } from '../../../editor/statusBar.ts';
import { sqlScheme } from './sqlScheme.ts';
import type { SqlServices } from './sqlPreview.ts';

/** Copies the SQL of the document that is given or in front. */
export async function copySql(_services: SqlServices, argument?: unknown): Promise<void> {
  const document = await vscode.workspace.openTextDocument(sqlUri(argument));
  await vscode.env.clipboard.writeText(document.getText());
  setStatusBarMessage(vscode.l10n.t('SQL copied'), 4_000);
}

/** Shows the criteria as the server compiles them, below the SQL of the document that is given or in front. */
export async function showCriteria(services: SqlServices, argument?: unknown): Promise<void> {
  await services.showCriteria(sqlUri(argument));
}

/** @throws Error that says how to come to such a document. */
function sqlUri(argument: unknown): vscode.Uri {
  const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme === sqlScheme) return uri;
  throw new Error(vscode.l10n.t('No SQL of a report is in front. Show SQL opens it.'));
}
