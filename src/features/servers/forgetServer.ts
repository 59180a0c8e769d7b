import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';

/** Where this machine keeps what belongs to servers, beside the list of them and their secrets. */
export type KeptPlaces = Pick<vscode.ExtensionContext, 'globalState' | 'workspaceState' | 'globalStorageUri'>;

/** Folders of journals, one file each, which name their server. */
const journalFolders = ['imports', 'applications', 'writes'];
const schemes = ['analytics', 'analytics-sql'];

/**
 * Removes what was kept about a server that is removed: prompt values, what unsaved documents started from, drafts, journals.
 * What another window keeps for its own folder stays there.
 */
export async function forgetServer({ globalState, workspaceState, globalStorageUri }: KeptPlaces, id: string) {
  for (const state of [globalState, workspaceState]) {
    for (const key of state.keys()) {
      if (isAbout(key, id) || state.get(key) === id) await state.update(key, undefined);
    }
  }
  for (const name of journalFolders) await removeJournals(path.join(globalStorageUri.fsPath, name), id);
}

/** The tabs of a server's documents and of the SQL of its reports. */
export function documentTabs(id: string): vscode.Tab[] {
  const isOwn = ({ scheme, authority }: vscode.Uri) => schemes.includes(scheme) && authority === id;
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => {
      if (input instanceof vscode.TabInputTextDiff) return isOwn(input.original) || isOwn(input.modified);
      const isFile = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
      return isFile && isOwn(input.uri);
    });
}

/** Closes a server's documents; what is unsaved in them is given up. */
export async function closeDocuments(id: string): Promise<void> {
  for (const { input } of documentTabs(id).filter(({ isDirty }) => isDirty)) {
    if (!(input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom)) continue;
    await vscode.commands.executeCommand('vscode.open', input.uri);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.window.tabGroups.close(documentTabs(id));
}

/** Whether a key of the editor's state is about a server. */
function isAbout(key: string, id: string): boolean {
  return [
    `analytics.prompts.${id}.`,
    `analytics.promptPresets.${id}.`,
    `analytics.base analytics://${id}/`,
    `analytics.tagDraft ${id}/`,
    `analytics.toldImport ${id}/`,
    `analytics.builder.server analytics://${id}/`,
  ].some((prefix) => key.startsWith(prefix));
}

async function removeJournals(folder: string, id: string): Promise<void> {
  for (const name of (await unlessMissing(readdir(folder))) ?? []) {
    const file = path.join(folder, name);
    const text = await unlessMissing(readFile(file, 'utf8'));
    if (text?.includes(`"connectionId":${JSON.stringify(id)}`)) await rm(file, { force: true });
  }
}

/** Undefined where there is no such file or folder: nothing was ever written there, or another window removed it. */
async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
