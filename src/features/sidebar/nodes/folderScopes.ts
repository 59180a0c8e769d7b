import { isDeepStrictEqual } from 'node:util';
import { isClientError } from '../../../client/clientError.ts';
import { idText } from '../../../contract/idText.ts';
import type { FolderAccess } from '../../../access/folderAccess.ts';
import { compareNames } from '../../../editor/nodes/libraryNodes.ts';
import type { FolderNode, TreeConnection } from '../../../editor/nodes/treeNode.ts';
import { displayText } from '../../../editor/displayText.ts';
import type { SecurityGroup } from '../../../contract/resources/securityGroup.ts';

/** Who sees a folder, with the names of its groups; `unknown` where it cannot be read. */
export interface FolderScope {
  readonly openTo: FolderAccess['openTo'] | 'unknown';
  readonly groups: readonly string[];
}

const requestsAtATime = 4;
/** What is found within this time is shown together, in milliseconds: the editor draws each time it is told. */
const togetherMs = 250;
/** Before this time is over, in milliseconds, nobody is asked whether what is known has changed: rows come first. */
const rowsFirstMs = 250;

/**
 * Finds out who sees the folders that are on display. The library tree does not tell, so each folder costs one request;
 * they are made in the background, a few at a time, while no rows are waited for, only for folders whose rows were drawn, and once.
 */
export class FolderScopes {
  readonly #scopes = new Map<string, FolderScope>();
  readonly #groupNames = new Map<string, Promise<Map<string, string>>>();
  readonly #onDidFind: (nodes: readonly FolderNode[]) => void;
  readonly #rowsCome: (connection: TreeConnection) => Promise<unknown> | undefined;
  /** Folders whose scopes are known and not shown yet. */
  readonly #found = new Set<FolderNode>();
  #telling: NodeJS.Timeout | undefined;
  #asking: NodeJS.Timeout | undefined;
  /** Folders asked for since the last {@link forget}, so that none is asked for twice. */
  readonly #wanted = new Set<string>();
  /** Folders that were read, by the ids of their nodes. */
  readonly #offered = new Map<string, FolderNode>();
  /** Folders whose rows were drawn. */
  readonly #drawn = new Set<string>();
  #queue: FolderNode[] = [];
  #running = 0;

  /**
   * @param onDidFind called when the scopes of folders have become known.
   * @param rowsCome resolves when the rows of a server have come that somebody waits for; undefined when nobody does.
   */
  constructor(
    onDidFind: (nodes: readonly FolderNode[]) => void,
    rowsCome: (connection: TreeConnection) => Promise<unknown> | undefined = () => undefined,
  ) {
    this.#onDidFind = onDidFind;
    this.#rowsCome = rowsCome;
  }

  /** The scope, if it is known yet. */
  get(node: FolderNode): FolderScope | undefined {
    return this.#scopes.get(node.id);
  }

