import * as vscode from 'vscode';
import type { ServersTree } from '../../../src/features/sidebar/serversTree.ts';
import type { TreeNode } from '../../../src/editor/nodes/treeNode.ts';

interface Row {
  id: string;
  node: TreeNode;
  item: vscode.TreeItem;
  /** Ids of the rows below; undefined until they were asked for. */
  children: string[] | undefined;
}

/**
 * A tree view as the editor keeps it, without its drawing: rows by id, what is open and selected by id too; it knows nodes as
 * the objects that it was given, reads again what a change names and everything open below, and breaks on an id that is there
 * twice.
 */
export class TreeEditor {
  readonly open = new Set<string>();
  selected: string | undefined;
  /** Ids that stood for one object and then for another, or were there twice at once. */
  readonly faults: string[] = [];
  /** How often it asked for the rows of a place, and for what a row looks like. */
  readonly asked = { places: 0, rows: 0 };
  readonly #tree: ServersTree;
  readonly #provider: vscode.TreeDataProvider<TreeNode>;
  readonly #rows = new Map<string, Row>();
  readonly #subscription: vscode.Disposable;
  #roots: string[] = [];
  #reading: Promise<void> = Promise.resolve();

  /** @param provider gives the rows of the tree to the editor. */
  constructor(tree: ServersTree, provider: vscode.TreeDataProvider<TreeNode> = tree) {
    this.#tree = tree;
    this.#provider = provider;
    const changed = (nodes: TreeNode | TreeNode[] | undefined | null | void) => this.#changed(nodes ?? undefined);
    this.#subscription = (provider.onDidChangeTreeData ?? tree.onDidChangeTreeData)(changed);
  }

  /** Asks for the topmost rows. */
  start(): Promise<void> {
    return this.#queue(() => this.#readRoots());
  }

  /** Every row in view, from the top down. */
  rows(ids = this.#roots): Row[] {
    return ids.flatMap((id) => {
      const row = this.#rows.get(id);
      if (!row) return [];
      return this.open.has(id) ? [row, ...this.rows(row.children ?? [])] : [row];
    });
  }

  /** The user opens a row; it is read when it was not read yet. */
  expand({ id, node }: Row): Promise<void> {
    this.open.add(id);
    this.#tree.folded(node, false);
    return this.#queue(async () => {
      const row = this.#rows.get(id);
      if (row && !row.children) await this.#readBelow(row);
    });
  }

  /** The user folds a row. */
  collapse({ id, node }: Row): void {
    this.open.delete(id);
    this.#tree.folded(node, true);
  }

  /** Resolves when nothing is being read any more. */
  async settled(): Promise<void> {
    for (let last; last !== this.#reading;) {
      last = this.#reading;
      await last;
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    }
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #changed(changed: TreeNode | TreeNode[] | undefined): void {
    if (changed === undefined) {
      void this.#queue(() => this.#readRoots());
      return;
    }
    void this.#queue(async () => {
      const nodes = Array.isArray(changed) ? changed : [changed];
      // A node that the editor was never given, or gave up, is nobody it knows.
      const known = nodes.flatMap((node) => {
        const row = this.#rows.get(node.id);
        return row?.node === node ? [row] : [];
      });
      const before = new Map(this.#rows);
      // All at once, before the first is read: what moved from one to the other is there once.
      const wasRead = new Map(known.map((row) => [row, row.children !== undefined]));
      for (const row of known) this.#dropBelow(row);
      for (const row of known) {
        // It lay in another that is read again.
        if (this.#rows.get(row.id) !== row) continue;
        row.item = await this.#draw(row.node);
        if (wasRead.get(row) && this.open.has(row.id)) await this.#readBelow(row, before);
      }
    });
  }

  #queue(work: () => Promise<void>): Promise<void> {
    return (this.#reading = this.#reading.then(work));
  }

  async #children(node?: TreeNode): Promise<TreeNode[]> {
    this.asked.places++;
    return (await this.#provider.getChildren(node)) ?? [];
  }

  /** What a row looks like. It asks for decorations of what it draws, too, by which the sidebar knows what is on display. */
  async #draw(node: TreeNode): Promise<vscode.TreeItem> {
    this.asked.rows++;
    if (node.kind === 'folder') {
      this.#tree.drawn({ connectionId: node.connection.id, kind: 'folder', id: node.folderId });
    }
    return this.#provider.getTreeItem(node);
  }

  async #readRoots(): Promise<void> {
    const nodes = await this.#children();
    const known = new Map(this.#rows);
    this.#rows.clear();
    this.#roots = await this.#take(nodes, known);
  }

  async #readBelow(row: Row, known = new Map(this.#rows)): Promise<void> {
    const nodes = await this.#children(row.node);
    this.#dropBelow(row);
    row.children = await this.#take(nodes, known);
  }

  /** Registers nodes and reads again what is open below them. */
  async #take(nodes: readonly TreeNode[], known: ReadonlyMap<string, Row>): Promise<string[]> {
    const ids: string[] = [];
    for (const node of nodes) {
      const item = await this.#draw(node);
      const id = item.id ?? '';
      if (this.#rows.has(id)) {
        this.faults.push(`The id ${id} is there twice.`);
        continue;
      }
      const row: Row = { id, node, item, children: undefined };
      if (known.get(id) && known.get(id)?.node.kind !== node.kind) this.faults.push(`The id ${id} changed its kind.`);
      this.#rows.set(id, row);
      ids.push(id);
      if (item.collapsibleState === vscode.TreeItemCollapsibleState.Expanded && !known.has(id)) this.open.add(id);
      if (this.open.has(id)) await this.#readBelow(row);
    }
    return ids;
  }

  #dropBelow(row: Row): void {
    const children = row.children ?? [];
    row.children = undefined;
    for (const id of children) {
      const below = this.#rows.get(id);
      if (below) this.#dropBelow(below);
      this.#rows.delete(id);
    }
  }
}
