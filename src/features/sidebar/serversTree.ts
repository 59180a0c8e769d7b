import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { LocalServer } from '../../connections/localServer/localServer.ts';
import { FolderScopes } from './nodes/folderScopes.ts';
import { ExpansionState, ListCounts, DisplayedAccounts, DisplayedChanges } from './treeState.ts';
import { folderNodeId } from '../../editor/nodes/libraryNodes.ts';
import type { ChangeState, ObjectKey } from './rows/nodeDecorations.ts';
import {
  NodeCache,
  type CachedNode,
  isErrorNode,
  isWithin,
  placeName,
  placesOf,
  refreshedPlace,
} from './nodes/nodeCache.ts';
import type { RefreshedObjects } from '../../editor/commands/services.ts';
import type { TreeKind } from '../../editor/nodes/treeKind.ts';
import { ServerRows } from './serverRows.ts';
import { DisplayedRows } from './displayedRows.ts';
import { filteredNotice, TreeFilter } from './treeFilter.ts';
import { isOneOfMany, treeItem, type TreeFacts } from './rows/treeItem.ts';
import type { MoreNode, ServerNode, TreeConnection, TreeNode } from '../../editor/nodes/treeNode.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/** The part of the saved servers that the sidebar uses. */
export interface TreeConnections {
  list(): readonly TreeConnection[];
  readonly onDidChange: vscode.Event<unknown>;
  readonly onDidChangeState: vscode.Event<TreeConnection>;
}

/** Dependencies of {@link ServersTree}. */
export interface ServersTreeOptions {
  connections: TreeConnections;
  localServer: Pick<LocalServer, 'state'>;
  /** Whether to request the groups that can view each folder. */
  showsScopes(): boolean;
  /** How the open document of an object differs from the server. */
  changeOf?(object: ObjectKey): ChangeState | undefined;
}

const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/**
 * If more nodes than this changed, the whole tree is refreshed: either way the editor discards the rows of each node
 * and requests them node by node. Rows that only look different never cause this, however many there are: the other
 * rows keep their elements, so that clicks on them are not lost.
 */
const mostReadAgain = 40;

/**
 * The sidebar: servers, their libraries and security. Loads children when a node is first expanded and caches them
 * until a refresh; node ids are stable, so expansion and selection are preserved.
 */
