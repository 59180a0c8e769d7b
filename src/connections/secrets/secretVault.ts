import type { SessionAccount, SessionVault, StoredSession } from '../../client/session/sessionState.ts';
import { withFileLock } from '../fileLock.ts';
import { withSecretStorage } from './withSecretStorage.ts';

/** The part of the editor's secret storage used here. */
export interface Secrets {
  get(key: string): Thenable<string | undefined>;
  store(key: string, value: string): Thenable<void>;
  delete(key: string): Thenable<void>;
}

interface VaultOptions {
  /** Name of the server, for messages. */
  server: string;
  secrets: Secrets;
  /** Key of the secret. */
  key: string;
  /** Path of the lock shared by all windows. */
  lockFile: string;
  /** The server instance that the token is for; a token stored for another one is never returned. */
  realm: string;
}

/** Minimum change of an expiry that is stored: every call extends it slightly. */
const worthWritingMs = 60_000;

/**
 * Stores one connection's session in secret storage, so that all windows share one sign-in. Failures are ClientErrors
 * of kind storage, which name the server and what to do.
 */
export class SecretVault implements SessionVault {
  readonly #options: VaultOptions;
  /** The last session known to be stored: each call extends the expiry, and few extensions are worth storing. */
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
    // A sign-out applies at any address of the server, and to windows that have not noticed it yet.
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
   * Stores the extended expiry of `session` for other windows and the next start. A session that replaced it meanwhile
   * stays unchanged.
   */
  async extend(session: StoredSession): Promise<void> {
    const expiry = Date.parse(session.expiresAt);
    const before = this.#written;
    if (before?.token === session.token && expiry - before.expiry < worthWritingMs) return;
    // Calls during this write need not write it, too.
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

/** Parses a stored session; undefined for other content or another realm. */
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
  const { demand, isSuperAdmin, maxRecords, timezone, timezonename, tenantMode, licenceState, licences } = value;
  if ([maxRecords, timezone].some((number) => number !== undefined && typeof number !== 'number')) return false;
  if ([timezonename, licenceState, licences].some((text) => text !== undefined && typeof text !== 'string')) {
    return false;
  }
  const isDemand = demand === undefined || demand === 'secondFactor' || demand === 'newPassword';
  const isKnown = [isSuperAdmin, tenantMode].every((flag) => flag === undefined || typeof flag === 'boolean');
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
    // Content that is not ours is ignored.
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
