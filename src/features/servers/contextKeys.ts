import * as vscode from 'vscode';
import type { ConnectionStore } from '../../connections/connectionStore.ts';

/** Updates the context keys used by menus, welcome views and the walkthrough. */
export function keepContextKeys(connections: ConnectionStore): vscode.Disposable {
  const known = new Map<string, boolean>();
  const set = (key: string, value: boolean) => {
    if (known.get(key) === value) return;
    known.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  };
  const update = () => {
    const list = connections.list();
    set(
      'analytics.signedIn',
      list.some(({ state }) => state.kind === 'active'),
    );
    set('analytics.localServer', connections.local !== undefined);
    set(
      'analytics.remoteServer',
      list.some(({ kind }) => kind === 'remote'),
    );
  };
  update();
  return vscode.Disposable.from(connections.onDidChange(update), connections.onDidChangeState(update));
}
