import type { TreeConnection, TreeNode } from '../../../editor/nodes/treeNode.ts';

/** Node kinds whose children are loaded with them: these are from the same installation as the parent. */
const carriers: readonly TreeNode['kind'][] = ['libraryRoot', 'folder', 'group', 'application', 'fieldFolder'];

/**
 * The installation that each server's rows are loaded from. It is requested before the rows, and cached until the
 * session ends or the rows are refreshed: rows may be attributed to an earlier installation, in which case operations
 * on them are refused, but never to a different one.
 */
export class DisplayedInstallations {
  readonly #known = new WeakMap<TreeConnection, Promise<string>>();

  /**
   * Installation id of a node's children.
   * @returns undefined if the server does not return it.
   */
  async below(node: TreeNode): Promise<string | undefined> {
    if (node.kind === 'server') {
      // Requested in advance, while the user expands the next node, so that nothing has to wait for it.
      if (isReadable(node)) void this.#of(node.connection);
      return undefined;
    }
    if (carriers.includes(node.kind) && node.installation !== undefined) return node.installation;
    return this.#of(node.connection);
  }

  /** Clears the cached installation; the next load requests it again. */
  forget(connection: TreeConnection): void {
    this.#known.delete(connection);
  }

  async #of(connection: TreeConnection): Promise<string | undefined> {
    const known = this.#known.get(connection) ?? this.#ask(connection);
    try {
      return await known;
    } catch {
      // The next load also fails and reports why; the one after it requests it again.
      if (this.#known.get(connection) === known) this.#known.delete(connection);
      return undefined;
    }
  }

  #ask(connection: TreeConnection): Promise<string> {
    const asked = installationOf(connection);
    this.#known.set(connection, asked);
    return asked;
  }
}

/** Whether a server can be read without checking or requesting a sign-in. */
function isReadable({ connection: { state } }: TreeNode): boolean {
  return state.kind === 'active';
}

async function installationOf(connection: TreeConnection): Promise<string> {
  return (await connection.client()).call('LicenseManager/GetInstallationID', {});
}
