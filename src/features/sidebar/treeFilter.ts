import { objectOf, type NoticeNode, type TreeNode } from '../../editor/nodes/treeNode.ts';

/** Places that stay on display, so that it can be seen where there is nothing. */
const places: readonly TreeNode['kind'][] = ['server', 'section', 'list', 'libraryRoot', 'setting'];

/**
 * Narrows the tree to names that contain a text, among what was read; what was not read yet is judged by its name. Users are
 * found by their full names too.
 */
export class TreeFilter {
  readonly #loadedBelow: (node: TreeNode) => readonly TreeNode[] | undefined;
  #text = '';
  /** Verdicts by node id, until something is read or another text is given. */
  #verdicts = new Map<string, boolean>();

  /** @param loadedBelow children of a node as far as they were read. */
  constructor(loadedBelow: (node: TreeNode) => readonly TreeNode[] | undefined) {
    this.#loadedBelow = loadedBelow;
  }

  /** The text that names have to contain; empty for no filter. */
  get text(): string {
    return this.#text;
  }

  set text(text: string) {
    this.#text = text.trim().toLowerCase();
    this.forget();
  }

  /** The tree has changed: verdicts are reached anew. */
  forget(): void {
    this.#verdicts = new Map();
  }

  /** Those of the children that are to be shown. */
  apply(children: readonly TreeNode[]): readonly TreeNode[] {
    return this.#text === '' ? children : children.filter((child) => this.#isShown(child));
  }

  #isShown(node: TreeNode): boolean {
    const known = this.#verdicts.get(node.id);
    if (known !== undefined) return known;
    // While folders that were moved into one another are being read again, each may lie in the other.
    this.#verdicts.set(node.id, false);
    const verdict = this.#judge(node);
    this.#verdicts.set(node.id, verdict);
    return verdict;
  }

  #judge(node: TreeNode): boolean {
    // What keeps a place from being read, or says that it is empty, stays: an empty place would say something else.
    if (places.includes(node.kind) || node.kind === 'failure' || node.kind === 'notice') return true;
    const name = objectOf(node)?.name ?? ('name' in node ? node.name : '');
    if (name.toLowerCase().includes(this.#text)) return true;
    if ('user' in node && node.user.fullName.toLowerCase().includes(this.#text)) return true;
    if (this.#loadedBelow(node)?.some((child) => this.#isShown(child))) return true;
    return node.kind === 'folder' && node.folders.some((folder) => holdsName(folder, this.#text));
  }
}

/** Stands in a place none of whose rows the filter lets through. */
export function filteredNotice(parent: TreeNode): NoticeNode {
  const id = `${parent.id}/filtered`;
  return { kind: 'notice', id, connection: parent.connection, parent, reason: 'noneFiltered', detail: '' };
}

interface NamedFolder {
  text?: string | null | undefined;
  children?: readonly NamedFolder[] | null | undefined;
}

/** Whether a folder or one below it, which need not have been opened, has the text in its name. */
function holdsName({ text, children }: NamedFolder, wanted: string): boolean {
  if ((text ?? '').toLowerCase().includes(wanted)) return true;
  return children?.some((child) => holdsName(child, wanted)) ?? false;
}
