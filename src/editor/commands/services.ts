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

/** A report on a server, as commands pass it to each other. */
export interface ReportTarget {
  connectionId: string;
  reportId: string;
  name: string;
}

/** What commands need of the sidebar. */
export interface ObjectTree {
  serverNode(connection: TreeConnection): ServerNode;
  /** The node that the sidebar shows now for the same object. */
  current(node: TreeNode): TreeNode;
  getChildren(node?: TreeNode): Promise<TreeNode[]>;
  /** Reads a node again, or everything. */
  refresh(node?: TreeNode): Promise<void>;
  /** Reads again what shows objects of these kinds. */
  refreshObjects(connection: TreeConnection, ...kinds: readonly TreeKind[]): Promise<void>;
  /** Reads again the places that show these library items. */
  refreshItems(connection: TreeConnection, itemIds: readonly string[]): Promise<void>;
  updateCountdown(): void;
}

/** What a new object starts from, and what opens it. */
export interface NewObjectStart {
  /** Fields that replace those of the kind's template. */
  fields?: JsonObject;
  /** Name under which the editor knows what opens it, in place of the text editor. */
  editor?: string;
}

/** What commands need of the documents of objects. */
export interface ObjectDocuments {
  open(target: DocumentTarget, viewColumn?: vscode.ViewColumn): Promise<void>;
  uriOf(target: DocumentTarget): Promise<vscode.Uri>;
  /** @returns undefined for a kind that has no list. @throws {ClientError} */
  list(connectionId: string, kind: string): Promise<ObjectEntry[] | undefined>;
  create(connectionId: string, kind: string, parent?: string, start?: NewObjectStart): Promise<void>;
  /** The server and the installation that answers there. @throws {ClientError} */
  installed(connectionId: string): Promise<{ server: ObjectServer; installation: string }>;
  /** Reads an open document again after something else changed its object; unsaved changes stay. */
  changedOnServer(target: DocumentTarget): void;
}

/** What commands of every feature work with. */
export interface CommandServices {
  connections: ConnectionStore;
  localServer: LocalServer;
  network: Network;
  unknownWrites: UnknownWrites;
  tree: ObjectTree;
  view: vscode.TreeView<TreeNode>;
  log: vscode.LogOutputChannel;
  context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri' | 'globalState' | 'workspaceState'>;
  /** Documents of administered objects, loaded when first asked for. */
  documents(): Promise<ObjectDocuments>;
  runReport(target: ReportTarget): Promise<void>;
}

/** What a command does: `argument` is what it was called on, `selection` the rows that were selected with that. */
export type Command<Services = CommandServices> = (
  services: Services,
  argument?: unknown,
  selection?: unknown,
) => Promise<void> | void;
