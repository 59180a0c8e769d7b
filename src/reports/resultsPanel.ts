import * as vscode from 'vscode';
import { displayText } from '../connections/displayText.ts';
import type { EventName, RequestHandlers } from '../protocol/channel.ts';
import type { ResultsContract, ResultsSnapshot } from '../protocol/resultsPage.ts';
import { answerRequest } from './answerRequest.ts';
import { pageHtml } from './pageHtml.ts';
import { resultsHandlers } from './panelHandlers.ts';
import type { PanelServices } from './panelServices.ts';
import { reportCalls, withDraft } from './reportCalls.ts';
import { ReportRun } from './reportRun.ts';
import { RunRecorder } from './runHistory.ts';
import type { LastRun, RunListener, RunTarget } from './runOptions.ts';
import { resultsRequests } from './resultsRequests.ts';
import type { Keepsake } from './resultsRequests.ts';
import { resultsWords } from './resultsWords.ts';
import { runWords } from './runWords.ts';

/** View type of the panel; also the name under which the editor brings it back. */
export const resultsViewType = 'analytics.results';

/** Folder from which pages may load anything. */
export function pagesFolder(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

/** The panel of one report: its prompt form, its rows, and why there are none. */
export class ResultsPanel implements vscode.Disposable {
  readonly target: RunTarget;
  readonly onDidDispose: vscode.Event<void>;
  readonly #panel: vscode.WebviewPanel;
  readonly #services: PanelServices;
  readonly #run: ReportRun;
  readonly #recorder: RunRecorder;
  readonly #subscriptions: vscode.Disposable[];

  /** Fills `panel`, new or brought back after a reload; then `lastRun` holds what it was run with. */
  constructor(panel: vscode.WebviewPanel, target: RunTarget, services: PanelServices, lastRun?: LastRun) {
    this.#panel = panel;
    this.target = target;
    this.#services = services;
    this.onDidDispose = panel.onDidDispose;
    this.#recorder = new RunRecorder(services.history, target, () => new Date());
    this.#run = this.#createRun(lastRun);
    panel.title = displayText(target.name);
    panel.iconPath = new vscode.ThemeIcon('table');
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [pagesFolder(services.extensionUri)] };
    this.#subscriptions = [
      webview.onDidReceiveMessage((message) => void this.#answer(message)),
      panel.onDidDispose(() => this.#ended()),
    ];
    webview.html = this.#html();
  }

  /** Brings the panel to the front and runs the report from the start, prompts first. */
  async start(): Promise<void> {
    this.#panel.reveal();
    await this.#run.start();
  }

  /** Brings the panel to the front. */
  reveal(): void {
    this.#panel.reveal();
  }

  /** Brings the panel to the front and runs with the values of an earlier run. */
  async rerun(run: LastRun): Promise<void> {
    this.#panel.reveal();
    await this.#run.runWith(run);
  }

  /** Stops what runs in the panel and keeps the rows that came. */
  cancel(): void {
    this.#run.cancel();
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #createRun(lastRun: LastRun | undefined): ReportRun {
    const { connections, memory } = this.#services;
    const { connectionId } = this.target;
    const connection = () => connections.get(connectionId);
    let name = connection()?.name ?? connectionId;
    const serverName = () => (name = connection()?.name ?? name);
    const listener: RunListener = {
      stateChanged: () => {
        const { state, lastRun: last } = this.#run;
        this.#recorder.follow(state, last);
        this.#tell('state', state);
      },
      gridChanged: () => this.#tell('grid', this.#run.screen?.shape ?? null),
      gridGrew: () => {
        const growth = this.#run.screen?.growth;
        if (growth !== undefined) this.#tell('growth', growth);
      },
      formChanged: () => this.#tell('form', this.#run.form),
      valuesChanged: () => this.#tell('keepsake', this.#keepsake),
    };
    const options = {
      target: this.target,
      calls: withDraft(
        () => this.#services.draft(this.target),
        reportCalls(async () => {
          const known = connection();
          if (known === undefined) throw new Error(vscode.l10n.t('{0} is no longer among the saved servers.', name));
          return known.client();
        }),
      ),
      memory,
      words: runWords(this.target, serverName),
      locale: {
        language: vscode.env.language,
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
      place: () => ({ server: displayText(serverName()), user: displayText(connection()?.userName) }),
      now: () => new Date(),
      listener,
    };
    return new ReportRun(options, lastRun);
  }

  get #keepsake(): Keepsake {
    return { ...this.target, lastRun: this.#run.lastRun };
  }

  get #snapshot(): ResultsSnapshot {
    return {
      strings: resultsWords(),
      state: this.#run.state,
      grid: this.#run.screen?.shape ?? null,
      form: this.#run.form,
      keepsake: this.#keepsake,
    };
  }

  async #answer(message: unknown): Promise<void> {
    const answer = await answerRequest(message, resultsRequests, this.#handlers());
    if (answer !== undefined) await this.#panel.webview.postMessage(answer);
  }

  #handlers(): RequestHandlers<ResultsContract> {
    return resultsHandlers({
      run: this.#run,
      target: this.target,
      services: this.#services,
      snapshot: () => this.#snapshot,
      signIn: () => this.#signIn(),
      close: () => this.dispose(),
      takePicture: (format) => this.#tell('takePicture', format),
    });
  }

  /** Signs in to the panel's server, and runs once that has worked. */
  async #signIn(): Promise<null> {
    const { connectionId } = this.target;
    await vscode.commands.executeCommand('analytics.server.signIn', { connectionId });
    if (this.#services.connections.get(connectionId)?.state.kind === 'active') {
      await (this.#run.lastRun === undefined ? this.#run.start() : this.#run.run());
    }
    return null;
  }

  #tell<N extends EventName<ResultsContract>>(name: N, value: ResultsContract['events'][N]): void {
    void this.#panel.webview.postMessage({ kind: 'event', name, value });
  }

  #html(): string {
    const { webview } = this.#panel;
    const folder = pagesFolder(this.#services.extensionUri);
    const address = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
    const addresses = { source: webview.cspSource, script: address('results.js'), style: address('results.css') };
    return pageHtml(addresses, displayText(this.target.name), vscode.env.language);
  }

  #ended(): void {
    this.#recorder.end();
    this.#run.dispose();
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }
}
