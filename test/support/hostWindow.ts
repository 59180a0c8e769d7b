import path from 'node:path';
import * as vscode from 'vscode';
import { probeServer } from '../../src/client/http/probe.ts';
import type { RequestLogEntry } from '../../src/client/http/logger.ts';
import { ConnectionStore } from '../../src/connections/connectionStore.ts';
import { LocalServer } from '../../src/connections/localServer/localServer.ts';
import { LocalServerHome } from '../../src/connections/localServer/localServerHome.ts';
import { Network } from '../../src/connections/network/network.ts';
import { UnknownWrites } from '../../src/connections/unknownWrites.ts';
import { ServersTree } from '../../src/features/sidebar/serversTree.ts';
import { MemorySecrets } from './memorySecrets.ts';

/** Secret storage in memory that tells its listeners of changes, as all windows of the editor share it. */
export class SharedSecrets extends MemorySecrets implements vscode.SecretStorage {
  readonly #changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.#changed.event;

  async keys(): Promise<string[]> {
    return [...this.values.keys()];
  }

  override async store(key: string, value: string): Promise<void> {
    await super.store(key, value);
    this.#changed.fire({ key });
  }

  override async delete(key: string): Promise<void> {
    await super.delete(key);
    this.#changed.fire({ key });
  }
}

/** Editor state in memory. */
export class SharedState implements vscode.Memento {
  readonly values = new Map<string, unknown>();

  keys(): readonly string[] {
    return [...this.values.keys()];
  }

  get<T>(key: string, fallback?: T): T {
    return (this.values.get(key) ?? fallback) as T;
  }

  async update(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
  }
}

/** What the windows of one machine share. */
export interface Machine {
  folder: string;
  secrets: SharedSecrets;
  state: SharedState;
}

/** What one window of the editor has of the extension, with the requests that it made. */
export interface HostWindow {
  connections: ConnectionStore;
  localServer: LocalServer;
  network: Network;
  tree: ServersTree;
  requests: RequestLogEntry[];
  /** How often an endpoint was asked. */
  count(endpoint: string): number;
  close(): Promise<void>;
}

/** Opens a window on a machine. The embedded server is the built one of the extension under test. */
export function openHostWindow({ folder, secrets, state }: Machine): HostWindow {
  const extension = vscode.extensions.getExtension('analytics-studio.analytics-studio');
  if (!extension) throw new Error('The extension is not installed.');
  const requests: RequestLogEntry[] = [];
  const localServer = new LocalServer({
    script: path.join(extension.extensionPath, 'dist', 'server.js'),
    home: new LocalServerHome(path.join(folder, 'local-server'), secrets),
    window: { release: '0.2.0', editor: 'Test Editor' },
    log: { info: () => undefined, warn: () => undefined },
    probe: (url, signal) => probeServer(url, { signal }),
    onDidAbandonData: () => undefined,
  });
  const network = new Network({ state, secrets });
  const connections = new ConnectionStore({
    state,
    secrets,
    folder,
    localServer,
    network,
    unknownWrites: new UnknownWrites(path.join(folder, 'writes')),
    logger: { request: (entry) => void requests.push(entry) },
    warn: (line) => console.warn(line),
    tellDamage: () => undefined,
  });
  const tree = new ServersTree({ connections, localServer, showsScopes: () => true });
  return {
    connections,
    localServer,
    network,
    tree,
    requests,
    count: (endpoint) => requests.filter((request) => request.endpoint === endpoint).length,
    close: async () => {
      tree.dispose();
      connections.dispose();
      network.dispose();
      await localServer.dispose();
    },
  };
}
