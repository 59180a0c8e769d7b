import * as vscode from 'vscode';
import { displayText } from '../../connections/displayText.ts';
import type { RequestHandlers } from '../../protocol/channel.ts';
import type { GridShape, ResultsContract, ResultsSnapshot, ResultsState } from '../../protocol/resultsPage.ts';
import { largestWindow, packRows } from '../../protocol/rowWindow.ts';
import { answerRequest } from '../answerRequest.ts';
import { cellCount, checkCopy } from '../copyAs.ts';
import { copyCells } from '../copyCells.ts';
import type { GridSource } from '../gridSource.ts';
import { pageHtml } from '../pageHtml.ts';
import { noArrangement } from '../resultView.ts';
import { resultsRequests } from '../resultsRequests.ts';
import { pagesFolder } from '../resultsPanel.ts';
import { resultsWords } from '../resultsWords.ts';
import { sourceColumns } from '../screenColumns.ts';
import { ViewFinder } from '../viewFinder.ts';

const firstRows = 128;
const viewNumber = 1;
/** Added to the width of each column. */
const pairSpace = 24;

/** What a comparison is shown with. */
export interface ShownComparison {
  title: string;
  server: string;
  user: string;
  source: GridSource;
}

/** Opens a panel with rows that were made here: the results page, without what only a run can do. */
export function openComparison(extensionUri: vscode.Uri, shown: ShownComparison): void {
  const folder = pagesFolder(extensionUri);
  const title = displayText(shown.title);
  const panel = vscode.window.createWebviewPanel('analytics.comparison', title, vscode.ViewColumn.Active, {
    enableScripts: true,
    localResourceRoots: [folder],
  });
  panel.iconPath = new vscode.ThemeIcon('diff');
  const { webview } = panel;
  const handlers = comparisonHandlers(shown);
  const subscription = webview.onDidReceiveMessage(async (message: unknown) => {
    const answer = await answerRequest(message, resultsRequests, handlers);
    if (answer !== undefined) await webview.postMessage(answer);
  });
  panel.onDidDispose(() => void subscription.dispose());
  const address = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
  const addresses = { source: webview.cspSource, script: address('results.js'), style: address('results.css') };
  webview.html = pageHtml(addresses, title, vscode.env.language);
}

function snapshotOf({ title, server, user, source }: ShownComparison): ResultsSnapshot {
  const { rows, notes } = source;
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
    phase: { kind: 'done', progress: { rows, bytes: 0, elapsedMs: 0 }, isCached: false, isLimited: false, notice: '' },
    isMadeHere: true,
  };
  const grid: GridShape = {
    view: viewNumber,
    // Two numbers and an arrow are wider than as many letters.
    columns: sourceColumns(source).map((column) => ({ ...column, width: column.width + pairSpace })),
    rows,
    totalRows: rows,
    arrangement: noArrangement,
    isDerived: true,
    notes,
    first: packRows(0, source.cells(0, firstRows)),
  };
  return { strings: resultsWords(), state, grid, form: null, keepsake: undefined };
}

function comparisonHandlers(shown: ShownComparison): RequestHandlers<ResultsContract> {
  const { source } = shown;
  const finder = new ViewFinder();
  const nothing = () => null;
  return {
    ready: () => snapshotOf(shown),
    rows: ({ view, start, count }) =>
      view === viewNumber ? packRows(start, source.cells(start, Math.min(count, largestWindow))) : null,
    copy: async (params) => {
      checkCopy(params);
      const titles = source.columns.map(({ title }) => title);
      await vscode.env.clipboard.writeText(await copyCells(source, titles, params));
      return cellCount(params);
    },
    copyAs: async (params) => {
      checkCopy(params);
      const titles = source.columns.map(({ title }) => title);
      await vscode.env.clipboard.writeText(await copyCells(source, titles, { ...params, withHeaders: true }));
      return cellCount(params);
    },
    find: (wish) => finder.find({ rows: source.rows, source }, wish),
    cell: ({ row, column }) => {
      const text = source.cells(row, 1, [column])[0]?.[0] ?? null;
      return { title: source.columns[column]?.title ?? '', typeName: '', shown: text, stored: null };
    },
    arrange: () => ({}),
    submitPrompts: () => [],
    promptChoices: () => ({ choices: [], notice: '' }),
    savePicture: () => false,
    run: nothing,
    runOptions: nothing,
    cancel: nothing,
    drill: nothing,
    back: nothing,
    signIn: nothing,
    showSql: nothing,
    openPrompts: nothing,
    closePrompts: nothing,
    choosePreset: nothing,
    savePreset: nothing,
    removePreset: nothing,
    present: nothing,
    chart: nothing,
    mapShapes: nothing,
    figures: nothing,
    profile: nothing,
    exportRows: nothing,
    openLink: nothing,
  };
}
