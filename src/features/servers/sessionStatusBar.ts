import * as vscode from 'vscode';
import { StatusBarEntry } from '../../editor/messages.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { minutesLeft } from '../../connections/minutesLeft.ts';
import { signsInAlone } from '../../connections/serverEntry.ts';
import { sessionLabel } from '../../editor/sessionLabel.ts';

/** Minutes left at which the item is highlighted. */
const nearExpiryMinutes = 3;

/** The status bar item: server, account and minutes left of the most recently used session. */
export class SessionStatusBar implements vscode.Disposable {
  readonly #connections: ConnectionStore;
  readonly #item: StatusBarEntry;
  readonly #subscriptions: vscode.Disposable;
  #lastUsed: Connection | undefined;

  constructor(connections: ConnectionStore) {
    this.#connections = connections;
    this.#item = new StatusBarEntry('analytics.session', vscode.l10n.t('Analytics Session'), 'analytics.servers.focus');
    this.#subscriptions = vscode.Disposable.from(
      this.#item,
      connections.onDidChange(() => this.update()),
      connections.onDidChangeState((connection) => {
        if (connection.state.kind === 'active') this.#lastUsed = connection;
        this.update();
      }),
    );
  }

  /** Shows the current state; sends no request. */
  update(): void {
    const list = this.#connections.list();
    const isLast = (connection: Connection) => connection === this.#lastUsed && 'account' in connection.state;
    const shown = list.find(isLast) ?? list.find(({ state }) => 'account' in state);
    if (!shown) {
      this.#item.hide();
      return;
    }
    const words = sessionLabel(shown);
    this.#item.show({
      icon: iconOf(shown),
      text: `${shown.name} · ${words}`,
      tooltip: list.map((connection) => `${connection.name} · ${sessionLabel(connection)}`).join('\n'),
      spoken: vscode.l10n.t('Server {0}, {1}', shown.name, words),
      isWarning: isNearExpiry(shown),
    });
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}

/** Icon for an active session, one being opened, one idle until needed, or one that requires the user to sign in. */
function iconOf({ state, entry }: Connection): string {
  if (state.kind === 'active') return 'vm-active';
  if (state.kind === 'signingIn') return 'loading~spin';
  return state.kind === 'expired' && signsInAlone(entry) ? 'vm-outline' : 'warning';
}

/** Whether the session ends soon unless the user acts. */
function isNearExpiry({ state, entry }: Connection): boolean {
  if (signsInAlone(entry)) return false;
  return state.kind === 'active' && minutesLeft(state.expiresAt, Date.now()) <= nearExpiryMinutes;
}
