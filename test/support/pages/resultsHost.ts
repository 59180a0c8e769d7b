import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { inject } from 'vitest';
import type { AnalyticsClient } from '../../../src/client/client.ts';
import type { PanelServices } from '../../../src/features/reports/run/panelHandlers.ts';
import { PromptMemory } from '../../../src/features/reports/prompts/promptMemory.ts';
import { ResultsPanel } from '../../../src/features/reports/run/resultsPanel.ts';
import type { SqlPreview } from '../../../src/features/reports/sql/sqlPreview.ts';
import { RunHistory } from '../../../src/features/reports/history/runHistory.ts';
import type { ScriptedServer } from '../scriptedServer.ts';
import { memoryVault, testClient } from '../testClient.ts';
import { projectRoot } from '../vscodeHost/paths.ts';
import { password } from '../webview/faultyServer.ts';
import { ResultsPage } from '../webview/resultsPage.ts';
import { startPageServer, type PageServer } from './pageServer.ts';
import { Uri } from '../vscode/basics.ts';
import { WebviewPanelStub } from './webviewPanel.ts';

/** The page of a panel, what of the browser it is in, and the panel. */
export type ShownResult = ResultsPage & { page: Page; panel: WebviewPanelStub };

/** What a host is to be, where that is not as usual. */
interface HostOptions {
  /** Server of the reports, instead of the embedded one with its sample. */
  server?: ScriptedServer;
  /** Of a page, in pixels. */
  size?: { width: number; height: number };
  /** Told of every address that a page asks for, and of every dialog that it opens. */
  watch?: (what: string) => void;
}

/** Panels of results in plain Chromium: the shipped page, the extension's own panel and a server. */
export class ResultsHost {
  readonly #context: BrowserContext;
  readonly #pages: PageServer;
  readonly #client: AnalyticsClient;
  readonly #services: PanelServices;
  /** What was asked to be shown as SQL. */
  readonly shownSql: unknown[] = [];
  /** What SQL on display was to follow. */
  readonly refreshedSql: unknown[] = [];
  readonly #panels: WebviewPanelStub[] = [];
  readonly #watch: (what: string) => void;
  readonly #ends: readonly (() => Promise<unknown> | void)[];

  private constructor(
    context: BrowserContext,
    pages: PageServer,
    { client, name, userName }: HostConnection,
    watch: (what: string) => void,
    ends: readonly (() => Promise<unknown> | void)[],
  ) {
    this.#context = context;
    this.#pages = pages;
    this.#client = client;
    this.#watch = watch;
    this.#ends = ends;
    this.#services = servicesOf(
      { client, name, userName },
      {
        refresh: (_target, report) => void this.refreshedSql.push(report),
        show: async (_target, report) => void this.shownSql.push(report),
      },
    );
  }

  static async start({ server, size, watch = () => undefined }: HostOptions = {}): Promise<ResultsHost> {
    const pages = await startPageServer();
    const browser = await chromium.connect(inject('chromium'));
    const context = await browser.newContext({ viewport: size ?? { width: 1100, height: 800 } });
    const connection = server === undefined ? sampleConnection() : scriptedConnection(server);
    return new ResultsHost(context, pages, connection, watch, [() => browser.close(), () => pages.stop()]);
  }

  /** Runs a report in a panel of its own, once its page is there. */
  async run(name: string): Promise<ShownResult> {
    const found = await this.#client.call('library/SearchReports', { searchstring: name });
    const report = found.find(({ ReportName }) => ReportName === name);
    if (report === undefined) throw new Error(`The server has no report "${name}".`);
    const stub = new WebviewPanelStub(this.#pages);
    this.#panels.push(stub);
    const target = { connectionId: 'c', reportId: String(report.id), name };
    const panel = new ResultsPanel(stub.asPanel, target, this.#services);
    const page = await this.#context.newPage();
    page.on('request', (request) => this.#watch(request.url()));
    page.on('dialog', (dialog) => {
      this.#watch(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    await stub.load(page);
    // A report that is never read leaves this pending: the page shows how far it came.
    void panel.start();
    return Object.assign(new ResultsPage(page.mainFrame()), { page, panel: stub });
  }

  async stop(): Promise<void> {
    for (const panel of this.#panels) panel.dispose();
    for (const end of this.#ends) await end();
  }
}

/** A server as panels know it. */
interface HostConnection {
  client: AnalyticsClient;
  name: string;
  userName: string;
}

function sampleConnection(): HostConnection {
  const { apiBase, session, ...account } = inject('sampleServer');
  const client = testClient(apiBase, account, { vault: memoryVault(session) });
  return { client, name: 'Local Server', userName: account.userName };
}

function scriptedConnection({ url }: ScriptedServer): HostConnection {
  const userName = 'ada';
  return { client: testClient(`${url}/api`, { userName, password }), name: '127.0.0.1', userName };
}

function servicesOf(
  { client, name, userName }: HostConnection,
  sql: Pick<SqlPreview, 'refresh' | 'show'>,
): PanelServices {
  const connection = { name, userName, state: { kind: 'signedOut' }, client: async () => client };
  const kept = new Map<string, unknown>();
  const values = {
    get: (key: string) => kept.get(key),
    update: async (key: string, value: unknown) => void kept.set(key, value),
  };
  const services = {
    connections: { get: () => connection },
    memory: new PromptMemory(values),
    history: new RunHistory(),
    sql,
    extensionUri: Uri.file(projectRoot),
    draft: () => undefined,
  };
  // The store and the preview belong to an editor; panels use no more of them than this.
  return services as unknown as PanelServices;
}
