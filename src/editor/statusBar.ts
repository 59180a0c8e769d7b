import * as vscode from 'vscode';
import { inertText } from './inertText.ts';

/** Shows a line in the status bar for some milliseconds, behind an icon if one is named. */
export function setStatusBarMessage(text: string, forMs: number, icon?: string): void {
  vscode.window.setStatusBarMessage(behind(icon, text), forMs);
}

/** What an item of the status bar shows. */
export interface StatusBarText {
  /** Name of a codicon. */
  readonly icon: string;
  readonly text: string;
  readonly tooltip: string;
  /** How a screen reader says it. */
  readonly spoken: string;
  readonly isWarning: boolean;
}

/** An item at the left of the status bar. */
export class StatusBarEntry implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;

  constructor(id: string, name: string, command: string) {
    this.#item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left);
    this.#item.name = name;
    this.#item.command = command;
  }

  show({ icon, text, tooltip, spoken, isWarning }: StatusBarText): void {
    this.#item.text = behind(icon, text);
    this.#item.tooltip = inertText(tooltip);
    this.#item.accessibilityInformation = { label: inertText(spoken) };
    this.#item.backgroundColor = isWarning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.show();
  }

  hide(): void {
    this.#item.hide();
  }

  dispose(): void {
    this.#item.dispose();
  }
}

function behind(icon: string | undefined, text: string): string {
  return icon === undefined ? inertText(text) : `$(${icon}) ${inertText(text)}`;
}
