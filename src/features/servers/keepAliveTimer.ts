import * as vscode from 'vscode';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { keepAliveEveryMs, keepAliveRounds } from './keepAlive.ts';

/** Keeps sessions alive in this window while the user has that turned on. */
export function keepAliveTimer(connections: ConnectionStore, log: vscode.LogOutputChannel): vscode.Disposable {
  const keepAlive = keepAliveRounds({
    list: () => connections.list(),
    isOn: () => vscode.workspace.getConfiguration('analytics').get('session.keepAlive', false),
    warn: (line: string) => log.warn(line),
  });
  const timer = setInterval(() => void keepAlive(), keepAliveEveryMs);
  return new vscode.Disposable(() => clearInterval(timer));
}
