import * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import { iconSafeText } from '../connections/displayText.ts';
import { longWork } from '../connections/longWork.ts';
import { fieldAtCursor } from '../documents/language/fieldAtCursor.ts';
import { documentTarget } from '../documents/documentUri.ts';
import type { FieldPlace } from '../objects/language/fieldPlace.ts';
import { reportsUsing, type FieldUse, type ReportUse } from '../objects/language/reportsUsing.ts';
import { isTreeNode, type TreeNode } from '../tree/treeNode.ts';
import { selectedNodes } from './chosenNodes.ts';
import { attempt } from './commandError.ts';
import { pickField, pickFieldOfNode } from './pickField.ts';
import type { CommandServices } from './services.ts';

/**
 * Finds the reports that use a field: the node's, or the one at the cursor of a report or report type, else that of the row
 * that is selected in the sidebar, else the user's choice.
 */
export async function findReports(services: CommandServices, argument?: unknown): Promise<void> {
  const asked = isTreeNode(argument)
    ? fieldOfNode(services, argument)
    : ((await fieldOfEditor(services)) ?? (await fieldOfSelection(services)));
  if (!asked) return;
  const { connection, field } = asked;
  const what = vscode.l10n.t('Could not look for reports that use "{0}" on {1}', field.name, connection.name);
  const result = await attempt(what, async () => search(connection, field));
  if (!result) return;
  if (result.found.length === 0) {
    const none = vscode.l10n.t('No report that you may see uses "{0}" on {1}.', field.name, connection.name);
    void vscode.window.showInformationMessage(result.unread === 0 ? none : `${none} ${unreadWords(result.unread)}`);
    return;
  }
  const picked = await vscode.window.showQuickPick(result.found.map(itemOf), {
    title: vscode.l10n.t('Reports that use {0} on {1}', iconSafeText(field.name), connection.name),
    placeHolder: result.unread === 0 ? vscode.l10n.t('Report to open') : unreadWords(result.unread),
    matchOnDescription: true,
  });
  if (!picked) return;
  const target = { connectionId: connection.id, kind: 'report', id: picked.use.id, name: picked.use.name };
  await vscode.commands.executeCommand('analytics.object.open', target);
}

/** Undefined when the user gave up. */
function search(connection: Connection, field: FieldPlace) {
  const title = vscode.l10n.t('Looking for reports that use {0}', field.name);
  return longWork(title, async ({ signal, report }) => {
    const client = await connection.client();
    try {
      return await reportsUsing(client.call.bind(client), field, {
        signal,
        onProgress: (read, all) => {
          report({ increment: 100 / all, message: vscode.l10n.t('{0} of {1} reports', read, all) });
        },
      });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  });
}

async function fieldOfEditor(services: CommandServices) {
  const editor = vscode.window.activeTextEditor;
  const target = editor && documentTarget(editor.document.uri);
  const connection = target && services.connections.get(target.connectionId);
  if (!editor || !connection) return undefined;
  const { model } = await services.language();
  const read = model.read(editor.document);
  if (read) await model.learn(read);
  const field = fieldAtCursor(model, editor.document, editor.selection.active);
  if (!field) return undefined;
  const application = await model.applicationOf(editor.document);
  return { connection, field: { ...field, application } };
}

async function fieldOfSelection(services: CommandServices) {
  const [node] = selectedNodes(services);
  const connection = node && services.connections.get(node.connection.id);
  if (node && connection && node.kind === 'reportType') return pickFieldOfNode(connection, node);
  return (node && fieldOfNode(services, node)) ?? pickField(services);
}

function fieldOfNode({ connections }: CommandServices, node: TreeNode) {
  const connection = connections.get(node.connection.id);
  if (node.kind !== 'field' || !connection) return undefined;
  const [tableAlias = '', ...column] = node.column.split('.');
  const above = namesAbove(node);
  return { connection, field: { ...above, tableAlias, column: column.join('.'), name: node.name } };
}

/** The report type and the application that a field lies in. */
function namesAbove(node: TreeNode): { reportType: string; application: string } {
  const names = { reportType: '', application: '' };
  for (let at: TreeNode | undefined = node; at; at = at.parent) {
    if (at.kind === 'reportType') names.reportType = at.wireName;
    if (at.kind === 'application') names.application = at.name;
  }
  return names;
}

function itemOf(use: ReportUse) {
  return {
    label: iconSafeText(use.name),
    description: iconSafeText(use.folder),
    detail: use.uses.map(useWords).join(' · '),
    use,
  };
}

function useWords(use: FieldUse): string {
  if (use === 'column') return vscode.l10n.t('column');
  return use === 'criteria' ? vscode.l10n.t('criteria') : vscode.l10n.t('formula');
}

function unreadWords(count: number): string {
  return vscode.l10n.t('{0} reports could not be read.', count);
}
