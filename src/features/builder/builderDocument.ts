import * as vscode from 'vscode';
import type { ReportText } from './edits/editQueue.ts';
import { accountSuffix } from '../../connections/accountSuffix.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { displayText } from '../../editor/displayText.ts';
import type { Report } from '../../contract/resources/report.ts';
import type { ReportTarget } from '../../editor/commands/services.ts';

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

/** What builders work with. */
export interface BuilderServices {
  connections: ConnectionStore;
  extensionUri: vscode.Uri;
  /** Keeps which server a file on disk belongs to. */
  state: vscode.Memento;
  /** Runs a report that need not be saved, with few rows. */
  preview(target: ReportTarget, report: Report): Promise<void>;
  /** Shows the SQL of a report that need not be saved beside the builder. */
  showSql(target: ReportTarget, report: Report): Promise<void>;
  /** Lets that SQL follow the report, where it is on display. */
  readonly refreshSql: (target: ReportTarget, report: Report) => void;
}

/** Name of the server and the account that a builder asks; empty when none is chosen. */
export function placeOf(connection: Connection | undefined): string {
  if (connection === undefined) return '';
  return [connection.name, accountSuffix(connection.name, connection.userName)]
    .map(displayText)
    .filter((part) => part !== '')
    .join(' · ');
}
