import * as vscode from 'vscode';
import type { StateStore } from '../../../connections/storedState.ts';
import { completeStep } from '../../../editor/walkthroughSteps.ts';
import { noticeHtml } from '../../../editor/pages/pageHtml.ts';
import { createWebviewPanel } from '../../../editor/panels.ts';
import { checkKept } from '../../../contract/pages/keptState.ts';
import type { ReportMetadata } from '../../../contract/resources/report.ts';
import { compareRuns, type ComparedRun } from '../compare/compareRuns.ts';
import { PromptMemory } from '../prompts/promptMemory.ts';
import type { KeptRows, PastRun } from '../history/runHistory.ts';
import type { StoredResult, LastRun } from './runOptions.ts';
import type { ReportTarget } from '../../../editor/commands/services.ts';
import { pagesFolder, ResultsPanel, resultsViewType } from './resultsPanel.ts';
import type { PanelServices } from './panelHandlers.ts';
import { panelState } from './resultsRequests.ts';
import { arrangeEditors, shareValues } from './reportsTogether.ts';
import { draftTarget, isDraft } from '../history/runStore.ts';

/** Options of {@link ReportRunner}. */
interface ReportRunnerOptions extends Omit<PanelServices, 'memory' | 'draft'> {
  /** Storage for the last used values. */
  values: StateStore;
}

/** Shows why a panel of an earlier window is not restored. Its saved state stays as it is. */
function showUnreadablePanel(panel: vscode.WebviewPanel, isLater: boolean): void {
  panel.webview.html = noticeHtml(
    panel.title,
    isLater
      ? vscode.l10n.t(
          'A later release of Analytics Studio saved this panel. Update Analytics Studio and reload the window to restore it, or run the report again.',
        )
      : vscode.l10n.t('The saved state of this panel is damaged. Run the report again from the sidebar.'),
  );
}

/** Runs reports, each in its own panel that is bound to its server and restored after a reload. */
export class ReportRunner implements vscode.Disposable, vscode.WebviewPanelSerializer {
  readonly #services: PanelServices;
  readonly #registration: vscode.Disposable;
  readonly #panels = new Set<ResultsPanel>();
  /** Comparison panels with the runs that they compare. */
  readonly #comparisons = new Map<vscode.WebviewPanel, readonly PastRun[]>();
  /** Unsaved reports, by the id of their panel. */
  readonly #drafts = new Map<string, ReportMetadata>();

  constructor({ values, ...services }: ReportRunnerOptions) {
    const draft = ({ reportId }: ReportTarget) => this.#drafts.get(reportId);
    this.#services = { ...services, draft, memory: new PromptMemory(values) };
    this.#registration = vscode.Disposable.from(
      vscode.window.registerWebviewPanelSerializer(resultsViewType, this),
      services.connections.onDidChange(() => this.#dropRemoved()),
    );
  }

