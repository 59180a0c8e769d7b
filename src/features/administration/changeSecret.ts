import * as vscode from 'vscode';
import { showQuickPick } from '../../editor/quickInput.ts';
import { setStatusBarMessage } from '../../editor/statusBar.ts';
import { changeSecret as sendSecret } from '../../objects/save/storedSecret.ts';
import type { Connection } from '../../connections/connection.ts';
import { secretWord } from '../../editor/pickers/askSecret.ts';
import type { DocumentTarget } from '../../editor/documentUri.ts';
import { findKind } from '../../objects/kinds/kinds.ts';
import { settingName } from '../../editor/nodes/objectTarget.ts';
import { adminServerOf } from '../../editor/pickers/adminServer.ts';
import { askNewSecret } from '../../editor/pickers/askNewSecret.ts';
import { pickObject } from '../../editor/pickers/objectPicks.ts';
import { objectTargetOf } from '../../editor/nodes/objectTarget.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { showChanged } from '../../editor/showChanged.ts';
import { shownServer } from '../../editor/pickers/shownServer.ts';

const statusMs = 8_000;

/** Gives a server another password or client secret of those that it keeps and never shows, typed twice. */
export async function changeSecret(services: CommandServices, argument?: unknown): Promise<void> {
  const title = vscode.l10n.t('Change Stored Password or Secret');
  const connection = await adminServerOf(argument, services, title);
  if (!connection) return;
  const shown = await shownServer(connection, argument);
  const target = objectTargetOf(argument) ?? (await pickTarget(connection, title));
  const kind = target && findKind(target.kind);
  const field = kind?.secret?.field;
  if (!kind || field === undefined) return;
  const word = secretWord(field);
  const heading = vscode.l10n.t('{0} of {1} on {2}', word, target.name, connection.name);
  const isSet = await askNewSecret({
    title: heading,
    first: {
      placeholder: vscode.l10n.t('New: {0}', word),
      prompt: vscode.l10n.t('The server never shows what it keeps. It goes to the server and into no text or setting.'),
      whenEmpty: vscode.l10n.t('Enter the new one.'),
    },
    again: { placeholder: vscode.l10n.t('The same again'), whenDifferent: vscode.l10n.t('The two differ.') },
    send: async (secret) => sendSecret(await shown.server(), { kind, id: target.id, secret }),
  });
  if (!isSet) return;
  await showChanged(services, connection, { kind: target.kind, objects: [target] });
  const words = vscode.l10n.t('{0} of {1} changed on {2}', word, target.name, connection.name);
  setStatusBarMessage(words, statusMs);
}

/** Asks whose secret is meant: a registered server's, or the one of the mail configuration or the instance settings. */
async function pickTarget(connection: Connection, title: string): Promise<DocumentTarget | undefined> {
  const choices = (['server', 'smtp', 'settings'] as const).flatMap((name) => {
    const kind = findKind(name);
    return kind?.secret
      ? [{ label: secretWord(kind.secret.field), iconPath: new vscode.ThemeIcon(kind.icon), object: name }]
      : [];
  });
  const placeHolder = vscode.l10n.t('Which one?');
  const chosen = await showQuickPick(choices, {
    title: vscode.l10n.t('{0} on {1}', title, connection.name),
    placeHolder,
    ignoreFocusOut: true,
  });
  if (!chosen) return undefined;
  const { object: kind } = chosen;
  if (kind !== 'server') return { connectionId: connection.id, kind, id: kind, name: settingName(kind) };
  const database = await pickObject(connection, 'databases', {
    title,
    placeholder: vscode.l10n.t('Registered server'),
  });
  return database && { connectionId: connection.id, kind, id: database.id, name: database.name };
}
