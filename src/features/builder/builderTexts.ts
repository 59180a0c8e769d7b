import * as vscode from 'vscode';
import { isClientError } from '../../client/clientError.ts';
import { isNoSuchReport } from '../reports/run/reportCalls.ts';
import { displayText } from '../../editor/displayText.ts';
import type { FoundChoices } from '../reports/prompts/promptChoices.ts';
import type { BuilderTexts } from './builderSessionOptions.ts';
import { ContextError } from './builderCalls.ts';

/** Localized texts for building a report. `server` is the server's name. */
export function builderTexts(server: () => string): BuilderTexts {
  return {
    failure: (error) => failureWords(error, server()),
    linkFailure: (name, error) =>
      isNoSuchReport(error)
        ? vscode.l10n.t('The linked report "{0}" was deleted or is hidden from this account.', displayText(name))
        : vscode.l10n.t(
            'The linked report "{0}" cannot be read: {1}',
            displayText(name),
            failureWords(error, server()),
          ),
    nextStep,
    noServer: () => vscode.l10n.t('This file is not linked to a server yet. Choose a server to build the report with.'),
    stale: () => vscode.l10n.t('The report changed in the meantime. Check it and try again.'),
    notTaken: () => vscode.l10n.t('VS Code did not apply the change. The document may be read-only.'),
    unreadable: (error) =>
      vscode.l10n.t('The text is not a valid report, so it can only be edited as JSON: {0}', reasonOf(error)),
    newFormula: () => vscode.l10n.t('Formula'),
  };
}

/** Notice below a value list: it was truncated, or nothing matches. */
export function choicesNotice({ choices, matches, listed, isLimited }: FoundChoices): string {
  if (listed === 0) return vscode.l10n.t('The server lists no values for this field.');
  if (matches === 0) return vscode.l10n.t('No listed value matches. You can enter any other value.');
  if (isLimited) return vscode.l10n.t('The server lists only the first {0} values.', listed);
  return matches > choices.length ? vscode.l10n.t('{0} of {1} values; type to search.', choices.length, matches) : '';
}

/** What makes another attempt work after a failure. */
function nextStep(error: unknown): 'retry' | 'signIn' | 'changePassword' {
  if (!isClientError(error)) return 'retry';
  if (error.reason === 'newPassword') return 'changePassword';
  return ['notSignedIn', 'takenOver', 'signInRefused'].includes(error.kind) ? 'signIn' : 'retry';
}

function failureWords(error: unknown, server: string): string {
  if (error instanceof ContextError) return groundWords(error, server);
  if (isClientError(error, 'refused')) return displayText(error.message);
  const remedy = isClientError(error) ? error.remedy : '';
  return [reasonOf(error), remedy].filter((part) => part !== '').join(' ');
}

function groundWords({ missing }: ContextError, server: string): string {
  switch (missing) {
    case 'reportType':
      return vscode.l10n.t('The report has no report type. Set "ReportType" in the JSON, or start with New Report.');
    case 'server':
      return vscode.l10n.t(
        'You cannot see any registered server for this report on {0}. The application may have been deleted, or you have no role in it.',
        server,
      );
    case 'fields':
      return vscode.l10n.t('The report type has no fields on {0}, or your account cannot see them.', server);
  }
}

function reasonOf(error: unknown): string {
  return displayText(error instanceof Error ? error.message : String(error));
}
