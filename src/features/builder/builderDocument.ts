import * as vscode from 'vscode';
import type { ReportText } from './edits/editQueue.ts';
import { accountSuffix } from '../../connections/accountSuffix.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { displayText } from '../../editor/displayText.ts';
import type { Report } from '../../contract/resources/report.ts';
import type { ReportTarget } from '../../editor/commands/services.ts';

const scheme = 'analytics';

/** The connection and report in a document's URI; undefined for a file on disk. */
export function reportOfUri(uri: vscode.Uri): { connectionId: string; reportId: string } | undefined {
  const [, kind, id] = uri.path.split('/');
  if (uri.scheme !== scheme || kind !== 'report' || !id) return undefined;
  return { connectionId: uri.authority, reportId: decodeURIComponent(id) };
}

/**
 * A document as the text of a session. Changes go through VS Code, so undo, dirty state and saving are those of the
 * text.
 */
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

/** Services for builders. */
export interface BuilderServices {
  connections: ConnectionStore;
  extensionUri: vscode.Uri;
  /** Stores which server a file on disk belongs to. */
  state: vscode.Memento;
  /** Runs a report, which may be unsaved, with few rows. */
  preview(target: ReportTarget, report: Report): Promise<void>;
  /** Shows the SQL of a report, which may be unsaved, next to the builder. */
  showSql(target: ReportTarget, report: Report): Promise<void>;
  /** Updates that SQL to the report's new state, if it is open. */
  readonly refreshSql: (target: ReportTarget, report: Report) => void;
}

/** Names of the server and account that a builder uses; empty if none is chosen. */
export function placeOf(connection: Connection | undefined): string {
  if (connection === undefined) return '';
  return [connection.name, accountSuffix(connection.name, connection.userName)]
    .map(displayText)
    .filter((part) => part !== '')
    .join(' · ');
}
