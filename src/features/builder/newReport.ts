import * as vscode from 'vscode';
import * as z from 'zod';
import type { AnalyticsClient } from '../../client/client.ts';
import type { Connection } from '../../connections/connection.ts';
import { displayText } from '../../editor/displayText.ts';
import { outputTypes as documentedTypes } from '../../contract/outputTypes.ts';
import { findProduct } from '../../contract/resources/application.ts';
import { folderChoices, type LibraryChoice, pickFolder, newReportName } from './libraryPicks.ts';
import { isTreeNode } from '../../editor/nodes/treeNode.ts';
import { outputTypeIcon } from '../../editor/nodes/libraryNodes.ts';
import { attempt } from '../../editor/commandError.ts';
import {
  askChoice,
  askText,
  back,
  walkSteps,
  type StepAnswer,
  type TextQuestion,
} from '../../editor/pickers/inputSteps.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { verifiedClient } from '../../editor/pickers/verifiedServer.ts';
import { documentTarget } from '../../editor/documentUri.ts';
import { fieldOf, isJsonObject, parseExact, type Json } from '../../objects/json.ts';
import { reportKind } from '../../objects/kinds/libraryKinds.ts';
import { reportDocument } from './commands.ts';

/** A registered server of an application, where a report runs. */
interface PlaceChoice extends vscode.QuickPickItem {
  serverId: string;
  serverName: string;
  application: string;
  applicationId: string;
  moduleType: string;
}

interface NamedChoice extends vscode.QuickPickItem {
  name: string;
}

interface OutputChoice extends vscode.QuickPickItem {
  id: number;
  uiclass: string;
}

/** Data collected by the wizard. */
interface NewReport {
  place?: PlaceChoice;
  reportType?: NamedChoice;
  folder?: LibraryChoice;
  output?: OutputChoice;
  name: string;
}

/**
 * Asks where a new report runs, what it is based on, where it is saved and how it is shown, then opens it in the
 * builder. Creates nothing until it is saved.
 * @param argument a folder node, or a report type with its server, which answers some of the questions.
 */
export async function newReport(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await serverOf(argument, services, vscode.l10n.t('Select a server for the new report'));
  if (!connection) return;
  await attempt(vscode.l10n.t('Could not create a new report on {0}', connection.name), async () => {
    const client = await verifiedClient(connection, argument);
    const places = await placeChoices(client);
    if (places.length === 0)
      throw new Error(vscode.l10n.t('You cannot see any application on {0} to report on.', connection.name));
    const report: NewReport = { name: vscode.l10n.t('New Report') };
    const given = folderOf(argument);
    if (given !== undefined) report.folder = given;
    const [only] = places;
    if (only && places.length === 1) report.place = only;
    const named = namedPlace(argument, places);
    if (named) Object.assign(report, named);
    if (!(await walkSteps(wizard(connection, client, places, report)))) return;
    await open(services, connection, report);
  });
}

/** One step per unanswered question. */
function wizard(
  connection: Connection,
  client: AnalyticsClient,
  places: readonly PlaceChoice[],
  report: NewReport,
): (() => Promise<StepAnswer<true>>)[] {
  const title = vscode.l10n.t('New Report on {0}', connection.name);
  const kinds = [
    ...(report.place ? [] : (['place'] as const)),
    ...(report.reportType ? [] : (['reportType'] as const)),
    ...(report.folder ? [] : (['folder'] as const)),
    'output' as const,
    'name' as const,
  ];
  const offered = {
    place: async () => places,
    reportType: () => reportTypeChoices(client, report.place),
    folder: () => folderChoices(connection),
    output: () => outputChoices(client),
  };
  const accept = newReportName(client, () => report.folder?.pick);
  return kinds.map((kind, index) => async () => {
    const step = [index + 1, kinds.length] as const;
    if (kind === 'name') return askName(title, step, report, accept);
    const choices: readonly vscode.QuickPickItem[] = await offered[kind]();
    if (choices.length === 0) throw new Error(nothingToChoose(kind, connection.name));
    const chosen = await askChoice(`${title}: ${questions(kind)}`, step, choices);
    if (chosen === undefined || chosen === back) return chosen;
    Object.assign(report, { [kind]: chosen });
    return true;
  });
}

function questions(kind: 'place' | 'reportType' | 'folder' | 'output'): string {
  switch (kind) {
    case 'place':
      return vscode.l10n.t('application and registered server');
    case 'reportType':
      return vscode.l10n.t('report type');
    case 'folder':
      return vscode.l10n.t('folder');
    case 'output':
      return vscode.l10n.t('output type');
  }
}

function nothingToChoose(kind: 'place' | 'reportType' | 'folder' | 'output', server: string): string {
  return kind === 'folder'
    ? vscode.l10n.t('You cannot save reports in any folder on {0}.', server)
    : vscode.l10n.t('{0} has no {1} that you can see.', server, questions(kind));
}

