import * as vscode from 'vscode';
import type { LocalServer } from '../connections/localServer.ts';
import { aboutMinutesLeft } from '../connections/minutesLeft.ts';
import { sessionWords } from '../connections/sessionWords.ts';
import { FolderScopes } from './folderScopes.ts';
import { loadChildren, serverNode } from './nodeChildren.ts';
import { isHindrance, isWithin, placeName, placesOf, refreshedPlace, type ShownKind } from './refreshedPlaces.ts';
import { TreeFilter } from './treeFilter.ts';
import { isOneOfMany, treeItem, withoutDetails, type TreeFacts } from './treeItem.ts';
import type { ServerNode, TreeConnection, TreeNode } from './treeNode.ts';

/** The saved servers, as far as the sidebar has to do with them. */
export interface TreeConnections {
  list(): readonly TreeConnection[];
  readonly onDidChange: vscode.Event<unknown>;
  readonly onDidChangeState: vscode.Event<TreeConnection>;
}

/** What {@link ServersTree} works with. */
export interface ServersTreeOptions {
  connections: TreeConnections;
  localServer: Pick<LocalServer, 'state'>;
  /** Whether to ask the server who sees each folder. */
  showsScopes(): boolean;
}

/** A state of a server that lasts no longer than this, in milliseconds, is not shown. */
const passingMs = 150;

/** How many folders are searched for the first reports to show. */
const foldersLookedInto = 3;

/** Objects of a server that are read again. */
export interface RefreshedObjects {
  readonly connectionId: string;
  /** Undefined when anything may have changed. */
  readonly kinds: readonly ShownKind[] | undefined;
}

/** A place whose children are read or being read. */
interface LoadedPlace {
  node: TreeNode;
  loading: Promise<TreeNode[]>;
  /** Empty until the children are there. */
  loaded: readonly TreeNode[];
}

/**
 * The sidebar: servers, their libraries and security. Reads a place when it is first opened and keeps what came until a
 * refresh; nodes keep their ids, so expansion and selection survive.
 */
