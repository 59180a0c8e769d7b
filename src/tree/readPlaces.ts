import * as vscode from 'vscode';
import { noticeWhereShownAfterMs, patiently } from '../connections/patiently.ts';
import { ShownInstallations } from './shownInstallations.ts';
import type { TreeConnection, TreeNode } from './treeNode.ts';

/** A place whose children are read or being read. */
export interface ReadPlace {
  readonly node: TreeNode;
  readonly loading: Promise<TreeNode[]>;
  /** Empty until the children are there. */
  loaded: readonly TreeNode[];
}

/**
 * What was read of the servers: each place's children, kept until they are read again or forgotten. A failure is kept like
 * any other answer until it is retried.
 */
export class ReadPlaces {
  readonly #onDidRead: (node: TreeNode, children: readonly TreeNode[]) => void;
  /** By the id of the parent. */
  readonly #places = new Map<string, ReadPlace>();
  readonly #installations = new ShownInstallations();

  /** @param onDidRead called when the children of a node have come. */
  constructor(onDidRead: (node: TreeNode, children: readonly TreeNode[]) => void) {
    this.#onDidRead = onDidRead;
  }

  /** Every place that was read or is being read. */
  get all(): readonly ReadPlace[] {
    return [...this.#places.values()];
  }

  /** Children of a node as far as they were read. */
  loadedBelow({ id }: TreeNode): readonly TreeNode[] | undefined {
    return this.#places.get(id)?.loaded;
  }

  /** Children of a node, read when they were not. */
  async children(node: TreeNode): Promise<TreeNode[]> {
    // The editor may still ask with a node from before a refresh, which carries what was true then.
    const current = this.current(node);
    const place = this.#places.get(node.id);
    return place?.node === current ? place.loading : this.#load(current);
  }

  /** The node that stands in a node's place now. */
  current(node: TreeNode): TreeNode {
    const siblings = node.parent && this.#places.get(node.parent.id)?.loaded;
    return siblings?.find(({ id }) => id === node.id) ?? node;
  }

  /** Reads a place again, and below it every place that was read before. */
  async reload(node: TreeNode): Promise<void> {
    if (!this.#places.has(node.id)) return;
    const children = await this.#load(node);
    await Promise.all(children.map((child) => this.reload(child)));
  }

  /** What is read from now on may come from another installation. */
  mayHaveMoved(connection: TreeConnection): void {
    this.#installations.forget(connection);
  }

  /** Drops the places that `isOutdated` names; says whether there were any. */
  forget(isOutdated: (place: ReadPlace) => boolean): boolean {
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

  async #load(node: TreeNode): Promise<TreeNode[]> {
    const place: ReadPlace = { node, loading: read(node, this.#installations), loaded: [] };
    this.#places.set(node.id, place);
    const children = await place.loading;
    place.loaded = children;
    this.#onDidRead(node, children);
    return children;
  }
}

/** Reads a node's children, which carry the installation that showed them; it can be cancelled when it takes long. Nobody who has no server needs what reads them. */
async function read(node: TreeNode, installations: ShownInstallations): Promise<TreeNode[]> {
  const { loadChildren } = await import('./nodeChildren.ts');
  const work = async () => {
    const installation = await installations.below(node);
    const children = await loadChildren(node);
    return installation === undefined ? children : children.map((child) => ({ ...child, installation }));
  };
  return patiently(work, vscode.l10n.t('Sidebar'), noticeWhereShownAfterMs);
}