  /** Runs a report in its panel, opening the panel if needed. Errors are shown in the panel. */
  async run(target: ReportTarget): Promise<void> {
    // VS Code does not count a click on a row as running a command.
    completeStep('analytics.hasRunReport');
    await (this.#panelOf(target) ?? this.#open(target)).start();
  }

  /**
   * Runs reports in panels side by side. While several ask for values, those given for the first are used for the others:
   * each is run, or asks again if it has other prompts.
   */
  async runTogether(targets: readonly ReportTarget[]): Promise<void> {
    completeStep('analytics.hasRunReport');
    const columns = await arrangeEditors(targets.length);
    const panels = targets.map(
      (target, index) => this.#panelOf(target) ?? this.#open(target, undefined, (index % columns) + 1),
    );
    await Promise.all(panels.map((panel) => panel.start()));
    shareValues(
      panels.filter(({ isAsking }) => isAsking),
      this.#services.history,
    );
  }

  /** Runs a report, which may be unsaved, in a panel next to its editor. */
  async preview(target: ReportTarget, report: ReportMetadata): Promise<void> {
    const name = vscode.l10n.t('{0} (preview)', target.name);
    const draft = draftTarget(target, name);
    this.#drafts.set(draft.reportId, report);
    await (this.#panelOf(draft) ?? this.#open(draft, undefined, vscode.ViewColumn.Beside)).start();
  }

  /**
   * Shows the panel of a past run. If it was closed, opens one with the run's values and, if still stored, its rows.
   * Does not run anything.
   */
  reveal(runId: string): void {
    const { history } = this.#services;
    const run = history.find(runId);
    if (run === undefined) return;
    const open = this.#panelOf(run.target);
    if (open !== undefined) return open.reveal();
    const rows = history.rowsOf(runId);
    this.#open(run.target, rows === undefined ? run : { ...run, kept: keptResult(run, rows) }).reveal();
  }

  /** Reruns the report of a past run with the same prompt values. Errors are shown in the panel. */
  async rerun(runId: string): Promise<void> {
    const run = this.#services.history.find(runId);
    if (run !== undefined) await (this.#panelOf(run.target) ?? this.#open(run.target, run)).rerun(run);
  }

  /** Pins or unpins a run and its rows. */
  pin(runId: string, isPinned: boolean): void {
    this.#services.history.pin(runId, isPinned);
  }

  /**
   * Shows the differences between two runs, ordered by start time.
   * @throws Error if the rows of one are no longer available.
   */
  async compare(oneId: string, otherId: string): Promise<void> {
    const runs = [oneId, otherId].map((id) => this.#comparedRun(id));
    const [before, after] = runs.toSorted((one, other) => one.run.startedAt.getTime() - other.run.startedAt.getTime());
    if (before === undefined || after === undefined) return;
    const panel = await compareRuns(this.#services.extensionUri, before, after);
    if (panel === undefined) return;
    this.#comparisons.set(panel, [before.run, after.run]);
    panel.onDidDispose(() => this.#comparisons.delete(panel));
    // The server may have been removed while the user was asked.
    this.#dropRemoved();
  }

  /** Cancels an active run. The rows received so far stay in its panel. */
  cancel(runId: string): void {
    const run = this.#services.history.find(runId);
    if (run?.state === 'running') this.#panelOf(run.target)?.cancel();
  }

  /** Removes a past run, cancelling it first if it is active. Its panel stays open. */
  remove(runId: string): void {
    this.cancel(runId);
    this.#services.history.remove(runId);
  }

  /** Restores a panel after a window reload, without running anything. Called by VS Code. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const kept = typeof state === 'object' && state !== null && 'keepsake' in state ? state.keepsake : undefined;
    const found = panelState.safeParse(kept);
    // A page that had not loaded saved nothing.
    const condition = state === undefined || state === null ? 'whole' : checkKept(state);
    if (condition !== 'whole' || (kept !== undefined && !found.success)) {
      showUnreadablePanel(panel, condition === 'later');
      return;
    }
    // An unsaved report is lost when the window closes.
    if (!found.success || isDraft(found.data)) {
      panel.dispose();
      return;
    }
    const { lastRun, ...target } = found.data;
    this.#adopt(new ResultsPanel(panel, target, this.#services, lastRun ?? { values: [], chips: [] }));
  }

  dispose(): void {
    this.#registration.dispose();
    for (const panel of [...this.#panels]) panel.dispose();
  }

  /** Closes the panels of removed servers, including comparison panels, and removes their runs from the history. */
  #dropRemoved(): void {
    const { connections } = this.#services;
    const isRemoved = ({ target }: { target: ReportTarget }) => connections.get(target.connectionId) === undefined;
    for (const panel of [...this.#panels].filter(isRemoved)) panel.dispose();
    for (const [panel, runs] of [...this.#comparisons]) if (runs.some(isRemoved)) panel.dispose();
    this.#forget(isRemoved);
  }

  #forget(isGone: (run: PastRun) => boolean): void {
    const { history } = this.#services;
    for (const { id } of history.runs.filter(isGone)) history.remove(id);
  }

  #comparedRun(id: string): ComparedRun {
    const { history } = this.#services;
    const run = history.find(id);
    const rows = history.rowsOf(id);
    if (run !== undefined && rows !== undefined) return { run, rows };
    const name = run?.target.name ?? id;
    throw new Error(
      vscode.l10n.t('The rows of "{0}" are no longer available. Run it again, and pin it to keep them.', name),
    );
  }

  #panelOf(target: ReportTarget): ResultsPanel | undefined {
    return [...this.#panels].find(
      (panel) => panel.target.connectionId === target.connectionId && panel.target.reportId === target.reportId,
    );
  }

  #open(
    target: ReportTarget,
    lastRun?: LastRun & { kept?: StoredResult },
    column = vscode.ViewColumn.Active,
  ): ResultsPanel {
    const panel = createWebviewPanel(resultsViewType, target.name, column, {
      enableScripts: true,
      localResourceRoots: [pagesFolder(this.#services.extensionUri)],
    });
    return this.#adopt(new ResultsPanel(panel, target, this.#services, lastRun));
  }

  #adopt(panel: ResultsPanel): ResultsPanel {
    this.#panels.add(panel);
    panel.onDidDispose(() => {
      this.#panels.delete(panel);
      const { reportId } = panel.target;
      // Without its panel, an unsaved report cannot be run again.
      if (this.#drafts.delete(reportId)) this.#forget(({ target }) => target.reportId === reportId);
    });
    return panel;
  }
}

/** The stored rows of a run, and how it ended. */
function keptResult({ state, isCached, elapsedMs, startedAt }: PastRun, rows: KeptRows): StoredResult {
  const progress = { rows: rows.store.rowCount, bytes: rows.store.bytes, elapsedMs };
  if (state === 'cancelled') return { ...rows, phase: { kind: 'cancelled', progress }, startedAt };
  const notice = vscode.l10n.t('Rows of {0} from an earlier run.', startedAt.toLocaleString(vscode.env.language));
  return { ...rows, phase: { kind: 'done', progress, isCached, isLimited: false, notice }, startedAt };
}
