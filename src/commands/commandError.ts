import * as vscode from 'vscode';
import { isClientError } from '../client/clientError.ts';
import { displayText } from '../connections/displayText.ts';

/** A command that failed: what was to be done, to what and where; `cause` says why. */
export class CommandError extends Error {
  constructor(what: string, cause: unknown) {
    super(what, { cause });
    this.name = 'CommandError';
  }
}

/**
 * Runs `work`; if it fails, says what was to be done, for example `Could not run "Delays" on Local Server`.
 * @throws {CommandError}
 */
export async function attempt<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new CommandError(what, error);
  }
}

/** Tells the user, once, that a command failed, and offers the next step. What the user cancelled is no failure. */
export async function showCommandError(
  error: unknown,
  log: vscode.LogOutputChannel,
  actions: { retry(): Promise<void>; signIn(server: string): Promise<void> },
): Promise<void> {
  const cause = error instanceof CommandError ? error.cause : error;
  if (isClientError(cause, 'cancelled') || cause instanceof vscode.CancellationError) return;
  const message = describeFailure(error);
  log.error(message);
  const retry = vscode.l10n.t('Retry');
  const showLog = vscode.l10n.t('Show Log');
  const signIn = vscode.l10n.t('Sign In…');
  const needsUser = isClientError(cause) && ['notSignedIn', 'takenOver', 'signInRefused'].includes(cause.kind);
  const buttons = needsUser ? [signIn, showLog] : [retry, showLog];
  const chosen = await vscode.window.showErrorMessage(message, ...buttons);
  if (chosen === retry) await actions.retry();
  if (chosen === signIn && isClientError(cause)) await actions.signIn(cause.server);
  if (chosen === showLog) log.show();
}

/** One line: what was to be done, why it failed, and what can be done. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof CommandError)) return whyOf(error);
  return vscode.l10n.t({
    message: '{0}: {1}',
    args: [error.message, whyOf(error.cause)],
    comment: ['{0} what could not be done', '{1} why'],
  });
}

function whyOf(error: unknown): string {
  const reason = displayText(error instanceof Error ? error.message : String(error));
  return isClientError(error) && error.remedy !== '' ? `${reason} ${error.remedy}` : reason;
}
