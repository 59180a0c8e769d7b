import * as vscode from 'vscode';
import { displayText } from '../connections/displayText.ts';
import { findKind } from '../objects/kinds.ts';
import { documentUri, type DocumentTarget } from './documentUri.ts';

/** What can be done with documents; loaded with the file system behind them. */
export class Documents {
  /**
   * Opens an object as a JSON document.
   * @throws {Error} when it cannot be read; the message says where and why.
   */
  async open(target: DocumentTarget): Promise<void> {
    if (!findKind(target.kind)) throw new Error(vscode.l10n.t('There are no documents of the kind {0}.', target.kind));
    const uri = documentUri({ ...target, name: displayText(target.name) });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
  }
}
