import * as vscode from 'vscode';
import { fileUnavailable, showWarningMessage, setStatusBarMessage } from '../../../editor/messages.ts';
import { isClientError, shownMessage } from '../../../client/clientError.ts';
import { displayText } from '../../../editor/displayText.ts';
import { completeStep } from '../../../editor/walkthroughSteps.ts';
import type { JsonObject } from '../../../objects/json.ts';
import { kindLabel } from '../../../objects/kinds/kindLabels.ts';
import type { ObjectKind } from '../../../objects/kinds/objectKind.ts';
import { isHidden } from '../../../objects/kinds/objectShape.ts';
import type { SavedOutcome, SaveOutcome } from '../../../objects/save/saveObject.ts';
import { readDocument } from '../files/documentText.ts';
import type { DocumentTarget } from '../../../editor/documentUri.ts';

/** How long the status bar message about a save is shown. */
const announcedMs = 8_000;

/** Start of the error message about a failed save: object and server. */
export function couldNotSave(kind: ObjectKind, { name }: DocumentTarget, server: string): string {
  return vscode.l10n.t('Could not save {0} "{1}" on {2}', kindLabel(kind.name), displayText(name), server);
}

/** Start of the error message about an object that cannot be read. */
export function couldNotOpen(kind: ObjectKind, { name }: DocumentTarget, server: string): string {
  return vscode.l10n.t('Could not read {0} "{1}" on {2}', kindLabel(kind.name), displayText(name), server);
}

/** Start of the error message about an object whose server is missing. */
export function couldNotReach(kind: ObjectKind, { name }: DocumentTarget): string {
  return vscode.l10n.t('Could not reach the server of {0} "{1}"', kindLabel(kind.name), displayText(name));
}

/** An error that leaves a document unsaved: the reason, the failed operation and the original error. */
export function refusal(what: string, why: string, cause?: unknown): vscode.FileSystemError {
  // The editor cuts long messages.
  const error = fileUnavailable(vscode.l10n.t('{0} {1}.', sentence(displayText(why)), what));
  error.cause = cause;
  return error;
}

/** Why a save met a conflict, to show in the document. */
export class SaveConflict extends Error {}

/** Error for a save that met a conflict. The question about it says why, so that screen readers hear that once. */
export function conflictRefusal(what: string, why: string): vscode.FileSystemError {
  const conflict = new SaveConflict(vscode.l10n.t('{0} {1}.', sentence(displayText(why)), what));
  return refusal(what, vscode.l10n.t('Choose which version to keep.'), conflict);
}

/**
 * Error for a write that was not sent because the user did not request it. @param isAutomatic whether auto-save made
 * it.
 */
export function notAsked(isAutomatic: boolean): vscode.FileSystemError {
  return fileUnavailable(
    isAutomatic
      ? vscode.l10n.t('Auto Save never sends changes to a server. Choose Save instead. Nothing was sent.')
      : vscode.l10n.t(
          'Changes are sent only when you choose Save. With Save without Formatting, or when the window closes, the editor does not report who started the save. Nothing was sent.',
        ),
  );
}

/** The reason for a failure and what to do about it. */
export function reasonOf(error: unknown): string {
  if (isClientError(error, 'cancelled')) return vscode.l10n.t('Cancelled.');
  const reason = shownMessage(error);
  return isClientError(error) && error.remedy !== '' ? `${reason} ${error.remedy}` : reason;
}

/** {@link reasonOf} for a save that was not sent: one cancelled after it was sent has an unknown outcome instead. */
export function unsentReason(error: unknown): string {
  return isClientError(error, 'cancelled') ? vscode.l10n.t('Cancelled. Nothing was sent.') : reasonOf(error);
}

/** Error for work that was cancelled before anything was sent: no server failed. */
export function cancelledUnsent(cause: unknown): vscode.FileSystemError {
  const error = fileUnavailable(unsentReason(cause));
  error.cause = cause;
  return error;
}

/**
 * Parses a view from text.
 * @throws {vscode.FileSystemError} if the text is invalid JSON, does not match the contract, or contains fields that
 * documents of the kind omit.
 */
export function parsed(text: string, kind: ObjectKind, what: string): JsonObject {
  let view: JsonObject;
  try {
    view = readDocument(text, kind.schema);
  } catch (error) {
    throw refusal(what, vscode.l10n.t('{0} Nothing was sent.', sentence(reasonOf(error))));
  }
  const hidden = Object.keys(view).find((name) => isHidden(kind.shape, name));
  if (hidden === undefined) return view;
  throw refusal(
    what,
    vscode.l10n.t(
      'Remove {0} from the text. Values that the server does not return stay unchanged, and passwords are requested when you save. Nothing was sent.',
      hidden,
    ),
  );
}

/** The reason for each save outcome that is not a success. */
export function saveFailureText(outcome: Exclude<SaveOutcome, SavedOutcome>, server: string): string {
  switch (outcome.kind) {
    case 'conflict': {
      const paths = outcome.conflicts.map(({ path }) => path).join(', ');
      return vscode.l10n.t(
        'The object was changed on the server in the meantime: {0}. Choose which version to keep.',
        paths,
      );
    }
    case 'readOnly':
      return vscode.l10n.t('The server sets these fields itself. Undo the change: {0}.', outcome.paths.join(', '));
    case 'cancelled':
      return vscode.l10n.t('The save requires the password. Nothing was sent.');
    case 'unconfirmed':
      return vscode.l10n.t('The change was not confirmed. Nothing was sent.');
    case 'unknown':
      return vscode.l10n.t(
        'It is unknown whether {0} applied the change, so it was not sent again. {1}',
        server,
        sentence(rootOf(outcome.cause)),
      );
  }
}

let announcement: vscode.Disposable | undefined;

/** Removes the message about the last save: another one begins. */
export function withdrawAnnouncement(): void {
  announcement?.dispose();
  announcement = undefined;
}

/**
 * Reports a successful save in one line: in the status bar, or as a warning if the server omitted something. The first
 * saved policy completes the walkthrough's step about policies.
 */
export function announce(
  server: string,
  kind: ObjectKind,
  { merged, mergedFrom, notTaken, notice }: SavedOutcome,
): void {
  if (kind.name === 'policy') completeStep('analytics.hasSavedPolicy');
  withdrawAnnouncement();
  if (notTaken.length === 0) {
    const saved = vscode.l10n.t('Saved to {0}', server);
    const words = merged.length === 0 ? saved : `${saved} · ${mergeWords(merged.length, mergedFrom)}`;
    announcement = setStatusBarMessage(words, announcedMs, 'check');
  }
  if (notice !== undefined) {
    void showWarningMessage(vscode.l10n.t('{0} saved the object and reports: {1}', server, displayText(notice)));
  }
  if (notTaken.length === 0) return;
  void showWarningMessage(vscode.l10n.t('{0} accepted the save but did not change {1}.', server, notTaken.join(', ')));
}

function mergeWords(count: number, author: string | undefined): string {
  if (author === undefined) {
    return count === 1 ? vscode.l10n.t('merged 1 change') : vscode.l10n.t('merged {0} changes', count);
  }
  const name = displayText(author);
  return count === 1
    ? vscode.l10n.t('merged 1 change by {0}', name)
    : vscode.l10n.t('merged {0} changes by {1}', count, name);
}

/** The underlying error, without the message about the unknown outcome. */
function rootOf({ cause, message }: Error): string {
  return cause instanceof Error ? cause.message : message;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
