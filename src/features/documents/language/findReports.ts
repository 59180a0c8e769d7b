import * as vscode from 'vscode';
import { showInformationMessage } from '../../../editor/messages.ts';
import { showQuickPick } from '../../../editor/quickInput.ts';
import { displayText } from '../../../editor/displayText.ts';
import { withProgress } from '../../../editor/progress.ts';
import { fieldAtCursor } from './fieldAtCursor.ts';
import { documentTarget } from '../../../editor/documentUri.ts';
import { fieldsNamed, type FieldPlace } from '../../../objects/language/fieldPlace.ts';
import { readReportFields } from '../../../objects/language/readReportFacts.ts';
import { reportsUsing, type FieldUse, type ReportUse } from '../../../objects/language/reportsUsing.ts';
import { isTreeNode, type ReportTypeNode, type TreeNode } from '../../../editor/nodes/treeNode.ts';
import { selectedNodes } from '../../../editor/nodes/selectedNodes.ts';
import { attempt } from '../../../editor/commandError.ts';
import type { DocumentServices } from '../documentServices.ts';
import type { Connection } from '../../../connections/connection.ts';
import { listObjects } from '../../../editor/pickers/objectPicks.ts';
import { serverOf } from '../../../editor/pickers/pickServer.ts';
import type { CommandServices } from '../../../editor/commands/services.ts';

/**
 * Finds the reports that use a field: the node's, the one at the cursor of a report or report type, the one selected in
 * the sidebar, or the user's choice.
 */
export async function findReports(services: DocumentServices, argument?: unknown): Promise<void> {
  const asked = isTreeNode(argument)
    ? fieldOfNode(services, argument)
    : ((await fieldOfEditor(services)) ?? (await fieldOfSelection(services)));
  if (!asked) return;
  const { connection, field } = asked;
  const what = vscode.l10n.t('Could not search for reports that use "{0}" on {1}', field.name, connection.name);
  const result = await attempt(what, async () => search(asked));
  if (!result) return;
  if (result.found.length === 0) {
    const none = vscode.l10n.t('No reports that you can see use "{0}" on {1}.', field.name, connection.name);
    void showInformationMessage(result.unread === 0 ? none : `${none} ${unreadWords(result.unread)}`);
    return;
  }
  const picked = await showQuickPick(result.found.map(itemOf), {
    title: vscode.l10n.t('Reports that use {0} on {1}', displayText(field.name), connection.name),
    placeHolder: result.unread === 0 ? vscode.l10n.t('Report to open') : unreadWords(result.unread),
    matchOnDescription: true,
  });
  if (!picked) return;
  const target = { connectionId: connection.id, kind: 'report', id: picked.use.id, name: picked.use.name };
  await vscode.commands.executeCommand('analytics.object.open', target);
}

/** A field to search for. @property serverId its registered server if fields with the same name must still be read. */
interface AskedField extends PickedField {
  readonly serverId?: string;
}

