/**
 * The part of `vscode` that panels use, for hosts of pages outside an editor. What the editor would ask or show is recorded, and
 * answered by what a test puts into {@link person}.
 */
import path from 'node:path';
import type * as vscode from 'vscode';

/** What was shown and done, and the answers of the person at the editor. */
export const person = {
  /** Titles of lists and questions, and texts of messages, in order. */
  asked: [] as string[],
  /** Text of the clipboard. */
  clipboard: '',
  /** Addresses that were opened. */
  opened: [] as string[],
  /** Answers to the lists that come next: the label of the row. */
  picks: [] as string[],
};

export const env = {
  language: 'en',
  clipboard: { writeText: async (text: string) => void (person.clipboard = text) },
  openExternal: async (uri: { toString(): string }) => person.opened.push(uri.toString()) > 0,
};

export const l10n = {
  t: (message: string, ...args: (string | number)[]) =>
    message.replace(/\{(\d+)\}/g, (place, index: string) => String(args[Number(index)] ?? place)),
};

/** A file address. */
export class Uri {
  readonly scheme: string = 'file';
  readonly fsPath: string;
  constructor(fsPath: string) {
    this.fsPath = fsPath;
  }
  static file(fsPath: string): Uri {
    return new Uri(fsPath);
  }
  static parse(address: string): { toString(): string } {
    return new URL(address);
  }
  static joinPath({ fsPath }: Uri, ...parts: string[]): Uri {
    return new Uri(path.join(fsPath, ...parts));
  }
}

export class ThemeIcon {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

/** As the editor's. */
export class Disposable {
  readonly dispose: () => void;
  constructor(dispose: () => void) {
    this.dispose = dispose;
  }
  static from(...all: { dispose(): void }[]): Disposable {
    return new Disposable(() => all.forEach((each) => each.dispose()));
  }
}

export const ProgressLocation = { Window: 10, Notification: 15 };
export const ViewColumn = { Active: -1, Beside: -2 };
export const FileType = { File: 1, Directory: 2 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };

const message = async (text: string) => void person.asked.push(text);

export const window = {
  showErrorMessage: message,
  showInformationMessage: message,
  showWarningMessage: message,
  setStatusBarMessage: (text: string) => {
    person.asked.push(text);
    return new Disposable(() => undefined);
  },
  withProgress: <T>(
    { title = '' }: { title?: string },
    work: (progress: vscode.Progress<object>, token: object) => T,
  ): T => {
    person.asked.push(title);
    const onCancellationRequested = () => new Disposable(() => undefined);
    return work({ report: () => undefined }, { isCancellationRequested: false, onCancellationRequested });
  },
  showQuickPick: async <T extends { label: string }>(
    items: readonly T[] | Promise<readonly T[]>,
    { title = '' }: { title?: string } = {},
  ): Promise<T | undefined> => {
    person.asked.push(title);
    const label = person.picks.shift();
    if (label === undefined) throw new Error(`The test gives no answer to "${title}".`);
    const found = (await items).find((item) => item.label === label);
    if (found === undefined) throw new Error(`"${title}" has no row "${label}".`);
    return found;
  },
};

export const commands = {
  executeCommand: async (command: string) => void person.asked.push(command),
};
