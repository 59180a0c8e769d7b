import type { AnalyticsClient } from '../client/client.ts';
import { ClientError, isClientError } from '../client/clientError.ts';
import { asAnswered, writeOnce } from '../client/writes.ts';
import type { User } from '../contract/resources/user.ts';
import type { ImportHeader, ImportJournals, KeptImport, KeptRow } from './importJournal.ts';
import type { KnownNames, RowProblem, UserRow } from './userCsv.ts';
import { importUsers, isLike, type RowOutcome } from './userImport.ts';
import { say } from '../words/say.ts';

/** How a row stands. `invalid` rows are never sent. */
export type RowStatus = 'ready' | 'invalid' | 'creating' | 'deleting' | RowOutcome['kind'];

/** One row of an import and what became of it. */
export interface ImportRow {
  row: UserRow;
  status: RowStatus;
  userId: string;
  reason: string;
}

/** Where an import comes from, and where it goes. */
export type ImportSource = Omit<ImportHeader, 'id' | 'rows' | 'startedAt'>;

/** Names of a server, and the ids behind them; a name that several groups hold stands for none. */
export interface ServerNames extends KnownNames {
  groupIds: ReadonlyMap<string, string>;
}

/** Reads the names that rows are checked against. */
export async function readServerNames(client: AnalyticsClient): Promise<ServerNames> {
  const [users, groups] = await Promise.all([
    client.call('Contact/GetContactList', {}),
    client.call('Group/GetAllSecurityGroups', {}),
  ]);
  const idsByName = new Map<string, Set<string>>();
  for (const { GroupId, GroupName } of groups) {
    const id = String(GroupId);
    // Names may be held by several groups; `#id` tells those apart.
    for (const name of [(GroupName ?? '').trim().toLowerCase(), `#${id}`]) {
      idsByName.set(name, (idsByName.get(name) ?? new Set()).add(id));
    }
  }
  const ambiguousGroups = new Map<string, string[]>();
  const groupIds = new Map<string, string>();
  for (const [name, ids] of idsByName) {
    const [only = '', ...others] = ids;
    if (others.length > 0) ambiguousGroups.set(name, [...ids]);
    else groupIds.set(name, only);
  }
  return {
    logins: new Set(users.map(({ LoginName }) => (LoginName ?? '').toLowerCase())),
    groups: new Set(idsByName.keys()),
    ambiguousGroups,
    groupIds,
  };
}

/** Rows that a further run sends: what is not there yet, and users who lack a group. */
const unfinished: readonly RowStatus[] = ['ready', 'notTried', 'failed', 'unknown', 'partial'];

/**
 * An import of users: its rows, what became of each, and the journal that keeps it across a crash. Nothing is lost on a
 * fault: every row ends in an outcome, and what was created can be deleted again.
 */
export class ImportJob {
  readonly source: ImportSource;
  readonly rows: readonly ImportRow[];
  readonly #journals: ImportJournals;
  readonly #changed: () => void;
  readonly #pauses: readonly number[] | undefined;
  #journalId: string | undefined;

  /** @param changed is called after every change of a row. */
  constructor(
    source: ImportSource,
    rows: readonly ImportRow[],
    options: { journals: ImportJournals; changed: () => void; journalId?: string; pauses?: readonly number[] },
  ) {
    this.source = source;
    this.rows = rows;
    this.#journals = options.journals;
    this.#changed = options.changed;
    this.#journalId = options.journalId;
    this.#pauses = options.pauses;
  }

  /** Rows that {@link run} would send. */
  get waiting(): readonly ImportRow[] {
    // Those of unknown outcome are looked for even where they cannot be sent again.
    return this.rows.filter((row) => unfinished.includes(row.status) && (canBeSent(row) || row.status === 'unknown'));
  }

  /** Users that this import created and that are still there, as far as it knows. */
  get created(): readonly ImportRow[] {
    return this.rows.filter(isThere);
  }

  /** Rows that {@link undo} would look at: also those of unknown outcome, whose users may be there. */
  get undoable(): readonly ImportRow[] {
    return this.rows.filter((row) => row.status === 'unknown' || isThere(row));
  }

