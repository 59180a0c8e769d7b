import * as vscode from 'vscode';
import { attempt } from './commandError.ts';
import { serverOf } from './pickServer.ts';
import type { CommandServices } from './services.ts';

/** Removes a server from the list after asking; its session, its password and, if it is the embedded one, its data go. */
export async function removeServer(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await serverOf(argument, services, vscode.l10n.t('Remove which server?'));
  if (!connection) return;
  const remove = vscode.l10n.t('Remove');
  const detail =
    connection.kind === 'local'
      ? vscode.l10n.t('It stops, and its data is deleted from this computer: sample, users, reports and settings.')
      : vscode.l10n.t('Its session ends and its kept password is forgotten. Nothing changes on the server.');
  const question = vscode.l10n.t('Remove {0} from the list of servers?', connection.name);
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) !== remove) return;
  await attempt(vscode.l10n.t('Could not remove {0}', connection.name), async () => {
    if (connection.kind === 'remote' && connection.state.kind === 'active') await endSession(services, connection);
    await services.connections.remove(connection);
  });
}

/** Ends the session if the server can be reached; a server that is gone must not keep its entry alive. */
async function endSession(
  { log }: CommandServices,
  connection: NonNullable<Awaited<ReturnType<typeof serverOf>>>,
): Promise<void> {
  try {
    await connection.signOut();
  } catch (error) {
    log.warn(`${connection.name}: the session could not be ended before removal. ${String(error)}`);
  }
}
