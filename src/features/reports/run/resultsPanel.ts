import * as vscode from 'vscode';
import { setPanelTitle } from '../../../editor/panels.ts';
import type { SessionState } from '../../../client/session/sessionState.ts';
import { withWaitNotice } from '../../../editor/progress.ts';
import { displayText } from '../../../editor/displayText.ts';
import type { RequestHandlers } from '../../../contract/pages/channel.ts';
import type { ResultsContract, ResultsSnapshot } from '../../../contract/pages/resultsPage.ts';
import { answerRequest } from '../../../editor/pages/answerRequest.ts';
import { pageHtml } from '../../../editor/pages/pageHtml.ts';
import { PageLink } from '../../../editor/pages/pageLink.ts';
import { resultsHandlers, type PanelServices } from './panelHandlers.ts';
import type { DrillLink } from '../view/drillLinks.ts';
import { auditTrailCalls } from './auditTrail.ts';
import { openAuditObject } from './auditObjects.ts';
import { reportCalls, withDraft, type DrillOrigin } from './reportCalls.ts';
import { ReportRun } from './reportRun.ts';
import { RunRecorder } from '../history/runHistory.ts';
import type { StoredResult, LastRun, RunListener } from './runOptions.ts';
import type { CommandId } from '../../../editor/commands/commandIds.ts';
import { auditTrailId, type ReportTarget } from '../../../editor/commands/services.ts';
import { resultsRequests, type PanelState } from './resultsRequests.ts';
import { runTexts } from './runTexts.ts';

/** View type of the panel, under which VS Code also restores it. */
export const resultsViewType = 'analytics.results';

/** A report to run in a panel. */
interface NewRun {
  target: ReportTarget;
  lastRun?: LastRun & { kept?: StoredResult };
  /** The row that it is opened from. */
  drill?: DrillOrigin;
  /** Names of the reports before it. */
  trail?: readonly string[];
  /** User that the run is bound to, the same as for the report before it. */
  user?: string;
}

