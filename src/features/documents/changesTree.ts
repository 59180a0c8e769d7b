import * as vscode from 'vscode';
import { createTreeView } from '../../editor/treeView.ts';
import { displayText, lines } from '../../editor/displayText.ts';
import { FlatRows } from '../../editor/nodes/flatRows.ts';

/** A document with changes that its server does not have. */
export interface ChangeNode {
  readonly uri: vscode.Uri;
  readonly target: { readonly connectionId: string; readonly kind: string; readonly name: string };
  readonly state: 'new' | 'unsaved' | 'notSaved';
  /** Why its last save failed; otherwise empty. */
  readonly problem: string;
}

/** Data source of {@link ChangesTree}. */
export interface ChangesSource {
  readonly list: readonly ChangeNode[];
  readonly onDidChange: vscode.Event<undefined>;
}

/** The Changes view: documents with changes that are not on their server. */
export class ChangesTree implements vscode.TreeDataProvider<ChangeNode>, vscode.Disposable {
  readonly #source: ChangesSource;
  readonly #serverName: (connectionId: string) => string;
  readonly view: vscode.TreeView<ChangeNode>;
  readonly #subscription: vscode.Disposable;
  readonly #changed = new vscode.EventEmitter<ChangeNode[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #rows = new FlatRows<ChangeNode>(({ uri }) => uri.toString());

  /** @param serverName returns the display name of a saved server. */
  constructor(source: ChangesSource, serverName: (connectionId: string) => string) {
    this.#source = source;
    this.#serverName = serverName;
    this.view = createTreeView('analytics.changes', { treeDataProvider: this, canSelectMany: true });
    this.#subscription = source.onDidChange(() => this.#show());
    this.#count();
  }

  getChildren(node?: ChangeNode): ChangeNode[] {
    return node ? [] : this.#rows.give(this.#source.list);
  }

  /** The list is flat; the editor calls this before it reveals a row. */
  getParent(): undefined {
    return undefined;
  }

  getTreeItem(element: ChangeNode): vscode.TreeItem {
    const { uri, target, state, problem } = this.#rows.current(element);
    const name = displayText(target.name);
    const server = displayText(this.#serverName(target.connectionId));
    const item = new vscode.TreeItem(name);
    const words = stateWords(state);
    item.id = uri.toString();
    item.description = state === 'unsaved' ? server : `${words} · ${server}`;
    item.iconPath = iconOf(state);
    item.tooltip = lines(`${name} · ${server}`, words, displayText(problem));
    item.contextValue = state === 'new' ? 'change;new' : 'change;known';
    item.accessibilityInformation = {
      label: [name, server, words, displayText(problem)].filter((part) => part !== '').join(', '),
    };
    item.command = { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: [uri] };
    return item;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.view.dispose();
    this.#changed.dispose();
  }

  #show(): void {
    const changed = this.#rows.changed(this.#source.list);
    if (changed?.length !== 0) this.#changed.fire(changed);
    this.#count();
  }

  #count(): void {
    const { length } = this.#source.list;
    const tooltip = length === 1 ? vscode.l10n.t('1 unsaved document') : vscode.l10n.t('{0} unsaved documents', length);
    this.view.badge = length === 0 ? undefined : { value: length, tooltip };
    void vscode.commands.executeCommand('setContext', 'analytics.hasChanges', length > 0);
  }
}

function stateWords(state: ChangeNode['state']): string {
  switch (state) {
    case 'new':
      return vscode.l10n.t('new');
    case 'unsaved':
      return vscode.l10n.t('unsaved');
    case 'notSaved':
      return vscode.l10n.t('not saved');
  }
}

function iconOf(state: ChangeNode['state']): vscode.ThemeIcon {
  switch (state) {
    case 'new':
      return new vscode.ThemeIcon('diff-added', new vscode.ThemeColor('gitDecoration.addedResourceForeground'));
    case 'unsaved':
      return new vscode.ThemeIcon('diff-modified', new vscode.ThemeColor('gitDecoration.modifiedResourceForeground'));
    case 'notSaved':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  }
}