export class ServersTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #options: ServersTreeOptions;
  readonly #changed = new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #refreshed = new vscode.EventEmitter<RefreshedObjects>();
  /** Fires when objects of a server are reloaded, whether or not they were shown. */
  readonly onDidRefresh = this.#refreshed.event;
  /** However many rows get a scope at once, the other rows need no refresh. */
  readonly #scopes = new FolderScopes(
    (nodes) => this.#changed.fire(nodes.map((node) => this.#rows.elementOf(node))),
    (connection) => this.#places.settled(connection),
  );
  readonly #places = new NodeCache((node, children) => this.#wasRead(node, children));
  readonly #filter = new TreeFilter((node) => this.#places.loadedBelow(node));
  readonly #rows = new DisplayedRows();
  readonly #servers: ServerRows;
  readonly #foldings = new ExpansionState();
  readonly #counts = new ListCounts((node) => this.#places.loadedBelow(node));
  readonly #accounts = new DisplayedAccounts();
  readonly #changes = new DisplayedChanges((object) => this.#options.changeOf?.(object));
  readonly #subscriptions: vscode.Disposable[];

  constructor(options: ServersTreeOptions) {
    this.#options = options;
    this.#servers = new ServerRows({
      localServer: options.localServer,
      isUnreachable: (connection) => this.#places.isUnreachable(connection),
      show: (node) => this.#changed.fire(node),
    });
    this.#subscriptions = [
      this.#changed,
      this.#refreshed,
      this.#scopes,
      this.#servers,
      options.connections.onDidChange(() => this.#serversChanged()),
      options.connections.onDidChangeState((connection) => this.#sessionChanged(connection)),
    ];
  }

  getTreeItem(element: TreeNode): vscode.TreeItem {
    const node = this.current(element);
    if (node.kind === 'server') this.#servers.noteShown(node);
    if (node.kind === 'list') this.#counts.noteDrawn(node);
    this.#changes.noteDrawn(node);
    const item = treeItem(node, this.#facts);
    // The editor uses this only for rows it does not know yet.
    if (item.collapsibleState === Collapsed && this.#foldings.isUnfolded(node)) item.collapsibleState = Expanded;
    if (item.command) item.command = { command: 'analytics.tree.openRow', title: item.command.title };
    if (isOneOfMany(node)) delete item.tooltip;
    return item;
  }

  /** Adds the tooltip, half the size of an item, if {@link getTreeItem} omitted it. Called by the editor on hover. */
  resolveTreeItem(item: vscode.TreeItem, element: TreeNode): vscode.TreeItem {
    item.tooltip = treeItem(this.current(element), this.#facts).tooltip;
    return item;
  }

  /** The command of a click on a row. */
  commandOf(element: TreeNode): vscode.Command | undefined {
    return treeItem(this.current(element), this.#facts).command;
  }

  /** The current node of a row: the editor passes the element it was first given. */
  current(element: TreeNode): TreeNode {
    return this.#places.current(element);
  }

  get #facts(): TreeFacts {
    return {
      localServer: this.#options.localServer.state,
      scopeOf: (folder) => this.#scopes.get(folder),
      countOf: (list) => this.#counts.of(list),
      changeOf: (object) => this.#changes.of(object),
      isUnreachable: ({ connection }) => this.#places.isUnreachable(connection),
    };
  }

  /** The rows beside a row, itself included, as they are loaded now. */
  siblings({ parent }: TreeNode): readonly TreeNode[] {
    if (!parent) return this.#options.connections.list().map((connection) => this.serverNode(connection));
    const children = this.#filter.apply(this.#places.loadedBelow(this.current(parent)) ?? []);
    return children.map((child) => this.#rows.elementOf(child));
  }

  /** Redraws the rows of objects whose documents have other changes than the rows say. */
  documentsChanged(): void {
    const outdated = this.#changes.outdated();
    if (outdated.length > 0) this.#changed.fire(outdated.map((node) => this.#rows.elementOf(node)));
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node.parent;
  }

  /** Text that displayed names must contain; empty for no filter. */
  get filter(): string {
    return this.#filter.text;
  }

  set filter(text: string) {
    this.#filter.text = text;
    this.#showChanged();
  }

  /** Rows below a node: its filtered children, up to the page size. Called by the editor. */
  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (!node) return this.#options.connections.list().map((connection) => this.serverNode(connection));
    const read = await this.#places.children(node);
    // The editor has no rows yet, so it would not be notified of children loaded in the meantime.
    const known = this.#places.loadedBelow(node) ?? [];
    const children = known.length > 0 ? known : read;
    const rows = this.#rows.give(node, this.#filter.apply(children));
    return rows.length === 0 && children.length > 0 ? [filteredNotice(node)] : rows;
  }

  /** Shows the next rows of a long list, or all; returns the first that was hidden. */
  async showMore(more: MoreNode, isAll: boolean): Promise<TreeNode | undefined> {
    const place = this.#places.current(more.parent);
    const first = this.#rows.extend(more, isAll);
    const children = this.#filter.apply(await this.#places.children(place));
    this.#show([place]);
    return children[first];
  }

  /** The node of a saved server: the same object while the server is saved. */
  serverNode(connection: TreeConnection): ServerNode {
    return this.#servers.of(connection);
  }

  /**
   * Reloads the displayed data: the list, section or server of a node, or everything. Expanded nodes are loaded before
   * the editor is notified, so that they stay expanded and selected; collapsed nodes are loaded when expanded.
   */
  async refresh(node?: TreeNode): Promise<void> {
    const places = node ? [refreshedPlace(node)] : this.#servers.all;
    const connections = new Set(places.map(({ connection }) => connection.id));
    for (const { connection } of places) this.#places.mayHaveMoved(connection);
    for (const connectionId of connections) this.#refreshed.fire({ connectionId, kinds: undefined });
    await this.#refreshPlaces(places);
  }

  /** Reloads all loaded nodes that show objects of these kinds. */
  async refreshObjects(connection: TreeConnection, ...kinds: readonly TreeKind[]): Promise<void> {
    this.#refreshed.fire({ connectionId: connection.id, kinds });
    const names = new Set(kinds.flatMap((kind) => placesOf[kind]));
    const shown = this.#places.all.map(({ node }) => node);
    await this.#refreshPlaces(shown.filter((node) => node.connection === connection && names.has(placeName(node))));
  }

  async #refreshPlaces(places: readonly TreeNode[]): Promise<void> {
    for (const place of places) if (place.kind !== 'list') this.#scopes.forget(place.connection);
    await this.#reload(places);
  }

  /** Notifies the editor once everything is loaded, and only of differences. */
  async #reload(places: readonly TreeNode[]): Promise<void> {
    for (const { id } of places) {
      this.#places.forget(({ node: known }) => this.#foldings.isFolded(known) && isWithin(known, id));
    }
    await Promise.all(places.map((place) => this.#places.reload(this.current(place))));
    this.#showChanged();
  }

  /** Called when the editor renders the row of an object. */
  drawn({ connectionId, kind, id }: ObjectKey): void {
    if (kind === 'folder') this.#scopes.drawn(folderNodeId(connectionId, id));
  }

  /** Records that the user collapsed or expanded a node. */
  folded(node: TreeNode, isFolded: boolean): void {
    this.#foldings.note(node, isFolded);
    // Not while its rows are displayed: the editor would reload all of them, and discard them meanwhile.
    if (isFolded && node.kind === 'list' && this.#counts.isOther(node)) this.#changed.fire(node);
  }

  /** Reloads every node that contains one of these library items, and the favourites. */
  async refreshItems(connection: TreeConnection, itemIds: readonly string[]): Promise<void> {
    const isShowing = ({ node, loaded }: CachedNode) =>
      node.connection === connection &&
      ((node.kind === 'libraryRoot' && node.library === 'favourites') ||
        loaded.some((child) => 'item' in child && itemIds.includes(child.item.itemId)));
    await this.#reload(this.#places.all.filter(isShowing).map(({ node }) => node));
  }

  /** Retries failed loads below the parent of a failure node. */
  retry(node: TreeNode): void {
    const place = node.parent ?? node;
    this.#places.forget(({ node: known }) => known.id === place.id);
    this.#show([place]);
  }

  /** Updates the minutes left of server nodes; sends no request. */
  updateCountdown(): void {
    for (const connection of this.#options.connections.list()) this.#servers.showSoon(connection, true);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  /** Removes data of removed servers. */
  #serversChanged(): void {
    const connections: readonly TreeConnection[] = this.#options.connections.list();
    this.#places.forget(({ node }) => !connections.includes(node.connection));
    this.#servers.keepOnly(connections);
    this.#changes.keepOnly(connections);
    const left = new Set(this.#places.all.map(({ node }) => node.id));
    this.#rows.keepOnly((placeId) => left.has(placeId));
    this.#changed.fire(undefined);
  }

  /** Handles a changed session: failed loads may succeed now, and loaded data may belong to another account. */
  #sessionChanged(connection: TreeConnection): void {
    const { state } = connection;
    if (state.kind !== 'active') this.#places.mayHaveMoved(connection);
    if (state.kind === 'active') {
      const isOther = this.#accounts.isOther(connection);
      if (isOther) this.#foldings.forgetUnfolded(connection);
      this.#reread(connection, (place) => isOther || place.loaded.some(isErrorNode));
    }
    if (state.kind === 'signedOut' && this.#accounts.signedOut(connection)) {
      this.#foldings.forgetUnfolded(connection);
      this.#reread(connection, () => true);
    }
    this.#servers.showSoon(connection);
  }

  /** Removes the nodes of a server that match `isOutdated`; the editor requests them again. */
  #reread(connection: TreeConnection, isOutdated: (place: CachedNode) => boolean): void {
    if (this.#places.forget((place) => place.node.connection === connection && isOutdated(place))) this.#showChanged();
  }

  #wasRead(node: TreeNode, children: readonly TreeNode[]): void {
    this.#filter.forget();
    this.#servers.showSoon(node.connection);
    if (this.#options.showsScopes()) this.#scopes.offer(children.filter((child) => child.kind === 'folder'));
  }

  /** Refreshes parents whose rows changed, and rows that look different. */
  #showChanged(): void {
    const places: TreeNode[] = [];
    const rows: TreeNode[] = [];
    for (const place of this.#rows.places) {
      const loaded = this.#places.loadedBelow(place);
      if (!loaded) this.#rows.forget(place.id);
      const children = loaded && this.#filter.apply(loaded);
      if (!children || this.#rows.isOutdated(place, children)) places.push(place);
      else rows.push(...this.#rows.redrawn(place, children, (drawn, now) => this.#looksOther(drawn, now)));
    }
    this.#show(places, rows);
  }

  /** Whether a row looks different when rendered from another node. */
  #looksOther(drawn: TreeNode, now: TreeNode): boolean {
    // A list without a count gets it when it is collapsed.
    if (now.kind === 'list') return this.#counts.isWrong(now);
    return drawn !== now && !isDeepStrictEqual(treeItem(drawn, this.#facts), treeItem(now, this.#facts));
  }

  /** Makes the editor reload the children of nodes, and redraw rows. */
  #show(places: readonly TreeNode[], rows: readonly TreeNode[] = []): void {
    const ids = new Set([...places, ...rows].map(({ id }) => id));
    const isCovered = ({ parent }: TreeNode): boolean =>
      parent !== undefined && (ids.has(parent.id) || isCovered(parent));
    const read = places.filter((node) => !isCovered(node));
    const drawn = rows.filter((node) => !isCovered(node));
    const topmost = [...read, ...drawn].map((node) => this.#rows.elementOf(node));
    if (topmost.length > 0) this.#changed.fire(read.length > mostReadAgain ? undefined : topmost);
  }
}

/** Services of the sidebar's commands. */
export type SidebarServices = CommandServices & { tree: ServersTree };
