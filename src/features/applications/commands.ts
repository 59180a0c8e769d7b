import * as vscode from 'vscode';
import { showInformationMessage } from '../../editor/messages.ts';
import { showQuickPick } from '../../editor/quickInput.ts';
import { addColumns as grow, missingColumns, tablesOf } from './addColumns.ts';
import { readFieldTypes, readTable, readTableNames, type TableName, fieldTypeOf } from './proposeReportType.ts';
import type { AnalyticsClient } from '../../client/client.ts';
import type { Connection } from '../../connections/connection.ts';
import { displayText } from '../../editor/displayText.ts';
import { fieldTypes } from '../../contract/fieldTypes.ts';
import type { TableColumn } from '../../contract/resources/semanticLayer.ts';
import { documentTarget, isNewObject, type DocumentTarget } from '../../editor/documentUri.ts';
import { documentInFront } from '../../editor/openTabs.ts';
import { isJsonObject, type JsonObject } from '../../objects/json.ts';
import { fieldNode, JsonText, replacement, type TextChange } from '../../objects/language/jsonText.ts';
import type { ReportTypePlace } from '../../objects/kinds/reportTypeId.ts';
import { pickOneObject, type ObjectVerb } from '../../editor/nodes/pickObjects.ts';
import { attempt } from '../../editor/commandError.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { signsIn, testConnection as sendTest } from './applications.ts';
import { withProgress } from '../../editor/progress.ts';
import { adminServerOf, verifiedServer } from '../../editor/pickers/verifiedServer.ts';
import { selectedOf } from '../../editor/nodes/selectedNodes.ts';
import { askText } from '../../editor/pickers/inputSteps.ts';
import { pickObject } from '../../editor/pickers/objectPicks.ts';

interface TableChoice extends vscode.QuickPickItem {
  table: TableName;
  /** Alias in the report type; undefined if the report type does not have the table. */
  alias: string | undefined;
}

interface ColumnChoice extends vscode.QuickPickItem {
  column: TableColumn;
}

/**
 * Adds database columns to a report type: the given, active, selected or chosen one. They are added to its document,
 * where they can be reviewed, edited and undone before saving.
 */
export async function addColumns(services: CommandServices, argument?: unknown): Promise<void> {
  const verb: ObjectVerb = {
    title: vscode.l10n.t('Add Columns'),
    capability: 'addColumns',
    fits: ({ name }) => name === 'reporttype',
  };
  const open = documentOf(argument);
  const connectionOfOpen = open && services.connections.get(open.connectionId);
  const chosen =
    open && connectionOfOpen
      ? { target: open, connection: connectionOfOpen }
      : await pickOneObject(services, verb, argument);
  if (!chosen) return;
  const { target, connection } = chosen;
  const what = vscode.l10n.t('Could not add columns to "{0}" of {1}', target.name, connection.name);
  await attempt(what, async () => {
    const documents = await services.documents();
    const document = await vscode.workspace.openTextDocument(await documents.uriOf(target));
    const changes = await ask(connection, target, document);
    if (!changes) return;
    const edit = new vscode.WorkspaceEdit();
    for (const { offset, length, text } of changes) {
      const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
      edit.replace(document.uri, range, text);
    }
    await vscode.workspace.applyEdit(edit);
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    const tree = fieldNode(new JsonText(document.getText()).root, 'FieldTree');
    if (tree) revealEnd(editor, tree.offset + tree.length);
  });
}

/** The report type of the given document, or of the active one. */
function documentOf(argument: unknown): DocumentTarget | undefined {
  const uri = argument === undefined ? documentInFront() : argument;
  const target = uri instanceof vscode.Uri && uri.scheme === 'analytics' ? documentTarget(uri) : undefined;
  return target?.kind === 'reporttype' ? target : undefined;
}

/** @returns the edits of the document's text; undefined if cancelled. */
async function ask(
  connection: Connection,
  target: DocumentTarget,
  document: vscode.TextDocument,
): Promise<TextChange[] | undefined> {
  const text = new JsonText(document.getText());
  const view = text.value;
  if (!isJsonObject(view)) throw new Error(vscode.l10n.t('The document is not valid JSON. Fix it first.'));
  const [regServerId = '', moduleId = ''] = target.id.split('.');
  if (isNewObject(target)) throw new Error(vscode.l10n.t('Save the report type first.'));
  const client = await connection.client();
  const chosen = await pickTable(client, { regServerId, moduleId }, view, target.name);
  if (!chosen) return undefined;
  const { table: name, alias } = chosen;
  const [table, offered] = await Promise.all([readTable(client, regServerId, name), readFieldTypes(client)]);
  const missing = alias === undefined ? table.columns : missingColumns(view, alias, table.columns);
  if (missing.length === 0) {
    // Not an error: a retry would not help.
    const [type, source] = [displayText(target.name), displayText(name.name)];
    void showInformationMessage(
      vscode.l10n.t('The report type "{0}" on {1} already has every column of {2}.', type, connection.name, source),
    );
    return undefined;
  }
  const columns = await pickColumns(missing, offered, name.name);
  if (!columns || columns.length === 0) return undefined;
  // The columns of the other tables are only needed to join a new table.
  const others = await Promise.all(
    (alias === undefined ? tablesOf(view) : []).map(async (other) => ({
      ...other,
      ...(await readTable(client, regServerId, other)),
    })),
  );
  const grown = grow(view, { table, alias, columns, others, offered });
  return changesOf(text, { SQLTables: grown.SQLTables, Joins: grown.Joins, FieldTree: grown.FieldTree });
}

