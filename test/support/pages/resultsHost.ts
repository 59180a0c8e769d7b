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
import { PageHost, type PageOptions, type ShownPage } from './pageHost.ts';
import { Uri } from '../vscode/basics.ts';

/** The page of a results panel, what of the browser it is in, and the panel. */
export type ShownResult = ResultsPage & ShownPage;

/** What a host is to be, where that is not as usual. */
interface HostOptions extends PageOptions {
  /** Server of the reports, instead of the embedded one with its sample. */
  server?: ScriptedServer;
}

/** Panels of results in plain Chromium: the shipped page, the extension's own panel and a server. */
export class ResultsHost {
  readonly #pages: PageHost;
  readonly #client: AnalyticsClient;
  readonly #services: PanelServices;
  /** What was asked to be shown as SQL. */
  readonly shownSql: unknown[] = [];
  /** What SQL on display was to follow. */
  readonly refreshedSql: unknown[] = [];

  private constructor(pages: PageHost, connection: HostConnection) {
    this.#pages = pages;
    this.#client = connection.client;
    this.#services = servicesOf(connection, {
      refresh: (_target, report) => void this.refreshedSql.push(report),
      show: async (_target, report) => void this.shownSql.push(report),
    });
  }

  static async start({ server, ...options }: HostOptions = {}): Promise<ResultsHost> {
    const connection = server === undefined ? sampleConnection() : scriptedConnection(server);
    return new ResultsHost(await PageHost.start(options), connection);
  }

  /** Runs a report in a panel of its own, once its page is there. */
  async run(name: string): Promise<ShownResult> {
    const found = await this.#client.call('library/SearchReports', { searchstring: name });
    const report = found.find(({ ReportName }) => ReportName === name);
    if (report === undefined) throw new Error(`The server has no report "${name}".`);
    const stub = this.#pages.newPanel();
    const target = { connectionId: 'c', reportId: String(report.id), name };
    const panel = new ResultsPanel(stub.asPanel, target, this.#services);
    const shown = await this.#pages.show(stub);
    // A report that is never read leaves this pending: the page shows how far it came.
    void panel.start();
    return Object.assign(new ResultsPage(shown.page.mainFrame()), shown);
  }

  stop(): Promise<void> {
    return this.#pages.stop();
  }
}

/** A server as panels know it. */
interface HostConnection {
  client: AnalyticsClient;
  name: string;
  userName: string;
  kind: 'local' | 'remote';
}

function sampleConnection(): HostConnection {
  const { apiBase, session, ...account } = inject('sampleServer');
  const client = testClient(apiBase, account, { vault: memoryVault(session) });
  return { client, name: 'Local Server', userName: account.userName, kind: 'local' };
}

function scriptedConnection({ url }: ScriptedServer): HostConnection {
  const userName = 'ada';
  return { client: testClient(`${url}/api`, { userName, password }), name: '127.0.0.1', userName, kind: 'remote' };
}

function servicesOf(
  { client, name, userName, kind }: HostConnection,
  sql: Pick<SqlPreview, 'refresh' | 'show'>,
): PanelServices {
  const connection = { name, userName, kind, state: { kind: 'signedOut' }, client: async () => client };
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