  /**
   * Creates what is not there yet. Stops by itself where going on would fail as well.
   * @throws {ClientError} when the server cannot be read to begin with, or is another installation; then nothing was sent.
   */
  async run(client: AnalyticsClient, initialPassword: string, signal: AbortSignal): Promise<void> {
    await this.#checkInstallation(client);
    const { groupIds } = await readServerNames(client);
    const rows = [...(await this.#waitingAfterLook(client))];
    await this.#begin();
    await importUsers({
      client,
      rows: rows.map(({ row, userId }) => ({ row, userId })),
      groupIds,
      initialPassword,
      signal,
      onStart: async ({ line, loginName }) => {
        const entry = this.#rowAt(line);
        entry.status = 'creating';
        this.#changed();
        await this.#note({ line, loginName, kind: 'started', userId: entry.userId, reason: '' });
      },
      onOutcome: (outcome) => this.#settle(outcome),
      ...(this.#pauses ? { pauses: this.#pauses } : {}),
    });
  }

  /**
   * Deletes the users that this import created; each that could not be deleted says why and stays in the list.
   * @throws {ClientError} when another installation answers now; then nothing was deleted.
   */
  async undo(client: AnalyticsClient, signal: AbortSignal): Promise<void> {
    await this.#checkInstallation(client);
    await this.#lookForUnknown(client, this.rows);
    for (const entry of this.created) {
      if (signal.aborted) return;
      const { userId, row, status } = entry;
      entry.status = 'deleting';
      this.#changed();
      try {
        await deleteUser(client, userId, row.loginName, this.#pauses);
        await this.#settle({ line: row.line, loginName: row.loginName, kind: 'undone', userId, reason: '' });
      } catch (error) {
        entry.status = status;
        entry.reason = error instanceof Error ? error.message : String(error);
        this.#changed();
        const aboutThisOne = ['refused', 'noPermission', 'notFound'] as const;
        if (!aboutThisOne.some((kind) => isClientError(error, kind))) return;
      }
    }
  }

  /** The ids of the import are those of one installation. */
  async #checkInstallation(client: AnalyticsClient): Promise<void> {
    const now = await client.call('LicenseManager/GetInstallationID', {});
    if (now === this.source.installation) return;
    const { name } = client.target;
    throw new ClientError('refused', say('Another installation answers at the address of {0} now.', name), {
      server: name,
      remedy: say('Nothing was sent: the users of this import are those of the earlier one.'),
    });
  }

  /**
   * What is to be sent. Users of unknown outcome that are there are not sent again, only put into their groups; those who were
   * created and have another login name by now are left alone.
   */
  async #waitingAfterLook(client: AnalyticsClient): Promise<readonly ImportRow[]> {
    const { waiting } = this;
    const made = waiting.filter(({ userId }) => userId !== '');
    await this.#lookForUnknown(client, waiting);
    const sendable = waiting.filter((entry) => {
      if (canBeSent(entry)) return true;
      entry.reason = say('It was not found on {0}.', client.target.name);
      return false;
    });
    if (made.length === 0) return sendable;
    const users = await client.call('Contact/GetContactList', {});
    return sendable.filter((entry) => {
      const { row, userId } = entry;
      const known = made.includes(entry) ? users.find(({ ID }) => String(ID) === userId) : undefined;
      if (!known || isNamed(known.LoginName, row.loginName)) return true;
      entry.reason = otherLogin(client, userId, known.LoginName);
      return false;
    });
  }

  /** Looks whether users of unknown outcome are there. */
  async #lookForUnknown(client: AnalyticsClient, rows: readonly ImportRow[]): Promise<void> {
    const unknown = rows.filter(({ status }) => status === 'unknown');
    if (unknown.length === 0) return;
    const users = await client.call('Contact/GetContactList', {});
    for (const entry of unknown) {
      const { row } = entry;
      const found = users.find(({ LoginName }) => isNamed(LoginName, row.loginName));
      entry.userId = found && isLike(found, row) ? String(found.ID) : '';
    }
  }

  async #begin(): Promise<void> {
    if (this.#journalId !== undefined) return;
    const rows = this.rows.filter(({ status }) => status !== 'invalid').map(({ row }) => row);
    const facts = { ...this.source, startedAt: new Date().toISOString() };
    this.#journalId = (await this.#journals.begin(facts, rows)).id;
  }

  async #settle(outcome: RowOutcome): Promise<void> {
    const entry = this.#rowAt(outcome.line);
    Object.assign(entry, { status: outcome.kind, userId: outcome.userId, reason: outcome.reason });
    this.#changed();
    await this.#note(outcome);
  }

