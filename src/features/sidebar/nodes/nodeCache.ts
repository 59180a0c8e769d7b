import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { withWaitNotice, noticeWhereShownAfterMs } from '../../../editor/progress.ts';
import { DisplayedInstallations } from './displayedInstallations.ts';
import type { TreeConnection, TreeNode } from '../../../editor/nodes/treeNode.ts';
import type { TreeKind } from '../../../editor/nodes/treeKind.ts';

/** A place whose children are read or being read. */
export interface CachedNode {
  readonly node: TreeNode;
  readonly loading: Promise<readonly TreeNode[]>;
  /** Empty until the children are there; while they are read again, those from before. */
  loaded: readonly TreeNode[];
  /** The same by id, once it was asked for. */
  byId?: ReadonlyMap<string, TreeNode>;
}

/**
 * What was read of the servers: each place's children, kept until they are read again or forgotten. A failure is kept like
 * any other answer until it is retried.
 */
export class NodeCache {
  readonly #onDidRead: (node: TreeNode, children: readonly TreeNode[]) => void;
  /** By the id of the parent. */
  readonly #places = new Map<string, CachedNode>();
  readonly #installations = new DisplayedInstallations();
  /** What is being read now, by server. */
  readonly #underWay = new Map<TreeConnection, Set<Promise<unknown>>>();

  /** @param onDidRead called when the children of a node have come. */
  constructor(onDidRead: (node: TreeNode, children: readonly TreeNode[]) => void) {
    this.#onDidRead = onDidRead;
  }

  /** Every place that was read or is being read. */
  get all(): readonly CachedNode[] {
    return [...this.#places.values()];
  }

  /** Children of a node as far as they were read. */
  loadedBelow({ id }: TreeNode): readonly TreeNode[] | undefined {
    return this.#places.get(id)?.loaded;
  }

  /** Children of a node, read when they were not. */
  async children(node: TreeNode): Promise<readonly TreeNode[]> {
    // The editor asks with the node that it was first given, which carries what was true then.
    const current = this.current(node);
    const known = this.#places.get(node.id);
    const place = known?.node === current ? known : this.#load(current);
    if (place.loaded.length > 0) return place.loaded;
    const children = await place.loading;
    // Read anew, or forgotten, meanwhile: nobody would correct this answer.
    return this.#places.get(node.id) === place ? children : this.children(node);
  }

  /** The node that stands in a node's place now. */
  current(node: TreeNode): TreeNode {
    const place = node.parent && this.#places.get(node.parent.id);
    if (!place) return node;
    place.byId ??= new Map(place.loaded.map((child) => [child.id, child]));
    return place.byId.get(node.id) ?? node;
  }

  /** Reads a place again, and below it every place that was read before. What came before stands until then. */
  async reload(node: TreeNode): Promise<void> {
    const before = this.#places.get(node.id);
    if (!before) return;
    const children = await this.#load(node, before.loaded).loading;
    await Promise.all(children.map((child) => this.reload(child)));
  }

  /** Resolves when nothing of a server is being read any more; undefined when nothing is. */
  settled(connection: TreeConnection): Promise<unknown> | undefined {
    const underWay = this.#underWay.get(connection);
    return underWay && Promise.all(underWay).then(() => this.settled(connection));
  }

  /** What is read from now on may come from another installation. */
  mayHaveMoved(connection: TreeConnection): void {
    this.#installations.forget(connection);
  }

  /** Drops the places that `isOutdated` names; says whether there were any. */
  forget(isOutdated: (place: CachedNode) => boolean): boolean {
    const outdated = this.all.filter(isOutdated);
    for (const { node } of outdated) this.#places.delete(node.id);
    return outdated.length > 0;
  }

  /** Whether the latest answer for an open place of this server was none; a failure stands alone in its place. */
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
      this.#onDidRead(node, place.loaded);
      return place.loaded;
    });
    const place: CachedNode = { node, loading, loaded: before.some(isErrorNode) ? [] : before };
    this.#places.set(node.id, place);
    return place;
  }

  /** Notes that something is under way on a server, until it has ended in whatever way. */
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

/** What was read, with the objects from before for all that is as it was: who compares objects sees what changed. */
function sameWhereEqual(children: readonly TreeNode[], before: readonly TreeNode[]): readonly TreeNode[] {
  const known = new Map(before.map((node) => [node.id, node]));
  return children.map((child) => {
    const old = known.get(child.id);
    return old?.parent === child.parent && old && isDeepStrictEqual(factsOf(old), factsOf(child)) ? old : child;
  });
}

/** A node without what leads out of it. */
function factsOf(node: TreeNode): object {
  return { ...node, parent: undefined, connection: undefined };
}

/** Reads a node's children, which carry the installation that showed them; it can be cancelled when it takes long. Nobody who has no server needs what reads them. */
async function read(node: TreeNode, installations: DisplayedInstallations): Promise<TreeNode[]> {
  const { loadChildren } = await import('./nodeChildren.ts');
  const work = async () => {
    const installation = await installations.below(node);
    const children = await loadChildren(node);
    return installation === undefined ? children : children.map((child) => ({ ...child, installation }));
  };
  return withWaitNotice(work, vscode.l10n.t('Sidebar'), noticeWhereShownAfterMs);
}

/** Kinds of nodes that are read again by themselves; what lies in others came with the place around them. */
const refreshable = ['server', 'section', 'list', 'setting', 'registeredServer', 'reportType'];

/** The place that is read again when a node in it is. */
export function refreshedPlace(node: TreeNode): TreeNode {
  if (refreshable.includes(node.kind)) return node;
  return node.parent ? refreshedPlace(node.parent) : node;
}

/** Places that show objects of a kind, by {@link placeName}. */
export const placesOf: Record<TreeKind, readonly string[]> = {
  // Users hold seats of applications, and values of data tags.
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

/** Name of a place by what it shows; empty for those that show what came with another. */
export function placeName(node: TreeNode): string {
  if (node.kind === 'list') return node.list;
  if (node.kind === 'section') return node.section;
  return node.kind === 'setting' ? node.setting : '';
}

/** Whether a node is a place or lies in it. */
export function isWithin(node: TreeNode, placeId: string): boolean {
  return node.id === placeId || (node.parent !== undefined && isWithin(node.parent, placeId));
}

/** Whether a node only says that its parent could not be read. */
export function isErrorNode(node: TreeNode): boolean {
  if (node.kind === 'failure') return true;
  return node.kind === 'notice' && !['none', 'noneVisible', 'noneFiltered', 'noPermission'].includes(node.reason);
}