/** Returns undefined if cancelled. */
function search({ connection, field, serverId }: AskedField) {
  const title = vscode.l10n.t('Finding reports that use {0}', field.name);
  return withProgress(title, async (signal, report) => {
    const client = await connection.client();
    const call = client.call.bind(client);
    try {
      const onProgress = (read: number, all: number) => {
        report({ increment: 100 / all, message: vscode.l10n.t('{0} of {1} reports', read, all) });
      };
      const readNamesakes = async () => {
        if (field.namesakes) return field.namesakes;
        const fields = serverId === undefined ? [] : await readReportFields(call, serverId, field.reportType, signal);
        return fieldsNamed(field.name, fields);
      };
      return await reportsUsing(call, field, { signal, onProgress }, readNamesakes());
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  });
}

async function fieldOfEditor(services: DocumentServices): Promise<AskedField | undefined> {
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

async function fieldOfSelection(services: DocumentServices): Promise<AskedField | undefined> {
  const [node] = selectedNodes(services);
  const connection = node && services.connections.get(node.connection.id);
  if (node && connection && node.kind === 'reportType') return pickFieldOfNode(connection, node);
  return (node && fieldOfNode(services, node)) ?? pickField(services);
}

function fieldOfNode({ connections }: DocumentServices, node: TreeNode): AskedField | undefined {
  const connection = connections.get(node.connection.id);
  if (node.kind !== 'field' || !connection) return undefined;
  const [tableAlias = '', ...column] = node.column.split('.');
  const type = reportTypeAbove(node);
  if (!type) return undefined;
  const place = { reportType: type.wireName, application: type.parent.parent.name };
  const field = { ...place, tableAlias, column: column.join('.'), name: node.name };
  return { connection, field, serverId: type.parent.database.serverId };
}

function reportTypeAbove(node: TreeNode): ReportTypeNode | undefined {
  for (let at: TreeNode | undefined = node; at; at = at.parent) if (at.kind === 'reportType') return at;
  return undefined;
}

function itemOf(use: ReportUse) {
  return {
    label: displayText(use.name),
    description: displayText(use.folder),
    detail: use.uses.map(useWords).join(' · '),
    use,
  };
}

function useWords(use: FieldUse): string {
  switch (use) {
    case 'column':
      return vscode.l10n.t('column');
    case 'criteria':
      return vscode.l10n.t('criteria');
    case 'formula':
      return vscode.l10n.t('formula');
    case 'link':
      return vscode.l10n.t('drill-down');
  }
}

function unreadWords(count: number): string {
  return vscode.l10n.t('{0} reports could not be read.', count);
}

/** A chosen field with its server. */
export interface PickedField {
  readonly connection: Connection;
  readonly field: FieldPlace;
}

interface TypeChoice extends vscode.QuickPickItem {
  readonly serverId: string;
  readonly moduleId: string;
  /** As written by the server. */
  readonly name: string;
}

/** Asks for a server, a report type and one of its fields; undefined if cancelled. */
export async function pickField(services: CommandServices): Promise<PickedField | undefined> {
  const connection = await serverOf(
    undefined,
    services,
    vscode.l10n.t('Select the server on which to find reports that use a field'),
  );
  if (!connection) return undefined;
  const what = vscode.l10n.t('Could not read the report types of {0}', connection.name);
  const type = await attempt(what, () => pickType(services, connection));
  if (!type) return undefined;
  const applications = attempt(what, async () => listObjects(await connection.client(), 'applications'));
  const application = (await applications).find(({ id }) => id === type.moduleId)?.name ?? '';
  return pickFieldOf(connection, type.serverId, { reportType: type.name, application });
}

/** Asks for a field of a report type node; undefined if cancelled. */
export async function pickFieldOfNode(
  connection: Connection,
  { wireName, parent }: ReportTypeNode,
): Promise<PickedField | undefined> {
  const type = { reportType: wireName, application: parent.parent.name };
  return pickFieldOf(connection, parent.database.serverId, type);
}

async function pickType(services: CommandServices, connection: Connection): Promise<TypeChoice | undefined> {
  const read = async (): Promise<TypeChoice[]> => {
    const entries = (await (await services.documents()).list(connection.id, 'reporttype')) ?? [];
    return entries.map(({ id, name, detail }) => {
      const [serverId = '', moduleId = ''] = id.split('.');
      return { label: displayText(name), description: displayText(detail), serverId, moduleId, name };
    });
  };
  return showQuickPick(read(), {
    title: vscode.l10n.t('Select a report type on {0}', connection.name),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
}

async function pickFieldOf(
  connection: Connection,
  serverId: string,
  type: Pick<FieldPlace, 'reportType' | 'application'>,
): Promise<PickedField | undefined> {
  const read = async () => {
    const client = await connection.client();
    const fields = await readReportFields(client.call.bind(client), serverId, type.reportType);
    return fields.map(({ name, folder, tableAlias, column }) => ({
      label: displayText(name),
      description: displayText(folder),
      field: { ...type, tableAlias, column, name, namesakes: fieldsNamed(name, fields) },
    }));
  };
  const what = vscode.l10n.t('Could not read the fields of "{0}" on {1}', type.reportType, connection.name);
  const picked = await attempt(what, async () =>
    showQuickPick(read(), {
      title: vscode.l10n.t('Select a field of {0}', displayText(type.reportType)),
      matchOnDescription: true,
      ignoreFocusOut: true,
    }),
  );
  return picked && { connection, field: picked.field };
}
