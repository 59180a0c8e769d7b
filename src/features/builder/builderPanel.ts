import { zoneOfUser } from '../../contract/zones/zoneNames.ts';
import { dayIn } from '../../contract/zones/zonedTimes.ts';
import path from 'node:path';
import * as vscode from 'vscode';
import { setPanelTitle } from '../../editor/panels.ts';
import { showQuickPick } from '../../editor/quickInput.ts';
import { accountSuffix } from '../../connections/accountSuffix.ts';
import { withWaitNotice } from '../../editor/progress.ts';
import type { Connection } from '../../connections/connection.ts';
import { displayText } from '../../editor/displayText.ts';
import type { BuilderContract, BuilderSight } from './pageContract.ts';
import type { RequestHandlers } from '../../contract/pages/channel.ts';
import { answerRequest } from '../../editor/pages/answerRequest.ts';
import { pageHtml } from '../../editor/pages/pageHtml.ts';
import { PageLink } from '../../editor/pages/pageLink.ts';
import { pagesFolder } from '../reports/run/resultsPanel.ts';
import type { CommandId } from '../../editor/commands/commandIds.ts';
import type { ReportTarget } from '../../editor/commands/services.ts';
import { formatSql } from '../reports/sql/sqlFormat.ts';
import { addLinkEdits, folderEdits } from './edits/addEntries.ts';
import { afterReadAhead, builderCalls } from './builderCalls.ts';
import { reportOfUri, reportText, placeOf, type BuilderServices } from './builderDocument.ts';
import { builderRequests } from './builderRequests.ts';
import { BuilderSession } from './builderSession.ts';
import { builderTexts, choicesNotice } from './builderTexts.ts';
import { pickFolder, pickReport } from './libraryPicks.ts';
import type { UndoGroups } from './edits/editQueue.ts';

/** Options of {@link BuilderPanel}. */
interface BuilderPanelOptions extends BuilderServices {
  /** The document's server; undefined while none is chosen. */
  connection(): Connection | undefined;
  /** Stores the choice and reloads all builders of the document. */
  choose(connection: Connection): Promise<void>;
  /** Typing bursts in the document, shared by all its builders. */
  bursts: UndoGroups;
  /** State of the builder that this one replaces; undefined if it replaces none. */
  sight: BuilderSight | undefined;
}

/** Delay after a change before requesting the SQL, in ms. */
const sqlPauseMs = 250;

/** A builder: its page, and the session that keeps the page and the document in sync. */
export class BuilderPanel implements vscode.Disposable {
  /** The document, which other builders may also show. */
  readonly document: vscode.TextDocument;
  readonly #panel: vscode.WebviewPanel;
  readonly #page: PageLink<BuilderContract>;
  readonly #options: BuilderPanelOptions;
  readonly #session: BuilderSession;
  readonly #subscriptions: { dispose(): void }[];
  #sight: BuilderSight | undefined;
  /** The report whose SQL was opened to the side, under its name at that time. */
  #sqlBeside: ReportTarget | undefined;