  async #note(entry: Parameters<ImportJournals['note']>[1]): Promise<void> {
    if (this.#journalId !== undefined) await this.#journals.note(this.#journalId, entry);
  }

  #rowAt(line: number): ImportRow {
    const found = this.rows.find(({ row }) => row.line === line);
    if (!found) throw new Error(`The import has no row of line ${line}.`);
    return found;
  }
}

/** Whether a row's user is there, as far as is known. */
function isThere({ status, userId }: ImportRow): boolean {
  return userId !== '' && status !== 'undone';
}

/** Whether a row may be sent: a user who is there needs no password any more. */
export function canBeSent({ row, userId }: ImportRow): boolean {
  return userId !== '' || !row.problems.some(({ kind }) => kind === 'noPassword');
}

/** Rows of a file that was just read. */
export function freshRows(rows: readonly UserRow[]): ImportRow[] {
  return rows.map((row) => ({ row, status: row.problems.length > 0 ? 'invalid' : 'ready', userId: '', reason: '' }));
}

/**
 * Rows of an import that was begun earlier, as its journal tells them. A row whose outcome is not in the journal may have
 * been sent: it is looked for before anything is sent again.
 * @param passwords of the file, by line; needed for rows that have one of their own and were not created yet.
 */
export function keptRows({ header, entries }: KeptImport, passwords: ReadonlyMap<number, string>): ImportRow[] {
  return header.rows.map((kept) => {
    const entry = entries.get(kept.line);
    const row = toRow(kept, passwords.get(kept.line) ?? '');
    const status = entry?.kind === 'started' ? 'unknown' : (entry?.kind ?? 'ready');
    const isLacking = unfinished.includes(status) && kept.hasPassword && row.password === '' && !entry?.userId;
    const problems: RowProblem[] = isLacking ? [{ kind: 'noPassword', text: '' }] : [];
    return {
      row: { ...row, problems },
      // What was sent stays what it is: it may be there, or the server has said why it is not.
      status: isLacking && isUnsent(status) ? 'invalid' : status,
      userId: entry?.userId ?? '',
      reason: entry?.reason ?? '',
    };
  });
}

function isUnsent(status: RowStatus): boolean {
  return status === 'ready' || status === 'notTried';
}

function toRow({ hasPassword: _has, ...kept }: KeptRow, password: string): UserRow {
  return { ...kept, password, problems: [] };
}

function isNamed(loginName: string | null | undefined, wanted: string): boolean {
  return (loginName ?? '').toLowerCase() === wanted.toLowerCase();
}

function otherLogin({ target }: AnalyticsClient, userId: string, loginName: string | null | undefined): string {
  return say('On {0} user {1} is {2} now, and was left alone.', target.name, userId, loginName ?? '–');
}

/**
 * Deletes a user whose object was just read, so that only a lost reply costs a look at the whole list.
 * @throws {ClientError} when the user has not the login name of the row: it may be somebody else.
 */
async function deleteUser(
  client: AnalyticsClient,
  userId: string,
  loginName: string,
  pauses: readonly number[] | undefined,
): Promise<void> {
  const user = await client.call('Contact/GetContactById', { ContactId: userId });
  if (!isNamed(user.LoginName, loginName)) {
    throw new ClientError('refused', otherLogin(client, userId, user.LoginName), { server: client.target.name });
  }
  let known: User[] | undefined = [user];
  await writeOnce(
    client,
    {
      path: 'Contact/DeleteContact',
      body: { user },
      object: say('the user {0}', user.LoginName ?? userId),
      kind: 'delete',
      read: async (signal) => {
        const found = known ?? (await client.call('Contact/GetContactList', {}, signal ? { signal } : {}));
        known = undefined;
        return found.filter(({ ID }) => String(ID) === userId);
      },
      idOf: ({ ID }) => String(ID),
      hasContent: () => true,
    },
    asAnswered,
    { pauses },
  );
}
