import * as vscode from 'vscode';
import { StatusBarEntry } from '../../editor/messages.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { minutesLeft } from '../../connections/minutesLeft.ts';
import { signsInAlone } from '../../connections/serverEntry.ts';
import { sessionLabel } from '../../editor/sessionLabel.ts';

/** With so few minutes left the item asks for attention. */
const nearExpiryMinutes = 3;

/** The one status bar item: server, account and minutes left of the session used last. */
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

  /** Shows what is known now; asks no server. */
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

/** Running, about to be, asleep until it is needed, or ended so that the user has to sign in. */
function iconOf({ state, entry }: Connection): string {
  if (state.kind === 'active') return 'vm-active';
  if (state.kind === 'signingIn') return 'loading~spin';
  return state.kind === 'expired' && signsInAlone(entry) ? 'vm-outline' : 'warning';
}

/** Whether the user should act before the session is lost. */
function isNearExpiry({ state, entry }: Connection): boolean {
  if (signsInAlone(entry)) return false;
  return state.kind === 'active' && minutesLeft(state.expiresAt, Date.now()) <= nearExpiryMinutes;
}
