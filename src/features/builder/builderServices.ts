import type * as vscode from 'vscode';
import { accountBeside } from '../../connections/accountBeside.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { displayText } from '../../editor/displayText.ts';
import type { Report } from '../../contract/resources/report.ts';
import type { RunTarget } from '../reports/run/runOptions.ts';

/** What builders work with. */
export interface BuilderServices {
  connections: ConnectionStore;
  extensionUri: vscode.Uri;
  /** Keeps which server a file on disk belongs to. */
  state: vscode.Memento;
  /** Runs a report that need not be saved, with few rows. */
  preview(target: RunTarget, report: Report): Promise<void>;
  /** Shows the SQL of a report that need not be saved beside the builder. */
  showSql(target: RunTarget, report: Report): Promise<void>;
  /** Lets that SQL follow the report, where it is on display. */
  readonly refreshSql: (target: RunTarget, report: Report) => void;
}

/** Name of the server and the account that a builder asks; empty when none is chosen. */
export function placeOf(connection: Connection | undefined): string {
  if (connection === undefined) return '';
  return [connection.name, accountBeside(connection.name, connection.userName)]
    .map(displayText)
    .filter((part) => part !== '')
    .join(' · ');
}