/** Folder that pages may load resources from. */
export function pagesFolder(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

/** The panel of a report: its prompt form, its rows, and why there are none. */
export class ResultsPanel implements vscode.Disposable {
  readonly target: ReportTarget;
  readonly onDidDispose: vscode.Event<void>;
  readonly #panel: vscode.WebviewPanel;
  readonly #page: PageLink<ResultsContract>;
  readonly #services: PanelServices;
  /** The report and the reports opened by drilling down. The last one is displayed. */
  #runs: readonly [ReportRun, ...ReportRun[]];
  readonly #recorder: RunRecorder;
  readonly #subscriptions: { dispose(): void }[];

  /**
   * Sets up `panel`, new or restored. If restored, `lastRun` holds the values it was run with, and its rows if still
   * available.
   */
  constructor(
    panel: vscode.WebviewPanel,
    target: ReportTarget,
    services: PanelServices,
    lastRun?: LastRun & { kept?: StoredResult },
  ) {
    this.#panel = panel;
    this.target = target;
    this.#services = services;
    this.onDidDispose = panel.onDidDispose;
    this.#recorder = new RunRecorder(services.history, target, () => new Date());
    this.#runs = [this.#createRun({ target, lastRun })];
    setPanelTitle(panel, displayText(target.name));
    panel.iconPath = new vscode.ThemeIcon('table');
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [pagesFolder(services.extensionUri)] };
    const answer = (message: unknown) =>
      withWaitNotice(() => answerRequest(message, resultsRequests, this.#handlers()));
    this.#page = new PageLink(webview, answer);
    this.#subscriptions = [this.#page, panel.onDidDispose(() => this.#ended())];
    webview.html = this.#html();
  }

  /** Reveals the panel and runs the report from the start, prompts first. */
  async start(): Promise<void> {
    this.#panel.reveal();
    this.#backTo(0);
    await this.#run.start();
  }

  /** Reveals the panel. */
  reveal(): void {
    this.#panel.reveal();
  }

  /** Reveals the panel and runs with the values of an earlier run. */
  async rerun(run: LastRun): Promise<void> {
    this.#panel.reveal();
    this.#backTo(0);
    await this.#run.runWith(run);
  }

  /** Whether it shows the form for values. */
  get isAsking(): boolean {
    return this.#run.state.phase.kind === 'asking';
  }

  /** Runs with the values of a run of another report, or asks again if they do not fit. */
  async fill(run: LastRun): Promise<void> {
    await this.#run.runWith(run);
  }

  /** Cancels the panel's active run and keeps the rows received so far. */
  cancel(): void {
    this.#run.cancel();
  }

  dispose(): void {
    this.#panel.dispose();
  }

  /** The displayed run. */
  get #run(): ReportRun {
    return this.#runs.at(-1) ?? this.#runs[0];
  }

  #createRun({ target, lastRun, drill, trail, user }: NewRun): ReportRun {
    const { connections, memory } = this.#services;
    const { connectionId } = this.target;
    const connection = () => connections.get(connectionId);
    let name = connection()?.name ?? connectionId;
    const serverName = () => (name = connection()?.name ?? name);
    const isShown = () => this.#runs?.at(-1) === run;
    const listener: RunListener = {
      stateChanged: () => {
        // A drill-down does not belong in the history: it cannot be run again on its own.
        if (drill === undefined) {
          const state = { ...run.state, ...run.tried };
          const { store } = run.view ?? {};
          this.#recorder.follow(state, run.lastRun, store && { store, prepared: run.prepared, zones: run.zones });
        }
        if (isShown()) this.#tellState();
      },
      gridChanged: () => {
        if (!isShown()) return;
        this.#page.tell('grid', run.view?.shape ?? null);
        this.#page.tell('keepsake', this.#keepsake);
      },
      gridGrew: () => {
        const growth = run.view?.growth;
        if (growth !== undefined && isShown()) this.#page.tell('growth', growth);
      },
      formChanged: () => isShown() && this.#page.tell('form', run.prompts.form),
      valuesChanged: () => {
        this.#page.tell('keepsake', this.#keepsake);
        if (run.report !== undefined) this.#services.sql.refresh(target, run.report);
      },
    };
    const client = async () => {
      const known = connection();
      if (known === undefined) throw new Error(vscode.l10n.t('{0} is no longer in the server list.', name));
      return known.client();
    };
    const options = {
      target,
      drill,
      trail,
      user,
      calls:
        target.reportId === auditTrailId
          ? auditTrailCalls(client)
          : withDraft(() => this.#services.draft(target), reportCalls(client)),
      memory,
      words: runTexts(target, serverName, () => maxRecordsOf(connection()?.state)),
      language: vscode.env.language,
      place: () => ({ server: displayText(serverName()), user: displayText(connection()?.userName) }),
      isLocal: () => connection()?.kind === 'local',
      now: () => new Date(),
      listener,
    };
    const run: ReportRun = new ReportRun(options, lastRun);
    return run;
  }

  /** Opens the report that a row links to in this panel. The previous rows stay. */
  async #drill(link: DrillLink, criteria: Record<string, unknown>): Promise<void> {
    const from = this.#run;
    if (from.prepared === undefined) return;
    const target = { ...this.target, reportId: link.reportId, name: link.name };
    const drill = { source: from.prepared, criteria };
    const run = this.#createRun({ target, drill, trail: from.state.trail, user: from.state.user });
    this.#runs = [...this.#runs, run];
    this.#showRun();
    await run.start();
  }

  /** Returns to a report on the trail and disposes the reports after it. */
  #backTo(level: number): void {
    const left = this.#runs.slice(level + 1);
    if (left.length === 0) return;
    const [first, ...others] = this.#runs;
    this.#runs = [first, ...others.slice(0, level)];
    for (const run of left) run.dispose();
    this.#showRun();
  }

  #showRun(): void {
    const run = this.#run;
    this.#tellState();
    this.#page.tell('form', run.prompts.form);
    this.#page.tell('grid', run.view?.shape ?? null);
  }

  /** Tells the page the state of the displayed run. The tab is called as what it shows. */
  #tellState(): void {
    const { state } = this.#run;
    setPanelTitle(this.#panel, displayText(state.title));
    this.#page.tell('state', state);
  }

  get #keepsake(): PanelState {
    return { ...this.target, lastRun: this.#runs[0].lastRun };
  }

  get #snapshot(): ResultsSnapshot {
    return {
      state: this.#run.state,
      grid: this.#run.view?.shape ?? null,
      form: this.#run.prompts.form,
      keepsake: this.#keepsake,
    };
  }

  #handlers(): RequestHandlers<ResultsContract> {
    return resultsHandlers({
      run: this.#run,
      services: this.#services,
      snapshot: () => this.#snapshot,
      signIn: () => this.#afterCommand('analytics.server.signIn'),
      changePassword: () => this.#afterCommand('analytics.profile.changePassword'),
      close: () => this.dispose(),
      takePicture: (format) => this.#page.tell('takePicture', format),
      drill: (link, criteria) => this.#drill(link, criteria),
      openAuditObject: async (row) => {
        const connection = this.#services.connections.get(this.target.connectionId);
        if (connection) await openAuditObject(connection, row);
      },
      back: (level) => this.#backTo(level),
    });
  }

  /** Signs in to the panel's server or sets the password it demands, then runs the report if signed in. */
  async #afterCommand(command: CommandId): Promise<null> {
    const { connectionId } = this.target;
    await vscode.commands.executeCommand(command, { connectionId });
    if (this.#services.connections.get(connectionId)?.state.kind === 'active') {
      await (this.#run.lastRun === undefined ? this.#run.start() : this.#run.run());
    }
    return null;
  }

  #html(): string {
    const { webview } = this.#panel;
    const folder = pagesFolder(this.#services.extensionUri);
    const address = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
    const addresses = { source: webview.cspSource, script: address('results.js'), style: address('results.css') };
    return pageHtml(addresses, displayText(this.target.name));
  }

  #ended(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
    this.#recorder.end();
    for (const run of this.#runs) run.dispose();
  }
}

/** Maximum number of rows that the server returns, as reported at sign-in. */
function maxRecordsOf(state: SessionState | undefined): number | undefined {
  return state !== undefined && 'account' in state ? state.account.maxRecords : undefined;
}
