import * as vscode from 'vscode';
import { showErrorMessage } from './messages.ts';
import { isClientError, shownMessage } from '../client/clientError.ts';
import { displayText } from './displayText.ts';

/** Lets work go on that nobody waits for, such as what a person chose in a notification. A failure of it is shown. */
export function unattended(work: PromiseLike<unknown>): void {
  work.then(undefined, (error: unknown) => {
    if (isClientError(error, 'cancelled') || error instanceof vscode.CancellationError) return;
    void showErrorMessage(displayText(shownMessage(error)));
  });
}
