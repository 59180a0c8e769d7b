import * as vscode from 'vscode';
import { showInformationMessage, showWarningMessage } from '../../editor/messages.ts';
import { showQuickPick } from '../../editor/quickInput.ts';
import { displayText } from '../../editor/displayText.ts';
import type { DamagedWrite, UnknownWrite } from '../../connections/unknownWrite.ts';
import { attempt, CommandError, describeFailure, logLine } from '../../editor/commandError.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/** Lists writes with an unknown outcome and checks the chosen one on the server. */
export async function reviewUnknownWrites(services: CommandServices): Promise<void> {
  const { writes, damaged } = await readAll(services);
  if (writes.length + damaged.length === 0) {
    void showInformationMessage(vscode.l10n.t('There are no unconfirmed writes.'));
    return;
  }
  const items = [...writes.map(itemOf), ...damaged.map(damagedItemOf)];
  const placeHolder = vscode.l10n.t('These writes got no reply. Select one to check');
  const chosen = await showQuickPick(items, { placeHolder, matchOnDescription: true });
  if (chosen?.write) await checkAgain(chosen.write, services);
  if (chosen?.damaged) await lookInto(chosen.damaged, services);
}

/** At activation, reports earlier writes with an unknown outcome, if any. */
export async function showUnknownWrites(services: Pick<CommandServices, 'unknownWrites' | 'log'>): Promise<void> {
  try {
    const { writes, damaged } = await readAll(services);
    const length = writes.length + damaged.length;
    if (length === 0) return;
    const review = vscode.l10n.t('Review…');
    const message = openWords(writes, length);
    if ((await showWarningMessage(message, review)) === review) {
      await vscode.commands.executeCommand('analytics.writes.review');
    }
  } catch (error) {
    services.log.error(describeFailure(error));
    void showWarningMessage(describeFailure(error));
  }
}

/** Text for the open writes: a single one by object and server, several by number. */
function openWords([write]: readonly UnknownWrite[], count: number): string {
  if (count > 1) {
    return vscode.l10n.t('{0} writes to servers got no reply, so their outcome is unknown.', count);
  }
  if (!write) return vscode.l10n.t('The record of a write to a server cannot be read, so its outcome is unknown.');
  return vscode.l10n.t(
    '{0} on {1} got no reply, so its outcome is unknown.',
    displayText(`${verbOf(write)} ${write.object}`),
    displayText(write.server),
  );
}

function readAll({ unknownWrites }: Pick<CommandServices, 'unknownWrites'>) {
  const what = vscode.l10n.t('Could not read the write records in {0}', unknownWrites.folder);
  return attempt(what, () => unknownWrites.read());
}

interface Choice extends vscode.QuickPickItem {
  write?: UnknownWrite;
  damaged?: DamagedWrite;
}

function itemOf(write: UnknownWrite): Choice {
  return {
    label: displayText(`${verbOf(write)} ${write.object}`),
    description: displayText(`${write.server} · ${momentOf(write.sentAt)}`),
    detail: displayText(reasonOf(write)),
    write,
  };
}

function damagedItemOf(damaged: DamagedWrite): Choice {
  return {
    label: vscode.l10n.t('Unreadable record of a write'),
    iconPath: new vscode.ThemeIcon('warning'),
    description: damaged.changedAt === '' ? '' : momentOf(damaged.changedAt),
    detail: displayText(damaged.file),
    damaged,
  };
}

/** Offers actions for an unreadable record: opening and deleting it. */
async function lookInto(damaged: DamagedWrite, services: CommandServices): Promise<void> {
  const open = vscode.l10n.t('Open File');
  const discard = vscode.l10n.t('Discard');
  const message = vscode.l10n.t(
    'Cannot read the record {0}: it is unknown what was written, to which server and with what outcome. Check your latest changes on your servers.',
    damaged.file,
  );
  const chosen = await showWarningMessage(message, open, discard);
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(damaged.file));
  if (chosen === discard) {
    const what = vscode.l10n.t('Could not discard {0}', damaged.file);
    await attempt(what, () => services.unknownWrites.discard(damaged));
  }
}

function momentOf(iso: string): string {
  return new Date(iso).toLocaleString(vscode.env.language);
}

async function checkAgain(write: UnknownWrite, services: CommandServices): Promise<void> {
  const object = displayText(write.object);
  const isThere = await lookAgain(write, services);
  if (isThere === true) {
    void showInformationMessage(vscode.l10n.t('{0} applied it: {1} is as sent.', write.server, object));
    return;
  }
  const again = vscode.l10n.t('Check Again');
  const forget = vscode.l10n.t('Forget');
  const message =
    isThere === undefined
      ? vscode.l10n.t(
          'Whether {0} applied {1} can no longer be checked here. Check it on the server.',
          write.server,
          object,
        )
      : typeof isThere === 'string'
        ? isThere
        : vscode.l10n.t('{0} does not show {1} as sent. It may still arrive.', write.server, object);
  const chosen = await showWarningMessage(message, ...(isThere === undefined ? [] : [again]), forget);
  if (chosen === again) await checkAgain(write, services);
  if (chosen === forget) await services.unknownWrites.forget(write.id);
}

/**
 * Whether the write is visible on the server; undefined if that can no longer be determined, or a message if it cannot
 * be read now.
 */
async function lookAgain(write: UnknownWrite, services: CommandServices): Promise<boolean | string | undefined> {
  try {
    // Creates the current client: the server may have restarted or its address may have changed.
    await services.connections.get(write.connectionId)?.client();
    return await services.unknownWrites.look(write.id);
  } catch (cause) {
    const what = vscode.l10n.t('Could not check for {0} on {1}', displayText(write.object), write.server);
    const error = new CommandError(what, cause);
    services.log.error(logLine(error));
    return describeFailure(error);
  }
}

function verbOf({ kind }: UnknownWrite): string {
  if (kind === 'create') return vscode.l10n.t('Create');
  return kind === 'delete' ? vscode.l10n.t('Delete') : vscode.l10n.t('Change');
}

function reasonOf({ reason }: UnknownWrite): string {
  return reason === '' ? vscode.l10n.t('VS Code closed while the run was in progress.') : reason;
}
