import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { mkdirSync, watch, type FSWatcher } from 'node:fs';
import * as vscode from 'vscode';
import { isClientError } from '../client/clientError.ts';
import { inBackground } from '../client/http/cancelScope.ts';
import type { RequestLogger } from '../client/http/logger.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import type { LocalServer } from './localServer/localServer.ts';
import type { Network } from './network/network.ts';
import type { UnknownWrites } from './unknownWrites.ts';
import { localServerId, type ServerEntry } from './serverEntry.ts';
import { ServerList } from './serverList.ts';
import { localLocation, remoteLocation } from './localServer/serverLocation.ts';

/** Options of {@link ConnectionStore}. */
interface ConnectionStoreOptions {
  state: vscode.Memento;
  secrets: vscode.SecretStorage;
  /** Folder of this machine that all windows share; contains the list of servers, and locks. */
  folder: string;
  localServer: LocalServer;
  /** Routes to the servers. */
  network: Network;
  unknownWrites: UnknownWrites;
  logger: RequestLogger;
  /** Logs an error of background work. */
  warn(line: string): void;
  /** See {@link ConnectionOptions.onUnseenForm}. */
  onUnseenForm?: ConnectionOptions['onUnseenForm'];
  /** Tells the user, once, that the list of servers cannot be read. */
  tellDamage(words: string): void;
}

/** Data of a server and an account before they are saved. */
export type NewServer = Pick<ServerEntry, 'name' | 'kind' | 'apiBase' | 'installationId' | 'userName' | 'isGuest'>;

/** The saved servers, shared by all windows, each with its own session. */
export class ConnectionStore implements vscode.Disposable {
  readonly #options: ConnectionStoreOptions;
  readonly #saved: ServerList;
  #isDamageTold = false;
  readonly #connections = new Map<string, Connection>();
  /** Servers with changes that are not in the shared list yet: this window's data is newer. */
  readonly #writing = new Set<string>();
  readonly #listChanged = new vscode.EventEmitter<void>();
  readonly #stateChanged = new vscode.EventEmitter<Connection>();
  readonly #subscriptions: vscode.Disposable[];
  /** Fires when servers are added, removed or renamed, here or in another window. */
  readonly onDidChange = this.#listChanged.event;
  /** Fires when a server's session changes, also when only its expiry moves. */
  readonly onDidChangeState = this.#stateChanged.event;

