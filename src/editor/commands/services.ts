import type * as vscode from 'vscode';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { LanguageFeatures } from '../../features/documents/language/languageFeatures.ts';
import type { ChangedDocuments } from '../../features/documents/changedDocuments.ts';
import type { Documents } from '../../features/documents/documents.ts';
import type { Network } from '../../connections/network/network.ts';
import type { UnknownWrites } from '../../connections/unknownWrites.ts';
import type { LocalServer } from '../../connections/localServer/localServer.ts';
import type { ReportRunner } from '../../features/reports/run/reportRunner.ts';
import type { RunHistory } from '../../features/reports/history/runHistory.ts';
import type { ChangeNode } from '../../features/documents/changesTree.ts';
import type { RunNode } from '../../features/reports/history/runsTree.ts';
import type { ServersTree } from '../../features/sidebar/serversTree.ts';
import type { TreeNode } from '../nodes/treeNode.ts';

/** A report on a server: what the tree, the palette and other rooms pass to the report commands. */
export interface ReportTarget {
  connectionId: string;
  reportId: string;
  name: string;
}

/** What commands work with. */
export interface CommandServices {
  connections: ConnectionStore;
  localServer: LocalServer;
  network: Network;
  unknownWrites: UnknownWrites;
  tree: ServersTree;
  view: vscode.TreeView<TreeNode>;
  changesView: vscode.TreeView<ChangeNode>;
  runsView: vscode.TreeView<RunNode>;
  log: vscode.LogOutputChannel;
  context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri' | 'globalState' | 'workspaceState'>;
  /** Documents that are not on their server as they are here. */
  changes: ChangedDocuments;
  /** Report runs of this window. */
  runs: RunHistory;
  /** What runs reports, loaded when first asked for. */
  reportRunner(): Promise<ReportRunner>;
  runReport(target: ReportTarget): Promise<void>;
  showSql(target: ReportTarget): Promise<void>;
  /** Below the SQL in the document at `uri`, the criteria as the server compiles them. */
  showCriteria(uri: vscode.Uri): Promise<void>;
  /** Language help for documents, loaded when first asked for. */
  language(): Promise<LanguageFeatures>;
  /** Documents of administered objects, loaded when first asked for. */
  documents(): Promise<Documents>;
}

/** What a command does: `argument` is what it was called on, `selection` the rows that were selected with that. */
export type Command = (services: CommandServices, argument?: unknown, selection?: unknown) => Promise<void> | void;
