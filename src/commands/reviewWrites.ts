import * as vscode from 'vscode';
import { displayText, iconSafeText } from '../connections/displayText.ts';
import type { UnknownWrite } from '../connections/unknownWrite.ts';
import { attempt } from './commandError.ts';
import type { CommandServices } from './services.ts';

/** Shows the writes whose outcome is not known, and looks again at the server for the one chosen. */
export async function reviewWrites(services: CommandServices): Promise<void> {
  const { unknownWrites } = services;
  const writes = await unknownWrites.list();
  if (writes.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The outcome of every write is known.'));
    return;
  }
  const items = writes.map((write) => ({
    label: iconSafeText(`${verbOf(write)} ${write.object}`),
    description: iconSafeText(`${write.server} · ${new Date(write.sentAt).toLocaleString(vscode.env.language)}`),
    detail: iconSafeText(reasonOf(write)),
    write,
  }));
  const placeHolder = vscode.l10n.t(
    'Sent once, and nobody knows what became of it. Look at the server again for which?',
  );
  const chosen = (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.write;
  if (chosen) await checkAgain(chosen, services);
}

/** Tells, when the editor starts, that earlier writes are open; silent when there are none. */
export async function tellUnknownWrites({ unknownWrites }: Pick<CommandServices, 'unknownWrites'>): Promise<void> {
  const { length } = await unknownWrites.list();
  if (length === 0) return;
  const review = vscode.l10n.t('Review…');
  const message =
    length === 1
      ? vscode.l10n.t('One write to a server ended without an answer, so its outcome is not known.')
      : vscode.l10n.t('{0} writes to servers ended without an answer, so their outcome is not known.', length);
  if ((await vscode.window.showWarningMessage(message, review)) === review) {
    await vscode.commands.executeCommand('analytics.writes.review');
  }
}

async function checkAgain(write: UnknownWrite, services: CommandServices): Promise<void> {
  const { unknownWrites } = services;
  const object = displayText(write.object);
  const what = vscode.l10n.t('Could not look for {0} on {1}', object, write.server);
  const isThere = await attempt(what, () => unknownWrites.look(write.id));
  if (isThere) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('{0} took it: {1} is as it was sent.', write.server, object),
    );
    return;
  }
  const again = vscode.l10n.t('Check Again');
  const forget = vscode.l10n.t('Forget');
  const message =
    isThere === undefined
      ? vscode.l10n.t('Whether {0} took {1} cannot be compared any more: look at it there.', write.server, object)
      : vscode.l10n.t('{0} does not show {1} as it was sent. It may still arrive.', write.server, object);
  const chosen = await vscode.window.showWarningMessage(message, ...(isThere === undefined ? [] : [again]), forget);
  if (chosen === again) await checkAgain(write, services);
  if (chosen === forget) await unknownWrites.forget(write.id);
}

function verbOf({ kind }: UnknownWrite): string {
  if (kind === 'create') return vscode.l10n.t('Create');
  return kind === 'delete' ? vscode.l10n.t('Delete') : vscode.l10n.t('Change');
}

function reasonOf({ reason }: UnknownWrite): string {
  return reason === '' ? vscode.l10n.t('The editor ended while it was under way.') : reason;
}
