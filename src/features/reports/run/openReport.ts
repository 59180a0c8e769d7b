import * as vscode from 'vscode';
import { pickReport, runReport } from './runReport.ts';
import type { CommandServices } from '../../../editor/commands/services.ts';

/** Goes to a report anywhere on the servers that are signed in, found by the servers' own search, and runs it. */
export async function openReport(services: CommandServices): Promise<void> {
  const target = await pickReport(services, vscode.l10n.t('Go to Report'));
  if (!target) return;
  await runReport(services, target);
}
