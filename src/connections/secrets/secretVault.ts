import type { SessionAccount, SessionVault, StoredSession } from '../../client/session/sessionState.ts';
import { withFileLock } from '../fileLock.ts';
import { withSecretStorage } from './withSecretStorage.ts';

/** The part of the editor's secret storage that is used here. */
export interface Secrets {
  get(key: string): Thenable<string | undefined>;
  store(key: string, value: string): Thenable<void>;
  delete(key: string): Thenable<void>;
}

interface VaultOptions {
  /** Name of the server, for messages. */
  server: string;
  secrets: Secrets;
  /** Name of the secret. */
  key: string;
  /** File that serves as the lock between windows. */
  lockFile: string;
  /** The exact server that the token is for; a token kept for another one is never given out. */
  realm: string;
}

/** How much later an expiry must be to be written down: every call moves it by a little. */
const worthWritingMs = 60_000;

/**
 * Keeps one connection's session in secret storage, so that every window shares one sign-in. What fails here is a
 * ClientError of kind storage, which names the server and what to do.
 */
export class SecretVault implements SessionVault {
  readonly #options: VaultOptions;
  /** What is known to be kept: each call moves the expiry, and hardly any is worth writing. */
  #written: { token: string; expiry: number } | undefined;

  constructor(options: VaultOptions) {
    this.#options = options;
  }

  async read(): Promise<StoredSession | undefined> {
    const { server, secrets, key, realm } = this.#options;
    const session = readStoredSession(await withSecretStorage(server, () => secrets.get(key)), realm);
    this.#note(session);
    return session;
  }

  async write(session: StoredSession | undefined): Promise<void> {
    const { server, secrets, key, realm } = this.#options;
    // That the user signed out counts wherever the server is found next, also in windows that have not heard of it yet.
    const value = session ? { realm, ...session } : { isSignedOut: true };
    await withSecretStorage(server, () => secrets.store(key, JSON.stringify(value)));
    this.#note(session);
  }

  async isSignedOut(): Promise<boolean> {
    const { server, secrets, key } = this.#options;
    const text = await withSecretStorage(server, () => secrets.get(key));
    return text !== undefined && parseRecord(text)?.isSignedOut === true;
  }

  withLock<T>(work: () => Promise<T>): Promise<T> {
    const { lockFile, server } = this.#options;
    return withFileLock(lockFile, work, { server });
  }

  /**
   * Writes down that calls have moved the expiry of `session`, so that other windows and the next start know. One that took its
   * place in the meantime stays as it is.
   */
  async extend(session: StoredSession): Promise<void> {
    const expiry = Date.parse(session.expiresAt);
    const before = this.#written;
    if (before?.token === session.token && expiry - before.expiry < worthWritingMs) return;
    // Calls that come while this is being written need not write it too.
    this.#note(session);
    try {
      await this.withLock(async () => {
        const kept = await this.read();
        const isLater = kept?.token === session.token && !kept.isTakenOver && Date.parse(kept.expiresAt) < expiry;
        if (isLater) await this.write({ ...kept, expiresAt: session.expiresAt });
      });
    } catch (error) {
      this.#written = before;
      throw error;
    }
  }

  #note(session: StoredSession | undefined): void {
    this.#written = session && { token: session.token, expiry: Date.parse(session.expiresAt) };
  }
}

/** Reads a kept session; anything else, or one of another realm, counts as none. */
function readStoredSession(text: string | undefined, realm: string): StoredSession | undefined {
  const value = text === undefined ? undefined : parseRecord(text);
  if (!value || value.realm !== realm) return undefined;
  const { token, expiresAt, timeoutMs, account, isTakenOver } = value;
  if (typeof token !== 'string' || typeof expiresAt !== 'string' || typeof timeoutMs !== 'number') return undefined;
  if (Number.isNaN(Date.parse(expiresAt)) || !isAccount(account)) return undefined;
  return { token, expiresAt, timeoutMs, account, ...(isTakenOver === true && { isTakenOver }) };
}

function isAccount(value: unknown): value is SessionAccount {
  if (!isRecord(value)) return false;
  const texts = [value.userId, value.loginName, value.fullName, value.productVersion];
  const flags = [value.isAdmin, value.isGuest];
  const { demand, isSuperAdmin, maxRecords } = value;
  if (maxRecords !== undefined && typeof maxRecords !== 'number') return false;
  const isDemand = demand === undefined || demand === 'secondFactor' || demand === 'newPassword';
  const isKnown = isSuperAdmin === undefined || typeof isSuperAdmin === 'boolean';
  return (
    isDemand &&
    isKnown &&
    texts.every((text) => typeof text === 'string') &&
    flags.every((flag) => typeof flag === 'boolean')
  );
}

function parseRecord(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // A secret that is not ours any more is worth nothing.
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