  constructor(document: vscode.TextDocument, panel: vscode.WebviewPanel, options: BuilderPanelOptions) {
    this.document = document;
    this.#panel = panel;
    this.#options = options;
    const serverName = () => options.connection()?.name ?? '';
    const calls = afterReadAhead(
      options.connection(),
      builderCalls(async () => {
        const connection = options.connection();
        if (connection === undefined) throw new Error(vscode.l10n.t('The server of this report was removed.'));
        return connection.client();
      }),
    );
    this.#session = new BuilderSession({
      text: reportText(document),
      bursts: options.bursts,
      calls: () => (options.connection() === undefined ? undefined : calls),
      format: formatSql,
      words: builderTexts(serverName),
      listener: {
        documentChanged: (state) => this.#page.tell('document', state),
        groundChanged: (ground) => {
          this.#page.tell('ground', ground);
          // The signed-in user is known only after a call.
          this.#page.tell('place', placeOf(options.connection()));
        },
        sqlChanged: (sql) => {
          this.#page.tell('sql', sql);
          if (this.#sqlBeside && !sql.isLoading && sql.problem === '') {
            options.refreshSql(this.#sqlBeside, this.#session.report);
          }
        },
      },
      now: () => new Date(),
      today: () => {
        const state = options.connection()?.state;
        return dayIn(zoneOfUser(state !== undefined && 'account' in state ? state.account : {}), Date.now());
      },
      sqlPauseMs,
    });
    // Names the frame of the page for screen readers; the tab has the name of the document.
    setPanelTitle(panel, vscode.l10n.t('Report Builder: {0}', path.posix.basename(document.uri.path, '.report.json')));
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [pagesFolder(options.extensionUri)] };
    const answer = (message: unknown) =>
      withWaitNotice(() => answerRequest(message, builderRequests, this.#handlers()));
    this.#page = new PageLink(webview, answer);
    this.#subscriptions = [
      this.#page,
      vscode.workspace.onDidChangeTextDocument(({ document: changed, contentChanges, reason }) => {
        if (changed !== document || contentChanges.length === 0) return;
        this.#session.textChanged();
        this.#goOn(reason);
      }),
      panel.onDidDispose(() => this.#ended()),
    ];
    webview.html = this.#html();
    void this.#session.load();
  }

  /** Whether the panel is active. */
  get isActive(): boolean {
    return this.#panel.active;
  }

  /** What the page shows; undefined until the page has reported it. */
  get sight(): BuilderSight | undefined {
    return this.#sight;
  }

  /** Reloads the report type's fields, for example after a change of server. */
  load(): Promise<void> {
    return this.#session.load();
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #handlers(): RequestHandlers<BuilderContract> {
    const session = this.#session;
    const options = this.#options;
    const done = async (work: Promise<unknown> | Thenable<unknown>): Promise<null> => {
      await work;
      return null;
    };
    return {
      ready: () => ({
        place: placeOf(options.connection()),
        document: session.document,
        ground: session.ground,
        sql: session.sql,
        sight: options.sight ?? null,
      }),
      shows: async (sight) => {
        this.#sight = sight;
        return null;
      },
      edit: ({ version, edit }) => done(session.edit(version, edit)),
      addFields: ({ version, entries, place }) => done(session.addFields(version, entries, place)),
      addFormula: () => done(session.addFormula()),
      sortField: ({ version, field, direction }) => done(session.sortField(version, field, direction)),
      addCriterion: ({ version, field }) => done(session.addCriterion(version, field)),
      addTotal: ({ type }) => done(session.addTotal(type)),
      addLink: () => done(this.#addLink()),
      pickFolder: () => done(this.#pickFolder()),
      fieldValues: async ({ field, search }) => {
        const found = await session.fieldValues(field, search);
        return { choices: found.choices, notice: choicesNotice(found) };
      },
      targetFields: ({ reportId }) => session.targetFields(reportId),
      // Wait for pending edits to reach the text.
      preview: () => done(session.afterEdits(async () => options.preview(this.#target, session.report))),
      showSql: () => {
        const target = (this.#sqlBeside = this.#target);
        return done(session.afterEdits(async () => options.showSql(target, session.report)));
      },
      undo: () => done(this.#travel('undo')),
      redo: () => done(this.#travel('redo')),
      save: () => done(this.#save()),
      openJson: () => done(vscode.commands.executeCommand('analytics.report.openJson', this.document.uri)),
      retrySql: async () => {
        session.retrySql();
        return null;
      },
      retry: () => done(session.load()),
      signIn: () => done(this.#afterCommand('analytics.server.signIn')),
      changePassword: () => done(this.#afterCommand('analytics.profile.changePassword')),
      chooseServer: () => done(this.#chooseServer()),
    };
  }

  /** Extends an undo or redo from elsewhere, such as a menu, to the point where typing stopped. */
  #goOn(reason: vscode.TextDocumentChangeReason | undefined): void {
    if (reason === undefined || !this.#session.isLeftInsideTyping) return;
    // The command goes to the active editor, which must show this document.
    const isInFront = this.#panel.active || vscode.window.activeTextEditor?.document === this.document;
    if (isInFront) void this.#travel(reason === vscode.TextDocumentChangeReason.Undo ? 'undo' : 'redo');
  }

  #travel(command: 'undo' | 'redo'): Promise<void> {
    return this.#session.travel(() => vscode.commands.executeCommand(command));
  }

  #save(): Promise<void> {
    return this.#session.afterEdits(async () => vscode.commands.executeCommand('workbench.action.files.save'));
  }

  get #target(): ReportTarget {
    const own = reportOfUri(this.document.uri);
    const name = this.#session.document.report?.name ?? '';
    return {
      connectionId: this.#options.connection()?.id ?? '',
      reportId: own?.reportId ?? this.document.uri.toString(),
      name: displayText(name) || vscode.l10n.t('Untitled report'),
    };
  }

  async #addLink(): Promise<void> {
    const connection = this.#options.connection();
    const picked = connection && (await pickReport(connection));
    if (picked) await this.#session.change((text) => addLinkEdits(text, { ReportID: picked.id, Name: picked.name }));
  }

  async #pickFolder(): Promise<void> {
    const connection = this.#options.connection();
    const picked = connection && (await pickFolder(connection));
    if (picked) await this.#session.change((text) => folderEdits(text, picked.id));
  }

  /** Signs in or sets the password that the server demands, then loads again. */
  async #afterCommand(command: CommandId): Promise<void> {
    const connectionId = this.#options.connection()?.id;
    await vscode.commands.executeCommand(command, { connectionId });
    await this.#session.load();
  }

  async #chooseServer(): Promise<void> {
    const choices = this.#options.connections.list().map((connection) => ({
      label: displayText(connection.name),
      description: accountSuffix(connection.name, connection.userName),
      connection,
    }));
    const title = vscode.l10n.t('Select a server to build this report on');
    const picked = await showQuickPick(choices, { title });
    if (picked) await this.#options.choose(picked.connection);
  }

  #html(): string {
    const { webview } = this.#panel;
    const folder = pagesFolder(this.#options.extensionUri);
    const address = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
    const addresses = { source: webview.cspSource, script: address('builder.js'), style: address('builder.css') };
    return pageHtml(addresses, vscode.l10n.t('Report Builder'));
  }

  #ended(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
    this.#session.dispose();
  }
}
