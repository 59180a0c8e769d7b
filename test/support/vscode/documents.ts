import type * as vscode from 'vscode';
import { Disposable, EventEmitter, Position, Range, Selection, type Uri } from './basics.ts';
import {
  didChange,
  didSave,
  providers,
  reading,
  settled,
  TextDocument,
  textFrom,
  willSave,
  type Provider,
} from './textDocument.ts';

const didOpen = new EventEmitter<TextDocument>();
const didClose = new EventEmitter<TextDocument>();
const tabsChanged = new EventEmitter<{ opened: Tab[]; closed: Tab[]; changed: Tab[] }>();

async function readAgain(uri: Uri): Promise<void> {
  const document = documentOf(uri);
  if (!document || document.isDirty) return;
  const text = await textFrom(uri);
  if (!document.isDirty && text !== document.getText()) document.show(text, false);
}

function documentOf(uri: Uri): TextDocument | undefined {
  return documents.open.find((document) => document.uri.toString() === uri.toString());
}

export class TabInputText {
  readonly uri: Uri;
  constructor(uri: Uri) {
    this.uri = uri;
  }
}

export class TabInputCustom {
  readonly uri: Uri;
  readonly viewType: string;
  constructor(uri: Uri, viewType: string) {
    this.uri = uri;
    this.viewType = viewType;
  }
}

export class TabInputTextDiff {
  readonly original: Uri;
  readonly modified: Uri;
  constructor(original: Uri, modified: Uri) {
    this.original = original;
    this.modified = modified;
  }
}

/** The document of a tab; undefined for that of a diff. */
function uriOf(input: Tab['input']): Uri | undefined {
  return input instanceof TabInputTextDiff ? undefined : input.uri;
}

interface Tab {
  readonly input: TabInputText | TabInputCustom | TabInputTextDiff;
  readonly group: object;
  readonly isActive: boolean;
  readonly isDirty: boolean;
  /** The panel of a custom editor. */
  readonly panel: { dispose(): void } | undefined;
}

/** Custom editors by view type: each gives a document a panel. */
export const customEditors = new Map<string, (document: TextDocument) => { dispose(): void }>();

const group = { viewColumn: 1, isActive: true, tabs: [] as Tab[], activeTab: undefined as Tab | undefined };

function showTab(input: Tab['input'], openPanel?: () => Tab['panel']): void {
  const uri = uriOf(input);
  const isSame = (other: Tab['input']) =>
    uri !== undefined && other.constructor === input.constructor && uriOf(other)?.toString() === uri.toString();
  const known = group.tabs.find((tab) => isSame(tab.input));
  const tab: Tab = known ?? {
    input,
    group,
    get isActive() {
      return group.activeTab === tab;
    },
    get isDirty() {
      return uri !== undefined && documentOf(uri)?.isDirty === true;
    },
    panel: openPanel?.(),
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
  for (const { input, panel } of closed) {
    panel?.dispose();
    const uri = uriOf(input);
    if (uri !== undefined && tabsOf(uri).length === 0) close(uri);
  }
  tabsChanged.fire({ opened: [], closed, changed: [] });
  return closed.length === [given].flat().length;
}

function tabsOf(uri: Uri): Tab[] {
  return group.tabs.filter(({ input }) => uriOf(input)?.toString() === uri.toString());
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

async function openWith(uri: Uri, viewType: string): Promise<void> {
  const document = await openTextDocument(uri);
  showTab(new TabInputCustom(document.uri, viewType), () => customEditors.get(viewType)?.(document));
}

/** Commands of the editor itself. */
export const builtIn: Readonly<Record<string, (...given: never[]) => Promise<unknown>>> = {
  'vscode.diff': async (original: Uri, modified: Uri) => showTab(new TabInputTextDiff(original, modified)),
  // Other files are opened by the editor alone.
  'vscode.open': async (uri: Uri) => (providers.has(uri.scheme) ? showTextDocument(uri) : undefined),
  'vscode.openWith': openWith,
  undo: async () => documents.active()?.undo(),
  redo: async () => documents.active()?.redo(),
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
    const uri = group.activeTab && uriOf(group.activeTab.input);
    return uri && documentOf(uri);
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
  tabs: () => group.tabs.map(({ input }) => (input instanceof TabInputTextDiff ? input.modified : input.uri).path),
  diffs: () => group.tabs.filter(({ input }) => input instanceof TabInputTextDiff).length,
  /** Closes everything without saving. */
  closeAll: (): void => {
    for (const { uri } of [...documents.open]) close(uri);
    for (const { panel } of group.tabs) panel?.dispose();
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
  applyEdit: async ({ changes }: WorkspaceEdit) => {
    for (const { uri } of changes.filter((each, at) => changes.findIndex(({ uri }) => uri === each.uri) === at)) {
      (await openTextDocument(uri)).replace(changes.filter((change) => change.uri === uri));
    }
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
  registerFileDecorationProvider: () => new Disposable(() => undefined),
  tabGroups: {
    get all() {
      return [group];
    },
    activeTabGroup: group,
    close: closeTabs,
    onDidChangeTabs: tabsChanged.event,
  },
};

/** Changes of documents. */
export class WorkspaceEdit {
  readonly changes: { uri: Uri; range: Range; text: string }[] = [];
  insert(uri: Uri, position: Position, text: string): void {
    this.replace(uri, new Range(position, position), text);
  }
  replace(uri: Uri, range: Range, text: string): void {
    this.changes.push({ uri, range, text });
  }
}
