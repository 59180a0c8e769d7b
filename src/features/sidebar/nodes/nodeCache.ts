import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { withWaitNotice, noticeWhereShownAfterMs } from '../../../editor/progress.ts';
import { DisplayedInstallations } from './displayedInstallations.ts';
import type { TreeConnection, TreeNode } from '../../../editor/nodes/treeNode.ts';
import type { TreeKind } from '../../../editor/nodes/treeKind.ts';

/** A node whose children are loaded or being loaded. */
export interface CachedNode {
  readonly node: TreeNode;
  readonly loading: Promise<readonly TreeNode[]>;
  /** Empty until the children are loaded; during a reload, the previous children. */
  loaded: readonly TreeNode[];
  /** The same by id, created on first use. */
  byId?: ReadonlyMap<string, TreeNode>;
}

/**
 * Cache of each node's children, until they are reloaded or invalidated. A failure is cached like any other result
 * until it is retried.
 */
export class NodeCache {
  readonly #onDidRead: (node: TreeNode, children: readonly TreeNode[]) => void;
  /** By parent id. */
  readonly #places = new Map<string, CachedNode>();
  readonly #installations = new DisplayedInstallations();
  /** Pending loads by server. */
  readonly #underWay = new Map<TreeConnection, Set<Promise<unknown>>>();

  /** @param onDidRead called after the children of a node were loaded. */
  constructor(onDidRead: (node: TreeNode, children: readonly TreeNode[]) => void) {
    this.#onDidRead = onDidRead;
  }

