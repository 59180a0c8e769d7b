import * as vscode from 'vscode';
import { inertOrNone, inertText } from './displayText.ts';

let answeredAt = 0;

/** Records that the user has just answered a question of this extension. */
export function noteAnswer(): void {
  answeredAt = Date.now();
}

/** Time of the user's last answer, in milliseconds since 1970; 0 if there is none. */
export function lastAnswerAt(): number {
  return answeredAt;
}

/** A modal message; `detail` is the smaller text below it. */
export interface ModalOptions {
  readonly modal: boolean;
  readonly detail?: string;
}

type Show = (text: string, options: vscode.MessageOptions, ...buttons: vscode.MessageItem[]) => Thenable<unknown>;
type Arguments<B extends string> =
  | [text: string, ...buttons: B[]]
  | [text: string, options: ModalOptions, ...buttons: B[]];

/** Shows an information message. @returns the selected button, if any. */
export function showInformationMessage<B extends string>(...given: Arguments<B>): Promise<B | undefined> {
  return show((...shown) => vscode.window.showInformationMessage(...shown), given);
}

/** Shows a warning or a confirmation. @returns the selected button, if any. */
export function showWarningMessage<B extends string>(...given: Arguments<B>): Promise<B | undefined> {
  return show((...shown) => vscode.window.showWarningMessage(...shown), given);
}

/** Shows an error message. @returns the selected button, if any. */
export function showErrorMessage<B extends string>(...given: Arguments<B>): Promise<B | undefined> {
  return show((...shown) => vscode.window.showErrorMessage(...shown), given);
}

async function show<B extends string>(shown: Show, [text, ...rest]: Arguments<B>): Promise<B | undefined> {
  const options: vscode.MessageOptions = {};
  const items: { title: string; button: B }[] = [];
  for (const part of rest) {
    if (typeof part === 'string') items.push({ title: inertText(part), button: part });
    else Object.assign(options, { modal: part.modal, detail: inertOrNone(part.detail) });
  }
  const chosen = await shown(inertText(text), options, ...items);
  noteAnswer();
  return items.find((item) => item === chosen)?.button;
}

/** Priority that keeps messages behind the items that stay. */
const lowest = -1_000;

let lastMessage: vscode.Disposable | undefined;

/**
 * Shows a status bar message for `forMs` milliseconds, or until the next one or its disposal, with an optional icon. An
 * item with a role, because screen readers do not announce the editor's own status bar messages.
 */
export function setStatusBarMessage(text: string, forMs: number, icon?: string): vscode.Disposable {
  lastMessage?.dispose();
  const item = vscode.window.createStatusBarItem('analytics.message', vscode.StatusBarAlignment.Left, lowest);
  item.name = vscode.l10n.t('Analytics Messages');
  item.text = behind(icon, text);
  item.accessibilityInformation = { label: inertText(text), role: 'alert' };
  item.show();
  const timer = setTimeout(() => item.dispose(), forMs);
  return (lastMessage = {
    dispose: () => {
      clearTimeout(timer);
      item.dispose();
    },
  });
}

/** Shows what is waited for, until it is disposed. Not announced: waits are frequent and mostly short. */
export function showWaiting(text: string): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('analytics.waiting', vscode.StatusBarAlignment.Left, lowest);
  item.name = vscode.l10n.t('Analytics Progress');
  item.text = behind('loading~spin', text);
  item.show();
  return item;
}

/** Content of a status bar item. */
export interface StatusBarText {
  /** Codicon name. */
  readonly icon: string;
  readonly text: string;
  readonly tooltip: string;
  /** Accessibility label. */
  readonly spoken: string;
  readonly isWarning: boolean;
}

/** A status bar item on the left side. */
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

/**
 * A file system error with a localized message. The editor prefixes the error's name in its own messages, so the name
 * is empty.
 */
export function fileUnavailable(words: string): vscode.FileSystemError {
  const error = vscode.FileSystemError.Unavailable(inertText(words));
  error.name = '';
  return error;
}
