import type { LocalServer } from '../../connections/localServer/localServer.ts';
import { aboutMinutesLeft } from '../../connections/minutesLeft.ts';
import { sessionLabel } from '../../editor/sessionLabel.ts';
import { serverNode, type ServerNode, type TreeConnection } from '../../editor/nodes/treeNode.ts';

/** What {@link ServerRows} works with. */
export interface ServerRowsOptions {
  localServer: Pick<LocalServer, 'state'>;
  isUnreachable(connection: TreeConnection): boolean;
  /** Lets the editor show a server's node again. */
  show(node: ServerNode): void;
}

/** A state of a server that lasts no longer than this, in milliseconds, is not shown. */
const passingMs = 150;

/**
 * The nodes of the saved servers, and when they are shown again. The editor reads everything below such a node again, and
 * drops clicks and unfoldings that fall into that moment, so it is told only of what can be seen and lasts.
 */
export class ServerRows {
  readonly #options: ServerRowsOptions;
  readonly #nodes = new Map<string, ServerNode>();
  /** What each node said when the editor last asked. */
  readonly #shown = new Map<string, { facts: string; words: string }>();
  /** Servers whose nodes are about to be shown again. */
  readonly #showing = new Map<string, NodeJS.Timeout>();

  constructor(options: ServerRowsOptions) {
    this.#options = options;
  }

  /** All nodes that were asked for. */
  get all(): readonly ServerNode[] {
    return [...this.#nodes.values()];
  }

  /** The node of a saved server: the same object as long as the server is saved. */
  of(connection: TreeConnection): ServerNode {
    const known = this.#nodes.get(connection.id);
    if (known?.connection === connection) return known;
    const node = serverNode(connection);
    this.#nodes.set(connection.id, node);
    return node;
  }

  /** Drops the nodes of servers that are gone. */
  keepOnly(connections: readonly TreeConnection[]): void {
    for (const [id, node] of this.#nodes) if (!connections.includes(node.connection)) this.#nodes.delete(id);
  }

  /** Notes that the editor shows a server's node as it is now. */
  noteShown({ connection }: ServerNode): void {
    this.#shown.set(connection.id, this.#whatIsSeen(connection));
  }

  /**
   * Shows a server's node again soon, if it will look different then. States that pass at once are left out, and so are
   * minutes that an ordinary call gives back: those are for the countdown.
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

  /** Shows nothing more. */
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
