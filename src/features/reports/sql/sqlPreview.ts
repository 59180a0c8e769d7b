import * as vscode from 'vscode';
import { completeStep } from '../../../editor/walkthroughSteps.ts';
import type { CommandServices, ReportTarget } from '../../../editor/commands/services.ts';
import { codeLens } from '../../../editor/documentMarks.ts';
import type { ConnectionStore } from '../../../connections/connectionStore.ts';
import { displayText, inertText } from '../../../editor/displayText.ts';
import type { AnalyticsClient } from '../../../client/client.ts';
import type { Report } from '../../../contract/resources/report.ts';
import { compiledCriteria, toComment, formatSql } from './sqlFormat.ts';
import { readPlatform } from '../run/reportCalls.ts';
import { setStatusBarMessage } from '../../../editor/messages.ts';
import { withWaitNotice } from '../../../editor/progress.ts';
import { isClientError } from '../../../client/clientError.ts';

/** Services for the SQL commands. */
export interface SqlServices extends CommandServices {
  showSql(target: ReportTarget): Promise<void>;
  /** Appends the compiled criteria from the server to the SQL document at `uri`. */
  showCriteria(uri: vscode.Uri): Promise<void>;
}

/**
 * Shows the SQL that a server generates for a report as a read-only document next to it, formatted in the platform's
 * dialect. `analytics-sql://<connection>/<report id>/<name>.sql`. API description, GetSQL.
 */
export class SqlPreview implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, vscode.Disposable {
  readonly #connections: ConnectionStore;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registration: vscode.Disposable;
  /** The report to show, including prompt values, by document. Other reports are reloaded. */
  readonly #reports = new Map<string, Report>();
  /** Texts that were just read, for the editor's next read of a document. */
  readonly #read = new Map<string, string>();
  /** Documents that also show the compiled criteria, which cost an extra call. */
  readonly #withCriteria = new Set<string>();

  constructor(connections: ConnectionStore) {
    this.#connections = connections;
    this.#registration = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(sqlScheme, this),
      vscode.languages.registerCodeLensProvider({ scheme: sqlScheme }, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#withCriteria.delete(uri.toString())),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#reportSaved(uri)),
    );
  }

  /**
   * Opens the SQL of a report next to the active editor, and reloads it if it is open. The server is asked first, so
   * that the command can be cancelled: the editor itself waits without an end.
   * @param report the report as it was run; if omitted, the stored one, with prompts as `{?Name}`.
   * @throws {ClientError} if the server provides no SQL, or of kind cancelled: an open document then stays as it was.
   */
  async show(target: ReportTarget, report?: Report): Promise<void> {
    const uri = this.#uriOf(target);
    if (report === undefined) this.#reports.delete(uri.toString());
    else this.#reports.set(uri.toString(), report);
    this.#read.set(uri.toString(), await this.#textOrReason(uri));
    if (isOpen(uri)) this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, 'sql');
    const viewColumn = columnOf(uri) ?? (hasOpenEditor() ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active);
    await vscode.window.showTextDocument(document, { viewColumn, preview: true });
    // Completes the walkthrough step, however the SQL was opened.
    completeStep('analytics.hasShownSql');
  }

  /** Updates the SQL of a report to a new state of the report, if it is open. */
  refresh(target: ReportTarget, report: Report): void {
    const uri = this.#uriOf(target);
    if (!isOpen(uri)) return;
    this.#read.delete(uri.toString());
    this.#reports.set(uri.toString(), report);
    this.#changed.fire(uri);
  }

  /**
   * Returns a document's text, loaded from the server. If a reload fails, VS Code keeps the existing text, which would
   * make outdated SQL look current, so return the error as text.
   * @throws {ClientError} while the document is not open yet.
   */
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const key = uri.toString();
    const read = this.#read.get(key);
    this.#read.delete(key);
    const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
    return read ?? withWaitNotice(() => this.#textOrReason(uri), name);
  }

  async #textOrReason(uri: vscode.Uri): Promise<string> {
    const wasOpen = isOpen(uri);
    try {
      return await this.#text(uri);
    } catch (error) {
      if (!wasOpen || isClientError(error, 'cancelled')) throw error;
      const cause = error instanceof Error ? error.message : String(error);
      const lines = [
        vscode.l10n.t('The SQL of this report could not be refreshed:'),
        cause,
        vscode.l10n.t('Choose Show SQL to try again.'),
      ];
      return `${lines.map(toComment).join('\n')}\n`;
    }
  }

  async #text(uri: vscode.Uri): Promise<string> {
    const connection = this.#connections.get(uri.authority);
    if (connection === undefined) throw new Error(vscode.l10n.t('The server of this report was removed.'));
    const [, reportId = ''] = uri.path.split('/');
    const client = await connection.client();
    const report = this.#reports.get(uri.toString()) ?? (await readReport(client, decodeURIComponent(reportId)));
    const [sql, platform] = await Promise.all([
      client.call('Report/GetSQL', { Reportobj: report }),
      readPlatform(client, report),
    ]);
    const text = await formatSql(sql, platform);
    return this.#withCriteria.has(uri.toString()) ? text + (await criteriaComments(client, report, platform)) : text;
  }

  /** Appends the compiled criteria from the server to the SQL of an open document. */
  showCriteria(uri: vscode.Uri): void {
    this.#withCriteria.add(uri.toString());
    this.#changed.fire(uri);
  }

  /** Code lenses above the SQL. */
  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const top = new vscode.Range(0, 0, 0, 0);
    const lens = (title: string, command: string) => codeLens(top, { title, command, arguments: [uri] });
    const copy = lens(vscode.l10n.t('Copy SQL'), 'analytics.sql.copy');
    if (this.#withCriteria.has(uri.toString())) return [copy];
    return [copy, lens(vscode.l10n.t('Show Compiled Criteria'), 'analytics.sql.showCriteria')];
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  /** After a report is saved, shows the SQL of the saved report. */
  #reportSaved({ scheme, authority, path }: vscode.Uri): void {
    const [, kind, id = ''] = path.split('/');
    if (scheme !== 'analytics' || kind !== 'report') return;
    const start = `/${encodeURIComponent(id)}/`;
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme !== sqlScheme || uri.authority !== authority || !uri.path.startsWith(start)) continue;
      this.#reports.delete(uri.toString());
      this.#changed.fire(uri);
    }
  }

  #uriOf({ connectionId, reportId, name }: ReportTarget): vscode.Uri {
    // A slash would split the name into folders, which the tab and VS Code's own messages show.
    const title = inertText(displayText(name)).replace(/[/\\]/g, '∕') || reportId;
    return vscode.Uri.from({
      scheme: sqlScheme,
      authority: connectionId,
      path: `/${encodeURIComponent(reportId)}/${title}.sql`,
    });
  }
}

