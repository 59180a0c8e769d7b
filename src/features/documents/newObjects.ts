import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import { attempt } from '../../editor/commandError.ts';
import type { DocumentServices } from './documentServices.ts';
import type { NewObjectStart } from '../../editor/commands/services.ts';
import { verifiedClient } from '../../editor/pickers/verifiedServer.ts';
import { displayText } from '../../editor/displayText.ts';
import { isTreeNode, type FieldNode, type ReportTypeNode } from '../../editor/nodes/treeNode.ts';
import { showQuickPick } from '../../editor/quickInput.ts';
import { embeddedConstraint, constraintFields, startedConstraint } from '../../objects/language/constraintForm.ts';
import type { ConstraintStart } from '../../objects/language/constraintForm.ts';
import { readKnownObjects } from '../../objects/language/knownObjects.ts';
import { newObjectLocation } from './newObjectLocation.ts';

/** Opens a document for a new object. */
export function newObject(services: DocumentServices, argument?: unknown): Promise<void> {
  return create(services, argument);
}

/** Opens a document for a new user. */
export function newUser(services: DocumentServices, argument?: unknown): Promise<void> {
  return create(services, argument, 'user');
}

/** Opens a document for a new group. */
export function newGroup(services: DocumentServices, argument?: unknown): Promise<void> {
  return create(services, argument, 'group');
}

/** Opens a document for a new data tag. */
export function newDataTag(services: DocumentServices, argument?: unknown): Promise<void> {
  return create(services, argument, 'tag');
}

/** Opens a document for a new registered server of an application. */
export function newRegisteredServer(services: DocumentServices, argument?: unknown): Promise<void> {
  return create(services, argument, 'server');
}

/** Opens a document for a new report type of a registered server. */
export function newReportType(services: DocumentServices, argument?: unknown): Promise<void> {
  return create(services, argument, 'reporttype');
}

/** Opens a document for a new policy; from a data tag, report type or field, with a constraint of it. */
export function newPolicy(services: DocumentServices, argument?: unknown): Promise<void> {
  return create(services, argument, 'policy');
}

async function create(services: DocumentServices, argument: unknown, wanted?: string): Promise<void> {
  const place = await newObjectLocation(services, argument, wanted);
  if (!place) return;
  const { connection, kind, parent } = place;
  const what = vscode.l10n.t('Could not create a new object on {0}', connection.name);
  await attempt(what, () => verifiedClient(connection, argument));
  // Reports are built rather than written, and the builder needs a report type to start.
  if (kind === 'report') {
    await vscode.commands.executeCommand('analytics.report.new', { connectionId: connection.id, folderId: parent });
    return;
  }
  if (kind === 'dashboard') {
    await vscode.commands.executeCommand('analytics.dashboard.new', { connectionId: connection.id, folderId: parent });
    return;
  }
  await attempt(what, async () => {
    const start = kind === 'policy' ? await policyStart(connection, argument) : {};
    if (start) await (await services.documents()).create(connection.id, kind, parent, start);
  });
}

/**
 * What a policy starts with: a constraint in the form of the server's policies, if one is known; undefined if the user
 * cancels.
 */
async function policyStart(connection: Connection, argument: unknown): Promise<NewObjectStart | undefined> {
  const given = isTreeNode(argument) ? argument : undefined;
  if (given?.kind !== 'dataTag' && given?.kind !== 'field' && given?.kind !== 'reportType') return {};
  const start = given.kind === 'dataTag' ? { value: `/#${given.label}#/` } : await placeOf(connection, given);
  if (!start) return undefined;
  const client = await connection.client();
  const policies = await readKnownObjects(client.call.bind(client), 'policy');
  const form = constraintFields({
    objects: (kind) => (kind === 'policy' ? new Map(policies.map((policy) => [policy.id, policy])) : undefined),
    constraintFields: connection.kind === 'local' ? embeddedConstraint : undefined,
  });
  return form ? { fields: { Constraints: [startedConstraint(form, start)] } } : {};
}

/**
 * The database column of a field, or the table of a report type, which the user selects if there are several; undefined
 * if cancelled.
 */
async function placeOf(connection: Connection, node: FieldNode | ReportTypeNode): Promise<ConstraintStart | undefined> {
  const reportType = reportTypeOf(node);
  const { reportTypeId, parent } = reportType;
  const application = parent.parent.applicationId;
  const client = await connection.client();
  const place = { moduleid: application, regserverid: parent.database.serverId };
  const module = await client.call('AppBuilder/GetAnyDbModule', place);
  const type = module.ReportTypes?.find(({ RepTypeID }) => String(RepTypeID) === reportTypeId);
  const tables = (type?.SQLTables ?? []).map(({ tablealias, tableowner, tablename }) => ({
    alias: tablealias ?? '',
    owner: tableowner ?? '',
    table: tablename ?? '',
  }));
  if (node.kind === 'reportType') {
    const chosen = await chooseTable(reportType.name, tables);
    return chosen && { application, owner: chosen.owner, table: chosen.table };
  }
  const [alias = '', ...column] = node.column.split('.');
  const table = tables.find((each) => each.alias.toLowerCase() === alias.toLowerCase());
  return { application, owner: table?.owner ?? '', table: table?.table ?? '', column: column.join('.') };
}

function reportTypeOf(node: FieldNode | ReportTypeNode): ReportTypeNode {
  let at = node;
  while (at.kind !== 'reportType') at = at.parent;
  return at;
}

interface Table {
  readonly owner: string;
  readonly table: string;
}

/** The table of a report type that a policy restricts; each is offered once, whatever its aliases. */
async function chooseTable(reportType: string, tables: readonly Table[]): Promise<Table | undefined> {
  const distinct = [...new Map(tables.map((table) => [JSON.stringify([table.owner, table.table]), table])).values()];
  if (distinct.length < 2) return distinct[0] ?? { owner: '', table: '' };
  const items = distinct.map(({ owner, table }) => ({
    label: displayText(table),
    description: displayText(owner),
    table: { owner, table },
  }));
  const chosen = await showQuickPick(items, {
    title: vscode.l10n.t('New policy for a table of "{0}"', reportType),
    placeHolder: vscode.l10n.t('Select the table whose rows the policy restricts'),
  });
  return chosen?.table;
}
