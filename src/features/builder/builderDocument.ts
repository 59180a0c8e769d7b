import * as vscode from 'vscode';
import type { ReportText } from './edits/editQueue.ts';

/** Name under which the editor knows the builder. */
export const builderViewType = 'analytics.builder';

const scheme = 'analytics';

/** The connection and the report that a document's address names; undefined for a file on disk. */
export function reportOfUri(uri: vscode.Uri): { connectionId: string; reportId: string } | undefined {
  const [, kind, id] = uri.path.split('/');
  if (uri.scheme !== scheme || kind !== 'report' || !id) return undefined;
  return { connectionId: uri.authority, reportId: decodeURIComponent(id) };
}

/** A document as the text of a session. Its changes are those of the editor: undo, dirty mark and saving are the text's. */
export function reportText(document: vscode.TextDocument): ReportText {
  return {
    read: () => document.getText(),
    change: (edits) => {
      const change = new vscode.WorkspaceEdit();
      for (const { offset, length, content } of edits) {
        const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
        change.replace(document.uri, range, content);
      }
      return vscode.workspace.applyEdit(change);
    },
  };
}
