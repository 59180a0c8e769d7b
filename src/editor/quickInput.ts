import * as vscode from 'vscode';
import { noteAnswer } from './messages.ts';
import { inertObject, inertOrNone, inertText } from './displayText.ts';

type Validation = string | vscode.InputBoxValidationMessage | undefined;
type PickOptions = vscode.QuickPickOptions & { canPickMany?: boolean };

/** Asks for one line of text. */
export async function showInputBox(options: vscode.InputBoxOptions): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    ...options,
    title: inertOrNone(options.title),
    prompt: inertOrNone(options.prompt),
    placeHolder: inertOrNone(options.placeHolder),
    ...(options.validateInput && {
      validateInput: async (value: string) => validation((await options.validateInput?.(value)) ?? undefined),
    }),
  });
  noteAnswer();
  return typed;
}

/** Asks for several items of a list. */
export async function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[] | Thenable<readonly T[]>,
  options: vscode.QuickPickOptions & { canPickMany: true },
  token?: vscode.CancellationToken,
): Promise<T[] | undefined>;
/** Asks for one item of a list. */
export async function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[] | Thenable<readonly T[]>,
  options?: vscode.QuickPickOptions,
  token?: vscode.CancellationToken,
): Promise<T | undefined>;
export async function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[] | Thenable<readonly T[]>,
  options: PickOptions = {},
  token?: vscode.CancellationToken,
): Promise<T | T[] | undefined> {
  const rows = new Rows<T>();
  const shown = {
    ...options,
    title: inertOrNone(options.title),
    placeHolder: inertOrNone(options.placeHolder),
    ...(options.prompt !== undefined && { prompt: inertText(options.prompt) }),
  };
  const list = Promise.resolve(items).then((given) => rows.shown(given));
  const picked: T | T[] | undefined = await vscode.window.showQuickPick<T>(list, shown, token);
  noteAnswer();
  if (picked === undefined) return undefined;
  return Array.isArray(picked) ? rows.given(picked) : rows.given([picked])[0];
}

/** Creates an input box. */
export function createInputBox(): vscode.InputBox {
  return inertObject(vscode.window.createInputBox(), {
    title: inertOrNone,
    prompt: inertOrNone,
    placeholder: inertOrNone,
    validationMessage: validation,
  });
}

/** Creates a quick pick whose items may change while it is open. */
export function createQuickPick<T extends vscode.QuickPickItem>(): vscode.QuickPick<T> {
  const rows = new Rows<T>();
  const shown = (items: readonly T[]) => rows.shown(items);
  const given = (items: readonly T[]) => rows.given(items);
  return inertObject<vscode.QuickPick<T>>(
    vscode.window.createQuickPick<T>(),
    {
      title: inertOrNone,
      prompt: inertOrNone,
      placeholder: inertOrNone,
      items: shown,
      activeItems: shown,
      selectedItems: shown,
    },
    {
      items: given,
      activeItems: given,
      selectedItems: given,
      onDidChangeActive: (told) => (listener) => told((items) => void listener(given(items))),
      onDidChangeSelection: (told) => (listener) => told((items) => void listener(given(items))),
      onDidTriggerItemButton: (told) => (listener) =>
        told(({ button, item }) => void listener({ button, item: given([item])[0] ?? item })),
    },
  );
}

/** Displayed items and the items they were created from. */
class Rows<T extends vscode.QuickPickItem> {
  readonly #shown = new WeakMap<T, T>();
  readonly #given = new WeakMap<T, T>();

  shown(items: readonly T[]): T[] {
    return items.map((item) => this.#shown.get(item) ?? this.#show(item));
  }

  given(shown: readonly T[]): T[] {
    return shown.map((row) => this.#given.get(row) ?? row);
  }

  #show(item: T): T {
    const row = {
      ...item,
      label: inertText(item.label),
      ...(item.description !== undefined && { description: inertText(item.description) }),
      ...(item.detail !== undefined && { detail: inertText(item.detail) }),
      ...(item.buttons && { buttons: item.buttons.map(inertButton) }),
    };
    this.#shown.set(item, row);
    this.#given.set(row, item);
    return row;
  }
}

function inertButton(button: vscode.QuickInputButton): vscode.QuickInputButton {
  return button.tooltip === undefined ? button : { ...button, tooltip: inertText(button.tooltip) };
}

function validation(given: Validation): Validation {
  if (given === undefined || typeof given === 'string') return inertOrNone(given);
  return { ...given, message: inertText(given.message) };
}
