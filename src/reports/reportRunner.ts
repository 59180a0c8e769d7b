import * as vscode from 'vscode';
import { PromptMemory } from './promptMemory.ts';
import type { ValueStore } from './promptMemory.ts';
import type { RunTarget } from './runOptions.ts';
import { pagesFolder, ResultsPanel, resultsViewType } from './resultsPanel.ts';
import type { PanelServices } from './resultsPanel.ts';
import { keepsake } from './resultsRequests.ts';

/** What {@link ReportRunner} works with. */
export interface ReportRunnerOptions extends Omit<PanelServices, 'memory'> {
  /** Where the values last used are kept. */
  values: ValueStore;
}

/** Runs reports, each in a panel of its own that is bound to its server and comes back after a reload. */
export class ReportRunner implements vscode.Disposable, vscode.WebviewPanelSerializer {
  readonly #services: PanelServices;
  readonly #registration: vscode.Disposable;
  readonly #panels = new Set<ResultsPanel>();

  constructor({ values, ...services }: ReportRunnerOptions) {
    this.#services = { ...services, memory: new PromptMemory(values) };
    this.#registration = vscode.window.registerWebviewPanelSerializer(resultsViewType, this);
  }

  /** Runs a report in its panel, which opens if it is not there. What goes wrong is shown in the panel. */
  async run(target: RunTarget): Promise<void> {
    const isSame = (panel: ResultsPanel) =>
      panel.target.connectionId === target.connectionId && panel.target.reportId === target.reportId;
    const known = [...this.#panels].find(isSame);
    await (known ?? this.#open(target)).start();
  }

  /** Brings back a panel after a reload of the window, without running anything. Called by the editor. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const kept = typeof state === 'object' && state !== null && 'keepsake' in state ? state.keepsake : undefined;
    const found = keepsake.safeParse(kept);
    if (!found.success) {
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

  #open(target: RunTarget): ResultsPanel {
    const panel = vscode.window.createWebviewPanel(resultsViewType, target.name, vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [pagesFolder(this.#services.extensionUri)],
    });
    return this.#adopt(new ResultsPanel(panel, target, this.#services));
  }

  #adopt(panel: ResultsPanel): ResultsPanel {
    this.#panels.add(panel);
    panel.onDidDispose(() => this.#panels.delete(panel));
    return panel;
  }
}
