/**
 * The part of `vscode` that commands use, for unit tests and hosts of pages outside an editor. {@link person} answers what is asked and knows what was shown.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { Disposable, EventEmitter, Uri } from './basics.ts';
import { builtIn, documentWorkspace } from './documents.ts';
import { languages } from './languages.ts';
import { person } from './person.ts';
import { settings } from './settings.ts';
import { window } from './window.ts';

export {
  CancellationError,
  Disposable,
  EventEmitter,
  Position,
  Range,
  Selection,
  ThemeColor,
  ThemeIcon,
  Uri,
} from './basics.ts';
export { CodeAction, CodeActionKind, CodeLens, Diagnostic, DiagnosticSeverity, languages } from './languages.ts';
export { TreeItem, TreeItemCollapsibleState } from './treeItems.ts';
export { TabInputCustom, TabInputText, TabInputTextDiff, WorkspaceEdit } from './documents.ts';
export { TextDocumentChangeReason, TextDocumentSaveReason } from './textDocument.ts';
export { window };

/** Addresses that were opened outside the editor. */
export const opened: string[] = [];

export const env = {
  language: 'en',
  clipboard: { writeText: async (text: string) => void (person.clipboard = text) },
  openExternal: async (uri: { toString(skipEncoding: boolean): string }) =>
    opened.push(encodeURI(uri.toString(true))) > 0,
};

type Shown = string | number | boolean;

export const l10n = {
  t: (given: string | { message: string; args?: readonly Shown[] }, ...args: readonly Shown[]) => {
    const { message, args: values = [] } = typeof given === 'string' ? { message: given, args } : given;
    return message.replace(/\{(\d+)\}/g, (place, index: string) => String(values[Number(index)] ?? place));
  },
};

/** As the editor's. */
export class FileSystemError extends Error {
  readonly code: string;
  constructor(message: string, code = message) {
    super(message);
    this.code = code;
  }
  static FileNotFound(uri: { toString(): string }): FileSystemError {
    return new FileSystemError(uri.toString(), 'FileNotFound');
  }
  static NoPermissions(uri: { toString(): string }): FileSystemError {
    return new FileSystemError(uri.toString(), 'NoPermissions');
  }
  static Unavailable(message: string): FileSystemError {
    return new FileSystemError(message, 'Unavailable');
  }
}

function asMissing(error: unknown): never {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  throw isMissing ? new FileSystemError('FileNotFound') : error;
}

/** Files of this computer. */
const fs = {
  readFile: ({ fsPath }: Uri) => readFile(fsPath).catch(asMissing),
  writeFile: ({ fsPath }: Uri, bytes: Uint8Array) => writeFile(fsPath, bytes),
  readDirectory: async ({ fsPath }: Uri) =>
    (await readdir(fsPath).catch(asMissing)).map((name): [string, number] => [name, FileType.File]),
};

export const workspace = {
  ...documentWorkspace,
  // A spread would copy the list of now.
  get textDocuments() {
    return documentWorkspace.textDocuments;
  },
  fs,
  workspaceFolders: undefined,
  getConfiguration: settings.section,
  onDidChangeConfiguration: settings.onDidChange,
};

/** What is dragged. */
export class DataTransferItem {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

/** Commands that were run, with their arguments. */
export const ran: unknown[][] = [];

const registered = new Map<string, (...args: unknown[]) => unknown>();

export const commands = {
  executeCommand: async (command: string, ...args: unknown[]): Promise<unknown> => {
    ran.push([command, ...args]);
    return builtIn[command]?.(...(args as never[])) ?? registered.get(command)?.(...args);
  },
  registerCommand: (command: string, work: (...args: unknown[]) => unknown): Disposable => {
    registered.set(command, work);
    return new Disposable(() => registered.delete(command));
  },
};

export const FileChangeType = { Changed: 1 };
export const FileType = { File: 1, Directory: 2 };
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 };
export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const QuickInputButtons = { Back: { iconPath: undefined } };
export const StatusBarAlignment = { Left: 1, Right: 2 };
export const ViewColumn = { Active: -1, Beside: -2 };

// The names are those of the editor: one that it no longer has does not compile.
const parts = {
  commands,
  Disposable,
  env,
  EventEmitter,
  FileSystemError,
  FileType,
  l10n,
  languages,
  ProgressLocation,
  Uri,
  ViewColumn,
  window,
  workspace,
};
parts satisfies { readonly [K in keyof typeof parts]: { readonly [P in keyof (typeof vscode)[K]]?: unknown } };
