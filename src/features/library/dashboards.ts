import * as vscode from 'vscode';
import * as z from 'zod';
import { createInFolder } from '../../access/folderAccess.ts';
import { attempt } from '../../editor/commandError.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { displayText } from '../../editor/displayText.ts';
import { setStatusBarMessage } from '../../editor/messages.ts';
import { askText } from '../../editor/pickers/inputSteps.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';
import { verifiedServer } from '../../editor/pickers/verifiedServer.ts';
import { showQuickPick } from '../../editor/quickInput.ts';
import { dashboardKind } from '../../objects/kinds/dashboardKind.ts';
import { readKnownObjects } from '../../objects/language/knownObjects.ts';
import { parentFor } from './folders.ts';

/** A folder passed by another command. */
const folderTarget = z.object({ folderId: z.string() });

/** Creates a dashboard in a folder: asks for its name and its reports. */
export async function newDashboard(services: CommandServices, argument?: unknown): Promise<void> {
  const title = vscode.l10n.t('New Dashboard');
  const connection = await serverOf(argument, services, vscode.l10n.t('{0}: select a server', title));
  if (!connection) return;
  const shown = await verifiedServer(connection, argument);
  const failed = vscode.l10n.t('Could not create a dashboard on {0}', connection.name);
  // A server that cannot create dashboards says so before anything is asked.
  await attempt(failed, async () => dashboardKind.template?.(await shown.server()));
  const given = folderTarget.safeParse(argument).data?.folderId;
  const folderId = given ?? (await parentFor(services, connection, argument, title))?.id;
  if (folderId === undefined) return;
  const name = await askText({
    title: vscode.l10n.t('New dashboard on {0}', connection.name),
    placeholder: vscode.l10n.t('Name'),
    accept: async (value) => (displayText(value) === '' ? vscode.l10n.t('Enter a name.') : undefined),
  });
  if (typeof name !== 'string') return;
  const offered = attempt(failed, async () => {
    const client = await shown.client();
    const reports = await readKnownObjects(client.call.bind(client), 'report');
    return reports.map(({ id, name: report, detail }) => {
      return { label: displayText(report), description: displayText(detail), id };
    });
  });
  const picked = await showQuickPick(offered, {
    title: vscode.l10n.t('Reports of "{0}" on {1}', displayText(name), connection.name),
    placeHolder: vscode.l10n.t('Select the reports to show side by side'),
    matchOnDescription: true,
    ignoreFocusOut: true,
    canPickMany: true,
  });
  if (!picked) return;
  const reports = picked.map(({ id }) => ({ ReportID: id }));
  await attempt(
    vscode.l10n.t('Could not create dashboard "{0}" on {1}', displayText(name), connection.name),
    async () => createInFolder(await shown.server(), dashboardKind, folderId, { name: name.trim(), reports }),
  );
  setStatusBarMessage(vscode.l10n.t('Dashboard {0} created on {1}', displayText(name), connection.name), 8_000);
  await services.tree.refreshObjects(connection, 'library');
}
