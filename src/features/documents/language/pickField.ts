import * as vscode from 'vscode';
import { showQuickPick } from '../../../editor/quickInput.ts';
import type { Connection } from '../../../connections/connection.ts';
import { displayText } from '../../../editor/displayText.ts';
import { fieldsNamed, type FieldPlace } from '../../../objects/language/fieldPlace.ts';
import { readReportFields } from '../../../objects/language/readReportFacts.ts';
import type { ReportTypeNode } from '../../../editor/nodes/treeNode.ts';
import { attempt } from '../../../editor/commandError.ts';
import { listObjects } from '../../../editor/pickers/objectPicks.ts';
import { serverOf } from '../../../editor/pickers/pickServer.ts';
import type { CommandServices } from '../../../editor/commands/services.ts';

/** A field that was chosen, with its server. */
export interface PickedField {
  readonly connection: Connection;
  readonly field: FieldPlace;
}

interface TypeChoice extends vscode.QuickPickItem {
  readonly serverId: string;
  readonly moduleId: string;
  /** As the server writes it. */
  readonly name: string;
}

/** Lets the user choose a server, a report type and a field of it; undefined when the user gave up. */
export async function pickField(services: CommandServices): Promise<PickedField | undefined> {
  const connection = await serverOf(
    undefined,
    services,
    vscode.l10n.t('Find reports that use a field: on which server?'),
  );
  if (!connection) return undefined;
  const what = vscode.l10n.t('Could not read the report types of {0}', connection.name);
  const type = await attempt(what, () => pickType(services, connection));
  if (!type) return undefined;
  const applications = attempt(what, async () => listObjects(await connection.client(), 'applications'));
  const application = (await applications).find(({ id }) => id === type.moduleId)?.name ?? '';
  return pickFieldOf(connection, type.serverId, { reportType: type.name, application });
}

/** Lets the user choose a field of a report type's row; undefined when the user gave up. */
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
    title: vscode.l10n.t('Field of which report type on {0}?', connection.name),
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
      title: vscode.l10n.t('Which field of {0}?', displayText(type.reportType)),
      matchOnDescription: true,
      ignoreFocusOut: true,
    }),
  );
  return picked && { connection, field: picked.field };
}
