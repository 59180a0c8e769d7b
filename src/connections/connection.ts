import * as vscode from 'vscode';
import type { AnalyticsClient } from '../client/client.ts';
import { forConnection } from '../client/clientError.ts';
import type { ListName } from '../client/dialect/lists.ts';
import type { RequestLogger } from '../client/http/logger.ts';
import { stateOf, type Credentials, type SessionState, type StoredSession } from '../client/session/sessionState.ts';
import { inBackground, awaitServer } from '../client/http/cancelScope.ts';
import { waitFor } from '../client/http/waitFor.ts';
import type { Network, Route } from './network/network.ts';
import type { UnknownWrites } from './unknownWrites.ts';
import { SecretVault } from './secrets/secretVault.ts';
import { withSecretStorage } from './secrets/withSecretStorage.ts';
import { currentInstallation, throwIfOther } from './sameInstallation.ts';
import { localServerId, type ServerEntry } from './serverEntry.ts';
import type { ServerAddress, ServerLocation } from './localServer/serverLocation.ts';

/** Options of {@link Connection}. */
export interface ConnectionOptions {
  entry: ServerEntry;
  location: ServerLocation;
  secrets: vscode.SecretStorage;
  network: Network;
  unknownWrites: UnknownWrites;
  /** Path, without suffix, of the lock that all windows share. */
  lockFile: string;
  logger: RequestLogger;
  /** Called when a list is sent in our form to a server that has not shown that it takes it. */
  onUnseenForm?(connection: Connection, name: ListName): void;
  /** Saves a changed entry. */
  save(entry: ServerEntry): Promise<void>;
}

/**
 * One saved server and the account used on it. Contacts the server only when its client is requested; until then it
 * reads its session from secret storage, so that opening a window costs no request.
 */