async function askName(
  title: string,
  step: readonly [number, number],
  report: NewReport,
  accept: TextQuestion['accept'],
): Promise<StepAnswer<true>> {
  const name = await askText({
    title: `${title}: ${vscode.l10n.t('name')}`,
    step,
    value: report.name,
    prompt: vscode.l10n.t('Name of the report'),
    accept,
  });
  if (name === undefined || name === back) return name;
  report.name = name.trim();
  return true;
}

async function open(services: CommandServices, connection: Connection, report: NewReport): Promise<void> {
  const { place, reportType, folder, output, name } = report;
  const fields = {
    Reportname: name,
    ModuleName: place?.application ?? '',
    ModType: place?.moduleType ?? '',
    ReportType: reportType?.name ?? '',
    ServerName: place?.serverName ?? '',
    OutputType: output?.id ?? 1,
    OutputTypeClass: output?.uiclass ?? '',
  };
  const documents = await services.documents();
  await documents.create(connection.id, 'report', folder?.pick.id, { fields, editor: 'analytics.builder' });
}

/** A folder passed by another command. Only its id is needed. */
const folderTarget = z.object({ folderId: z.string() });

/** The folder that the wizard was started on. */
function folderOf(argument: unknown): LibraryChoice | undefined {
  if (!isTreeNode(argument)) {
    const target = folderTarget.safeParse(argument).data;
    return target && { label: target.folderId, pick: { id: target.folderId, name: target.folderId } };
  }
  if (argument.kind !== 'folder') return undefined;
  return { label: argument.name, pick: { id: argument.folderId, name: argument.name } };
}

/** A report type passed by another command, with its server. */
const reportTypeTarget = z.object({ applicationId: z.string(), serverId: z.string(), reportType: z.string() });

function namedPlace(
  argument: unknown,
  places: readonly PlaceChoice[],
): Pick<NewReport, 'place' | 'reportType'> | undefined {
  const target = reportTypeTarget.safeParse(argument).data;
  const place = places.find((known) => {
    return known.serverId === target?.serverId && known.applicationId === target.applicationId;
  });
  if (!target || !place) return undefined;
  return { place, reportType: { label: displayText(target.reportType), name: target.reportType } };
}

async function placeChoices(client: AnalyticsClient): Promise<PlaceChoice[]> {
  const applications = await client.call('App/GetApplicationList', {});
  return applications.flatMap((entry) => {
    const product = findProduct(entry);
    return (entry.RegisteredServers ?? []).map((server): PlaceChoice => {
      const serverName = server.DisplayName || server.DatabaseName || String(server.ID ?? '');
      return {
        label: displayText(product?.Name),
        description: displayText([serverName, server.DatabasePlatform].filter(Boolean).join(' · ')),
        serverId: String(server.ID ?? ''),
        serverName,
        application: product?.Name ?? '',
        applicationId: String(product?.ID ?? ''),
        moduleType: product?.ModuleType ?? server.ModuleType ?? '',
      };
    });
  });
}

/** API description, GetReportTypes. */
async function reportTypeChoices(client: AnalyticsClient, place: PlaceChoice | undefined): Promise<NamedChoice[]> {
  const types = await client.call('RegServers/GetReportTypes', {
    ModuleType: place?.moduleType ?? '',
    RegServerID: place?.serverId ?? '',
    ReportModuleID: place?.applicationId ?? '',
  });
  return types.map(({ name }) => ({ label: displayText(name), name: name ?? '' }));
}

async function outputChoices(client: AnalyticsClient): Promise<OutputChoice[]> {
  const types = await client.call('Report/GetOutputTypes', {});
  return (types.length > 0 ? types : documentedTypes).flatMap(({ id, name, uiclass }) =>
    id == null || id === 0
      ? []
      : [
          {
            label: displayText(name),
            iconPath: new vscode.ThemeIcon(outputTypeIcon(id)),
            id,
            uiclass: uiclass ?? '',
          },
        ],
  );
}

/**
 * Saves the active report document, including unsaved changes, as a new report in a folder and under a name that the
 * user enters. Does not change the document.
 */
export async function saveReportAs(services: CommandServices, argument?: unknown): Promise<void> {
  const uri = reportDocument(argument);
  const target = uri && documentTarget(uri);
  const connection = target && services.connections.get(target.connectionId);
  if (!uri || !connection) return;
  await attempt(
    vscode.l10n.t('Could not save "{0}" as a new report on {1}', target.name, connection.name),
    async () => {
      const view = parseExact((await vscode.workspace.openTextDocument(uri)).getText());
      if (!isJsonObject(view)) throw new Error(vscode.l10n.t('The document must be a single JSON object.'));
      const client = await verifiedClient(connection, { installation: uri.query });
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
      // Fields that the server maintains, and the folder, belong to the original report.
      const own = [...(reportKind.shape.readOnly ?? []), 'folderid'];
      const kept = Object.entries(view).filter(([field]): boolean => !own.includes(field));
      const fields: Record<string, Json> = { ...Object.fromEntries(kept), Reportname: name.trim() };
      const documents = await services.documents();
      await documents.create(connection.id, 'report', folder.id, { fields, editor: 'analytics.builder' });
      await vscode.commands.executeCommand('workbench.action.files.save');
    },
  );
}
