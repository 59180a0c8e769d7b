import * as vscode from 'vscode';
import type { AnalyticsClient } from '../../client/client.ts';
import { displayText } from '../../editor/displayText.ts';
import type { LibraryPick } from './libraryPicks.ts';

/**
 * Checks the names that a new report is given: one that a report of its folder has already is taken when it is entered once more,
 * as servers then keep two reports of that name.
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
      'There is a report "{0}" in that folder already. Press Enter again to save another one of that name.',
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
    // Advice that cannot be had now must not keep anybody from saving.
    return false;
  }
}
