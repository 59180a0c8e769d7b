import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import { attempt } from '../../editor/commandError.ts';
import type { DocumentServices } from './documentServices.ts';
import type { NewObjectStart } from '../../editor/commands/services.ts';
import { verifiedServer } from '../../editor/pickers/verifiedServer.ts';
import { isTreeNode, type FieldNode } from '../../editor/nodes/treeNode.ts';
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

/** Opens a document for a new policy; from a data tag or a field, with a constraint of it. */
export function newPolicy(services: DocumentServices, argument?: unknown): Promise<void> {
  return create(services, argument, 'policy');
}

async function create(services: DocumentServices, argument: unknown, wanted?: string): Promise<void> {
  const place = await newObjectLocation(services, argument, wanted);
  if (!place) return;
  const { connection, kind, parent } = place;
  const what = vscode.l10n.t('Could not create a new object on {0}', connection.name);
  await attempt(what, async () => (await verifiedServer(connection, argument)).client());
  // Reports are built rather than written, and the builder needs a report type to start.
  if (kind === 'report') {
    await vscode.commands.executeCommand('analytics.report.new', { connectionId: connection.id, folderId: parent });
    return;
  }
  await attempt(what, async () => {
    const start = kind === 'policy' ? await policyStart(connection, argument) : {};
    await (await services.documents()).create(connection.id, kind, parent, start);
  });
}

/** The constraint to start a policy with: in the form of the server's policies, if one is known. */
async function policyStart(connection: Connection, argument: unknown): Promise<NewObjectStart> {
  const given = isTreeNode(argument) ? argument : undefined;
  if (given?.kind !== 'dataTag' && given?.kind !== 'field') return {};
  const client = await connection.client();
  const policies = await readKnownObjects(client.call.bind(client), 'policy');
  const form = constraintFields({
    objects: (kind) => (kind === 'policy' ? new Map(policies.map((policy) => [policy.id, policy])) : undefined),
    constraintFields: connection.kind === 'local' ? embeddedConstraint : undefined,
  });
  if (!form) return {};
  const start = given.kind === 'dataTag' ? { value: `/#${given.label}#/` } : await columnOf(connection, given);
  return { fields: { Constraints: [startedConstraint(form, start)] } };
}

/** The database column of a field. */
async function columnOf(connection: Connection, field: FieldNode): Promise<ConstraintStart> {
  let node: FieldNode['parent'] = field.parent;
  while (node.kind !== 'reportType') node = node.parent;
  const { reportTypeId, parent } = node;
  const moduleid = parent.parent.applicationId;
  const client = await connection.client();
  const module = await client.call('AppBuilder/GetAnyDbModule', { moduleid, regserverid: parent.database.serverId });
  const type = module.ReportTypes?.find(({ RepTypeID }) => String(RepTypeID) === reportTypeId);
  const [alias = '', ...column] = field.column.split('.');
  const table = type?.SQLTables?.find(({ tablealias }) => tablealias?.toLowerCase() === alias.toLowerCase());
  return {
    application: moduleid,
    owner: table?.tableowner ?? '',
    table: table?.tablename ?? '',
    column: column.join('.'),
  };
}
