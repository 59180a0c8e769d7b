import type * as vscode from 'vscode';
import { Disposable, EventEmitter, Position, Selection, type Uri } from './basics.ts';
import { person } from './person.ts';

/** Why a document is saved. */
export const TextDocumentSaveReason = { Manual: 1, AfterDelay: 2, FocusOut: 3 } as const;
type SaveReason = (typeof TextDocumentSaveReason)[keyof typeof TextDocumentSaveReason];

/** What of a file system provider the editor uses to open and save a document. */
type Provider = Pick<vscode.FileSystemProvider, 'stat' | 'readFile' | 'writeFile' | 'onDidChangeFile'>;

const willSave = new EventEmitter<{ document: TextDocument; reason: SaveReason }>();
const didOpen = new EventEmitter<TextDocument>();
const didClose = new EventEmitter<TextDocument>();
const didSave = new EventEmitter<TextDocument>();
const didChange = new EventEmitter<{ document: TextDocument; reason: undefined; contentChanges: object[] }>();
const tabsChanged = new EventEmitter<{ opened: Tab[]; closed: Tab[]; changed: Tab[] }>();
const providers = new Map<string, { provider: Provider; changes: Disposable }>();

/** An open document. What is typed is unsaved until its file system accepts it. */
class TextDocument {
  readonly languageId = 'json';
  readonly encoding = 'utf8';
  readonly uri: Uri;
  version = 1;
  isDirty = false;
  isClosed = false;
  #text: string;
  #saving: Promise<boolean> | undefined;

  constructor(uri: Uri, text: string) {
    this.uri = uri;
    this.#text = text;
  }

  getText(): string {
    return this.#text;
  }

  positionAt(offset: number): Position {
    const before = this.#text.slice(0, offset).split('\n');
    return new Position(before.length - 1, before.at(-1)?.length ?? 0);
  }

  /** Shows another text: typed, or read again. */
  show(text: string, isTyped: boolean): void {
    this.#text = text;
    this.version += 1;
    const changed = (contentChanges: object[]) => didChange.fire({ document: this, reason: undefined, contentChanges });
    // The editor reports a text before it marks the document.
    changed([{ text }]);
    if (this.isDirty === isTyped) return;
    this.isDirty = isTyped;
    changed([]);
  }

  /** Saves as `Ctrl+S` does. @returns false when the file system refuses, whose reason the person reads. */
  save(reason: SaveReason = TextDocumentSaveReason.Manual): Promise<boolean> {
    // Another save while one runs is merged into it.
    this.#saving ??= this.#save(reason).finally(() => (this.#saving = undefined));
    return this.#saving;
  }

  async #save(reason: SaveReason): Promise<boolean> {
    if (!this.isDirty) return true;
    willSave.fire({ document: this, reason });
    const text = this.#text;
    try {
      await providerOf(this.uri).writeFile(real(this.uri), Buffer.from(text), { create: true, overwrite: true });
    } catch (error) {
      person.tell('message', String(error instanceof Error ? error.message : error));
      // The editor ends a refused save later than its file system.
      await new Promise((resolve) => void setImmediate(resolve));
      return false;
    }
    this.isDirty = this.#text !== text;
    didSave.fire(this);
    await settled();
    return true;
  }
}

/** Our addresses do for the editor's: products only read their parts. */
function real(uri: Uri): vscode.Uri {
  return uri as unknown as vscode.Uri;
}

function providerOf({ scheme }: Uri): Provider {
  const found = providers.get(scheme);
  if (!found) throw new Error(`No file system for ${scheme}.`);
  return found.provider;
}

async function textFrom(uri: Uri): Promise<string> {
  const provider = providerOf(uri);
  await provider.stat(real(uri));
  return new TextDecoder().decode(await provider.readFile(real(uri)));
}

/** Documents that are read again, after their file system reported a change. */
const reading = new Set<Promise<void>>();

async function readAgain(uri: Uri): Promise<void> {
  const document = documentOf(uri);
  if (!document || document.isDirty) return;
  const text = await textFrom(uri);
  if (!document.isDirty && text !== document.getText()) document.show(text, false);
}

function documentOf(uri: Uri): TextDocument | undefined {
  return documents.open.find((document) => document.uri.toString() === uri.toString());
}

/** Resolves when documents show what their file system reported. */
async function settled(): Promise<void> {
  while (reading.size > 0) await Promise.all(reading);
}

export class TabInputText {
  readonly uri: Uri;
  constructor(uri: Uri) {
    this.uri = uri;
  }
}

export class TabInputCustom extends TabInputText {}

export class TabInputTextDiff {
  readonly original: Uri;
  readonly modified: Uri;
  constructor(original: Uri, modified: Uri) {
    this.original = original;
    this.modified = modified;
  }
}

interface Tab {
  readonly input: TabInputText | TabInputTextDiff;
  readonly group: object;
  readonly isActive: boolean;
  readonly isDirty: boolean;
}

const group = { viewColumn: 1, isActive: true, tabs: [] as Tab[], activeTab: undefined as Tab | undefined };

function showTab(input: Tab['input']): void {
  const isText = input instanceof TabInputText;
  const known = isText
    ? group.tabs.find((tab) => tab.input instanceof TabInputText && tab.input.uri === input.uri)
    : undefined;
  const tab: Tab = known ?? {
    input,
    group,
    get isActive() {
      return group.activeTab === tab;
    },
    get isDirty() {
      return isText && documentOf(input.uri)?.isDirty === true;
    },
  };
  group.activeTab = tab;
  if (known) return;
  group.tabs.push(tab);
  tabsChanged.fire({ opened: [tab], closed: [], changed: [] });
}

