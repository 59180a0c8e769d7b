import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { displayText } from '../../editor/displayText.ts';
import { documentScheme } from '../../editor/documentUri.ts';
import { uriOfTab } from '../../editor/openTabs.ts';

/**
 * Marks the tabs of documents with their account, where several accounts of one server are in the list, and with their
 * server while documents of the same name are open from several.
 */
export class AccountBadges implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #connections: Pick<ConnectionStore, 'list' | 'onDidChange'>;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #subscriptions: vscode.Disposable;
  readonly onDidChangeFileDecorations = this.#changed.event;

  constructor(connections: Pick<ConnectionStore, 'list' | 'onDidChange'>) {
    this.#connections = connections;
    this.#subscriptions = vscode.Disposable.from(
      this.#changed,
      connections.onDidChange(() => this.#changed.fire(undefined)),
      vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
        const isOurs = [...opened, ...closed].some((tab) => uriOfTab(tab)?.scheme === documentScheme);
        if (isOurs && connections.list().length > 1) this.#changed.fire(undefined);
      }),
      vscode.window.registerFileDecorationProvider(this),
    );
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== documentScheme) return undefined;
    const all = this.#connections.list();
    const own = all.find(({ id }) => id === uri.authority);
    if (!own) return undefined;
    const namesakes = holdersOf(uri);
    const alike = all.filter((other) => isAccountOf(own, other) || namesakes.has(other.id) || other === own);
    if (alike.length < 2) return undefined;
    const labels = alike.map((each) => {
      const isAccount = all.some((other) => other !== each && isAccountOf(other, each));
      return { id: each.id, label: isAccount ? accountOf(each) : displayText(each.name) };
    });
    return { badge: badgesOf(labels).get(own.id) ?? '', tooltip: `${accountOf(own)} · ${displayText(own.name)}` };
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}

/** Ids of the connections from which a document of this name is open. */
function holdersOf(uri: vscode.Uri): Set<string> {
  const name = fileName(uri);
  const open = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.flatMap((tab) => uriOfTab(tab) ?? []));
  const alike = open.filter((other) => other.scheme === documentScheme && fileName(other) === name);
  return new Set(alike.map(({ authority }) => authority));
}

function fileName({ path }: vscode.Uri): string | undefined {
  return path.split('/').at(-1);
}

type Account = Pick<Connection, 'id' | 'kind' | 'entry' | 'name' | 'userName'>;

/** Whether two are accounts of the same server; the embedded one has no address. */
function isAccountOf(one: Account, other: Account): boolean {
  const placeOf = ({ kind, entry }: Account) => (kind === 'local' ? '' : entry.apiBase);
  return placeOf(one) === placeOf(other);
}

function accountOf({ userName }: Account): string {
  return displayText(userName) || vscode.l10n.t('guest');
}

/** A different badge for each, of at most two characters: initials, or the position if others have the same. */
function badgesOf(labels: readonly { readonly id: string; readonly label: string }[]): Map<string, string> {
  const initials = labels.map(({ label }) =>
    label
      .split(/[^\p{L}\p{N}]+/u)
      .flatMap((word) => [...word].slice(0, 1))
      .slice(0, 2)
      .join('')
      .toUpperCase(),
  );
  return new Map(
    labels.map(({ id }, index) => {
      const own = initials[index] ?? '';
      return [id, initials.filter((other) => other === own).length === 1 && own !== '' ? own : String(index + 1)];
    }),
  );
}
