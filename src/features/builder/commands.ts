import * as vscode from 'vscode';
import { documentInFront } from '../../editor/openTabs.ts';
import { attempt } from '../../editor/commandError.ts';
import { reportTargetOf } from '../../editor/nodes/objectTarget.ts';
import { isTreeNode } from '../../editor/nodes/treeNode.ts';
import { pickReport } from '../reports/commands.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

const builder = 'analytics.builder';
/** View type of VS Code's text editor. */
const textEditor = 'default';

/** Opens a report in the builder: the given or active document, a node's report, or one that the user picks. */
export async function buildReport(services: CommandServices, argument?: unknown): Promise<void> {
  const open = reportDocument(argument);
  if (open) return reopen(open, builder);
  const target = reportTargetOf(argument) ?? (await pickReport(services, vscode.l10n.t('Open in Report Builder')));
  if (!target) return;
  const { connectionId, reportId: id, name } = target;
  const connection = services.connections.get(connectionId);
  await attempt(vscode.l10n.t('Could not open "{0}" of {1}', name, connection?.name ?? connectionId), async () => {
    // Loaded when it is needed: activation loads this file.
    const [documents, { readAhead }] = await Promise.all([services.documents(), import('./builderCalls.ts')]);
    const installation = isTreeNode(argument) ? argument.installation : undefined;
    await documents.open({ connectionId, kind: 'report', id, name, installation }, undefined, {
      viewType: builder,
      readAhead: () => connection && readAhead(connection),
    });
  });
}

/** Opens a builder's report as text, replacing the builder. */
export async function openReportJson(_services: CommandServices, argument?: unknown): Promise<void> {
  const open = reportDocument(argument);
  if (open) await reopen(open, textEditor);
}

/** The given report document, or the active one. */
export function reportDocument(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  if (argument !== undefined) return undefined;
  const uri = documentInFront();
  return uri?.path.endsWith('.report.json') ? uri : undefined;
}

/**
 * Shows a document in another editor. Closes the previous one unless there are unsaved changes: VS Code would ask about
 * them although they stay. Both editors are always in sync.
 */
async function reopen(uri: vscode.Uri, viewType: string): Promise<void> {
  const { activeTabGroup } = vscode.window.tabGroups;
  const shown = activeTabGroup.tabs.filter(({ input, isDirty }) => {
    if (isDirty) return false;
    if (input instanceof vscode.TabInputText) return viewType !== textEditor && isSame(input.uri, uri);
    return input instanceof vscode.TabInputCustom && input.viewType !== viewType && isSame(input.uri, uri);
  });
  await vscode.commands.executeCommand('vscode.openWith', uri, viewType, activeTabGroup.viewColumn);
  await vscode.window.tabGroups.close(shown, true);
}

function isSame(one: vscode.Uri, other: vscode.Uri): boolean {
  return one.toString() === other.toString();
}
