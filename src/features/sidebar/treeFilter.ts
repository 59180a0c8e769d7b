import { objectOf, type NoticeNode, type TreeNode } from '../../editor/nodes/treeNode.ts';

/** Nodes that stay visible, so that empty ones can be recognized. */
const places: readonly TreeNode['kind'][] = ['server', 'section', 'list', 'libraryRoot', 'setting'];

/**
 * Filters loaded nodes by name; a node that is not loaded yet is matched by its own name. Users also match by full
 * name.
 */
export class TreeFilter {
  readonly #loadedBelow: (node: TreeNode) => readonly TreeNode[] | undefined;
  #text = '';
  /** Results by node id, until nodes are loaded or the text changes. */
  #verdicts = new Map<string, boolean>();

  /** @param loadedBelow a node's loaded children. */
  constructor(loadedBelow: (node: TreeNode) => readonly TreeNode[] | undefined) {
    this.#loadedBelow = loadedBelow;
  }

  /** The text that names must contain; empty for no filter. */
  get text(): string {
    return this.#text;
  }

  set text(text: string) {
    this.#text = text.trim().toLowerCase();
    this.forget();
  }

  /** Clears the results after the tree has changed. */
  forget(): void {
    this.#verdicts = new Map();
  }

  /** Returns the children that match. */
  apply(children: readonly TreeNode[]): readonly TreeNode[] {
    return this.#text === '' ? children : children.filter((child) => this.#isShown(child));
  }

  #isShown(node: TreeNode): boolean {
    const known = this.#verdicts.get(node.id);
    if (known !== undefined) return known;
    // While moved folders are being reloaded, two folders may contain each other.
    this.#verdicts.set(node.id, false);
    const verdict = this.#judge(node);
    this.#verdicts.set(node.id, verdict);
    return verdict;
  }

  #judge(node: TreeNode): boolean {
    // Notices and failures stay visible: an empty node would be misleading.
    if (places.includes(node.kind) || node.kind === 'failure' || node.kind === 'notice') return true;
    const name = objectOf(node)?.name ?? ('name' in node ? node.name : '');
    if (name.toLowerCase().includes(this.#text)) return true;
    if ('user' in node && node.user.fullName.toLowerCase().includes(this.#text)) return true;
    if (this.#loadedBelow(node)?.some((child) => this.#isShown(child))) return true;
    return node.kind === 'folder' && node.folders.some((folder) => holdsName(folder, this.#text));
  }
}

/** Placeholder in a node whose children are all filtered out. */
export function filteredNotice(parent: TreeNode): NoticeNode {
  const id = `${parent.id}/filtered`;
  return { kind: 'notice', id, connection: parent.connection, parent, reason: 'noneFiltered', detail: '' };
}

interface NamedFolder {
  text?: string | null | undefined;
  children?: readonly NamedFolder[] | null | undefined;
}

/** Whether the name of a folder or of one below it, loaded or not, contains the text. */
function holdsName({ text, children }: NamedFolder, wanted: string): boolean {
  if ((text ?? '').toLowerCase().includes(wanted)) return true;
  return children?.some((child) => holdsName(child, wanted)) ?? false;
}
