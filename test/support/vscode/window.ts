import type * as vscode from 'vscode';
import { Disposable, EventEmitter, Uri } from './basics.ts';
import { documentWindow } from './documents.ts';
import { createWebviewPanel } from './webviews.ts';
import { dismiss, person, type Answer } from './person.ts';

const words = (...parts: readonly (string | undefined)[]) => parts.filter(Boolean).join('\n');

/** A message; one with buttons is a question. */
async function message(
  text: string,
  { detail }: vscode.MessageOptions,
  ...buttons: vscode.MessageItem[]
): Promise<vscode.MessageItem | undefined> {
  if (buttons.length === 0) {
    person.tell('message', words(text, detail));
    return undefined;
  }
  const titles = buttons.map(({ title }) => title);
  const answer = person.ask('message', words(text, detail), titles);
  return buttons.find(({ title }) => title === answer);
}

async function showQuickPick<T extends vscode.QuickPickItem>(
  given: readonly T[] | Thenable<readonly T[]>,
  { title, placeHolder, canPickMany = false }: vscode.QuickPickOptions = {},
): Promise<T | T[] | undefined> {
  const items = await given;
  await person.reads();
  const answer = person.ask(
    'list',
    words(title, placeHolder),
    items.map(({ label }) => label),
  );
  if (answer === dismiss) return undefined;
  const picked = items.filter(({ label }) => [answer].flat().includes(label));
  return canPickMany ? picked : picked[0];
}

async function showInputBox(options: vscode.InputBoxOptions): Promise<string | undefined> {
  const { title, prompt, placeHolder } = options;
  const answer = typed(person.ask('box', words(title, placeHolder, prompt)));
  // The editor accepts no text with an objection.
  const objection = answer === undefined ? undefined : await options.validateInput?.(answer);
  if (objection) throw new Error(`"${String(answer)}" is not accepted: ${JSON.stringify(objection)}`);
  return answer;
}

/** Asks where to save; the answer is a path. */
async function showSaveDialog({ title }: vscode.SaveDialogOptions): Promise<Uri | undefined> {
  const file = typed(person.ask('box', words(title)));
  return file === undefined ? undefined : Uri.file(file);
}

function typed(answer: Answer): string | undefined {
  return typeof answer === 'string' ? answer : undefined;
}

/** Asks which files to open; the answers are paths. */
async function showOpenDialog({ title }: vscode.OpenDialogOptions): Promise<Uri[] | undefined> {
  const file = typed(person.ask('box', words(title)));
  return file === undefined ? undefined : [Uri.file(file)];
}

/** What boxes and lists that stay open share: how they are shown, accepted and left. */
abstract class QuickInput {
  title = '';
  placeholder = '';
  step = 0;
  totalSteps = 0;
  enabled = true;
  ignoreFocusOut = false;
  buttons: readonly vscode.QuickInputButton[] = [];
  readonly #hidden = new EventEmitter<void>();
  readonly #accepted = new EventEmitter<void>();
  readonly #triggered = new EventEmitter<vscode.QuickInputButton>();
  readonly onDidHide = this.#hidden.event;
  readonly onDidAccept = this.#accepted.event;
  readonly onDidTriggerButton = this.#triggered.event;
  #isBusy = false;
  #isOpen = false;

  get busy(): boolean {
    return this.#isBusy;
  }

  /** Once what was entered is checked, the person answers again if the box is still open. */
  set busy(isBusy: boolean) {
    const isChecked = this.#isBusy && !isBusy;
    this.#isBusy = isBusy;
    if (isChecked) setImmediate(() => this.#ask());
  }

  show(): void {
    this.#isOpen = true;
    this.#ask();
  }

  hide(): void {
    this.#isOpen = false;
    this.#hidden.fire();
  }

  dispose(): void {
    this.#isOpen = false;
  }

  /** Asks the person. @returns false when they leave. */
  protected abstract enter(): boolean;

  /** A box that is still open, and checks nothing, waits for another answer. */
  #accept(): void {
    this.#accepted.fire();
    setImmediate(() => {
      if (!this.#isBusy) this.#ask();
    });
  }

  #ask(): void {
    if (!this.#isOpen) return;
    try {
      if (this.enter()) this.#accept();
      else this.hide();
    } catch {
      // The person keeps the fault; the command goes on as if it was left.
      this.hide();
    }
  }
}

class InputBox extends QuickInput {
  value = '';
  prompt = '';
  password = false;
  validationMessage: string | vscode.InputBoxValidationMessage | undefined;
  readonly #changed = new EventEmitter<string>();
  readonly onDidChangeValue = this.#changed.event;

  protected override enter(): boolean {
    const objection = this.validationMessage;
    const told = typeof objection === 'string' ? objection : objection?.message;
    const answer = typed(person.ask('box', words(this.title, this.placeholder, this.prompt, told)));
    if (answer === undefined) return false;
    this.value = answer;
    this.#changed.fire(answer);
    return true;
  }
}

class QuickPick<T extends vscode.QuickPickItem> extends QuickInput {
  items: readonly T[] = [];
  activeItems: readonly T[] = [];
  selectedItems: readonly T[] = [];

  protected override enter(): boolean {
    const labels = this.items.map(({ label }) => label);
    const answer = person.ask('list', words(this.title, this.placeholder), labels);
    this.selectedItems = this.activeItems = this.items.filter(({ label }) => label === answer);
    return this.selectedItems.length > 0;
  }
}

/** An item that shows a message. */
class StatusBarItem {
  readonly #isWait: boolean;
  name = '';
  text = '';
  accessibilityInformation: vscode.AccessibilityInformation | undefined;

  constructor(id: string) {
    this.#isWait = id === 'analytics.waiting';
  }

  show(): void {
    // It comes and goes with the speed of the machine.
    if (this.#isWait) return void person.waits.push(this.text);
    person.tell('status', this.text);
    person.status = this.text;
  }

  hide(): void {
    if (person.status === this.text) person.status = '';
  }

  dispose(): void {
    this.hide();
  }
}

const focusChanged = new EventEmitter<vscode.WindowState>();

/** The person goes to another window, or comes back. */
export function focusWindow(focused: boolean): void {
  focusChanged.fire({ focused, active: focused });
}

export const window = {
  ...documentWindow,
  createWebviewPanel,
  registerWebviewPanelSerializer: () => new Disposable(() => undefined),
  showErrorMessage: message,
  showInformationMessage: message,
  showWarningMessage: message,
  showQuickPick,
  showInputBox,
  showSaveDialog,
  showOpenDialog,
  createInputBox: () => new InputBox(),
  createQuickPick: <T extends vscode.QuickPickItem>() => new QuickPick<T>(),
  createStatusBarItem: (id: string) => new StatusBarItem(id),
  withProgress: async <T>(
    { title, cancellable = false }: vscode.ProgressOptions,
    work: (progress: vscode.Progress<object>, token: object) => Thenable<T>,
  ): Promise<T> => {
    if (title !== undefined) person.tell('progress', title);
    const cancelled = new EventEmitter<void>();
    const token = { isCancellationRequested: false, onCancellationRequested: cancelled.event };
    const cancel = () => {
      token.isCancellationRequested = true;
      cancelled.fire();
    };
    if (cancellable) person.cancels.add(cancel);
    try {
      return await work({ report: () => undefined }, token);
    } finally {
      person.cancels.delete(cancel);
    }
  },
  onDidChangeWindowState: focusChanged.event,
};