  /** All nodes whose children are loaded or being loaded. */
  get all(): readonly CachedNode[] {
    return [...this.#places.values()];
  }

  /** A node's loaded children; undefined if they are not loaded. */
  loadedBelow({ id }: TreeNode): readonly TreeNode[] | undefined {
    return this.#places.get(id)?.loaded;
  }

  /** A node's children, loaded if necessary. */
  async children(node: TreeNode): Promise<readonly TreeNode[]> {
    // The editor passes the element it was first given, whose data may be outdated.
    const current = this.current(node);
    const known = this.#places.get(node.id);
    const place = known?.node === current ? known : this.#load(current);
    if (place.loaded.length > 0) return place.loaded;
    const children = await place.loading;
    // Reloaded or invalidated meanwhile: the editor would keep this outdated result.
    return this.#places.get(node.id) === place ? children : this.children(node);
  }

  /** The current node with the same id. */
  current(node: TreeNode): TreeNode {
    const place = node.parent && this.#places.get(node.parent.id);
    if (!place) return node;
    place.byId ??= new Map(place.loaded.map((child) => [child.id, child]));
    return place.byId.get(node.id) ?? node;
  }

  /**
   * Reloads a node and all loaded nodes below it, side by side: what is below rarely changes with it; a child that did
   * is loaded again. The previous children are used until then.
   */
  async reload(node: TreeNode): Promise<void> {
    const before = this.#places.get(node.id);
    if (!before) return;
    const { loading } = this.#load(node, before.loaded);
    const early = before.loaded.map((child) => ({ child, done: this.reload(child) }));
    const children = new Map((await loading).map((child) => [child.id, child]));
    const reloading = early.map(async ({ child, done }) => {
      await done;
      const now = children.get(child.id);
      if (now && now !== child) await this.reload(now);
      if (!now && this.#places.has(child.id)) this.forget((place) => isWithin(place.node, child.id));
    });
    const known = new Set(early.map(({ child }) => child.id));
    const added = [...children.values()].filter(({ id }) => !known.has(id));
    await Promise.all([...reloading, ...added.map((child) => this.reload(child))]);
  }

  /** Resolves when no load of a server is pending; undefined if none is. */
  settled(connection: TreeConnection): Promise<unknown> | undefined {
    const underWay = this.#underWay.get(connection);
    return underWay && Promise.all(underWay).then(() => this.settled(connection));
  }

  /** Records that subsequent loads may come from another installation. */
  mayHaveMoved(connection: TreeConnection): void {
    this.#installations.forget(connection);
  }

  /** Removes the nodes that match `isOutdated`; returns whether there were any. */
  forget(isOutdated: (place: CachedNode) => boolean): boolean {
    const outdated = this.all.filter(isOutdated);
    for (const { node } of outdated) this.#places.delete(node.id);
    return outdated.length > 0;
  }

  /** Whether an expanded node of this server got no response to its last load; the failure is then its only child. */
  isUnreachable(connection: TreeConnection): boolean {
    return this.all.some(({ node, loaded: [first] }) => {
      return node.connection === connection && first?.kind === 'failure' && first.isUnreachable;
    });
  }

  #load(node: TreeNode, before: readonly TreeNode[] = []): CachedNode {
    const reading = this.#noted(node.connection, read(node, this.#installations));
    const loading = reading.then((children) => {
      place.loaded = sameWhereEqual(children, before);
      delete place.byId;
      if (this.#places.get(node.id) === place) this.#onDidRead(node, place.loaded);
      return place.loaded;
    });
    const place: CachedNode = { node, loading, loaded: before.some(isErrorNode) ? [] : before };
    this.#places.set(node.id, place);
    return place;
  }

  /** Tracks pending work of a server until it settles. */
  #noted<T>(connection: TreeConnection, work: Promise<T>): Promise<T> {
    const underWay = this.#underWay.get(connection) ?? new Set();
    this.#underWay.set(connection, underWay);
    const end = work.then(
      () => undefined,
      () => undefined,
    );
    underWay.add(end);
    void end.then(() => {
      underWay.delete(end);
      if (underWay.size === 0) this.#underWay.delete(connection);
    });
    return work;
  }
}

/** Reuses the previous node objects for unchanged nodes, so that changes can be detected by identity. */
function sameWhereEqual(children: readonly TreeNode[], before: readonly TreeNode[]): readonly TreeNode[] {
  const known = new Map(before.map((node) => [node.id, node]));
  return children.map((child) => {
    const old = known.get(child.id);
    return old?.parent === child.parent && old && isDeepStrictEqual(factsOf(old), factsOf(child)) ? old : child;
  });
}

/** A node without its references to other nodes. */
function factsOf(node: TreeNode): object {
  return { ...node, parent: undefined, connection: undefined };
}

/**
 * Loads a node's children, tagged with their installation; long loads are cancellable. Imported on demand, because it
 * is not needed without servers.
 */
async function read(node: TreeNode, installations: DisplayedInstallations): Promise<TreeNode[]> {
  const { loadChildren } = await import('./nodeChildren.ts');
  const work = async () => {
    const { children, installation } = await installations.load(node, () => loadChildren(node));
    return installation === undefined ? children : children.map((child) => ({ ...child, installation }));
  };
  return withWaitNotice(work, vscode.l10n.t('Sidebar'), noticeWhereShownAfterMs);
}

/** Node kinds that are reloaded separately; others are loaded with their parent. */
const refreshable = ['server', 'section', 'list', 'setting', 'registeredServer', 'reportType'];

/** The node to reload for a given node. */
export function refreshedPlace(node: TreeNode): TreeNode {
  if (refreshable.includes(node.kind)) return node;
  return node.parent ? refreshedPlace(node.parent) : node;
}

/** Names of the nodes that show objects of a kind, see {@link placeName}. */
export const placesOf: Record<TreeKind, readonly string[]> = {
  // Users occupy seats of applications, and have values of data tags.
  user: ['users', 'groups', 'policies', 'dataTags', 'semanticLayer', 'licences'],
  group: ['users', 'groups', 'policies', 'dataTags', 'library'],
  tag: ['dataTags'],
  policy: ['policies'],
  library: ['library'],
  application: ['semanticLayer', 'licences'],
  settings: ['settings'],
  smtp: ['smtp'],
  audit: ['audit'],
  licences: ['licences', 'semanticLayer'],
};

/** Name of a node by its content; empty for nodes whose children are loaded with another node. */
export function placeName(node: TreeNode): string {
  if (node.kind === 'list') return node.list;
  if (node.kind === 'section') return node.section;
  return node.kind === 'setting' ? node.setting : '';
}

/** Whether a node is the given one or inside it. */
export function isWithin(node: TreeNode, placeId: string): boolean {
  return node.id === placeId || (node.parent !== undefined && isWithin(node.parent, placeId));
}

/** Whether a node only reports that its parent could not be loaded. */
export function isErrorNode(node: TreeNode): boolean {
  if (node.kind === 'failure') return true;
  return (
    node.kind === 'notice' && !['none', 'noneVisible', 'noneFiltered', 'noPermission', 'loading'].includes(node.reason)
  );
}
