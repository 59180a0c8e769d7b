import * as vscode from 'vscode';
import { isClientError } from '../../client/clientError.ts';
import { isNoSuchReport } from '../reports/run/reportCalls.ts';
import { displayText } from '../../editor/displayText.ts';
import type { FoundChoices } from '../reports/prompts/promptChoices.ts';
import type { BuilderWords } from './builderSessionOptions.ts';
import { GroundError } from './builderCalls.ts';

/** Words about building a report in the editor's language. `server` is the server's name. */
export function builderWords(server: () => string): BuilderWords {
  return {
    failure: (error) => failureWords(error, server()),
    linkFailure: (name, error) =>
      isNoSuchReport(error)
        ? vscode.l10n.t('The linked report "{0}" was deleted, or is hidden from this account.', displayText(name))
        : vscode.l10n.t(
            'The linked report "{0}" cannot be read: {1}',
            displayText(name),
            failureWords(error, server()),
          ),
    needsSignIn: (error) => isClientError(error) && ['notSignedIn', 'takenOver', 'signInRefused'].includes(error.kind),
    noServer: () => vscode.l10n.t('This file belongs to no server yet. Choose one to build against.'),
    stale: () => vscode.l10n.t('The report changed meanwhile. Look at it and try again.'),
    notTaken: () => vscode.l10n.t('The editor did not take the change; the document may be read-only.'),
    unreadable: (error) =>
      vscode.l10n.t('The text is no valid report now, so it can only be edited as JSON: {0}', reasonOf(error)),
    newFormula: () => vscode.l10n.t('Formula'),
  };
}

/** What a value list says of itself: that it was cut short, or that nothing matches. */
export function choicesNotice({ choices, matches, listed, isLimited }: FoundChoices): string {
  if (listed === 0) return vscode.l10n.t('The server lists no values for this field.');
  if (matches === 0) return vscode.l10n.t('No listed value matches. Any other value can be typed.');
  if (isLimited) return vscode.l10n.t('The server lists only the first {0} values.', listed);
  return matches > choices.length
    ? vscode.l10n.t('{0} of {1} values; type to find others.', choices.length, matches)
    : '';
}

function failureWords(error: unknown, server: string): string {
  if (error instanceof GroundError) return groundWords(error, server);
  if (isClientError(error, 'refused')) return displayText(error.message);
  const remedy = isClientError(error) ? error.remedy : '';
  return [reasonOf(error), remedy].filter((part) => part !== '').join(' ');
}

function groundWords({ missing }: GroundError, server: string): string {
  switch (missing) {
    case 'reportType':
      return vscode.l10n.t('The report names no report type. Set "ReportType" in the JSON, or begin with New Report.');
    case 'server':
      return vscode.l10n.t(
        '{0} shows you no registered server for this report: the application may be gone, or you have no role on it.',
        server,
      );
    case 'fields':
      return vscode.l10n.t('The report type has no fields on {0}, or you may not see them.', server);
  }
}

function reasonOf(error: unknown): string {
  return displayText(error instanceof Error ? error.message : String(error));
}