async function pickTable(
  client: AnalyticsClient,
  place: ReportTypePlace,
  view: JsonObject,
  title: string,
): Promise<TableChoice | undefined> {
  const own = tablesOf(view).map((table): TableChoice => {
    const { alias, name, owner } = table;
    const description = [alias === name ? '' : name, owner].filter((part) => part !== '').join(' · ');
    return { label: displayText(alias), description: displayText(description), table: { name, owner }, alias };
  });
  const all = (await readTableNames(client, place)).map((table): TableChoice => {
    return { label: displayText(table.name), description: displayText(table.owner), table, alias: undefined };
  });
  const line = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const items = [
    line(vscode.l10n.t('Tables of the report type')),
    ...own,
    line(vscode.l10n.t('Other tables in the database')),
    ...all,
  ];
  const picked = await showQuickPick<vscode.QuickPickItem | TableChoice>(items, {
    title: vscode.l10n.t('Select the table whose columns to add to {0}', title),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return picked && 'table' in picked ? picked : undefined;
}

async function pickColumns(
  columns: readonly TableColumn[],
  offered: ReadonlySet<string>,
  table: string,
): Promise<TableColumn[] | undefined> {
  const items = columns.map((column): ColumnChoice => {
    const code = fieldTypeOf(column.datatype ?? '');
    const shown = offered.size === 0 || offered.has(code) ? code : 'cha';
    return {
      label: displayText(column.columnname),
      description: displayText(vscode.l10n.t('{0} · becomes {1}', column.datatype ?? '', fieldTypes[shown])),
      column,
    };
  });
  const picked = await showQuickPick(items, {
    title: vscode.l10n.t('Columns of {0} to add', displayText(table)),
    placeHolder: vscode.l10n.t('Their labels and types can be changed in the document'),
    canPickMany: true,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return picked?.map(({ column }) => column);
}

/** Replaces lists of the document; a missing list is inserted after the first existing one. */
function changesOf(text: JsonText, lists: Readonly<Record<string, JsonObject[string] | undefined>>): TextChange[] {
  const changes: TextChange[] = [];
  for (const [name, value] of Object.entries(lists)) {
    if (value === undefined) continue;
    const node = fieldNode(text.root, name);
    if (node) {
      changes.push(replacement(node, value, '  '));
      continue;
    }
    const after = text.root?.children?.[0];
    if (!after) throw new Error(vscode.l10n.t('The document is not valid JSON. Fix it first.'));
    const written = JSON.stringify(value, undefined, 2).replaceAll('\n', '\n  ');
    changes.push({ offset: after.offset + after.length, length: 0, text: `,\n  ${JSON.stringify(name)}: ${written}` });
  }
  return changes;
}

function revealEnd(editor: vscode.TextEditor, offset: number): void {
  const position = editor.document.positionAt(offset);
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(editor.selection);
}

/** Tests the connection to a registered database server; asks for the password, which replies omit. */
export async function testConnection(services: CommandServices, argument?: unknown): Promise<void> {
  const title = vscode.l10n.t('Test Connection');
  const connection = await adminServerOf(argument, services, title);
  if (!connection) return;
  const shown = await verifiedServer(connection, argument);
  const [node] = selectedOf(services, argument, undefined, 'registeredServer')?.nodes ?? [];
  const database = node
    ? { id: node.database.serverId, name: node.database.name }
    : await pickObject(connection, 'databases', { title, placeholder: vscode.l10n.t('Registered server') });
  if (!database) return;
  const what = vscode.l10n.t('{0} could not connect to "{1}"', connection.name, database.name);
  const password = (await attempt(what, async () => signsIn(await shown.server(), database.id)))
    ? await askPassword(database.name)
    : '';
  if (password === undefined) return;
  await withProgress(vscode.l10n.t('{0} is connecting to {1}…', connection.name, database.name), (signal) =>
    attempt(what, async () => sendTest(await shown.server(signal), database.id, password)),
  );
  void showInformationMessage(vscode.l10n.t('{0} connects to "{1}". The test passed.', connection.name, database.name));
}

async function askPassword(database: string): Promise<string | undefined> {
  const answer = await askText({
    title: vscode.l10n.t('Test Connection: {0}', database),
    isPassword: true,
    placeholder: vscode.l10n.t('Database password'),
    prompt: vscode.l10n.t('The server never shows its stored password. Leave this empty to try without one.'),
    accept: async () => undefined,
  });
  return typeof answer === 'string' ? answer : undefined;
}
