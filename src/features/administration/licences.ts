import * as vscode from 'vscode';
import { showInformationMessage } from '../../editor/messages.ts';
import { setStatusBarMessage } from '../../editor/statusBar.ts';
import { refreshLicences as readLicencesAgain } from '../../objects/upkeep.ts';
import { displayText } from '../../editor/displayText.ts';
import { adminServerOf } from '../../editor/pickers/adminServer.ts';
import { attempt } from '../../editor/commandError.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

const statusMs = 8_000;

/** Lets the server read its licences again, and says what it answers. API description, Licensing. */
export async function refreshLicences(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await adminServerOf(argument, services, vscode.l10n.t('Refresh Licences'));
  if (!connection) return;
  const reply = await attempt(vscode.l10n.t('Could not refresh the licences of {0}', connection.name), async () =>
    readLicencesAgain(await connection.client()),
  );
  const words = displayText(reply) || vscode.l10n.t('Licences refreshed.');
  void showInformationMessage(vscode.l10n.t('{0}: {1}', connection.name, words));
  await services.tree.refreshObjects(connection, 'licences');
}

/** Copies the id of a server's installation, which the vendor asks for. */
export async function copyInstallationId(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await serverOf(argument, services, vscode.l10n.t('Installation ID of which server?'));
  if (!connection) return;
  const id = await attempt(vscode.l10n.t('Could not read the installation ID of {0}', connection.name), async () =>
    (await connection.client()).call('LicenseManager/GetInstallationID', {}),
  );
  await vscode.env.clipboard.writeText(id.trim());
  setStatusBarMessage(vscode.l10n.t('Installation ID of {0} copied: {1}', connection.name, displayText(id)), statusMs);
}
