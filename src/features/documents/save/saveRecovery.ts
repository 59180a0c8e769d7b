import * as vscode from 'vscode';
import { showErrorMessage } from '../../../editor/messages.ts';
import { isClientError } from '../../../client/clientError.ts';
import { runInBackground } from '../../../editor/progress.ts';
import { documentTarget, isNewObject, objectLabel } from '../../../editor/documentUri.ts';

/**
 * Offers actions for a failed save that only the user can take, next to the editor's own message, which says why and offers
 * Retry: Sign In if signed out, Change Password if a new one is due, or a diff if the server's state is unknown. No message for
 * failures that can be fixed in the text.
 */
export function offerRecovery(uri: vscode.Uri, failure: unknown): void {
  const way = wayOutOf(uri, failure instanceof vscode.FileSystemError ? failure.cause : failure);
  if (!way) return;
  // Not awaited: the save has ended, but the message stays until the user responds. Only error messages stay.
  const answer = showErrorMessage(way.message, ...way.steps.map(({ title }) => title));
  const next = answer.then((chosen) => {
    const step = way.steps.find(({ title }) => title === chosen);
    return step && vscode.commands.executeCommand(step.command, ...step.arguments);
  });
  runInBackground(next);
}

interface Step {
  readonly title: string;
  readonly command: string;
  readonly arguments: readonly unknown[];
}

function wayOutOf(uri: vscode.Uri, error: unknown): { message: string; steps: Step[] } | undefined {
  if (!isClientError(error)) return undefined;
  const target = documentTarget(uri);
  const object = objectLabel(uri);
  if (['notSignedIn', 'takenOver', 'signInRefused'].includes(error.kind)) {
    const argument = { connectionId: target?.connectionId };
    return {
      message: vscode.l10n.t('The changes to {0} are kept. Sign in to {1}, then save again.', object, error.server),
      steps: [{ title: vscode.l10n.t('Sign In…'), command: 'analytics.server.signIn', arguments: [argument] }],
    };
  }
  if (error.reason === 'newPassword') {
    const argument = { connectionId: target?.connectionId };
    const title = vscode.l10n.t('Change Password…');
    return {
      message: vscode.l10n.t(
        'The changes to {0} are kept. Set a new password on {1}, then save again.',
        object,
        error.server,
      ),
      steps: [{ title, command: 'analytics.profile.changePassword', arguments: [argument] }],
    };
  }
  const check = { title: vscode.l10n.t('Check Again…'), command: 'analytics.writes.review', arguments: [] };
  if (error.kind === 'unknownOutcome' && target && isNewObject(target)) {
    return {
      message: vscode.l10n.t(
        'The next save of {1} checks {0} for it first and asks before creating another one.',
        error.server,
        object,
      ),
      steps: [check],
    };
  }
  if (error.kind === 'unknownOutcome') {
    return {
      message: vscode.l10n.t('Compare {1} with {0} before you save again.', error.server, object),
      steps: [
        {
          title: vscode.l10n.t('Compare with Server'),
          command: 'analytics.object.compareWithServer',
          arguments: [uri],
        },
        check,
      ],
    };
  }
  return undefined;
}
