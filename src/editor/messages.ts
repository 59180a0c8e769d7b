import * as vscode from 'vscode';
import { inertOrNone, inertText } from './displayText.ts';

/** A message in the middle of the window, which waits for an answer; `detail` is its smaller text. */
export interface ModalOptions {
  readonly modal: boolean;
  readonly detail?: string;
}

type Show = (text: string, options: vscode.MessageOptions, ...buttons: vscode.MessageItem[]) => Thenable<unknown>;
type Arguments<B extends string> =
  [text: string, ...buttons: B[]] | [text: string, options: ModalOptions, ...buttons: B[]];

/** Tells the user something. @returns the button that was chosen, if one was. */
export function showInformationMessage<B extends string>(...given: Arguments<B>): Promise<B | undefined> {
  return show((...shown) => vscode.window.showInformationMessage(...shown), given);
}

/** Warns the user, or asks before something is done. @returns the button that was chosen, if one was. */
export function showWarningMessage<B extends string>(...given: Arguments<B>): Promise<B | undefined> {
  return show((...shown) => vscode.window.showWarningMessage(...shown), given);
}

/** Tells the user of a failure. @returns the button that was chosen, if one was. */
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
  return items.find((item) => item === chosen)?.button;
}

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

/**
 * An error of a file system of ours, in words for the user. The editor shows it in messages of its own, with the error's name
 * before it, so it has none.
 */
export function fileUnavailable(words: string): vscode.FileSystemError {
  const error = vscode.FileSystemError.Unavailable(inertText(words));
  error.name = '';
  return error;
}
