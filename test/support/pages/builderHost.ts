import type { Locator, Page } from 'playwright-core';
import type * as vscode from 'vscode';
import type { Connection } from '../../../src/connections/connection.ts';
import type { SavedDocument } from '../../../src/features/documents/files/openDocument.ts';
import { LazyDocuments } from '../../../src/features/documents/lazyDocuments.ts';
import { buildReport } from '../../../src/features/builder/commands.ts';
import { draftMetadata } from '../../../src/features/builder/draftReport.ts';
import { newReport } from '../../../src/features/builder/newReport.ts';
import { ReportBuilder } from '../../../src/features/builder/reportBuilder.ts';
import { RunHistory } from '../../../src/features/reports/history/runHistory.ts';
import { ReportRunner } from '../../../src/features/reports/run/reportRunner.ts';
import type { SqlPreview } from '../../../src/features/reports/sql/sqlPreview.ts';
import { openCommandScene, type CommandScene } from '../commandScene.ts';
import type { TestServer } from '../server.ts';
import { customEditors, documents } from '../vscode/documents.ts';
import { person, type Answer } from '../vscode/person.ts';
import { waitFor } from '../waitFor.ts';
import { BuilderPage } from '../webview/builderPage.ts';
import { ResultsPage } from '../webview/resultsPage.ts';
import { PageHost, type PageOptions, type ShownPage } from './pageHost.ts';
import type { WebviewPanelStub } from './webviewPanel.ts';
import type { ShownResult } from './resultsHost.ts';

const viewType = 'analytics.builder';

/** The page of a builder, what of the browser it is in, and its panel. */
export class ShownBuilder extends BuilderPage implements ShownPage {
  readonly page: Page;
  readonly panel: WebviewPanelStub;

  constructor({ page, panel }: ShownPage) {
    super(page.mainFrame());
    this.page = page;
    this.panel = panel;
  }

  /** Presses a button and waits for an effect that lasts: what the page expects gives way to what the host answers. */
  override async press(label: string, effect: Locator): Promise<void> {
    await super.press(label, effect);
    await waitFor(`the answers after "${label}"`, async () => this.panel.isAnswered);
    await effect.first().waitFor();
  }
}

/** Builders in plain Chromium, with the extension's documents, connections and results behind them. */
export class BuilderHost {
  readonly pages: PageHost;
  readonly scene: CommandScene;
  /** The administrator's. */
  readonly connection: Connection;
  /** Reports whose SQL was to be shown beside the builder. */
  readonly shownSql: unknown[] = [];
  readonly #documents: LazyDocuments;
  readonly #builder: ReportBuilder;
  readonly #runner: ReportRunner;