function isOpen(uri: vscode.Uri): boolean {
  return vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
}

/** The column that shows a document. `ViewColumn.Beside` may be a different one and open a second copy. */
function columnOf(uri: vscode.Uri): vscode.ViewColumn | undefined {
  const shows = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
  return vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(shows))?.viewColumn;
}

/** With no editor open, `ViewColumn.Beside` would leave an empty group on the left. */
function hasOpenEditor(): boolean {
  return vscode.window.tabGroups.activeTabGroup.tabs.length > 0;
}

async function readReport(client: AnalyticsClient, reportId: string): Promise<Report> {
  const body = { ReportID: reportId, isTarget: false, PreviousMetadata: null, Criteria: null };
  const { Report: report } = await client.call('Report/GetReportMetadataById', body);
  return report ?? {};
}

/** The compiled criteria of a report, as comments to append to its SQL. API description, ReportProcUI. */
async function criteriaComments(
  client: AnalyticsClient,
  report: Report,
  platform: string | undefined,
): Promise<string> {
  const lines: string[] = [];
  try {
    if (platform === undefined) throw new Error(vscode.l10n.t('The platform of the database is unknown.'));
    const { FieldList } = await client.call('Report/ReportProcUI', { db_platform: platform, report });
    lines.push(...compiledCriteria(FieldList ?? []));
  } catch (error) {
    // The SQL is valid without the criteria.
    const reason = error instanceof Error ? error.message : String(error);
    lines.push(vscode.l10n.t('The criteria could not be compiled: {0}', reason));
  }
  if (lines.length === 0) lines.push(vscode.l10n.t('The report has no criteria.'));
  const comments = [vscode.l10n.t('Criteria as compiled by the server'), ...lines].map(toComment);
  return `\n\n${comments.join('\n')}\n`;
}

/** Scheme of the read-only documents with generated SQL. */
const sqlScheme = 'analytics-sql';

/** Copies the SQL of the given or active document. */
export async function copySql(_services: SqlServices, argument?: unknown): Promise<void> {
  const document = await vscode.workspace.openTextDocument(sqlUri(argument));
  await vscode.env.clipboard.writeText(document.getText());
  setStatusBarMessage(vscode.l10n.t('SQL copied'), 4_000);
}

/** Shows the compiled criteria below the SQL of the given or active document. */
export async function showCriteria(services: SqlServices, argument?: unknown): Promise<void> {
  await services.showCriteria(sqlUri(argument));
}

/** @throws Error that explains how to open such a document. */
function sqlUri(argument: unknown): vscode.Uri {
  const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme === sqlScheme) return uri;
  throw new Error(vscode.l10n.t('The active editor does not contain the SQL of a report. To open it, use Show SQL.'));
}
