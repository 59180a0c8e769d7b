import { isDeepStrictEqual } from 'node:util';
import { isClientError } from '../../../client/clientError.ts';
import { idText } from '../../../contract/idText.ts';
import type { FolderAccess } from '../../../access/folderAccess.ts';
import { compareNames } from '../../../editor/nodes/libraryNodes.ts';
import type { FolderNode, TreeConnection } from '../../../editor/nodes/treeNode.ts';
import { displayText } from '../../../editor/displayText.ts';
import type { SecurityGroup } from '../../../contract/resources/securityGroup.ts';

/** Which groups can view a folder, by name, and whether it is hidden; `unknown` if it cannot be read. */
export interface FolderScope {
  readonly openTo: FolderAccess['openTo'] | 'unknown';
  readonly groups: readonly string[];
  readonly isHidden: boolean;
}

const requestsAtATime = 4;
/** Results within this time, in ms, are shown together: the editor redraws for each event. */
const togetherMs = 250;
/** Delay before known scopes are checked for changes, in ms: loading rows has priority. */
const rowsFirstMs = 250;

/**
 * Loads which groups can view the displayed folders. The library tree does not include it, so each folder takes one
 * request; these run in the background, a few at a time, while no rows are being loaded, once per folder and only for
 * rendered rows.
 */
export class FolderScopes {
  readonly #scopes = new Map<string, FolderScope>();
  readonly #groupNames = new Map<string, Promise<Map<string, string>>>();
  readonly #onDidFind: (nodes: readonly FolderNode[]) => void;
  readonly #rowsCome: (connection: TreeConnection) => Promise<unknown> | undefined;
  /** Folders whose scopes are loaded, but not shown yet. */
  readonly #found = new Set<FolderNode>();
  #telling: NodeJS.Timeout | undefined;
  #asking: NodeJS.Timeout | undefined;
  /** Folders requested since the last {@link forget}, to request each only once. */
  readonly #wanted = new Set<string>();
  /** Loaded folders by node id. */
  readonly #offered = new Map<string, FolderNode>();
  /** Folders whose rows were rendered. */
  readonly #drawn = new Set<string>();
  #queue: FolderNode[] = [];
  #running = 0;

  /**
   * @param onDidFind called after the scopes of folders were loaded.
   * @param rowsCome resolves after the pending rows of a server were loaded; undefined if none are pending.
   */
  constructor(
    onDidFind: (nodes: readonly FolderNode[]) => void,
    rowsCome: (connection: TreeConnection) => Promise<unknown> | undefined = () => undefined,
  ) {
    this.#onDidFind = onDidFind;
    this.#rowsCome = rowsCome;
  }

  /** The scope, if it is loaded. */
  get(node: FolderNode): FolderScope | undefined {
    return this.#scopes.get(node.id);
  }

  /**
   * Adds loaded folders; scopes of already rendered rows are requested without waiting for {@link drawn}, which the
   * editor reports only once. Known scopes are checked for changes after a delay: dozens of requests would slow down
   * the rows that the user waits for.
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

  /** Records that the row of a folder was rendered. */
  drawn(nodeId: string): void {
    this.#drawn.add(nodeId);
    const node = this.#offered.get(nodeId);
    if (node) this.want([node]);
  }

  /** Requests the scopes of these folders. */
  want(nodes: readonly FolderNode[]): void {
    for (const node of nodes) {
      if (node.isPersonal || this.#wanted.has(node.id)) continue;
      this.#wanted.add(node.id);
      this.#queue.push(node);
    }
    while (this.#running < requestsAtATime && this.#queue.length > 0) void this.#work();
  }

  /** Reloads the known scopes of a server because they may have changed; the old values are used until then. */
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
        this.#scopes.set(node.id, { openTo: 'unknown', groups: [], isHidden: false });
        // After a failure the server's other folders are skipped; a refresh retries.
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

  /** Stops reporting scopes. */
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
    const isHidden = folder.isHidden === true;
    if (openTo === 'above' && node.parent.kind !== 'folder') return { openTo: 'allUsers', groups: [], isHidden };
    if (openTo !== 'groups') return { openTo, groups: [], isHidden };
    const names = await this.#namesFor(node.connection);
    return { openTo, isHidden, groups: groupIds.map((id) => names.get(id) ?? `#${id}`).sort(compareNames) };
  }

  /** Group names of a server, loaded once. */
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
 * Group names by id; an account that cannot read groups gets the names of its own groups, and ids of the others. API
 * description, Groups (GetAllSecurityGroups), Users (GetContactById).
 */
export async function readGroupNames(connection: TreeConnection): Promise<Map<string, string>> {
  const client = await connection.client();
  let groups = await listed(client);
  const { state } = connection;
  if (groups.length === 0 && 'account' in state) {
    // If these cannot be read either, ids are shown.
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
