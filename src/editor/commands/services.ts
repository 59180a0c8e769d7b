import type * as vscode from 'vscode';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { LocalServer } from '../../connections/localServer/localServer.ts';
import type { Network } from '../../connections/network/network.ts';
import type { UnknownWrites } from '../../connections/unknownWrites.ts';
import type { ObjectEntry } from '../../objects/kinds/objectEntry.ts';
import type { JsonObject } from '../../objects/json.ts';
import type { ObjectServer } from '../../objects/objectServer.ts';
import type { DocumentTarget } from '../documentUri.ts';
import type { TreeKind } from '../nodes/treeKind.ts';
import type { ServerNode, TreeConnection, TreeNode } from '../nodes/treeNode.ts';

/** A report on a server, as passed between commands. */
export interface ReportTarget {
  connectionId: string;
  reportId: string;
  name: string;
}

/** Takes the place of a report's id in the target of the audit trail. */
export const auditTrailId = 'audit trail';

/** The part of the sidebar that commands use. */
export interface ObjectTree {
  serverNode(connection: TreeConnection): ServerNode;
  /** Returns the node that the sidebar currently shows for the same object. */
  current(node: TreeNode): TreeNode;
  getChildren(node?: TreeNode): Promise<TreeNode[]>;
  /** Reloads a node, or the whole tree. */
  refresh(node?: TreeNode): Promise<void>;
  /** Reloads the nodes that show objects of these kinds. */
  refreshObjects(connection: TreeConnection, ...kinds: readonly TreeKind[]): Promise<void>;
  /** Reloads the nodes that contain these library items. */
  refreshItems(connection: TreeConnection, itemIds: readonly string[]): Promise<void>;
  updateCountdown(): void;
  /** Fires when objects of a server are reloaded, whether or not they were shown. */
  readonly onDidRefresh: vscode.Event<RefreshedObjects>;
}

/** Objects of a server that were reloaded. */
export interface RefreshedObjects {
  readonly connectionId: string;
  /** Undefined if anything may have changed. */
  readonly kinds: readonly TreeKind[] | undefined;
}

/** Initial content and editor of a new object. */
export interface NewObjectStart {
  /** Fields that override those of the kind's template. */
  fields?: JsonObject;
  /** View type of the custom editor that opens it, instead of the text editor. */
  editor?: string;
}

/** An editor other than the text editor. */
export interface CustomEditor {
  readonly viewType: string;
  /** Begins to read what the editor needs besides the object. An opening that ends early ends these reads. */
  readAhead(): void;
}

/** The part of the object documents that commands use. */
export interface ObjectDocuments {
  open(target: DocumentTarget, viewColumn?: vscode.ViewColumn, editor?: CustomEditor): Promise<void>;
  uriOf(target: DocumentTarget): Promise<vscode.Uri>;
  /** @returns undefined for a kind without a list. @throws {ClientError} */
  list(connectionId: string, kind: string): Promise<ObjectEntry[] | undefined>;
  create(connectionId: string, kind: string, parent?: string, start?: NewObjectStart): Promise<void>;
  /** Returns the server and the id of the installation that currently responds. @throws {ClientError} */
  installed(connectionId: string): Promise<{ server: ObjectServer; installation: string }>;
  /** Reloads an open document after its object was changed elsewhere; unsaved changes are preserved. */
  changedOnServer(target: DocumentTarget): void;
}

/** Services shared by the commands of all features. */
export interface CommandServices {
  connections: ConnectionStore;
  localServer: LocalServer;
  network: Network;
  unknownWrites: UnknownWrites;
  tree: ObjectTree;
  view: vscode.TreeView<TreeNode>;
  log: vscode.LogOutputChannel;
  context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri' | 'globalState' | 'workspaceState'>;
  /** Documents of administered objects, loaded on first use. */
  documents(): Promise<ObjectDocuments>;
  runReport(target: ReportTarget): Promise<void>;
  /** Runs reports in panels side by side; values given for one are used for the others with the same prompts. */
  runReports(targets: readonly ReportTarget[]): Promise<void>;
}

/** A command handler: `argument` is the item the command was called on, `selection` the items selected with it. */
export type Command<Services = CommandServices> = (
  services: Services,
  argument?: unknown,
  selection?: unknown,
) => Promise<void> | void;