export class Connection implements vscode.Disposable {
  readonly id: string;
  readonly kind: ServerEntry['kind'];
  readonly #options: ConnectionOptions;
  readonly #stateChanged = new vscode.EventEmitter<SessionState>();
  /** Fires at every change, including when a call extends the session's expiry. */
  readonly onDidChangeState = this.#stateChanged.event;
  #entry: ServerEntry;
  #state: SessionState = { kind: 'signedOut' };
  #open:
    | { client: AnalyticsClient; vault: SecretVault; address: ServerAddress; route: Route; unsubscribe: () => void }
    | undefined;
  #opening: Promise<AnalyticsClient> | undefined;
  /** Callers that still hold a removed server must not start it or sign in to it again. */
  #isRemoved = false;
  /**
   * The client of a server that was stopped or moved; its holders are redirected to the next client of the same data.
   */
  #former: { client: AnalyticsClient; address: ServerAddress } | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#entry = options.entry;
    this.id = options.entry.id;
    this.kind = options.entry.kind;
  }

  get entry(): ServerEntry {
    return this.#entry;
  }

  get name(): string {
    return this.#entry.name;
  }

  /** Account that is signed in or will sign in; empty for a guest who is not signed in. */
  get userName(): string {
    return 'account' in this.#state ? this.#state.account.loginName : this.#entry.userName;
  }

  /** The session's state; a session past its expiry counts as expired even before a call fails. */
  get state(): SessionState {
    const state = this.#state;
    if (state.kind !== 'active' || state.expiresAt.getTime() > Date.now()) return state;
    return { kind: 'expired', account: state.account };
  }

  /** The client if this window has used the server since it was opened; does not start anything. */
  get openClient(): AnalyticsClient | undefined {
    return this.#open?.client;
  }

  /**
   * Client for typed calls to this server. Starts the local server if needed; the first call that needs a session signs
   * in if the password is saved. Request the client for each action: restarting the local server replaces it.
   * @param own cancels the wait, for callers with a cancel button.
   * @throws {Error} when the local server does not start, or the server was removed from the list.
   */
  client(own?: AbortSignal): Promise<AnalyticsClient> {
    if (this.#isRemoved)
      return Promise.reject(new Error(vscode.l10n.t('{0} is no longer in the server list.', this.name)));
    const opening = (this.#opening ??= inBackground(() => this.#openClient()).finally(() => {
      this.#opening = undefined;
    }));
    // Cancelling ends only this wait: other callers may be waiting for the same start.
    return forConnection(this.id, () =>
      awaitServer(this.name, own, (signal) =>
        waitFor(opening, { signal, deadlineMs: Infinity }, { server: this.name, isUnsent: true }),
      ),
    );
  }

  /** Connects while the user enters a password, so that the sign-in need not wait for it. A failure is left to that. */
  async openAhead(): Promise<void> {
    // The local server is near, and need not run yet.
    if (this.kind === 'local') return;
    const opened = this.client().then((client) => client.openAhead());
    await opened.catch(() => undefined);
  }

  /**
   * Signs in with credentials from the user, which ends every other session of that account.
   * @param keepsPassword whether to save the password in secret storage for later sign-ins.
   * @param signal fires when the user cancels.
   * @throws {ClientError} when the server refuses or cannot be reached.
   */
  async signIn(credentials: Credentials, keepsPassword: boolean, signal?: AbortSignal): Promise<void> {
    const client = await this.client(signal);
    const asked = currentInstallation(client, this.#entry);
    // Awaited after the sign-in, whose failure comes first.
    asked.catch(() => undefined);
    await forConnection(this.id, () => client.session.signIn(credentials, signal));
    const installationId = await asked;
    // The local server's own password is already stored with its data.
    const isKept = keepsPassword && credentials.password !== (await this.#ownPassword());
    await this.#useSecrets((secrets) =>
      isKept ? secrets.store(this.#passwordKey, credentials.password) : secrets.delete(this.#passwordKey),
    );
    const { userName, isGuest } = credentials;
    const isOther = installationId !== this.#entry.installationId;
    await this.#saveEntry({ ...this.#entry, userName, isGuest, keepsPassword, installationId, isSignedOut: false });
    // What is displayed belongs to the previous installation.
    if (isOther) this.#stateChanged.fire(this.#state);
  }

  /** Saved credentials of this account, if any. */
  async keptCredentials(): Promise<Credentials | undefined> {
    const { userName, isGuest } = this.#entry;
    if (isGuest) return { userName: '', password: '', isGuest: true };
    // For the local server's own account, a password entered since it was changed there takes precedence.
    const kept = await this.#useSecrets((secrets) => secrets.get(this.#passwordKey));
    const password = kept ?? (await this.#ownPassword());
    return password === undefined ? undefined : { userName, password, isGuest: false };
  }

  /**
   * The password that the local server was started with: for its own account, never sent for another one automatically.
   */
  async #ownPassword(): Promise<string | undefined> {
    return this.id === localServerId ? this.#options.location.password?.() : undefined;
  }

  /**
   * Ends the session here and on the server; only the user can sign in again.
   * @param signal fires when the user stops waiting for the server.
   */
  async signOut(signal?: AbortSignal): Promise<void> {
    await this.#saveEntry({ ...this.#entry, isSignedOut: true });
    if ((await this.#options.location.peek()) === undefined) {
      const vault = this.#vault({ realm: '' });
      const forgotten = vault.withLock(() => vault.write(undefined));
      const facts = { server: this.name, isUnsent: true };
      await awaitServer(this.name, signal, (either) =>
        waitFor(forgotten, { signal: either, deadlineMs: Infinity }, facts),
      );
      this.#set({ kind: 'signedOut' });
      return;
    }
    const { session } = await this.client(signal);
    await forConnection(this.id, () => session.signOut(signal));
  }

  /** Restores the session that this or another window stored in secret storage. Makes no request. */
  async restore(): Promise<void> {
    const address = await this.#options.location.peek();
    if (this.#open && address?.realm === this.#open.address.realm) {
      await this.#open.client.session.restore();
      return;
    }
    const stored = address === undefined ? undefined : await this.#vault(address).read();
    // A client that is being opened has newer information.
    if (this.#opening) return;
    this.#close();
    this.#set(stateOf(stored, Date.now()));
  }

  /** Whether `key` is the secret key of this connection's session. */
  ownsSecret(key: string): boolean {
    return key === this.#sessionKey;
  }

  async rename(name: string): Promise<void> {
    await this.#saveEntry({ ...this.#entry, name });
  }

  /** Applies an entry that another window saved. */
  adopt(entry: ServerEntry): void {
    this.#entry = entry;
  }

  /** Deletes the stored session and password. */
  async forget(): Promise<void> {
    await this.#useSecrets((secrets) => secrets.delete(this.#sessionKey));
    await this.#useSecrets((secrets) => secrets.delete(this.#passwordKey));
  }

  dispose(): void {
    this.#isRemoved = true;
    this.#close();
    this.#stateChanged.dispose();
  }

  async #openClient(): Promise<AnalyticsClient> {
    const address = await this.#options.location.resolve();
    const route = await this.#options.network.routeTo(address.apiBase);
    const open = this.#open;
    if (open?.address.realm === address.realm && open.route === route && open.client.target.name === this.name) {
      return open.client;
    }
    const { AnalyticsClient } = await import('../client/client.ts');
    const vault = this.#vault(address);
    const client: AnalyticsClient = new AnalyticsClient({
      target: { connectionId: this.id, name: this.name, apiBase: address.apiBase, prove: address.prove, ...route },
      vault,
      credentials: () => this.#credentialsFor(client),
      forgetRejected: ({ password }) => this.#forgetPassword(password),
      logger: this.#options.logger,
      joinsReads: true,
      speaksOurs: this.kind === 'local',
      onUnseenForm: (name) => this.#options.onUnseenForm?.(this, name),
      journal: this.#options.unknownWrites.journalOf(this),
    });
    const unsubscribe = client.session.onDidChange((state) => {
      this.#set(state);
      const { shared } = client.session;
      if (shared) void inBackground(() => this.#extend(vault, shared));
    });
    open?.unsubscribe();
    // A save in progress must not fail because the server's name or route changed.
    for (const earlier of [this.#former, open]) handOver(earlier, { client, address });
    this.#former = undefined;
    this.#open = { client, vault, address, route, unsubscribe };
    await client.session.restore(open?.client.session);
    this.#set(client.session.state);
    return client;
  }

  /**
   * Credentials for renewing an expired session without the user.
   * @throws {ClientError} of kind notSignedIn when another installation answers: displayed data and pending changes
   * come from the previous one and must not be applied to objects with the same ids there.
   */
  async #credentialsFor(client: AnalyticsClient): Promise<Credentials | undefined> {
    const kept = this.#entry.isSignedOut ? undefined : await this.keptCredentials();
    if (kept) await throwIfOther(client, this.#entry);
    return kept;
  }

  /** Accounts lock: a saved password that the server rejected must not be sent by another window or after a restart. */
  async #forgetPassword(rejected: string): Promise<void> {
    const kept = await this.#useSecrets((secrets) => secrets.get(this.#passwordKey));
    if (kept === rejected) await this.#useSecrets((secrets) => secrets.delete(this.#passwordKey));
    if (this.id === localServerId) await this.#options.location.rejectPassword?.(rejected);
  }

  #useSecrets<T>(use: (secrets: vscode.SecretStorage) => Thenable<T>): Promise<T> {
    return withSecretStorage(this.name, () => use(this.#options.secrets));
  }

  async #extend(vault: SecretVault, session: StoredSession): Promise<void> {
    try {
      await vault.extend(session);
    } catch {
      // Only makes another window sign in early; the session itself continues.
    }
  }

  #vault({ realm }: Pick<ServerAddress, 'realm'>): SecretVault {
    const { secrets, lockFile } = this.#options;
    return new SecretVault({ server: this.name, secrets, key: this.#sessionKey, lockFile: `${lockFile}.lock`, realm });
  }

  #close(): void {
    if (!this.#open) return;
    this.#open.unsubscribe();
    void this.#open.client.close();
    handOver(this.#former, this.#open);
    this.#former = this.#open;
    this.#open = undefined;
  }

  get #sessionKey(): string {
    return `analytics.session.${this.id}`;
  }

  get #passwordKey(): string {
    return `analytics.password.${this.id}`;
  }

  async #saveEntry(entry: ServerEntry): Promise<void> {
    this.#entry = entry;
    await this.#options.save(entry);
  }

  #set(state: SessionState): void {
    this.#state = state;
    this.#stateChanged.fire(state);
  }
}

/** A client and the address it calls. */
interface Served {
  client: AnalyticsClient;
  address: ServerAddress;
}

/**
 * Redirects holders of an earlier client to the next one. If the data differs, the earlier client is closed instead:
 * changes to its objects must not be saved to objects with the same ids here.
 */
function handOver(earlier: Served | undefined, next: Served): void {
  if (earlier?.address.installationId === next.address.installationId) void earlier.client.giveWayTo(next.client);
  else void earlier?.client.close();
}
