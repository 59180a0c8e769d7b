import * as vscode from 'vscode';
import { createWebviewPanel } from '../../../editor/panels.ts';
import { displayText } from '../../../editor/displayText.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { RequestHandlers } from '../../../contract/pages/channel.ts';
import type {
  GridShape,
  ResultsContract,
  ResultsSnapshot,
  ResultsState,
  RowKind,
} from '../../../contract/pages/resultsPage.ts';
import { answerRequest } from '../../../editor/pages/answerRequest.ts';
import type { CellLocale } from '../view/format/cellFormat.ts';
import { exportResult } from '../export/exportResult.ts';
import { outputTexts, typeLabel } from '../run/runTexts.ts';
import { pageHtml, noticeHtml } from '../../../editor/pages/pageHtml.ts';
import { PageLink } from '../../../editor/pages/pageLink.ts';
import { tableSource } from '../view/displayedRows.ts';
import { ResultView } from '../view/resultView.ts';
import { resultsRequests } from '../run/resultsRequests.ts';
import { pagesFolder } from '../run/resultsPanel.ts';
import { viewHandlers } from '../view/viewHandlers.ts';

/** Data of a comparison panel. */
interface ShownComparison {
  title: string;
  server: string;
  user: string;
  locale: CellLocale;
  /** The differing rows. Column 0 holds the kind of difference. */
  rows: ResultStore;
  /** Kinds of difference in column 0, with their row counts. */
  kinds: readonly RowKind[];
  /** Notices for the reader about how the comparison was made. */
  notes: readonly string[];
  /** The same information for the details file of an export. */
  details: object;
}

/** Opens a panel for rows created locally: the results page without the features that need a run. Returns the panel. */
export function openComparison(extensionUri: vscode.Uri, shown: ShownComparison): vscode.WebviewPanel {
  const folder = pagesFolder(extensionUri);
  const title = displayText(shown.title);
  const panel = createWebviewPanel('analytics.comparison', title, vscode.ViewColumn.Active, {
    enableScripts: true,
    localResourceRoots: [folder],
  });
  panel.iconPath = new vscode.ThemeIcon('diff');
  const { webview } = panel;
  const shape = (): GridShape => ({ ...view.shape, notes: shown.notes });
  const view: ResultView = new ResultView(
    shown.rows,
    { locale: shown.locale, words: { typeName: typeLabel, output: outputTexts() }, output: undefined, isTable: true },
    { gridChanged: () => page.tell('grid', shape()), gridGrew: () => undefined },
  );
  const handlers = comparisonHandlers(shown, view, () => snapshotOf(shown, shape()));
  const answer = (message: unknown) => answerRequest(message, resultsRequests, handlers);
  const page: PageLink<ResultsContract> = new PageLink(webview, answer);
  panel.onDidDispose(() => {
    page.dispose();
    view.dispose();
  });
  const address = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
  const addresses = { source: webview.cspSource, script: address('results.js'), style: address('results.css') };
  webview.html = pageHtml(addresses, title);
  return panel;
}

function snapshotOf({ title, server, user, rows, kinds }: ShownComparison, grid: GridShape): ResultsSnapshot {
  const progress = { rows: rows.rowCount, bytes: 0, elapsedMs: 0 };
  const state: ResultsState = {
    title: displayText(title),
    trail: [displayText(title)],
    server: displayText(server),
    user: displayText(user),
    hasPrompts: false,
    output: null,
    isTable: true,
    reportId: '',
    chips: [],
    phase: { kind: 'done', progress, isCached: false, isLimited: false, notice: '' },
    isMadeHere: true,
    hasNoSql: true,
    rowKinds: kinds,
  };
  return { state, grid, form: null, keepsake: undefined };
}

function comparisonHandlers(
  { title, details }: ShownComparison,
  view: ResultView,
  snapshot: () => ResultsSnapshot,
): RequestHandlers<ResultsContract> {
  const nothing = () => null;
  return {
    // The values come from two runs, not from one database, so ask for the dialect of an INSERT.
    ...viewHandlers({ view, platform: () => Promise.resolve(undefined) }, title),
    ready: snapshot,
    exportRows: async ({ columns }) => {
      const source = tableSource(view.displayed, title, columns);
      await exportResult({ source, hasPicture: false, details: () => Promise.resolve(details) });
      return null;
    },
    submitPrompts: () => [],
    promptChoices: () => ({ choices: [], notice: '' }),
    savePicture: () => false,
    run: nothing,
    runOptions: nothing,
    cancel: nothing,
    drill: nothing,
    back: nothing,
    signIn: nothing,
    changePassword: nothing,
    showSql: nothing,
    openPrompts: nothing,
    closePrompts: nothing,
    choosePreset: nothing,
    savePreset: nothing,
    removePreset: nothing,
    present: nothing,
    chart: nothing,
    mapShapes: nothing,
  };
}

/** Explains in a comparison panel restored after a reload why it is empty, and how to recreate the comparison. */
export function showLostComparison(panel: vscode.WebviewPanel): void {
  const text = vscode.l10n.t(
    'The compared rows were discarded when the window closed. Run the reports again and compare the runs in the Runs view.',
  );
  panel.iconPath = new vscode.ThemeIcon('diff');
  panel.webview.html = noticeHtml(panel.title, text);
}
