/** A saved server. Contains no secrets. */
export interface ServerEntry {
  /** Stable id: part of URIs, node ids and secret names. */
  id: string;
  /** Name shown to the user. */
  name: string;
  /** `local` is the embedded server that this extension starts itself. */
  kind: 'local' | 'remote';
  /** Root of the API; empty for the local server, whose address changes at every start. */
  apiBase: string;
  /**
   * The installation that the user last signed in to; empty for the local server, and if the server did not return one.
   */
  installationId: string;
  /** Account to sign in with; empty for a guest. */
  userName: string;
  isGuest: boolean;
  /** Whether the user chose to save the password in secret storage. */
  keepsPassword: boolean;
  /** Whether the user signed out, so that only the user may sign in again. */
  isSignedOut: boolean;
}

/** Id of the entry of the embedded server; there is one per machine. */
export const localServerId = 'local';

/** Whether a new session can be started without the user: with a saved password or as a guest. */
export function signsInAlone({ isSignedOut, keepsPassword, isGuest }: ServerEntry): boolean {
  return !isSignedOut && (keepsPassword || isGuest);
}

/** Parses saved servers; skips duplicate ids and entries that this release cannot read. */
export function readServerEntries(value: unknown): ServerEntry[] {
  if (!Array.isArray(value)) return [];
  const entries = new Map<string, ServerEntry>();
  for (const item of value as unknown[]) {
    if (isServerEntry(item) && !entries.has(item.id)) entries.set(item.id, item);
  }
  return [...entries.values()];
}

/** Entries that this release cannot read but a later one may: they stay in the list. */
export function unreadableEntries(saved: readonly unknown[]): object[] {
  return saved.filter((item): item is object => typeof item === 'object' && item !== null && !isServerEntry(item));
}

function isServerEntry(value: unknown): value is ServerEntry {
  if (typeof value !== 'object' || value === null) return false;
  const entry = value as Partial<Record<keyof ServerEntry | 'version', unknown>>;
  if (entry.version !== undefined) return false;
  const texts = [entry.id, entry.name, entry.apiBase, entry.installationId, entry.userName];
  const flags = [entry.isGuest, entry.keepsPassword, entry.isSignedOut];
  return (
    texts.every((text) => typeof text === 'string') &&
    flags.every((flag) => typeof flag === 'boolean') &&
    entry.id !== '' &&
    (entry.kind === 'local' || entry.kind === 'remote')
  );
}
