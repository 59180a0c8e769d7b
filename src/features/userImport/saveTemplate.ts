import * as vscode from 'vscode';
import { showSaveDialog } from '../../editor/panels.ts';
import { userCsvTemplate } from './userColumns.ts';

/** Saves a CSV file of users to fill in, whose first lines explain its columns, and opens it. */
export async function saveTemplate(): Promise<void> {
  const title = vscode.l10n.t('Save a CSV template for users');
  const target = await showSaveDialog({ title, defaultUri: defaultFile(), filters: { CSV: ['csv'] } });
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, Buffer.from(userCsvTemplate(comments())));
  await vscode.commands.executeCommand('vscode.open', target);
}

function defaultFile(): vscode.Uri | undefined {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return folder && vscode.Uri.joinPath(folder, 'users.csv');
}

function comments(): string[] {
  return [
    vscode.l10n.t(
      'One user per line below the header. Only LoginName is required. Lines above the header are comments.',
    ),
    vscode.l10n.t('Tag1 to Tag4: values that policies can compare as /#tag1#/ to /#tag4#/.'),
    vscode.l10n.t(
      'Groups: names separated by | or ; each with an optional role of None, Admin, View, Modify or Delete. Example: North:Modify|South',
    ),
    vscode.l10n.t('#12 is the group or application with the ID 12.'),
    vscode.l10n.t('Role: Agent, Builder or Architect. It takes a licence seat in the application in Application.'),
    vscode.l10n.t('Application may be empty if there is only one.'),
    vscode.l10n.t('Password: if empty, the import asks for one that users must change at their first sign-in.'),
  ];
}
