import type { AnalyticsClient } from '../../client/client.ts';
import { ClientError, isClientError } from '../../client/clientError.ts';
import type { User } from '../../contract/resources/user.ts';
import { deleteUser, isNamed, otherLogin, sendUsers, isLike, type RowOutcome } from './sendUsers.ts';
import type { ImportHeader, ImportJournalStore, JournalEntry, StoredImport } from './importJournal.ts';
import { readServerNames, type ServerNames } from './serverNames.ts';
import { canBeSent, isThere, statusOf, unfinished, type ImportRow } from './importRows.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Source and destination of an import. */
export type ImportSource = Omit<ImportHeader, 'version' | 'id' | 'rows' | 'startedAt'>;

/**
 * An import of users: its rows, their outcomes, and the journal that survives a crash. No failure loses data: every row
 * gets an outcome, and created users can be deleted again.
 */
export class ImportJob {
  readonly source: ImportSource;
  readonly rows: readonly ImportRow[];
  readonly #journals: ImportJournalStore;
  readonly #changed: () => void;
  readonly #pauses: readonly number[] | undefined;
  /** Serialized latest journal entry of each row, written or loaded by this job. */
  readonly #known: Map<number, string>;
  #journalId: string | undefined;

  constructor(source: ImportSource, rows: readonly ImportRow[], options: ImportJobOptions) {
    this.source = source;
    this.rows = rows;
    this.#journals = options.journals;
    this.#changed = options.changed;
    this.#journalId = options.kept?.header.id;
    this.#known = new Map([...(options.kept?.entries ?? [])].map(([line, entry]) => [line, textOf(entry)]));
    this.#pauses = options.pauses;
  }

  /** Id of its journal; undefined before anything was sent. */
  get journalId(): string | undefined {
    return this.#journalId;
  }

  /** Rows of unknown outcome that {@link run} could send again. */
  get uncertain(): readonly ImportRow[] {
    return this.waiting.filter((row) => row.status === 'unknown' && canBeSent(row));
  }

  /** Rows that {@link run} would send. */
  get waiting(): readonly ImportRow[] {
    // Rows of unknown outcome are looked up even if they cannot be sent again.
    return this.rows.filter((row) => unfinished.includes(row.status) && (canBeSent(row) || row.status === 'unknown'));
  }

  /** Users created by this import that still exist, as far as known. */
  get created(): readonly ImportRow[] {
    return this.rows.filter(isThere);
  }

  /** Rows that {@link undo} would process, including those of unknown outcome, whose users may exist. */
  get undoable(): readonly ImportRow[] {
    return this.rows.filter((row) => row.status === 'unknown' || isThere(row));
  }

