import type { TreeConnection, TreeNode } from '../../../editor/nodes/treeNode.ts';

/** Places whose children came with them: they are of the installation that showed the place. */
const carriers: readonly TreeNode['kind'][] = ['libraryRoot', 'folder', 'group', 'application', 'fieldFolder'];

/**
 * The installation that each server's rows are read from. It is asked for before the rows and kept until the session ends or
 * the rows are refreshed: rows may so be taken for those of an earlier installation, and then nothing is done with them, but
 * never for those of another one.
 */
export class DisplayedInstallations {
  readonly #known = new WeakMap<TreeConnection, Promise<string>>();

  /**
   * Id of the installation that the children of a node are of.
   * @returns undefined where the server does not tell.
   */
  async below(node: TreeNode): Promise<string | undefined> {
    if (node.kind === 'server') {
      // Asked while the user goes on to open something below, so that nothing waits for it then.
      if (isReadable(node)) void this.#of(node.connection);
      return undefined;
    }
    if (carriers.includes(node.kind) && node.installation !== undefined) return node.installation;
    return this.#of(node.connection);
  }

  /** Lets the next place ask again. */
  forget(connection: TreeConnection): void {
    this.#known.delete(connection);
  }

  async #of(connection: TreeConnection): Promise<string | undefined> {
    const known = this.#known.get(connection) ?? this.#ask(connection);
    try {
      return await known;
    } catch {
      // What is read next fails too, and says why; the next place asks again.
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

/** Whether a server shows anything: nobody is asked who is signed in, or made to sign in, for this alone. */
function isReadable({ connection: { state } }: TreeNode): boolean {
  return state.kind === 'active';
}

async function installationOf(connection: TreeConnection): Promise<string> {
  return (await connection.client()).call('LicenseManager/GetInstallationID', {});
}
