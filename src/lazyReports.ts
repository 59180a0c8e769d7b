import * as vscode from 'vscode';
import type { ConnectionStore } from './connections/connectionStore.ts';
import type { ReportBuilder } from './features/builder/reportBuilder.ts';
import type { AnalyticsStudioApi } from './features/reports/run/publishedApi.ts';
import type { ReportRunner } from './features/reports/run/reportRunner.ts';
import type { RunHistory } from './features/reports/history/runHistory.ts';
import type { SqlPreview } from './features/reports/sql/sqlPreview.ts';

/** The reports feature once it is loaded. */
export interface Reports {
  runner: ReportRunner;
  sql: SqlPreview;
  builder: ReportBuilder;
}

/** Loads the reports feature on demand. */
export interface LazyReports {
  /** Loads it on first use. */
  load(): Promise<Reports>;
  /** The feature if it is already loaded. */
  loaded(): Reports | undefined;
}

/**
 * The reports feature, loaded when a report is first run, shown or restored after a reload. Until then, placeholder
 * providers are registered for its panels and documents; they are disposed when the feature registers its own.
 */
export function lazyReports(
  context: vscode.ExtensionContext,
  connections: ConnectionStore,
  history: RunHistory,
  own: <T extends vscode.Disposable>(disposable: T) => T,
): LazyReports {
  let loading: Promise<Reports> | undefined;
  let loaded: Reports | undefined;
  const load = async () => {
    const [{ ReportRunner }, { SqlPreview }, { ReportBuilder }, { draftMetadata }] = await Promise.all([
      import('./features/reports/run/reportRunner.ts'),
      import('./features/reports/sql/sqlPreview.ts'),
      import('./features/builder/reportBuilder.ts'),
      import('./features/builder/draftReport.ts'),
    ]);
    standIns.dispose();
    const sql = own(new SqlPreview(connections));
    const { extensionUri, globalState, workspaceState: state } = context;
    const runner = own(new ReportRunner({ connections, sql, history, extensionUri, values: globalState }));
    const builder = own(
      new ReportBuilder({
        connections,
        extensionUri,
        state,
        preview: (target, report) => runner.preview(target, draftMetadata(report)),
        showSql: (target, report) => sql.show(target, report),
        refreshSql: (target, report) => sql.refresh(target, report),
      }),
    );
    return (loaded = { runner, sql, builder });
  };
  const reports = () =>
    (loading ??= load().catch((error: unknown) => {
      // The next use retries.
      loading = undefined;
      throw error;
    }));
  const standIns = own(
    vscode.Disposable.from(
      vscode.window.registerWebviewPanelSerializer('analytics.results', {
        deserializeWebviewPanel: async (panel, state: unknown) =>
          (await reports()).runner.deserializeWebviewPanel(panel, state),
      }),
      vscode.workspace.registerTextDocumentContentProvider('analytics-sql', {
        provideTextDocumentContent: async (uri) => (await reports()).sql.provideTextDocumentContent(uri),
      }),
    ),
  );
  own(
    vscode.window.registerWebviewPanelSerializer('analytics.comparison', {
      deserializeWebviewPanel: async (panel) =>
        (await import('./features/reports/compare/comparisonPanel.ts')).showLostComparison(panel),
    }),
  );
  own(
    vscode.window.registerCustomEditorProvider(
      'analytics.builder',
      { resolveCustomTextEditor: async (document, panel) => (await reports()).builder.open(document, panel) },
      // The state of a builder is read from the document; state shared by all builders is stored by document.
      { supportsMultipleEditorsPerDocument: true },
    ),
  );
  return { load: reports, loaded: () => loaded };
}

/** Implements {@link AnalyticsStudioApi} for the saved connections; its calls are loaded on first use. */
export function publishedApi(connections: ConnectionStore): AnalyticsStudioApi {
  const calls = async (id: string) =>
    (await import('./features/reports/run/publishedCalls.ts')).publishedCalls(connections, id);
  return {
    version: 1,
    connections: () =>
      connections
        .list()
        .map(({ id, name, userName, state }) => ({ id, name, userName, isSignedIn: state.kind === 'active' })),
    findReports: async (id, text, signal) => (await calls(id)).findReports(text, signal),
    promptsOf: async (id, reportId, signal) => (await calls(id)).promptsOf(reportId, signal),
    runReport: async (id, reportId, request) => (await calls(id)).runReport(reportId, request),
  };
}