  /**
   * Creates the missing users. Stops automatically if further rows would fail, too.
   * @param askToRepeat asks whether to resend rows of unknown outcome whose users are not visible; receives their
   * number.
   * @throws {ClientError} if the server's data cannot be read at the start, another installation responds, or another
   * window is running this import; then nothing was sent.
   */
  async run(
    client: AnalyticsClient,
    initialPassword: string,
    signal: AbortSignal,
    askToRepeat: (count: number) => Promise<boolean>,
  ): Promise<void> {
    const read = () => Promise.all([readServerNames(client), client.call('Contact/NewContact', {})]);
    // Beside the check. What another window may be running is read once that has ended.
    const early = this.#journalId === undefined ? read() : undefined;
    early?.catch(() => undefined);
    await this.#checkInstallation(client);
    await this.#exclusively(await this.#begin(), async () => {
      const [names, template] = await (early ?? read());
      await this.#send({ client, names, template, initialPassword, signal, askToRepeat });
    });
  }

  async #send(sending: Sending): Promise<void> {
    const { client, names, template, initialPassword, signal, askToRepeat } = sending;
    const { logins, groupIds, roles } = names;
    const found = await this.#waitingAfterLook(client);
    const uncertain = found.filter(({ status, userId }) => status === 'unknown' && userId === '');
    const mayRepeat = uncertain.length === 0 || (await askToRepeat(uncertain.length));
    const rows: ImportRow[] = [];
    for (const entry of found) {
      const { row, userId } = entry;
      if (userId === '' && logins.has(row.loginName.toLowerCase())) {
        const reason = l10n.t(
          '{0} already exists on {1} and was not created by this import.',
          row.loginName,
          client.target.name,
        );
        await this.#settle({ line: row.line, loginName: row.loginName, kind: 'failed', userId: '', reason });
      } else if (mayRepeat || !uncertain.includes(entry)) rows.push(entry);
    }
    await sendUsers({
      client,
      template,
      rows: rows.map(({ row, userId, status }) => ({ row, userId, wasSent: status === 'unknown' })),
      groupIds,
      roles,
      initialPassword,
      signal,
      onStart: async ({ line, loginName }) => {
        const entry = this.#rowAt(line);
        // A row that cannot be recorded is not sent.
        await this.#note({ line, loginName, kind: 'started', userId: entry.userId, reason: '' });
        entry.status = 'creating';
        this.#changed();
      },
      onOutcome: (outcome) => this.#settle(outcome),
      ...(this.#pauses ? { pauses: this.#pauses } : {}),
    });
  }

  /**
   * Deletes the users created by this import; each failure is shown with its row, which stays in the list.
   * @throws {ClientError} if another installation responds; then nothing was deleted.
   */
  async undo(client: AnalyticsClient, signal: AbortSignal): Promise<void> {
    await this.#checkInstallation(client);
    await this.#exclusively(await this.#begin(), () => this.#deleteCreated(client, signal));
  }

  async #deleteCreated(client: AnalyticsClient, signal: AbortSignal): Promise<void> {
    await this.#lookForUnknown(client, this.rows);
    for (const entry of this.rows) if (entry.status === 'unknown' && entry.userId === '') notFound(client, entry);
    for (const entry of this.created) {
      if (signal.aborted) return;
      const { userId, row, status } = entry;
      entry.status = 'deleting';
      this.#changed();
      try {
        await deleteUser(client, userId, row.loginName, this.#pauses);
      } catch (error) {
        if (await isDeleted(client, userId, error)) {
          const reason = l10n.t('The user was already deleted.');
          await this.#settle({ line: row.line, loginName: row.loginName, kind: 'undone', userId, reason });
          continue;
        }
        entry.status = status;
        entry.reason = error instanceof Error ? error.message : String(error);
        this.#changed();
        const aboutThisOne = ['refused', 'noPermission', 'notFound'] as const;
        if (!aboutThisOne.some((kind) => isClientError(error, kind))) return;
        continue;
      }
      await this.#settle({ line: row.line, loginName: row.loginName, kind: 'undone', userId, reason: '' });
    }
  }

  /** Runs `work` with exclusive access to the import, after loading changes by other windows. */
  #exclusively(id: string, work: () => Promise<void>): Promise<void> {
    return this.#journals.exclusively(id, async () => {
      const now = await this.#journals.read(id);
      for (const [line, entry] of now?.entries ?? []) {
        if (this.#known.get(line) === textOf(entry)) continue;
        this.#known.set(line, textOf(entry));
        const { userId, reason } = entry;
        Object.assign(this.#rowAt(line), { status: statusOf(entry), userId, reason });
      }
      this.#changed();
      await work();
    });
  }

  /** Verifies the installation: the import's ids are only valid there. */
  async #checkInstallation(client: AnalyticsClient): Promise<void> {
    const now = await client.call('LicenseManager/GetInstallationID', {});
    if (now === this.source.installation) return;
    const { name } = client.target;
    throw new ClientError('refused', l10n.t('Another installation now answers at the address of {0}.', name), {
      server: name,
      remedy: l10n.t('Nothing was sent: the users of this import belong to the previous installation.'),
    });
  }

  /**
   * The rows to send. Users of unknown outcome that exist are only added to their groups; created users whose login
   * name has changed since are skipped.
   */
  async #waitingAfterLook(client: AnalyticsClient): Promise<readonly ImportRow[]> {
    const { waiting } = this;
    const made = waiting.filter(({ userId }) => userId !== '');
    await this.#lookForUnknown(client, waiting);
    const sendable = waiting.filter((entry) => {
      if (canBeSent(entry)) return true;
      notFound(client, entry);
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

  /** Looks up users of unknown outcome. */
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

  async #begin(): Promise<string> {
    if (this.#journalId !== undefined) return this.#journalId;
    const rows = this.rows.filter(({ status }) => status !== 'invalid').map(({ row }) => row);
    const facts = { ...this.source, startedAt: new Date().toISOString() };
    return (this.#journalId = (await this.#journals.begin(facts, rows)).id);
  }

  async #settle(outcome: RowOutcome): Promise<void> {
    const entry = this.#rowAt(outcome.line);
    Object.assign(entry, { status: outcome.kind, userId: outcome.userId, reason: outcome.reason });
    this.#changed();
    await this.#note(outcome);
  }

  async #note(entry: JournalEntry | RowOutcome): Promise<void> {
    if (this.#journalId === undefined) return;
    await this.#journals.note(this.#journalId, entry);
    this.#known.set(entry.line, textOf(entry));
  }

  #rowAt(line: number): ImportRow {
    const found = this.rows.find(({ row }) => row.line === line);
    if (!found) throw new Error(`The import has no row of line ${line}.`);
    return found;
  }
}

/** What the rows of a run are sent with. */
interface Sending {
  readonly client: AnalyticsClient;
  readonly names: ServerNames;
  readonly template: User;
  readonly initialPassword: string;
  readonly signal: AbortSignal;
  askToRepeat: (count: number) => Promise<boolean>;
}

/** Dependencies of an {@link ImportJob}. */
export interface ImportJobOptions {
  readonly journals: ImportJournalStore;
  /** Called after every change of a row. */
  readonly changed: () => void;
  /** The journal of an earlier import. */
  readonly kept?: StoredImport | undefined;
  /** Pauses, in ms, before each check of the outcome of a call whose reply was lost. */
  readonly pauses?: readonly number[];
}

/** Whether a user that the server refused to return is no longer listed. */
async function isDeleted(client: AnalyticsClient, userId: string, error: unknown): Promise<boolean> {
  if (!isClientError(error, 'refused') && !isClientError(error, 'notFound')) return false;
  const users = await client.call('Contact/GetContactList', {}).catch(() => []);
  return users.length > 0 && !users.some(({ ID }) => String(ID) === userId);
}

function notFound(client: AnalyticsClient, entry: ImportRow): void {
  entry.reason = l10n.t('The user was not found on {0}.', client.target.name);
}

function textOf({ line, kind, userId, reason }: JournalEntry | RowOutcome): string {
  return JSON.stringify([line, kind, userId, reason]);
}
