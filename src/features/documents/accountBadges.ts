import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { displayText } from '../../editor/displayText.ts';
import { documentScheme } from '../../editor/documentUri.ts';

/** Marks the tabs of documents with their account, where several accounts of one server are in the list. */
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
      vscode.window.registerFileDecorationProvider(this),
    );
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== documentScheme) return undefined;
    const all = this.#connections.list();
    const own = all.find(({ id }) => id === uri.authority);
    const sameServer = all.filter((other) => own && placeOf(other) === placeOf(own));
    if (!own || sameServer.length < 2) return undefined;
    const account = displayText(own.userName) || vscode.l10n.t('guest');
    return { badge: badgesOf(sameServer).get(own.id) ?? '', tooltip: `${account} · ${displayText(own.name)}` };
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}

/** Address of a server; the embedded one has none. */
function placeOf({ kind, entry }: Pick<Connection, 'kind' | 'entry'>): string {
  return kind === 'local' ? '' : entry.apiBase;
}

/** A different badge for each account, of at most two characters: initials, or their position if others have the same. */
function badgesOf(accounts: readonly Pick<Connection, 'id' | 'userName'>[]): Map<string, string> {
  const initials = accounts.map(({ userName }) =>
    (displayText(userName) || vscode.l10n.t('guest'))
      .split(/[^\p{L}\p{N}]+/u)
      .flatMap((word) => [...word].slice(0, 1))
      .slice(0, 2)
      .join('')
      .toUpperCase(),
  );
  return new Map(
    accounts.map(({ id }, index) => {
      const own = initials[index] ?? '';
      return [id, initials.filter((other) => other === own).length === 1 && own !== '' ? own : String(index + 1)];
    }),
  );
}
