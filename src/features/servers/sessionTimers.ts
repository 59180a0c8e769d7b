import * as vscode from 'vscode';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { keepAliveEveryMs, keepAliveRounds } from './keepAlive.ts';

/** Interval of the countdown of minutes left. */
const countdownMs = 15_000;

/** Lets what shows the minutes left of sessions show them again; sends no request. */
export function countdownTimer(show: () => void): vscode.Disposable {
  const timer = setInterval(show, countdownMs);
  return new vscode.Disposable(() => clearInterval(timer));
}

/** Keeps sessions of this window alive while the setting is enabled. */
export function keepAliveTimer(connections: ConnectionStore, log: vscode.LogOutputChannel): vscode.Disposable {
  const keepAlive = keepAliveRounds({
    list: () => connections.list(),
    isOn: () => vscode.workspace.getConfiguration('analytics').get('session.keepAlive', false),
    warn: (line: string) => log.warn(line),
  });
  const timer = setInterval(() => void keepAlive(), keepAliveEveryMs);
  return new vscode.Disposable(() => clearInterval(timer));
}
