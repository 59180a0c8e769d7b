import * as vscode from 'vscode';
import * as z from 'zod';
import { ImportJob, readServerNames } from '../administration/importJob.ts';
import { canBeSent, freshRows, keptRows, type ImportRow } from '../administration/importRows.ts';
import { isUnfinished, type ImportJournals, type KeptImport } from '../administration/importJournal.ts';
import { csvText } from '../administration/csvText.ts';
import { readUserCsv, UserFileError } from '../administration/userCsv.ts';
import { isClientError } from '../client/clientError.ts';
import { cutAfter, underSignal } from '../client/waiter.ts';
import type { Connection } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import { displayText } from '../connections/displayText.ts';
import type { ImportContract, ImportState } from '../protocol/importPage.ts';
import type { RequestSchemas } from '../reports/answerRequest.ts';
import { fileFaultWords, importState, importStrings, rowView } from './importWords.ts';
import { outcomeCsv } from './outcomeCsv.ts';
import { PagePanel } from './pagePanel.ts';

/** What an import works with. */
export interface ImportPanelOptions {
  connection: Connection;
  /** Tells when the server is removed: then the panel closes. */
  connections: Pick<ConnectionStore, 'get' | 'onDidChange'>;
  extensionUri: vscode.Uri;
  journals: ImportJournals;
  /** Users were created or deleted. */
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

/** The page is told of changes at most this often, in milliseconds. */
const tellingMs = 100;

/**
 * Opens a file of users for import: nothing is sent before the user says so.
 * @throws {Error} when the file is no list of users, or the server's users and groups cannot be read.
 */
export async function openUserImport(file: vscode.Uri, options: ImportPanelOptions): Promise<void> {
  const { connection } = options;
  const client = await connection.client();
  const [text, names, installation] = await Promise.all([
    readText(file),
    readServerNames(client),
    client.call('LicenseManager/GetInstallationID', {}),
  ]);
  const { rows, ignoredColumns } = parsed(text, file, names);
  const fileName = nameOf(file);
  const source = { connectionId: connection.id, installation, file: file.toString(), fileName };
  new ImportPanel(source, freshRows(rows), ignoredColumns, options);
}

/** Panels that are open: an import has one at most. */
const panels = new Set<ImportPanel>();

/**
 * Opens an import that was begun earlier, to go on with it or to undo it: in the panel that it has already, if any.
 * @param thenUndo whether to ask at once whether to undo it.
 */
export async function reopenUserImport(kept: KeptImport, options: ImportPanelOptions, thenUndo = false): Promise<void> {
  const { header } = kept;
  const open = [...panels].find(({ journalId }) => journalId === header.id);
  if (open) return open.reveal();
  const needsFile = isUnfinished(kept) && header.rows.some(({ hasPassword }) => hasPassword);
  const passwords = needsFile
    ? await passwordsOf(vscode.Uri.parse(header.file, true), kept)
    : new Map<number, string>();
  const { connectionId, installation, file, fileName } = header;
  const source = { connectionId, installation, file, fileName };
  const panel = new ImportPanel(source, keptRows(kept, passwords), [], options, kept);
  if (thenUndo) panel.undo();
}

/** Passwords by line, as far as the file is still there and has the same users in the same lines. */
async function passwordsOf(file: vscode.Uri, { header }: KeptImport): Promise<Map<number, string>> {
  const logins = new Map(header.rows.map(({ line, loginName }) => [line, loginName]));
  try {
    const { rows } = readUserCsv(await readText(file), { logins: new Set(), groups: new Set() });
    return new Map(
      rows
        .filter(({ line, loginName }) => logins.get(line) === loginName)
        .map(({ line, password }) => [line, password]),
    );
  } catch (error) {
    // The rows that need it say so, and are not sent.
    if (error instanceof UserFileError || error instanceof vscode.FileSystemError) return new Map();
    throw error;
  }
}

async function readText(file: vscode.Uri): Promise<string> {
  return csvText(await vscode.workspace.fs.readFile(file));
}

function parsed(text: string, file: vscode.Uri, names: Parameters<typeof readUserCsv>[1]) {
  try {
    return readUserCsv(text, names);
  } catch (error) {
    if (!(error instanceof UserFileError)) throw error;
    throw new Error(vscode.l10n.t('{0} cannot be imported. {1}', nameOf(file), fileFaultWords(error)), {
      cause: error,
    });
  }
}

function nameOf({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The panel of one import. Closing it stops the import after the rows under way, and says so; its journal stays. */
class ImportPanel {
  readonly #options: ImportPanelOptions;
  readonly #job: ImportJob;
  readonly #page: PagePanel<ImportContract>;
  readonly #place: { fileName: string; server: string; ignoredColumns: readonly string[] };
  #stop: AbortController | undefined;
  /** Whether something is under way, from its first question on. */
  #isBusy = false;
  #isClosed = false;
  #isUndoing = false;
  #fault = '';
  #telling: NodeJS.Timeout | undefined;
  #told: string[];

  constructor(
    source: ImportJob['source'],
    rows: readonly ImportRow[],
    ignoredColumns: readonly string[],
    options: ImportPanelOptions,
    kept?: KeptImport,
  ) {
    const { journals, connection, extensionUri } = options;
    this.#options = options;
    this.#place = { fileName: source.fileName, server: connection.name, ignoredColumns };
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
      page: 'import',
      schemas,
      handlers: {
        ready: () => ({ strings: importStrings(), state: this.#state, rows: this.#job.rows.map(rowView) }),
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

  /** Brings the panel to the front. */
  reveal(): void {
    this.#page.reveal();
  }

  /** Asks whether to delete what the import created, and does so. */
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

  /** Lets work go on by itself: what comes of it shows on the page. */
  #begin(work: () => Promise<void>): null {
    if (this.#isBusy) return null;
    this.#isBusy = true;
    void work()
      .catch((error: unknown) => {
        this.#fault = faultWords(error);
        this.#changed();
        if (this.#isClosed) void vscode.window.showErrorMessage(this.#fault);
      })
      .finally(() => (this.#isBusy = false));
    return null;
  }

  async #import(): Promise<void> {
    const { connection, changed } = this.#options;
    const needsPassword = this.#job.waiting.some(
      (entry) => canBeSent(entry) && entry.row.password === '' && entry.userId === '',
    );
    const password = needsPassword ? await askInitialPassword(connection.name) : '';
    if (password === undefined) return;
    const ask = (count: number) => askToRepeat(count, connection.name);
    await this.#while(async (signal) => this.#job.run(await connection.client(), password, signal, ask));
    if (this.#isClosed) void this.#tellStopped();
    await changed();
  }

  /** Closing a panel cannot be held up, so what it stopped is told. */
  async #tellStopped(): Promise<void> {
    const { created, rows, waiting, source, journalId } = this.#job;
    if (waiting.length === 0 || journalId === undefined) return;
    const { connection, journals } = this.#options;
    const again = vscode.l10n.t('Open Again');
    const undo = vscode.l10n.t('Undo…');
    const words = vscode.l10n.t(
      'The import of {0} into {1} stopped when it was closed: {2} of {3} users are there.',
      displayText(source.fileName),
      connection.name,
      created.length,
      rows.length,
    );
    const answer = await vscode.window.showWarningMessage(words, again, ...(created.length > 0 ? [undo] : []));
    const kept = answer === undefined ? undefined : await journals.read(journalId);
    if (kept) await reopenUserImport(kept, this.#options, answer === undo);
  }

  async #undo(): Promise<void> {
    const { connection, changed } = this.#options;
    const count = this.#job.undoable.length;
    const remove = vscode.l10n.t('Delete');
    const question =
      count === 1
        ? vscode.l10n.t('Delete the user that this import created on {0}?', connection.name)
        : vscode.l10n.t('Delete the {0} users that this import created on {1}?', count, connection.name);
    const detail = vscode.l10n.t(
      'Their memberships go with them. Users that were there before stay. Users of unknown outcome are looked for first.',
    );
    if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) !== remove) return;
    this.#isUndoing = true;
    try {
      await this.#while(async (signal) => this.#job.undo(await connection.client(), signal));
    } finally {
      this.#isUndoing = false;
      this.#changed();
    }
    await changed();
  }

  async #while(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const stop = (this.#stop = new AbortController());
    this.#fault = '';
    this.#changed();
    try {
      // A row that is nearly done may end; one that hangs is cut off, and its outcome noted as unknown.
      await underSignal(cutAfter(stop.signal), () => work(stop.signal));
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
    const title = vscode.l10n.t('Save what became of each row of {0}', this.#job.source.fileName);
    const target = await vscode.window.showSaveDialog({ title, defaultUri, filters: { CSV: ['csv'] } });
    if (target) await vscode.workspace.fs.writeFile(target, Buffer.from(outcomeCsv(this.#job.rows.map(rowView))));
    return null;
  }

  /** Tells the page, soon, what has changed since it was last told. */
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

/** Asks before rows are sent again that may have arrived. */
async function askToRepeat(count: number, server: string): Promise<boolean> {
  const again = vscode.l10n.t('Send Again');
  const question =
    count === 1
      ? vscode.l10n.t('Create 1 user once more on {0}?', server)
      : vscode.l10n.t('Create {0} users once more on {1}?', count, server);
  const detail = vscode.l10n.t(
    'They were sent before and the answer was lost. The server does not show them, but one that is slow may still create them: then they are there twice, unless the server refuses a second user of the same name.',
  );
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, again)) === again;
}

/** The password of users who have none in the file, asked for twice; undefined when the user gave up. */
async function askInitialPassword(server: string): Promise<string | undefined> {
  const options = { password: true, ignoreFocusOut: true, title: vscode.l10n.t('Import users into {0}', server) };
  const first = await vscode.window.showInputBox({
    ...options,
    placeHolder: vscode.l10n.t('First password'),
    prompt: vscode.l10n.t('For users without one in the file. They have to change it when they first sign in.'),
    validateInput: (value) => (value === '' ? vscode.l10n.t('Enter a password.') : undefined),
  });
  if (first === undefined) return undefined;
  return vscode.window.showInputBox({
    ...options,
    placeHolder: vscode.l10n.t('The same password again'),
    validateInput: (value) => (value === first ? undefined : vscode.l10n.t('The two passwords differ.')),
  });
}

function faultWords(error: unknown): string {
  const reason = displayText(error instanceof Error ? error.message : String(error));
  return isClientError(error) && error.remedy !== '' ? `${reason} ${error.remedy}` : reason;
}
