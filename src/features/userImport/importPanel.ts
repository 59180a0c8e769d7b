import * as vscode from 'vscode';
import { showErrorMessage } from '../../editor/messages.ts';
import { showSaveDialog } from '../../editor/panels.ts';
import * as z from 'zod';
import { importEffect, rowLinesOf } from './importEffect.ts';
import { ImportJob } from './importJob.ts';
import { readServerNames } from './serverNames.ts';
import { canBeSent, freshRows, keptRows, type ImportRow } from './importRows.ts';
import { isUnfinished, type ImportJournalStore, type StoredImport } from './importJournal.ts';
import { isClientError } from '../../client/clientError.ts';
import { abortSoonAfter, runWithSignal } from '../../client/http/cancelScope.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { displayText } from '../../editor/displayText.ts';
import { runInBackground } from '../../editor/progress.ts';
import type { ImportContract, ImportState } from './pageContract.ts';
import type { RequestSchemas } from '../../editor/pages/answerRequest.ts';
import { fileNameOf, passwordsOf, textOfFile, usersIn } from './importFile.ts';
import {
  askInitialPassword,
  confirmIgnored,
  confirmImport,
  seatLines,
  confirmRepeat,
  askToUndo,
  showStopped,
  importState,
  rowView,
  type ImportRemarks,
} from './importWords.ts';
import { saveTemplate } from './saveTemplate.ts';
import { outcomeCsv } from './csvText.ts';
import { PagePanel } from '../../editor/pages/pagePanel.ts';

/** Dependencies of an import. */
export interface ImportPanelOptions {
  connection: Connection;
  /** Reports when the server is removed: the panel then closes. */
  connections: Pick<ConnectionStore, 'get' | 'onDidChange'>;
  extensionUri: vscode.Uri;
  journals: ImportJournalStore;
  /** Called after users were created or deleted. */
  changed: () => Promise<void>;
}

const nothing = z.null();
const schemas: RequestSchemas<ImportContract> = {
  ready: nothing,
  import: nothing,
  stop: nothing,
  undo: nothing,
  saveOutcome: nothing,
};

/** Minimum interval between updates of the page, in milliseconds. */
const tellingMs = 100;

/**
 * Opens a user file for import, after asking about columns that cannot be imported; nothing is sent before the user
 * confirms.
 * @throws {Error} if the file is not a list of users, or the server's users and groups cannot be read.
 */
export async function openUserImport(file: vscode.Uri, options: ImportPanelOptions): Promise<void> {
  const { connection } = options;
  const client = await connection.client();
  const [text, names, installation] = await Promise.all([
    textOfFile(file),
    readServerNames(client),
    client.call('LicenseManager/GetInstallationID', {}),
  ]);
  const { rows, ignoredColumns } = usersIn(text, file, names);
  const fileName = fileNameOf(file);
  const answer = ignoredColumns.length === 0 ? 'import' : await confirmIgnored(ignoredColumns, fileName);
  if (answer === 'template') await saveTemplate();
  if (answer !== 'import') return;
  const source = { connectionId: connection.id, installation, file: file.toString(), fileName };
  const entries = freshRows(rows);
  const { lines } = await importEffect(client, entries, names);
  const rowLines = [...lines, ...seatLines(entries, names.applications)];
  new ImportPanel(source, entries, { ignoredColumns, rowLines }, options);
}

/** Open panels; an import has at most one. */
const panels = new Set<ImportPanel>();

/**
 * Opens an earlier import to resume or undo it; reveals its panel if it is already open.
 * @param thenUndo whether to ask right away whether to undo it.
 */
export async function reopenUserImport(
  kept: StoredImport,
  options: ImportPanelOptions,
  thenUndo = false,
): Promise<void> {
  const { header } = kept;
  const open = [...panels].find(({ journalId }) => journalId === header.id);
  if (open) return open.reveal();
  const needsFile = isUnfinished(kept) && header.rows.some(({ hasPassword }) => hasPassword);
  const passwords = needsFile
    ? await passwordsOf(vscode.Uri.parse(header.file, true), kept)
    : new Map<number, string>();
  const { connectionId, installation, file, fileName } = header;
  const source = { connectionId, installation, file, fileName };
  const rows = keptRows(kept, passwords);
  const rowLines = isUnfinished(kept) ? await rowLinesOf(options.connection, rows) : [];
  const panel = new ImportPanel(source, rows, { ignoredColumns: [], rowLines }, options, kept);
  if (thenUndo) panel.undo();
}

/**
 * The panel of an import. Closing it stops the import after the rows in progress, and reports it; the journal remains.
 */
class ImportPanel {
  readonly #options: ImportPanelOptions;
  readonly #job: ImportJob;
  readonly #page: PagePanel<ImportContract>;
  readonly #place: { fileName: string; server: string } & ImportRemarks;
  #stop: AbortController | undefined;
  /** Whether an operation is in progress, including its first prompt. */
  #isBusy = false;
  #isClosed = false;
  #isUndoing = false;
  #fault = '';
  #telling: NodeJS.Timeout | undefined;
  #told: string[];

