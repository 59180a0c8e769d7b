import * as vscode from 'vscode';
import { idText } from '../../contract/idText.ts';
import { reportsInFlags } from '../../contract/dashboardFlags.ts';
import type { LibraryItem } from '../../contract/resources/library.ts';
import { attempt } from '../../editor/commandError.ts';
import type { CommandServices, ReportTarget } from '../../editor/commands/services.ts';
import { displayText } from '../../editor/displayText.ts';
import { showInformationMessage } from '../../editor/messages.ts';
import { reportTargetOf } from '../../editor/nodes/objectTarget.ts';
import { isTreeNode } from '../../editor/nodes/treeNode.ts';
import { pickItem } from '../../editor/pickers/pickItem.ts';

/** Runs the reports of a dashboard, the given one or one that the user picks, side by side. */
export async function openDashboard(services: CommandServices, argument?: unknown): Promise<void> {
  const dashboard = dashboardOf(argument) ?? (await pickDashboard(services));
  const connection = dashboard && services.connections.get(dashboard.connectionId);
  if (!connection) return;
  const what = vscode.l10n.t('Could not open "{0}" on {1}', dashboard.name, connection.name);
  const reports = await attempt(what, async () => {
    const client = await connection.client();
    return reportsOf(dashboard, await client.call('library/SearchReports', { searchstring: '' }));
  });
  if (reports.length > 0) return attempt(what, () => services.runReports(reports));
  const open = vscode.l10n.t('Open in Browser');
  const message = vscode.l10n.t(
    '{0} does not say which reports "{1}" shows, or you may see none of them.',
    connection.name,
    dashboard.name,
  );
  if ((await showInformationMessage(message, open)) === open) {
    await vscode.commands.executeCommand('analytics.browser.open', argument);
  }
}

function dashboardOf(argument: unknown): ReportTarget | undefined {
  if (!isTreeNode(argument)) return reportTargetOf(argument);
  if (argument.kind !== 'dashboard') return undefined;
  const { connection, item } = argument;
  return { connectionId: connection.id, reportId: item.itemId, name: item.name };
}

async function pickDashboard(services: CommandServices): Promise<ReportTarget | undefined> {
  const title = vscode.l10n.t('Open Dashboard');
  const none = vscode.l10n.t('No dashboard found');
  const picked = await pickItem(services, title, ({ outputType }) => outputType === 0, none);
  return picked && { connectionId: picked.connection.id, reportId: picked.item.itemId, name: picked.item.name };
}

/** The reports of a dashboard that the account may see, in the order of the dashboard. */
function reportsOf({ connectionId, reportId }: ReportTarget, items: readonly LibraryItem[]): ReportTarget[] {
  const dashboard = items.find(({ id, itemtype }) => itemtype === 0 && idText(id) === reportId);
  return (reportsInFlags(dashboard?.item_flags) ?? []).flatMap((id) => {
    const report = items.find((item) => item.itemtype !== 0 && idText(item.id) === id);
    return report ? [{ connectionId, reportId: id, name: displayText(report.ReportName) || id }] : [];
  });
}
