import path from 'node:path';
import * as vscode from 'vscode';
import type { Connection } from '../../src/connections/connection.ts';
import type { ConnectionStore } from '../../src/connections/connectionStore.ts';
import { buildDocuments } from '../../src/features/documents/buildDocuments.ts';
import { documentUri } from '../../src/editor/documentUri.ts';
import { ExplicitSaves } from '../../src/features/documents/save/explicitSaves.ts';
import { PromptMemory } from '../../src/features/reports/prompts/promptMemory.ts';
import type { AnalyticsStudioApi } from '../../src/features/reports/run/publishedApi.ts';
import { publishedApi } from '../../src/lazyReports.ts';
import { ResultsPanel } from '../../src/features/reports/run/resultsPanel.ts';
import { RunHistory } from '../../src/features/reports/history/runHistory.ts';
import { SqlPreview } from '../../src/features/reports/sql/sqlPreview.ts';
import { startCutProxy, type CutProxy } from './faults/cutProxy.ts';
import { openHostWindow, SharedSecrets, SharedState, type HostWindow } from './hostWindow.ts';
import { TreeEditor } from './workbench/treeEditor.ts';
import { Dice } from './workbench/treeServer.ts';

/** A scheme of its own, so that the extension's documents are left alone. */
const scheme = 'analytics-day';
const mostPanels = 4;
const reports = [
  ...['Number of Flights', 'Delays by State', 'Average Delay by State', 'On-Time Share', 'Costly Species'],
  ...['Monthly Traffic by State', 'Hundred Longest Delays', 'Routes', 'Airports with Flights'],
];

/** As if the user had asked for every write. */
class AskedSaves extends ExplicitSaves {
  override take(): boolean {
    return true;
  }
}

/** What one person does in one window over two servers, drawn by lot, while wires break and servers die. */
export class DayOfWork {
  /** Ids of the server processes that ran. */
  readonly processes: number[] = [];
  /** Those who listen to the list of servers for a panel. */
  listeners = 0;
  readonly #dice: Dice;
  readonly #done = new Map<string, number>();
  readonly #panels = new Set<ResultsPanel>();
  readonly #own: HostWindow;
  readonly #elsewhere: HostWindow;
  readonly #proxy: CutProxy;
  readonly #connections: readonly Connection[];
  readonly #api: AnalyticsStudioApi;
  readonly #editor: TreeEditor;
  readonly #documents: ReturnType<typeof buildDocuments>;
  readonly #history = new RunHistory();
  readonly #sql: SqlPreview;
  readonly #parts: vscode.Disposable;
  #faults = 0;
  #failed = 0;

  /** @param folder for the data of both servers. */
  static async begin(folder: string, seed: number): Promise<DayOfWork> {
    const machine = (name: string) => {
      const place = { folder: path.join(folder, name), secrets: new SharedSecrets(), state: new SharedState() };
      return openHostWindow(place);
    };
    const [own, elsewhere] = [machine('own'), machine('elsewhere')];
    const local = await own.connections.addLocal('Local Server');
    const { url } = await elsewhere.localServer.ensureRunning();
    const password = (await elsewhere.localServer.password()) ?? '';
    const proxy = await startCutProxy(url);
    const remote = own.connections.draft({
      ...{ name: 'Elsewhere', kind: 'remote', apiBase: `${proxy.url}/api`, installationId: '' },
      ...{ userName: 'admin', isGuest: false },
    });
    await remote.signIn({ userName: 'admin', password, isGuest: false }, true);
    await own.connections.save(remote);
    await local.client();
    return new DayOfWork(seed, own, elsewhere, proxy, [local, remote]);
  }

