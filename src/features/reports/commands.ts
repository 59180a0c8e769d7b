import * as vscode from 'vscode';
import { attempt } from '../../editor/commandError.ts';
import { pickItem } from '../../editor/pickers/pickItem.ts';
import { reportTargetOf } from '../../editor/nodes/objectTarget.ts';
import type { CommandServices, ReportTarget } from '../../editor/commands/services.ts';
import type { SqlServices } from './sql/sqlPreview.ts';

/** Runs the given report, or one that the user picks. */
export async function runReport(services: CommandServices, argument?: unknown): Promise<void> {
  const target = reportTargetOf(argument) ?? (await pickReport(services, vscode.l10n.t('Run Report')));
  if (!target) return;
  const server = services.connections.get(target.connectionId)?.name ?? target.connectionId;
  await attempt(vscode.l10n.t('Could not run "{0}" on {1}', target.name, server), () => services.runReport(target));
}

/** Lets the user pick a report, excluding dashboards. */
export async function pickReport(services: CommandServices, title: string): Promise<ReportTarget | undefined> {
  const picked = await pickItem(services, title, (item) => item.outputType !== 0);
  return picked && { connectionId: picked.connection.id, reportId: picked.item.itemId, name: picked.item.name };
}

/** Searches all signed-in servers for a report and runs it. */
export async function openReport(services: CommandServices): Promise<void> {
  const target = await pickReport(services, vscode.l10n.t('Go to Report'));
  if (!target) return;
  await runReport(services, target);
}

/** Shows the SQL that the server generates for the given report, or for one that the user picks. */
export async function showSql(services: SqlServices, argument?: unknown): Promise<void> {
  const target = reportTargetOf(argument) ?? (await pickReport(services, vscode.l10n.t('Show SQL')));
  if (!target) return;
  const server = services.connections.get(target.connectionId)?.name ?? target.connectionId;
  const what = vscode.l10n.t('Could not show the SQL of "{0}" on {1}', target.name, server);
  await attempt(what, () => services.showSql(target));
}