export class ServersTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #options: ServersTreeOptions;
  readonly #changed = new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #refreshed = new vscode.EventEmitter<RefreshedObjects>();
  /** Fires when objects of a server are read again, whether they were shown or not. */
  readonly onDidRefresh = this.#refreshed.event;
  readonly #scopes = new FolderScopes((nodes) => this.#changed.fire([...nodes]));
  readonly #servers = new Map<string, ServerNode>();
  /** Children by the id of their parent; a failure is kept like any other answer until it is retried. */
  readonly #children = new Map<string, LoadedPlace>();
  /** What each server's node said when the editor last asked, to tell it only of what can be seen. */
  readonly #shown = new Map<string, { facts: string; words: string }>();
  /** Servers whose nodes are about to be shown again. */
  readonly #showing = new Map<string, NodeJS.Timeout>();
  readonly #filter = new TreeFilter(({ id }) => this.#children.get(id)?.loaded);
  readonly #folded = new Set<string>();
  readonly #accounts = new Map<string, string>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(options: ServersTreeOptions) {
    this.#options = options;
    this.#subscriptions = [
      this.#changed,
      this.#refreshed,
      options.connections.onDidChange(() => this.#serversChanged()),
      options.connections.onDidChangeState((connection) => this.#sessionChanged(connection)),
    ];
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    if (node.kind === 'server') this.#shown.set(node.connection.id, this.#whatIsSeen(node.connection));
    return isOneOfMany(node) ? withoutDetails(treeItem(node, this.#facts)) : treeItem(node, this.#facts);
  }

  /** Completes an item that {@link getTreeItem} gave without its details. Called by the editor on hover and on a click. */
  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    const { tooltip, command } = treeItem(node, this.#facts);
    return Object.assign(item, { tooltip, command });
  }

  get #facts(): TreeFacts {
    return {
      localServer: this.#options.localServer.state,
      scopeOf: (folder) => this.#scopes.get(folder),
      isUnreachable: ({ connection }) => this.#isUnreachable(connection),
    };
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node.parent;
  }

  /** Text that names have to contain to be shown; empty for all. */
  get filter(): string {
    return this.#filter.text;
  }

  set filter(text: string) {
    this.#filter.text = text;
    this.#changed.fire(undefined);
  }

  /** Children of a node that the filter lets through. Called by the editor. */
  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    return this.#filter.apply(await this.#childrenOf(node));
  }

  async #childrenOf(node?: TreeNode): Promise<TreeNode[]> {
    if (!node) return this.#options.connections.list().map((connection) => this.serverNode(connection));
    // The editor may still ask with a node from before a refresh, which carries what was true then.
    const current = this.#current(node);
    const place = this.#children.get(node.id);
    return place?.node === current ? place.loading : this.#load(current);
  }

  /** The node that stands in a node's place now. */
  #current(node: TreeNode): TreeNode {
    const siblings = node.parent && this.#children.get(node.parent.id)?.loaded;
    return siblings?.find(({ id }) => id === node.id) ?? node;
  }

  /** Reads a place, and below it every place that was read before. */
  async #reload(node: TreeNode): Promise<void> {
    if (!this.#children.has(node.id)) return;
    const children = await this.#load(node);
    await Promise.all(children.map((child) => this.#reload(child)));
  }

  async #load(node: TreeNode): Promise<TreeNode[]> {
    const place: LoadedPlace = { node, loading: loadChildren(node), loaded: [] };
    this.#children.set(node.id, place);
    const children = await place.loading;
    place.loaded = children;
    this.#filter.forget();
    this.#showServer(node.connection);
    if (this.#options.showsScopes()) this.#scopes.want(children.filter((child) => child.kind === 'folder'));
    return children;
  }

  /** The node of a saved server: the same object as long as the server is saved. */
  serverNode(connection: TreeConnection): ServerNode {
    const known = this.#servers.get(connection.id);
    if (known?.connection === connection) return known;
    const node = serverNode(connection);
    this.#servers.set(connection.id, node);
    return node;
  }

  /**
   * Reads again what is shown: the list, section or server that a node belongs to, or everything. What is open is read
   * before the editor is told, so that it stays open and selected; what is folded is read when it is opened.
   */
  async refresh(node?: TreeNode): Promise<void> {
    const places = node ? [refreshedPlace(node)] : [...this.#servers.values()];
    const connections = new Set(places.map(({ connection }) => connection.id));
    for (const connectionId of connections) this.#refreshed.fire({ connectionId, kinds: undefined });
    await this.#refreshPlaces(places);
  }

  /** Reads again whatever shows objects of these kinds, as far as it was read before. */
  async refreshObjects(connection: TreeConnection, ...kinds: readonly ShownKind[]): Promise<void> {
    this.#refreshed.fire({ connectionId: connection.id, kinds });
    const names = new Set(kinds.flatMap((kind) => placesOf[kind]));
    const shown = [...this.#children.values()].map(({ node }) => node);
    await this.#refreshPlaces(shown.filter((node) => node.connection === connection && names.has(placeName(node))));
  }

  async #refreshPlaces(places: readonly TreeNode[]): Promise<void> {
    for (const place of places) {
      this.#forget(({ node: known }) => this.#folded.has(known.id) && isWithin(known, place.id));
      if (place.kind !== 'list') this.#scopes.forget(place.connection);
    }
    await Promise.all(places.map((place) => this.#reload(place)));
    for (const place of places) this.#changed.fire(place);
  }

  /** Notes what the user folded and unfolded. */
  folded(node: TreeNode, isFolded: boolean): void {
    if (isFolded) this.#folded.add(node.id);
    else this.#folded.delete(node.id);
  }

  /** Reads again every place that shows a library item, and the favourites. */
  refreshItem(connection: TreeConnection, itemId: string): void {
    for (const [id, { node, loaded }] of [...this.#children]) {
      const shows = loaded.some((child) => 'item' in child && child.item.itemId === itemId);
      const isFavourites = node.kind === 'libraryRoot' && node.library === 'favourites';
      if (node.connection !== connection || !(shows || isFavourites)) continue;
      this.#children.delete(id);
      this.#changed.fire(node);
    }
  }

  /** The nodes to open, from the top down, so that a server's public library and its first reports are on display. */
  async libraryPath(connection: TreeConnection): Promise<TreeNode[]> {
    const path: TreeNode[] = [this.serverNode(connection)];
    for (const kind of ['section', 'libraryRoot'] as const) {
      const next = (await this.getChildren(path.at(-1))).find((child) => child.kind === kind);
      if (!next) return path;
      path.push(next);
    }
    const inLibrary = await this.getChildren(path.at(-1));
    if (inLibrary.some((child) => child.kind === 'report')) return path;
    for (const folder of inLibrary.filter((child) => child.kind === 'folder').slice(0, foldersLookedInto)) {
      if ((await this.getChildren(folder)).some((child) => child.kind === 'report')) return [...path, folder];
    }
    return path;
  }

  /** Tries again what failed below the parent of a failure. */
  retry(node: TreeNode): void {
    const place = node.parent ?? node;
    this.#children.delete(place.id);
    this.#changed.fire(place);
  }

  /** Lets server nodes count down; asks no server. */
  updateCountdown(): void {
    for (const connection of this.#options.connections.list()) this.#showServer(connection, true);
  }

  dispose(): void {
    for (const timer of this.#showing.values()) clearTimeout(timer);
    this.#scopes.dispose();
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  /** Drops what belongs to servers that are gone. */
  #serversChanged(): void {
    const connections: readonly TreeConnection[] = this.#options.connections.list();
    this.#forget(({ node }) => !connections.includes(node.connection));
    for (const [id, node] of this.#servers) if (!connections.includes(node.connection)) this.#servers.delete(id);
    this.#changed.fire(undefined);
  }

  /** A server's session changed: what could not be read may be readable now, or belong to another account. */
  #sessionChanged(connection: TreeConnection): void {
    const { state } = connection;
    if (state.kind === 'active') {
      const account = this.#accounts.get(connection.id);
      this.#accounts.set(connection.id, state.account.userId);
      const isOther = account !== undefined && account !== state.account.userId;
      this.#reread(connection, (place) => isOther || place.loaded.some(isHindrance));
    }
    if (state.kind === 'signedOut' && this.#accounts.delete(connection.id)) this.#reread(connection, () => true);
    this.#showServer(connection);
  }

  /** Drops the places of a server that `isOutdated` names; if there are any, the editor asks again. */
  #reread(connection: TreeConnection, isOutdated: (place: LoadedPlace) => boolean): void {
    const found = this.#forget((place) => place.node.connection === connection && isOutdated(place));
    if (found) this.#changed.fire(this.serverNode(connection));
  }

  /**
   * Shows a server's node again soon, if it will look different then. The editor reads everything below such a node
   * again, and drops clicks and unfoldings that fall into that moment, so states that pass at once are left out, and so
   * are minutes that an ordinary call gives back: those are for the countdown.
   */
  #showServer(connection: TreeConnection, countsDown = false): void {
    const node = this.#servers.get(connection.id);
    if (node?.connection !== connection) return;
    if (!this.#looksOther(connection, countsDown)) return;
    clearTimeout(this.#showing.get(connection.id));
    const show = () => {
      this.#showing.delete(connection.id);
      if (this.#looksOther(connection, countsDown)) this.#changed.fire(node);
    };
    this.#showing.set(connection.id, setTimeout(show, passingMs));
  }

  #looksOther(connection: TreeConnection, countsDown: boolean): boolean {
    const known = this.#shown.get(connection.id);
    const now = this.#whatIsSeen(connection);
    return known !== undefined && (known.facts !== now.facts || (countsDown && known.words !== now.words));
  }

  #whatIsSeen(connection: TreeConnection): { facts: string; words: string } {
    const facts = [this.#options.localServer.state, connection.state.kind, this.#isUnreachable(connection)];
    return { facts: facts.join(), words: sessionWords(connection, aboutMinutesLeft) };
  }

  /** Whether the latest answer for an open place of this server was none; a failure stands alone in its place. */
  #isUnreachable(connection: TreeConnection): boolean {
    return [...this.#children.values()].some(({ node, loaded: [first] }) => {
      return node.connection === connection && first?.kind === 'failure' && first.isUnreachable;
    });
  }

  /** Drops places; says whether there were any. Places that stay are shown again without asking the server. */
  #forget(isOutdated: (place: LoadedPlace) => boolean): boolean {
    const outdated = [...this.#children].filter(([, place]) => isOutdated(place));
    for (const [id] of outdated) this.#children.delete(id);
    return outdated.length > 0;
  }
}
