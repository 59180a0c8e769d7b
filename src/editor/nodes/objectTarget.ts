import * as vscode from 'vscode';
import type { DocumentTarget } from '../documentUri.ts';
import { reportTypeDocumentId } from '../../objects/kinds/reportTypeId.ts';
import { isTreeNode, objectOf, type ReportTypeNode, type SettingName, type TreeNode } from './treeNode.ts';
import type { ReportTarget, CommandServices } from '../commands/services.ts';
import { selectedNodes } from './selectedNodes.ts';
import { attempt } from '../commandError.ts';

/** Node kinds whose objects open as documents, each with its document kind. */
const kindOfNode: Partial<Record<TreeNode['kind'], string>> = {
  folder: 'folder',
  report: 'report',
  dashboard: 'dashboard',
  user: 'user',
  member: 'user',
  holder: 'user',
  group: 'group',
  dataTag: 'tag',
  policy: 'policy',
  registeredServer: 'server',
};

/** The object a command was called for: a node's, or a target passed by another module; otherwise undefined. */
export function objectTargetOf(argument: unknown): DocumentTarget | undefined {
  if (isTreeNode(argument)) {
    const target = targetOfNode(argument);
    // Empty if unknown: the object can be shown, but not modified.
    return target && { ...target, installation: argument.installation ?? '' };
  }
  return isTarget(argument) ? argument : undefined;
}

function targetOfNode(node: TreeNode): DocumentTarget | undefined {
  // Other servers do not let administrators change their licence.
  if (node.kind === 'setting' && node.setting === 'licences' && node.connection.kind !== 'local') return undefined;
  if (node.kind === 'setting') return settingTarget(node.connection.id, node.setting);
  if (node.kind === 'reportType') return reportTypeTarget(node);
  const kind = kindOfNode[node.kind];
  const object = objectOf(node);
  return kind !== undefined && object ? { connectionId: node.connection.id, kind, ...object } : undefined;
}

/** Settings, mail, audit or licence as a document: a server has one of each, so the kind is also the id. */
export function settingTarget(connectionId: string, setting: SettingName): DocumentTarget {
  const kind = setting === 'licences' ? 'licence' : setting;
  return { connectionId, kind, id: kind, name: settingName(setting) };
}

/** Display name of a part of Administration. */
export function settingName(setting: SettingName): string {
  switch (setting) {
    case 'settings':
      return vscode.l10n.t('Instance Settings');
    case 'smtp':
      return vscode.l10n.t('Outgoing Mail (SMTP)');
    case 'audit':
      return vscode.l10n.t('Audit');
    case 'licences':
      return vscode.l10n.t('Licences');
  }
}

/** Report types are also identified by their parents: the application and the registered server. */
function reportTypeTarget({ connection, parent, reportTypeId, name }: ReportTypeNode): DocumentTarget {
  const place = { regServerId: parent.database.serverId, moduleId: parent.parent.applicationId };
  return { connectionId: connection.id, kind: 'reporttype', id: reportTypeDocumentId(place, reportTypeId), name };
}

function isTarget(value: unknown): value is DocumentTarget {
  if (typeof value !== 'object' || value === null) return false;
  const target = value as Partial<Record<keyof DocumentTarget, unknown>>;
  return [target.connectionId, target.kind, target.id, target.name].every((field) => typeof field === 'string');
}

/** The report a command was called for: a report node's, or a target passed by another module; otherwise undefined. */
export function reportTargetOf(argument: unknown): ReportTarget | undefined {
  if (isTreeNode(argument)) {
    if (argument.kind !== 'report') return undefined;
    const { connection, item } = argument;
    return { connectionId: connection.id, reportId: item.itemId, name: item.name };
  }
  return isReportTarget(argument) ? argument : undefined;
}

function isReportTarget(value: unknown): value is ReportTarget {
  if (typeof value !== 'object' || value === null) return false;
  const target = value as Partial<Record<keyof ReportTarget, unknown>>;
  return [target.connectionId, target.reportId, target.name].every((field) => typeof field === 'string');
}

/** Opens an object as a JSON document: the given one, or the one of the selected node. */
export async function openObject(services: CommandServices, argument?: unknown): Promise<void> {
  const target = objectTargetOf(argument) ?? objectTargetOf(selectedNodes(services)[0]);
  if (!target) return;
  const server = services.connections.get(target.connectionId)?.name ?? target.connectionId;
  await attempt(vscode.l10n.t('Could not open "{0}" of {1}', target.name, server), async () =>
    (await services.documents()).open(target),
  );
}