/** Closes tabs. A text without a tab is closed, too. */
async function closeTabs(given: Tab | readonly Tab[]): Promise<boolean> {
  const closed = [given].flat().filter((tab) => group.tabs.includes(tab) && !tab.isDirty);
  group.tabs = group.tabs.filter((tab) => !closed.includes(tab));
  if (group.activeTab && closed.includes(group.activeTab)) group.activeTab = group.tabs.at(-1);
  for (const { input } of closed) if (input instanceof TabInputText) close(input.uri);
  tabsChanged.fire({ opened: [], closed, changed: [] });
  return closed.length === [given].flat().length;
}

function close(uri: Uri): void {
  const document = documentOf(uri);
  if (!document) return;
  documents.open = documents.open.filter((other) => other !== document);
  document.isClosed = true;
  didClose.fire(document);
}

async function openTextDocument(uri: Uri): Promise<TextDocument> {
  const open = documentOf(uri);
  if (open) return open;
  const document = new TextDocument(uri, await textFrom(uri));
  documents.open.push(document);
  didOpen.fire(document);
  return document;
}

async function showTextDocument(given: Uri | TextDocument): Promise<object> {
  const document = given instanceof TextDocument ? given : await openTextDocument(given);
  showTab(new TabInputText(document.uri));
  const start = new Position(0, 0);
  return { document, selection: new Selection(start, start), selections: [], revealRange: () => undefined };
}

/** Commands of the editor itself. */
export const builtIn: Readonly<Record<string, (...given: never[]) => Promise<unknown>>> = {
  'vscode.diff': async (original: Uri, modified: Uri) => showTab(new TabInputTextDiff(original, modified)),
  // Other files are opened by the editor alone.
  'vscode.open': async (uri: Uri) => (providers.has(uri.scheme) ? showTextDocument(uri) : undefined),
  'workbench.action.files.save': async () => documents.active()?.save(),
  'workbench.action.files.revert': async () => {
    const document = documents.active();
    if (document) document.show(await textFrom(document.uri), false);
  },
  'workbench.action.revertAndCloseActiveEditor': async () => {
    const document = documents.active();
    if (document) document.isDirty = false;
    if (group.activeTab) await closeTabs(group.activeTab);
  },
};

/** The documents of the editor, for tests. */
export const documents = {
  open: [] as TextDocument[],
  /** The document in front. */
  active: (): TextDocument | undefined => {
    const input = group.activeTab?.input;
    return input instanceof TabInputText ? documentOf(input.uri) : undefined;
  },
  settled,
  /** Replaces a part of a document's text, as if typed. @throws {Error} if it is not there. */
  type: ({ uri }: { uri: object }, find: string, replacement: string): void => {
    const document = documentOf(uri as Uri);
    const text = document?.getText();
    if (!document || !text?.includes(find)) throw new Error(`There is no ${find} in ${String(text)}.`);
    document.show(
      text.replace(find, () => replacement),
      true,
    );
  },
  /** Titles and texts of open tabs. */
  tabs: () => group.tabs.map(({ input }) => (input instanceof TabInputText ? input.uri : input.modified).path),
  diffs: () => group.tabs.filter(({ input }) => input instanceof TabInputTextDiff).length,
  /** Closes everything without saving. */
  closeAll: (): void => {
    for (const { uri } of [...documents.open]) close(uri);
    group.tabs = [];
    group.activeTab = undefined;
  },
};

/** The document part of `workspace`. */
export const documentWorkspace = {
  get textDocuments() {
    return documents.open;
  },
  openTextDocument,
  applyEdit: async ({ inserts }: WorkspaceEdit) => {
    for (const { uri, text } of inserts) (await openTextDocument(uri)).show(text, true);
    return true;
  },
  registerFileSystemProvider: (scheme: string, provider: Provider) => {
    const changes = provider.onDidChangeFile((events) => {
      for (const { uri } of events) {
        const read = readAgain(uri).finally(() => reading.delete(read));
        reading.add(read);
      }
    });
    providers.set(scheme, { provider, changes: new Disposable(() => void changes.dispose()) });
    return new Disposable(() => {
      providers.get(scheme)?.changes.dispose();
      providers.delete(scheme);
    });
  },
  registerTextDocumentContentProvider: () => new Disposable(() => undefined),
  onWillSaveTextDocument: willSave.event,
  onDidOpenTextDocument: didOpen.event,
  onDidCloseTextDocument: didClose.event,
  onDidSaveTextDocument: didSave.event,
  onDidChangeTextDocument: didChange.event,
};

/** The document part of `window`. */
export const documentWindow = {
  showTextDocument,
  visibleTextEditors: [] as vscode.TextEditor[],
  onDidChangeTextEditorSelection: () => new Disposable(() => undefined),
  onDidChangeVisibleTextEditors: () => new Disposable(() => undefined),
  tabGroups: {
    get all() {
      return [group];
    },
    activeTabGroup: group,
    close: closeTabs,
    onDidChangeTabs: tabsChanged.event,
  },
};

/** Inserts texts into documents. */
export class WorkspaceEdit {
  readonly inserts: { uri: Uri; text: string }[] = [];
  insert(uri: Uri, _position: Position, text: string): void {
    this.inserts.push({ uri, text });
  }
}
