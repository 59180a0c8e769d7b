import * as vscode from 'vscode';
import type { DocumentTarget } from '../documents/documentUri.ts';
import { describeDeletion, type DeletionPreview, type Say } from '../objects/deletePreview.ts';
import type { ObjectServer } from '../objects/objectServer.ts';

const say: Say = (message, ...values) => vscode.l10n.t(message, ...values);

/**
 * Shows what goes with an object and asks whether to delete it; where much goes with it, its name has to be typed.
 * @throws {ClientError} when what goes with it cannot be read: nobody is asked to agree to the unknown.
 */
export async function confirmDeletion(server: ObjectServer, { kind, id, name }: DocumentTarget): Promise<boolean> {
  const preview = await describeDeletion(server, kind, id, say);
  const remove = preview.typedName ? vscode.l10n.t('Continue…') : vscode.l10n.t('Delete');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Delete "{0}" on {1}?', name, server.name),
    { modal: true, detail: detailOf(preview) },
    remove,
  );
  if (chosen !== remove) return false;
  return preview.typedName ? isNameTyped(name, server.name) : true;
}

function detailOf({ lines }: DeletionPreview): string {
  return [...lines, vscode.l10n.t('This cannot be undone.')].join('\n');
}

async function isNameTyped(name: string, server: string): Promise<boolean> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Delete "{0}" on {1}', name, server),
    prompt: vscode.l10n.t('Type the name to delete it.'),
    placeHolder: name,
    ignoreFocusOut: true,
    validateInput: (value) => (value === name ? undefined : vscode.l10n.t('The name is {0}.', name)),
  });
  return typed === name;
}
