import * as vscode from 'vscode';
import { createTreeView } from '../../../editor/treeView.ts';
import { accountSuffix } from '../../../connections/accountSuffix.ts';
import { displayText, lines } from '../../../editor/displayText.ts';
import { FlatRows } from '../../../editor/nodes/flatRows.ts';

/** A report run in this window or an earlier one. */
export interface RunNode {
  readonly id: string;
  readonly target: { readonly name: string };
  readonly server: string;
  readonly user: string;
  readonly state: 'running' | 'done' | 'cancelled' | 'failed';
  readonly startedAt: Date;
  readonly elapsedMs: number;
  readonly rows: number;
  readonly isCached: boolean;
  readonly isPinned: boolean;
  /** Whether the rows are available for comparing. */
  readonly hasRows: boolean;
  /** Localized descriptions of the values that the report was run with. */
  readonly chips: readonly { readonly text: string }[];
}

/** Data source of {@link RunsTree}. */
interface RunsSource {
  readonly runs: readonly RunNode[];
  readonly onDidChange: (listener: () => void) => { dispose(): void };
}

/** Minimum time between refreshes of the view while rows arrive, in milliseconds. */
const drawingMs = 250;

/** The Runs view: report runs of this window and earlier ones, newest first. */
export class RunsTree implements vscode.TreeDataProvider<RunNode>, vscode.Disposable {
  readonly #source: RunsSource;
  readonly #changed = new vscode.EventEmitter<RunNode[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #rows = new FlatRows<RunNode>(({ id }) => id);
  readonly view: vscode.TreeView<RunNode>;
  readonly #subscription: { dispose(): void };
  #drawing: NodeJS.Timeout | undefined;
  #hasRuns: boolean | undefined;

  constructor(source: RunsSource) {
    this.#source = source;
    this.view = createTreeView('analytics.runs', { treeDataProvider: this, canSelectMany: true });
    this.#tellWhetherAny();
    this.#subscription = source.onDidChange(() => {
      this.#tellWhetherAny();
      this.#drawing ??= setTimeout(() => {
        this.#drawing = undefined;
        const changed = this.#rows.changed(this.#source.runs);
        if (changed?.length !== 0) this.#changed.fire(changed);
      }, drawingMs);
    });
  }

  getChildren(node?: RunNode): RunNode[] {
    return node ? [] : this.#rows.give(this.#source.runs);
  }

  /** The list is flat. VS Code calls this before it reveals an item. */
  getParent(): undefined {
    return undefined;
  }

  getTreeItem(element: RunNode): vscode.TreeItem {
    const run = this.#rows.current(element);
    const name = displayText(run.target.name);
    const item = new vscode.TreeItem(name);
    const words = stateWords(run);
    const [server, user] = [displayText(run.server), displayText(run.user)];
    const time = timeText(run.startedAt);
    const chips = run.chips.map(({ text }) => displayText(text)).join(' · ');
    item.id = run.id;
    // Runs of the same report differ first by their start time.
    item.description = [momentText(run.startedAt), words, server].filter((part) => part !== '').join(' · ');
    item.iconPath = run.isPinned ? new vscode.ThemeIcon('pinned') : iconOf(run.state);
    item.tooltip = lines(
      name,
      [server, accountSuffix(server, user)].filter((part) => part !== '').join(' · '),
      chips,
      words,
      run.isCached ? vscode.l10n.t('From the cache') : undefined,
      run.isPinned && run.hasRows ? vscode.l10n.t('Pinned: its rows are kept') : undefined,
      vscode.l10n.t('Started {0}', time),
    );
    item.contextValue = contextOf(run);
    const parts = [name, words, server, user, chips, time, run.isPinned ? vscode.l10n.t('pinned') : ''];
    item.accessibilityInformation = { label: parts.filter((part) => part !== '').join(', ') };
    item.command = { command: 'analytics.run.openRow', title: vscode.l10n.t('Show Results') };
    return item;
  }

  /** Sets the context key that shows the commands for runs in the Command Palette. */
  #tellWhetherAny(): void {
    const hasRuns = this.#source.runs.length > 0;
    if (hasRuns === this.#hasRuns) return;
    this.#hasRuns = hasRuns;
    void vscode.commands.executeCommand('setContext', 'analytics.hasRuns', hasRuns);
  }

  dispose(): void {
    clearTimeout(this.#drawing);
    this.#subscription.dispose();
    this.view.dispose();
    this.#changed.dispose();
  }
}

function isToday(moment: Date): boolean {
  return moment.toDateString() === new Date().toDateString();
}

/** Start of a run, short enough for a row: the time, or the date if it was another day. */
function momentText(startedAt: Date): string {
  return isToday(startedAt)
    ? startedAt.toLocaleTimeString(vscode.env.language, { timeStyle: 'short' })
    : startedAt.toLocaleDateString(vscode.env.language, { dateStyle: 'short' });
}

/** Start time of a run, with the date if it was another day. */
function timeText(startedAt: Date): string {
  return isToday(startedAt)
    ? startedAt.toLocaleTimeString(vscode.env.language)
    : startedAt.toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}

function contextOf({ state, isPinned, hasRows }: RunNode): string {
  const parts = ['run', state === 'running' ? 'running' : 'ended', isPinned ? 'pinned' : 'unpinned'];
  if (hasRows) parts.push('rows');
  return parts.join(';');
}

function stateWords({ state, rows, elapsedMs }: RunNode): string {
  const count = rows.toLocaleString(vscode.env.language);
  const seconds = (elapsedMs / 1000).toLocaleString(vscode.env.language, { maximumFractionDigits: 1 });
  const figures =
    rows === 1 ? vscode.l10n.t('1 row · {0} s', seconds) : vscode.l10n.t('{0} rows · {1} s', count, seconds);
  switch (state) {
    case 'running':
      if (rows === 0) return vscode.l10n.t('running');
      return rows === 1 ? vscode.l10n.t('running · 1 row') : vscode.l10n.t('running · {0} rows', count);
    case 'done':
      return figures;
    case 'cancelled':
      return vscode.l10n.t('cancelled · {0}', figures);
    case 'failed':
      return vscode.l10n.t('failed');
  }
}

function iconOf(state: RunNode['state']): vscode.ThemeIcon {
  switch (state) {
    case 'running':
      return new vscode.ThemeIcon('loading~spin');
    case 'done':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
    case 'cancelled':
      return new vscode.ThemeIcon('circle-slash');
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  }
}
