import type { AnalyticsClient } from '../../../../src/client/client.ts';
import type { SessionAccount } from '../../../../src/client/session/sessionState.ts';
import { ServersTree } from '../../../../src/features/sidebar/serversTree.ts';
import type { TreeConnection, TreeNode } from '../../../../src/editor/nodes/treeNode.ts';
import { EventEmitter } from '../../../support/vscode/basics.ts';
import { activeState } from './treeConnection.ts';

type Reply = () => unknown;

/** A saved server whose replies a test sets, and which counts what it is asked. */
export class ScriptedConnection implements TreeConnection {
  readonly kind = 'remote';
  readonly userName = 'admin';
  state: TreeConnection['state'] = activeState;
  readonly asked: string[] = [];
  readonly replies = new Map<string, Reply>([['LicenseManager/GetInstallationID', () => 'one']]);
  readonly id: string;
  readonly name: string;
  readonly entry: TreeConnection['entry'];

  constructor(id: string, name: string) {
    this.id = id;
    this.name = name;
    const account = { userName: 'admin', isGuest: false, keepsPassword: false, isSignedOut: false } as const;
    this.entry = { id, name, kind: this.kind, apiBase: `http://${id}/api`, installationId: '', ...account };
  }

  /** Groups by id, as the list of the server. */
  set groups(names: Readonly<Record<string, string>>) {
    const listed = Object.entries(names).map(([GroupId, GroupName]) => ({ GroupId, GroupName, Membership: [] }));
    this.replies.set('Group/GetAllSecurityGroups', () => listed);
  }

  set failure(error: Error) {
    this.replies.set('Group/GetAllSecurityGroups', () => {
      throw error;
    });
  }

  become(account: Partial<SessionAccount>): void {
    this.state = { ...activeState, account: { ...activeState.account, ...account } };
  }

  count(endpoint: string): number {
    return this.asked.filter((each) => each === endpoint).length;
  }

  async client(): Promise<Pick<AnalyticsClient, 'call'>> {
    const call = async (endpoint: string) => {
      this.asked.push(endpoint);
      const reply = this.replies.get(endpoint);
      if (!reply) throw new Error(`${endpoint} has no reply.`);
      return (await reply()) as never;
    };
    return { call };
  }
}

/** The sidebar over some servers, read as the editor reads it: by the elements that it was given. */
export class ShownTree {
  servers: readonly ScriptedConnection[];
  readonly tree: ServersTree;
  /** Changes in open documents, by id of the object. */
  readonly unsaved = new Map<string, 'unsaved' | 'notSaved'>();
  /** What was to be read or drawn again since the last look; undefined for everything. */
  readonly changes: (TreeNode[] | undefined)[] = [];
  readonly #listed = new EventEmitter<unknown>();
  readonly #session = new EventEmitter<TreeConnection>();

  constructor(...servers: readonly ScriptedConnection[]) {
    this.servers = servers;
    this.tree = new ServersTree({
      connections: {
        list: () => this.servers,
        onDidChange: this.#listed.event,
        onDidChangeState: this.#session.event,
      },
      localServer: { state: 'stopped' },
      showsScopes: () => false,
      changeOf: ({ id }) => this.unsaved.get(id),
    });
    this.tree.onDidChangeTreeData((given) => {
      this.changes.push(given === undefined ? undefined : [given].flat());
    });
  }

  /** Rows below a path of labels, read level by level. */
  async rows(...path: readonly string[]): Promise<TreeNode[]> {
    let rows = await this.tree.getChildren();
    for (const step of path) {
      const next = rows.find((row) => this.label(row) === step);
      if (!next) throw new Error(`There is no ${step} among ${rows.map((row) => this.label(row)).join(', ')}.`);
      rows = await this.tree.getChildren(next);
    }
    return rows;
  }

  async row(...path: readonly string[]): Promise<TreeNode> {
    const found = (await this.rows(...path.slice(0, -1))).find((row) => this.label(row) === path.at(-1));
    if (!found) throw new Error(`There is no ${path.join(' > ')}.`);
    return found;
  }

  async labels(...path: readonly string[]): Promise<string[]> {
    return (await this.rows(...path)).map((row) => this.label(row));
  }

  label(row: TreeNode): string {
    const { label } = this.tree.getTreeItem(row);
    return typeof label === 'string' ? label : (label?.label ?? '');
  }

  /** Ids of what was to be read or drawn again since the last look. */
  takeChanges(): (string[] | 'everything')[] {
    return this.changes.splice(0).map((nodes) => nodes?.map(({ id }) => id) ?? 'everything');
  }

  changeServers(...servers: readonly ScriptedConnection[]): void {
    this.servers = servers;
    this.#listed.fire(undefined);
  }

  changeSession(server: ScriptedConnection): void {
    this.#session.fire(server);
  }

  dispose(): void {
    this.tree.dispose();
  }
}
