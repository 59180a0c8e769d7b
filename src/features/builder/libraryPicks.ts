import * as vscode from 'vscode';
import { showQuickPick } from '../../editor/quickInput.ts';
import type { Connection } from '../../connections/connection.ts';
import { displayText } from '../../editor/displayText.ts';
import { dashboardItemType } from '../../contract/outputTypes.ts';
import type { LibraryNode } from '../../contract/resources/library.ts';
import type { AnalyticsClient } from '../../client/client.ts';

/** A library item that the user picked. */
interface LibraryPick {
  id: string;
  name: string;
}

/** Quick pick item for a folder or report. */
export interface LibraryChoice extends vscode.QuickPickItem {
  pick: LibraryPick;
}

/** Lets the user pick a folder for saving reports; undefined if the user cancels. @throws {ClientError} */
export async function pickFolder(connection: Connection): Promise<LibraryPick | undefined> {
  return ask(folderChoices(connection), vscode.l10n.t('Select a folder on {0} for the report', connection.name));
}

/** Folders that the account may save reports to. @throws {ClientError} */
export async function folderChoices(connection: Connection): Promise<LibraryChoice[]> {
  const client = await connection.client();
  const roots = await client.call('library/GetAllLibraryTree', { includefav: false, includePersonal: true });
  return roots.flatMap(({ rootnode }) => (rootnode ? modifiableFolders(rootnode, '') : []));
}

/** Lets the user pick a report; undefined if the user cancels. @throws {ClientError} */
export async function pickReport(connection: Connection): Promise<LibraryPick | undefined> {
  const choices = async (): Promise<LibraryChoice[]> => {
    const client = await connection.client();
    const items = await client.call('library/SearchReports', { searchstring: '' });
    return items
      .filter(({ itemtype }) => itemtype !== dashboardItemType)
      .map(({ id, ReportName, folderpath }) => ({
        label: displayText(ReportName),
        description: displayText(folderpath),
        pick: { id: String(id ?? ''), name: ReportName ?? '' },
      }));
  };
  return ask(choices(), vscode.l10n.t('Select a report on {0} to drill down to', connection.name));
}

async function ask(choices: Promise<LibraryChoice[]>, title: string): Promise<LibraryPick | undefined> {
  const picked = await showQuickPick(choices, { title, matchOnDescription: true, ignoreFocusOut: true });
  return picked?.pick;
}

/** Folders that the account may modify, each with its parent path. */
function modifiableFolders(node: LibraryNode, path: string): LibraryChoice[] {
  const name = displayText(node.text);
  const id = String(node.id ?? '');
  const isChoice = node.isUserModify === true || node.isUserAdmin === true;
  const here = path === '' ? name : `${path} / ${name}`;
  const below = (node.children ?? []).flatMap((child) => modifiableFolders(child, here));
  const choice = { label: displayText(name), description: displayText(path), pick: { id, name } };
  return isChoice ? [choice, ...below] : below;
}

/**
 * Validates the name of a new report. A name that already exists in the folder is accepted when it is entered again,
 * because servers can store two reports with the same name.
 */
export function newReportName(
  client: AnalyticsClient,
  folder: () => LibraryPick | undefined,
): (value: string, signal: AbortSignal) => Promise<string | undefined> {
  let warned = '';
  return async (value, signal) => {
    const name = value.trim();
    if (displayText(name) === '') return vscode.l10n.t('Enter a name.');
    const place = folder();
    const key = JSON.stringify([place?.id, name]);
    if (place === undefined || key === warned || !(await isTaken(client, place.id, name, signal))) return undefined;
    warned = key;
    return vscode.l10n.t(
      'The folder already has a report named "{0}". Press Enter again to save another one with this name.',
      displayText(name),
    );
  };
}

/** API description, SearchReports. */
async function isTaken(client: AnalyticsClient, folderId: string, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    const found = await client.call('library/SearchReports', { searchstring: name }, { signal });
    const key = name.toLowerCase();
    return found.some(
      ({ folderid, ReportName }) => String(folderid) === folderId && ReportName?.trim().toLowerCase() === key,
    );
  } catch {
    // A failed check must not prevent saving.
    return false;
  }
}
