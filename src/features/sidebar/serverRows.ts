import type { LocalServer } from '../../connections/localServer/localServer.ts';
import { aboutMinutesLeft } from '../../connections/minutesLeft.ts';
import { sessionLabel } from '../../editor/sessionLabel.ts';
import { serverNode, type ServerNode, type TreeConnection } from '../../editor/nodes/treeNode.ts';

/** Dependencies of {@link ServerRows}. */
export interface ServerRowsOptions {
  localServer: Pick<LocalServer, 'state'>;
  isUnreachable(connection: TreeConnection): boolean;
  /** Refreshes a server's node in the editor. */
  show(node: ServerNode): void;
}

/** A server state shorter than this, in milliseconds, is not shown. */
const passingMs = 150;

/**
 * The nodes of the saved servers, and when to refresh them. The editor reloads everything below a refreshed node and
 * ignores clicks and expansions meanwhile, so only visible and lasting changes are refreshed.
 */
export class ServerRows {
  readonly #options: ServerRowsOptions;
  readonly #nodes = new Map<string, ServerNode>();
  /** Content of each node when the editor last rendered it. */
  readonly #shown = new Map<string, { facts: string; words: string }>();
  /** Servers with a pending refresh. */
  readonly #showing = new Map<string, NodeJS.Timeout>();

  constructor(options: ServerRowsOptions) {
    this.#options = options;
  }

  /** All created nodes. */
  get all(): readonly ServerNode[] {
    return [...this.#nodes.values()];
  }

  /** The node of a saved server: the same object while the server is saved. */
  of(connection: TreeConnection): ServerNode {
    const known = this.#nodes.get(connection.id);
    if (known?.connection === connection) return known;
    const node = serverNode(connection);
    this.#nodes.set(connection.id, node);
    return node;
  }

  /** Removes the nodes of removed servers. */
  keepOnly(connections: readonly TreeConnection[]): void {
    for (const [id, node] of this.#nodes) if (!connections.includes(node.connection)) this.#nodes.delete(id);
  }

  /** Records that the editor renders a server's node in its current state. */
  noteShown({ connection }: ServerNode): void {
    this.#shown.set(connection.id, this.#whatIsSeen(connection));
  }

  /**
   * Schedules a refresh of a server's node if its look will change. Transient states are skipped, and so are minutes
   * gained by an ordinary call: these are left to the countdown.
   */
  showSoon(connection: TreeConnection, countsDown = false): void {
    const node = this.#nodes.get(connection.id);
    if (node?.connection !== connection) return;
    if (!this.#looksOther(connection, countsDown)) return;
    clearTimeout(this.#showing.get(connection.id));
    const show = () => {
      this.#showing.delete(connection.id);
      if (this.#looksOther(connection, countsDown)) this.#options.show(node);
    };
    this.#showing.set(connection.id, setTimeout(show, passingMs));
  }

  /** Cancels pending refreshes. */
  dispose(): void {
    for (const timer of this.#showing.values()) clearTimeout(timer);
  }

  #looksOther(connection: TreeConnection, countsDown: boolean): boolean {
    const known = this.#shown.get(connection.id);
    const now = this.#whatIsSeen(connection);
    return known !== undefined && (known.facts !== now.facts || (countsDown && known.words !== now.words));
  }

  #whatIsSeen(connection: TreeConnection): { facts: string; words: string } {
    const { localServer } = this.#options;
    const facts = [localServer.state, connection.state.kind, this.#options.isUnreachable(connection)];
    return { facts: facts.join(), words: sessionLabel(connection, aboutMinutesLeft) };
  }
}
