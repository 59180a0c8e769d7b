import * as vscode from 'vscode';
import { attempt } from '../../../editor/commandError.ts';
import { reportTargetOf } from '../../../editor/commands/reportTarget.ts';
import { pickReport } from '../run/runReport.ts';
import type { SqlServices } from './sqlPreview.ts';

/** Shows the SQL that the server generates for a report: the one given, or one that the user looks up. */
export async function showSql(services: SqlServices, argument?: unknown): Promise<void> {
  const target = reportTargetOf(argument) ?? (await pickReport(services, vscode.l10n.t('Show SQL')));
  if (!target) return;
  const server = services.connections.get(target.connectionId)?.name ?? target.connectionId;
  const what = vscode.l10n.t('Could not show the SQL of "{0}" on {1}', target.name, server);
  await attempt(what, () => services.showSql(target));
}
