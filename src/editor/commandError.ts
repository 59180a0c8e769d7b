import * as vscode from 'vscode';
import { showErrorMessage } from './messages.ts';
import { isClientError, shownMessage, type ClientError, type FailureReason } from '../client/clientError.ts';
import { displayText } from './displayText.ts';
import type { CommandId } from './commands/commandIds.ts';

/** A failed command: the action, its object and server; `cause` holds the reason, that of the innermost action. */
export class CommandError extends Error {
  constructor(what: string, cause: unknown) {
    super(what, { cause: cause instanceof CommandError ? cause.cause : cause });
    this.name = 'CommandError';
  }
}

/**
 * Runs `work`; a failure is reported with `what`, for example `Could not run "Delays" on Local Server`.
 * @throws {CommandError}
 */
export async function attempt<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new CommandError(what, error);
  }
}

/** Shows a command's failure once and offers the next step. A cancelled command is not reported. */
export async function showCommandError(
  error: unknown,
  log: vscode.LogOutputChannel,
  actions: { retry(): Promise<void>; forServer(command: CommandId, error: ClientError): Promise<void> },
): Promise<void> {
  const cause = error instanceof CommandError ? error.cause : error;
  if (isClientError(cause, 'cancelled') || cause instanceof vscode.CancellationError) return;
  const message = describeFailure(error);
  log.error(logLine(error));
  const retry = vscode.l10n.t('Retry');
  const showLog = vscode.l10n.t('Show Log');
  const wayOut = isClientError(cause) ? wayOutOf(cause) : undefined;
  const restore = vscode.l10n.t('Restore…');
  const isDamaged = cause instanceof Error && cause.name === 'DamagedData';
  const first = isDamaged ? [restore] : [];
  const chosen = await showErrorMessage(message, ...first, wayOut?.title ?? retry, showLog);
  if (chosen === showLog) log.show();
  else if (chosen === restore) await vscode.commands.executeCommand('analytics.backup.restore' satisfies CommandId);
  else if (chosen === retry) await actions.retry();
  else if (chosen !== undefined && wayOut && isClientError(cause)) await actions.forServer(wayOut.command, cause);
}

/** The action that only the user can take after a failure; undefined if retrying is the only one. */
function wayOutOf(error: ClientError): { title: string; command: CommandId } | undefined {
  if (error.reason === 'secondFactor') {
    return { title: vscode.l10n.t('Open in Browser…'), command: 'analytics.browser.open' };
  }
  if (error.reason === 'newPassword') {
    return { title: vscode.l10n.t('Change Password…'), command: 'analytics.profile.changePassword' };
  }
  if (['notSignedIn', 'takenOver', 'signInRefused'].includes(error.kind)) {
    return { title: vscode.l10n.t('Sign In…'), command: 'analytics.server.signIn' };
  }
  if (error.kind === 'unknownOutcome') {
    return { title: vscode.l10n.t('Check Again…'), command: 'analytics.writes.review' };
  }
  if (isCertificateError(error)) {
    return { title: vscode.l10n.t('Show Certificate…'), command: 'analytics.server.trustCertificate' };
  }
  if (error.reason === 'proxySignIn') {
    return { title: vscode.l10n.t('Sign In to Proxy…'), command: 'analytics.network.setProxyAccount' };
  }
  return undefined;
}

/** Describes a failure in one line: the action, the cause and the next step. */
export function describeFailure(error: unknown): string {
  return describe(error, shownMessage);
}

function describe(error: unknown, wordsOf: (error: unknown) => string): string {
  if (!(error instanceof CommandError)) return whyOf(error, wordsOf);
  return vscode.l10n.t({
    message: '{0}: {1}',
    args: [error.message, whyOf(error.cause, wordsOf)],
    comment: ['{0} what could not be done', '{1} why'],
  });
}

/** {@link describeFailure} for the log, with the facts of a failed call in English, whatever the message language. */
export function logLine(error: unknown): string {
  const cause = error instanceof CommandError ? error.cause : error;
  // A body that is not a valid reply may contain a document: it is shown, not logged.
  const line = describe(error, (part) => (part instanceof Error ? part.message : String(part)));
  if (!isClientError(cause)) return line;
  const { kind, reason, endpoint, status, code } = cause;
  const facts = [kind, reason, endpoint, status && `HTTP ${status}`, code !== undefined && `code ${code}`];
  return `${line} [${facts.filter(Boolean).join(', ')}]`;
}

function whyOf(error: unknown, wordsOf: (error: unknown) => string): string {
  const reason = displayText(wordsOf(error));
  return isClientError(error) && error.remedy !== '' ? `${reason} ${error.remedy}` : reason;
}

/** Failures that can be resolved by trusting a certificate. */
const trustable: readonly (FailureReason | undefined)[] = [
  'selfSigned',
  'unknownAuthority',
  'expired',
  'notYetValid',
  'wrongHost',
  'certificateChanged',
];

/** Whether `error` concerns a certificate that the user can inspect and trust. */
export function isCertificateError(error: unknown): boolean {
  return isClientError(error, 'tls') && trustable.includes(error.reason);
}