  private constructor(pages: PageHost, scene: CommandScene, connection: Connection) {
    this.pages = pages;
    this.scene = scene;
    this.connection = connection;
    const { connections, workspaceState: state, globalState: values, services } = scene;
    this.#documents = new LazyDocuments({ connections, state, onDidSave: (saved) => this.#saved(saved) });
    services.documents = () => this.#documents.documents();
    const { extensionUri } = services.context;
    const sql = {
      show: async (_target: unknown, report: unknown) => void this.shownSql.push(report),
      refresh: () => undefined,
      // The preview belongs to an editor; panels use no more of it than this.
    } as unknown as SqlPreview;
    this.#runner = new ReportRunner({ connections, sql, history: new RunHistory(), extensionUri, values });
    this.#builder = new ReportBuilder({
      connections,
      extensionUri,
      state,
      preview: (target, report) => this.#runner.preview(target, draftMetadata(report)),
      showSql: (target, report) => sql.show(target, report),
      refreshSql: () => undefined,
    });
    customEditors.set(viewType, (document) => {
      const panel = pages.openPanel();
      this.#builder.open(document as unknown as vscode.TextDocument, panel.asPanel);
      return panel;
    });
  }

  /** Builders for the administrator of a server. */
  static async start(
    { apiBase, adminPassword }: Pick<TestServer, 'apiBase' | 'adminPassword'>,
    options?: PageOptions,
  ): Promise<BuilderHost> {
    const scene = await openCommandScene();
    const connection = await scene.addServer('Local Server', apiBase, adminPassword);
    return new BuilderHost(await PageHost.start(options), scene, connection);
  }

  /** Opens a report in the builder, which has its fields. */
  async open(report: string): Promise<ShownBuilder> {
    await buildReport(this.scene.services, await this.#targetOf(report, this.connection));
    return this.opened();
  }

  /** Begins a report by the wizard: words of each question, and the answer. */
  async begin(connection: Connection, answers: readonly (readonly [string, Answer])[]): Promise<ShownBuilder> {
    for (const [question, answer] of answers) person.answers(question, answer);
    await newReport(this.scene.services, this.scene.services.tree.serverNode(connection));
    return this.opened();
  }

  /** The builder that was opened last, once it has the fields to choose from. */
  async opened(): Promise<ShownBuilder> {
    const shown = await this.#shown();
    await shown.frame.getByRole('treeitem').first().waitFor();
    return shown;
  }

  /** Another builder of the document in front, beside the one that is open, once its page is there. */
  async beside(): Promise<ShownBuilder> {
    const document = documents.active();
    if (document) customEditors.get(viewType)?.(document);
    return this.#shown();
  }

  /** Links a report for drill-down and passes it a field. */
  async linkReport(builder: ShownBuilder, target: string, field: string, receives: string): Promise<void> {
    person.answers('Select a report on', target);
    await builder.button('Link a Report').click();
    const passed = builder.select(`Field passed to ${target}`);
    await builder.press(`Pass a Field to ${target}`, passed);
    await passed.selectOption({ label: field });
    await builder.frame.getByRole('combobox', { name: `Field of ${target} that receives the value` }).fill(receives);
  }

  /** Saves the document in front, with the focus in its builder. */
  async save({ page, frame }: ShownBuilder): Promise<void> {
    await frame.getByRole('tab', { selected: true }).focus();
    await page.keyboard.press('Control+s');
    await waitFor('nothing to be unsaved', async () => documents.open.every(({ isDirty }) => !isDirty));
  }

  /** Saves a new report. @returns the builder of the report on the server, which takes its place. */
  async create(builder: ShownBuilder): Promise<ShownBuilder> {
    await this.save(builder);
    const created = await this.opened();
    await waitFor('the builder of the new document to go', async () => builder.panel.isDisposed);
    return created;
  }

  /** Runs a report after filling in its form, if there is one. */
  async run(
    report: string,
    connection = this.connection,
    values: Readonly<Record<string, string>> = {},
  ): Promise<ShownResult> {
    const page = await this.ask(report, connection);
    for (const [label, value] of Object.entries(values)) await page.frame.getByLabel(label).fill(value);
    if (Object.keys(values).length > 0) await page.button('Run').click();
    await page.isDone();
    return page;
  }

  /** Runs a report up to its form, or as far as it comes. */
  async ask(report: string, connection = this.connection): Promise<ShownResult> {
    void this.#runner.run(await this.#targetOf(report, connection));
    return this.result();
  }

  /** The results panel that was opened last. */
  async result(): Promise<ShownResult> {
    const shown = await this.pages.opened();
    return Object.assign(new ResultsPage(shown.page.mainFrame()), shown);
  }

  async stop(): Promise<void> {
    documents.closeAll();
    this.#builder.dispose();
    this.#runner.dispose();
    this.#documents.dispose();
    await this.pages.stop();
    await this.scene.close();
  }

  async #shown(): Promise<ShownBuilder> {
    return new ShownBuilder(await this.pages.opened());
  }

  async #targetOf(name: string, connection: Connection) {
    const found = await (await connection.client()).call('library/SearchReports', { searchstring: name });
    const report = found.find(({ ReportName }) => ReportName === name);
    if (report === undefined) throw new Error(`The server has no report "${name}".`);
    return { connectionId: connection.id, reportId: String(report.id), name };
  }

  #saved({ uri, target, isNew }: SavedDocument): void {
    if (isNew && target.kind === 'report') this.#builder.created(uri, target.connectionId, target.id);
  }
}
