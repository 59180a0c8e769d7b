import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Connection } from '../../src/connections/connection.ts';
import { ConnectionStore } from '../../src/connections/connectionStore.ts';
import type { LocalServer } from '../../src/connections/localServer/localServer.ts';
import { Network } from '../../src/connections/network/network.ts';
import { UnknownWrites } from '../../src/connections/unknownWrites.ts';
import {
  objectOf,
  type ListName,
  type SectionName,
  type SectionNode,
  type TreeNode,
} from '../../src/editor/nodes/treeNode.ts';
import type { RefreshedObjects } from '../../src/editor/commands/services.ts';
import type { Documents } from '../../src/features/documents/documents.ts';
import type { DocumentServices } from '../../src/features/documents/documentServices.ts';
import { loadChildren } from '../../src/features/sidebar/nodes/nodeChildren.ts';
import { isJsonObject, type JsonObject } from '../../src/objects/json.ts';
import { findKind } from '../../src/objects/kinds/kinds.ts';
import { editableView } from '../../src/objects/merge/editableView.ts';
import { objectServer } from '../../src/objects/objectServer.ts';
import { createObject } from '../../src/objects/save/createObject.ts';
import { deleteObject } from '../../src/objects/save/deleteObject.ts';
import { saveObject } from '../../src/objects/save/saveObject.ts';
import { EventEmitter, Uri } from './vscode/basics.ts';
import { MemoryMemento, MemorySecretStorage } from './vscode/storage.ts';

/** The extension's services for commands, with real connections and the editor of `test/support/vscode`. */
export interface CommandScene {
  services: DocumentServices;
  connections: ConnectionStore;
  network: Network;
  secrets: MemorySecretStorage;
  globalState: MemoryMemento;
  workspaceState: MemoryMemento;
  /** Folder of what windows share. */
  folder: string;
  /** Lines of the log, errors only. */
  errors: string[];
  /** Adds a remote server and signs in to it, as admin by default. */
  addServer(
    name: string,
    apiBase: string,
    password: string,
    more?: { keepsPassword?: boolean; userName?: string },
  ): Promise<Connection>;
  /** Rows of one of the lists below Security, as the sidebar makes them. */
  rows(connection: Connection, list: ListName): Promise<TreeNode[]>;
  /** The row below a section of the sidebar, by the names on the way; a library is named by its kind. */
  find(connection: Connection, section: SectionName, ...names: string[]): Promise<TreeNode>;
  /** The row of this name there. @throws {Error} when there is none. */
  row(connection: Connection, list: ListName, name: string): Promise<TreeNode>;
  close(): Promise<void>;
}

/** The rows below a row, of the installation that showed it. */
export async function rowsBelow(node: TreeNode): Promise<TreeNode[]> {
  return (await loadChildren(node)).map((child) => ({ ...child, installation: node.installation }));
}

/** Creates an object of a kind on a server. @returns its id. */
export async function createOn(
  connection: Connection,
  kindName: string,
  name: string,
  fields: JsonObject = {},
  parent?: string,
): Promise<string> {
  const server = objectServer(await connection.client());
  const kind = findKind(kindName);
  const template = await kind?.template?.(server, parent);
  if (!kind || !isJsonObject(template)) throw new Error(`There is no template of ${kindName}.`);
  const view = { ...editableView(template, kind.shape), ...fields, [kind.nameField ?? '']: name };
  const outcome = await createObject(server, {
    kind,
    view,
    parent,
    askSecret: async () => 'a long enough passphrase 1',
  });
  if (outcome.kind !== 'created') throw new Error(`${name}: ${outcome.kind}`);
  return outcome.id;
}

/** Changes fields of an object on a server, as another client does. */
export async function changeOn(
  connection: Connection,
  kindName: string,
  id: string,
  fields: JsonObject,
): Promise<void> {
  const server = objectServer(await connection.client());
  const kind = findKind(kindName);
  if (!kind) throw new Error(`There is no kind ${kindName}.`);
  const base = editableView(await kind.read(server, id), kind.shape);
  const outcome = await saveObject(server, { kind, id, base, mine: { ...base, ...fields }, askSecret: async () => '' });
  if (outcome.kind !== 'saved') throw new Error(`${kindName} ${id}: ${outcome.kind}`);
}

/** Name of a row in a path. */
function nameOf(node: TreeNode): string | undefined {
  if (node.kind === 'libraryRoot') return node.library;
  if (node.kind === 'fact') return node.name;
  return node.kind === 'setting' ? node.setting : objectOf(node)?.name;
}

