import * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import { documentScheme } from './documentUri.ts';
import type { CommandServices } from './commands/services.ts';

/** How long to wait for the editor to close a document, and to report its tab, in ms. */
const closing = { patienceMs: 10_000, untoldMs: 1_000, lookAgainMs: 500 };

/** Tabs that show a document, in the text editor or a custom editor. */
export function tabsOf(uri: vscode.Uri): vscode.Tab[] {
  const key = uri.toString();
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter((tab) => uriOfTab(tab)?.toString() === key);
}

/** The document that a tab shows, in the text editor or a custom editor. */
export function uriOfTab({ input }: vscode.Tab): vscode.Uri | undefined {
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
}

/** The active document, in the text editor or a custom editor. */
export function documentInFront(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) return input.uri;
  return vscode.window.activeTextEditor?.document.uri;
}

/** Reveals a document in the editor that shows it, or opens it in the text editor. */
export async function showDocument(uri: vscode.Uri): Promise<void> {
  const tabs = tabsOf(uri);
  const tab =
    tabs.find(({ isActive, group }) => isActive && group.isActive) ?? tabs.find((each) => each.isActive) ?? tabs[0];
  const viewColumn = tab?.group.viewColumn;
  if (tab?.input instanceof vscode.TabInputCustom) {
    await vscode.commands.executeCommand('vscode.openWith', uri, tab.input.viewType, viewColumn);
  } else await vscode.window.showTextDocument(uri, { preview: false, ...(viewColumn !== undefined && { viewColumn }) });
}

/**
 * Closes the tabs of a document. The editor silently ignores a tab object that is outdated by a redraw, and reports
 * tabs later than their documents: open tabs are therefore polled until there are none. A document that the user
 * chooses to keep stays open.
 */
export async function closeTabs(uri: vscode.Uri): Promise<void> {
  const began = Date.now();
  while (Date.now() < began + closing.patienceMs) {
    const tabs = tabsOf(uri);
    // A visible editor without its own tab may be a side of a diff.
    if (tabs.length === 0 && !(isVisible(uri) && Date.now() < began + closing.untoldMs)) return;
    if (tabs.length > 0 && !(await vscode.window.tabGroups.close(tabs)) && isDirty(uri)) return;
    if (tabsOf(uri).length > 0 || isVisible(uri)) await nextTabChange();
  }
}

/** Whether a document has unsaved changes. */
export function isDirty(uri: vscode.Uri): boolean {
  const key = uri.toString();
  return vscode.workspace.textDocuments.some((document) => document.isDirty && document.uri.toString() === key);
}

function isVisible(uri: vscode.Uri): boolean {
  const key = uri.toString();
  return vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === key);
}

async function nextTabChange(): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      subscription.dispose();
      resolve();
    };
    const timer = setTimeout(done, closing.lookAgainMs);
    const subscription = vscode.window.tabGroups.onDidChangeTabs(done);
  });
}

/** Objects of one document kind. */
export interface ChangedOnServer {
  kind: string;
  objects: readonly { id: string; name: string }[];
}

/** Refreshes open documents of objects that a command changed on the server; unsaved changes are preserved. */
export async function refreshOpenDocuments(
  services: CommandServices,
  connection: Connection,
  ...changed: readonly ChangedOnServer[]
): Promise<void> {
  if (!vscode.workspace.textDocuments.some(({ uri }) => uri.scheme === documentScheme)) return;
  const documents = await services.documents();
  for (const { kind, objects } of changed) {
    for (const { id, name } of objects) documents.changedOnServer({ connectionId: connection.id, kind, id, name });
  }
}