  private constructor(
    seed: number,
    own: HostWindow,
    elsewhere: HostWindow,
    proxy: CutProxy,
    connections: readonly Connection[],
  ) {
    this.#dice = new Dice(seed);
    this.#own = own;
    this.#elsewhere = elsewhere;
    this.#proxy = proxy;
    this.#connections = connections;
    this.#api = publishedApi(own.connections);
    this.#editor = new TreeEditor(own.tree);
    this.#sql = new SqlPreview(own.connections);
    const saves = new AskedSaves();
    const state = new SharedState();
    this.#documents = buildDocuments({ connections: own.connections, saves, state, onDidSave: () => undefined });
    const files = vscode.workspace.registerFileSystemProvider(scheme, this.#documents.files, { isCaseSensitive: true });
    this.#parts = vscode.Disposable.from(files, this.#documents, saves, this.#sql);
  }

  /** Does one thing. What the world refuses is a failure that a person would be told of; anything else is thrown. */
  async act(): Promise<void> {
    const all: Record<string, () => Promise<void>> = {
      browse: () => this.#browse(),
      fold: () => this.#fold(),
      refresh: () => this.#own.tree.refresh(),
      run: () => this.#run(),
      stopRun: () => this.#stopRun(),
      openPanel: () => this.#openPanel(),
      closePanel: () => this.#closePanel(),
      edit: () => this.#edit(),
      breakWire: () => this.#breakWire(),
      signInElsewhere: () => this.#signInElsewhere(),
      killServer: () => this.#killServer(),
    };
    // What disturbs is rare: most of a day is work.
    const often = ['browse', 'browse', 'fold', 'run', 'stopRun', 'openPanel', 'closePanel', 'edit', 'edit'];
    const usual = this.#dice.roll(12) > 0;
    const name = (usual ? this.#dice.pick(often) : this.#dice.pick(Object.keys(all))) ?? 'browse';
    this.#done.set(name, (this.#done.get(name) ?? 0) + 1);
    try {
      await all[name]?.();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#failed += 1;
    }
  }

  /** Closes what is open, so that two moments can be compared. */
  async rest(): Promise<void> {
    for (const panel of [...this.#panels]) panel.dispose();
    for (const { id } of [...this.#history.runs]) this.#history.remove(id);
    await vscode.commands.executeCommand('notifications.clearAll');
    await this.#editor.settled();
    this.#own.requests.length = 0;
    this.#proxy.asked.length = 0;
    this.#proxy.sent.length = 0;
  }

  /** Ends all disturbances: afterwards both servers are there and signed in to. @throws Error when one is not. */
  async settle(): Promise<void> {
    this.#proxy.rule = () => 'pass';
    this.#own.localServer.forgiveCrashes();
    for (const connection of this.#connections) {
      await this.#signInAgain(connection);
      await (await connection.client()).call('library/GetAllLibraryTree', {});
    }
    await this.#own.tree.refresh();
    await this.#editor.settled();
  }

  async end(): Promise<void> {
    await this.rest();
    this.#editor.dispose();
    this.#parts.dispose();
    await this.#noteProcesses();
    await this.#own.close();
    await this.#proxy.close();
    await this.#elsewhere.close();
  }

  /** What was done, in words. */
  summary(): string {
    const counts = [...this.#done].sort().map(([name, count]) => `${count} ${name}`);
    return `${counts.join(', ')}; ${this.#faults} faults, ${this.#failed} refused`;
  }

  async #browse(): Promise<void> {
    if (this.#editor.rows().length === 0) await this.#editor.start();
    const leaf = vscode.TreeItemCollapsibleState.None;
    const folded = this.#editor
      .rows()
      .filter(({ id, item }) => item.collapsibleState !== leaf && !this.#editor.open.has(id));
    const row = this.#dice.pick(folded);
    if (row) await this.#editor.expand(row);
  }

  async #fold(): Promise<void> {
    const row = this.#dice.pick(this.#editor.rows().filter(({ id }) => this.#editor.open.has(id)));
    if (row) this.#editor.collapse(row);
  }

  #connection(): Connection {
    const connection = this.#dice.pick(this.#connections);
    if (!connection) throw new Error('There is no server.');
    return connection;
  }

  async #report(connection: Connection): Promise<{ id: string; name: string }> {
    const name = this.#dice.pick(reports) ?? '';
    const found = (await this.#api.findReports(connection.id, name)).find((report) => report.name === name);
    if (!found) throw new Error(`${connection.name} has no report ${name}.`);
    return found;
  }

  async #run(): Promise<void> {
    const connection = this.#connection();
    const { id } = await this.#report(connection);
    const result = await this.#api.runReport(connection.id, id, { mayUseCache: this.#dice.roll(2) === 0 });
    result.rows(0, 100);
  }

  async #stopRun(): Promise<void> {
    const connection = this.#connection();
    const { id } = await this.#report(connection);
    const stopping = new AbortController();
    const running = this.#api.runReport(connection.id, id, { mayUseCache: false, signal: stopping.signal });
    setTimeout(() => stopping.abort(), this.#dice.roll(40));
    await running;
  }

  async #openPanel(): Promise<void> {
    if (this.#panels.size >= mostPanels) await this.#closePanel();
    const connection = this.#connection();
    const { id, name } = await this.#report(connection);
    const extension = vscode.extensions.getExtension('analytics-studio.analytics-studio');
    if (!extension) throw new Error('The extension is not installed.');
    const webview = vscode.window.createWebviewPanel('analytics.day', name, vscode.ViewColumn.Active, {});
    const target = { connectionId: connection.id, reportId: id, name };
    const panel = new ResultsPanel(webview, target, {
      connections: this.#counted(),
      memory: new PromptMemory(new SharedState()),
      history: this.#history,
      sql: this.#sql,
      extensionUri: extension.extensionUri,
      draft: () => undefined,
    });
    this.#panels.add(panel);
    panel.onDidDispose(() => this.#panels.delete(panel));
    const started = panel.start();
    // Some are closed before their rows are there.
    if (this.#dice.roll(3) > 0) await started;
    else started.catch(() => (this.#failed += 1));
  }

  async #closePanel(): Promise<void> {
    this.#dice.pick([...this.#panels])?.dispose();
  }

  /** The list of servers, with those counted who listen to it. */
  #counted(): ConnectionStore {
    const { connections } = this.#own;
    const counted = (event: vscode.Event<unknown>) => (listener: (value: unknown) => void) => {
      const listening = event(listener);
      this.listeners += 1;
      return new vscode.Disposable(() => {
        this.listeners -= 1;
        listening.dispose();
      });
    };
    return Object.create(connections, {
      get: { value: (id: string) => connections.get(id) },
      list: { value: () => connections.list() },
      onDidChange: { value: counted(connections.onDidChange as vscode.Event<unknown>) },
      onDidChangeState: { value: counted(connections.onDidChangeState as vscode.Event<unknown>) },
    }) as ConnectionStore;
  }

  /** Opens a document, changes its text, saves it, and closes it whatever came of that. */
  async #edit(): Promise<void> {
    const connection = this.#connection();
    const client = await connection.client();
    const [kind, list, field] = this.#dice.pick([
      ['group', 'Group/GetAllSecurityGroups', 'GroupDescription'],
      ['policy', 'Shield/GetAllShieldPolicies', 'Description'],
    ] as const) ?? ['group', 'Group/GetAllSecurityGroups', 'GroupDescription'];
    const found = this.#dice.pick(await client.call(list, {}));
    if (!found) return;
    const id = String('GroupId' in found ? found.GroupId : 'id' in found ? found.id : '');
    const installation = await client.call('LicenseManager/GetInstallationID', {});
    const target = { connectionId: connection.id, kind, id, name: `${kind} ${id}` };
    const uri = documentUri(target, installation).with({ scheme });
    const document = await vscode.workspace.openTextDocument(uri);
    try {
      await vscode.window.showTextDocument(document, { preview: false });
      const value = new RegExp(`"${field}": ("(?:[^"\\\\]|\\\\.)*"|null)`).exec(document.getText());
      if (!value?.[1]) return;
      const start = value.index + value[0].length - value[1].length;
      const edit = new vscode.WorkspaceEdit();
      const range = new vscode.Range(document.positionAt(start), document.positionAt(start + value[1].length));
      edit.replace(uri, range, JSON.stringify(`Day ${this.#dice.roll(1_000)}`));
      await vscode.workspace.applyEdit(edit);
      if (!(await document.save())) this.#failed += 1;
    } finally {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  }

  /** Lets the next few requests to the server elsewhere fail, before or after they have reached it. */
  async #breakWire(): Promise<void> {
    this.#faults += 1;
    const passage = this.#dice.roll(2) === 0 ? 'never' : 'lost';
    let left = 1 + this.#dice.roll(3);
    this.#proxy.rule = () => (left-- > 0 ? passage : 'pass');
  }

  /** The same account signs in from somewhere else; the person takes the session back. */
  async #signInElsewhere(): Promise<void> {
    this.#faults += 1;
    const { url } = await this.#elsewhere.localServer.ensureRunning();
    const UserPassword = (await this.#elsewhere.localServer.password()) ?? '';
    const body = JSON.stringify({ UserId: 'admin', UserPassword, isGuest: false, bolForceLogin: true });
    const headers = { 'content-type': 'application/json' };
    await (await fetch(`${url}/api/login/DoLogin`, { method: 'POST', headers, body })).text();
    const [, remote] = this.#connections;
    if (!remote) return;
    const client = await remote.client();
    await client.call('Group/GetAllSecurityGroups', {}).catch(() => undefined);
    await this.#signInAgain(remote);
  }

  async #signInAgain(connection: Connection): Promise<void> {
    if (connection.state.kind === 'active') return;
    const kept = await connection.keptCredentials();
    if (kept) await connection.signIn(kept, true);
  }

  /** The server of this machine dies; the next use starts it again. */
  async #killServer(): Promise<void> {
    this.#faults += 1;
    await this.#noteProcesses();
    const running = await this.#own.localServer.peek();
    this.#own.localServer.forgiveCrashes();
    if (running) process.kill(running.pid, 'SIGKILL');
  }

  async #noteProcesses(): Promise<void> {
    for (const { localServer } of [this.#own, this.#elsewhere]) {
      const running = await localServer.peek();
      if (running && !this.processes.includes(running.pid)) this.processes.push(running.pid);
    }
  }
}
