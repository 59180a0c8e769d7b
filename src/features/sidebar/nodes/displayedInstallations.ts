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
  /** Those that have answered. */
  readonly #answered = new WeakMap<TreeConnection, string>();

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

  /**
   * Loads a node's children together with their installation: side by side if the installation is the one that the user
   * signed in to, because that answered before, too; otherwise one after the other.
   */
  async load<T>(
    node: TreeNode,
    children: () => Promise<T>,
  ): Promise<{ children: T; installation: string | undefined }> {
    const { connection } = node;
    const expected = this.#answered.get(connection) ?? connection.entry.installationId;
    const asking = this.below(node);
    const loading = expected === '' ? undefined : children();
    const installation = await asking;
    const isExpected = installation === undefined || installation === (node.installation ?? expected);
    return { children: await (isExpected ? (loading ?? children()) : children()), installation };
  }

  /** Clears the cached installation; the next load requests it again. */
  forget(connection: TreeConnection): void {
    this.#known.delete(connection);
    this.#answered.delete(connection);
  }

  async #of(connection: TreeConnection): Promise<string | undefined> {
    const known = this.#known.get(connection) ?? this.#ask(connection);
    try {
      const installation = await known;
      if (this.#known.get(connection) === known) this.#answered.set(connection, installation);
      return installation;
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
