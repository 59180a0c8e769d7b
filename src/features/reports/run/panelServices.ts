import type * as vscode from 'vscode';
import type { ConnectionStore } from '../../../connections/connectionStore.ts';
import type { ReportMetadata } from '../../../contract/resources/report.ts';
import type { PromptMemory } from '../prompts/promptMemory.ts';
import type { RunHistory } from '../history/runHistory.ts';
import type { RunTarget } from './runOptions.ts';
import type { SqlPreview } from '../sql/sqlPreview.ts';

/** What panels work with. */
export interface PanelServices {
  connections: ConnectionStore;
  memory: PromptMemory;
  /** Where runs are written down. */
  history: RunHistory;
  sql: SqlPreview;
  extensionUri: vscode.Uri;
  /** The report of a target that is not saved; undefined for one that the server has. */
  draft(target: RunTarget): ReportMetadata | undefined;
}