  constructor(options: ConnectionStoreOptions) {
    this.#options = options;
    this.#saved = new ServerList({ file: path.join(options.folder, 'servers.json'), earlier: options.state });
    const { file } = this.#saved;
    const unwatched = (why: unknown) => options.warn(`${file} is read when the window gets the focus. ${String(why)}`);
    const watching = watchFile(file, () => this.#reread(), unwatched);
    this.#read();
    this.#subscriptions = [
      this.#listChanged,
      this.#stateChanged,
      options.secrets.onDidChange(({ key }) => this.#secretChanged(key)),
      watching,
      // For systems that do not report file changes.
      vscode.window.onDidChangeWindowState(({ focused }) => focused && this.#reread()),
      { dispose: options.localServer.onDidChange(() => this.#localServerChanged()) },
    ];
  }

  /** All saved servers in the order in which they were added. */
  list(): Connection[] {
    return [...this.#connections.values()];
  }

  get(id: string): Connection | undefined {
    return this.#connections.get(id);
  }

  /** The embedded server's connection, saved at its first start. */
  get local(): Connection | undefined {
    return this.get(localServerId);
  }

  /** Whether no server except `own` has this name, ignoring case, as users do. */
  isFree(name: string, own?: Connection): boolean {
    return !this.list().some((other) => other !== own && other.name.toLowerCase() === name.toLowerCase());
  }

  /** `name`, with a number appended if it is taken. */
  freeName(name: string): string {
    let free = name;
    for (let number = 2; !this.isFree(free); number += 1) free = `${name} ${number}`;
    return free;
  }

  /** Restores all sessions from earlier windows. Makes no request and never rejects. */
  async restore(): Promise<void> {
    await Promise.all(this.list().map((connection) => this.#restore(connection)));
  }

  /** Saves the embedded server, or returns the saved one. */
  async addLocal(name: string): Promise<Connection> {
    const known = this.local;
    if (known) return known;
    const connection = this.#connect({
      id: localServerId,
      name: this.freeName(name),
      kind: 'local',
      apiBase: '',
      installationId: '',
      userName: 'admin',
      isGuest: false,
      keepsPassword: true,
      isSignedOut: false,
    });
    await this.save(connection);
    return connection;
  }

  /** A connection that is not saved yet: sign in, then {@link save} it, or dispose it. */
  draft(server: NewServer): Connection {
    return this.#connect({
      ...server,
      id: randomUUID(),
      keepsPassword: false,
      isSignedOut: false,
    });
  }

  /** Saves a new or changed connection. */
  async save(connection: Connection): Promise<void> {
    this.#connections.set(connection.id, connection);
    await this.#write(connection, 'put');
  }

  /**
   * Removes a server with its session and password. Removing the embedded server also deletes its data and every other
   * account on it. The caller must have asked the user.
   */
  async remove(connection: Connection): Promise<void> {
    const removed = isEmbedded(connection) ? this.list().filter(({ kind }) => kind === 'local') : [connection];
    if (isEmbedded(connection)) await this.#options.localServer.erase();
    for (const gone of removed) {
      this.#connections.delete(gone.id);
      try {
        // Before its entry is removed: a user who sees that it is gone may close the window.
        await gone.forget();
      } catch (error) {
        this.#connections.set(gone.id, gone);
        throw error;
      }
      await this.#write(gone, 'remove');
      gone.dispose();
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, ...this.#connections.values()).dispose();
  }

  #connect(entry: ServerEntry): Connection {
    const { secrets, logger, localServer, folder, network, unknownWrites, onUnseenForm } = this.#options;
    const connection = new Connection({
      entry,
      location: entry.kind === 'local' ? localLocation(localServer) : remoteLocation(entry.apiBase),
      secrets,
      network,
      unknownWrites,
      ...(onUnseenForm && { onUnseenForm }),
      logger,
      lockFile: path.join(folder, 'locks', `session-${entry.id}`),
      save: async () => {
        if (this.#connections.has(entry.id)) await this.#write(connection, 'change');
      },
    });
    connection.onDidChangeState(() => this.#stateChanged.fire(connection));
    return connection;
  }

  /** Changes one server in the shared list. Other windows' changes are preserved, including its removal. */
  async #write({ id, name, entry }: Connection, what: 'put' | 'change' | 'remove'): Promise<void> {
    const change = (saved: ServerEntry[]) => {
      const isNew = what === 'put' && !saved.some((other) => other.id === id);
      const entries = saved.flatMap((other) => (other.id !== id ? [other] : what === 'remove' ? [] : [entry]));
      return isNew ? [...entries, entry] : entries;
    };
    this.#writing.add(id);
    try {
      await this.#saved.change(name, change);
    } finally {
      this.#writing.delete(id);
    }
    this.#listChanged.fire();
  }

  /** Updates the list from the file; remaining connections keep their sessions. */
  #read(): void {
    const entries = this.#entries();
    if (!entries) return;
    const kept = new Set(entries.map(({ id }) => id));
    for (const connection of this.list()) {
      if (kept.has(connection.id) || this.#writing.has(connection.id)) continue;
      this.#connections.delete(connection.id);
      connection.dispose();
    }
    for (const entry of entries) {
      if (this.#writing.has(entry.id)) continue;
      const known = this.#connections.get(entry.id);
      if (known) known.adopt(entry);
      else this.#connections.set(entry.id, this.#connect(entry));
    }
  }

  /** The saved servers; undefined when they cannot be read, so that the known ones stay. */
  #entries(): ServerEntry[] | undefined {
    try {
      const entries = this.#saved.read();
      this.#isDamageTold = false;
      return entries;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const words = vscode.l10n.t('Could not read the server list from {0}: {1}', this.#saved.file, why);
      this.#options.warn(words);
      if (!this.#isDamageTold) this.#options.tellDamage(words);
      this.#isDamageTold = true;
      return undefined;
    }
  }

  #reread(): void {
    const before = JSON.stringify(this.list().map(({ entry }) => entry));
    this.#read();
    if (JSON.stringify(this.list().map(({ entry }) => entry)) !== before) this.#listChanged.fire();
  }

  /** If the session cannot be read, the connection stays unchanged: the next call tries again and reports the error. */
  async #restore(connection: Connection): Promise<void> {
    try {
      await connection.restore();
    } catch (error) {
      const why = isClientError(error) ? `${error.message} ${error.remedy}` : String(error);
      this.#options.warn(`${connection.name}: its session could not be taken up. ${why}`);
    }
  }

  #secretChanged(key: string): void {
    // The list tells whether the user signed in or out.
    if (this.list().some((connection) => connection.ownsSecret(key))) this.#reread();
    for (const connection of this.list()) {
      if (connection.ownsSecret(key)) void inBackground(() => this.#restore(connection));
    }
  }

  #localServerChanged(): void {
    for (const connection of this.list()) {
      if (connection.kind !== 'local') continue;
      // Also notifies listeners of starting and stopping, which do not change the session.
      this.#stateChanged.fire(connection);
      if (this.#options.localServer.state === 'stopped') void inBackground(() => this.#restore(connection));
    }
  }
}

/** Whether a connection is the embedded server's own, not another account on it. */
export function isEmbedded({ id }: Connection): boolean {
  return id === localServerId;
}

/**
 * Calls `changed` whenever this or another process writes, replaces or removes a file. Starts immediately: the editor's
 * own watchers take a second to start and miss changes until then.
 * @param unwatched is called with the reason if the system cannot watch files.
 */
function watchFile(file: string, changed: () => void, unwatched: (why: unknown) => void): vscode.Disposable {
  let watcher: FSWatcher | undefined;
  try {
    // The file is replaced, not written, so the folder must be watched.
    const folder = path.dirname(file);
    mkdirSync(folder, { recursive: true });
    watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (name === null || name === path.basename(file)) changed();
    });
    watcher.on('error', unwatched);
  } catch (error) {
    unwatched(error);
  }
  return { dispose: () => watcher?.close() };
}
