import * as vscode from 'vscode';
import { documentTarget } from '../../editor/documentUri.ts';
import { fieldOf, isJsonObject, parseExact, type Json } from '../../objects/json.ts';
import { reportKind } from '../../objects/kinds/libraryKinds.ts';
import { pickFolder } from './libraryPicks.ts';
import { attempt } from '../../editor/commandError.ts';
import { askText, back } from '../../editor/pickers/inputSteps.ts';
import { reportDocument } from './reportEditors.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { shownServer } from '../../editor/pickers/shownServer.ts';
import { newReportName } from './newReportName.ts';

/**
 * Saves the report document in front, with its unsaved changes, as another report: in a folder and under a name that the user
 * gives. The document itself stays as it is.
 */
export async function saveReportAs(services: CommandServices, argument?: unknown): Promise<void> {
  const uri = reportDocument(argument);
  const target = uri && documentTarget(uri);
  const connection = target && services.connections.get(target.connectionId);
  if (!uri || !connection) return;
  await attempt(
    vscode.l10n.t('Could not save "{0}" as another report on {1}', target.name, connection.name),
    async () => {
      const view = parseExact((await vscode.workspace.openTextDocument(uri)).getText());
      if (!isJsonObject(view)) throw new Error(vscode.l10n.t('The document must be one JSON object.'));
      const client = await (await shownServer(connection, { installation: uri.query })).client();
      const folder = await pickFolder(connection);
      if (!folder) return;
      const given = fieldOf(view, 'Reportname');
      const name = await askText({
        title: vscode.l10n.t('Save report as'),
        prompt: vscode.l10n.t('Name of the new report'),
        value: vscode.l10n.t('{0} copy', typeof given === 'string' ? given : target.name),
        accept: newReportName(client, () => folder),
      });
      if (name === undefined || name === back) return;
      // What the server keeps of the report, and where it is, belongs to the report that was opened.
      const own = [...(reportKind.shape.readOnly ?? []), 'folderid'];
      const kept = Object.entries(view).filter(([field]): boolean => !own.includes(field));
      const fields: Record<string, Json> = { ...Object.fromEntries(kept), Reportname: name.trim() };
      const documents = await services.documents();
      await documents.create(connection.id, 'report', folder.id, { fields, editor: 'analytics.builder' });
      await vscode.commands.executeCommand('workbench.action.files.save');
    },
  );
}
