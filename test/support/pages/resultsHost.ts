import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { inject } from 'vitest';
import type { AnalyticsClient } from '../../../src/client/client.ts';
import type { PanelServices } from '../../../src/features/reports/run/panelHandlers.ts';
import { PromptMemory } from '../../../src/features/reports/prompts/promptMemory.ts';
import { ResultsPanel } from '../../../src/features/reports/run/resultsPanel.ts';
import { RunHistory } from '../../../src/features/reports/history/runHistory.ts';
import { memoryVault, testClient } from '../testClient.ts';
import { projectRoot } from '../vscodeHost/paths.ts';
import { ResultsPage } from '../webview/resultsPage.ts';
import { startPageServer, type PageServer } from './pageServer.ts';
import { Uri } from '../vscode/basics.ts';
import { WebviewPanelStub } from './webviewPanel.ts';

/** The page of a panel, and what of the browser it is in. */
export type ShownResult = ResultsPage & { page: Page };

/** Panels of results in plain Chromium: the shipped page, the extension's own panel and the embedded server with its sample. */
export class ResultsHost {
  readonly #context: BrowserContext;
  readonly #pages: PageServer;
  readonly #client: AnalyticsClient;
  readonly #services: PanelServices;
  readonly #ends: readonly (() => Promise<unknown> | void)[];

  private constructor(
    context: BrowserContext,
    pages: PageServer,
    client: AnalyticsClient,
    ends: readonly (() => Promise<unknown> | void)[],
  ) {
    this.#context = context;
    this.#pages = pages;
    this.#client = client;
    this.#ends = ends;
    this.#services = servicesOf(client);
  }

  static async start(): Promise<ResultsHost> {
    const { apiBase, session, ...account } = inject('sampleServer');
    const pages = await startPageServer();
    const browser = await chromium.connect(inject('chromium'));
    const context = await browser.newContext({ viewport: { width: 1100, height: 800 } });
    const client = testClient(apiBase, account, { vault: memoryVault(session) });
    return new ResultsHost(context, pages, client, [() => browser.close(), () => pages.stop()]);
  }

  /** Runs a report of the sample in a panel of its own. */
  async run(name: string): Promise<ShownResult> {
    const found = await this.#client.call('library/SearchReports', { searchstring: name });
    const report = found.find(({ ReportName }) => ReportName === name);
    if (report === undefined) throw new Error(`The sample has no report "${name}".`);
    const stub = new WebviewPanelStub(this.#pages);
    const target = { connectionId: 'c', reportId: String(report.id), name };
    const panel = new ResultsPanel(stub.asPanel, target, this.#services);
    const page = await this.#context.newPage();
    await stub.load(page);
    await panel.start();
    return Object.assign(new ResultsPage(page.mainFrame()), { page });
  }

  async stop(): Promise<void> {
    for (const end of this.#ends) await end();
  }
}

function servicesOf(client: AnalyticsClient): PanelServices {
  const connection = { name: 'Local', userName: 'admin', state: { kind: 'signedOut' }, client: async () => client };
  const kept = new Map<string, unknown>();
  const values = {
    get: (key: string) => kept.get(key),
    update: async (key: string, value: unknown) => void kept.set(key, value),
  };
  const services = {
    connections: { get: () => connection },
    memory: new PromptMemory(values),
    history: new RunHistory(),
    sql: { refresh: () => undefined, show: async () => undefined },
    extensionUri: Uri.file(projectRoot),
    draft: () => undefined,
  };
  // The store and the preview belong to an editor; panels use no more of them than this.
  return services as unknown as PanelServices;
}