  /**
   * Takes folders that were read; those whose rows are known to the user are asked for without waiting for {@link drawn},
   * which the editor says but once. Where only something known may have changed, not at once: dozens of requests beside the rows
   * that the user waits for would hold those up.
   */
  offer(nodes: readonly FolderNode[]): void {
    if (nodes.length === 0) return;
    for (const node of nodes) this.#offered.set(node.id, node);
    this.want(nodes.filter(({ id }) => this.#drawn.has(id) && !this.#scopes.has(id)));
    this.#asking ??= setTimeout(() => {
      this.#asking = undefined;
      this.want([...this.#offered.values()].filter(({ id }) => this.#drawn.has(id)));
    }, rowsFirstMs);
  }

  /** The row of a folder is on display. */
  drawn(nodeId: string): void {
    this.#drawn.add(nodeId);
    const node = this.#offered.get(nodeId);
    if (node) this.want([node]);
  }

  /** Finds out the scopes of these folders. */
  want(nodes: readonly FolderNode[]): void {
    for (const node of nodes) {
      if (node.isPersonal || this.#wanted.has(node.id)) continue;
      this.#wanted.add(node.id);
      this.#queue.push(node);
    }
    while (this.#running < requestsAtATime && this.#queue.length > 0) void this.#work();
  }

  /** Finds out anew what is known of a server, because it may have changed; what was found stands until then. */
  forget(connection: TreeConnection): void {
    const prefix = `${connection.id}/`;
    for (const id of this.#wanted) {
      if (id.startsWith(prefix)) this.#wanted.delete(id);
    }
    this.#queue = this.#queue.filter((node) => node.connection !== connection);
    for (const [id, node] of this.#offered) if (node.connection === connection) this.#offered.delete(id);
    this.#groupNames.delete(connection.id);
  }

  async #work(): Promise<void> {
    this.#running++;
    for (let node = this.#queue.shift(); node; node = this.#queue.shift()) {
      await this.#rowsCome(node.connection);
      try {
        const scope = await this.#find(node);
        const isOther = !isDeepStrictEqual(scope, this.#scopes.get(node.id));
        this.#scopes.set(node.id, scope);
        if (isOther) this.#tell(node);
      } catch (error) {
        this.#scopes.set(node.id, { openTo: 'unknown', groups: [] });
        // A server that fails on one folder is not asked about the rest; refreshing asks again.
        if (!isClientError(error, 'noPermission')) this.#dropQueueOf(node.connection);
      }
    }
    this.#running--;
  }

  #tell(node: FolderNode): void {
    this.#found.add(node);
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      const found = [...this.#found];
      this.#found.clear();
      if (found.length > 0) this.#onDidFind(found);
    }, togetherMs);
  }

  /** Shows nothing more. */
  dispose(): void {
    clearTimeout(this.#telling);
    clearTimeout(this.#asking);
    this.#queue = [];
  }

  async #find(node: FolderNode): Promise<FolderScope> {
    const client = await node.connection.client();
    const folder = await client.call('library/GetFolderById', { folderid: node.folderId });
    const { folderAccessOf } = await import('../../../access/folderAccess.ts');
    const { groupIds, openTo } = folderAccessOf(folder);
    if (openTo === 'above' && node.parent.kind !== 'folder') return { openTo: 'allUsers', groups: [] };
    if (openTo !== 'groups') return { openTo, groups: [] };
    const names = await this.#namesFor(node.connection);
    return { openTo, groups: groupIds.map((id) => names.get(id) ?? `#${id}`).sort(compareNames) };
  }

  /** Group names of a server, read once. */
  #namesFor(connection: TreeConnection): Promise<Map<string, string>> {
    const known = this.#groupNames.get(connection.id);
    if (known) return known;
    const reading = readGroupNames(connection);
    this.#groupNames.set(connection.id, reading);
    return reading;
  }

  #dropQueueOf(connection: TreeConnection): void {
    this.#queue = this.#queue.filter((node) => node.connection !== connection);
  }
}

/**
 * Names of groups by id; for an account that may not read groups, of those that it is in: of others ids are shown. API
 * description, Groups (GetAllSecurityGroups), Users (GetContactById).
 */
export async function readGroupNames(connection: TreeConnection): Promise<Map<string, string>> {
  const client = await connection.client();
  let groups = await listed(client);
  const { state } = connection;
  if (groups.length === 0 && 'account' in state) {
    // Where that cannot be read either, ids have to do.
    const own = await client.call('Contact/GetContactById', { ContactId: state.account.userId }).catch(() => undefined);
    groups = own?.SecurityGroups ?? [];
  }
  return new Map(groups.map((group) => [idText(group.GroupId), displayText(group.GroupName)]));
}

type NamedGroup = Pick<SecurityGroup, 'GroupId' | 'GroupName'>;

async function listed(client: Awaited<ReturnType<TreeConnection['client']>>): Promise<readonly NamedGroup[]> {
  try {
    return await client.call('Group/GetAllSecurityGroups', {});
  } catch (error) {
    if (isClientError(error, 'noPermission') || isClientError(error, 'refused')) return [];
    throw error;
  }
}
