import * as vscode from 'vscode';
import { inertOrNone, inertText } from './inertText.ts';

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