/** Opens a window without servers. */
export async function openCommandScene(): Promise<CommandScene> {
  const folder = await mkdtemp(path.join(tmpdir(), 'analytics-commands-'));
  const secrets = new MemorySecretStorage();
  const [globalState, workspaceState] = [new MemoryMemento(), new MemoryMemento()];
  const errors: string[] = [];
  const network = new Network({ state: globalState, secrets });
  const unknownWrites = new UnknownWrites(path.join(folder, 'writes'));
  // No command here uses the embedded server.
  const localServer = { state: 'stopped', onDidChange: () => () => undefined } as unknown as LocalServer;
  const connections = new ConnectionStore({
    state: globalState,
    secrets,
    folder,
    localServer,
    network,
    unknownWrites,
    logger: { request: () => undefined },
    warn: (line) => errors.push(line),
    tellDamage: (line) => errors.push(line),
  });
  const clientOf = async (id: string) => {
    const client = await connections.get(id)?.client();
    if (!client) throw new Error(`There is no server ${id}.`);
    return client;
  };
  const documents: Pick<Documents, 'remove' | 'installed'> = {
    installed: async (id) => {
      const server = objectServer(await clientOf(id));
      return { server, installation: await server.installation() };
    },
    remove: async (target) => {
      const kind = findKind(target.kind);
      if (!kind) throw new Error(`There is no kind ${target.kind}.`);
      await deleteObject(objectServer(await clientOf(target.connectionId)), kind, target.id);
    },
  };
  const nothing = async () => undefined;
  const refreshed = new EventEmitter<RefreshedObjects>();
  const services = {
    connections,
    localServer,
    network,
    unknownWrites,
    tree: {
      serverNode: (connection: Connection) => ({ kind: 'server', id: connection.id, connection, parent: undefined }),
      current: (node: TreeNode) => node,
      refresh: nothing,
      refreshObjects: async ({ id }: Connection, ...kinds: RefreshedObjects['kinds'] & object) =>
        refreshed.fire({ connectionId: id, kinds }),
      refreshItems: nothing,
      updateCountdown: () => undefined,
      onDidRefresh: refreshed.event,
    },
    view: { selection: [], reveal: nothing },
    log: {
      error: (line: string) => errors.push(line),
      warn: (line: string) => errors.push(line),
      show: () => undefined,
    },
    context: { globalState, workspaceState, globalStorageUri: Uri.file(folder), extensionUri: Uri.file(folder) },
    documents: async () => documents,
  } as unknown as DocumentServices;
  const sectionOf = async (connection: Connection, section: SectionName): Promise<SectionNode> => {
    const installation = await objectServer(await connection.client()).installation();
    const parent = { kind: 'server', id: connection.id, connection, parent: undefined } as const;
    return { kind: 'section', id: `${connection.id}/s`, section, parent, connection, installation };
  };
  const rows = async (connection: Connection, list: ListName) => {
    const section = await sectionOf(connection, 'security');
    return rowsBelow({ ...section, kind: 'list', id: `${connection.id}/${list}`, list, parent: section });
  };
  const find = async (connection: Connection, section: SectionName, ...names: string[]) => {
    let found: TreeNode = await sectionOf(connection, section);
    for (const name of names) {
      const below = await rowsBelow(found);
      const next = below.find((node) => nameOf(node) === name);
      if (!next) throw new Error(`${name} is not among ${below.map((node) => objectOf(node)?.name).join(', ')}.`);
      found = next;
    }
    return found;
  };
  return {
    services,
    connections,
    network,
    secrets,
    globalState,
    workspaceState,
    folder,
    errors,
    addServer: async (name, apiBase, password, { keepsPassword = false, userName = 'admin' } = {}) => {
      const account = { userName, isGuest: false };
      const connection = connections.draft({ name, kind: 'remote', apiBase, installationId: '', ...account });
      await connection.signIn({ ...account, password }, keepsPassword);
      await connections.save(connection);
      return connection;
    },
    rows,
    find,
    row: async (connection, list, name) => {
      const row = (await rows(connection, list)).find((node) => objectOf(node)?.name === name);
      if (!row) throw new Error(`${name} has no row.`);
      return row;
    },
    close: async () => {
      for (const connection of connections.list()) await connection.openClient?.close();
      connections.dispose();
      network.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