  constructor(
    source: ImportJob['source'],
    rows: readonly ImportRow[],
    remarks: ImportRemarks,
    options: ImportPanelOptions,
    kept?: StoredImport,
  ) {
    const { journals, connection, extensionUri } = options;
    this.#options = options;
    this.#place = { fileName: source.fileName, server: connection.name, ...remarks };
    this.#job = new ImportJob(source, rows, {
      journals,
      changed: () => this.#changed(),
      kept,
    });
    this.#told = rows.map((row) => JSON.stringify(rowView(row)));
    this.#page = new PagePanel<ImportContract>({
      extensionUri,
      viewType: 'analytics.import',
      title: vscode.l10n.t('Import {0}', displayText(source.fileName)),
      icon: 'account',
      connectionId: connection.id,
      connections: options.connections,
      page: 'userImport',
      schemas,
      handlers: {
        ready: () => ({ state: this.#state, rows: this.#job.rows.map(rowView) }),
        import: () => this.#begin(() => this.#import()),
        stop: () => this.#halt(),
        undo: () => this.undo(),
        saveOutcome: () => this.#saveOutcome(),
      },
    });
    panels.add(this);
    this.#page.onDidDispose(() => {
      this.#isClosed = true;
      panels.delete(this);
      this.#halt();
    });
  }

  /** Id of the import's journal; undefined before anything was sent. */
  get journalId(): string | undefined {
    return this.#job.journalId;
  }

  /** Reveals the panel. */
  reveal(): void {
    this.#page.reveal();
  }

  /** Deletes the users created by the import after asking. */
  undo(): null {
    return this.#begin(() => this.#undo());
  }

  get #state(): ImportState {
    return importState(this.#job, this.#place, {
      isRunning: this.#stop !== undefined,
      isUndoing: this.#isUndoing,
      fault: this.#fault,
    });
  }

  /** Starts an operation without waiting; its result appears on the page. */
  #begin(work: () => Promise<void>): null {
    if (this.#isBusy) return null;
    this.#isBusy = true;
    void work()
      .catch((error: unknown) => {
        this.#fault = faultWords(error);
        this.#changed();
        if (this.#isClosed) void showErrorMessage(this.#fault);
      })
      .finally(() => (this.#isBusy = false));
    return null;
  }

  async #import(): Promise<void> {
    const { connection, changed } = this.#options;
    const { waiting } = this.#job;
    const { lines, givesRows } = await importEffect(await connection.client(), waiting);
    if (givesRows && !(await confirmImport(waiting.length, connection.name, lines))) return;
    const needsPassword = waiting.some((entry) => canBeSent(entry) && entry.row.password === '' && entry.userId === '');
    const password = needsPassword ? await askInitialPassword(connection.name) : '';
    if (password === undefined) return;
    const ask = (count: number) => confirmRepeat(count, connection.name);
    await this.#while(async (signal) => this.#job.run(await connection.client(), password, signal, ask));
    // If the server was removed, so was the import: there is nothing to open or undo.
    const isThere = this.#options.connections.get(this.#options.connection.id) !== undefined;
    if (this.#isClosed && isThere) runInBackground(this.#tellStopped());
    // Not awaited: the page can offer the next step before the sidebar is refreshed.
    runInBackground(changed());
  }

  /** Reports a stopped import, because closing a panel cannot be prevented. */
  async #tellStopped(): Promise<void> {
    const { created, rows, waiting, source, journalId } = this.#job;
    if (waiting.length === 0 || journalId === undefined) return;
    const { connection, journals } = this.#options;
    const counts = { created: created.length, all: rows.length };
    const answer = await showStopped(source.fileName, connection.name, counts);
    const kept = answer === undefined ? undefined : await journals.read(journalId);
    if (kept) await reopenUserImport(kept, this.#options, answer === 'undo');
  }

  async #undo(): Promise<void> {
    const { connection, changed } = this.#options;
    if (!(await askToUndo(this.#job.undoable.length, connection.name))) return;
    this.#isUndoing = true;
    try {
      await this.#while(async (signal) => this.#job.undo(await connection.client(), signal));
    } finally {
      this.#isUndoing = false;
      this.#changed();
    }
    runInBackground(changed());
  }

  async #while(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const stop = (this.#stop = new AbortController());
    this.#fault = '';
    this.#changed();
    try {
      // A row that is almost done can finish; a hanging one is aborted, with an unknown outcome.
      await runWithSignal(abortSoonAfter(stop.signal), () => work(stop.signal));
    } finally {
      this.#stop = undefined;
      this.#changed();
    }
  }

  #halt(): null {
    this.#stop?.abort();
    return null;
  }

  async #saveOutcome(): Promise<null> {
    const defaultUri = vscode.Uri.parse(this.#job.source.file).with({
      path: vscode.Uri.parse(this.#job.source.file).path.replace(/(\.[^./]*)?$/, '-outcome.csv'),
    });
    const title = vscode.l10n.t('Save the outcome of each row of {0}', this.#job.source.fileName);
    const target = await showSaveDialog({ title, defaultUri, filters: { CSV: ['csv'] } });
    if (target) await vscode.workspace.fs.writeFile(target, Buffer.from(outcomeCsv(this.#job.rows.map(rowView))));
    return null;
  }

  /** Schedules an update of the page with the changes since the last one. */
  #changed(): void {
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      const changed = this.#job.rows.flatMap((entry, index) => {
        const row = rowView(entry);
        const text = JSON.stringify(row);
        if (this.#told[index] === text) return [];
        this.#told[index] = text;
        return [{ index, row }];
      });
      this.#page.tell('rows', changed);
      this.#page.tell('state', this.#state);
    }, tellingMs);
  }
}

function faultWords(error: unknown): string {
  const reason = displayText(error instanceof Error ? error.message : String(error));
  return isClientError(error) && error.remedy !== '' ? `${reason} ${error.remedy}` : reason;
}
